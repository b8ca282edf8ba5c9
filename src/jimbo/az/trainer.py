"""The trainer: draws moves from the store, corrects the network, writes models. ``python -m jimbo.az.trainer``.

Exit codes: 0 done, 1 failed, 2 no data came in time, 130 interrupted. However it ended, the same command resumes.
"""

from __future__ import annotations

import logging
import os
import runpy
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from jimbo.az.models import check_models
from jimbo.az.replay import Replay, open_replay
from jimbo.az.schema import NoStore
from jimbo.az.settings import TrainConfig
from jimbo.extras import require
from jimbo.files import in_words
from jimbo.processes import usable_cores
from jimbo.run_folder import lock_folder
from jimbo.signals import one_interrupt, uninterrupted
from jimbo.train.core.machine import prepare as prepare_device

log = logging.getLogger(__name__)
_TOLD_EVERY = 5
_PATIENCE = 10.0
"""Seconds."""
_SMALL = 4
"""With so few cores the actors need them: threads that wait for one another would make all of them slower."""
_MAX_THREADS = 8
DONE, FAILED, NO_DATA, INTERRUPTED = 0, 1, 2, 130
log = logging.getLogger(__name__)


class TrainerFailed(RuntimeError):
    """The sentence says why."""


class WaitTimeout(TrainerFailed):
    """No data came in time."""


def wait_for_data(config: TrainConfig) -> Replay:
    """The store, open, with at least one move; WaitTimeout if that takes too long."""
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
        if looks % _TOLD_EVERY == 0:
            log.info("Waiting for moves of %s in %s.", config.env_id, config.db)
        looks += 1
        time.sleep(min(config.wait_interval, max(0.0, end - time.monotonic())))


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """One trainer at a time writes models. One whose loop was killed takes a moment to notice."""
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            lock = lock_folder(folder, "trainer")
            break
        except ValueError:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)
    try:
        yield
    finally:
        os.close(lock)


def _opened(config: TrainConfig) -> Replay | None:
    try:
        return open_replay(config.db)
    except (FileNotFoundError, NoStore):
        return None


def prepare(device: str, threads: int) -> Any:
    """A torch.device; ValueError with a sentence for one that this machine does not have."""
    found = prepare_device(device)
    cores = usable_cores()
    sensible = 1 if cores <= _SMALL or found.type != "cpu" else min(_MAX_THREADS, cores // 2)
    require("torch", "train").set_num_threads(threads or sensible)
    return found


def run_trainer(config: TrainConfig) -> int:
    """A whole training; returns the exit code."""
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
    check_models(Path(config.model_dir))
    from jimbo.az.trainer import prepare

    device = prepare(config.device, config.train_threads)
    from jimbo.az.training import StoreTraining

    with (
        alone_in(Path(config.model_dir)),
        wait_for_data(config) as replay,
        StoreTraining(config, replay, device) as training,
    ):
        try:
            training.run()
        except KeyboardInterrupt:
            with uninterrupted():
                training.keep()
            raise


if __name__ == "__main__":
    sys.argv[:1] = ["jimbo", "az", "train"]
    runpy.run_module("jimbo", run_name="__main__", alter_sys=True)
