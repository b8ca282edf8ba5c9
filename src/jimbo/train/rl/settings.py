"""What a training by play is told; one list for the command line, the files and the code."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal

from jimbo.declared import Declared, declared, fields_of, from_dict
from jimbo.engine import DEFAULT_REWARDS, LAST_ANTE, reward_terms
from jimbo.models import SIZES
from jimbo.yaml_files import read_yaml

WARM: Mapping[str, Any] = {"lr": 3e-4, "entropy": 0.001, "entropy_end": 0.0}
"""Defaults of files and commands where a training begins with a network that plays already: it is not to be undone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Curriculum(Declared):
    """Short runs first: games are cut off after an ante that rises with success. Counted by episode."""

    initial_max_ante: int = declared(2, "ante after which games are truncated at first", min=1, max=LAST_ANTE)
    ante_increment: int = declared(1, "how much it rises", min=1, max=LAST_ANTE)
    success_threshold: float = declared(0.8, "share of games beyond it that raises it", min=0.0, max=1.0)
    eval_interval: int = declared(100, "games between two checks of that share", min=1, max=1_000_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class RlSettings(Declared):
    """Everything that decides what comes of a training."""

    size: str = declared("tiny", "network size: tiny, small or base; ignored with init", nonempty=True)
    init: str | None = declared(None, "folder of a training (bc, pv, rl...) whose best network to start from")
    steps: int = declared(4_000_000, "total decisions, rounded up to whole updates", min=1)
    rows: int = declared(512, "parallel games", min=1, max=65_536)
    horizon: int = declared(32, "decisions per game between two updates", min=1, max=65_536)
    epochs: int = declared(2, "passes over the decisions of an update (epochs)", min=1, max=100)
    minibatch: int = declared(1024, "decisions per optimizer step", min=1)
    candidates: int = declared(16, "maximum number of candidate actions", min=2, max=128)
    gamma: float = declared(0.999, "discount factor", min=0.0, max=1.0)
    gae_lambda: float = declared(0.95, "GAE lambda", min=0.0, max=1.0)
    clip: float = declared(0.2, "PPO clip range", min=0.0, max=10.0)
    value_weight: float = declared(0.5, "weight of the critic's loss relative to the policy's", min=0.0, max=100.0)
    entropy: float = declared(0.01, "entropy coefficient at the start", min=0.0, max=10.0)
    entropy_end: float = declared(0.001, "entropy coefficient at the end", min=0.0, max=10.0)
    lr: float = declared(2.5e-3, "peak learning rate", min=0.0, max=10.0)
    schedule: Literal["constant", "linear", "cosine"] = declared("linear", "learning rate schedule, down to 0")
    average: float = declared(0.05, "span of the weight averaging, as a share of the updates so far", min=0.0, max=1.0)
    max_gradient: float = declared(0.5, "gradient norm limit", min=0.0)
    critic_warm_up: int = declared(10, "updates of the critic alone at the start of a training from init", min=0)
    sharpness: float = declared(3.0, "factor on the logits of init, which makes its policy sharper", min=0.1, max=100.0)
    start_kl: float = declared(0.0, "KL penalty towards the policy of init", min=0.0, max=1000.0)
    rewards: Mapping[str, float] = declared(
        default_factory=lambda: dict(DEFAULT_REWARDS), help="weight of each reward term", keys=tuple(reward_terms())
    )
    deck: str | None = declared(None, "key or name of the deck; default: Red Deck", nonempty=True)
    stake: str = declared("white", "key or name of the stake", nonempty=True)
    max_steps: int = declared(10_000, "decisions after which a game is truncated", min=1)
    curriculum: Curriculum | None = None
    eval_games: int = declared(200, "evaluation games, always the same", min=1, max=100_000)
    eval_every: int = declared(20, "updates between two evaluations", min=1)
    seed: int = declared(7, "random seed for weights, games and batch order", min=0)

    def __post_init__(self) -> None:
        Declared.__post_init__(self)
        if self.init is None and self.size not in SIZES:
            raise ValueError(f"size must be one of {', '.join(SIZES)}, not {self.size}")
        if self.minibatch > self.batch:
            raise ValueError(
                f"minibatch is {self.minibatch:,}, but an update has only {self.batch:,} decisions "
                f"(rows {self.rows:,} x horizon {self.horizon:,}): lower minibatch, or raise rows or horizon"
            )
        if self.steps < self.batch:
            raise ValueError(
                f"steps is {self.steps:,}, but one update takes {self.batch:,} decisions "
                f"(rows {self.rows:,} x horizon {self.horizon:,}): raise steps, or lower rows or horizon"
            )
        if not any(self.rewards.values()):
            raise ValueError("rewards pay nothing: give at least one term a weight other than 0")

    @property
    def batch(self) -> int:
        """Decisions of one update."""
        return self.rows * self.horizon

    @property
    def updates(self) -> int:
        return math.ceil(self.steps / self.batch)

    @property
    def decisions(self) -> int:
        """As many as are made: updates are whole."""
        return self.updates * self.batch


def read_settings(path: Path | None, given: Mapping[str, Any]) -> RlSettings:
    """From a YAML file and what was given beside it, which counts more; ValueError says what does not fit."""
    data = read_yaml(path) if path else {}
    if not isinstance(data, Mapping):
        raise ValueError(f"config {path} does not hold named values")
    if given.get("init", data.get("init")) is not None:
        data = {**WARM, **data}
    _check_names({**data, **given}, f"config {path}: " if path else "")
    settings = from_dict(RlSettings, data, f"config {path}") if path and not given else None
    return settings or from_dict(RlSettings, {**data, **given}, f"config {path}" if path else "")


def _check_names(data: Mapping[str, Any], where: str) -> None:
    known = [entry.name for entry in fields_of(RlSettings)]
    for name in data:
        if name not in known:
            near = get_close_matches(str(name), known, 1)
            hint = f"did you mean {near[0]}? " if near else ""
            raise ValueError(f'{where}there is no setting "{name}": {hint}`--set help` lists all')
    rewards = data.get("rewards")
    for name in rewards if isinstance(rewards, Mapping) else ():
        if name not in reward_terms():
            raise ValueError(f'{where}there is no reward term "{name}": choose from {", ".join(reward_terms())}')
