"""An agent in a world that cannot do all that the rules allow: it takes the best of what is possible there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jimbo.agents import Agent, make_agent
from jimbo.backends import Backend
from jimbo.data import Decision
from jimbo.engine import Action, PublicState


class RestrictedAgent:
    """Asks another agent, and chooses something else only where the world cannot do what that agent chose."""

    clairvoyant = False

    def __init__(self, agent: Agent, backend: Backend) -> None:
        if agent.clairvoyant:
            raise ValueError(
                f"The agent {agent.name} must be shown what is hidden, and the real game does not show it."
            )
        self.name = agent.name
        self._agent, self._backend = agent, backend
        self._plain = make_agent("greedy")

    def __repr__(self) -> str:
        return f"<RestrictedAgent at {self._backend!r}: {self._agent!r}>"

    def reset(self, nonce: int) -> None:
        self._agent.reset(nonce)
        self._plain.reset(nonce)

    def act(self, state: PublicState, /) -> Decision:
        decision = self._agent.act(state)
        why = self._backend.cannot(decision.action) if state.refusal(decision.action) is None else None
        if why is None:
            return decision
        action = next(one for one in self._others(decision, state) if self._is_possible(one, state))
        considered = tuple(replace(one, chosen=one.action == action) for one in decision.considered)
        return replace(decision, action=action, considered=considered, explanation=f"the next best: {why}")

    def _others(self, decision: Decision, state: PublicState) -> Iterator[Action]:
        """The agent's own order, then the choice of a plain player, then any legal action."""
        yield from (one.action for one in sorted(decision.considered, key=lambda one: -one.value))
        yield self._plain.act(state).action
        yield from state.legal_actions()

    def _is_possible(self, action: Action, state: PublicState) -> bool:
        return state.refusal(action) is None and self._backend.cannot(action) is None
