"""What can be chosen about an environment."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from jimbo.engine import DEFAULT_REWARDS, LAST_ANTE
from jimbo.env.rewards import RewardTerm


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """The keyword arguments of ``jimbo/Run-v0``."""

    actions: Literal["steps", "candidates", "whole"] = "steps"
    """``steps``: a fixed list of small steps (select a card, play, buy slot 2 ...). ``candidates``: one of at most
    ``candidates`` whole actions, listed again after every step. ``whole``: any action at once, as a row of small
    numbers (see ``jimbo.env.whole``)."""
    observation: Literal["fields", "flat", "packed"] = "fields"
    """``fields``: a Dict with one array per field of the engine's list. ``flat``: ``observations`` (one float32 vector,
    see ``FlatLayout``) and ``action_mask``, as RLlib's action masking wants it. ``packed``: the bytes of the whole
    observation as one array, for the networks of ``jimbo.models`` (see ``PackedLayout``)."""
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
    moves: bool = False
    """Whether cards, jokers and consumables can be rearranged."""
    candidates: int = 128
    """How many whole actions ``actions="candidates"`` lists at most."""
    rewards: Mapping[str, float] = field(default_factory=lambda: dict(DEFAULT_REWARDS))
    """Weight of each reward term by name; see ``jimbo.env.rewards``."""
    custom_rewards: Mapping[str, RewardTerm] = field(default_factory=dict)
    """Reward terms of your own, by name; their weights are in ``rewards``."""
    illegal_penalty: float = 0.0
    """What an action that is not allowed costs. It changes nothing else."""
    threads: int = 1
    """Threads that step the rows of a vector environment."""

    def __post_init__(self) -> None:
        _choose("actions", self.actions, ("steps", "candidates", "whole"))
        _choose("observation", self.observation, ("fields", "flat", "packed"))
        _at_least("max_steps", self.max_steps, 0)
        _at_least("candidates", self.candidates, 1)
        _at_least("threads", self.threads, 1)
        if not math.isfinite(self.illegal_penalty):
            raise ValueError(f"illegal_penalty must be a finite number, not {self.illegal_penalty}")
        if self.max_ante is not None:
            _at_least("max_ante", self.max_ante, 1)
        if isinstance(self.seeds, str):
            raise ValueError(f'seeds must be a list of game seeds: write seeds=["{self.seeds}"]')


def options_from(arguments: Mapping[str, Any]) -> RunOptions:
    """Options from keyword arguments; an unknown name is refused with the known ones."""
    known = [entry.name for entry in fields(RunOptions)]
    for name in arguments:
        if name not in known:
            raise TypeError(f"there is no option {name}: choose from {', '.join(known)}")
    return RunOptions(**arguments)


def _choose(name: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        *first, last = map(repr, choices)
        raise ValueError(f"{name} must be {', '.join(first)} or {last}, not {value!r}")


def _at_least(name: str, value: int, minimum: int) -> None:
    if value < minimum:
        raise ValueError(f"{name} must be at least {minimum}, not {value}")
