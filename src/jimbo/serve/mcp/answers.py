"""Answers of tools: data with a fixed schema, and the same in words for a model to read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from mcp_types import CallToolResult, TextContent


def in_one_line(actions: Sequence[str]) -> str:
    """Join actions; those that differ only in what they are about stand together: ``sell c1 ($1) or j1 ($3)``."""
    groups: dict[str, list[str]] = {}
    for action in actions:
        word, _, rest = action.partition(" ")
        alike = re.fullmatch(r"[a-z]\d+( \(\$\d+\))?", rest)
        groups.setdefault(word if alike else action, []).append(rest if alike else "")
    return " | ".join(f"{word} {' or '.join(rests)}".strip() for word, rests in groups.items())


@dataclass(frozen=True, kw_only=True)
class ToolAnswer:
    """One answer; its fields are the structured content."""

    def lines(self) -> list[str]:
        """Return it in words."""
        raise NotImplementedError

    def result(self, meta: dict[str, Any] | None = None) -> CallToolResult:
        """Return it as the protocol sends it. ``meta`` is for the client's program, which does not pass it on."""
        text = TextContent(type="text", text="\n".join(self.lines()))
        return CallToolResult(content=[text], structured_content=asdict(self), _meta=meta)


@dataclass(frozen=True, kw_only=True)
class Look(ToolAnswer):
    """What a player sees of a run."""

    run: str
    token: str
    where: str
    phase: str
    ante: int
    money: int
    score: float
    target: float
    hands: int
    discards: int
    won: bool
    over: bool
    view: list[str]
    actions: list[str]
    seed: str = ""

    def lines(self) -> list[str]:
        seed = f", seed {self.seed}" if self.seed else ""
        head = f"run {self.run}, token {self.token}, {self.where}{seed}"
        return [head, *self.view, f"actions: {in_one_line(self.actions) or 'none, the run is over'}"]


@dataclass(frozen=True, kw_only=True)
class Done(Look):
    """What a step has brought, and what a player sees now."""

    did: str
    events: list[str]

    def lines(self) -> list[str]:
        return [f"did: {self.did}", *(f"- {event}" for event in self.events), *super().lines()]


@dataclass(frozen=True, kw_only=True)
class AdvisedOption:
    """Something to do now."""

    action: str
    words: str
    then: str
    clear: float | None
    """The chance to clear the blind in play."""
    win_change: float | None
    """Percentage points that it adds to the chance to win."""
    expected: str
    reason: str

    def line(self, rank: int) -> str:
        told = "; ".join(filter(None, (f"{self.action} = {self.words}", self.then, self.expected)))
        return f"{rank}. {told}. {self.reason}"


@dataclass(frozen=True, kw_only=True)
class AdvisedAnswer(ToolAnswer):
    """What an agent would do, and what else it considered, best first."""

    run: str
    token: str
    where: str
    agent: str
    win: float | None
    """The chance to win the run as things stand."""
    options: list[AdvisedOption]
    note: str = ""

    def lines(self) -> list[str]:
        win = f", chance to win {100 * self.win:.1f} %" if self.win is not None else ""
        head = f"run {self.run}, token {self.token}, {self.where}: {self.agent} advises{win}"
        return [head, *(one.line(rank) for rank, one in enumerate(self.options, 1)), *filter(None, [self.note])]


@dataclass(frozen=True, kw_only=True)
class ScoredAnswer(ToolAnswer):
    """What a play would score."""

    run: str
    token: str
    cards: str
    hand: str
    expected: float
    """The mean, where chance has a say."""
    least: float
    most: float
    needed: float
    chance: float
    """To beat the blind with this play alone."""
    beats: str
    steps: list[str]
    notes: list[str]

    def lines(self) -> list[str]:
        return [f"{self.cards}: {self.hand}. {self.beats}", *(f"- {step}" for step in self.steps), *self.notes]


