"""The trainer: draws moves from the store, corrects the network, writes models. ``python -m jimbo.az.trainer``.

Exit codes: 0 done, 1 failed, 2 no data came in time, 130 interrupted. However it ended, the same command goes on.
"""

from __future__ import annotations

import logging
import runpy
import sys
from pathlib import Path

from jimbo.az.model_folder import check_models
from jimbo.az.settings import TrainerConfig
from jimbo.az.waiting import TrainingFailed, WaitTimeout, alone_in, wait_for_data
from jimbo.files import in_words
from jimbo.signals import one_interrupt, uninterrupted

DONE, FAILED, NO_DATA, INTERRUPTED = 0, 1, 2, 130
log = logging.getLogger(__name__)


def run_trainer(config: TrainerConfig) -> int:
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
    except (TrainingFailed, ValueError, ImportError, OSError) as error:
        log.error("%s", in_words(error), exc_info=log.isEnabledFor(logging.DEBUG))
        return FAILED
    return DONE


def _train(config: TrainerConfig) -> None:
    check_models(Path(config.model_dir))
    from jimbo.az.machine import prepare

    device = prepare(config.device, config.train_threads)
    from jimbo.az.training import Training

    with (
        alone_in(Path(config.model_dir)),
        wait_for_data(config) as replay,
        Training(config, replay, device) as training,
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
