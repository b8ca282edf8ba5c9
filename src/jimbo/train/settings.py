"""What a training is told; one list for the command line, the files and the code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from jimbo.declared import Declared, declared
from jimbo.models import config_of

Method = Literal["bc", "pv", "dagger", "distill"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainSettings(Declared):
    """Everything that decides what comes of a training, beside the data."""

    method: Method = "bc"
    size: str = declared("small", "network size: tiny, small or base", nonempty=True)
    epochs: int = declared(6, "passes over the data (epochs)", min=1, max=10_000)
    batch_size: int = declared(256, "decisions per batch", min=1, max=1_000_000)
    lr: float = declared(2e-3, "peak learning rate", min=0.0, max=10.0)
    weight_decay: float = declared(0.01, "weight decay", min=0.0, max=10.0)
    dropout: float = declared(0.2, "dropout rate", min=0.0, max=0.9)
    softness: float = declared(
        0.2, "share of the target given to the options that the teacher rated nearly as good", min=0.0, max=1.0
    )
    value_weight: float = declared(1.0, "weight of the value loss relative to the policy loss", min=0.0, max=100.0)
    patience: int = declared(3, "epochs without improvement before training stops", min=1, max=10_000)
    val_share: float = declared(
        0.1, "share of the games held out for validation if no other data are given", min=0.0, max=0.5
    )
    seed: int = declared(7, "random seed for weights and batch order", min=0)

    def __post_init__(self) -> None:
        Declared.__post_init__(self)
        config_of(self.size)  # before a folder is begun in which a network of another size could not be trained
