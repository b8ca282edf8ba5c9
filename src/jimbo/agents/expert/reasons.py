"""What the expert says of a decision: all that it considered, best first, in numbers that people know."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from jimbo.agents.expert.options import Option
from jimbo.agents.protocol import Considered, Decision
from jimbo.engine import Action, SolvedAction
from jimbo.text import counted, number_text, percent_text, points_text

_SHOWN = 5  # considered actions told with a decision


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


def hand_decision(action: Action, solved: Sequence[SolvedAction], *, by_score: bool) -> Decision:
    """For plays and discards, of which the first is chosen; ``by_score``: for nothing but its score."""
    if by_score:
        scored = (Considered(s.action, s.score, "", chosen=s is solved[0]) for s in solved)
        return Decision(action, best_first(scored), "scores most", measure="score")
    considered = (
        Considered(
            s.action,
            s.value,
            _hand_text(s),
            s.clear if s.worlds else None,
            s.error if s.worlds else None,
            chosen=s is solved[0],
        )
        for s in solved
    )
    listed = best_first(considered)
    return Decision(action, listed, _why(solved[0], first=listed[0].chosen), measure="clear")


def _why(best: SolvedAction, *, first: bool) -> str:
    if not best.worlds:
        return "the only thing to do"
    text = f"clears in {100 * best.clear:.0f} % of {counted(best.worlds, 'world')}"
    return text if first else f"{text}; what seems better was tried in fewer"


def _hand_text(solved: SolvedAction) -> str:
    looked = counted(solved.worlds, "world")
    return f"{number_text(solved.score)} expected; {looked}" if solved.action.kind == "play" else looked


def best_first(considered: Iterable[Considered]) -> tuple[Considered, ...]:
    """Of those that were ranked highest, by their values; among equals the chosen one leads."""
    listed = list(considered)[:_SHOWN]
    return tuple(sorted(listed, key=lambda one: (-round(one.value, 3), not one.chosen)))
