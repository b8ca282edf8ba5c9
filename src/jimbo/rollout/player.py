"""Plays games by their numbers, wherever the work is spread to."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from jimbo.agents import Agent, make_agent
from jimbo.backends import Backend, RealBackend, SimBackend
from jimbo.data import Decision
from jimbo.engine import Action, PublicState
from jimbo.rollout.games import EndedGame, GameBuffer, GameId, GamesSpec
from jimbo.rollout.loop import AgentFailed, Rollout
from jimbo.rollout.output import Sink
from jimbo.rollout.pool import Lost
from jimbo.signals import uninterrupted


@dataclass(frozen=True, slots=True)
class Seating:
    """A player, the backend it plays at, and what keeps its games."""

    agent: Agent
    rollout: Rollout
    buffer: GameBuffer

    @staticmethod
    def of(agent: Agent, backend: Backend, buffer: GameBuffer) -> Seating:
        return Seating(agent, Rollout(backend, [buffer]), buffer)

    def play(self, spec: GamesSpec, game: GameId, seed: str, nonce: int) -> Any:
        """One game, which is kept; returns its end."""
        began, failure = time.perf_counter(), None
        deck, stake, challenge = spec.start(game[1])
        state = self.rollout.start(deck=deck, stake=stake, seed=seed, challenge=challenge)
        try:
            for moment in self.rollout.play(self.agent, nonce, max_steps=spec.max_steps):
                state = moment.after
        except AgentFailed as error:
            failure = error
        ended = EndedGame(
            spec=spec,
            id=game,
            seed=seed,
            nonce=nonce,
            state=state,
            steps=self.rollout.steps,
            seconds=time.perf_counter() - began,
            failure=failure,
        )
        with uninterrupted():
            return self.buffer.ended(ended)


class GamePlayer:
    """Plays the games of some specs. It goes to other processes as it is before its first game.

    An agent is made once in each process, also where several specs name it.
    """

    def __init__(self, specs: Sequence[GamesSpec], backend: RealBackend | None = None) -> None:
        """In the simulator, unless there is another backend."""
        self._specs, self._backend = tuple(specs), backend
        self._seeds = [tuple(spec.game_seeds()) for spec in self._specs]
        self._seatings: dict[int, Seating] = {}

    def at(self, backend: RealBackend) -> GamePlayer:
        """Another one for the same games, at the real game."""
        return GamePlayer(self._specs, backend)

    def __call__(self, game: GameId) -> tuple[Any, Any]:
        """For worker processes, which send it before the next game begins: its end, and what is to be written of it."""
        buffer = self._seating(game[0]).buffer
        buffer.clear()
        return self.play(game), buffer.gathered()

    def __len__(self) -> int:
        """Decisions that are kept and not yet written."""
        return sum(len(seating.buffer) for seating in self._seatings.values())

    def hand_over(self, sink: Sink) -> None:
        """Writes what is kept."""
        with uninterrupted():
            for seating in self._seatings.values():
                if (gathered := seating.buffer.gathered()) is not None:
                    sink.add(gathered)
                    sink.flush()
                    seating.buffer.clear()

    def lost(self, game: GameId, lost: Lost) -> tuple[Any, Any]:
        """The end of a game that nobody finished, and what is to be written of it."""
        place, number = game
        return self._specs[place].lost(game, self._seeds[place][number], lost)

    def play(self, game: GameId) -> Any:
        """One game, which is kept; returns its end."""
        place, number = game
        spec = self._specs[place]
        return self._seating(place).play(spec, game, self._seeds[place][number], spec.nonce(number))

    def _seating(self, place: int) -> Seating:
        spec = self._specs[place]
        same = (one.agent == spec.agent and one.options == spec.options for one in self._specs)
        first = next(place for place, is_same in enumerate(same) if is_same)
        if first not in self._seatings:
            agent = spec.make_player()
            real = self._backend
            backend: Backend = real or SimBackend(reveal=agent.clairvoyant)
            buffer = spec.make_buffer(agent, real.client.url if real else None)
            player = RestrictedAgent(agent, real) if real else agent
            self._seatings[first] = Seating.of(player, backend, buffer)
        return self._seatings[first]


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
