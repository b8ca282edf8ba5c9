"""The loop: actors play all the time; a training and a gate for each iteration. A kill at any moment loses little."""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from multiprocessing import get_context
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any, Literal

from jimbo.az.actor import run_actor
from jimbo.az.gate import POSITIONS, RESULT, Gated, Opponent, read_gate, run_gate
from jimbo.az.match import kept_positions
from jimbo.az.models import BEST, check_models, checkpoint_path, first_file
from jimbo.az.replay import open_replay
from jimbo.az.schema import database_of
from jimbo.az.settings import SOLVED, LoopConfig
from jimbo.az.stats import Best, draw_strength, read_record, read_stats
from jimbo.az.trainer import run_trainer
from jimbo.declared import declared, from_dict, short_repr
from jimbo.engine.az import game_spec
from jimbo.files import replacing, write_text
from jimbo.pace import PACE, Pace
from jimbo.processes import children_without_ctrl_c, end_all
from jimbo.run_folder import check_empty_or_ours, locked
from jimbo.signals import uninterrupted

STATE = "loop.json"
Phase = Literal["play", "train", "gate"]
_BEST = re.compile(r"best_iteration_\d{4,}\.onnx")
_FIXED = ("steps", "network", "width", "blocks")
"""Settings that a loop keeps: steps are numbered by them, and weights have their shape."""
PICTURE, LOGS = "strength.svg", "logs"
_LOOK = 0.2
_COUNT = 1.0
_PATIENCE = 20.0
"""Seconds that a process has to end by itself."""
_MAX_FAILURES = 3
_LOG_FORMAT = "%(asctime)s %(levelname)s %(message)s"


@dataclass(frozen=True, kw_only=True)
class Iteration:
    """An iteration that is over."""

    iteration: int = declared(min=0)
    step: int = declared(min=0)
    episodes: int = declared(min=0)
    seconds: float = declared(min=0.0)
    random_win_rate: float
    best_score: float | None
    optimal_moves: float | None
    best_optimal: float | None
    promoted: bool


