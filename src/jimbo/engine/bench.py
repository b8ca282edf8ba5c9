"""Rates of the engine, and the signature of its rules.

>>> from jimbo.engine.bench import FIGURES
>>> FIGURES[0].key
'decisions_per_s'
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

import numpy as np

from jimbo.engine._core import (
    STATE_BYTES,
    Timing,
    signature,
    time_best_hands,
    time_clones,
    time_decisions,
    time_draws,
    time_public_states,
    time_runs,
    time_scores,
)
from jimbo.engine.batch import Batch, BatchArrays
from jimbo.engine.observation import action_dtype

__all__ = ["FIGURES", "REPEATS", "STATE_BYTES", "Figure", "Rates", "measure", "signature"]

REPEATS = 7
"""Each figure is the median of this many measurements."""


@dataclass(frozen=True)
class PythonTiming:
    """How long some work driven from Python took, like the engine's own `Timing`."""

    count: int
    wall_s: float
    cpu_s: float
    checksum: float


@dataclass(frozen=True)
class Figure:
    """A piece of work, and how much of it makes one repeat of about a tenth of a second."""

    key: str
    meaning: str
    count: int
    time: Callable[[int], Timing | PythonTiming]


_ROWS = 256


def _time_env(count: int) -> PythonTiming:
    """Decisions of random play in a batch stepped from Python, with observations and masks written after each."""
    batch = Batch(_ROWS, encoding="actions", autoreset="same_step")
    arrays = BatchArrays.for_batch(batch)
    batch.bind(**arrays.as_arguments())
    batch.reset()
    actions = np.zeros(_ROWS, action_dtype())
    steps = max(1, count // _ROWS)
    wall, cpu = time.perf_counter(), time.process_time()
    for step in range(steps):
        batch.sample(actions, step)
        batch.step(actions)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    checksum = float(arrays.observations.view(np.uint8).sum() + arrays.masks.sum())
    return PythonTiming(steps * _ROWS, wall, cpu, checksum)


FIGURES = (
    Figure("decisions_per_s", "decisions of random play", 200_000, lambda count: time_decisions(count, 1)),
    Figure("runs_per_s", "whole runs of random play", 20_000, time_runs),
    Figure("clones_per_s", "copies of a run", 1_000_000, time_clones),
    Figure("scores_per_s", "scores of five cards with five jokers", 1_000_000, time_scores),
    Figure("best_hand_per_s", "searches for the best play of eight cards", 6_000, time_best_hands),
    Figure("public_states_per_s", "what a player may know, made from a run", 200_000, time_public_states),
    Figure("env_decisions_per_s", "decisions of a batch, observed, from Python", 100_000, _time_env),
)
DRAWS = Figure("draw_ns", "nanoseconds for one random draw", 2_000_000, time_draws)


@dataclass(frozen=True)
class Rates:
    """Figures by key, in wall-clock time and in processor time."""

    wall: dict[str, float]
    cpu: dict[str, float]


def measure(
    threads: int,
    *,
    work: float = 1.0,
    on_progress: Callable[[str], None] = lambda meaning: None,
) -> Rates:
    """Measures everything; `work` scales how much is done, `on_progress` is told what comes next."""
    rates = Rates({}, {})
    for figure in FIGURES:
        on_progress(figure.meaning)
        timings = _repeat(figure, work)
        rates.wall[figure.key] = median(t.count / t.wall_s for t in timings)
        rates.cpu[figure.key] = median(t.count / t.cpu_s for t in timings)
    on_progress(f"{threads} threads")
    rates.wall["thread_speedup"] = _speedup(threads, work)
    on_progress(DRAWS.meaning)
    draws = _repeat(DRAWS, work)
    rates.wall[DRAWS.key] = median(1e9 * t.wall_s / t.count for t in draws)
    rates.cpu[DRAWS.key] = median(1e9 * t.cpu_s / t.count for t in draws)
    return rates


def _repeat(figure: Figure, work: float) -> list[Timing | PythonTiming]:
    count = max(1, round(figure.count * work))
    figure.time(max(1, count // 10))  # warms up
    return [figure.time(count) for _ in range(REPEATS)]


def _speedup(threads: int, work: float) -> float:
    """How many times as fast random play is on several threads. The two take turns, so that both meet the same load."""
    count = max(1, round(FIGURES[0].count * work))
    ratios = []
    for _ in range(REPEATS):
        one, many = time_decisions(count, 1), time_decisions(count, threads)
        ratios.append((many.count / many.wall_s) / (one.count / one.wall_s))
    return median(ratios)
