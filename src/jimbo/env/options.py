"""What can be chosen: the options of an environment, and those of ``reset(options=...)``."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, Literal, TypeVar

from jimbo.engine import DEFAULT_REWARDS, LAST_ANTE, Run
from jimbo.engine.decisions import MANY_ROLLOUTS, MOST_OPTIONS
from jimbo.env.rewards import RewardTerm

CAMPAIGN_REWARDS: Mapping[str, float] = MappingProxyType({"win": 1.0, "boss": 0.1})
"""A won run pays 1, and each boss on the way 0.1."""
STARTS = ("deck", "stake", "challenge")


@dataclass(frozen=True, kw_only=True, repr=False)
class EpisodeOptions:
    """What all environments have in common: which runs are played, how far, and what they pay."""

    deck: str | None = None
    """Key or name of the deck; None: the Red Deck, or the challenge's own."""
    stake: str = "white"
    """Key or name of the stake."""
    challenge: str | None = None
    """Key or name of a challenge; it brings its own deck."""
    seeds: Sequence[str] = ()
    """Game seeds to play in turn, again from the first when all were played; row i of n plays ``seeds[i::n]``.
    None: every episode draws a seed from the row's generator, which ``reset(seed=...)`` sets."""
    max_ante: int | None = LAST_ANTE
    """8, the last: beating its boss wins and ends the episode. Another number: the episode is truncated once the ante
    lies beyond it. None: endless, until the run is lost."""
    max_steps: int = 10_000
    """The episode is truncated after this many steps; 0 for no limit."""
    rewards: Mapping[str, float] = field(default_factory=lambda: dict(DEFAULT_REWARDS))
    """Weight of each reward term by name; see ``jimbo.env.rewards``."""
    custom_rewards: Mapping[str, RewardTerm] = field(default_factory=dict)
    """Reward terms of your own, by name; their weights are in ``rewards``."""
    illegal_penalty: float = 0.0
    """What an action that is not allowed costs. It changes nothing else."""
    threads: int = 1
    """Threads that step the rows of a vector environment."""

    def __post_init__(self) -> None:
        _at_least("max_steps", self.max_steps, 0)
        _at_least("threads", self.threads, 1)
        if not math.isfinite(self.illegal_penalty):
            raise ValueError(f"illegal_penalty must be a finite number, not {self.illegal_penalty}")
        if self.max_ante is not None:
            _at_least("max_ante", self.max_ante, 1)
        if isinstance(self.seeds, str):
            raise ValueError(f'seeds must be a list of game seeds: write seeds=["{self.seeds}"]')

    def __repr__(self) -> str:
        """Return what was chosen: defaults are left out."""
        usual = {
            entry.name: entry.default_factory() if callable(entry.default_factory) else entry.default
            for entry in fields(self)
        }
        chosen = [f"{name}={value!r}" for name, value in vars(self).items() if value != usual[name]]
        return f"{type(self).__name__}({', '.join(chosen)})"


@dataclass(frozen=True, kw_only=True, repr=False)
class RunOptions(EpisodeOptions):
    """The keyword arguments of ``jimbo/Run-v0``."""

    actions: Literal["steps", "candidates", "whole"] = "steps"
    """``steps``: a fixed list of small steps (select a card, play, buy slot 2 ...). ``candidates``: one of at most
    ``candidates`` whole actions, listed again after every step. ``whole``: any action at once, as a row of small
    numbers (see ``jimbo.env.whole``)."""
    observation: Literal["fields", "flat", "packed"] = "fields"
    """``fields``: a Dict with one array per field of the engine's list. ``flat``: ``observations`` (one float32 vector,
    see ``FlatLayout``) and ``action_mask``, as RLlib's action masking wants it. ``packed``: the bytes of the whole
    observation as one array, for the networks of ``jimbo.models`` (see ``PackedLayout``)."""
    moves: bool = False
    """Whether cards, jokers and consumables can be rearranged."""
    candidates: int = 128
    """How many whole actions ``actions="candidates"`` lists at most."""

    def __post_init__(self) -> None:
        super().__post_init__()
        _choose("actions", self.actions, ("steps", "candidates", "whole"))
        _choose("observation", self.observation, ("fields", "flat", "packed"))
        _at_least("candidates", self.candidates, 1)


