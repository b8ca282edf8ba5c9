"""What an agent considered, in words: what its values are, and each of them."""

from __future__ import annotations

from collections.abc import Iterable

from jimbo.text.numbers import number_text, percent_text, points_text

MEASURES = {
    "score": ("score", "the expected score"),
    "clear": ("value", "clears and what they leave"),
    "win": ("gain", "what it adds to the chance to win"),
    "choice": ("choice", "the probability to choose it"),
    "value": ("value", "the agent's own value"),
}
"""By the measure of a decision: what its values are called, and what they are."""


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
