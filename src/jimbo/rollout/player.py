"""Plays the games of a plan, one by one, and gathers what is kept of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from jimbo.agents import Agent, make_agent
from jimbo.backends import SimBackend
from jimbo.data.came import result_of
from jimbo.data.samples import Game
from jimbo.rollout.collector import Collector, Gatherer
from jimbo.rollout.loop import AgentFailed, Rollout
from jimbo.rollout.output import Output
from jimbo.rollout.plan import Plan, nonce_of
from jimbo.rollout.record_gatherer import RecordGatherer
from jimbo.signals import uninterrupted


@dataclass(frozen=True, slots=True)
class GivenUp:
    """A game that is not kept."""

    number: int
    seed: str
    why: str
    """As the end of a sentence: "the agent failed in decision 3: ..."."""


class Player:
    """Plays games by their numbers. The agent is made once in each process."""

    def __init__(self, plan: Plan, seeds: tuple[str, ...]) -> None:
        self._plan, self._seeds = plan, seeds
        self._agent: Agent | None = None
        self._gatherer = _gatherer(plan)

    def __call__(self, number: int) -> tuple[Game | GivenUp, Any]:
        """For worker processes, which send it before the next game begins: a game, and what is to be written of it."""
        self._gatherer.clear()
        end = self.play(number)
        return end, self._gatherer.gathered()

    def __len__(self) -> int:
        """Decisions that are gathered and not yet written."""
        return len(self._gatherer)

    def seed(self, number: int) -> str:
        return self._seeds[number]

    def hand_over(self, output: Output) -> None:
        """Writes what is gathered."""
        with uninterrupted():
            if (gathered := self._gatherer.gathered()) is not None:
                output.add(gathered)
                output.flush()
                self._gatherer.clear()

    def play(self, number: int) -> Game | GivenUp:
        """One game, which is gathered."""
        if self._agent is None:
            self._agent = make_agent(self._plan.agent, **self._plan.options)
            self._rollout = Rollout(SimBackend(reveal=self._agent.clairvoyant), [self._gatherer])
        plan, rollout, seed, nonce = self._plan, self._rollout, self._seeds[number], nonce_of(number)
        state = rollout.start(deck=plan.deck, stake=plan.stake, seed=seed, challenge=plan.challenge)
        try:
            for moment in rollout.play(self._agent, nonce, max_steps=plan.max_steps):
                state = moment.after
        except AgentFailed as failed:
            return GivenUp(number, seed, f"the agent failed in decision {rollout.steps + 1}: {failed.what}")
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
            blinds=self._gatherer.beaten,
            steps=rollout.steps,
            number=number,
        )
        with uninterrupted():
            self._gatherer.ended(game)
        return game


def _gatherer(plan: Plan) -> Gatherer:
    if plan.format == "parquet":
        return Collector()
    return RecordGatherer(include_obs_raw=plan.include_obs_raw)
