"""The tables in which telemetry is kept, wherever it is kept: each row a dataclass, each column with its kind.

A row has a time of its own in nanoseconds: no two of a session are equal, because some databases take rows with the
same tags and the same time for one. Columns without a value are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Annotated, Any, ClassVar, Literal, get_args, get_type_hints

ColumnKind = Literal["tag", "text", "whole", "number", "flag"]
Tag = Annotated[str, "tag"]
"""Few different words, by which a database sorts."""
Text = Annotated[str | None, "text"]
Whole = Annotated[int | None, "whole"]
Number = Annotated[float | None, "number"]
Flag = Annotated[bool | None, "flag"]


@dataclass(slots=True, kw_only=True, eq=False)
class TableRow:
    """A row of one of the tables."""

    TABLE: ClassVar[str]
    timestamp: int
    session_id: Tag
    program: Tag
    game_id: Text = None


@dataclass(slots=True, kw_only=True, eq=False)
class GameMetrics(TableRow):
    """A blind, from its selection to its end. ``outcome`` is beaten; or, for the last of a game, won, lost, left or
    error."""

    TABLE: ClassVar[str] = "game_metrics"
    agent: Tag = ""
    stake: Tag = ""
    deck: Tag = ""
    blind_type: Tag = ""
    outcome: Tag = ""
    blind: Text = None
    round: Whole = None
    ante: Whole = None
    chips_scored: Number = None
    chips_required: Number = None
    money: Number = None
    hands_played: Whole = None
    discards_used: Whole = None
    joker_count: Whole = None
    score_ratio: Number = None
    event_count: Whole = None


@dataclass(slots=True, kw_only=True, eq=False)
class JokerSynergies(TableRow):
    """What the jokers that acted in a blind brought together.

    ``synergy_score`` is the share of what they brought that each alone would not have brought, ``effectiveness`` the
    share of the score that there would not have been without them.
    """

    TABLE: ClassVar[str] = "joker_synergies"
    agent: Tag = ""
    joker_combination: Text = None
    ante: Whole = None
    synergy_score: Number = None
    chips_generated: Number = None
    mult_generated: Number = None
    effectiveness: Number = None


@dataclass(slots=True, kw_only=True, eq=False)
class DecisionPoints(TableRow):
    """A decision. ``confidence`` is the chance to win the run, as the agent saw it; ``outcome_delta`` how much that
    had changed at its next decision."""

    TABLE: ClassVar[str] = "decision_points"
    agent: Tag = ""
    decision_type: Tag = ""
    phase: Tag = ""
    context: Text = None
    action_taken: Text = None
    confidence: Number = None
    used_llm: Flag = None
    outcome_delta: Number = None
    milliseconds: Number = None


@dataclass(slots=True, kw_only=True, eq=False)
class EconomicFlow(TableRow):
    """Money that came or went. ``roi`` is what the sale of an item brought beyond its price, as a share of the price,
    where its purchase was seen."""

    TABLE: ClassVar[str] = "economic_flow"
    agent: Tag = ""
    transaction_type: Tag = ""
    amount: Number = None
    balance_before: Number = None
    balance_after: Number = None
    item_purchased: Text = None
    roi: Number = None


@dataclass(slots=True, kw_only=True, eq=False)
class NamedMetrics(TableRow):
    """Any number that has a name: a training's losses, memory, a heartbeat, errors with their words as ``note``."""

    TABLE: ClassVar[str] = "metrics"
    name: Tag = ""
    value: Number = None
    note: Text = None


TABLES: Mapping[str, type[TableRow]] = {kind.TABLE: kind for kind in TableRow.__subclasses__()}


def _columns(kind: type[TableRow]) -> Mapping[str, ColumnKind]:
    hints = get_type_hints(kind, include_extras=True)
    names = [entry.name for entry in fields(kind) if entry.name != "timestamp"]
    return {name: get_args(hints[name])[1] for name in names}


COLUMNS: Mapping[str, Mapping[str, ColumnKind]] = {name: _columns(kind) for name, kind in TABLES.items()}
"""The columns of each table behind its time, each with its kind."""
_VALUES = {name: attrgetter(*columns) for name, columns in COLUMNS.items()}


def values_of(row: TableRow) -> tuple[Any, ...]:
    """Return the values of all columns of a row, in their order."""
    return _VALUES[row.TABLE](row)
