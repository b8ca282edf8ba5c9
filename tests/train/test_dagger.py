"""Students that are corrected while they play."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
pytest.importorskip("pyarrow")
from jimbo.data.dataset import convert, validate
from jimbo.data.samples import BadData, Game, read_samples
from jimbo.models.runtime import model_file
from jimbo.rollout.games import GameId, GamePlayer, GivenUp, Start
from jimbo.rollout.output import WriteFailed
from jimbo.rollout.pool import WorkFailed
from jimbo.train import dagger
from jimbo.train.core.machine import prepare
from jimbo.train.core.watching import Watcher
from jimbo.train.dagger import DaggerPlan, Lesson, collect, run_dagger, starts
from jimbo.train.settings import TrainSettings
from models.games import recorded

RED: Start = ("b_red", "stake_white", None)
BLUE: Start = ("b_blue", "stake_red", None)
OMELETTE: Start = ("b_challenge", "stake_white", "c_omelette_1")


def lesson(*starts: Start, teacher: str = "greedy") -> Lesson:
    seeds = tuple(f"LESSON{number}" for number in range(len(starts)))
    options = {"model": str(model_file(None))}
    return Lesson(options=options, model_hash="hash", seeds=seeds, starts=starts, teacher=teacher)


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games are played in this process."""

    def run_tasks(
        work: Callable[[GameId], Any], tasks: Iterable[GameId], *_: object, **__: object
    ) -> Iterator[tuple[GameId, Any]]:
        for task in tasks:
            yield task, work(task)

    monkeypatch.setattr(dagger, "run_tasks", run_tasks)


def collected(lesson: Lesson, folder: Path) -> Path:
    collect(lesson, folder / "round_1.parquet", workers=1, watcher=Watcher())
    return folder / "round_1.parquet"


@pytest.mark.usefixtures("alone")
def test_the_student_plays_what_the_lesson_says(tmp_path: Path) -> None:
    games = read_samples([collected(lesson(RED, BLUE, OMELETTE), tmp_path)]).played
    assert [(game.deck, game.stake, game.challenge) for game in games] == [RED, BLUE, OMELETTE]


def played(*starts: Start) -> list[Game]:
    game = recorded().played[0]
    told = {
        name: getattr(game, name) for name in ("seed", "agent", "nonce", "result", "ante", "round", "blinds", "steps")
    }
    return [Game(deck=deck, stake=stake, challenge=challenge, **told) for deck, stake, challenge in starts]


@pytest.mark.parametrize(
    ("games", "blue", "omelette", "red"), [(1, 1, 0, 0), (4, 2, 1, 1), (8, 4, 2, 2), (50, 25, 13, 12)]
)
def test_new_games_are_as_mixed_as_the_old(games: int, blue: int, omelette: int, red: int) -> None:
    found = starts(played(BLUE, OMELETTE, RED, BLUE), games)
    assert tuple(map(found.count, (BLUE, OMELETTE, RED))) == (blue, omelette, red)


@pytest.mark.usefixtures("alone")
def test_a_file_of_corrections_says_that_it_holds_no_whole_games(tmp_path: Path) -> None:
    path = collected(lesson(RED), tmp_path)
    assert json.loads((tmp_path / "round_1.parquet.config.json").read_text())["whole_games"] is False
    for beside in (True, False):  # the file tells it by itself, too
        if not beside:
            (tmp_path / "round_1.parquet.config.json").unlink()
        with pytest.raises(
            BadData, match=r"round_1\.parquet holds only those decisions .* in which a player was corrected"
        ):
            validate(path)
        with pytest.raises(BadData, match="holds only those decisions"):
            convert(path, tmp_path / "lines.jsonl")
    assert not (tmp_path / "lines.jsonl").exists()


def test_rows_lie_in_the_order_of_the_games_however_those_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    school = lesson(RED, BLUE, OMELETTE, RED)
    found = {}
    for name, orders in {"whole": ["0123"], "workers": ["2031"], "killed": ["31", "20"]}.items():
        for order in orders:

            def run_tasks(
                work: Callable[[GameId], Any], tasks: Iterable[GameId], *_: object, order: str = order, **__: object
            ) -> Iterator[tuple[GameId, Any]]:
                for task in ((0, int(number)) for number in order):
                    assert task in tasks
                    yield task, work(task)
                if len(order) < len(list(tasks)):
                    raise KeyboardInterrupt

            monkeypatch.setattr(dagger, "run_tasks", run_tasks)
            with suppress(KeyboardInterrupt):
                found[name] = collected(school, tmp_path / name).read_bytes()
    assert [game.number for game in read_samples([tmp_path / "whole" / "round_1.parquet"]).played] == [0, 1, 2, 3]
    assert found["workers"] == found["whole"]
    assert found["killed"] == found["whole"]


# --- What goes wrong --------------------------------------------------------------------------------------------------


class Confused:
    """A teacher without an answer."""

    def act(self, state: object) -> None:
        raise ValueError("no idea")


def test_a_teacher_that_fails_is_told() -> None:
    end, _ = GamePlayer([lesson(RED, teacher=f"{__name__}:Confused")])((0, 0))
    assert isinstance(end, GivenUp)
    assert end.why.endswith("ValueError: no idea")
    assert f"its teacher {__name__}:Confused failed in decision " in end.why


@pytest.mark.usefixtures("alone")
def test_a_teacher_that_fails_ends_the_round_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^Game 0 \(seed LESSON0\) cannot be played on: .*no idea\.$"):
        collected(lesson(RED, teacher=f"{__name__}:Confused"), tmp_path)


@pytest.mark.parametrize("error", [WriteFailed("The disk is full."), WorkFailed("No process can be started.")])
def test_what_ends_a_round_is_a_sentence(error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run_tasks(*_: object, **__: object) -> Iterator[tuple[GameId, Any]]:
        yield from ()
        raise error

    monkeypatch.setattr(dagger, "run_tasks", run_tasks)
    with pytest.raises(ValueError, match=f"^{error}$"):
        collected(lesson(RED), tmp_path)


def test_a_teacher_must_not_see_what_is_hidden(tmp_path: Path) -> None:
    plan = DaggerPlan(1, 1, options={"clairvoyant": True})
    settings = TrainSettings(method="dagger", size="tiny")
    with pytest.raises(ValueError, match="The teacher expert must not see what is hidden"):
        run_dagger([], [], settings, plan, tmp_path / "out", device=prepare("cpu"), workers=1, watcher=Watcher())
    assert not (tmp_path / "out").exists()
