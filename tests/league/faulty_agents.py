"""Players with one fault each, for gates that must find it: they play as ``greedy`` does, and a little worse."""

import time
from random import SystemRandom

from jimbo.agents.baselines import GreedyAgent
from jimbo.agents.protocol import Considered, Decision
from jimbo.engine import Action, PublicState

_CHANCE = SystemRandom()


class Plain(GreedyAgent):
    """No fault, and a name of its own."""


class Illegal(GreedyAgent):
    def act(self, state: PublicState) -> Decision:
        return Decision(Action("cash_out")) if state.phase == "shop" else super().act(state)


class NotANumber(GreedyAgent):
    def act(self, state: PublicState) -> Decision:
        made = super().act(state)
        if state.phase != "shop":
            return made
        return Decision(made.action, (Considered(made.action, float("nan"), "", chosen=True),))


class Slow(GreedyAgent):
    """Takes three times as long."""

    def act(self, state: PublicState) -> Decision:
        began = time.process_time()
        made = super().act(state)
        took = time.process_time() - began
        while time.process_time() - began < 3 * took + 0.0005:
            pass
        return made


class Moody(GreedyAgent):
    """Does not keep to its nonce."""

    def act(self, state: PublicState) -> Decision:
        if state.phase == "shop" and _CHANCE.random() < 0.5:
            return Decision(Action("leave_shop"))
        return super().act(state)