@dataclass(frozen=True, kw_only=True, repr=False)
class CampaignOptions(EpisodeOptions):
    """The keyword arguments of ``jimbo/Campaign-v0``."""

    hands: Literal["quick"] | int = "quick"
    """Who plays hands: ``quick``, the fast player, or the blind solver with so many rollouts for each of them. From 40
    on they count by what the learnt value says of the run after the blind."""
    layout: Literal["sparse", "dense", "summary", "flat"] = "sparse"
    """How options are shown; see ``CampaignLayout``. ``flat``: summaries as one vector, as RLlib's action masking wants
    it."""
    half: bool = False
    """Whether dense inputs are float16."""
    max_options: int = MOST_OPTIONS
    """How many options are shown at most: the first ones of the list."""
    finalists: int = 0
    """Options, the best by the learnt value, that are shown with a forecast of their next blinds; 0: none are."""
    worlds: int = 2
    """Worlds of such a forecast."""
    max_steps: int = field(default=2_000, repr=False)
    rewards: Mapping[str, float] = field(default_factory=lambda: dict(CAMPAIGN_REWARDS))
    shaping: bool = False
    """Whether each step pays ``gamma * phi(after) - phi(before)`` more, where phi is what the learnt value expects of
    the rewards ``win``, ``boss`` and ``blind`` by their weights, and 0 after a win or a loss. That ranks policies as
    before, as long as the learner discounts by the same ``gamma``."""
    gamma: float = 1.0
    """The discount of the shaping."""
    value: str | None = None
    """Weights of a learnt value (``jimbo train value``); None: the package's own. It is read only where it is asked:
    for shaping, finalists and hands with 40 rollouts or more."""

    def __post_init__(self) -> None:
        super().__post_init__()
        _choose("layout", self.layout, ("sparse", "dense", "summary", "flat"))
        if self.hands != "quick" and (not isinstance(self.hands, int) or self.hands < 1):
            raise ValueError(f'hands must be "quick" or a number of rollouts, at least 1, not {self.hands!r}')
        _at_least("max_options", self.max_options, 2)
        _at_least("finalists", self.finalists, 0)
        _at_least("worlds", self.worlds, 1)
        if not 0 < self.gamma <= 1:
            raise ValueError(f"gamma must be above 0 and at most 1, not {self.gamma}")

    @property
    def rollouts(self) -> int:
        return 1 if self.hands == "quick" else int(self.hands)

    @property
    def asks_value(self) -> bool:
        """Whether the learnt value is needed."""
        return self.shaping or self.finalists > 0 or self.rollouts >= MANY_ROLLOUTS


Options = TypeVar("Options", bound=EpisodeOptions)


def options_from(arguments: Mapping[str, Any], kind: type[Options]) -> Options:
    """Make options from keyword arguments; an unknown name is refused with the known ones."""
    common = [entry.name for entry in fields(EpisodeOptions)]
    known = [*(entry.name for entry in fields(kind) if entry.name not in common), *common]
    for name in arguments:
        if name not in known:
            raise TypeError(f"there is no option {name}: choose from {', '.join(known)}")
    return kind(**arguments)


def _choose(name: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        *first, last = map(repr, choices)
        raise ValueError(f"{name} must be {', '.join(first)} or {last}, not {value!r}")


def _at_least(name: str, value: int, minimum: int) -> None:
    if value < minimum:
        raise ValueError(f"{name} must be at least {minimum}, not {value}")


# --- reset(options=...) -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ResetChoices:
    """What a reset's episodes start from; what is not named stays as usual."""

    game_seeds: Sequence[str] | None = None
    """One for each row."""
    start: Mapping[str, Any] = field(default_factory=dict)
    """Deck, stake, challenge."""
    runs: Sequence[Run | None] | None = None
    """For each row the run to continue; None: a game of its own."""


def choices_of_one(options: Mapping[str, Any]) -> ResetChoices:
    """Read the options of a single environment."""
    _check_names(options, ("seed", *STARTS, "run", "save"), ("run", "save"))
    if "run" in options and "save" in options:
        raise ValueError('options has both "run" and "save": give one of them')
    runs = [_run_from(options[name], f'options["{name}"]') for name in ("run", "save") if name in options]
    seed = options.get("seed")
    return ResetChoices(None if seed is None else [seed], _start(options), runs or None)


def choices_of_many(options: Mapping[str, Any], n: int) -> ResetChoices:
    """Read the options of a vector environment of ``n`` rows, apart from ``reset_mask``."""
    _check_names(options, ("reset_mask", "seed", *STARTS, "runs"), ("runs",))
    seeds, runs = options.get("seed"), options.get("runs")
    if seeds is not None and (isinstance(seeds, str) or len(seeds) != n):
        raise ValueError(f'options["seed"] must be a list of {n} game seeds, one for each row')
    if runs is None:
        return ResetChoices(seeds, _start(options))
    if isinstance(runs, Run | bytes) or len(runs) != n:
        raise ValueError(f'options["runs"] must be a list of {n} runs, one for each row')
    read = [None if run is None else _run_from(run, f'options["runs"][{row}]') for row, run in enumerate(runs)]
    return ResetChoices(seeds, _start(options), read)


def _check_names(options: Mapping[str, Any], known: Sequence[str], runs: Sequence[str]) -> None:
    for name in options:
        if name not in known:
            raise ValueError(f"reset has no option {name!r}: choose from {', '.join(known)}")
    given = next((name for name in runs if name in options), None)
    other = next((name for name in ("seed", *STARTS) if name in options), None)
    if given and other:
        raise ValueError(f"options has both {given!r} and {other!r}: a run already has its seed, deck and stake")


def _start(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: options[name] for name in STARTS if name in options}


def _run_from(value: object, where: str) -> Run:
    if isinstance(value, Run):
        return value
    if not isinstance(value, bytes):
        raise ValueError(f"{where} must be a Run or the bytes of run.save(), not {type(value).__name__}")
    try:
        return Run.load(value)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None
