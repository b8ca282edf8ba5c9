"""Embeddings of items from the knowledge graph, on disk and for networks: 128 numbers for each item of the game.

The file holds weights in the format safetensors, and a card as JSON beside it says what they were made from.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jimbo.engine import vocabulary
from jimbo.files import LARGEST_MODEL, read_bytes, reading, write_bytes, write_text
from jimbo.models.checkpoint import BadModel, check_finite, read_card
from jimbo.models.value_file import read_tensors, tensors_bytes

FORMAT = "jimbo_graph_embedding_v1"
DIM = 128
OWN_FILE = Path(__file__).with_name("graph_embedding.safetensors")
_NAME = "items"
Array = NDArray[Any]


def write_embedding(path: Path, items: Sequence[str], table: Array, about: Mapping[str, Any]) -> None:
    """Write the numbers as float16, and the card beside them."""
    card = {"format": FORMAT, "dim": int(table.shape[1]), "items": list(items), **about}
    write_bytes(path, tensors_bytes({_NAME: table}))
    write_text(path.with_suffix(".json"), json.dumps(card, indent=1) + "\n")


def read_embedding(path: Path | None = None) -> tuple[tuple[str, ...], Array, dict[str, Any]]:
    """Keys of the items, [items, dim] numbers and the card, of the package by default; BadModel says what is wrong."""
    path = path or OWN_FILE
    with reading(path, BadModel):
        data = read_bytes(path, LARGEST_MODEL)
    table = read_tensors(data, path).get(_NAME)
    card = read_card(path.with_suffix(".json"))
    items = card.get("items")
    if card.get("format") != FORMAT or not isinstance(items, list):
        raise BadModel(f"{path.with_suffix('.json')} is not the card of an embedding of the format {FORMAT}.")
    if table is None or table.ndim != 2 or table.shape != (len(items), card.get("dim")):
        raise BadModel(f"{path} does not hold a row of numbers for each item of its card.")
    check_finite(bool(np.isfinite(table).all()), path)
    return tuple(map(str, items)), table, card


def joker_table(path: Path | None = None) -> Array:
    """[joker ids of observations, dim]: zeros for no joker, and for jokers that the file does not know."""
    items, table, _ = read_embedding(path)
    rows = dict(zip(items, table, strict=True))
    nothing = np.zeros(table.shape[1], np.float32)
    return np.stack([rows.get(name, nothing) for name in vocabulary("joker")]).astype(np.float32)
