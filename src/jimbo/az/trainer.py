"""The trainer: draws moves from the store, corrects the network, writes models. ``python -m jimbo.az.trainer``.

Exit codes: 0 done, 1 failed, 2 no data came in time, 130 interrupted. However it ended, the same command resumes.
"""

from __future__ import annotations

import logging
import math
import runpy
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from jimbo.az.match import ModelPlayer, RandomPlayer, play_match
from jimbo.az.models import check_models, checkpoint_path, publish
from jimbo.az.replay import Replay, open_replay
from jimbo.az.schema import MoveBatch, NoStore
from jimbo.az.settings import BALATRO, TrainConfig
from jimbo.az.stats import MatchRecord, read_stats, served
from jimbo.engine.az import GameSpec, game_specs
from jimbo.extras import require
from jimbo.files import in_words
from jimbo.pace import PACE, Pace
from jimbo.processes import is_orphan, usable_cores
from jimbo.run_folder import locked
from jimbo.signals import one_interrupt, uninterrupted
from jimbo.telemetry.program import metric
from jimbo.train.core.machine import prepare
from jimbo.train.core.schedule import share_left

if TYPE_CHECKING:
    from jimbo.az.learner import PolicyValueLosses, SelfPlayLearner

DONE, FAILED, NO_DATA, INTERRUPTED = 0, 1, 2, 130
EVENTS = "tensorboard"
_SAY_EVERY = 5
_LOCK_SECONDS = 10.0
_EMPTY_SECONDS = 0.2
_SMALL_MACHINE = 4
"""With so few cores the actors need them: threads that wait for one another would make all of them slower."""
_MAX_THREADS = 8
_METRICS = ("total_loss", "policy_loss", "value_loss", "learning_rate")
_MAX_UNUSABLE = 20
"""Batches in a row whose loss is not a number."""
log = logging.getLogger(__name__)


class TrainerFailed(RuntimeError):
    """The sentence says why."""


class WaitTimeout(TrainerFailed):
    """No data came in time."""


def run_trainer(config: TrainConfig) -> int:
    """Run a whole training; return the exit code."""
    try:
        with one_interrupt():
            _train(config)
    except KeyboardInterrupt:
        log.warning("Interrupted. Run the same command to resume.")
        return INTERRUPTED
    except WaitTimeout as error:
        log.error("%s", error)
        return NO_DATA
    except (TrainerFailed, ValueError, ImportError, OSError) as error:
        log.error("%s", in_words(error), exc_info=log.isEnabledFor(logging.DEBUG))
        return FAILED
    return DONE


def _train(config: TrainConfig) -> None:
    folder = Path(config.model_dir)
    check_models(folder)
    device = _device(config)
    with _alone_in(folder), wait_for_data(config) as replay, StoreTraining(config, replay, device) as training:
        try:
            training.run()
        except KeyboardInterrupt:
            with uninterrupted():
                training.keep()
            raise


