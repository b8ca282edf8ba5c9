"""DAgger: the student plays, the teacher corrects, and the student learns from all corrections so far.

A network that only ever saw the teacher's games has not seen what follows its own mistakes. So in each round it plays
itself. The teacher is asked only where the student is not sure of itself, because each answer costs a search; part of
its answers are played, so that games reach later antes than the student would alone. These decisions are added to all
earlier ones, and a new network learns from all of them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import torch

from jimbo.agents import Agent, Decision, make_agent
from jimbo.backends import SimBackend
from jimbo.data import versions
from jimbo.data.columns import DecisionRows, GameRows
from jimbo.data.config_file import WHOLE_GAMES
from jimbo.data.record import outcome_of
from jimbo.data.samples import Game
from jimbo.engine import PublicState, batch_schema_hash
from jimbo.files import file_hash, write_bytes
from jimbo.models import input_schema
from jimbo.rollout import AgentFailed, Moment, Observer, Rollout
from jimbo.rollout.games import GivenUp, nonce_of
from jimbo.rollout.output import SCHEMA, ParquetSink, WriteFailed, claimed
from jimbo.rollout.pool import Lost, WorkFailed, run_tasks
from jimbo.seeds.seed_sets import train_seeds
from jimbo.train.core.curves import PICTURE
from jimbo.train.core.folder import BEST, LAST, METRICS, config_data, training_folder
from jimbo.train.core.watching import Progress, Watcher, WithTitle
from jimbo.train.settings import TrainSettings
from jimbo.train.supervised import read_and_describe, run_files

# --- Rounds -----------------------------------------------------------------------------------------------------------

ROUND = "round_{}"
TEACHERS_SHARE = 0.5
"""Of the corrections, half are played in the first round, a quarter in the second, ..."""
_OF_THE_LAST_ROUND = (
    *(f"{epoch}.{suffix}" for epoch in (BEST, LAST) for suffix in ("safetensors", "json", "onnx")),
    METRICS,
    PICTURE,
)


@dataclass(frozen=True, slots=True)
class DaggerPlan:
    rounds: int
    games: int
    """In each round."""
    teacher: str = "expert"
    options: Mapping[str, Any] | None = None
    """The teacher's."""


def run_dagger(
    paths: Sequence[Path],
    val: Sequence[Path],
    settings: TrainSettings,
    plan: DaggerPlan,
    folder: Path,
    *,
    device: torch.device,
    workers: int,
    watcher: Watcher,
) -> Progress:
    """Trains in ``folder/round_0``, the clone of the teacher, ``round_1`` ...; the last network is also the folder's.

    What is there already is kept.
    """
    _check_teacher(plan)
    training_folder(folder).check()
    about, played = _described(paths, val, settings, watcher)
    files = list(paths)
    with training_folder(folder) as own:
        own.begin(config_data(asdict(settings), input_schema(), plan=asdict(plan), data=about))
        for number in range(plan.rounds + 1):
            titled = WithTitle(f"Round {number} of {plan.rounds}", watcher)
            home = folder / ROUND.format(number)
            if number:
                student = folder / ROUND.format(number - 1) / f"{BEST}.onnx"
                lesson = _lesson(plan, student, number, starts(played, plan.games))
                data = home.with_suffix(".parquet")
                collect(lesson, data, workers=workers, watcher=titled)
                files.append(data)
            progress = run_files(files, val, settings, home, device=device, watcher=titled)
        for name in _OF_THE_LAST_ROUND:
            write_bytes(own.path(name), (home / name).read_bytes())
    return progress


def _check_teacher(plan: DaggerPlan) -> None:
    if make_agent(plan.teacher, **(plan.options or {})).clairvoyant:
        raise ValueError(
            f"The teacher {plan.teacher} must not see what is hidden: the student, which does not see it, cannot "
            "learn from that. Choose another teacher, or other options."
        )


def _described(
    paths: Sequence[Path], val: Sequence[Path], settings: TrainSettings, watcher: Watcher
) -> tuple[dict[str, Any], tuple[Game, ...]]:
    """Return what is learnt from at first; the decisions themselves are not kept while games are played."""
    data, about = read_and_describe(paths, val, settings, watcher)
    return about, data.learnt.played


def starts(played: Sequence[Game], games: int) -> tuple[Start, ...]:
    """Decks, stakes and challenges of new games, in the shares that they have among those played."""
    known = sorted(((game.deck, game.stake, game.challenge) for game in played), key=repr)
    return tuple(known[number * len(known) // games] for number in range(games))


def _lesson(plan: DaggerPlan, model: Path, number: int, starts: tuple[Start, ...]) -> Lesson:
    seeds = tuple(islice(train_seeds(f"dagger-{number}"), plan.games))
    return Lesson(str(model), file_hash(model)[:16], seeds, starts, plan.teacher, plan.options, TEACHERS_SHARE**number)


# --- Games that are corrected -----------------------------------------------------------------------------------------

_PLAYING = "Playing and being corrected"
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

    def ended(self, lesson: Lesson, number: int, state: PublicState) -> DecisionRows | None:
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
        return self.rows.gathered()


class Pupil:
    """Plays one game of a lesson after another; agents are made once in each process."""

    def __init__(self, lesson: Lesson) -> None:
        self._lesson = lesson
        self._player: Corrected | None = None

    def __call__(self, number: int) -> DecisionRows | GivenUp | None:
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


def collect(lesson: Lesson, out: Path, *, workers: int, watcher: Watcher) -> None:
    """Play the games that the file does not hold yet.

    ValueError if one cannot be played to its end or kept; those before it are kept.
    """
    try:
        _collect(lesson, out, workers, lambda games: watcher.progress(_PLAYING, games, len(lesson.seeds), "games"))
    except (WriteFailed, WorkFailed) as error:
        raise ValueError(str(error)) from None


def _collect(lesson: Lesson, out: Path, workers: int, progress: Callable[[int], None]) -> None:
    settings = lesson.to_data()
    with claimed(out, settings), closing(ParquetSink(out, settings)) as output:
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
