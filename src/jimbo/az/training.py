"""One training: steps, checkpoints, evaluations, and whoever is told of them."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
import torch

from jimbo.az.board_learner import BoardLearner
from jimbo.az.games import BALATRO, game_of, known_games
from jimbo.az.learner import PolicyValueLosses, SelfPlayLearner, schedule_of
from jimbo.az.match import ModelPlayer, RandomPlayer, play_match
from jimbo.az.models import checkpoint_path, publish
from jimbo.az.replay import Replay
from jimbo.az.schema import GameMetadata, MoveBatch
from jimbo.az.settings import TrainConfig
from jimbo.az.stats import MatchRecord, read_stats, served
from jimbo.az.trainer import TrainerFailed
from jimbo.extras import require
from jimbo.processes import is_orphan
from jimbo.signals import uninterrupted

log = logging.getLogger(__name__)
EVENTS = "tensorboard"
_MAX_UNUSABLE = 20
"""Batches in a row whose loss is not a number."""
_EMPTY_SECONDS = 0.2


def _learner(game: GameMetadata, config: TrainConfig, device: torch.device) -> SelfPlayLearner:
    if game.env_id != BALATRO:
        return BoardLearner(game, config, device)
    from jimbo.az.balatro_learner import BalatroLearner  # with much that board games do not need

    return BalatroLearner(game, config, device)


class StoreTraining:
    """Use it in a ``with`` statement."""

    def __init__(self, config: TrainConfig, replay: Replay, device: torch.device) -> None:
        self._config, self._replay = config, replay
        self._folder, self._stats_path = Path(config.model_dir), Path(config.stats)
        self._folder.mkdir(parents=True, exist_ok=True)
        self._game = game_of(config.env_id, replay)
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
        self._schedule = schedule_of(config, resumed=resumed is not None)
        self._random = np.random.default_rng((config.seed, self.step))
        self._began, self._first = time.monotonic(), self.step
        self._stack = ExitStack()
        self._writer: Any = None
        self._next_look = 0.0

    def __enter__(self) -> StoreTraining:
        self._stack.enter_context(served(self._config.metrics_port, self._numbers))
        if self._config.tensorboard:
            place = self._stats_path.parent / EVENTS
            self._writer = require("torch.utils.tensorboard", "train").SummaryWriter(str(place))
            self._stack.callback(self._writer.close)
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _where: TracebackType | None
    ) -> None:
        self._stack.close()

    def run(self) -> None:
        if self.step >= self._end:
            log.info("Already at step %d: raise --steps to continue.", self.step)
        unusable = 0
        while self.step < self._end:
            if self._is_time_to_look() and is_orphan():
                raise TrainerFailed("The loop has gone.")
            batch = self._next_batch()
            with uninterrupted():
                rate = self._schedule.at(self.step)
                found = self._learner.learn(batch, rate, self._random)
                unusable = 0 if found else unusable + 1
                if found:
                    self._learnt(found, rate, len(batch.outcomes))
            if unusable == _MAX_UNUSABLE:
                raise TrainerFailed("The loss is not a number any more. Try a lower --lr in another --model-dir.")
        with uninterrupted():
            self.keep()

    def _is_time_to_look(self) -> bool:
        """Once a second."""
        now = time.monotonic()
        if now < self._next_look:
            return False
        self._next_look = now + 1.0
        return True

    def _next_batch(self) -> MoveBatch:
        for _ in range(self._config.max_empty_batches):
            batch = self._replay.sample_batch(
                self._config.batch_size, self._game, self._random, self._config.replay_window
            )
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
        last = self.step == self._end
        if last or self.step % config.stats_interval == 0 or self.step % config.log_interval == 0:
            self._tell(found, rate, write=last or self.step % config.stats_interval == 0)
        if config.replay_window and config.replay_cleanup_interval and self.step % config.replay_cleanup_interval == 0:
            self._replay.cleanup(config.replay_window, config.env_id)
        if last or self.step % config.checkpoint_interval == 0:
            self.keep()
        if config.eval_interval and config.eval_games and (last or self.step % config.eval_interval == 0):
            self._evaluate()

    def _tell(self, found: PolicyValueLosses, rate: float, *, write: bool) -> None:
        losses = {f"{name}_loss": float(getattr(found, name)) for name in ("total", "value", "policy")}
        self._stats.learnt(self.step, losses, rate)
        for name, value in {**losses, "learning_rate": rate}.items() if self._writer else ():
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
        """Writes the model and where the training stands, unless that is done already."""
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
        game = known_games().get(self._config.env_id)
        if game is None or game.player_count != 2:
            return
        player = ModelPlayer("Network", self._learner.evaluate, seed=self._config.seed)
        found = play_match(self._config.env_id, player, RandomPlayer(self.step), self._config.eval_games)
        self._stats.evaluated(
            MatchRecord(
                step=self.step,
                win_rate=found.rate("wins"),
                draw_rate=found.rate("draws"),
                loss_rate=found.rate("losses"),
                games_played=found.games,
                avg_game_length=found.mean_length,
                timestamp=int(time.time()),
                opponent="random",
            )
        )
        log.info(
            "Step %d: won %.0f %% of %d games against random play.", self.step, 100 * found.rate("wins"), found.games
        )
        if self._writer:
            self._writer.add_scalar("eval/win_rate", found.rate("wins"), self.step)
        self._write_stats()

    def _numbers(self) -> Mapping[str, float]:
        stats, seconds = self._stats, max(1e-9, time.monotonic() - self._began)
        told = {
            "trainer_steps_total": self.step,
            "trainer_samples_total": self._samples,
            "trainer_total_loss": stats.total_loss,
            "trainer_policy_loss": stats.policy_loss,
            "trainer_value_loss": stats.value_loss,
            "trainer_learning_rate": stats.learning_rate,
            "trainer_steps_per_second": (self.step - self._first) / seconds,
            "replay_rows": stats.replay_buffer_size,
        }
        if stats.last_eval:
            told["eval_win_rate"] = stats.last_eval.win_rate
        return {name: value for name, value in told.items() if math.isfinite(value)}
