"""Networks on disk: weights as safetensors, everything else as JSON beside them. Nothing that is read can run code."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jimbo.declared import Declared, declared, from_dict
from jimbo.extras import require
from jimbo.files import LARGEST_MODEL, read_bytes, read_json, reading, write_bytes, write_text
from jimbo.models.inputs import input_schema

if TYPE_CHECKING:
    from jimbo.models.network import EntityNetwork

FORMAT = "jimbo_network_v1"


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkConfig(Declared):
    width: int = declared(96, "numbers that stand for a token", min=8, max=1024)
    layers: int = declared(2, "rounds in which the tokens look at one another", min=1, max=16)
    heads: int = declared(4, "ways in which they do", min=1, max=16)
    dropout: float = declared(0.0, "share of numbers left out in training", min=0.0, max=0.9)
    graph_dim: int = declared(0, "numbers of the knowledge graph for each joker, 128; 0: none", min=0, max=4096)

    def __post_init__(self) -> None:
        Declared.__post_init__(self)
        if self.width % self.heads:
            raise ValueError(f"width must be a multiple of heads: {self.width} is not one of {self.heads}")


SIZES = {
    "tiny": NetworkConfig(width=32, layers=1, heads=2),
    "small": NetworkConfig(width=96, layers=2, heads=4),
    "base": NetworkConfig(width=192, layers=4, heads=6),
}


def config_of(size: str) -> NetworkConfig:
    """ValueError for a size without a name."""
    if size not in SIZES:
        raise ValueError(f'There is no size "{size}". Choose one of {", ".join(SIZES)}.')
    return SIZES[size]


class BadModel(ValueError):
    """A file that is not a network, or one that cannot be used here; the sentence says why."""


def card_of(config: NetworkConfig, about: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is kept with the weights: format, schema of the inputs, shape, and what the maker adds."""
    return {"format": FORMAT, "schema_hash": input_schema(), "config": asdict(config), **about}


def check_card(card: Any, path: Path) -> NetworkConfig:
    """Return the shape of the network that a card describes; BadModel if it is not one for this version."""
    if not isinstance(card, dict) or card.get("format") != FORMAT:
        raise BadModel(f"{path} is not a network of the format {FORMAT}.")
    if card.get("schema_hash") != input_schema():
        raise BadModel(
            f"{path} was made for other observations (schema_hash {card.get('schema_hash')}, here {input_schema()}). "
            "Train it again with this version, or use the version that made it."
        )
    if not isinstance(card.get("candidates", 1), int) or card.get("candidates", 1) < 1:
        raise BadModel(f"{path} cannot be used: candidates must be a whole number of at least 1.")
    try:
        return from_dict(NetworkConfig, card.get("config"), "config")
    except ValueError as error:
        raise BadModel(f"{path} cannot be used: {error}.") from None


def check_finite(finite: bool, path: Path) -> None:
    """BadModel for weights that are not finite: of a file that was damaged, or a training that failed."""
    if not finite:
        raise BadModel(f"{path} cannot be used: it holds weights that are not finite numbers (NaN or infinity).")


def save_network(network: EntityNetwork, stem: Path, about: Mapping[str, Any]) -> None:
    """Write ``stem.safetensors`` and ``stem.json``."""
    weights = {name: tensor.detach().cpu().contiguous() for name, tensor in network.state_dict().items()}
    write_bytes(stem.with_suffix(".safetensors"), require("safetensors.torch", "train").save(weights))
    write_text(stem.with_suffix(".json"), json.dumps(card_of(network.config, about), indent=2) + "\n")


def load_network(path: Path) -> tuple[EntityNetwork, dict[str, Any]]:
    """Return the network of ``NAME.safetensors`` (or ``NAME.json``) and its card; BadModel if it cannot be used."""
    require("torch", "train")
    from jimbo.models.network import EntityNetwork

    weights = _read_weights(path.with_suffix(".safetensors"))  # first: where both are missing, this is the one named
    card = read_card(path.with_suffix(".json"))
    network = EntityNetwork(check_card(card, path))
    try:
        network.load_state_dict(weights)
    except RuntimeError:
        raise BadModel(
            f"{path.with_suffix('.safetensors')} does not hold the weights of the network beside it."
        ) from None
    return network, card


def read_card(path: Path) -> dict[str, Any]:
    """Read the JSON beside the weights; BadModel if that is impossible."""
    with reading(path, BadModel):
        card = read_json(path, BadModel)
    return card if isinstance(card, dict) else {}


def _read_weights(path: Path) -> dict[str, Any]:
    module = require("safetensors", "train")
    load = require("safetensors.torch", "train").load
    try:
        with reading(path, BadModel):
            weights: dict[str, Any] = load(read_bytes(path, LARGEST_MODEL))
    except module.SafetensorError:
        raise BadModel(f"{path} is not a file of weights, or was cut or added to.") from None
    check_finite(all(bool(weight.isfinite().all()) for weight in weights.values()), path)
    return weights
