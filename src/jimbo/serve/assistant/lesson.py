"""Teach mode: the player chooses first, and is then told what the agent would have done and what the choice gave up."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from jimbo.data.record import public_hash
from jimbo.engine import Action, ActionKind, PublicState
from jimbo.files import finite
from jimbo.serve.assistant.advice import Advice, Suggestion, chosen_of
from jimbo.serve.assistant.what_if import chance_to_win, error_of, worth
from jimbo.text import action_words, counted, place_name
from jimbo.text.reasons import MEANT, capital, points_of

_NO_CHOICE = (
    ActionKind.cash_out,
    ActionKind.move_card,
    ActionKind.move_joker,
    ActionKind.move_consumable,
    ActionKind.sort_hand_by_rank,
    ActionKind.sort_hand_by_suit,
)
"""What is not compared: an order can be changed again, and the cash-out is all that there is."""
_DEAREST = 3
"""Choices that a summary names."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A choice of the player's beside the agent's."""

    agent: str
    place: str
    words: str
    best: Suggestion
    """What the agent would have done."""
    mine: Suggestion | None
    """The player's choice, where the agent has considered it."""
    points: float = 0.0
    """Of the chance to win that the choice gives up."""
    error: float = 0.0
    """Their standard error, where it is known."""
    clear: float | None = None
    """Points of the chance to clear the blind that it gives up."""

    @property
    def same(self) -> bool:
        return self.mine is self.best

    @property
    def equal(self) -> bool:
        """Nothing is given up that could be told from chance."""
        return abs(self.points) <= max(self.error, MEANT)

    @property
    def given_up(self) -> float:
        return 0.0 if self.equal else max(0.0, self.points)

    @property
    def verdict(self) -> str:
        if self.same:
            return "The agent would have done the same."
        within = f", equal within {points_of(self.error)}" if self.error >= MEANT else ""
        would = f"The agent would have chosen: {self.best.words}."
        if self.equal:
            return f"{would} Your choice is as good{within}."
        if self.points < 0:
            return f"{would} Your choice shows {points_of(self.points)} more."
        cleared = self.clear is not None and self.clear >= MEANT
        clear = f", {points_of(self.clear or 0.0)} of the chance to clear the blind" if cleared else ""
        return f"{would} Your choice gives up {points_of(self.points)} of the chance to win{clear}."

    @property
    def reasons(self) -> tuple[tuple[str, str], ...]:
        """Why the agent would have done it, and what it says of the player's choice."""
        mine = (("Your choice", self.mine.reason),) if self.mine and not self.same else ()
        return (("Why" if self.same else capital(self.best.words), self.best.reason), *mine)

    def to_data(self) -> dict[str, Any]:
        return {
            "words": self.words,
            "best": self.best.words,
            "same": self.same,
            "equal": self.equal,
            "points": finite(self.points),
            "error": finite(self.error),
            "clear_points": self.clear,
            "verdict": self.verdict,
            "reason": self.best.reason,
            "your_reason": self.mine.reason if self.mine else None,
        }


class LessonLog:
    """All choices of a session; each counts as it was made first, also where it was undone."""

    def __init__(self) -> None:
        self.compared: list[Comparison] = []
        self._known: set[str] = set()

    def compare(self, advice: Advice, action: Action) -> Comparison | None:
        """Compare a choice with what the agent says; None where there is nothing to choose."""
        if action.kind in _NO_CHOICE or advice.decision is None or len(advice.state.legal_actions()) == 1:
            return None
        made = _comparison(advice, action)
        key = public_hash(advice.state)
        if key not in self._known:
            self._known.add(key)
            self.compared.append(made)
        return made

    @property
    def summary(self) -> str:
        if not self.compared:
            return "No choice was compared."
        same = sum(one.same for one in self.compared)
        equal = sum(one.equal and not one.same for one in self.compared)
        better = sum(one.points < 0 and not one.equal for one in self.compared)
        count = len(self.compared)
        shares = [f"{same} as the agent's", f"{equal} as good", f"{count - same - equal - better} worse"]
        shares += [f"{better} that show more"] * (better > 0)
        head = f"{counted(count, 'choice')}: {', '.join(shares)} ({100 * (same + equal) / count:.0f} % equal)."
        total = sum(one.given_up for one in self.compared)
        lines = [head, f"Given up in all: {points_of(total)} of the chance to win."]
        return "\n".join([*lines, *map(_costly, self._dearest())])

    def _dearest(self) -> Sequence[Comparison]:
        worse = sorted((one for one in self.compared if one.given_up), key=lambda one: -one.given_up)
        return worse[:_DEAREST]

    def to_data(self) -> dict[str, Any]:
        """The summary for programs (lesson_v1)."""
        return {
            "schema": "lesson_v1",
            "choices": len(self.compared),
            "same": sum(one.same for one in self.compared),
            "equal": sum(one.equal for one in self.compared),
            "points": sum(one.given_up for one in self.compared),
            "dearest": [{"place": one.place, **one.to_data()} for one in self._dearest()],
        }


def _costly(one: Comparison) -> str:
    return f"  {points_of(one.given_up)} in {one.place}: {one.words}; better: {one.best.words}"


def _comparison(advice: Advice, action: Action) -> Comparison:
    state, decision = advice.state, advice.decision
    assert decision
    best = next(one for one in advice.suggestions if one.chosen)
    chosen = chosen_of(decision)
    aims = {decision.action, chosen.action if chosen else decision.action}
    place = f"ante {state.ante}, {place_name(state)}"
    words = action_words(action, state)
    if _same(action, aims):
        return Comparison(advice.agent, place, words, best, best)
    mine = next((one for one in advice.suggestions if _same(one.action, {action})), None)
    if mine and mine.value is not None and best.value is not None:
        if decision.measure == "win":
            return Comparison(advice.agent, place, words, best, mine, best.value - mine.value)
        if decision.measure == "clear" and best.value > 0 and mine.clear is not None and best.clear is not None:
            now = 100 * chance_to_win(state.imagine(0))
            error = now * math.hypot(mine.clear_error or 0.0, best.clear_error or 0.0)
            points = now * (1 - mine.value / best.value)
            return Comparison(advice.agent, place, words, best, mine, points, error, 100 * (best.clear - mine.clear))
    points, error = _worked_out(state, chosen.action if chosen else decision.action, action)
    return Comparison(advice.agent, place, words, best, mine, points, error)


def _same(action: Action, others: set[Action]) -> bool:
    return any(
        one.kind == action.kind and one.index == action.index and set(one.cards) == set(action.cards) for one in others
    )


def _worked_out(state: PublicState, best: Action, mine: Action) -> tuple[float, float]:
    """Points that an action is behind another in the same worlds, and their standard error."""
    lost = [100 * (b - m) for b, m in zip(worth(state, best), worth(state, mine), strict=True)]
    return fmean(lost), error_of(lost)
