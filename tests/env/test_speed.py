"""Measuring environments, with a clock of which each look takes a second."""

import itertools
from types import SimpleNamespace

import pytest

from jimbo.env import speed
from jimbo.env.speed import single_speed, vector_speed


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "time", SimpleNamespace(process_time=itertools.count().__next__))


@pytest.mark.parametrize("options", [{}, {"actions": "whole"}])
def test_the_steps_of_one_environment_are_counted(options: dict[str, str]) -> None:
    assert single_speed(steps=100, **options) == 100


def test_the_steps_of_all_rows_are_counted() -> None:
    assert vector_speed(8, seconds=3, actions="candidates", candidates=8) == 8
