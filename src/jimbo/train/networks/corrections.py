"""Games that a student plays while a teacher says, at every decision, what it would have done: the labels of DAgger."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jimbo.agents import Agent, make_agent
from jimbo.backends import SimBackend
from jimbo.data import versions
from jimbo.data.came import came_of
from jimbo.data.game_rows import GameRows, Rows
from jimbo.data.samples import Game
from jimbo.engine import PublicState, batch_schema_hash
from jimbo.rollout import MAX_STEPS, Moment, Observer, Rollout
from jimbo.rollout.output import Claim
from jimbo.rollout.parquet_output import ParquetOutput
from jimbo.rollout.plan import SCHEMA, nonce_of
from jimbo.rollout.pool import Died, run_tasks

_STEPS_APART = 1_000_003
"""Each decision of the teacher has a nonce of its own, as if nothing had been before it: it must not follow plans that
it made for a state the student left."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """Who plays and who corrects."""

    model: str
    """The student: an ONNX file."""
    model_hash: str
    seeds: tuple[str, ...]
    teacher: str = "expert"
    options: Mapping[str, Any] | None = None
    """The teacher's."""

    def to_data(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "agent": f"network, corrected by {self.teacher}",
            "options": dict(self.options or {}),
            "model_hash": self.model_hash,
            "seeds": list(self.seeds),
            "games": len(self.seeds),
            "schema_hash": batch_schema_hash(),
            "versions": dict(versions()),
        }


class Corrector(Observer):
    """Gathers what the teacher would do, whatever the student does."""

    def __init__(self, teacher: Agent) -> None:
        self._teacher = teacher
        self._nonce = 0
        self.rows = GameRows()

    def begin(self, nonce: int) -> None:
        self._nonce = nonce
        self.rows.clear()

    def started(self, state: PublicState) -> None:
        self.rows.drop()

    def happened(self, moment: Moment) -> None:
        self._teacher.reset((self._nonce + moment.step * _STEPS_APART) % 2**63)
        self.rows.add(moment.before, self._teacher.act(moment.before), came_of(moment.before, moment.after))


class Pupil:
    """Plays one game of a lesson after another; agents are made once in each process."""

    def __init__(self, lesson: Lesson) -> None:
        self._lesson = lesson
        self._agents: tuple[Agent, Corrector] | None = None

    def __call__(self, number: int) -> Rows:
        lesson = self._lesson
        if self._agents is None:
            teacher = make_agent(lesson.teacher, **(lesson.options or {}))
            self._agents = make_agent("network", model=lesson.model), Corrector(teacher)
        student, corrector = self._agents
        nonce = nonce_of(number)
        corrector.begin(nonce)
        rollout = Rollout(SimBackend(), [corrector])
        state = rollout.start(seed=lesson.seeds[number])
        for moment in rollout.play(student, nonce, max_steps=MAX_STEPS):
            state = moment.after
        corrector.rows.end(
            Game(
                seed=lesson.seeds[number],
                deck=state.deck,
                stake=state.stake,
                agent=lesson.to_data()["agent"],
                nonce=nonce,
                result="open",  # how it ended says nothing of what the teacher would have made of it
                ante=state.ante,
                round=state.round,
                blinds=corrector.rows.beaten,
                steps=rollout.steps,
                number=number,
            )
        )
        return corrector.rows.rows()


def collect(lesson: Lesson, out: Path, *, workers: int, progress: Callable[[int], None]) -> None:
    """Plays the games that the file does not hold yet. ``progress`` is told how many there are."""
    settings = lesson.to_data()
    with Claim(out, settings), closing(ParquetOutput(out, settings)) as output:
        done = len(output.done())
        progress(done)
        missing = [number for number in range(len(lesson.seeds)) if number not in output.done()]
        with closing(run_tasks(Pupil(lesson), missing, workers)) as results:
            for number, rows in results:
                if isinstance(rows, Died):
                    raise ValueError(f"The process that played game {number} ended with code {rows.exit_code}.")
                output.add(rows)
                output.keep()
                done += 1
                progress(done)
        output.finish()
