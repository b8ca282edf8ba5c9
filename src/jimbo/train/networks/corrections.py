"""Games that a student plays while a teacher corrects it: the labels of DAgger.

The teacher is asked only where the student is not sure of itself, because each answer costs a search. Part of the
answers are played, so that games go on into later antes than the student would reach alone.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jimbo.agents import Agent, Decision, make_agent
from jimbo.backends import SimBackend
from jimbo.data import versions
from jimbo.data.config_file import WHOLE_GAMES
from jimbo.data.game_rows import GameRows, Rows
from jimbo.data.results import outcome_of
from jimbo.data.samples import Game
from jimbo.engine import PublicState, batch_schema_hash
from jimbo.rollout import AgentFailed, Moment, Observer, Rollout
from jimbo.rollout.games import GivenUp, nonce_of
from jimbo.rollout.output import SCHEMA, Claim, WriteFailed
from jimbo.rollout.parquet_output import ParquetSink
from jimbo.rollout.pool import Lost, WorkFailed, run_tasks

Start = tuple[str, str, str | None]
"""Deck, stake and challenge of a game."""
SURE = 0.9
"""A student that gives its first choice this probability is not corrected."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """Who plays and who corrects."""

    model: str
    """The student: an ONNX file."""
    model_hash: str
    seeds: tuple[str, ...]
    starts: tuple[Start, ...]
    """What is played on each of the seeds."""
    teacher: str = "expert"
    options: Mapping[str, Any] | None = None
    """The teacher's."""
    teachers_share: float = 0.5
    """Of the corrections that are played."""

    def to_data(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "agent": f"network, corrected by {self.teacher}",
            "options": dict(self.options or {}),
            "model_hash": self.model_hash,
            "teachers_share": self.teachers_share,
            "sure": SURE,
            "seeds": list(self.seeds),
            "starts": [list(start) for start in self.starts],
            WHOLE_GAMES: False,
            "games": len(self.seeds),
            "schema_hash": batch_schema_hash(),
            "versions": dict(versions()),
        }


class Corrected(Observer):
    """Plays as the student or the teacher would, and gathers what the teacher said."""

    name = "corrected"
    clairvoyant = False

    def __init__(self, student: Agent, teacher: Agent, share: float) -> None:
        self._student, self._teacher, self._share = student, teacher, share
        self._correction: Decision | None = None
        self._asked = 0
        self.rows = GameRows()

    def reset(self, nonce: int) -> None:
        self._chance = random.Random(nonce)
        self._student.reset(nonce)

    def act(self, state: PublicState, /) -> Decision:
        own = self._student.act(state)
        self._correction = None
        if own.considered[0].value >= SURE:
            return own
        # As if nothing had been before: the teacher must not follow plans for a state that the student left.
        self._teacher.reset(self._chance.getrandbits(63))
        self._correction = self._teacher.act(state)
        return self._correction if self._chance.random() < self._share else own

    def started(self, state: PublicState) -> None:
        self.rows.clear()
        self._asked = 0

    def happened(self, moment: Moment) -> None:
        outcome = outcome_of(moment.before, moment.after)
        if self._correction is None:
            self.rows.beaten += outcome.beaten
        else:
            self.rows.add(moment.before, self._correction, outcome)
            self._asked += 1

    def ended(self, lesson: Lesson, number: int, state: PublicState) -> Rows | None:
        """What was gathered; None where the teacher was never asked."""
        if not self._asked:
            return None
        self.rows.end(
            Game(
                seed=lesson.seeds[number],
                deck=state.deck,
                stake=state.stake,
                challenge=state.challenge,
                agent=lesson.to_data()["agent"],
                nonce=nonce_of(number),
                result="open",  # how it ended says nothing of what the teacher alone would have made of it
                ante=state.ante,
                round=state.round,
                blinds=self.rows.beaten,
                steps=self._asked,
                number=number,
            )
        )
        return self.rows.rows()


class Pupil:
    """Plays one game of a lesson after another; agents are made once in each process."""

    def __init__(self, lesson: Lesson) -> None:
        self._lesson = lesson
        self._player: Corrected | None = None

    def __call__(self, number: int) -> Rows | GivenUp | None:
        lesson = self._lesson
        if self._player is None:
            teacher = make_agent(lesson.teacher, **(lesson.options or {}))
            self._player = Corrected(make_agent("network", model=lesson.model), teacher, lesson.teachers_share)
        rollout = Rollout(SimBackend(), [self._player])
        seed, (deck, stake, challenge) = lesson.seeds[number], lesson.starts[number]
        state = rollout.start(deck=deck, stake=stake, seed=seed, challenge=challenge)
        try:
            for moment in rollout.play(self._player, nonce_of(number)):
                state = moment.after
        except AgentFailed as failed:
            who = f"the network or its teacher {lesson.teacher}"
            return GivenUp(number, seed, f"{who} failed in decision {rollout.steps + 1}: {failed.what}")
        return self._player.ended(lesson, number, state)


def collect(lesson: Lesson, out: Path, *, workers: int, progress: Callable[[int], None]) -> None:
    """Plays the games that the file does not hold yet. ``progress`` is told how many there are.

    ValueError if one cannot be played to its end or kept; those before it are kept.
    """
    try:
        _collect(lesson, out, workers, progress)
    except (WriteFailed, WorkFailed) as error:
        raise ValueError(str(error)) from None


def _collect(lesson: Lesson, out: Path, workers: int, progress: Callable[[int], None]) -> None:
    settings = lesson.to_data()
    with Claim(out, settings), closing(ParquetSink(out, settings)) as output:
        there = output.done()
        done = len(there)
        progress(done)
        missing = [number for number in range(len(lesson.seeds)) if number not in there]
        with closing(run_tasks(Pupil(lesson), missing, workers)) as results:
            for number, rows in results:
                if isinstance(rows, Lost):
                    raise ValueError(f"The process that played game {number} ended with code {rows.exit_code}.")
                if isinstance(rows, GivenUp):
                    raise ValueError(f"Game {number} (seed {rows.seed}) cannot be played on: {rows.why}.")
                if rows is not None:
                    output.add(rows)
                    output.keep()
                done += 1
                progress(done)
        output.finish()
