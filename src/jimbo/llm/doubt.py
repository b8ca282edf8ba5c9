"""Doubt: how sure an agent is of a decision, and which of its doubts are worth a question."""

from __future__ import annotations

import math
from collections import deque

from jimbo.agents.risk import expected_loss
from jimbo.data.record import Decision
from jimbo.serve.assistant.advice import chosen_of

_SCALE = 0.001
"""Loss of a chance to win at which a confidence is one half."""
_ERROR = 0.2
"""How far a chance to win may err about a build, as log odds: an assumption by which decisions about builds are the
most doubtful ones. How far a chance to clear a blind errs is known, and little."""
_RECENT = 400
"""Decisions among whose doubts a doubt must be one of the greatest."""


def confidence_of(decision: Decision, win: float) -> float:
    """How sure an agent is of a decision, from 0 to 1: by what it would lose if its second best were the better.

    ``win``: the last chance to win the run that it has told.
    """
    if decision.route is not None:
        return 1.0 - decision.route.risk_score
    chosen = chosen_of(decision)
    others = [one for one in decision.considered if one is not chosen]
    if chosen is None or not others:
        return 1.0
    other = max(others, key=lambda one: one.value)
    if not math.isfinite(chosen.value - other.value):
        return 0.0
    gap = max(0.0, chosen.value - other.value)  # what looks better may have been looked at too briefly
    match decision.measure:
        case "choice":
            return min(max(chosen.value, 0.0), 1.0)
        case "win":
            loss = expected_loss(gap / 100, _ERROR * win * (1 - win))
        case "clear" if chosen.error is not None and other.error is not None and chosen.clear is not None:
            # A blind that is nearly won or lost anyway is no matter of this decision.
            at_stake = 2 * math.sqrt(chosen.clear * (1 - chosen.clear))
            loss = win * expected_loss(gap, at_stake * math.hypot(chosen.error, other.error))
        case _:
            return 1.0
    return _SCALE / (_SCALE + loss)


class Need:
    """Whether a doubt is worth a question: below the bar of its ante, and among the greatest of late.

    ``share``: of the decisions so far, no more are worth one.
    """

    def __init__(self, confidence: float | None, share: float) -> None:
        self._bars = (0.3, 0.5, 0.7) if confidence is None else (confidence,) * 3
        self._share = share
        self._recent: deque[float] = deque(maxlen=_RECENT)
        self.decisions = self.asked = 0

    def __call__(self, confidence: float, ante: int) -> bool:
        self.decisions += 1
        self._recent.append(confidence)
        if confidence >= self._bars[min(2, max(0, ante - 1) // 3)] or self.asked + 1 > self._share * self.decisions:
            return False
        wanted = sum(one < confidence for one in self._recent) < max(1.0, self._share * len(self._recent))
        self.asked += wanted
        return wanted
