"""What a verification finds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import zip_longest
from typing import Any, NamedTuple


class Case(NamedTuple):
    """One compared value."""

    path: str
    """Where the corpus states it, such as ``ABCD1234.antes[2].shop[5]``; lists count from 0, as in the file."""
    expected: Any
    found: Any
    explained_by: tuple[str, ...] = ()
    """Names of the rules that account for a difference, if any does."""

    @property
    def differences(self) -> tuple[Case, ...]:
        return () if self.passed else (self,)

    @property
    def passed(self) -> bool:
        """Exactly equal, with no tolerance for numbers. A NaN stands for the game's NaN nodes and equals itself."""
        if self.expected == self.found:
            return True
        return _is_nan(self.expected) and _is_nan(self.found)


class Group(NamedTuple):
    """Many values that count as one case, such as the state after a step: it passes only if all of them agree."""

    differences: tuple[Case, ...]


class Apart(Enum):
    """What becomes of a case that is not judged, by the name under which a file's result counts it."""

    SKIPPED = "skipped"
    NOT_REACHED = "not_reached"


def _is_nan(value: object) -> bool:
    return isinstance(value, float) and value != value


def each(path: str, expected: Sequence[Any], found: Sequence[Any]) -> Iterator[Case]:
    """One case for each place of two lists; where one list is shorter it has None."""
    for i, (there, here) in enumerate(zip_longest(expected, found)):
        yield Case(f"{path}[{i}]", there, here)


@dataclass(frozen=True, slots=True)
class Difference:
    path: str
    expected: Any
    found: Any


@dataclass(frozen=True, slots=True)
class FileResult:
    file: str
    """Path relative to the folder, with forward slashes."""
    checked: bool
    """False for a file of an unknown kind, and for one that is broken anywhere."""
    bar: float | None = None
    """The share of cases that must pass; None for a file that is not checked."""
    cases: int = 0
    """Those that were judged: passed + failed + excepted. A case is one value; in a trace it is one step, whole."""
    passed: int = 0
    failed: int = 0
    excepted: int = 0
    """Differences that the exceptions file accounts for; they count neither for nor against the bar."""
    excepted_by: dict[str, int] = field(default_factory=dict)
    """How many of those each named rule accounts for; a step may need several."""
    skipped: int = 0
    """Not judged and not among the cases: steps of a trace whose author doubts them."""
    not_reached: int = 0
    """Not judged and not among the cases: steps of a trace after a state that the engine cannot be brought into."""
    difference_count: int = 0
    """Values that differ; a case of many values can have several."""
    first_difference: Difference | None = None
    differences: tuple[Difference, ...] | None = None
    """All of them, where that was asked for."""
    error: str | None = None
    """Why a file of a known kind could not be checked to its end: a sentence that names it. What was found before that
    counts above."""

    @property
    def meets_bar(self) -> bool:
        if self.bar is None:
            return self.error is None
        return self.passed >= self.bar * (self.passed + self.failed)


@dataclass(frozen=True, slots=True)
class Report:
    files: tuple[FileResult, ...]

    @property
    def ok(self) -> bool:
        """Every file of a known kind could be checked and meets its bar."""
        return all(file.meets_bar for file in self.files)

    @property
    def errors(self) -> tuple[str, ...]:
        return tuple(file.error for file in self.files if file.error)
