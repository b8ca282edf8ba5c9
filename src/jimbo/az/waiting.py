"""Waiting for the actors: the store must be there and hold moves."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jimbo.az.replay import Replay, open_replay
from jimbo.az.schema import NoStore
from jimbo.az.settings import TrainerConfig
from jimbo.run_folder import lock_folder

log = logging.getLogger(__name__)
_TOLD_EVERY = 5
_PATIENCE = 10.0
"""Seconds."""


class TrainingFailed(RuntimeError):
    """The sentence says why."""


class WaitTimeout(TrainingFailed):
    """No data came in time."""


def wait_for_data(config: TrainerConfig) -> Replay:
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


def _opened(config: TrainerConfig) -> Replay | None:
    try:
        return open_replay(config.db)
    except (FileNotFoundError, NoStore):
        return None
