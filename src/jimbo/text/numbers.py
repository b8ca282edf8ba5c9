"""Numbers as the game shows them, and the values of what an agent considered."""

import math
from collections.abc import Iterable

_SWITCH = 1e11


def number_text(number: float) -> str:
    """Commas below a hundred billion, powers of ten from there on, and ``naneinf`` past the last double.

    >>> number_text(1234567), number_text(2.5), number_text(1.5e13)
    ('1,234,567', '2.5', '1.50e13')
    """
    if math.isnan(number) or math.isinf(number):
        return "-naneinf" if number < 0 else "naneinf"
    if number < 0:
        return f"-{number_text(-number)}"
    if number >= _SWITCH:
        return _power_text(number)
    if number != math.floor(number) and number < 100:
        return f"{number:.{1 if number >= 10 else 2}f}".rstrip("0").rstrip(".")
    return f"{number:,.0f}"


def _power_text(number: float) -> str:
    mantissa, power = f"{number:.3e}".split("e")
    digits = 1 if int(power) >= 100 else 2 if int(power) >= 10 else 3
    return f"{float(mantissa):.{digits}f}e{int(power)}"


def counted(number: int, noun: str, plural: str = "") -> str:
    """``1 hand``, ``2 hands``; a plural that does not simply add an s is given."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def percent_text(share: float) -> str:
    """``64.4 %`` for 0.644."""
    return f"{100 * share:.1f} %"


def points_text(points: float, *beside: float) -> str:
    """Percentage points gained or lost: ``+3.1 points``. Three decimals if one would hide all of them."""
    decimals = 1 if max(map(abs, (points, *beside))) >= 0.1 else 3
    rounded = round(points, decimals) or 0.0  # no minus sign before a zero
    return f"{rounded:{'+' if rounded else ''}.{decimals}f} points"


def money_text(dollars: float) -> str:
    """``$5`` or ``-$5``."""
    return f"{'-' if dollars < 0 else ''}${number_text(abs(dollars))}"


# --- Decisions --------------------------------------------------------------------------------------------------------

MEASURES = {
    "score": ("score", "the expected score"),
    "clear": ("value", "clears and what they leave"),
    "win": ("gain", "what it adds to the chance to win"),
    "choice": ("choice", "the probability to choose it"),
    "value": ("value", "the agent's own value"),
}
"""What the values of a decision are called and what they are, by its measure."""


def value_text(value: float, measure: str, beside: Iterable[float] = ()) -> str:
    """One of the values of a decision; ``beside`` are the others, which it must be told apart from."""
    if measure == "win":
        return points_text(value, *beside)
    if measure == "choice":
        return percent_text(value)
    return number_text(value) if measure == "score" or abs(value) >= 10 else f"{value:.3f}"


def chance_text(chance: float, error: float | None = None) -> str:
    """``90.0 % +/- 1.2``."""
    return percent_text(chance) + (f" +/- {100 * error:.1f}" if error is not None else "")
