"""A whole training: iterations, evaluations on fixed seeds, checkpoints, and networks that play without Ray."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from jimbo.files import write_text
from jimbo.run_folder import CONFIG, RunFolder
from jimbo.signals import uninterrupted
from jimbo.train.rllib.algorithm import Machines, fitted, ppo_config
from jimbo.train.rllib.callbacks import whole
from jimbo.train.rllib.checkpoints import BEST, LAST, About, Standing, save
from jimbo.train.rllib.config import RllibConfig
from jimbo.train.rllib.evaluation import Judged, judge, judging_seeds
from jimbo.train.rllib.export import export_module
from jimbo.train.rllib.memory import memory_in_use
from jimbo.train.rllib.rows import row_of
from jimbo.train.rllib.watching import Watcher, Watchers

PLAYS = "best"
"""The stem of the network that plays without Ray."""
SCHEMA = "jimbo_rllib_training_v1"
_GIGABYTE = 1024**3
_PATIENCE = 300.0
"""Seconds without any game, after which a training ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders:
    """What is asked of a training beside its configuration."""

    iterations: int = 1000
    """In all, those before a checkpoint included."""
    checkpoint_freq: int = 10
    target_reward: float | None = None
    """Mean return of an evaluation with which it ends."""
    memory_gb: float | None = None
    """It ends, with what it has learnt, when it takes more on this machine."""


