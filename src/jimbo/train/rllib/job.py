"""Trainings: a whole one, resumed from any checkpoint, and many short ones with Ray Tune to find good settings."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from jimbo.files import write_text
from jimbo.pace import PACE
from jimbo.rollout.ray_cluster import memory_in_use
from jimbo.run_folder import CONFIG, RunFolder
from jimbo.signals import uninterrupted
from jimbo.text import percent_text
from jimbo.train.core.pace import TrainingPace
from jimbo.train.core.watching import Watcher, Watchers
from jimbo.train.rllib.algorithm import Machines, fitted, ppo_config
from jimbo.train.rllib.balatro_net import export_module
from jimbo.train.rllib.checkpoints import BEST, LAST, Checkpoint, Standing, save_checkpoint
from jimbo.train.rllib.config import RllibConfig
from jimbo.train.rllib.evaluation import GamesPlayed, evaluate, evaluation_seeds
from jimbo.train.rllib.log import evaluation_row, iteration_row, whole

TUNED = 10
"""Short trainings of which the best settings are taken."""
_TUNE_ITERATIONS = 10
"""In each of them at most; the point is to compare, not to finish."""
_SCHEMA = "jimbo_rllib_training_v1"
_EXPORTED = "best"
"""The stem of the network that plays without Ray."""
_GIGABYTE = 1024**3
_PATIENCE = 300.0
"""Seconds without any game, after which a training ends."""

# --- A whole training -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingLimits:
    """When a training ends, and how often it is saved."""

    iterations: int = 1000
    """In all, those before a checkpoint included."""
    checkpoint_freq: int = 10
    target_reward: float | None = None
    """Mean return of an evaluation with which it ends."""
    memory_gb: float | None = None
    """It ends, with what it has learned, when it takes more on this machine."""


def run_training(
    ray: Any,
    config: RllibConfig,
    out: Path,
    limits: TrainingLimits,
    watcher: Watcher,
    *,
    start: Checkpoint | None = None,
    logs: Callable[[], Sequence[Watcher]] = tuple,
) -> Standing:
    """Train in a folder of its own, from the start or from a checkpoint; return how far it is.

    ``logs`` makes watchers that write into the folder, once it is certain that it may be written to.
    """
    fitting, notices = fitted(config, Machines.of(ray))
    if start and start.config.model != config.model:
        raise ValueError(f"The network in {start.path} has another shape. Give it the same model in the config")
    for notice in notices:
        watcher.say(f"Note: {notice}")
    with (
        _training_folder(out, config, start),
        closing(Watchers(watcher, *logs(), TrainingPace(out / PACE))) as watchers,
    ):
        cluster = ray.get_runtime_context().gcs_address
        with _algorithm(fitting, start) as algorithm:
            training = _Training(algorithm, config, out, watchers, start.standing if start else Standing(), cluster)
            training.run(limits)
    return training.standing


@contextmanager
def _training_folder(out: Path, config: RllibConfig, start: Checkpoint | None = None) -> Iterator[None]:
    """Hold the folder and note what is trained there; ValueError where another training is, which would be lost."""
    with RunFolder(out, writer="training") as folder:
        resumes = start is not None and start.path.resolve().parent == out.resolve()
        if folder.path(CONFIG).exists() and not resumes:
            raise ValueError(
                f"{out} holds a training. Resume it with --checkpoint {out / LAST}, or choose another --out"
            )
        folder.write_json(CONFIG, {"schema": _SCHEMA, "settings": config.to_data()})
        yield


@contextmanager
def _algorithm(config: RllibConfig, start: Checkpoint | None) -> Iterator[Any]:
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
        self.standing, self._cluster = standing, cluster
        self._seeds = evaluation_seeds(config.evaluation_duration)

    def run(self, limits: TrainingLimits) -> None:
        first = self.standing.iteration
        self._show_progress(limits, "")
        if self.standing.best_reward is None:  # what it can do before it has learned anything
            self._evaluate()
        try:
            self._iterate(limits)
        finally:
            if self.standing.iteration > first or first == 0:
                with uninterrupted():
                    self._save(LAST)

    def _iterate(self, limits: TrainingLimits) -> None:
        while self.standing.iteration < limits.iterations:
            before = self.standing
            row = self._step()
            played = {
                "games": self.standing.episodes - before.episodes,
                "steps": self.standing.timesteps - before.timesteps,
            }
            self._watcher.count(**played)
            self._watcher.row(row, False)
            self._show_progress(limits, f"{row['games_per_hour']:,.0f} games/hour, {row['memory_gb']:.1f} GB")
            done = self.standing.iteration
            if done % self._config.evaluation_interval == 0 or done == limits.iterations:
                reward = self._evaluate()
                if limits.target_reward is not None and reward >= limits.target_reward:
                    return
            if done % limits.checkpoint_freq == 0:
                self._save(LAST)
            self._check_memory(limits)

    def _show_progress(self, limits: TrainingLimits, note: str) -> None:
        self._watcher.progress("Training", self.standing.iteration, limits.iterations, "iterations", note)

    def _step(self) -> dict[str, Any]:
        started = time.monotonic()
        result = self._result()
        seconds = time.monotonic() - started
        played, before = result["env_runners"], self.standing
        self.standing = replace(
            before,
            iteration=before.iteration + 1,
            timesteps=before.timesteps + whole(played["num_env_steps_sampled"]),
            episodes=before.episodes + whole(played.get("num_episodes")),
            seconds=before.seconds + seconds,
            illegal=before.illegal + whole(played.get("illegal")),
        )
        return iteration_row(result, self.standing, seconds, memory_in_use(self._cluster))

    def _result(self) -> Any:
        """Return the result of an iteration with games in it: processes that died take a while to come back."""
        deadline = time.monotonic() + _PATIENCE
        while not whole((result := self._algorithm.train())["env_runners"].get("num_env_steps_sampled")):
            if time.monotonic() > deadline:
                raise ValueError(
                    f"No env runner has answered for {_PATIENCE:g} seconds. The training so far is saved in "
                    f"{self._out / LAST}; the logs of Ray say why (/tmp/ray/session_latest/logs)"
                )
            time.sleep(1.0)
        return result

    def _evaluate(self) -> float:
        """Play the fixed seeds, and keep the network if it is the best so far; return its mean return."""
        games = evaluate(self._module(), self._config.env_config, self._seeds)
        now = replace(self.standing, reward=games.reward, win_rate=games.win_rate)
        best = now.best_reward is None or games.reward > now.best_reward
        self.standing = replace(now, best_reward=games.reward, best_iteration=now.iteration) if best else now
        if best:
            with uninterrupted():
                self._keep_best(games)
        row = evaluation_row(games, self.standing)
        self._watcher.row(row, best)
        self._watcher.say(
            f"Iteration {row['iteration']}: return {games.reward:.3f}, ante {row['mean_ante']:.2f}, "
            f"won {percent_text(games.win_rate)} of {row['episodes']} games{'; the best so far' if best else ''}"
        )
        return games.reward

    def _module(self) -> Any:
        """Return the network with the learner's newest weights."""
        module = self._algorithm.get_module()
        module.set_state(self._algorithm.learner_group.get_weights()["default_policy"])
        return module

    def _keep_best(self, games: GamesPlayed) -> None:
        """Write the checkpoint, a file about it, and the network for play without Ray."""
        self._save(BEST)
        about = {
            "iteration": self.standing.iteration,
            "reward": games.reward,
            "episodes": self.standing.episodes,
            "timesteps": self.standing.timesteps,
            "win_rate": games.win_rate,
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%S"),
        }
        write_text(self._out / f"{BEST}.json", json.dumps(about, indent=2) + "\n")
        if self._config.exports:
            export_module(self._module(), self._out / _EXPORTED, self._config, about)

    def _save(self, name: str) -> None:
        save_checkpoint(self._algorithm, self._out / name, self._config, self.standing)

    def _check_memory(self, limits: TrainingLimits) -> None:
        if limits.memory_gb is not None and (used := memory_in_use(self._cluster)) > limits.memory_gb * _GIGABYTE:
            raise ValueError(
                f"The training takes {used / _GIGABYTE:.1f} GB, more than --memory {limits.memory_gb:g} allows. "
                f"It is saved in {self._out / LAST}: resume from there with fewer env runners, fewer envs in each, "
                "or smaller batches, or with more --memory"
            )


