"""Ends that come from outside, inside one process."""

import os
import signal

import pytest

from jimbo.signals import one_interrupt, uninterrupted


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_end_waits_for_what_belongs_together(end: signal.Signals) -> None:
    done = []

    def keep() -> None:
        with uninterrupted():
            os.kill(os.getpid(), end)
            done.append("kept")

    with one_interrupt():
        with pytest.raises(KeyboardInterrupt):
            keep()
        os.kill(os.getpid(), end)  # only the first one counts
    assert done == ["kept"]


def test_an_end_does_not_wait_after_something_went_wrong() -> None:
    with one_interrupt():
        with pytest.raises(ZeroDivisionError), uninterrupted():
            _ = 1 / 0
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
