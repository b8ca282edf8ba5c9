"""Options of the test suite."""

import signal

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden-update", action="store_true", help="write the golden runs anew")


def pytest_configure() -> None:
    """A shell that starts its commands in the background has them ignore Ctrl-C, and their children with them; the
    tests of Ctrl-C start children of their own."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
