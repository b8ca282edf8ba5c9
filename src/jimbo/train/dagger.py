"""DAgger: the student plays, the teacher corrects, and the student learns from all corrections so far.

A network that only ever saw the teacher's games has not seen what follows its own mistakes. So in each round it plays
itself. The teacher is asked only where the student is not sure of itself, because each answer costs a search; part of
its answers are played, so that games reach later antes than the student would alone. These decisions are added to all
earlier ones, and a new network learns from all of them.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

import torch

from jimbo.agents import Agent, Decision, make_agent
from jimbo.data.columns import GameRows
from jimbo.data.config_file import WHOLE_GAMES
from jimbo.data.record import outcome_of, versions
from jimbo.data.samples import Game
from jimbo.engine import PublicState, batch_schema_hash
from jimbo.files import file_hash, write_bytes
from jimbo.models.inputs import input_schema
from jimbo.rollout.farm import play_games
from jimbo.rollout.games import EndedGame, GameBuffer, GameId, GamePlayer, GamesSpec, GivenUp, Start
from jimbo.rollout.loop import Moment
from jimbo.rollout.output import SCHEMA, ParquetSink, claimed
from jimbo.rollout.pool import run_tasks
from jimbo.rollout.runner import RecordBuffer
from jimbo.seeds.seed_sets import train_seeds
from jimbo.train.core.curves import PICTURE
from jimbo.train.core.state import BEST, LAST, METRICS, config_data, training_folder
from jimbo.train.core.watching import Progress, Watcher, WithTitle
from jimbo.train.settings import TrainSettings
from jimbo.train.supervised import read_and_describe, run_files

# --- Rounds -----------------------------------------------------------------------------------------------------------

ROUND = "round_{}"
TEACHERS_SHARE = 0.5
"""Half of the corrections are played in the first round, a quarter in the second, ..."""
_OF_THE_LAST_ROUND = (
    *(f"{epoch}.{suffix}" for epoch in (BEST, LAST) for suffix in ("safetensors", "json", "onnx")),
    METRICS,
    PICTURE,
)


@dataclass(frozen=True, slots=True)
class DaggerPlan:
    rounds: int
    games: int
    """Games in each round."""
    teacher: str = "expert"
    options: Mapping[str, Any] | None = None
    """Options of the teacher."""


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
    """Train in ``folder/round_0``, the clone of the teacher, ``round_1`` ...; the last network is also the folder's.

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
    return about, data.samples.played


def starts(played: Sequence[Game], games: int) -> tuple[Start, ...]:
    """Decks, stakes and challenges of new games, in the shares that they have among those played."""
    known = sorted(((game.deck, game.stake, game.challenge) for game in played), key=repr)
    return tuple(known[number * len(known) // games] for number in range(games))


def _lesson(plan: DaggerPlan, model: Path, number: int, starts: tuple[Start, ...]) -> Lesson:
    seeds = tuple(islice(train_seeds(f"dagger-{number}"), plan.games))
    return Lesson(
        options={"model": str(model)},
        model_hash=file_hash(model)[:16],
        seeds=seeds,
        starts=starts,
        teacher=plan.teacher,
        teacher_options=plan.options or {},
        teachers_share=TEACHERS_SHARE**number,
    )


# --- Games that are corrected -----------------------------------------------------------------------------------------

_PLAYING = "Playing and being corrected"
SURE = 0.9
"""A student that gives its first choice this probability is not corrected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson(GamesSpec):
    """The games of a student, and the teacher that corrects it."""

    agent: str = "network"
    model_hash: str
    seeds: tuple[str, ...]
    starts: tuple[Start, ...]
    """Deck, stake and challenge on each of the seeds."""
    teacher: str = "expert"
    teacher_options: Mapping[str, Any] = field(default_factory=dict)
    teachers_share: float = 0.5
    """Share of the corrections that are played."""

    def game_seeds(self) -> Sequence[str]:
        return self.seeds

    def start(self, number: int) -> Start:
        return self.starts[number]

    def make_player(self) -> Corrected:
        teacher = make_agent(self.teacher, **self.teacher_options)
        return Corrected(make_agent(self.agent, **self.options), teacher, self.teachers_share)

    def make_buffer(self, player: Agent, url: str | None) -> GameBuffer:
        assert isinstance(player, Corrected)
        return Corrections(player)

    @property
    def corrected_name(self) -> str:
        return f"network, corrected by {self.teacher}"

    @property
    def player_name(self) -> str:
        return f"the network or its teacher {self.teacher}"

    def to_data(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "agent": self.corrected_name,
            "options": dict(self.teacher_options),
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


class Corrected:
    """Plays as the student or the teacher would."""

    name = "corrected"
    clairvoyant = False

    def __init__(self, student: Agent, teacher: Agent, share: float) -> None:
        self._student, self._teacher, self._share = student, teacher, share
        self.correction: Decision | None = None
        """What the teacher said to the last decision, if it was asked."""

    def reset(self, nonce: int) -> None:
        self._chance = random.Random(nonce)
        self._student.reset(nonce)

    def act(self, state: PublicState, /) -> Decision:
        own = self._student.act(state)
        self.correction = None
        if own.considered[0].value >= SURE:
            return own
        # As if nothing had been before: the teacher must not follow plans for a state that the student left.
        self._teacher.reset(self._chance.getrandbits(63))
        self.correction = self._teacher.act(state)
        return self.correction if self._chance.random() < self._share else own


class Corrections(RecordBuffer):
    """Keeps the decisions in which the teacher was asked, with what it said."""

    def __init__(self, player: Corrected) -> None:
        self._rows = GameRows()
        super().__init__(self._rows)
        self._player, self._asked = player, 0

    def started(self, state: PublicState) -> None:
        super().started(state)
        self._asked = 0

    def happened(self, moment: Moment) -> None:
        outcome = outcome_of(moment.before, moment.after)
        if self._player.correction is None:
            self._rows.beaten += outcome.beaten
        else:
            self._rows.add(moment.before, self._player.correction, outcome)
            self._asked += 1

    def ended(self, ended: EndedGame) -> Game | GivenUp:
        if ended.failure:
            return ended.given_up(ended.failure)
        assert isinstance(ended.spec, Lesson)
        # How it ended says nothing of what the teacher alone would have made of it.
        name, whole = ended.spec.corrected_name, ended.game(self._rows.beaten)
        game = replace(whole, agent=name, result="open", steps=self._asked)
        if self._asked:
            self._rows.end(game)
        return game


def collect(lesson: Lesson, out: Path, *, workers: int, watcher: Watcher) -> None:
    """Play the games that the file does not hold yet.

    ValueError if one cannot be played to its end or kept; those before it are kept.
    """
    settings, total = lesson.to_data(), len(lesson.seeds)
    with claimed(out, settings), closing(ParquetSink(out, settings)) as sink:
        there = sink.done()
        missing = [(0, number) for number in range(total) if number not in there]
        done = len(there)
        watcher.progress(_PLAYING, done, total, "games")

        def ended(_: GameId, end: Game | GivenUp) -> None:
            nonlocal done
            if isinstance(end, GivenUp):
                raise ValueError(f"Game {end.number} (seed {end.seed}) cannot be played on: {end.why}.")
            sink.keep()  # a part for each game, so that rows lie in the order of the games, however those end
            done += 1
            watcher.progress(_PLAYING, done, total, "games")

        stop = play_games(GamePlayer([lesson]), missing, sink, ended, workers=workers, spread=run_tasks)
    if stop.trouble:
        raise ValueError(stop.trouble)
    if stop.stopped:
        raise KeyboardInterrupt
