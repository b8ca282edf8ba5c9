"""The shape of a network, and the sizes that have names."""

from __future__ import annotations

from dataclasses import dataclass

from jimbo.declared import Declared, declared


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkConfig(Declared):
    width: int = declared(96, "numbers that stand for a token", min=8, max=1024)
    layers: int = declared(2, "rounds in which the tokens look at one another", min=1, max=16)
    heads: int = declared(4, "ways in which they do", min=1, max=16)
    dropout: float = declared(0.0, "share of numbers left out in training", min=0.0, max=0.9)

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
