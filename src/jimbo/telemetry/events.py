"""What can be told of a game, a training, a decision or a program: one dataclass for each type of event.

Fields without a default must be in every message of the type; messages may have more than these. Items have the keys
of the game, such as ``j_greedy_joker``; cards are written ``AH`` and ``10S``, those that lie face down ``face_down``,
stone cards ``stone``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, ClassVar

Text = str | None
Number = float | None


@dataclass(slots=True, kw_only=True, eq=False)
class EventData:
    """The data of an event."""

    TYPE: ClassVar[str]

    def to_data(self) -> dict[str, Any]:
        """Return what there is to say; fields without a value stay away."""
        return {name: value for name in _names(self.TYPE) if (value := getattr(self, name)) is not None}


# --- Games ------------------------------------------------------------------------------------------------------------


@dataclass(slots=True, kw_only=True, eq=False)
class GameStart(EventData):
    """A run begins."""

    TYPE: ClassVar[str] = "game_start"
    seed: str
    stake: Any
    deck: str
    challenge: Text = None
    agent: Text = None


@dataclass(slots=True, kw_only=True, eq=False)
class HandPlayed(EventData):
    """A hand was played and scored. ``chips`` and ``mult`` are what it has without jokers."""

    TYPE: ClassVar[str] = "hand_played"
    hand_type: str
    cards: Sequence[str]
    score: float
    total: Number = None
    required_score: Number = None
    chips: Number = None
    mult: Number = None


@dataclass(slots=True, kw_only=True, eq=False)
class CardDiscarded(EventData):
    """Cards were discarded."""

    TYPE: ClassVar[str] = "card_discarded"
    cards: Sequence[str] = ()


@dataclass(slots=True, kw_only=True, eq=False)
class JokerTriggered(EventData):
    """A joker did something. ``trigger_type`` is the kind of the engine's event: chips, mult, x_mult, dollars, ..."""

    TYPE: ClassVar[str] = "joker_triggered"
    joker_id: Any
    trigger_type: str
    effect: Any
    amount: Number = None


@dataclass(slots=True, kw_only=True, eq=False)
class CardEnhanced(EventData):
    """A playing card was changed."""

    TYPE: ClassVar[str] = "card_enhanced"
    card: Text = None
    change: Text = None


@dataclass(slots=True, kw_only=True, eq=False)
class RoundStarted(EventData):
    """A blind was selected."""

    TYPE: ClassVar[str] = "round_started"
    round: int | None = None
    ante: int | None = None
    blind_type: Text = None
    blind: Text = None
    required_score: Number = None


@dataclass(slots=True, kw_only=True, eq=False)
class BlindDefeated(EventData):
    """A blind was beaten. ``blind_type`` is small, big or boss."""

    TYPE: ClassVar[str] = "blind_defeated"
    blind_type: str
    score: float
    required_score: float
    blind: Text = None
    ante: int | None = None


@dataclass(slots=True, kw_only=True, eq=False)
class RoundEnded(EventData):
    """A round is over, won or lost."""

    TYPE: ClassVar[str] = "round_ended"
    round: int | None = None
    ante: int | None = None
    won: bool | None = None
    hands_left: int | None = None
    discards_left: int | None = None
    money: Number = None
    jokers: int | None = None


@dataclass(slots=True, kw_only=True, eq=False)
class ShopEntered(EventData):
    """The shop is open."""

    TYPE: ClassVar[str] = "shop_entered"
    round: int
    money: float
    available_items: Sequence[Any]


@dataclass(slots=True, kw_only=True, eq=False)
class CardPurchased(EventData):
    """Something was bought. ``card_type`` is joker, consumable, card, voucher or pack."""

    TYPE: ClassVar[str] = "card_purchased"
    card_type: str
    card_id: Any
    cost: float
    money: Number = None


@dataclass(slots=True, kw_only=True, eq=False)
class CardSold(EventData):
    """A joker or a consumable was sold."""

    TYPE: ClassVar[str] = "card_sold"
    card_type: Text = None
    card_id: Any = None
    value: Number = None
    money: Number = None


@dataclass(slots=True, kw_only=True, eq=False)
class GameOver(EventData):
    """A run is won, lost or left. ``final_score`` is that of the last round."""

    TYPE: ClassVar[str] = "game_over"
    final_score: float
    round_reached: int
    reason: str
    ante: int | None = None
    won: bool | None = None
    steps: int | None = None


