"""How fast trainings are, and rows of numbers as JSON, CSV, HTML and pictures."""

from __future__ import annotations

import csv
import io
import json
import os
import time
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from jimbo.env.factories import create_balatro_env
from jimbo.extras import require
from jimbo.files import write_text
from jimbo.report.render import html
from jimbo.report.sections import Document, Section, TextTable
from jimbo.training.config import TrainerConfig
from jimbo.training.metrics import save_figure

__all__ = ["PerformanceAnalyzer"]

SIZES = (1, 4, 8, 16, 64, 256)


class PerformanceAnalyzer:
    """Rows of numbers, such as those of ``measure_throughput``.

    >>> analyzer = PerformanceAnalyzer("my machine")
    >>> analyzer.add(n_envs=8, steps_per_second=1500.0)
    >>> analyzer.export_csv("speed.csv")
    """

    def __init__(self, title: str = "Throughput", rows: Iterable[Mapping[str, Any]] = ()) -> None:
        self.title = title
        self.rows: list[dict[str, Any]] = [dict(row) for row in rows]

    def add(self, **row: Any) -> None:
        self.rows.append(row)

    def export_json(self, path: Path | str) -> Path:
        return self._write(path, json.dumps({"title": self.title, "rows": self.rows}, indent=2) + "\n")

    def export_csv(self, path: Path | str) -> Path:
        text = io.StringIO()
        writer = csv.DictWriter(text, self._columns(), restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows)
        return self._write(path, text.getvalue())

    def generate_html_report(self, path: Path | str) -> Path:
        columns = self._columns()
        lines = [[_text(row.get(name, "")) for name in columns] for row in self.rows]
        table = TextTable([name.replace("_", " ") for name in columns], lines)
        return self._write(path, html(Document(self.title, sections=[Section("", parts=[table])])))

    def plot_throughput_comparison(self, path: Path | str, x: str = "n_envs", y: str = "steps_per_second") -> Path:
        """Draw one line for each algorithm, or one for all if rows name none."""
        rows = [row for row in self.rows if x in row and y in row]
        if not rows:
            raise ValueError(f"there is nothing to plot: no row has {x} and {y}")
        figure = require("matplotlib.figure", "train").Figure(figsize=(6, 4), layout="constrained")
        axis = figure.subplots()
        for name in dict.fromkeys(row.get("algorithm", "") for row in rows):
            own = sorted((row[x], row[y]) for row in rows if row.get("algorithm", "") == name)
            axis.plot(*zip(*own, strict=True), marker="o", label=name or None)
        axis.set(title=self.title, xlabel=x.replace("_", " "), ylabel=y.replace("_", " "), xscale="log")
        axis.grid(alpha=0.3)
        if any(row.get("algorithm") for row in rows):
            axis.legend(frameon=False)
        return save_figure(figure, path)

    def _columns(self) -> list[str]:
        if not self.rows:
            raise ValueError("there is nothing to write yet: add rows first")
        return list(dict.fromkeys(name for row in self.rows for name in row))

    def _write(self, path: Path | str, text: str) -> Path:
        self._columns()  # ValueError if there are no rows
        target = Path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        write_text(target, text)
        return target


def _text(value: Any) -> str:
    return f"{value:,.3g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True, slots=True)
class TrainingSpeed:
    algorithm: str
    n_envs: int
    steps: int
    seconds: float
    steps_per_second: float
    cpu_steps_per_second: float
    """Steps per second of processor time, which does not depend on how busy the machine is."""
    memory_mb: float
    env_share: float
    """Share of the time for the games; the rest is for choosing and learning."""
    learner_share: float


def measure_throughput(config: TrainerConfig, n_envs: int, steps: int) -> TrainingSpeed:
    """Train for about so many steps, after a first rollout that does not count.

    PPO keeps the size of its rollouts: with more environments each takes fewer steps.
    """
    require("sb3_contrib", "train")
    from jimbo.training.sb3_trainer import SB3Trainer  # torch takes seconds to import

    with TemporaryDirectory() as folder:
        quiet = _resized(config, n_envs)
        quiet.save_dir = folder
        with closing(SB3Trainer(create_balatro_env(), quiet)) as trainer:
            model = trainer.create_model()
            model.learn(1)
            games, learning = _timed(trainer.vec_env, "step_wait"), _timed(model, "train")
            before, began, cpu = model.num_timesteps, time.perf_counter(), time.process_time()
            model.learn(steps, reset_num_timesteps=False)
            seconds, used = time.perf_counter() - began, time.process_time() - cpu
            done = model.num_timesteps - before
            return TrainingSpeed(
                algorithm=config.algorithm,
                n_envs=n_envs,
                steps=done,
                seconds=round(seconds, 2),
                steps_per_second=round(done / seconds, 1),
                cpu_steps_per_second=round(done / used, 1),
                memory_mb=round(_resident_bytes() / 1e6, 1),
                env_share=round(sum(games) / seconds, 3),
                learner_share=round(sum(learning) / seconds, 3),
            )


def _resident_bytes() -> int:
    """Return the memory that this process occupies now."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _resized(config: TrainerConfig, n_envs: int) -> TrainerConfig:
    specific = config.specific()
    if config.algorithm == "PPO":
        from jimbo.training.algorithms import check_argument

        check_argument("n_steps", specific["n_steps"])
        specific["n_steps"] = max(2, specific["n_steps"] * config.n_envs // n_envs)
    if config.algorithm == "DQN":
        specific["learning_starts"] = 0  # or a short measurement would be over before anything is learnt
    hyperparams = replace(config.hyper, algorithm_specific=specific)
    return replace(config, n_envs=n_envs, hyperparams=hyperparams, tensorboard=False, eval_freq=0, checkpoint_freq=0)


def _timed(thing: Any, name: str) -> list[float]:
    """Return a list to which each call of a method adds the seconds that it took."""
    spent: list[float] = []
    method = getattr(thing, name)

    def timed(*args: Any, **kwargs: Any) -> Any:
        began = time.perf_counter()
        try:
            return method(*args, **kwargs)
        finally:
            spent.append(time.perf_counter() - began)

    setattr(thing, name, timed)
    return spent
