"""What a player may know of a run, and nothing else."""

from __future__ import annotations

from functools import cached_property

from jimbo.engine.run import Action, Run, RunView, view

# Any fixed number: what is hidden is drawn from it instead of from the run.
_HIDDEN_FROM = 0


class PublicView:
    """A run as its player sees it.

    Everything hidden (draw order, what lies face down, the seed and every random stream) is replaced by a sample that
    depends on the visible part alone, so two runs that look the same give the same view, bit for bit.
    """

    def __init__(self, run: Run, *, reveal: bool = False) -> None:
        """``reveal`` leaves everything hidden as it is: cheating, for measurements only."""
        self._seen = run.clone() if reveal else run.determinize(_HIDDEN_FROM)

    def __repr__(self) -> str:
        run = self._seen
        return f"<PublicView: ante {run.ante}, round {run.round}, {run.phase}, ${run.dollars}>"

    @property
    def seen(self) -> Run:
        """A run that looks like the real one; its hidden part is a sample. Changing it changes this view."""
        return self._seen

    @cached_property
    def state(self) -> RunView:
        """Everything visible, with names, texts and prices."""
        return view(self._seen)

    @property
    def phase(self) -> str:
        return self._seen.phase

    @property
    def over(self) -> bool:
        """The run is lost, or could not go on."""
        return self._seen.phase == "game_over"

    @property
    def won(self) -> bool:
        return self._seen.won

    def legal_actions(self, *, with_moves: bool = False) -> list[Action]:
        return self._seen.legal_actions(with_moves)

    def imagine(self, nonce: int) -> Run:
        """A run that looks the same, with everything hidden drawn anew from the nonce: to try things out in."""
        return self._seen.determinize(nonce)

    def after(self, *actions: Action) -> Run | None:
        """A copy of what is seen in which these actions were taken; None if one is not allowed."""
        return taken(self._seen, *actions)


def taken(run: Run, *actions: Action) -> Run | None:
    """A copy of a run in which these actions were taken; None if one is not allowed."""
    ahead = run.clone()
    for action in actions:
        if ahead.refusal(action) is not None:
            return None
        ahead.step(action)
    return ahead
