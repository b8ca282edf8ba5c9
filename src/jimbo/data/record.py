"""The record of a run: a header, the decisions with what was considered, snapshots where asked for, and the end.

Here is also the one vocabulary of results, for records, rollouts and evaluations.

The header and the actions are enough to play the run again; the end has a hash of the last state to check it by. Other
forms are projections of it: ``trace`` makes trace_v1.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from typing import Any, Literal, NamedTuple, get_args

from jimbo.declared import Declared, declared
from jimbo.engine import Action, PublicState, Run, build_info
from jimbo.engine.bench import signature
from jimbo.files import bytes_hash, finite

SCHEMA = "jimbo_record_v2"

Measure = Literal["value", "score", "clear", "win", "choice"]
"""What the values of what was considered are: ``score``, the score that a play is expected to make; ``clear``, the
chance to clear the blind and what that leaves, money or a better run; ``win``, percentage points that the chance to win
gains; ``choice``, the probability with which a network would choose it; ``value``, known to the agent alone."""


@cache
def versions() -> Mapping[str, str]:
    """Versions that decide how a run goes: with other rules it would be another run."""
    return {"jimbo": version("jimbo-balatro"), "engine": build_info(), "rules": signature()}


def hash_of(value: object) -> str:
    """SHA-256 of the compact JSON with sorted names."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return bytes_hash(text.encode())


def public_hash(state: PublicState) -> str:
    """Hash of all that a player may know (scope ``public``, public_v1)."""
    return hash_of(state.to_data())


# --- Decisions --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Considered:
    """An action that was considered."""

    action: Action
    """The first, where several follow one another."""
    value: float
    """What the agent chose by; only comparable within one decision."""
    text: str
    """What the action itself does not say."""
    clear: float | None = None
    """Probability of clearing the blind in play, where the agent has one."""
    error: float | None = None
    """Its standard error."""
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Route:
    """Who of several took a decision."""

    selected_policy: str
    risk_score: float
    """From 0 to 1: what a mistake would cost."""
    fallback_reason: str = ""
    """Why it was not the first that was asked; empty where it was."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided, out of what, and why."""

    action: Action
    considered: tuple[Considered, ...] = ()
    """Best first. The chosen one need not be the best: others may have been looked at too briefly to be trusted."""
    explanation: str = ""
    seconds: float = field(default=0.0, compare=False)
    measure: Measure = "value"
    win: float | None = None
    """The chance to win the run as things stand, where the agent has one."""
    route: Route | None = None
    """Who decided, where an agent chooses among several."""


# --- Results ----------------------------------------------------------------------------------------------------------

Result = Literal["win", "loss", "open"]
"""How a game ended; ``open`` where it did not come to an end: it was left, stopped by a limit, or broke off."""
RESULTS: tuple[Result, ...] = get_args(Result)
LARGEST_VALUE = 3.4e38
"""In place of larger rewards and values: nearly the largest number of the type float32."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResult:
    """How a game ended, or how it stands where it was left."""

    result: Result
    ante: int
    """At the end; beating a boss begins the next."""
    round: int
    """At the end."""
    steps: int
    """Decisions."""


def result_of(state: PublicState) -> Result:
    """The result of a game that goes no further than this state."""
    return "win" if state.won else "loss" if state.over else "open"


class Outcome(NamedTuple):
    """The outcome of a decision."""

    reward: float
    """Chips scored. That a new round begins at 0 again costs nothing."""
    beaten: bool
    """The decision beat a blind."""
    done: bool
    """The decision ended the game."""


def outcome_of(before: PublicState, after: PublicState) -> Outcome:
    reward = max(0.0, finite(after.chips - before.chips, LARGEST_VALUE))  # infinity less infinity scores nothing
    beaten = before.phase == "selecting_hand" and after.phase == "round_eval"
    return Outcome(reward, beaten, after.over or after.won)


# --- Records ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Header(Declared):
    """Who played what."""

    seed: str = declared(nonempty=True)
    deck: str = declared(nonempty=True)
    stake: str = declared(nonempty=True)
    challenge: str | None = declared(None, nonempty=True)
    """Its key, where one is played; the deck is the challenge's own then."""
    start: Mapping[str, Any] | None = None
    """The whole state (state_v1) that the run goes on from; None where it begins as its seed does."""
    agent: str = declared(nonempty=True)
    options: Mapping[str, Any] = field(default_factory=dict)
    nonce: int = 0
    versions: Mapping[str, str] = declared(default_factory=versions, nonempty=True)
    schema: str = declared(SCHEMA, nonempty=True)


def header_at(run: Run, agent: str, options: Mapping[str, Any] | None = None, nonce: int = 0) -> Header:
    """The header of a record that begins where this run stands."""
    own_deck = None if run.challenge else run.deck
    fresh = Run(deck=own_deck, stake=run.stake, seed=run.seed, challenge=run.challenge) == run
    return Header(
        seed=run.seed,
        deck=run.deck,
        stake=run.stake,
        challenge=run.challenge,
        start=None if fresh else run.to_data(),
        agent=agent,
        options=options or {},
        nonce=nonce,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending(GameResult, Declared):
    """How a run ended, with hashes of its last state."""

    public_hash: str = declared(nonempty=True)
    """Hash of all that the player may know."""
    state_hash: str | None = declared(None, nonempty=True)
    """Hash of everything, where the world that was played in can tell."""


def ending_of(state: PublicState, steps: int, everything: Mapping[str, Any] | None) -> Ending:
    """How a run stands, to be kept with its record. ``everything`` is its whole state, where somebody knows it."""
    return Ending(
        result=result_of(state),
        ante=state.ante,
        round=state.round,
        steps=steps,
        public_hash=public_hash(state),
        state_hash=None if everything is None else hash_of(everything),
    )


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What the player saw after a decision (public_v1)."""

    step: int
    """Decisions taken so far; 0 is the start."""
    state: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Record:
    header: Header
    decisions: tuple[Decision, ...] = ()
    snapshots: tuple[Snapshot, ...] = ()
    end: Ending | None = None
    """None where the file was cut."""


class BadRecord(ValueError):
    """A file that is not a record, or a record that cannot be played."""
