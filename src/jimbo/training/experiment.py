"""Experiments: an algorithm with some changed settings; several of them compared on the same games."""

from __future__ import annotations

import inspect
import json
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from io import StringIO
from itertools import chain, count
from pathlib import Path
from typing import Any, Literal, cast, get_args

from rich.console import Console

from jimbo.declared import declared
from jimbo.files import write_text
from jimbo.train.core.curves import PICTURE
from jimbo.train.core.watching import TrainingBar, Watcher
from jimbo.training.config import CommonConfig, TrainerConfig, get_default_config, set_hyperparameters
from jimbo.training.framework import RLTrainer, check_algorithm, create_trainer, kept_in
from jimbo.training.metrics import BalatroMetrics, comparison_table, plot_training_curves, print_comparison_table
from jimbo.yaml_files import read_yaml

__all__ = ["ExperimentConfig", "ExperimentResult", "MultiAlgorithmBenchmark", "create_standard_comparison"]

DEFAULT_NAME = "default_experiment"
JUDGED_BY = 100
"""Games that each model plays at the end."""
Metric = Literal["mean_reward", "mean_antes", "mean_scores"]
_METRICS = get_args(Metric)
_logger = logging.getLogger(__name__)


def check_folder_name(name: str) -> None:
    """ValueError for a name that would lead elsewhere."""
    if Path(name).name != name or name in ("", ".."):
        raise ValueError(f"name {name} cannot be the name of a folder: use letters, digits, - and _")


@dataclass(slots=True, kw_only=True)
class ExperimentConfig(CommonConfig):
    """One experiment: the defaults of an algorithm, and the changes to them."""

    name: str = declared(DEFAULT_NAME, "what it is called in results", nonempty=True)
    description: str = declared("", "what it is for")
    timestamp: str = declared(default_factory=lambda: f"{datetime.now(UTC):%Y%m%d-%H%M%S}", help="when it was made")
    hyperparams_override: Mapping[str, Any] = declared(
        default_factory=dict, help="fields of HyperparameterConfig, or arguments of the algorithm such as n_steps"
    )
    trainer_override: Mapping[str, Any] = declared(default_factory=dict, help="further fields of TrainerConfig")

    def to_trainer_config(self) -> TrainerConfig:
        """Return the algorithm's defaults with the changes of this experiment; ValueError for an unknown name."""
        data = get_default_config(self.algorithm).to_dict()
        set_hyperparameters(data["hyperparams"], self.hyperparams_override)
        data |= {entry.name: getattr(self, entry.name) for entry in fields(CommonConfig)}
        return TrainerConfig.from_dict({**data, **self.trainer_override})


def read_experiments(path: Path) -> list[ExperimentConfig]:
    """Read a YAML list with the fields of one experiment each, or a mapping with ``experiments`` and ``defaults``."""
    data = read_yaml(path)
    defaults: Mapping[str, Any] = {}
    if isinstance(data, Mapping):
        unknown = [name for name in data if name not in ("defaults", "experiments")]
        if unknown:
            raise ValueError(f"config {path}: {unknown[0]} unknown; expected a list, or experiments and defaults")
        defaults, data = data.get("defaults") or {}, data.get("experiments")
    if not isinstance(data, list) or not data or not isinstance(defaults, Mapping):
        raise ValueError(f"config {path} must be a list of experiments, such as '- algorithm: PPO'")
    found = []
    for place, entry in enumerate(data, 1):
        try:
            found.append(_read_experiment(defaults, entry))
        except ValueError as error:
            raise ValueError(f"config {path}, experiment {place}: {error}") from None
    names = Counter(experiment.name for experiment in found if experiment.name != DEFAULT_NAME)
    if twice := [name for name, times in names.items() if times > 1]:
        raise ValueError(f"config {path}: two experiments are called {twice[0]}; give each a name of its own")
    return found


