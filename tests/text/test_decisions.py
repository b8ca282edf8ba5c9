"""What an agent considered, in words."""

import math
from typing import get_args

import pytest

from jimbo.data import Measure
from jimbo.text import MEASURES, chance_text, value_text


def test_every_measure_has_words() -> None:
    assert set(MEASURES) == set(get_args(Measure))


@pytest.mark.parametrize(
    ("value", "measure", "text"),
    [
        (12345.0, "score", "12,345"),
        (math.inf, "score", "naneinf"),
        (0.91, "clear", "0.910"),
        (3.14, "win", "+3.1 points"),
        (-2.5, "value", "-2.500"),
        (4096.0, "value", "4,096"),
    ],
)
def test_values(value: float, measure: str, text: str) -> None:
    assert value_text(value, measure) == text


def test_small_gains_are_told_apart() -> None:
    assert value_text(0.012, "win", [0.012, 0.02]) == "+0.012 points"
    assert value_text(0.012, "win", [0.012, 4.0]) == "0.0 points"


def test_chances_have_their_error() -> None:
    assert (chance_text(0.9, 0.012), chance_text(0.25)) == ("90.0 % +/- 1.2", "25.0 %")
