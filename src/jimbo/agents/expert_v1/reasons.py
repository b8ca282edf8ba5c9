"""What expert-v1 says of a decision outside hands, in numbers that people know."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from jimbo.agents.expert_v1.options import Option
from jimbo.agents.protocol import Considered, Decision
from jimbo.agents.reasons import best_first
from jimbo.engine import Action
from jimbo.text import percent_text, points_text


class WinReasons:
    """What was considered, by what it adds to the chance to win, which the expert compares by its logarithm.

    One present chance for all: percentage points then have the order of the logarithms.
    """

    def __init__(self, log_now: float) -> None:
        self._now = math.exp(log_now)

    def considered(self, action: Action, gain: float, text: str = "", *, chosen: bool = False) -> Considered:
        return Considered(action, self._points(gain), text, chosen=chosen)

    def options(self, ranked: Sequence[tuple[float, Option]], *, chosen: bool) -> list[Considered]:
        """Those that were looked at equally long; ``chosen``: the first of them is."""
        return [
            self.considered(option.actions[0], gain, option.then, chosen=chosen and place == 0)
            for place, (gain, option) in enumerate(ranked)
        ]

    def text(self, gain: float) -> str:
        return f"{points_text(self._points(gain))} on a chance to win of {percent_text(self._now)}"

    def decision(self, action: Action, considered: Iterable[Considered], explanation: str) -> Decision:
        return Decision(action, best_first(considered), explanation, measure="win", win=self._now)

    def _points(self, gain: float) -> float:
        return 100 * self._now * math.expm1(gain)
