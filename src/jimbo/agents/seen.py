"""A public state with a run that looks like it, for agents that try things out."""

from __future__ import annotations

from jimbo.engine import Action, PublicState, Run

# Any fixed number: what is hidden is drawn from it, so that the same state always gives the same run.
_HIDDEN_FROM = 0


class Seen:
    """What is seen, and one run that looks so, made once."""

    def __init__(self, state: PublicState) -> None:
        self.state = state
        self.run = state.imagine(_HIDDEN_FROM)

    def after(self, *actions: Action) -> Run | None:
        """A copy of that run in which these actions were taken; None if one is not allowed."""
        return taken(self.run, *actions)


def taken(run: Run, *actions: Action) -> Run | None:
    """A copy of a run in which these actions were taken; None if one is not allowed."""
    ahead = run.clone()
    for action in actions:
        if ahead.refusal(action) is not None:
            return None
        ahead.step(action)
    return ahead
