"""The record of a run: a header, the decisions with what was considered, snapshots where asked for, and the end.

The header and the actions are enough to play the run again; the end has a hash of the last state to check it by. Other
forms are projections of it: ``trace`` makes trace_v1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from jimbo.data.decision import Decision
from jimbo.data.results import GameResult
from jimbo.data.versions import versions
from jimbo.declared import Declared, declared

SCHEMA = "jimbo_record_v2"


@dataclass(frozen=True, slots=True, kw_only=True)
class Header(Declared):
    """Who played what."""

    seed: str = declared(nonempty=True)
    deck: str = declared(nonempty=True)
    stake: str = declared(nonempty=True)
    challenge: str | None = declared(None, nonempty=True)
    """Its key, where one is played; the deck is the challenge's own then."""
    agent: str = declared(nonempty=True)
    options: Mapping[str, Any] = field(default_factory=dict)
    nonce: int = 0
    versions: Mapping[str, str] = declared(default_factory=versions, nonempty=True)
    schema: str = declared(SCHEMA, nonempty=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending(GameResult, Declared):
    """How a run ended, with hashes of its last state."""

    public_hash: str = declared(nonempty=True)
    """Of all that the player may know."""
    state_hash: str | None = declared(None, nonempty=True)
    """Of everything, where the world that was played in can tell."""


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
