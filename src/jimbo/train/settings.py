"""Settings of the trainings: one list each for the command line, the files and the code. Nothing here needs torch."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from jimbo.declared import Declared, declared
from jimbo.engine import DEFAULT_REWARDS, LAST_ANTE, reward_terms
from jimbo.engine.catalog import DECKS, STAKES
from jimbo.models.checkpoint import SIZES, config_of
from jimbo.seeds.starts import CHALLENGE_DECK
from jimbo.train.core.schedule import Falling

Method = Literal["bc", "pv", "dagger", "distill"]


def _curriculum() -> Any:
    return declared(
        None, "a curriculum.json of jimbo mine: decisions like those that runs were lost by count more", nonempty=True
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainSettings(Declared):
    """Settings of bc, pv, dagger and distill: what decides the result of a training, besides the data."""

    method: Method = "bc"
    size: str = declared("small", "network size: tiny, small or base", nonempty=True)
    graph: bool = declared(False, "also give the network what the knowledge graph says of its jokers")
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
    curriculum: str | None = _curriculum()
    val_share: float = declared(
        0.1, "share of the games held out for validation if no other data are given", min=0.0, max=0.5
    )
    seed: int = declared(7, "random seed for weights and batch order", min=0)

    def __post_init__(self) -> None:
        Declared.__post_init__(self)
        config_of(self.size)  # before the folder is made


# --- Games that the network plays itself ------------------------------------------------------------------------------

WARM: Mapping[str, Any] = {"lr": 3e-4, "entropy": 0.001, "entropy_end": 0.0}
"""Defaults of a training that starts from a network that plays already, which must not be undone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Curriculum(Declared):
    """Short runs first: games are cut off after an ante that rises with success. Counted by episode."""

    initial_max_ante: int = declared(2, "ante after which games are truncated at first", min=1, max=LAST_ANTE)
    ante_increment: int = declared(1, "how much it rises", min=1, max=LAST_ANTE)
    success_threshold: float = declared(0.8, "share of games beyond it that raises it", min=0.0, max=1.0)
    eval_interval: int = declared(100, "games between two checks of that share", min=1, max=1_000_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class RlSettings(Declared):
    """Settings of Jimbo's PPO (``train rl``)."""

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
    schedule: Falling = declared("linear", "learning rate schedule, down to 0")
    average: float = declared(0.05, "span of the weight averaging, as a share of the updates so far", min=0.0, max=1.0)
    max_gradient: float = declared(0.5, "gradient norm limit", min=0.0)
    critic_warm_up: int = declared(10, "updates of the critic alone at the start of a training from init", min=0)
    sharpness: float = declared(3.0, "factor on the logits of init, which makes its policy sharper", min=0.1, max=100.0)
    start_kl: float = declared(0.0, "KL penalty towards the policy of init", min=0.0, max=1000.0)
    rewards: Mapping[str, float] = declared(
        default_factory=lambda: dict(DEFAULT_REWARDS), help="weight of each reward term; terms not named get none"
    )
    deck: str | None = declared(None, "key or name of the deck; default: Red Deck", nonempty=True)
    stake: str = declared("white", "key or name of the stake", nonempty=True)
    max_steps: int = declared(10_000, "decisions after which a game is truncated", min=1)
    curriculum: Curriculum | None = declared(None, "short runs first, longer ones with success")
    eval_games: int = declared(200, "evaluation games, always the same", min=1, max=100_000)
    eval_every: int = declared(20, "updates between two evaluations", min=1)
    seed: int = declared(7, "random seed for weights, games and batch order", min=0)

    @staticmethod
    def defaults_for(told: Mapping[str, Any]) -> Mapping[str, Any]:
        return WARM if told.get("init") is not None else {}

    def __post_init__(self) -> None:
        Declared.__post_init__(self)
        for name in self.rewards:
            if name not in reward_terms():
                raise ValueError(f'there is no reward term "{name}": choose from {", ".join(reward_terms())}')
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
        """Decisions of all updates, which are whole."""
        return self.updates * self.batch


# --- The value of builds ----------------------------------------------------------------------------------------------

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


def _check_weights(decks: Mapping[str, float], stakes: Mapping[str, float]) -> None:
    for name, weights in (("decks", decks), ("stakes", stakes)):
        if sum(weights.values()) <= 0:
            raise ValueError(f"{name}: give at least one of them a weight above 0")


def _stakes() -> dict[str, float]:
    """White most, then Gold, which needs most of what there is to learn."""
    often = {"stake_white": 8.0, "stake_gold": 4.0}
    return {stake: often.get(stake, 1.0) for stake in STAKES}


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueSettings(Declared):
    """Settings of the training of a value (``train value``)."""

    plan: tuple[Stage, ...] = declared(
        default_factory=_plan, help="the generations one after another; the last is repeated"
    )
    generations: int = declared(13, "total generations", min=1, max=100_000)
    init: str | None = declared(
        None,
        "a .safetensors file to start from, with its widths and a slow plan; default: random weights",
        nonempty=True,
    )
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
        max=4096,
    )
    curriculum: str | None = _curriculum()
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
        _check_weights(self.decks, self.stakes)

    def stage(self, generation: int) -> Stage:
        return self.plan[min(generation, len(self.plan) - 1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicySettings(Declared):
    """Settings of the training of a policy on top of a value (``train policy``)."""

    updates: int = declared(200, "total updates", min=1, max=1_000_000)
    init: str | None = declared(
        None,
        "a .safetensors file with the value, and the policy if it has one, to start from; default: the package's",
        nonempty=True,
    )
    games: int = declared(1_000, "games per update", min=1, max=1_000_000)
    rollouts: int = declared(40, "rollouts of the blind solver per hand; 1: the quick player alone", min=1, max=100_000)
    temperature: float = declared(
        0.03, "options are drawn by the softmax of their preferences divided by this", min=1e-4, max=10.0
    )
    considered: int = declared(12, "options, the best ones, that are drawn among", min=2, max=255)
    second_chances: int = declared(
        1, "how often a lost run is replayed from the start of one of its last three antes", min=0, max=100
    )
    decks: Mapping[str, float] = declared(
        default_factory=_decks, help="how often each deck is played", min=0.0, keys=_DECKS
    )
    stakes: Mapping[str, float] = declared(
        default_factory=lambda: {"stake_gold": 3.0, "stake_white": 1.0},
        help="how often each stake is played",
        min=0.0,
        keys=tuple(STAKES),
    )
    widths: tuple[int, int] = declared(
        (256, 64), "widths of the two hidden layers of policy and critic", min=1, max=4096
    )
    epochs: int = declared(2, "passes over the choices of an update (epochs)", min=1, max=100)
    minibatch: int = declared(4_096, "choices per optimizer step", min=1)
    lr: float = declared(5e-4, "learning rate", min=0.0, max=10.0)
    weight_decay: float = declared(0.01, "weight decay", min=0.0, max=10.0)
    gae_lambda: float = declared(0.98, "GAE lambda", min=0.0, max=1.0)
    clip: float = declared(0.2, "PPO clip range", min=0.0, max=10.0)
    leash: float = declared(0.01, "KL penalty towards the choices of the start", min=0.0, max=1000.0)
    max_gradient: float = declared(0.5, "gradient norm limit", min=0.0)
    average: float = declared(0.1, "weight of each update in the moving average that plays", min=0.001, max=1.0)
    critic_warm_up: int = declared(2, "updates of the critic alone at the start", min=0)
    judge_games: int = declared(640, "evaluation games, always the same", min=1, max=1_000_000)
    judge_every: int = declared(10, "updates between two evaluations", min=1)
    seed: int = declared(7, "random seed for weights, games and batch order", min=0, max=2**31)

    def __post_init__(self) -> None:
        Declared.__post_init__(self)
        _check_weights(self.decks, self.stakes)
