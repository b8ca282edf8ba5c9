"""Looking for good settings: short trainings with Ray Tune, side by side where there are cores for it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from jimbo.files import write_text
from jimbo.train.rllib.algorithm import ppo_config
from jimbo.train.rllib.config import RllibConfig, read_config
from jimbo.train.rllib.evaluation import judge, judging_seeds
from jimbo.train.rllib.job import RllibFolder

SAMPLES = 10
ITERATIONS = 10
"""Of each training at most; the point is to compare, not to finish."""


def space() -> dict[str, Any]:
    """What is varied, and in which range."""
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


def look_for_settings(
    config: RllibConfig,
    out: Path,
    iterations: int,
    samples: int = SAMPLES,
    ended: Callable[[int, float | None], None] = lambda count, reward: None,
) -> list[dict[str, Any]]:
    """Trains with settings drawn at random, the best by evaluation first; writes ``tune.json`` and the best config.

    ``ended`` is told after each training how many have ended, and its mean return (None if it failed).
    """
    from ray import tune

    with RllibFolder(out) as folder:
        folder.open(config, None)
        trainable = tune.with_parameters(_trial, base=config.to_data(), iterations=min(iterations, ITERATIONS))
        tuner = tune.Tuner(
            tune.with_resources(trainable, {"cpu": 1}),
            param_space=space(),
            tune_config=tune.TuneConfig(metric="reward", mode="max", num_samples=samples),
            run_config=tune.RunConfig(
                name="tune", storage_path=str(out.resolve()), verbose=0, callbacks=[_teller(ended)]
            ),
        )
        results = tuner.fit()
        trials = [
            {"values": dict(result.config), "reward": result.metrics["reward"], "win_rate": result.metrics["win_rate"]}
            for result in results
            if result.error is None and "reward" in (result.metrics or {})
        ]
        if not trials:
            raise ValueError(f"No training of {out / 'tune'} came to an end; error.txt in their folders says why.")
        trials.sort(key=lambda trial: -trial["reward"])
        write_text(out / "tune.json", json.dumps(trials, indent=2) + "\n")
        best = varied(config, trials[0]["values"]).to_data()
        write_text(out / "best_config.yaml", yaml.safe_dump(best, sort_keys=False))
    return trials


def _teller(ended: Callable[[int, float | None], None]) -> Any:
    from ray import tune

    class Teller(tune.Callback):
        _count = 0

        def on_trial_complete(self, iteration: int, trials: Any, trial: Any, **_: Any) -> None:
            self._count += 1
            ended(self._count, trial.last_result.get("reward"))

        on_trial_error = on_trial_complete

    return Teller()


def varied(config: RllibConfig, values: dict[str, Any]) -> RllibConfig:
    """The configuration with the values of a trial."""
    plain = {name: value for name, value in values.items() if name != "size"}
    return replace(config, **plain, model=replace(config.model, size=values["size"]))


def _trial(values: dict[str, Any], base: dict[str, Any], iterations: int) -> None:
    """One training, in a process of Tune's; it plays in that process, since Ray gave it one core."""
    from ray import tune

    config, _ = read_config(base)
    config = replace(varied(config, values), num_env_runners=0, num_gpus=0, num_learners=0, num_gpus_per_learner=0.0)
    algorithm = ppo_config(config).build_algo()
    try:
        for _ in range(iterations):
            algorithm.train()
        found = judge(algorithm.get_module(), config.env_config, judging_seeds(config.evaluation_duration))
        tune.report({"reward": found.reward, "win_rate": found.win_rate})
    finally:
        algorithm.stop()
