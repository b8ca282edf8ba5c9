"""An aggregator for the tests of this folder."""

from collections.abc import Iterator

import pytest

from serve.events.running import Served, served


@pytest.fixture(scope="module")
def standing() -> Iterator[Served]:
    """One for tests that leave nothing behind."""
    with served() as found:
        yield found


@pytest.fixture
def aggregator() -> Iterator[Served]:
    """One that hands on quickly and lets clients send as much as they like."""
    with served("--batch-window-ms", "5", "--per-minute", "0") as found:
        yield found