class RllibFolder(RunFolder):
    """Use it in a ``with`` statement: one training at a time writes here."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, writer="training")

    def open(self, config: RllibConfig, start: About | None) -> None:
        """Notes what is trained here; ValueError where another training is, which would be lost."""
        mark = self.folder / CONFIG
        goes_on = start is not None and start.path.resolve().parent == self.folder.resolve()
        if mark.exists() and not goes_on:
            raise ValueError(
                f"{self.folder} holds a training. Go on with --checkpoint {self.folder / LAST}, or choose another --out"
            )
        write_text(mark, json.dumps({"schema": SCHEMA, "settings": config.to_data()}, indent=2) + "\n")


def run_training(
    ray: Any,
    config: RllibConfig,
    out: Path,
    orders: Orders,
    watcher: Watcher,
    *,
    start: About | None = None,
    more: Callable[[], Sequence[Watcher]] = tuple,
) -> Standing:
    """Trains in a folder of its own, from the start or from a checkpoint; returns how far it came.

    ``more`` makes watchers that write into the folder, once it is certain that it may be written to.
    """
    fitting, notices = fitted(config, Machines.of(ray))
    if start and start.config.model != config.model:
        raise ValueError(f"The network in {start.path} has another shape. Give it the same model in the config")
    for notice in notices:
        watcher.told(notice)
    with RllibFolder(out) as folder:
        folder.open(config, start)
        with closing(Watchers(watcher, *more())) as watchers, _algorithm(fitting, start) as algorithm:
            cluster = ray.get_runtime_context().gcs_address
            training = _Training(algorithm, config, out, watchers, start.standing if start else Standing(), cluster)
            return training.run(orders)


@contextmanager
def _algorithm(config: RllibConfig, start: About | None) -> Iterator[Any]:
    algorithm = ppo_config(config, start.standing.timesteps if start else 0).build_algo()
    try:
        if start:
            algorithm.restore_from_path(str(start.path.resolve()))
        yield algorithm
    finally:
        algorithm.stop()


class _Training:
    def __init__(
        self, algorithm: Any, config: RllibConfig, out: Path, watcher: Watcher, standing: Standing, cluster: str
    ) -> None:
        self._algorithm, self._config, self._out, self._watcher = algorithm, config, out, watcher
        self._standing, self._cluster = standing, cluster
        self._seeds = judging_seeds(config.evaluation_duration)

    def run(self, orders: Orders) -> Standing:
        first = self._standing.iteration
        self._watcher.began(first, orders.iterations)
        if self._standing.best_reward is None:  # what it can do before it has learnt anything
            self._judge()
        try:
            self._iterate(orders)
        finally:
            if self._standing.iteration > first or first == 0:
                with uninterrupted():
                    self._keep(LAST)
        return self._standing

    def _iterate(self, orders: Orders) -> None:
        while self._standing.iteration < orders.iterations:
            self._step()
            done = self._standing.iteration
            if done % self._config.evaluation_interval == 0 or done == orders.iterations:
                self._judge()
                if self._reached(orders):
                    return
            if done % orders.checkpoint_freq == 0:
                self._keep(LAST)
            self._check_memory(orders)

    def _reached(self, orders: Orders) -> bool:
        reward = self._standing.reward
        return orders.target_reward is not None and reward is not None and reward >= orders.target_reward

    def _step(self) -> None:
        began = time.monotonic()
        result = self._result()
        seconds = time.monotonic() - began
        played, before = result["env_runners"], self._standing
        self._standing = replace(
            before,
            iteration=before.iteration + 1,
            timesteps=before.timesteps + whole(played["num_env_steps_sampled"]),
            episodes=before.episodes + whole(played.get("num_episodes")),
            seconds=before.seconds + seconds,
            illegal=before.illegal + whole(played.get("illegal")),
        )
        self._watcher.iterated(row_of(result, self._standing, seconds, memory_in_use(self._cluster)))

    def _result(self) -> Any:
        """Of an iteration in which something was played: processes that died take a while to come back."""
        deadline = time.monotonic() + _PATIENCE
        while not whole((result := self._algorithm.train())["env_runners"].get("num_env_steps_sampled")):
            if time.monotonic() > deadline:
                raise ValueError(
                    f"No env runner has answered for {_PATIENCE:g} seconds. The training so far is saved in "
                    f"{self._out / LAST}; the logs of Ray say why (/tmp/ray/session_latest/logs)"
                )
            time.sleep(1.0)
        return result

    def _judge(self) -> None:
        found = judge(self.module(), self._config.env_config, self._seeds)
        best = self._standing.best_reward is None or found.reward > self._standing.best_reward
        self._standing = replace(self._standing, reward=found.reward, win_rate=found.win_rate)
        if best:
            now = self._standing
            self._standing = replace(now, best_reward=found.reward, best_iteration=now.iteration)
            with uninterrupted():
                self._keep_best(found)
        self._watcher.judged(self._told(found), best)

    def module(self) -> Any:
        """The network as it has just been trained."""
        module = self._algorithm.get_module()
        module.set_state(self._algorithm.learner_group.get_weights()["default_policy"])
        return module

    def _told(self, found: Judged) -> dict[str, Any]:
        low, high = found.interval
        return {
            "iteration": self._standing.iteration,
            "timesteps_total": self._standing.timesteps,
            "reward": found.reward,
            "episodes": len(found.results),
            "win_rate": found.win_rate,
            "win_rate_low": low,
            "win_rate_high": high,
            "mean_ante": found.mean("ante"),
            "mean_blinds": found.mean("blinds"),
            "mean_length": found.mean("length"),
            "illegal_actions": int(sum(result["illegal"] for result in found.results)),
        }

    def _keep_best(self, found: Judged) -> None:
        """The checkpoint, what is known of it beside it, and the network for play without Ray."""
        self._keep(BEST)
        now = self._standing
        side = {
            "iteration": now.iteration,
            "reward": found.reward,
            "episodes": now.episodes,
            "timesteps": now.timesteps,
            "win_rate": found.win_rate,
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%S"),
        }
        write_text(self._out / f"{BEST}.json", json.dumps(side, indent=2) + "\n")
        if self._config.model.exports:
            export_module(self.module(), self._out / PLAYS, self._config, side)

    def _keep(self, name: str) -> None:
        save(self._algorithm, self._out / name, self._config, self._standing)

    def _check_memory(self, orders: Orders) -> None:
        if orders.memory_gb is not None and (used := memory_in_use(self._cluster)) > orders.memory_gb * _GIGABYTE:
            raise ValueError(
                f"The training takes {used / _GIGABYTE:.1f} GB, more than --memory {orders.memory_gb:g} allows. "
                f"It is saved in {self._out / LAST}: resume from there with fewer env runners, fewer envs in each, "
                "or smaller batches, or with more --memory"
            )
