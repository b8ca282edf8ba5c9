"""Plays the games of a plan, one by one, and gathers what is kept of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from jimbo.agents import make_agent
from jimbo.backends import Backend, RealBackend, SimBackend
from jimbo.data.results import result_of
from jimbo.data.samples import Game
from jimbo.rollout.collector import Collector, Gatherer
from jimbo.rollout.loop import AgentFailed, Rollout
from jimbo.rollout.output import Output
from jimbo.rollout.plan import Plan, nonce_of
from jimbo.rollout.record_gatherer import RecordGatherer
from jimbo.rollout.restricted_agent import RestrictedAgent
from jimbo.signals import uninterrupted


@dataclass(frozen=True, slots=True)
class GivenUp:
    """A game that is not kept."""

    number: int
    seed: str
    why: str
    """As the end of a sentence: "the agent greedy failed in decision 3: ..."."""


class Player:
    """Plays games by their numbers. It goes to other processes as it is before its first game."""

    def __init__(self, plan: Plan, seeds: tuple[str, ...], backend: RealBackend | None = None) -> None:
        """In the simulator, unless there is another backend."""
        self._plan, self._seeds, self._backend = plan, seeds, backend
        self._table: _Table | None = None

    def at(self, backend: RealBackend) -> Player:
        """Another one for the same games, at the real game."""
        return Player(self._plan, self._seeds, backend)

    def __call__(self, number: int) -> tuple[Game | GivenUp, Any]:
        """For worker processes, which send it before the next game begins: a game, and what is to be written of it."""
        if self._table is not None:
            self._table.gatherer.clear()
        end = self.play(number)
        return end, self._table.gatherer.gathered() if self._table else None

    def __len__(self) -> int:
        """Decisions that are gathered and not yet written."""
        return len(self._table.gatherer) if self._table else 0

    def seed(self, number: int) -> str:
        return self._seeds[number]

    def hand_over(self, output: Output) -> None:
        """Writes what is gathered."""
        with uninterrupted():
            if self._table and (gathered := self._table.gatherer.gathered()) is not None:
                output.add(gathered)
                output.flush()
                self._table.gatherer.clear()

    def play(self, number: int) -> Game | GivenUp:
        """One game, which is gathered."""
        if self._table is None:
            self._table = _Table(self._plan, self._backend)
        agent, gatherer, rollout = self._table.agent, self._table.gatherer, self._table.rollout
        plan, seed, nonce = self._plan, self._seeds[number], nonce_of(number)
        state = rollout.start(deck=plan.deck, stake=plan.stake, seed=seed, challenge=plan.challenge)
        try:
            for moment in rollout.play(agent, nonce, max_steps=plan.max_steps):
                state = moment.after
        except AgentFailed as failed:
            return GivenUp(
                number, seed, f"the agent {plan.agent} failed in decision {rollout.steps + 1}: {failed.what}"
            )
        game = Game(
            seed=seed,
            deck=state.deck,
            stake=state.stake,
            challenge=state.challenge,
            agent=plan.agent,
            nonce=nonce,
            result=result_of(state),
            ante=state.ante,
            round=state.round,
            blinds=gatherer.beaten,
            steps=rollout.steps,
            number=number,
        )
        with uninterrupted():
            gatherer.ended(game)
        return game


class _Table:
    """What a process plays with, made once."""

    def __init__(self, plan: Plan, real: RealBackend | None) -> None:
        agent = make_agent(plan.agent, **plan.options)
        self.agent = RestrictedAgent(agent, real) if real else agent
        backend: Backend = real or SimBackend(reveal=agent.clairvoyant)
        url = real.client.url if real else None
        self.gatherer: Gatherer = (
            Collector() if plan.format == "parquet" else RecordGatherer(include_obs_raw=plan.include_obs_raw, url=url)
        )
        self.rollout = Rollout(backend, [self.gatherer])