@dataclass
class LoopState:
    env_id: str
    iteration: int = 0
    """Iterations that are over."""
    phase: Phase = "play"
    mark: int = 0
    """Number of the newest row of the store when this iteration began."""
    best: str = ""
    """Name of the best model in the folder of models; none at first."""
    best_iteration: int = 0
    best_step: int = 0
    seconds: float = 0.0
    """Time spent in all."""
    history: list[Mapping[str, Any]] = field(default_factory=list)
    """A row for each iteration that is over."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Settings that it keeps."""

    def write(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        write_text(folder / STATE, json.dumps(asdict(self), indent=1) + "\n")


def read_state(config: LoopConfig) -> LoopState:
    """Return the state on disk, or a new one; ValueError for a loop that these settings cannot resume."""
    asked = {name: getattr(config, name) for name in _FIXED}
    path = Path(config.stats).parent / STATE
    state = read_record(LoopState, path, "Choose another --out.", lambda state: _check(state, config, asked))
    state = state or LoopState(config.env_id)
    state.settings = asked
    return state


def _check(state: LoopState, config: LoopConfig, asked: Mapping[str, Any]) -> None:
    if state.env_id != config.env_id:
        raise ValueError(f"it is a loop of {state.env_id}")
    rows = [from_dict(Iteration, row, "history") for row in state.history]
    # Loops of earlier versions did not note their settings, but their steps can be seen.
    known = dict(state.settings) or ({"steps": rows[0].step // (rows[0].iteration + 1)} if rows else {})
    if other := [name for name in known if known[name] != asked.get(name)]:
        raise ValueError(f"it is a loop with --{other[0]} {known[other[0]]}")
    if state.best:
        # Earlier versions wrote a path; a name alone keeps a copied or moved loop among its own files.
        state.best = Path(state.best).name
        if not _BEST.fullmatch(state.best):
            raise ValueError(f"{short_repr(state.best)} is not the name of a best model")
        if not (Path(config.model_dir) / state.best).is_file():
            raise ValueError(f"the best model, {Path(config.model_dir) / state.best}, is missing")


class LoopFailed(RuntimeError):
    """A process fails again and again."""

    def __init__(self, log_file: Path) -> None:
        super().__init__(f"A process failed {_MAX_FAILURES} times; {log_file} says why.")


def run_loop(config: LoopConfig, watch: Callable[[Loop], None]) -> LoopState:
    """Run all iterations that are left, and show the loop to ``watch``; ValueError or LoopFailed with a sentence."""
    game_spec(config.env_id)
    folder = Path(config.stats).parent
    _check_folders(config, folder)
    with locked(folder, "loop"), Loop(config, folder, watch) as loop:
        loop.run()
        return loop.state


def _check_folders(config: LoopConfig, folder: Path) -> None:
    """ValueError where a process would fail later, or where others have put their files."""
    models = Path(config.model_dir)
    database_of(config.db, create=True)
    if not (folder / STATE).exists():
        store = re.escape(Path(config.db).name)  # an actor may have started
        check_empty_or_ours(folder, STATE, re.compile(f"{store}(-wal|-shm|-journal)?|{re.escape(models.name)}"))
        check_empty_or_ours(models, STATE)
    check_models(models)
    read_stats(Path(config.stats), config.env_id)
    read_gate(config, 0)
    if config.optimal_positions and config.env_id in SOLVED:
        kept_positions(config.env_id, folder / POSITIONS)


class Loop:
    """A loop and its processes, which end with the ``with`` statement."""

    def __init__(self, config: LoopConfig, folder: Path, watch: Callable[[Loop], None]) -> None:
        self.config, self._folder, self._watch = config, folder, watch
        self.state = read_state(config)
        self.crew = Actors(self._new_actor, folder / LOGS)
        self.episodes, self.games_per_s = 0, 0.0
        """Games played since the iteration began, and how many come in a second."""
        self._counted, self._next_count = 0, 0.0
        self._work: SpawnProcess | None = None
        self._began, self._before = time.monotonic(), self.state.seconds

    def __enter__(self) -> Loop:
        self._replay = open_replay(self.config.db, create=True)
        self._replay.describe(game_spec(self.config.env_id))
        self._pace = Pace(self._folder / PACE).__enter__()
        self.state.write(self._folder)  # from now on the folder is that of a loop
        return self

    def __exit__(self, *_: object) -> None:
        with uninterrupted():
            if self._work is not None:
                end_all([self._work], _PATIENCE)
            self.crew.dismiss()
            self._replay.close()
            self._pace.__exit__()

    def run(self) -> None:
        config = self.config
        while self.state.iteration < config.iterations and not self._is_late():
            if self.state.phase == "play":
                self._wait(lambda: self.episodes >= config.episodes)
                self._enter("train")
            if self.state.phase == "train":
                self._finish(run_trainer, config.of_trainer(self.state.iteration), "trainer.log")
                (self._folder / RESULT).unlink(missing_ok=True)
                self._enter("gate")
            while (found := read_gate(config, self.state.iteration)) is None:
                self._finish(run_gate, config, "gate.log", self.state.iteration, self._opponent())
            with uninterrupted():
                self._conclude(found)
            self._watch(self)

    def _is_late(self) -> bool:
        limit = 60 * self.config.max_minutes
        return 0 < limit < time.monotonic() - self._began

    # --- Processes ----------------------------------------------------------------------------------------------------

    def _new_actor(self, number: int) -> SpawnProcess:
        config = self.config.of_actor(self.state.iteration, number)
        return _start(run_actor, config, self._folder / LOGS / f"actor-{number}.log")

    def _finish(self, work: Callable[..., int], config: Any, log_name: str, *more: Any) -> None:
        """Let a process do its work; one that dies is started again."""
        log_file = self._folder / LOGS / log_name
        failures = 0
        while True:
            self._work = work_now = _start(work, config, log_file, *more)
            self._wait(lambda: not work_now.is_alive())  # noqa: B023
            self._work = None
            if work_now.exitcode == 0:
                return
            failures += _has_failed(work_now)
            if failures == _MAX_FAILURES:
                raise LoopFailed(log_file)

    def _wait(self, over: Callable[[], bool]) -> None:
        while not over():
            self._count()
            if self.episodes < self.config.lead * self.config.episodes:
                self.crew.hire(self.config.actors)
            else:
                self.crew.dismiss()
            self._watch(self)
            time.sleep(_LOOK)

    def _count(self) -> None:
        """Count new games, once a second; only rows that are new are read."""
        now = time.monotonic()
        if now < self._next_count:
            return
        mark = max(self._counted, self.state.mark)
        written = self._replay.written_since(mark, self.config.env_id)
        if self._counted:
            self.games_per_s += 0.3 * (written.episodes / (now - self._next_count + _COUNT) - self.games_per_s)
        self.episodes += written.episodes
        self._pace.add(games=written.episodes)
        self._counted, self._next_count = written.mark, now + _COUNT

    @property
    def rows(self) -> int:
        """Moves to learn from."""
        return self._replay.rows_known(self.config.env_id, self.config.replay_window)

    # --- From one phase to the next -----------------------------------------------------------------------------------

    def _enter(self, phase: Phase) -> None:
        self.state.phase = phase
        self._keep()

    def _keep(self) -> None:
        self.state.seconds = self._seconds()
        self.state.write(self._folder)

    def _seconds(self) -> float:
        return self._before + time.monotonic() - self._began

    def _opponent(self) -> Opponent | None:
        state = self.state
        if not state.best:
            return None
        return Opponent(path=str(Path(self.config.model_dir) / state.best), iteration=state.best_iteration)

    def _conclude(self, found: Gated) -> None:
        """Write the results, then the state: what is before can be written again, what is after follows from it."""
        state, config = self.state, self.config
        step = (state.iteration + 1) * config.steps
        old = state.best
        if found.promoted:
            models = Path(config.model_dir)
            state.best = f"best_iteration_{state.iteration:04d}.onnx"
            state.best_iteration, state.best_step = state.iteration, step
            with replacing(models / state.best) as beside:
                shutil.copyfile(checkpoint_path(models, step), beside)
        state.history.append(asdict(_row(found, self.episodes, self._seconds())))
        self._write_stats(found)
        if config.clear_replay:
            self._replay.clear(config.env_id)
        state.iteration, state.phase, state.mark = state.iteration + 1, "play", self._replay.newest()
        self.episodes, self._counted = 0, 0
        self._keep()
        self._publish(old)
        if config.of_actor(state.iteration, 0) != config.of_actor(state.iteration - 1, 0):
            self.crew.dismiss()

    def _write_stats(self, found: Gated) -> None:
        state, stats = self.state, read_stats(Path(self.config.stats), self.config.env_id)
        stats.eval_history = [old for old in stats.eval_history if old.current_iteration != found.iteration]
        for evaluation in filter(None, (found.random, found.best)):
            stats.evaluated(evaluation)
        if found.promoted:
            record = found.best or found.random
            stats.best_model = Best(state.best_iteration, state.best_step, record.win_rate, record.timestamp)
        stats.iteration, stats.iterations = found.iteration + 1, state.history
        stats.write(Path(self.config.stats))

    def _publish(self, old: str) -> None:
        folder = Path(self.config.model_dir)
        best = folder / self.state.best if self.state.best else first_file(self.config.env_id)
        if best:
            with replacing(folder / BEST) as beside:
                shutil.copyfile(best, beside)
        if old and old != self.state.best:
            (folder / old).unlink(missing_ok=True)
        draw_strength(self._folder / PICTURE, self.state.history)


def _row(found: Gated, episodes: int, seconds: float) -> Iteration:
    best = found.best
    return Iteration(
        iteration=found.iteration,
        step=found.random.step,
        episodes=episodes,
        seconds=round(seconds, 1),
        random_win_rate=found.random.win_rate,
        best_score=best.win_rate + best.draw_rate / 2 if best else None,
        optimal_moves=found.optimal,
        best_optimal=found.optimal if found.promoted else found.best_optimal,
        promoted=found.promoted,
    )


# --- Processes --------------------------------------------------------------------------------------------------------


def _start(work: Callable[..., int], config: Any, log_file: Path, *more: Any) -> SpawnProcess:
    """Run ``work(config, *more)`` in a process of its own; its output goes to a file."""
    log_file.parent.mkdir(parents=True, exist_ok=True)
    process = get_context("spawn").Process(target=_do, args=(work, config, log_file, more), daemon=True)
    with uninterrupted(), children_without_ctrl_c():
        process.start()
    return process


def _do(work: Callable[..., int], config: Any, log_file: Path, more: tuple[Any, ...]) -> None:
    handle = os.open(log_file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    for stream in (1, 2):
        os.dup2(handle, stream)
    os.close(handle)
    logging.basicConfig(level=config.log_level, format=_LOG_FORMAT, force=True)
    sys.exit(work(config, *more))


def _has_failed(process: SpawnProcess) -> bool:
    """Whether it ended with an error; one that was killed has not failed."""
    return process.exitcode is not None and process.exitcode > 0


class Actors:
    """Processes that run all the time."""

    def __init__(self, make: Callable[[int], SpawnProcess], logs: Path) -> None:
        self._make, self._logs = make, logs
        self._members: dict[int, SpawnProcess] = {}
        self._failures = 0
        self.deaths = 0

    def hire(self, count: int) -> None:
        """Start those that are missing, or have died."""
        for number in range(count):
            there = self._members.get(number)
            if there is not None and there.is_alive():
                continue
            if there is not None:
                self.deaths += 1
                self._failures += _has_failed(there)
            if self._failures >= _MAX_FAILURES:
                raise LoopFailed(self._logs)
            self._members[number] = self._make(number)

    def dismiss(self) -> None:
        end_all(self._members.values(), _PATIENCE)
        self._members = {}

    def __len__(self) -> int:
        return len(self._members)