def _read_experiment(defaults: Mapping[str, Any], entry: Any) -> ExperimentConfig:
    if not isinstance(entry, Mapping):
        raise ValueError("expected named values")
    experiment = ExperimentConfig.from_dict({**defaults, **entry})
    check_algorithm(experiment.algorithm)
    check_folder_name(experiment.name)
    experiment.to_trainer_config()
    return experiment


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentResult:
    """The result of an experiment, evaluated on games that are the same for all."""

    algorithm: str
    name: str
    asked_timesteps: int
    total_timesteps: int
    """Steps that were made; rollouts are whole."""
    updates: int | None
    """Passes over a rollout (PPO, A2C) or steps of the optimizer (DQN); None where they are not counted."""
    mean_reward: float
    std_reward: float
    mean_antes: float
    mean_scores: float
    """Mean score of the best hands."""
    win_rate: float
    illegal_actions: int
    """In training and evaluation; 0 unless something is wrong."""
    training_duration: float
    """Seconds."""
    save_path: str
    warnings: Sequence[str]
    """Remarks that these numbers do not show."""
    metrics: Mapping[str, Any]
    """Every episode of the training, as ``get_metrics`` gives them."""

    def to_dict(self) -> dict[str, Any]:
        """Return all but the single episodes."""
        return {entry.name: getattr(self, entry.name) for entry in fields(self) if entry.name != "metrics"}

    def __repr__(self) -> str:
        return f"<ExperimentResult {self.name} ({self.algorithm}): mean reward {self.mean_reward:.3f}>"


