"""What is kept of a run: one row, one line of JSON."""

from __future__ import annotations

import json
from collections.abc import Container, Iterator
from dataclasses import asdict, dataclass, replace

from jimbo.data.record import Result
from jimbo.declared import declared, from_dict
from jimbo.engine import BLINDS_PER_ANTE, LAST_ANTE
from jimbo.engine.catalog import BLINDS, CHALLENGES, DECKS, JOKERS, STAKES
from jimbo.files import loads

ALL_BLINDS = LAST_ANTE * BLINDS_PER_ANTE


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseWins:
    """The chances to win the run that an agent reported last in each phase since the blind before had ended."""

    shop: float | None = declared(None, min=0, max=1)
    pack_opening: float | None = declared(None, min=0, max=1)
    blind_select: float | None = declared(None, min=0, max=1)
    selecting_hand: float | None = declared(None, min=0, max=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class BlindEntry:
    """How a run stood when it entered a blind, and what it traded since the blind before had ended."""

    clear: float | None = declared(min=0, max=1)
    """The chance to clear it, if the agent reported one before its first hand and discard there."""
    win: float | None = declared(min=0, max=1)
    """The chance to win the run, if the agent reported one since the blind before; the last one."""
    power: float | None = declared(min=0)
    """What a quick player would score with all hands, over the target."""
    jokers: int = declared(min=0)
    multipliers: int = declared(min=0)
    """Those of the jokers that multiply Mult."""
    interest: int = declared()
    """Dollars paid at the cash-out before."""
    bought: int = declared(min=0)
    """Jokers bought in the shop or taken from packs."""
    sold: int = declared(min=0)
    """Jokers sold, also during the blind."""
    sold_soon: int = declared(min=0)
    """Those of them that were bought at most two rounds before."""
    last_clear: float | None = declared(None, min=0, max=1)
    """The chance to clear it that the agent reported last, after its first hand or discard there."""
    wins: PhaseWins = PhaseWins()


@dataclass(frozen=True, slots=True, kw_only=True)
class BlindScore:
    """How one blind went."""

    ante: int
    round: int
    blind: str
    score: float
    target: float
    entry: BlindEntry | None = None
    """None in evaluations that were kept before there were entries."""

    @property
    def number(self) -> int:
        """Its place among the blinds of a run, the first small blind being 1."""
        slot = {"bl_small": 1, "bl_big": 2}.get(self.blind, BLINDS_PER_ANTE)
        return (self.ante - 1) * BLINDS_PER_ANTE + slot


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """A decision that another agent would have taken differently."""

    step: int
    """From 1."""
    ante: int
    phase: str
    action: str
    other: str
    """The action that the other would have taken; in words, as the first one."""
    value: float | None = None
    """What the agent expects of its action: a chance to win or clear, or what it measures by; None if it does not say.
    Each speaks for itself, and two agents need not measure by the same."""
    other_value: float | None = None
    """What the other expects of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shadow:
    """What an agent would have done that was asked at every decision of another one."""

    agent: str
    decisions: int
    p95_ms: float
    """Of 100 of its decisions 95 took no more processor time."""
    acting_p95_ms: float
    """The same of the agent that played, whose row counts the time of both."""
    disagreements: tuple[Disagreement, ...]
    fault: str = ""
    """Why it was asked no more: it failed, or chose what is not allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelUse:
    """What a language model was asked in a run, and what that took."""

    model: str
    decisions: int
    calls: int
    """Requests to the model, with those that had been answered in an earlier try of the run."""
    repeated: int
    """Those of them, which were not sent again."""
    failed: int
    """Calls without an answer that could be read: too late, refused, nonsense."""
    illegal: int
    """Answers that were not possible in the game."""
    fallbacks: int
    """Doubtful decisions, or all, that another agent took because the model did not."""
    input_tokens: int
    output_tokens: int
    dollars: float
    seconds: float
    """Spent waiting for answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """One run of an agent."""

    episode_id: int
    """Place of the seed in its set, from 0."""
    agent: str
    deck: str
    stake: str
    seed: str
    nonce: int
    """The seed of the agent's own random choices."""
    result: Result
    """``open`` if the run did not come to an end; whatever is not a win counts as lost."""
    final_ante: int
    """As the game counts: beating a boss begins the next ante."""
    ante_reached: int
    """At most 8; 8 for a won run."""
    round: int
    blinds_cleared: int
    final_money: int
    final_chips: float
    """Scored in the last blind."""
    failure_reason: str
    """Empty for a win; ``blind_score_shortfall``, ``agent_error``, ``illegal_action``, ``step_limit``, ``time_limit``,
    ``engine_capacity`` or ``worker_died``."""
    failure_phase: str
    death_blind: str
    """Key of the blind that was lost to; empty where the run did not end in a blind."""
    boss_blind_id: str
    """The boss of the last ante that was played."""
    steps: int
    """Decisions."""
    hand_steps: int
    """Those during a blind."""
    actions: int
    """Decisions that were not about the order of cards."""
    seconds: float
    decision_ms: float
    """Mean processor time of a decision."""
    hand_ms: float
    """Mean processor time of a decision during a blind."""
    macro_ms: float
    """Mean processor time of a decision elsewhere."""
    best_hand: float
    best_hand_name: str
    money_by_round: tuple[int, ...]
    """At the start of each blind that was played."""
    score_by_round: tuple[BlindScore, ...]
    jokers: tuple[str, ...]
    """At the end."""
    challenge: str | None = None
    """Its key, where one was played; the deck is the challenge's own then."""
    error: str | None = None
    """What went wrong, where the agent failed."""
    decision_p95_ms: float = 0.0
    """Of 100 decisions 95 took no more processor time; 0 in evaluations that were kept before it was noted."""
    not_numbers: int = 0
    """Decisions in which the agent valued an action by what is not a number."""
    shadow: Shadow | None = None
    """What another agent would have done, where one was asked at every decision."""
    model_use: ModelUse | None = None
    """What a language model was asked, in a benchmark of one."""

    def __repr__(self) -> str:
        return f"<Episode {self.episode_id} of {self.agent} on {self.seed}: {self.result} in ante {self.ante_reached}>"

    @property
    def won(self) -> bool:
        return self.result == "win"

    @property
    def blinds_passed(self) -> int:
        """How many of the 24 blinds lie behind the run, beaten or skipped."""
        if self.won:
            return ALL_BLINDS
        if not self.score_by_round:
            return 0
        last = self.score_by_round[-1]
        here = last.number if self.death_blind == "" else last.number - 1
        return max(0, min(here, ALL_BLINDS - 1))

    def without_times(self) -> Episode:
        """What is the same whenever the run is played again."""
        return replace(self, seconds=0.0, decision_ms=0.0, hand_ms=0.0, macro_ms=0.0, decision_p95_ms=0.0)

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)

    @staticmethod
    def from_json(text: str) -> Episode:
        """ValueError in a few words for a line that is not a row."""
        data = loads(text)
        if isinstance(data, dict) and data.get("result") == "stuck":  # as earlier versions called it
            data["result"] = "open"
        row = from_dict(Episode, data)
        if wrong := next(_unknown(row), None):
            raise ValueError(wrong)
        return row


def _unknown(row: Episode) -> Iterator[str]:
    """What no run can have: keys that the game does not know, and the like."""
    yield from _not_one_of(DECKS, "deck", row.deck)
    yield from _not_one_of(STAKES, "stake", row.stake)
    if row.challenge is not None:
        yield from _not_one_of(CHALLENGES, "challenge", row.challenge)
    yield from _not_one_of(("", *BLINDS), "death_blind", row.death_blind)
    yield from _not_one_of(("", *BLINDS), "boss_blind_id", row.boss_blind_id)
    yield from _not_one_of(JOKERS, "jokers", *row.jokers)
    yield from _not_one_of(BLINDS, "score_by_round", *(blind.blind for blind in row.score_by_round))
    if any(blind.target <= 0 for blind in row.score_by_round):
        yield "score_by_round must have targets above 0"
    if len(row.money_by_round) < len(row.score_by_round):
        yield "money_by_round must be as long as score_by_round"


def _not_one_of(allowed: Container[str], name: str, *values: str) -> Iterator[str]:
    return (f'{name} cannot be "{value}"' for value in values if value not in allowed)
