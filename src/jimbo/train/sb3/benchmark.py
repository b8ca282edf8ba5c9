"""Several experiments, one after another, judged on the same games."""

from __future__ import annotations

import inspect
import json
import logging
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, cast

from jimbo.files import write_text
from jimbo.train.sb3.experiment import ExperimentConfig, ExperimentResult, check_folder_name
from jimbo.train.sb3.metrics import BalatroMetrics
from jimbo.train.sb3.plots import comparison_table, print_comparison_table
from jimbo.train.sb3.registry import create_trainer
from jimbo.train.sb3.trainer import RLTrainer

JUDGED_BY = 100
"""Games that each model plays at the end, whatever its training took."""
Metric = Literal["mean_reward", "mean_antes", "mean_scores"]
_METRICS = ("mean_reward", "mean_antes", "mean_scores")
_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Failure:
    """An experiment that came to nothing."""

    name: str
    algorithm: str
    reason: str

    def __str__(self) -> str:
        return f"{self.name} failed: {self.reason}"


class MultiAlgorithmBenchmark:
    """Runs experiments and compares them.

    >>> benchmark = MultiAlgorithmBenchmark(create_balatro_env, "first_try")
    >>> benchmark.add_experiment(ExperimentConfig(algorithm="PPO", total_timesteps=100_000))
    >>> results = benchmark.run_all()
    >>> benchmark.print_summary()

    ``env_creator`` is called without arguments, or with ``seed=`` where it takes one. Results are kept in
    ``folder/<benchmark_name>_<time>``: ``results.json`` and ``results.txt``, written again after each experiment.
    """

    def __init__(
        self,
        env_creator: Callable[..., Any],
        benchmark_name: str = "balatro_benchmark",
        *,
        folder: Path | str = "benchmarks",
        judged_by: int | None = None,
    ) -> None:
        """``judged_by``: games that each model plays at the end, 100 by default."""
        if judged_by is not None and judged_by < 1:
            raise ValueError(f"judged_by must be at least 1, not {judged_by}")
        check_folder_name(benchmark_name)
        self.env_creator = env_creator
        self.benchmark_name = benchmark_name
        self.save_path = Path(folder) / f"{benchmark_name}_{datetime.now(UTC):%Y%m%d-%H%M%S-%f}"
        self.experiments: list[ExperimentConfig] = []
        self.results: list[ExperimentResult] = []
        self.failures: list[Failure] = []
        """What went wrong."""
        self._judged_by = judged_by or JUDGED_BY

    def add_experiment(self, config: ExperimentConfig) -> None:
        self.experiments.append(config)

    def add_experiments(self, configs: Iterable[ExperimentConfig]) -> None:
        self.experiments += configs

    def run_all(self) -> list[ExperimentResult]:
        """Runs all experiments; one that fails is logged, noted in ``failures``, and does not stop the others."""
        if not self.experiments:
            raise ValueError("there is no experiment to run: call add_experiment first")
        for config in self.experiments:
            try:
                self.results.append(self.run_experiment(config))
            except Exception as error:  # whatever one experiment does, the others go on
                # A sentence of ours says all; where something else broke, its kind helps whoever looks for it.
                reason = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
                _logger.error("The experiment %s failed: %s", config.name, reason)
                _logger.debug("Where it failed", exc_info=True)
                self.failures.append(Failure(config.name, config.algorithm, reason))
            self._write()
        return list(self.results)

    def run_experiment(self, config: ExperimentConfig) -> ExperimentResult:
        trainer = create_trainer(self._env(config.seed), config.to_trainer_config())
        try:
            began = datetime.now(UTC)
            trainer.train()
            duration = (datetime.now(UTC) - began).total_seconds()
            return self._result(config, trainer, duration)
        finally:
            trainer.close()

    def get_best_result(self, metric: Metric = "mean_reward") -> ExperimentResult | None:
        """The highest by this number; None where nothing was run."""
        if metric not in _METRICS:
            raise ValueError(f'there is no metric "{metric}": choose from {", ".join(_METRICS)}')
        return max(self.results, key=lambda result: cast(float, getattr(result, metric)), default=None)

    def compare_algorithms(self) -> dict[str, dict[str, float]]:
        """Means of all results of each algorithm."""
        found: dict[str, dict[str, float]] = {}
        for algorithm in dict.fromkeys(result.algorithm for result in self.results):
            own = [result for result in self.results if result.algorithm == algorithm]
            names = (*_METRICS, "win_rate", "training_duration")
            found[algorithm] = {name: sum(getattr(one, name) for one in own) / len(own) for name in names}
        return found

    def print_summary(self) -> None:
        """All results, the best by reward first, and what failed."""
        print_comparison_table(self.results)
        for failure in self.failures:
            print(failure)

    def _env(self, seed: int) -> Any:
        takes = inspect.signature(self.env_creator).parameters
        seeded = "seed" in takes or any(one.kind is one.VAR_KEYWORD for one in takes.values())
        return self.env_creator(seed=seed) if seeded else self.env_creator()

    def _result(self, config: ExperimentConfig, trainer: RLTrainer, duration: float) -> ExperimentResult:
        mean, spread = trainer.evaluate(self._judged_by)
        judged = cast(BalatroMetrics, getattr(trainer, "judged", trainer.metrics)).get_summary()
        learnt = trainer.get_metrics()
        return ExperimentResult(
            algorithm=config.algorithm,
            name=config.name,
            total_timesteps=trainer.total_timesteps,
            mean_reward=mean,
            std_reward=spread,
            mean_antes=judged["mean_ante"],
            mean_scores=judged["mean_score"],
            win_rate=judged["win_rate"],
            illegal_actions=int(judged["illegal_actions"]) + sum(learnt.get("episode_illegal", [])),
            training_duration=round(duration, 1),
            save_path=str(trainer.save_path),
            metrics=learnt,
        )

    def _write(self) -> None:
        self.save_path.mkdir(parents=True, exist_ok=True)
        data = {
            "benchmark": self.benchmark_name,
            "games": self._judged_by,
            "results": [result.to_dict() for result in self.results],
            "failures": [asdict(failure) for failure in self.failures],
            "experiments": [config.to_dict() for config in self.experiments],
        }
        write_text(self.save_path / "results.json", json.dumps(data, indent=2) + "\n")
        write_text(self.save_path / "results.txt", self._text())

    def _text(self) -> str:
        from io import StringIO

        from rich.console import Console

        out = StringIO()
        Console(file=out, width=160).print(comparison_table(self.results))
        return out.getvalue() + "".join(f"{failure}\n" for failure in self.failures)


def create_standard_comparison() -> list[ExperimentConfig]:
    """PPO and A2C with four environments, DQN with one, 100,000 steps each."""
    return [
        ExperimentConfig(name=f"{algorithm}_standard", algorithm=algorithm, total_timesteps=100_000, n_envs=n_envs)
        for algorithm, n_envs in (("PPO", 4), ("A2C", 4), ("DQN", 1))
    ]