@dataclass(frozen=True, kw_only=True)
class Tried(ToolAnswer):
    """What would come of a line of actions."""

    run: str
    token: str
    tried: list[str]
    worlds: int
    certain: bool
    win: float | None
    win_now: float | None
    clear: float | None
    clear_now: float | None
    view: list[str]
    notes: list[str]

    def lines(self) -> list[str]:
        return [f"tried: {'; '.join(self.tried)} (nothing was done)", *self.notes, *self.view]


@dataclass(frozen=True, kw_only=True)
class Costly:
    """A decision that gave something up."""

    step: int
    where: str
    done: str
    better: str
    reason: str
    given_up: float
    """Of the chance to win."""
    error: float
    grade: str

    def line(self, rank: int) -> str:
        grade = f"{self.grade}, " if self.grade else ""
        lost = f"{grade}gave up {100 * self.given_up:.1f} +/- {100 * self.error:.1f} points"
        return (
            f"{rank}. step {self.step}, {self.where}, {lost}: {self.done}. Better: {self.better}. {self.reason}".strip()
        )


@dataclass(frozen=True, kw_only=True)
class ReviewedRun(ToolAnswer):
    """What choices and cards made of a run; all chances are those to win it."""

    run: str
    ending: str
    decisions: int
    reviewed: int
    """How many of the decisions, from the first."""
    start: float
    end: float
    """``start + gave - took - given_up``."""
    accuracy: float
    """The share of all chance that the choices kept."""
    given_up: float
    """By the choices."""
    gave: float
    """By the cards."""
    took: float
    summary: list[str]
    worst: list[Costly]
    notes: list[str]

    def lines(self) -> list[str]:
        return [
            f"review of {self.run}",
            *self.summary,
            *(one.line(at) for at, one in enumerate(self.worst, 1)),
            *self.notes,
        ]


@dataclass(frozen=True, kw_only=True)
class ItemAnswer:
    """An item of the game."""

    name: str
    key: str
    kind: str
    text: str
    facts: dict[str, str | float | None]

    def line(self) -> str:
        if self.kind == "guide":
            return self.text
        facts = "; ".join(
            f"{name.replace('_', ' ')} {value}" for name, value in self.facts.items() if value is not None
        )
        return f"{self.name} ({self.kind}, {self.key}): {self.text}" + (f" [{facts}]" if facts else "")


@dataclass(frozen=True, kw_only=True)
class ExplainedItem(ToolAnswer):
    """Everything of that name."""

    items: list[ItemAnswer]

    def lines(self) -> list[str]:
        return [item.line() for item in self.items]


@dataclass(frozen=True, kw_only=True)
class SeedAnte:
    """What an ante of a seed holds."""

    ante: int
    boss: str
    voucher: str
    tags: list[str]
    shop: list[str]
    packs: list[str]

    def lines(self) -> list[str]:
        shop = ", ".join(f"{place} {name}" for place, name in enumerate(self.shop, 1))
        return [
            f"ante {self.ante}: boss {self.boss}; voucher {self.voucher}; tags {', '.join(self.tags)}",
            *([f"  shop queue: {shop}"] if shop else []),
            *(f"  pack {place}: {pack}" for place, pack in enumerate(self.packs, 1)),
        ]


@dataclass(frozen=True, kw_only=True)
class SeedShown(ToolAnswer):
    """What a seed holds."""

    seed: str
    deck: str
    stake: str
    antes: list[SeedAnte]
    assumed: str

    def lines(self) -> list[str]:
        head = f"seed {self.seed}, {self.deck}, {self.stake}"
        return [head, *(line for ante in self.antes for line in ante.lines()), self.assumed]


@dataclass(frozen=True, kw_only=True)
class SeedsFound(ToolAnswer):
    """Seeds that hold what was asked for."""

    found: list[str]
    places: list[str]
    searched: int
    next_seed: str | None
    note: str
    assumed: str

    def lines(self) -> list[str]:
        return [*(self.places or ["none found"]), self.note, self.assumed]
