"""Many runs of one agent, over all cores, kept in a folder as they finish."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

from jimbo.agents import Agent, make_agent
from jimbo.agents.registry import agent_source, option_files
from jimbo.backends import RealBackend, SimBackend
from jimbo.data import versions
from jimbo.eval.episodes import play_episode
from jimbo.eval.rows import Episode
from jimbo.eval.store import NotKept, Store
from jimbo.rollout import MAX_STEPS
from jimbo.rollout.instances import Lost
from jimbo.rollout.plan import nonce_of
from jimbo.rollout.pool import Died, WorkFailed, run_tasks
from jimbo.rollout.runner import TRIES, Spread
from jimbo.rollout.within import Within
from jimbo.seeds import CHALLENGE_DECK
from jimbo.seeds.seed_sets import SeedSet


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that decides how the runs go."""

    agent: str
    seeds: SeedSet
    deck: str = "b_red"
    stake: str = "stake_white"
    challenge: str | None = None
    """Key of a challenge; it brings its own deck."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """The agent's own."""
    agent_number: int = 0
    """Seeds the agent's random choices, together with the place of the run; it never touches the seed of the game."""
    max_steps: int = MAX_STEPS
    backend: str = "sim"

    def __post_init__(self) -> None:
        if self.challenge:
            object.__setattr__(self, "deck", CHALLENGE_DECK)

    def nonce(self, index: int) -> int:
        return nonce_of(index, self.agent_number)

    def to_data(self) -> dict[str, Any]:
        return {
            "agent": self.agent,
            "options": dict(self.options),
            "agent_number": self.agent_number,
            "deck": self.deck,
            "stake": self.stake,
            "challenge": self.challenge,
            "most_steps": self.max_steps,  # the key in evaluations that are kept already
            "seed_set": self.seeds.name,
            "seed_set_version": self.seeds.version,
            "seeds_hash": self.seeds.hash,
            "seeds": list(self.seeds.seeds),
            **({} if self.backend == "sim" else {"backend": self.backend}),
            "versions": dict(versions()),
            **({"option_files": files} if (files := option_files(self.options)) else {}),
            **({"agent_source": source} if (source := agent_source(self.agent)) else {}),
        }


@dataclass(frozen=True, slots=True)
class Evaluation:
    settings: Settings
    episodes: tuple[Episode, ...]
    """In the order of the seeds; not all of them if it was stopped."""
    resumed: int = 0
    """How many were there already."""
    stopped: bool = False
    """By Ctrl-C."""
    trouble: str = ""
    """Why it could not go on, as a sentence."""

    def __repr__(self) -> str:
        of = len(self.settings.seeds.seeds)
        return f"<Evaluation of {self.settings.agent}: {len(self.episodes)} of {of} runs>"


class Player:
    """Plays runs by their place in the set. The agent is made once in each process."""

    def __init__(self, settings: Settings, backend: RealBackend | None = None) -> None:
        """In the simulator, unless there is another backend."""
        self._settings, self._backend = settings, backend
        self._agent: Agent | None = None

    def at(self, backend: RealBackend) -> Player:
        """Another one for the same runs, at the real game."""
        return Player(self._settings, backend)

    def __call__(self, index: int) -> Episode:
        settings = self._settings
        if self._agent is None:
            agent = make_agent(settings.agent, **settings.options)
            self._agent = Within(agent, self._backend) if self._backend else agent
        return play_episode(
            self._agent,
            self._backend or SimBackend(reveal=self._agent.clairvoyant),
            seed=settings.seeds.seeds[index],
            deck=settings.deck,
            stake=settings.stake,
            challenge=settings.challenge,
            nonce=settings.nonce(index),
            episode_id=index,
            max_steps=settings.max_steps,
        )


def evaluate(
    settings: Settings,
    *,
    workers: int | None = None,
    store: Store | None = None,
    progress: Callable[[Episode], None] | None = None,
    spread: Spread | None = None,
) -> Evaluation:
    """Plays every seed that the store does not hold yet; ValueError if the store is of other settings.

    Ctrl-C ends it early and keeps what is finished; so does a full disk, or worker processes that keep dying.
    ``spread`` plays elsewhere than in this machine's simulator. A run that cannot be finished there has no row: that
    is not the agent's doing.
    """
    done = {row.episode_id: row for row in store.open(settings.to_data())} if store else {}
    resumed = len(done)
    missing = [index for index in range(len(settings.seeds.seeds)) if index not in done]
    stopped, trouble, lost = False, "", 0
    try:
        with closing(_play(settings, missing, workers or os.cpu_count() or 1, spread)) as rows:
            for row in rows:
                if isinstance(row, Lost):
                    lost += 1
                    trouble = f"Runs that could not be finished: {lost}. The last: {row.why}."
                    continue
                if store:
                    store.add(row)
                done[row.episode_id] = row
                if progress:
                    progress(row)
    except KeyboardInterrupt:
        stopped = True
    except (NotKept, WorkFailed) as error:
        trouble = str(error)
    return Evaluation(settings, tuple(done[index] for index in sorted(done)), resumed, stopped, trouble)


def _play(settings: Settings, indices: list[int], workers: int, spread: Spread | None) -> Generator[Episode | Lost]:
    player = Player(settings)
    if spread:
        with closing(spread(player, indices, workers, tries=TRIES)) as results:
            yield from (result for _, result in results)
        return
    if workers == 1 or len(indices) <= 1:
        yield from map(player, indices)
        return
    with closing(run_tasks(player, indices, min(workers, len(indices)))) as results:
        for index, result in results:
            yield _fallen(settings, index, result) if isinstance(result, Died) else result


def _fallen(settings: Settings, index: int, died: Died) -> Episode:
    """The row of a run whose process has died: lost in the first ante."""
    return Episode(
        episode_id=index,
        agent=settings.agent,
        deck=settings.deck,
        stake=settings.stake,
        challenge=settings.challenge,
        seed=settings.seeds.seeds[index],
        nonce=settings.nonce(index),
        result="stuck",
        final_ante=1,
        ante_reached=1,
        round=0,
        blinds_cleared=0,
        final_money=0,
        final_chips=0.0,
        failure_reason="worker_died",
        failure_phase="",
        death_blind="",
        boss_blind_id="",
        steps=0,
        hand_steps=0,
        actions=0,
        seconds=0.0,
        decision_ms=0.0,
        hand_ms=0.0,
        macro_ms=0.0,
        best_hand=0.0,
        best_hand_name="",
        money_by_round=(),
        score_by_round=(),
        jokers=(),
        error=f"the process ended with code {died.exit_code}",
    )
