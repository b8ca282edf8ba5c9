"""Numbers and counts in words."""

import math

import pytest

from jimbo.text import counted, money_text, number_text, percent_text, points_text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (7.5, "7.5"),
        (1.25, "1.25"),
        (12.04, "12"),
        (12.5, "12.5"),
        (1234567, "1,234,567"),
        (99_999_999_999, "99,999,999,999"),
        (1e11, "1.00e11"),
        (123456789012345, "1.24e14"),
        (1.5e123, "1.5e123"),
        (-20, "-20"),
        (math.inf, "naneinf"),
    ],
)
def test_numbers_look_as_in_the_game(number: float, text: str) -> None:
    assert number_text(number) == text


def test_debts_have_a_minus() -> None:
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
