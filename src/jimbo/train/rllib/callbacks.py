"""BalatroCallbacks: measures of the games that RLlib plays, and harder games as a training goes on."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from ray.rllib.callbacks.callbacks import RLlibCallback

from jimbo.engine import observation_dtype, vocabulary
from jimbo.models.inputs import CARDS
from jimbo.train.rllib.config import max_ante_at, read_schedule
from jimbo.train.rllib.log import whole

SCHEDULE = "difficulty_schedule"
TIMESTEPS = "timesteps"
"""Entries of an env_config; the second says how many decisions were made before, for the first."""
_WINDOW = 500
"""Games over which means are taken."""
_ENOUGH_GAMES_PER_HOUR = 1000
_READ = ("observation", "candidate_ids")
"""Entries of observations that show which actions were listed."""

logger = logging.getLogger("jimbo.rllib")


class Behaviour:
    """Actions by phase, cards played and jokers at work, counted as decisions are made."""

    def __init__(self) -> None:
        self.actions: Counter[tuple[str, str]] = Counter()
        """By phase and action."""
        self.cards_played = 0
        self.jokers_activated = 0
        """Jokers owned when hands were played, added up over the hands."""
        self._phases, self._kinds = vocabulary("phase"), vocabulary("action")

    def add(self, shown: Mapping[str, NDArray[Any]], actions: NDArray[Any]) -> None:
        """Count packed observations ``[N, ...]`` with the places of the actions taken ``[N]``."""
        states = np.ascontiguousarray(shown["observation"]).view(observation_dtype())[:, 0]
        taken = shown["candidate_ids"][np.arange(len(actions)), np.asarray(actions, np.intp)]
        kinds, played = taken[:, 0], taken[:, 0] == self._kinds.index("play")
        self.cards_played += int((taken[played, -CARDS:] > 0).sum())
        self.jokers_activated += int(states["n_jokers"][played].sum())
        pairs = zip(states["phase"], kinds, strict=True)
        self.actions.update((self._phases[phase], self._kinds[kind]) for phase, kind in pairs)

    def shares(self) -> dict[str, dict[str, float]]:
        """Return the share of each action in each phase, the most frequent first."""
        totals: Counter[str] = Counter()
        for (phase, _), count in self.actions.items():
            totals[phase] += count
        phases: dict[str, dict[str, float]] = {}
        for (phase, action), count in self.actions.most_common():
            phases.setdefault(phase, {})[action] = count / totals[phase]
        return phases


class BalatroCallbacks(RLlibCallback):
    """For ``PPOConfig().callbacks(BalatroCallbacks)``; ``jimbo train rllib`` uses it always.

    For games that end: ``win_rate`` (the game's own flag), ``rounds_completed``, ``max_score`` (of one hand),
    ``cards_played`` and ``jokers_activated`` (jokers owned, for each hand played; both only where observations are
    packed and actions are candidates), ``episode_duration`` (seconds), and the sum of ``illegal`` actions. Each result
    has also ``games_per_hour`` and ``best_reward``. Each difficulty of a ``difficulty_schedule`` in the env_config
    begins at its timestep.
    """

    def __init__(self) -> None:
        super().__init__()
        self._start = time.monotonic()
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
        measures = {
            "win_rate": float(result["won"]),
            "rounds_completed": float(result["blinds"]),
            "max_score": float(result["best_hand"]),
            **_actions_of(chunks),
            "episode_duration": float(sum(chunk.get_duration_s() for chunk in chunks)),
        }
        for name, value in measures.items():
            metrics_logger.log_value(name, value, window=_WINDOW)
        metrics_logger.log_value("illegal", int(result["illegal"]), reduce="sum")

    # --- In the process that leads ------------------------------------------------------------------------------------

    def on_algorithm_init(self, *, algorithm: Any, **_: Any) -> None:
        self._timesteps = int(algorithm.config.env_config.get(TIMESTEPS, 0))

    def on_train_result(self, *, algorithm: Any, result: dict[str, Any], **_: Any) -> None:
        played = result["env_runners"]
        lifetime = whole(played.get("num_episodes_lifetime"))
        if self._episodes_before is None:  # a resumed training has played before
            self._episodes_before = lifetime - whole(played.get("num_episodes"))
        hours = (time.monotonic() - self._start) / 3600
        result["games_per_hour"] = (lifetime - self._episodes_before) / hours
        reward = float(played.get("episode_return_mean", np.nan))
        self._best = max(self._best, reward) if reward == reward else self._best
        result["best_reward"] = self._best
        self._warn(result["games_per_hour"])
        steps = self._timesteps + whole(played.get("num_env_steps_sampled"))
        self._advance(algorithm, max(steps, whole(result.get("num_env_steps_sampled_lifetime"))))

    def _warn(self, games_per_hour: float) -> None:
        if games_per_hour < _ENOUGH_GAMES_PER_HOUR and not self._warned:
            self._warned = True
            logger.warning(
                "Only %.0f games an hour. More envs per env runner, or a smaller network, make it faster.",
                games_per_hour,
            )

    def _advance(self, algorithm: Any, timesteps: int) -> None:
        schedule = read_schedule(algorithm.config.env_config.get(SCHEDULE, {}))
        before, self._timesteps = self._timesteps, timesteps
        if max_ante_at(schedule, timesteps) != max_ante_at(schedule, before):
            _remake_games(algorithm.env_runner_group, timesteps)

    def on_env_runners_recreated(
        self, *, algorithm: Any, env_runner_group: Any, env_runner_indices: Sequence[int], **_: Any
    ) -> None:
        """Let a process that was started again play what the others play."""
        if algorithm.config.env_config.get(SCHEDULE) and self._timesteps:
            _remake_games(env_runner_group, self._timesteps, remote_worker_ids=list(env_runner_indices))


def _remake_games(group: Any, timesteps: int, **which: Any) -> None:
    def remake(runner: Any) -> None:
        if runner.env is not None:
            runner.config = runner.config.copy(copy_frozen=False)
            runner.config.environment(env_config={**runner.config.env_config, TIMESTEPS: timesteps})
            runner.make_env()

    group.foreach_env_runner(remake, **which)


def _actions_of(chunks: Sequence[Any]) -> dict[str, float]:
    """Return measures of the actions in an episode; none where observations do not show what was listed."""
    if not set(_READ) <= set(getattr(chunks[-1].observation_space, "spaces", ())):
        return {}
    behaviour = Behaviour()
    for chunk in chunks:
        actions = np.asarray(chunk.get_actions())
        if len(actions):
            behaviour.add(_arrays_of(chunk.get_observations(slice(0, len(actions)))), actions)
    return {"cards_played": float(behaviour.cards_played), "jokers_activated": float(behaviour.jokers_activated)}


def _arrays_of(observations: Any) -> dict[str, Any]:
    """Return the observations of a part of an episode, which holds them as arrays or one by one."""
    if isinstance(observations, Mapping):
        return {name: np.asarray(observations[name]) for name in _READ}
    return {name: np.stack([one[name] for one in observations]) for name in _READ}