@dataclass(slots=True, kw_only=True, eq=False)
class StateSnapshot(EventData):
    """How a run stands: where it is taken up in the middle, or was changed by somebody else."""

    TYPE: ClassVar[str] = "state_snapshot"
    phase: Text = None
    ante: int | None = None
    round: int | None = None
    chips: Number = None
    required_score: Number = None
    money: Number = None
    hands_left: int | None = None
    discards_left: int | None = None
    hand: Sequence[str] | None = None
    jokers: Sequence[str] | None = None


@dataclass(slots=True, kw_only=True, eq=False)
class FailureEvent(EventData):
    """Something went wrong."""

    TYPE: ClassVar[str] = "error"
    message: Text = None


@dataclass(slots=True, kw_only=True, eq=False)
class Unknown(EventData):
    """For programs that do not know what they saw."""

    TYPE: ClassVar[str] = "unknown"


# --- Decisions, trainings, programs -----------------------------------------------------------------------------------


@dataclass(slots=True, kw_only=True, eq=False)
class DecisionMade(EventData):
    """A decision was taken, and how long it took whoever took it. ``win`` is the chance to win the run; ``used_llm``
    says that a language model chose."""

    TYPE: ClassVar[str] = "strategy.decision"
    step: int
    phase: str
    action: str
    words: Text = None
    ante: int | None = None
    considered: int | None = None
    value: Number = None
    win: Number = None
    milliseconds: Number = None
    used_llm: bool | None = None


@dataclass(slots=True, kw_only=True, eq=False)
class TrainingProgress(EventData):
    """How far a phase of a training is; at most once a second."""

    TYPE: ClassVar[str] = "training.progress"
    phase: str
    done: float
    total: float
    unit: Text = None
    note: Text = None


@dataclass(slots=True, kw_only=True, eq=False)
class TrainingRow(EventData):
    """A row of a training's history, with its numbers; ``best`` if it is the best so far."""

    TYPE: ClassVar[str] = "training.row"
    row: Mapping[str, Any]
    best: bool


@dataclass(slots=True, kw_only=True, eq=False)
class TrainingNote(EventData):
    """A sentence that a training tells its user."""

    TYPE: ClassVar[str] = "training.note"
    text: str


@dataclass(slots=True, kw_only=True, eq=False)
class ProgramStarted(EventData):
    """A program that tells of its work has begun."""

    TYPE: ClassVar[str] = "monitoring.started"
    program: str


@dataclass(slots=True, kw_only=True, eq=False)
class ProgramEnded(EventData):
    """A program has ended; ``dropped`` events of its main process did not fit into its queue."""

    TYPE: ClassVar[str] = "monitoring.ended"
    program: str
    dropped: int | None = None


@dataclass(slots=True, kw_only=True, eq=False)
class GamesSkipped(EventData):
    """Games of which nothing was told, because telling would have cost the program too much; and their decisions."""

    TYPE: ClassVar[str] = "monitoring.skipped"
    games: int
    decisions: int


@dataclass(slots=True, kw_only=True, eq=False)
class MetricSample(EventData):
    """A number that was measured: heartbeat, memory_usage, gpu_utilization, cache_hit_rate, or one of your own."""

    TYPE: ClassVar[str] = "monitoring.measured"
    name: str
    value: float
    unit: Text = None


@dataclass(slots=True, kw_only=True, eq=False)
class AlertRaised(EventData):
    """A rule about telemetry does not hold: ``value`` is beyond ``limit``."""

    TYPE: ClassVar[str] = "monitoring.alert"
    rule: str
    value: float
    limit: float
    message: str
    program: Text = None


EVENTS: Mapping[str, type[EventData]] = {kind.TYPE: kind for kind in EventData.__subclasses__()}
"""Every type that has fields of its own."""
TOPICS = ("game.state.", "training.", "strategy.", "monitoring.")
"""Other programs may have types of their own that begin so."""


@cache
def _names(kind: str) -> tuple[str, ...]:
    return tuple(entry.name for entry in fields(EVENTS[kind]))


def type_names() -> Iterator[str]:
    """Return the types that need no topic."""
    return (name for name in EVENTS if not name.startswith(TOPICS))
