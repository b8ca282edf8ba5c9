"""Typed positions taken apart and put together, for editors that change one item at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from jimbo.data.notation import PARTS
from jimbo.data.notation_items import CARD
from jimbo.data.notation_words import items, parts
from jimbo.data.position import marked

OF_CARDS = ("hand", "left", "gone")
"""Parts of playing cards, with blanks between them."""
LISTS = (*OF_CARDS, "jokers", "consumables", "vouchers", "tags", "levels", "shop", "packs", "for sale")


class Piece(NamedTuple):
    """An item, as it is typed."""

    name: str
    marks: tuple[str, ...] = ()


Pieces = Mapping[str, str | Sequence[Piece]]
"""What each part holds: its items, or a name or a number."""


def taken_apart(text: str) -> dict[str, str | Sequence[Piece]]:
    """The parts of a position that ``position_text`` wrote."""
    found: dict[str, str | Sequence[Piece]] = {}
    for word, held in parts(text, PARTS):
        name = word.text
        if name in LISTS:
            told = items(held, ", " if name in OF_CARDS else ",")
            found[name] = [Piece(one.word.text, tuple(mark.text for mark in one.marks)) for one in told]
        else:
            found[name] = held.text
    return found


def put_together(pieces: Pieces) -> str:
    """A position of these parts, to be read again."""
    return "; ".join(f"{name}: {_held(name, pieces[name])}".rstrip() for name in PARTS if name in pieces)


def _held(name: str, value: str | Sequence[Piece]) -> str:
    if isinstance(value, str):
        return value
    made = (marked(one.name, one.marks, "" if CARD.fullmatch(one.name) else " ") for one in value)
    return (" " if name in OF_CARDS else ", ").join(made)