# --- Short trainings --------------------------------------------------------------------------------------------------


def tune_settings(
    config: RllibConfig, out: Path, iterations: int, trials: int, ended: Callable[[int, float | None], None]
) -> list[dict[str, Any]]:
    """Train with settings drawn at random; write ``tune.json`` and the best config. Return them, the best first.

    ``ended`` is called after each training with how many have ended, and its mean return (None if it failed).
    """
    from ray import tune

    class Counter(tune.Callback):
        count = 0

        def on_trial_complete(self, iteration: int, trials: Any, trial: Any, **_: Any) -> None:
            self.count += 1
            ended(self.count, trial.last_result.get("reward"))

        on_trial_error = on_trial_complete

    with _training_folder(out, config):
        short = tune.with_parameters(_short_training, base=config, iterations=min(iterations, _TUNE_ITERATIONS))
        results = tune.Tuner(
            tune.with_resources(short, {"cpu": 1}),
            param_space=_space(),
            tune_config=tune.TuneConfig(metric="reward", mode="max", num_samples=trials),
            run_config=tune.RunConfig(name="tune", storage_path=str(out.resolve()), verbose=0, callbacks=[Counter()]),
        ).fit()
        found = [
            {"values": dict(result.config), "reward": result.metrics["reward"], "win_rate": result.metrics["win_rate"]}
            for result in results
            if result.error is None and "reward" in (result.metrics or {})
        ]
        if not found:
            raise ValueError(f"No training of {out / 'tune'} came to an end; error.txt in their folders says why.")
        found.sort(key=lambda trial: -trial["reward"])
        write_text(out / "tune.json", json.dumps(found, indent=2) + "\n")
        best = _with_values(config, found[0]["values"]).to_data()
        write_text(out / "best_config.yaml", yaml.safe_dump(best, sort_keys=False))
    return found


