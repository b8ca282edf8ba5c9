"""Numbers and counts in words."""

import math

import pytest

from jimbo.text import counted, money_text, number_text, percent_text, points_text


def test_numbers_are_as_the_game_shows_them() -> None:
    assert [number_text(n) for n in (0, 2.5, 1234567, 1.5e13, math.inf)] == [
        "0",
        "2.5",
        "1,234,567",
        "1.50e13",
        "naneinf",
    ]
    assert (money_text(5), money_text(-5)) == ("$5", "-$5")


def test_one_is_singular() -> None:
    assert [counted(n, "hand") for n in (0, 1, 2, 1000)] == ["0 hands", "1 hand", "2 hands", "1,000 hands"]
    assert [counted(n, "copy", "copies") for n in (1, 2)] == ["1 copy", "2 copies"]


def test_shares_are_percent() -> None:
    assert percent_text(0.644) == "64.4 %"


@pytest.mark.parametrize(
    ("points", "beside", "text"),
    [
        (3.14, (), "+3.1 points"),
        (-0.7, (), "-0.7 points"),
        (0.0, (), "0.000 points"),
        (0.0, (5.0,), "0.0 points"),
        (-0.01, (5.0,), "0.0 points"),
        (0.0123, (), "+0.012 points"),
        (0.0123, (0.02, -0.01), "+0.012 points"),
        (-0.00001, (), "0.000 points"),
    ],
)
def test_points_have_a_sign(points: float, beside: tuple[float, ...], text: str) -> None:
    assert points_text(points, *beside) == text
