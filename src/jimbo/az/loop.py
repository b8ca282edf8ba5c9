"""The loop: actors play all the time; a training and a gate for each iteration. A kill at any moment loses little."""

from __future__ import annotations

import json
import os
import re
import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any, Literal

from jimbo.az.actor import run_actor
from jimbo.az.children import MAX_FAILURES, Actors, LoopFailed, end, has_failed, start
from jimbo.az.databases import database_of
from jimbo.az.games import known_game
from jimbo.az.gate import POSITIONS, RESULT, Gated, Opponent, read_gate, run_gate
from jimbo.az.models import BEST, check_models, checkpoint_path, first_file
from jimbo.az.optimal import SOLVED, kept_positions
from jimbo.az.replay import open_replay
from jimbo.az.settings import LoopConfig
from jimbo.az.stats import Best, draw_strength, read_stats
from jimbo.az.trainer import run_trainer
from jimbo.declared import declared, from_dict, short_repr
from jimbo.files import loads, read_text, reason, replacing, write_text
from jimbo.run_folder import check_empty_or_ours, lock_folder
from jimbo.signals import uninterrupted

STATE = "loop.json"
Phase = Literal["play", "train", "gate"]
_BEST = re.compile(r"best_iteration_\d{4,}\.onnx")
_FIXED = ("steps", "network", "width", "blocks")
"""Settings that a loop keeps: steps are numbered by them, and weights have their shape."""
PICTURE, LOGS = "strength.svg", "logs"
_LOOK = 0.2
_COUNT = 1.0


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
    """The newest row of the store when this iteration began."""
    best: str = ""
    """Name of the best model in the folder of models; none at first."""
    best_iteration: int = 0
    best_step: int = 0
    seconds: float = 0.0
    """Spent in all."""
    history: list[Mapping[str, Any]] = field(default_factory=list)
    """A row for each iteration that is over."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Those that it keeps."""

    def write(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        write_text(folder / STATE, json.dumps(asdict(self), indent=1) + "\n")


def best_name(iteration: int) -> str:
    """Return the name under which the model of an iteration is kept as the best."""
    return f"best_iteration_{iteration:04d}.onnx"


def read_state(config: LoopConfig) -> LoopState:
    """Return what is there, or the beginning; ValueError for a loop that these settings cannot resume."""
    path = Path(config.stats).parent / STATE
    asked = {name: getattr(config, name) for name in _FIXED}
    if not path.exists():
        return LoopState(config.env_id, settings=asked)
    try:
        state = from_dict(LoopState, loads(read_text(path), finite=True))
        _check(state, config, asked)
    except (OSError, UnicodeError) as error:
        raise ValueError(f"{path} cannot be read: {reason(error)}.") from None
    except ValueError as error:
        raise ValueError(f"{path} cannot be resumed: {error}. Choose another --out.") from None
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


@dataclass(frozen=True, slots=True)
class View:
    """How a loop goes, for whoever shows it."""

    config: LoopConfig
    state: LoopState
    episodes: int
    """Played since the iteration began."""
    rows: int
    games_per_s: float
    deaths: int
    pids: dict[str, list[int]]


Watch = Callable[[View], None]


def run_loop(config: LoopConfig, watch: Watch) -> LoopState:
    """All iterations, or those that are left; ValueError or LoopFailed with a sentence."""
    known_game(config.env_id)
    folder = Path(config.stats).parent
    _check_folders(config, folder)
    folder.mkdir(parents=True, exist_ok=True)
    lock = lock_folder(folder, "loop")
    try:
        with Loop(config, folder, watch) as loop:
            loop.run()
            return loop.state
    finally:
        os.close(lock)


def _check_folders(config: LoopConfig, folder: Path) -> None:
    """ValueError where a process would fail later, or where others have put their files."""
    models = Path(config.model_dir)
    database_of(config.db, create=True)
    if not (folder / STATE).exists():
        store = re.escape(Path(config.db).name)  # an actor may have begun
        check_empty_or_ours(folder, STATE, re.compile(f"{store}(-wal|-shm|-journal)?|{re.escape(models.name)}"))
        check_empty_or_ours(models, STATE)
    check_models(models)
    read_stats(Path(config.stats), config.env_id)
    read_gate(config, 0)
    if config.optimal_positions and config.env_id in SOLVED:
        kept_positions(config.env_id, folder / POSITIONS)


class Loop:
    """Use it in a ``with`` statement: its processes end with it."""

    def __init__(self, config: LoopConfig, folder: Path, watch: Watch) -> None:
        self._config, self._folder, self._watch = config, folder, watch
        self.state = read_state(config)
        self._crew = Actors(self._new_actor, folder / LOGS)
        self._work: SpawnProcess | None = None
        self._failures = 0
        self._episodes, self._counted, self._rate, self._next_count = 0, 0, 0.0, 0.0
        self._began, self._before = time.monotonic(), self.state.seconds

    def __enter__(self) -> Loop:
        self._replay = open_replay(self._config.db, create=True)
        self._replay.describe(known_game(self._config.env_id))
        self.state.write(self._folder)  # from now on the folder is that of a loop
        return self

    def __exit__(self, *_: object) -> None:
        with uninterrupted():
            if self._work is not None:
                end([self._work])
            self._crew.dismiss()
            self._replay.close()

    def run(self) -> None:
        config = self._config
        while self.state.iteration < config.iterations and not self._is_late():
            if self.state.phase == "play":
                self._wait(lambda: self._episodes >= config.episodes)
                self._enter("train")
            if self.state.phase == "train":
                self._finish(run_trainer, config.of_trainer(self.state.iteration), "trainer.log")
                (self._folder / RESULT).unlink(missing_ok=True)
                self._enter("gate")
            while (found := read_gate(config, self.state.iteration)) is None:
                self._finish(run_gate, config, "gate.log", self.state.iteration, self._opponent())
            with uninterrupted():
                self._conclude(found)
            self._watch(self._view())

    def _is_late(self) -> bool:
        limit = 60 * self._config.max_minutes
        return 0 < limit < time.monotonic() - self._began

    # --- Processes ----------------------------------------------------------------------------------------------------

    def _new_actor(self, number: int) -> SpawnProcess:
        config = self._config.of_actor(self.state.iteration, number)
        return start(run_actor, config, self._folder / LOGS / f"actor-{number}.log")

    def _finish(self, work: Callable[..., int], config: Any, log_name: str, *more: Any) -> None:
        """Lets a process do something, again and again until it is done."""
        log_file = self._folder / LOGS / log_name
        failures = 0
        while True:
            self._work = work_now = start(work, config, log_file, *more)
            self._wait(lambda: not work_now.is_alive())  # noqa: B023
            self._work = None
            if work_now.exitcode == 0:
                return
            failures += has_failed(work_now)
            if failures == MAX_FAILURES:
                raise LoopFailed(log_file)

    def _wait(self, over: Callable[[], bool]) -> None:
        while not over():
            self._count()
            if self._episodes < self._config.lead * self._config.episodes:
                self._crew.hire(self._config.actors)
            else:
                self._crew.dismiss()
            self._watch(self._view())
            time.sleep(_LOOK)

    def _count(self) -> None:
        """Looks only at the rows that are new."""
        now = time.monotonic()
        if now < self._next_count:
            return
        mark = max(self._counted, self.state.mark)
        written = self._replay.written_since(mark, self._config.env_id)
        if self._counted:
            self._rate += 0.3 * (written.episodes / (now - self._next_count + _COUNT) - self._rate)
        self._episodes += written.episodes
        self._counted, self._next_count = written.mark, now + _COUNT

    def _view(self) -> View:
        pids = {"actors": self._crew.pids, "work": [self._work.pid] if self._work and self._work.pid else []}
        rows = self._replay.rows_known(self._config.env_id, self._config.replay_window)
        return View(self._config, self.state, self._episodes, rows, self._rate, self._crew.deaths, pids)

    # --- From one phase to the next -----------------------------------------------------------------------------------

    def _enter(self, phase: Any) -> None:
        self.state.phase = phase
        self._keep()

    def _keep(self) -> None:
        self.state.seconds = self._before + time.monotonic() - self._began
        self.state.write(self._folder)

    def _opponent(self) -> Opponent | None:
        state = self.state
        if not state.best:
            return None
        return Opponent(path=str(Path(self._config.model_dir) / state.best), iteration=state.best_iteration)

    def _conclude(self, found: Gated) -> None:
        """The state counts: what is written before it can be written again, what comes after follows from it."""
        state, config = self.state, self._config
        step = (state.iteration + 1) * config.steps
        old = state.best
        if found.promoted:
            models = Path(config.model_dir)
            state.best, state.best_iteration, state.best_step = best_name(state.iteration), state.iteration, step
            with replacing(models / state.best) as beside:
                shutil.copyfile(checkpoint_path(models, step), beside)
        seconds = self._before + time.monotonic() - self._began
        state.history.append(asdict(_row(found, self._episodes, seconds)))
        self._tell(found)
        if config.clear_replay:
            self._replay.clear(config.env_id)
        state.iteration, state.phase, state.mark = state.iteration + 1, "play", self._replay.newest()
        self._episodes, self._counted = 0, 0
        self._keep()
        self._publish(old)
        if config.of_actor(state.iteration, 0) != config.of_actor(state.iteration - 1, 0):
            self._crew.dismiss()

    def _tell(self, found: Gated) -> None:
        state, stats = self.state, read_stats(Path(self._config.stats), self._config.env_id)
        stats.eval_history = [old for old in stats.eval_history if old.current_iteration != found.iteration]
        for evaluation in filter(None, (found.random, found.best)):
            stats.evaluated(evaluation)
        if found.promoted:
            told = found.best or found.random
            stats.best_model = Best(state.best_iteration, state.best_step, told.win_rate, told.timestamp)
        stats.iteration, stats.iterations = found.iteration + 1, state.history
        stats.write(Path(self._config.stats))

    def _publish(self, old: str) -> None:
        folder = Path(self._config.model_dir)
        best = folder / self.state.best if self.state.best else first_file(self._config.env_id)
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
