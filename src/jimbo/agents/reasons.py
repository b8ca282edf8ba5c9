"""What agents say of a decision: all that they considered, best first, in numbers that people know."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from jimbo.agents.protocol import Considered, Decision
from jimbo.engine import Action, SolvedAction
from jimbo.text import counted, number_text

_SHOWN = 5  # considered actions told with a decision


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
    surer = any(s.worlds == solved[0].worlds and s.clear > solved[0].clear for s in solved)
    return Decision(action, listed, _why(solved[0], first=listed[0].chosen, surer=surer), measure="clear")


def _why(best: SolvedAction, *, first: bool, surer: bool) -> str:
    if not best.worlds:
        return "the only thing to do"
    text = f"clears in {100 * best.clear:.0f} % of {counted(best.worlds, 'world')}"
    if surer:
        text += ", and leaves more than what clears more often"
    return text if first else f"{text}; what seems better was tried in fewer"


def _hand_text(solved: SolvedAction) -> str:
    looked = counted(solved.worlds, "world")
    return f"{number_text(solved.score)} expected; {looked}" if solved.action.kind == "play" else looked


def best_first(considered: Iterable[Considered]) -> tuple[Considered, ...]:
    """Of those that were ranked highest, by their values; among equals the chosen one leads."""
    listed = islice(considered, _SHOWN)
    return tuple(sorted(listed, key=lambda one: (-round(one.value, 3), not one.chosen)))