@dataclass(frozen=True, slots=True)
class Failure:
    """An experiment that failed."""

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
    ``folder/<benchmark_name>_<time>``: ``results.json`` and ``results.txt``, written again after each experiment, and
    curves at the end, ``training.png``.
    """

    def __init__(
        self,
        env_creator: Callable[..., Any],
        benchmark_name: str = "balatro_benchmark",
        *,
        folder: Path | str = "benchmarks",
        judged_by: int | None = None,
        verbose: int = 1,
    ) -> None:
        """``judged_by``: games that each model plays at the end, 100 by default.

        ``verbose``: 1 shows how it goes and where the files are, 0 nothing.
        """
        if judged_by is not None and judged_by < 1:
            raise ValueError(f"judged_by must be at least 1, not {judged_by}")
        check_folder_name(benchmark_name)
        self.env_creator = env_creator
        self.benchmark_name = benchmark_name
        self.save_path = Path(folder) / f"{benchmark_name}_{datetime.now(UTC):%Y%m%d-%H%M%S-%f}"
        self.experiments: list[ExperimentConfig] = []
        self.results: list[ExperimentResult] = []
        self.failures: list[Failure] = []
        self._judged_by = judged_by or JUDGED_BY
        self._verbose = verbose
        self._watcher = TrainingBar() if verbose else Watcher()

    def add_experiment(self, config: ExperimentConfig) -> None:
        """Add an experiment. Without a name it is called after its algorithm; a name that is taken gets a number."""
        name = config.algorithm if config.name == DEFAULT_NAME else config.name
        taken = {one.name for one in self.experiments}
        names = chain([name], (f"{name}_{number}" for number in count(2)))
        self.experiments.append(replace(config, name=next(free for free in names if free not in taken)))

    def add_experiments(self, configs: Iterable[ExperimentConfig]) -> None:
        for config in configs:
            self.add_experiment(config)

    def run_all(self) -> list[ExperimentResult]:
        """Run all experiments; one that fails is logged, noted in ``failures``, and does not stop the others."""
        if not self.experiments:
            raise ValueError("there is no experiment to run: call add_experiment first")
        for place, config in enumerate(self.experiments, 1):
            where = f"{place} of {len(self.experiments)}"
            self._watcher.say(f"{config.name} ({where}): {config.algorithm}, {config.total_timesteps:,} steps")
            try:
                self.results.append(self.run_experiment(config))
            except Exception as error:  # whatever one experiment does, the others run
                # A ValueError is a sentence; of anything else the kind helps to find the mistake.
                reason = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
                _logger.error("The experiment %s failed: %s", config.name, reason)
                _logger.debug("Where it failed", exc_info=True)
                self.failures.append(Failure(config.name, config.algorithm, reason))
            self._write()
        if curves := {one.name: one.metrics for one in self.results if one.metrics.get("episode_rewards")}:
            plot_training_curves(curves, self.save_path / PICTURE)
        self._watcher.say(kept_in(self.save_path))
        return list(self.results)

    def run_experiment(self, config: ExperimentConfig) -> ExperimentResult:
        settings = config.to_trainer_config()
        settings.verbose = min(settings.verbose, self._verbose)
        trainer = create_trainer(self._env(config.seed), settings)
        try:
            began = datetime.now(UTC)
            trainer.train()
            duration = (datetime.now(UTC) - began).total_seconds()
            return self._result(config, trainer, duration)
        finally:
            trainer.close()

    def get_best_result(self, metric: Metric = "mean_reward") -> ExperimentResult | None:
        """Return the highest by this number; None if nothing was run. A result without updates does not count."""
        if metric not in _METRICS:
            raise ValueError(f'there is no metric "{metric}": choose from {", ".join(_METRICS)}')
        learnt = [result for result in self.results if result.updates != 0]
        return max(learnt, key=lambda result: cast(float, getattr(result, metric)), default=None)

    def compare_algorithms(self) -> dict[str, dict[str, float]]:
        """Return the means of all results of each algorithm."""
        found: dict[str, dict[str, float]] = {}
        for algorithm in dict.fromkeys(result.algorithm for result in self.results):
            own = [result for result in self.results if result.algorithm == algorithm]
            names = (*_METRICS, "win_rate", "training_duration")
            found[algorithm] = {name: sum(getattr(one, name) for one in own) / len(own) for name in names}
        return found

    def print_summary(self) -> None:
        """Print all results, the best by reward first, with all remarks and failures."""
        print_comparison_table(self.results)
        for sentence in self.remarks():
            print(sentence)

    def remarks(self) -> list[str]:
        """Return a line for each warning and each failure, which the table does not show."""
        warned = [f"{result.name}: {sentence}" for result in self.results for sentence in result.warnings]
        return [*warned, *map(str, self.failures)]

    def _env(self, seed: int) -> Any:
        takes = inspect.signature(self.env_creator).parameters
        seeded = "seed" in takes or any(one.kind is one.VAR_KEYWORD for one in takes.values())
        return self.env_creator(seed=seed) if seeded else self.env_creator()

    def _result(self, config: ExperimentConfig, trainer: RLTrainer, duration: float) -> ExperimentResult:
        mean, std = trainer.evaluate(self._judged_by)
        evaluated = cast(BalatroMetrics, getattr(trainer, "judged", trainer.metrics)).get_summary()
        learnt = trainer.get_metrics()
        return ExperimentResult(
            algorithm=config.algorithm,
            name=config.name,
            asked_timesteps=config.total_timesteps,
            total_timesteps=trainer.total_timesteps,
            updates=trainer.updates,
            warnings=trainer.warnings,
            mean_reward=mean,
            std_reward=std,
            mean_antes=evaluated["mean_ante"],
            mean_scores=evaluated["mean_score"],
            win_rate=evaluated["win_rate"],
            illegal_actions=int(evaluated["illegal_actions"]) + sum(learnt.get("episode_illegal", [])),
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
        out = StringIO()
        Console(file=out, width=160).print(comparison_table(self.results))
        return out.getvalue() + "".join(f"{sentence}\n" for sentence in self.remarks())


def create_standard_comparison() -> list[ExperimentConfig]:
    """Return PPO and A2C with four environments, DQN with one, 100,000 steps each."""
    return [
        ExperimentConfig(name=f"{algorithm}_standard", algorithm=algorithm, total_timesteps=100_000, n_envs=n_envs)
        for algorithm, n_envs in (("PPO", 4), ("A2C", 4), ("DQN", 1))
    ]
