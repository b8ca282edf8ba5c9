"""Why a run was lost, as a model sees it: its last decisions, and what to learn from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from jimbo.backends.sim import SimBackend
from jimbo.data.record import Record
from jimbo.llm.access import Access
from jimbo.llm.bodies import clean
from jimbo.llm.protocol import ModelQuestion, answering
from jimbo.rollout.loop import Moment, Rollout
from jimbo.text import action_words, tell
from jimbo.text.situation import rules_of_game, situation

LAST = 10
"""Decisions that are looked at."""
_ITEMS = 10
_SYSTEM = (
    "A run of Balatro was lost. You are shown how it stood, its last decisions with what came of them, and its end. "
    "Say what decided it, and what whoever played should do otherwise. Judge by what was known at the time, and name "
    "decisions that are shown; luck is a possible reason, too."
)


@dataclass(frozen=True, slots=True)
class FailureAnalysis:
    """What a model says of a lost run."""

    failure_reason: str
    critical_mistakes: tuple[str, ...]
    patterns_to_avoid: tuple[str, ...]
    strategic_insights: tuple[str, ...]
    improvement_priority: str
    dollars: float
    """What asking cost."""


def analyze_failure(access: Access, history: Sequence[Moment], *, max_tokens: int = 1000) -> FailureAnalysis:
    """Ask a model why a run was lost, by its last ten decisions; NoAnswer or Withheld where it does not say.

    ValueError for a history without a decision, or of a run that is not lost.
    """
    if not history:
        raise ValueError("There is no decision to look at.")
    end = history[-1].after
    if not end.over:
        raise ValueError("The run is not lost: its last state is no end.")
    answer, dollars = access.ask(failure_question(history, max_tokens))
    given = answer.arguments
    return FailureAnalysis(
        failure_reason=clean(given["failure_reason"]),
        critical_mistakes=_listed(given["critical_mistakes"]),
        patterns_to_avoid=_listed(given["patterns_to_avoid"]),
        strategic_insights=_listed(given["strategic_insights"]),
        improvement_priority=clean(given["improvement_priority"]),
        dollars=dollars,
    )


def history_of(record: Record) -> list[Moment]:
    """The decisions of a recorded run, played again; BadRecord for one that cannot be."""
    rollout = Rollout(SimBackend())
    rollout.start_as(record.header)
    return list(rollout.replay(record.decisions))


def failure_question(history: Sequence[Moment], max_tokens: int) -> ModelQuestion:
    last = list(history[-LAST:])
    lines = [*rules_of_game(last[0].before), *situation(last[0].before), "", "What was done, and what came of it:"]
    for moment in last:
        lines.append(f"- {action_words(moment.decision.action, moment.before)}")
        lines += [f"  {told}" for told in tell(moment.events, moment.before, moment.after)]
    lines += ["", "How it ended:", *situation(last[-1].after)]
    text = {"type": "string"}
    many = {"type": "array", "items": text}
    report: dict[str, dict[str, Any]] = {
        "failure_reason": text | {"description": "In one sentence."},
        "critical_mistakes": many | {"description": "Decisions that are shown, and what would have been better."},
        "patterns_to_avoid": many,
        "strategic_insights": many,
        "improvement_priority": text | {"description": "The one thing to change first."},
    }
    return ModelQuestion(
        system=_SYSTEM,
        prompt="\n".join(lines),
        tools=[answering("report", "Report why the run was lost.", report)],
        max_tokens=max_tokens,
    )


def _listed(items: Sequence[str]) -> tuple[str, ...]:
    return tuple(clean(item) for item in items[:_ITEMS])
