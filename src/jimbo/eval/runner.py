"""Many runs of one agent, over all cores, kept in a folder as they finish."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Mapping, Sequence
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
from jimbo.rollout.restricted_agent import RestrictedAgent
from jimbo.rollout.runner import TRIES, Spread, why_died
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


Task = tuple[int, int]
"""Place of the settings, and place of the seed in their set."""


class Player:
    """Plays runs by their places. An agent is made once in each process, also where several settings name it."""

    def __init__(self, plans: Sequence[Settings], backend: RealBackend | None = None) -> None:
        """In the simulator, unless there is another backend."""
        self._plans, self._backend = plans, backend
        self._agents: dict[int, Agent] = {}

    def at(self, backend: RealBackend) -> Player:
        """Another one for the same runs, at the real game."""
        return Player(self._plans, backend)

    def __call__(self, task: Task) -> Episode:
        place, index = task
        settings, agent = self._plans[place], self._agent(place)
        return play_episode(
            agent,
            self._backend or SimBackend(reveal=agent.clairvoyant),
            seed=settings.seeds.seeds[index],
            deck=settings.deck,
            stake=settings.stake,
            challenge=settings.challenge,
            nonce=settings.nonce(index),
            episode_id=index,
            max_steps=settings.max_steps,
        )

    def _agent(self, place: int) -> Agent:
        wanted = self._plans[place]
        same = (plan.agent == wanted.agent and plan.options == wanted.options for plan in self._plans)
        first = next(place for place, is_same in enumerate(same) if is_same)
        if first not in self._agents:
            agent = make_agent(wanted.agent, **wanted.options)
            self._agents[first] = RestrictedAgent(agent, self._backend) if self._backend else agent
        return self._agents[first]


def evaluate(
    settings: Settings,
    *,
    workers: int | None = None,
    store: Store | None = None,
    progress: Callable[[Episode], None] | None = None,
    spread: Spread | None = None,
    timeout: float | None = None,
) -> Evaluation:
    """Plays every seed that the store does not hold yet; ValueError if the store is of other settings.

    Ctrl-C ends it early and keeps what is finished; so does a full disk, or worker processes that keep dying.
    ``spread`` plays elsewhere than in this machine's simulator. A run that cannot be finished there has no row: that
    is not the agent's doing. A run that takes more than ``timeout`` seconds is ended and lost; ``spread`` has limits of
    its own.
    """
    (done,) = evaluate_all(
        [settings], workers=workers, stores=[store], progress=progress, spread=spread, timeout=timeout
    )
    return done


def evaluate_all(
    plans: Sequence[Settings],
    *,
    workers: int | None = None,
    stores: Sequence[Store | None],
    progress: Callable[[Episode], None] | None = None,
    spread: Spread | None = None,
    timeout: float | None = None,
) -> list[Evaluation]:
    """Several evaluations, one after another, by the same processes; none of those is idle until the last runs."""
    done = [
        {row.episode_id: row for row in store.open(plan.to_data())} if store else {}
        for plan, store in zip(plans, stores, strict=True)
    ]
    resumed = list(map(len, done))
    tasks = [
        (place, index)
        for place, plan in enumerate(plans)
        for index in range(len(plan.seeds.seeds))
        if index not in done[place]
    ]
    stopped, trouble, lost = False, "", 0
    try:
        with closing(_play(plans, tasks, workers or os.cpu_count() or 1, spread, timeout)) as rows:
            for (place, index), row in rows:
                if isinstance(row, Lost):
                    lost += 1
                    trouble = f"Runs that could not be finished: {lost}. The last: {row.why}."
                    continue
                if store := stores[place]:
                    store.add(row)
                done[place][index] = row
                if progress:
                    progress(row)
    except KeyboardInterrupt:
        stopped = True
    except (NotKept, WorkFailed) as error:
        trouble = str(error)
    return [
        Evaluation(plan, tuple(rows[index] for index in sorted(rows)), there, stopped, trouble)
        for plan, rows, there in zip(plans, done, resumed, strict=True)
    ]


def _play(
    plans: Sequence[Settings], tasks: list[Task], workers: int, spread: Spread | None, timeout: float | None
) -> Generator[tuple[Task, Episode | Lost]]:
    player = Player(plans)
    if spread:
        with closing(spread(player, tasks, workers, tries=TRIES)) as results:
            yield from results
        return
    if timeout is None and (workers == 1 or len(tasks) <= 1):
        yield from ((task, player(task)) for task in tasks)
        return
    with closing(run_tasks(player, tasks, min(workers, len(tasks)), timeout=timeout)) as results:
        for (place, index), result in results:
            row = _fallen(plans[place], index, result, timeout) if isinstance(result, Died) else result
            yield (place, index), row


def _fallen(settings: Settings, index: int, died: Died, timeout: float | None) -> Episode:
    """The row of a run whose process has died, or was ended for its slowness: lost in the first ante."""
    return Episode(
        episode_id=index,
        agent=settings.agent,
        deck=settings.deck,
        stake=settings.stake,
        challenge=settings.challenge,
        seed=settings.seeds.seeds[index],
        nonce=settings.nonce(index),
        result="open",
        final_ante=1,
        ante_reached=1,
        round=0,
        blinds_cleared=0,
        final_money=0,
        final_chips=0.0,
        failure_reason="time_limit" if died.timed_out else "worker_died",
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
        error=why_died(died, timeout),
    )
