"""A run reviewed: what each decision gave up, what the cards gave, and how both add up to the result."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from jimbo.data.record import Result, result_of
from jimbo.engine import Action, PublicState
from jimbo.rollout.pool import Lost, run_tasks
from jimbo.serve.review.judging import Judge, PositionJudgement
from jimbo.serve.review.played import PlayedRun, RunPosition

Grade = Literal["", "inaccuracy", "mistake", "blunder"]
_GRADES: tuple[tuple[float, Grade], ...] = ((0.10, "blunder"), (0.05, "mistake"), (0.02, "inaccuracy"))
"""From which share of a chance given up a decision is called so."""
_AT_ONCE = 8
"""Positions that a worker process judges before it answers."""


class ReviewFailed(RuntimeError):
    """The agent, or the processes that ask it, could not go on; says why."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """One decision."""

    step: int
    """From 1."""
    state: PublicState
    action: Action | None
    """None where nobody can tell."""
    win: float
    """The chance to win before it, the best done."""
    given_up: float
    """Of that chance; 0 where the choice was as good within error."""
    error: float
    """The standard error of what was given up."""
    luck: float
    """What the cards gave or took: the chance before the next decision, less the one that the choice left."""
    better: tuple[Action, ...] = ()
    """What would have been better, where something was given up."""

    @property
    def left(self) -> float:
        """The chance to win that the choice left, before the cards came."""
        return self.win - self.given_up

    @property
    def grade(self) -> Grade:
        return next((grade for least, grade in _GRADES if self.given_up >= least), "")


@dataclass(frozen=True)
class Review:
    """A run, as far as it was reviewed. ``start + luck - given_up`` is ``end``, exactly but for rounding."""

    run: PlayedRun
    judge: Judge
    decisions: tuple[Reviewed, ...]
    end: float
    """The chance to win where the review ends: 1 of a win, 0 of a loss."""

    @property
    def start(self) -> float:
        """The chance to win at the first decision."""
        return self.decisions[0].win if self.decisions else self.end

    @cached_property
    def given_up(self) -> float:
        """All that the choices gave up."""
        return sum(one.given_up for one in self.decisions)

    @cached_property
    def gave(self) -> float:
        """All that the cards gave."""
        return sum(max(0.0, one.luck) for one in self.decisions)

    @cached_property
    def took(self) -> float:
        """All that the cards took."""
        return sum(max(0.0, -one.luck) for one in self.decisions)

    @property
    def luck(self) -> float:
        """What the cards gave, less what they took."""
        return self.gave - self.took

    @property
    def accuracy(self) -> float:
        """The share of all chance, that of the start and what the cards gave, which the choices did not give up."""
        held = self.start + self.gave
        return 1 - self.given_up / held if held else 1.0

    @property
    def whole(self) -> bool:
        """Every decision of the run was reviewed."""
        return len(self.decisions) == self.run.decisions

    @property
    def result(self) -> Result:
        """How the run ended."""
        return result_of(self.run.end)

    def counted(self, grade: Grade) -> int:
        """How many decisions are called so."""
        return sum(one.grade == grade for one in self.decisions)

    def worst(self, count: int = 10) -> list[Reviewed]:
        """Return those that gave up most, the worst first."""
        costly = [one for one in self.decisions if one.given_up > 0]
        return sorted(costly, key=lambda one: (-one.given_up, one.step))[:count]


def judgements(run: PlayedRun, judge: Judge, workers: int = 1, *, apart: bool = False) -> Generator[PositionJudgement]:
    """Judge every position of a run, as they come: in order with one worker, nearly so with several.

    One worker is this process, or ``apart`` another. ReviewFailed if the agent fails. Closing the iterator ends the
    processes.
    """
    chunks = [tuple(run.positions[at : at + _AT_ONCE]) for at in range(0, len(run.positions), _AT_ONCE)]
    if workers == 1 and not apart:
        results: Iterable[list[PositionJudgement] | str | Lost] = (judge([one]) for chunk in chunks for one in chunk)
        yield from _good(results)
        return
    with closing(run_tasks(judge, chunks, min(workers, len(chunks)))) as crew:
        yield from _good(result for _, result in crew)


def _good(results: Iterable[list[PositionJudgement] | str | Lost]) -> Generator[PositionJudgement]:
    for result in results:
        if isinstance(result, str):
            raise ReviewFailed(result)
        if isinstance(result, Lost):
            raise ReviewFailed(f"A part of the run was not judged: {result.why}.")
        yield from result


def review_of(run: PlayedRun, judge: Judge, found: Iterable[PositionJudgement]) -> Review:
    """Put judgements together, as many as follow one another from the first position on.

    Where nothing hidden comes of an action, the chance after it is the chance that it left: the later of the two was
    seen from nearer, and holds for both.
    """
    by_step = {one.step: one for one in found}
    steps = 0
    while steps < len(run.positions) and run.positions[steps].step in by_step:
        steps += 1
    if not steps:
        return Review(run, judge, (), 0.0)
    end = after = by_step[steps].win
    decisions: list[Reviewed] = []
    for position in reversed(run.positions[: steps - 1]):
        decisions.append(made := _reviewed(position, by_step[position.step], after))
        after = made.win
    return Review(run, judge, tuple(reversed(decisions)), end)


def _reviewed(position: RunPosition, one: PositionJudgement, after: float) -> Reviewed:
    if one.sure:
        win = min(1.0, after + one.given_up)
        return Reviewed(*position, win, win - after, one.error, 0.0, one.better)
    given_up = min(one.given_up, one.win)
    return Reviewed(*position, one.win, given_up, one.error, after - (one.win - given_up), one.better)


def review_run(run: PlayedRun, judge: Judge, workers: int = 1) -> Review:
    """Review a whole run."""
    return review_of(run, judge, judgements(run, judge, workers))
