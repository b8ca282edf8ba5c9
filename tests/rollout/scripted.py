"""Agents made of a function."""

from collections.abc import Callable

from jimbo.agents import Decision
from jimbo.engine import Action, PublicState

ONWARD = {"blind_select": "select_blind", "round_eval": "cash_out", "shop": "leave_shop", "pack_opening": "skip_pack"}


def onward(state: PublicState) -> Action:
    """Return the simplest action that brings a run nearer to its end."""
    return Action("play", cards=[0]) if state.phase == "selecting_hand" else Action(ONWARD[state.phase])


class Scripted:
    """An agent that does what a function says."""

    name = "scripted"
    clairvoyant = False

    def __init__(self, choose: Callable[[PublicState], Action] = onward) -> None:
        self._choose = choose

    def reset(self, nonce: int) -> None:
        self.nonce = nonce

    def act(self, state: PublicState, /) -> Decision:
        return Decision(self._choose(state))
