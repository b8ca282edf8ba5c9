"""BalatroCallbacks: what games look like while RLlib trains, and harder tasks as it goes on."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from ray.rllib.callbacks.callbacks import RLlibCallback

from jimbo.train.rllib.behaviour import Behaviour
from jimbo.train.rllib.env import TIMESTEPS
from jimbo.train.rllib.tasks import read_schedule, task_at

WINDOW = 500
"""Games over which means are taken."""
ENOUGH_GAMES_PER_HOUR = 1000
METRICS = ("win_rate", "rounds_completed", "max_score", "cards_played", "jokers_activated", "episode_duration")
_READ = ("observation", "candidate_ids")

logger = logging.getLogger("jimbo.rllib")


class BalatroCallbacks(RLlibCallback):
    """For ``PPOConfig().callbacks(BalatroCallbacks)``; ``jimbo train rllib`` uses it always.

    Of the games that end: ``win_rate`` (the game's own flag), ``rounds_completed``, ``max_score`` (of one hand),
    ``cards_played`` and ``jokers_activated`` (jokers owned, for each hand played; both only where observations are
    packed and actions are candidates), ``episode_duration`` (seconds), and the sum of ``illegal`` actions. Each result
    has also ``games_per_hour`` and ``best_reward``. Each task of a ``difficulty_schedule`` in the env_config begins at
    its timestep.
    """

    def __init__(self) -> None:
        super().__init__()
        self._began = time.monotonic()
        self._episodes_before: int | None = None
        self._best = float("-inf")
        self._timesteps = 0
        self._warned = False

    # --- In the processes that play -----------------------------------------------------------------------------------

    def on_episode_end(
        self, *, episode: Any, prev_episode_chunks: Sequence[Any] = (), metrics_logger: Any, **_: Any
    ) -> None:
        result = episode.get_infos(-1)["result"]
        chunks = [*prev_episode_chunks, episode]
        found = {
            "win_rate": float(result["won"]),
            "rounds_completed": float(result["blinds"]),
            "max_score": float(result["best_hand"]),
            **_done(chunks),
            "episode_duration": float(sum(chunk.get_duration_s() for chunk in chunks)),
        }
        for name, value in found.items():
            metrics_logger.log_value(name, value, window=WINDOW)
        metrics_logger.log_value("illegal", int(result["illegal"]), reduce="sum")

    # --- In the process that leads ------------------------------------------------------------------------------------

    def on_algorithm_init(self, *, algorithm: Any, **_: Any) -> None:
        self._timesteps = int(algorithm.config.env_config.get(TIMESTEPS, 0))

    def on_train_result(self, *, algorithm: Any, result: dict[str, Any], **_: Any) -> None:
        played = result["env_runners"]
        lifetime = whole(played.get("num_episodes_lifetime"))
        if self._episodes_before is None:  # a training that goes on has played before
            self._episodes_before = lifetime - whole(played.get("num_episodes"))
        hours = (time.monotonic() - self._began) / 3600
        result["games_per_hour"] = (lifetime - self._episodes_before) / hours
        reward = float(played.get("episode_return_mean", np.nan))
        self._best = max(self._best, reward) if reward == reward else self._best
        result["best_reward"] = self._best
        self._warn(result["games_per_hour"])
        steps = self._timesteps + whole(played.get("num_env_steps_sampled"))
        self._move_on(algorithm, max(steps, whole(result.get("num_env_steps_sampled_lifetime"))))

    def _warn(self, games_per_hour: float) -> None:
        if games_per_hour < ENOUGH_GAMES_PER_HOUR and not self._warned:
            self._warned = True
            logger.warning(
                "Only %.0f games an hour. More envs per env runner, or a smaller network, make it faster.",
                games_per_hour,
            )

    def on_env_runners_recreated(
        self, *, algorithm: Any, env_runner_group: Any, env_runner_indices: Sequence[int], **_: Any
    ) -> None:
        """A process that was started again plays what the others play."""
        if _schedule(algorithm) and self._timesteps:
            _begin_task(env_runner_group, self._timesteps, remote_worker_ids=list(env_runner_indices))

    def _move_on(self, algorithm: Any, timesteps: int) -> None:
        schedule = read_schedule(_schedule(algorithm))
        before, self._timesteps = self._timesteps, timesteps
        if task_at(schedule, timesteps) != task_at(schedule, before):
            _begin_task(algorithm.env_runner_group, timesteps)


def whole(value: float | None) -> int:
    """A count in a result; RLlib has no number for it while all processes that play are being started again."""
    return 0 if value is None or value != value else int(value)


def _schedule(algorithm: Any) -> Mapping[Any, Any]:
    found: Mapping[Any, Any] = algorithm.config.env_config.get("difficulty_schedule", {})
    return found


def _begin_task(group: Any, timesteps: int, **which: Any) -> None:
    def begin(runner: Any) -> None:
        if runner.env is not None:
            runner.config = runner.config.copy(copy_frozen=False)
            runner.config.environment(env_config={**runner.config.env_config, TIMESTEPS: timesteps})
            runner.make_env()

    group.foreach_env_runner(begin, **which)


def _done(chunks: Sequence[Any]) -> dict[str, float]:
    """What was done in an episode; nothing where observations do not show the actions that were listed."""
    if not set(_READ) <= set(getattr(chunks[-1].observation_space, "spaces", ())):
        return {}
    done = Behaviour()
    for chunk in chunks:
        actions = np.asarray(chunk.get_actions())
        if len(actions):
            done.see(_shown(chunk.get_observations(slice(0, len(actions)))), actions)
    return {"cards_played": float(done.cards_played), "jokers_activated": float(done.jokers_activated)}


def _shown(observations: Any) -> dict[str, Any]:
    """Of a part of an episode, which holds them in a row or one by one."""
    if isinstance(observations, Mapping):
        return {name: np.asarray(observations[name]) for name in _READ}
    return {name: np.stack([one[name] for one in observations]) for name in _READ}