def _device(config: TrainConfig) -> Any:
    """Return a torch.device; ValueError for one that this machine does not have."""
    found = prepare(config.device)
    cores = usable_cores()
    sensible = 1 if cores <= _SMALL_MACHINE or found.type != "cpu" else min(_MAX_THREADS, cores // 2)
    require("torch", "train").set_num_threads(config.train_threads or sensible)
    return found


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Keep other trainers out of the folder of models. One whose loop was killed takes a moment to notice."""
    end = time.monotonic() + _LOCK_SECONDS
    with ExitStack() as stack:
        while True:
            try:
                stack.enter_context(locked(folder, "trainer"))
                break
            except ValueError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.2)
        yield


def wait_for_data(config: TrainConfig) -> Replay:
    """Open the store once it has a move; WaitTimeout if that takes too long."""
    end = time.monotonic() + config.max_wait if config.max_wait else float("inf")
    looks, clear = 0, config.clear_replay
    while True:
        replay = _opened(config)
        if replay and clear:
            replay.clear(config.env_id)
            clear = False
        if replay and replay.rows_known(config.env_id):
            return replay
        if replay:
            replay.close()
        if time.monotonic() >= end:
            raise WaitTimeout(
                f"No moves of {config.env_id} came to {config.db} in {config.max_wait:g} seconds: start an actor "
                f"(jimbo az actor --env-id {config.env_id}), or wait longer with --max-wait."
            )
        if looks % _SAY_EVERY == 0:
            log.info("Waiting for moves of %s in %s.", config.env_id, config.db)
        looks += 1
        time.sleep(min(config.wait_interval, max(0.0, end - time.monotonic())))


def _opened(config: TrainConfig) -> Replay | None:
    try:
        return open_replay(config.db)
    except (FileNotFoundError, NoStore):
        return None


def rate_at(config: TrainConfig, step: int, *, resumed: bool) -> float:
    """Return the learning rate of the step after ``step``: it rises to ``lr``, then falls along half a cosine.

    With ``lr_total_steps`` it falls over all trainings of a loop, from step 0 on.
    """
    if not config.lr_schedule:
        return config.lr
    first, steps = (0, config.lr_total_steps) if config.lr_total_steps else (config.start_step, config.steps)
    warm = 0 if resumed else config.lr_warmup_steps
    done = step - first
    if done < warm:
        start = config.lr_warmup_start_ratio
        return config.lr * (start + (1 - start) * done / warm)
    share = min(1.0, (done - warm) / max(1, steps - warm))
    return config.lr * (config.lr_min_ratio + (1 - config.lr_min_ratio) * share_left("cosine", share))


def _learner(game: GameSpec, config: TrainConfig, device: Any) -> SelfPlayLearner:
    if game.env_id == BALATRO:
        from jimbo.az.balatro_learner import EntityLearner  # with much that board games do not need

        return EntityLearner(game, config, device)
    from jimbo.az.learner import BoardLearner

    return BoardLearner(game, config, device)


class StoreTraining:
    """A training from a store: steps, checkpoints, evaluations. Use it in a ``with`` statement."""

    def __init__(self, config: TrainConfig, replay: Replay, device: Any) -> None:
        self._config, self._replay = config, replay
        self._folder, self._stats_path = Path(config.model_dir), Path(config.stats)
        self._folder.mkdir(parents=True, exist_ok=True)
        self._game = replay.game(config.env_id)
        self._learner = _learner(self._game, config, device)
        self._stats = read_stats(self._stats_path, config.env_id)
        resumed = self._learner.load(self._folder)
        if self._stats.last_checkpoint and not resumed:
            raise ValueError(
                f"{self._stats_path} is about a training with models in {Path(self._stats.last_checkpoint).parent}, "
                f"not in {self._folder}: name another file with --stats, or that folder with --model-dir"
            )
        self.step, self._samples = resumed or (config.start_step, 0)
        self._kept = self.step if resumed else -1
        self._end = config.start_step + config.steps
        self._resumed = resumed is not None
        self._random = np.random.default_rng((config.seed, self.step))
        self._began, self._first = time.monotonic(), self.step
        self._stack = ExitStack()
        self._writer: Any = None

    def __enter__(self) -> StoreTraining:
        self._pace = self._stack.enter_context(Pace(self._stats_path.parent / PACE, "trainer"))
        self._stack.enter_context(served(self._config.metrics_port, self._numbers))
        if self._config.tensorboard:
            folder = str(self._stats_path.parent / EVENTS)
            self._writer = require("torch.utils.tensorboard", "train").SummaryWriter(folder)
            self._stack.callback(self._writer.close)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def run(self) -> None:
        if self.step >= self._end:
            log.info("Already at step %d: raise --steps to continue.", self.step)
        unusable = 0
        while self.step < self._end:
            if is_orphan():
                raise TrainerFailed("The loop has ended.")
            batch = self._next_batch()
            with uninterrupted():
                rate = rate_at(self._config, self.step, resumed=self._resumed)
                found = self._learner.learn(batch, rate, self._random)
                unusable = 0 if found else unusable + 1
                if found:
                    self._learnt(found, rate, len(batch.outcomes))
            if unusable == _MAX_UNUSABLE:
                raise TrainerFailed("The loss is not a number any more. Try a lower --lr in another --model-dir.")
        with uninterrupted():
            self.keep()

    def _next_batch(self) -> MoveBatch:
        for _ in range(self._config.max_empty_batches):
            config = self._config
            batch = self._replay.sample_batch(config.batch_size, self._game, self._random, config.replay_window)
            if batch:
                return batch
            time.sleep(_EMPTY_SECONDS)
        raise TrainerFailed(
            f"The store holds fewer than {self._config.batch_size} moves of {self._config.env_id}: "
            "let the actors play on, or lower --batch-size."
        )

    def _learnt(self, found: PolicyValueLosses, rate: float, samples: int) -> None:
        config = self._config
        self.step += 1
        self._samples += samples
        self._pace.add(steps=1, samples=samples)
        last = self.step == self._end
        if last or self.step % config.stats_interval == 0 or self.step % config.log_interval == 0:
            self._report(found, rate, write=last or self.step % config.stats_interval == 0)
        if config.replay_window and config.replay_cleanup_interval and self.step % config.replay_cleanup_interval == 0:
            self._replay.cleanup(config.replay_window, config.env_id)
        if last or self.step % config.checkpoint_interval == 0:
            self.keep()
        if config.eval_interval and config.eval_games and (last or self.step % config.eval_interval == 0):
            self._evaluate()

    def _report(self, found: PolicyValueLosses, rate: float, *, write: bool) -> None:
        losses = {f"{name}_loss": float(getattr(found, name)) for name in ("total", "value", "policy")}
        self._stats.learnt(self.step, losses, rate)
        for name, value in {**losses, "learning_rate": rate}.items():
            metric(name, value)
            if self._writer:
                self._writer.add_scalar(f"train/{name}", value, self.step)
        if self.step % self._config.log_interval == 0:
            parts = ", ".join(f"{name.removesuffix('_loss')} {value:.4f}" for name, value in losses.items())
            log.info("Step %d of %d: %s, lr %.2g.", self.step, self._end, parts, rate)
        if write:
            self._write_stats()

    def _write_stats(self) -> None:
        stats = self._stats
        stats.env_id, stats.total_steps, stats.samples_seen = self._config.env_id, self._end, self._samples
        stats.replay_buffer_size = self._replay.rows_known(self._config.env_id, self._config.replay_window)
        stats.write(self._stats_path)

    def keep(self) -> None:
        """Write the model and the state to resume from, unless that is done already."""
        if self.step == self._kept:
            return
        path = checkpoint_path(self._folder, self.step)
        self._learner.export(path)
        publish(self._folder, self.step, self._config.max_checkpoints)
        self._learner.save(self._folder, self.step, self._samples)
        self._kept = self.step
        self._stats.last_checkpoint = str(path)
        self._write_stats()

    def _evaluate(self) -> None:
        game = game_specs().get(self._config.env_id)
        if game is None or game.player_count != 2:
            return
        player = ModelPlayer(self._learner, seed=self._config.seed)
        found = play_match(self._config.env_id, player, RandomPlayer(self.step), self._config.eval_games)
        share = found.rate("wins")
        self._stats.evaluated(MatchRecord.of(found, self.step, "random"))
        log.info("Step %d: won %.0f %% of %d games against random play.", self.step, 100 * share, found.games)
        if self._writer:
            self._writer.add_scalar("eval/win_rate", share, self.step)
        self._write_stats()

    def _numbers(self) -> Mapping[str, float]:
        stats, seconds = self._stats, max(1e-9, time.monotonic() - self._began)
        numbers = {
            "trainer_steps_total": self.step,
            "trainer_samples_total": self._samples,
            **{f"trainer_{name}": getattr(stats, name) for name in _METRICS},
            "trainer_steps_per_second": (self.step - self._first) / seconds,
            "replay_rows": stats.replay_buffer_size,
        }
        if stats.last_eval:
            numbers["eval_win_rate"] = stats.last_eval.win_rate
        return {name: value for name, value in numbers.items() if math.isfinite(value)}


if __name__ == "__main__":
    sys.argv[:1] = ["jimbo", "az", "train"]
    runpy.run_module("jimbo", run_name="__main__", alter_sys=True)
