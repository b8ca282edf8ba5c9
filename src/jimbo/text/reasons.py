"""Reasons in a player's words: each class is one claim with the numbers that it makes, and ``str`` says it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jimbo.text.numbers import number_text

SURE = 0.995
OF_THE_TIME = " of the time"
MEANT = 0.05
"""Points of a chance that are worth a word."""


def percent(share: float) -> str:
    """In whole numbers, as these shares come from some hundred deals; neither 0 nor 100."""
    return f"{min(99, max(1, round(100 * share)))} %"


def how_often(share: float) -> str:
    """How often something sampled comes: no sample makes sure of anything."""
    if share >= SURE:
        return "nearly always"
    return "almost never" if share <= 1 - SURE else f"{percent(share)}{OF_THE_TIME}"


def points_of(points: float) -> str:
    if abs(points) < MEANT:
        return "less than 0.1 points"
    return f"{abs(points):.1f} points"


def about(score: float, digits: int = 2) -> str:
    """A sampled score."""
    return number_text(float(f"{score:.{digits}g}")) if score < 1e11 else number_text(score)


_DOING = {"use": "using", "take": "taking", "move": "moving", "leave": "leaving", "skip": "skipping"}


def doing(words: str) -> str:
    """``play 9♠ 9♣`` as ``playing 9♠ 9♣``."""
    verb, _, rest = words.partition(" ")
    return f"{_DOING.get(verb, f'{verb}ing')} {rest}".rstrip().replace(" and use it", " and using it")


@dataclass(frozen=True, slots=True)
class Claim:
    """Something that is true of an action, and can be worked out again."""


@dataclass(frozen=True, slots=True)
class Adds(Claim):
    """The fallback: only the sum is known."""

    points: float

    def __str__(self) -> str:
        if abs(self.points) < MEANT:
            return "changes the chance to win by less than 0.1 points"
        return f"{'raises' if self.points > 0 else 'lowers'} the chance to win by {points_of(self.points)}"


@dataclass(frozen=True, slots=True)
class Only(Claim):
    """Nothing else can be done."""

    def __str__(self) -> str:
        return "nothing else can be done here"


@dataclass(frozen=True, slots=True)
class GoesOn(Claim):
    """A step of something that was begun."""

    def __str__(self) -> str:
        return "continues to put the cards in order for the play that follows"


def capital(text: str) -> str:
    """The text with a capital at its start; ranks and names in it stay as they are."""
    return f"{text[:1].upper()}{text[1:]}"


class Though(list[Claim]):
    """Claims that speak against what the sentence before says."""


def sentences(*groups: Sequence[Claim]) -> str:
    """A sentence for each group of claims that is not empty."""
    told = [("but " if isinstance(group, Though) else "") + "; ".join(map(str, group)) for group in groups if group]
    return " ".join(f"{capital(text)}." for text in told)
