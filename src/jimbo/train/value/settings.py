"""What the training of a value is told; one list for the command line, the files and the code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jimbo.declared import Declared, declared, from_dict
from jimbo.engine.catalog import DECKS, STAKES
from jimbo.seeds.starts import CHALLENGE_DECK
from jimbo.yaml_files import read_yaml

_DECKS = tuple(deck for deck in DECKS if deck != CHALLENGE_DECK)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage(Declared):
    """How the games of one generation are played, and learnt from."""

    games: int = declared(8_000, "games", min=1, max=10_000_000)
    rollouts: int = declared(
        1,
        "rollouts of the blind solver per hand; 1: the quick player alone; 40 and more: for later decisions too",
        min=1,
        max=100_000,
    )
    finalists: int = declared(0, "options whose next blinds are forecast", min=0, max=1_000)
    worlds: int = declared(2, "worlds per forecast", min=1, max=1_000)
    random_moves: float = declared(0.03, "share of random moves in exploring games (epsilon)", min=0.0, max=1.0)
    taste: float = declared(0.01, "scale of the random biases in exploring games", min=0.0, max=100.0)
    trust: float = declared(
        0.6,
        "TD lambda: weight of the run's actual course in the targets; the rest is bootstrapped from the value",
        min=0.0,
        max=1.0,
    )
    renewed: float = declared(0.5, "weight of the new network in the moving average that plays", min=0.01, max=1.0)
    epochs: int = declared(1, "passes over the positions (epochs)", min=1, max=1_000)
    lr: float = declared(4e-4, "peak learning rate", min=0.0, max=10.0)


def _plan() -> tuple[Stage, ...]:
    """Quick hands first, because they are many games for little time; then hands as the expert plays them.

    Exploring fades: the first games must show what is possible at all, later ones how runs are won, which strong
    tastes would hide. The value is believed more and more, and learns ever more slowly: options differ by less
    than what a quick learner forgets.
    """
    first = Stage(games=16_000, random_moves=0.6, taste=0.4, trust=1.0, epochs=3, lr=2e-3)
    second = Stage(games=12_000, random_moves=0.05, taste=0.2, trust=0.9, epochs=3, lr=2e-3)
    third = Stage(games=12_000, random_moves=0.04, taste=0.1, trust=0.8, epochs=3, lr=2e-3)
    quick = Stage(taste=0.03, epochs=2, lr=1e-3)
    return (first, second, third, *[quick] * 5, Stage(rollouts=40))


def _decks() -> dict[str, float]:
    """Half of the games with the Red Deck, the others alike."""
    return {deck: 14.0 if deck == "b_red" else 1.0 for deck in _DECKS}


def _stakes() -> dict[str, float]:
    """White most, then Gold, which needs most of what there is to learn."""
    often = {"stake_white": 8.0, "stake_gold": 4.0}
    return {stake: often.get(stake, 1.0) for stake in STAKES}


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueSettings(Declared):
    """Everything that decides what comes of a training."""

    plan: tuple[Stage, ...] = declared(
        default_factory=_plan, help="the generations one after another; the last is repeated"
    )
    generations: int = declared(13, "total generations", min=1, max=100_000)
    init: str | None = declared(None, "a .safetensors file to start from; default: random weights", nonempty=True)
    decks: Mapping[str, float] = declared(
        default_factory=_decks, help="how often each deck is played", min=0.0, keys=_DECKS
    )
    stakes: Mapping[str, float] = declared(
        default_factory=_stakes, help="how often each stake is played", min=0.0, keys=tuple(STAKES)
    )
    exploring: float = declared(0.5, "share of exploring games", min=0.0, max=1.0)
    kept: float = declared(0.35, "share of the decisions used for training", min=0.0, max=1.0)
    kept_worlds: int = declared(
        8,
        "maximum worlds in the forecast of such a position, drawn from 1, 2, 4 ...; 0: as in the game",
        min=0,
        max=1024,
    )
    second_chances: int = declared(
        2, "how often a lost run is replayed from the start of one of its last three antes", min=0, max=100
    )
    window: int = declared(5, "train on the last N generations", min=1, max=1_000)
    batch: int = declared(4096, "positions per optimizer step", min=1)
    weight_decay: float = declared(0.05, "weight decay", min=0.0, max=10.0)
    dropout: float = declared(0.05, "dropout rate", min=0.0, max=0.9)
    blind_eye: float = declared(0.4, "share of positions whose forecast is dropped in training", min=0.0, max=1.0)
    win_weight: float = declared(3.0, "weight of the last blind relative to each other blind", min=0.0, max=100.0)
    margin_weight: float = declared(0.15, "weight of the blind margins in the loss", min=0.0, max=100.0)
    dollar_weight: float = declared(0.03, "weight of the money at blinds in the loss", min=0.0, max=100.0)
    widths: tuple[int, int] = declared(
        (256, 64),
        "widths of the two hidden layers; if both exceed those of init, a new network is added for the difference",
        min=1,
        max=1024,
    )
    judge_games: int = declared(640, "evaluation games per generation, always the same", min=1, max=1_000_000)
    judge_rollouts: int = declared(
        40, "rollouts of the blind solver in these games; 4 options are forecast in 2 worlds", min=1, max=100_000
    )
    seed: int = declared(7, "random seed for weights, games and batch order", min=0, max=2**31)

    def __post_init__(self) -> None:
        Declared.__post_init__(self)
        if not self.plan:
            raise ValueError("plan has no generations: give at least one")
        if self.kept <= 0:
            raise ValueError("kept is 0, so nothing would be learnt from: raise it")
        for name in ("decks", "stakes"):
            if sum(getattr(self, name).values()) <= 0:
                raise ValueError(f"{name}: give at least one of them a weight above 0")

    def stage(self, generation: int) -> Stage:
        return self.plan[min(generation, len(self.plan) - 1)]


def read_settings(path: Path | None, given: Mapping[str, Any]) -> ValueSettings:
    """From a YAML file and what was given beside it, which counts more; ValueError says what does not fit."""
    data = read_yaml(path) if path else {}
    if not isinstance(data, Mapping):
        raise ValueError(f"config {path} does not hold named values")
    return from_dict(ValueSettings, {**data, **given}, f"config {path}" if path else "")