def _space() -> dict[str, Any]:
    """Return what is varied, and in which range."""
    from ray import tune

    return {
        "lr": tune.loguniform(1e-6, 1e-3),
        "train_batch_size_per_learner": tune.choice([2000, 4000, 8000]),
        "minibatch_size": tune.choice([64, 128, 256]),
        "num_epochs": tune.randint(10, 51),
        "clip_param": tune.uniform(0.1, 0.3),
        "entropy_coeff": tune.loguniform(1e-3, 0.1),
        "vf_loss_coeff": tune.uniform(0.5, 2.0),
        "size": tune.choice(["tiny", "small"]),
    }


def _with_values(config: RllibConfig, values: dict[str, Any]) -> RllibConfig:
    plain = {name: value for name, value in values.items() if name != "size"}
    return replace(config, **plain, model=replace(config.model, size=values["size"]))


def _short_training(values: dict[str, Any], base: RllibConfig, iterations: int) -> None:
    """Train in a process of Tune's, and play there too, since Ray gave it one core."""
    from ray import tune

    config = _with_values(base, values)
    config = replace(config, num_env_runners=0, num_gpus=0, num_learners=0, num_gpus_per_learner=0.0)
    with _algorithm(config, None) as algorithm:
        for _ in range(iterations):
            algorithm.train()
        games = evaluate(algorithm.get_module(), config.env_config, evaluation_seeds(config.evaluation_duration))
        tune.report({"reward": games.reward, "win_rate": games.win_rate})
