"""Many games written to a file: alone and over processes, stopped and resumed, and what fails."""

import errno
import os
import shutil
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from jimbo.data.config_file import config_path
from jimbo.data.dataset import validate
from jimbo.data.record_v1_files import read_games
from jimbo.data.samples import BadData, Game, read_samples
from jimbo.pace import pace_file, read_pace
from jimbo.rollout import farm
from jimbo.rollout.games import GivenUp, nonce_of
from jimbo.rollout.output import claimed
from jimbo.rollout.runner import RolloutPlan, roll_out
from jimbo.seeds.seed_sets import seed_set

FORMS = ("jsonl", "parquet")
PLAN = RolloutPlan(agent="random", games=30, format="jsonl")


def plan_for(form: str, **settings: Any) -> RolloutPlan:
    return replace(PLAN, format=form, **settings)


def played(path: Path) -> list[Game]:
    return sorted(read_samples([path]).played, key=lambda game: game.number)


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> list[Game]:
    path = tmp_path_factory.mktemp("expected") / "games.parquet"
    roll_out(plan_for("parquet"), path)
    return played(path)


# --- Playing ----------------------------------------------------------------------------------------------------------


def test_seeds_are_legal_distinct_and_not_measured() -> None:
    seeds = list(plan_for("jsonl", games=3000).game_seeds())
    assert len(set(seeds)) == 3000
    assert not set(seeds) & set(seed_set("dev-100").seeds + seed_set("dev-1000").seeds)
    assert seeds[:2] == ["95ARVEEN", "REHGNYH9"]
    assert list(plan_for("jsonl", seed_prefix="B").game_seeds())[:2] != seeds[:2]
    assert list(plan_for("jsonl", games=2, seed="TUTORIAL").game_seeds()) == ["TUTORIAL"] * 2


@pytest.mark.parametrize("form", FORMS)
def test_processes_play_as_one_does(form: str, expected: list[Game], tmp_path: Path) -> None:
    path = tmp_path / f"games.{form}"
    outcome = roll_out(plan_for(form), path, workers=2)
    assert (outcome.played, outcome.kept, outcome.given_up, outcome.stopped) == (30, 0, [], False)
    assert played(path) == expected
    assert [game.seed for game in expected] == list(PLAN.game_seeds())
    assert [game.nonce for game in expected] == [nonce_of(number) for number in range(30)]
    assert validate(path) == sum(game.steps for game in expected)
    assert sorted(os.listdir(tmp_path)) == [pace_file(path).name, path.name, config_path(path).name]
    assert read_pace(pace_file(path).read_text()).done["games"] == 30


def test_a_game_of_too_many_steps_is_open(tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    roll_out(plan_for("parquet", max_steps=3), path)
    assert {(game.result, game.steps) for game in played(path)} == {("open", 3)}
    assert validate(path) == 90


def test_challenges_and_other_decks_can_be_played(tmp_path: Path) -> None:
    roll_out(plan_for("jsonl", challenge="c_omelette_1", games=2), tmp_path / "challenge.jsonl")
    roll_out(plan_for("parquet", deck="b_blue", stake="stake_gold", games=2), tmp_path / "deck.parquet")
    assert {(game.deck, game.challenge) for game in played(tmp_path / "challenge.jsonl")} == {
        ("b_challenge", "c_omelette_1")
    }
    assert {(game.deck, game.stake) for game in played(tmp_path / "deck.parquet")} == {("b_blue", "stake_gold")}
    assert validate(tmp_path / "deck.parquet") > 0


# --- Stopping and going on --------------------------------------------------------------------------------------------


def stopping_after(games: int) -> Any:
    left = [games]

    def stop(_: Game | GivenUp) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise KeyboardInterrupt

    return stop


@pytest.mark.parametrize(("form", "workers"), [("jsonl", 1), ("parquet", 1), ("parquet", 2)])
def test_a_stopped_rollout_goes_on(form: str, workers: int, expected: list[Game], tmp_path: Path) -> None:
    path = tmp_path / f"games.{form}"
    for done, crew in ((10, workers), (20, 1)):
        first = roll_out(plan_for(form), path, workers=crew, progress=stopping_after(10))
        assert (first.stopped, first.played, first.kept) == (True, 10, done - 10)
    last = roll_out(plan_for(form), path)
    assert (last.stopped, last.kept, last.played) == (False, 20, 10)
    assert played(path) == expected
    again = roll_out(plan_for(form), path)
    assert (again.kept, again.played) == (30, 0)
    assert played(path) == expected


@pytest.mark.parametrize("form", FORMS)
def test_more_games_are_added(form: str, expected: list[Game], tmp_path: Path) -> None:
    path = tmp_path / f"games.{form}"
    roll_out(plan_for(form, games=12), path)
    assert played(path) == expected[:12]
    outcome = roll_out(plan_for(form), path)
    assert (outcome.kept, outcome.played) == (12, 18)
    assert played(path) == expected
    assert roll_out(plan_for(form, games=5), path).kept == 5  # fewer change nothing
    assert played(path) == expected


@pytest.mark.parametrize("left", [b"", b'{"schema_version":"rec', "line"])
def test_what_a_killed_process_left_of_a_game_is_cut_away(
    left: bytes | str, expected: list[Game], tmp_path: Path
) -> None:
    path = tmp_path / "games.jsonl"
    roll_out(PLAN, path)
    ends = [game.end for game in islice(read_games(path), 12)]
    data = path.read_bytes()
    lines = data[ends[10] :].splitlines(keepends=True)
    path.write_bytes(data[: ends[10]] + (lines[0] + lines[1] if left == "line" else bytes(left)))  # type: ignore[arg-type]
    outcome = roll_out(PLAN, path)
    assert (outcome.kept, outcome.played) == (11, 19)
    assert played(path) == expected


@pytest.mark.parametrize("tail", [b"", b'{"schema_ver'])
def test_a_broken_line_within_is_not_cut_away(tail: bytes, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    roll_out(PLAN, path)
    lines = [*path.read_bytes().splitlines(keepends=True), tail]
    lines[5] = b"hello\n"
    path.write_bytes(b"".join(lines))
    with pytest.raises(BadData, match=r"games\.jsonl, line 6: it is not JSON"):
        roll_out(PLAN, path)
    assert path.read_bytes() == b"".join(lines)


def test_an_empty_file_is_begun_anew(expected: list[Game], tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    roll_out(PLAN, path)
    path.write_bytes(b"")
    assert roll_out(PLAN, path).played == 30
    assert played(path) == expected


def test_parts_outlive_a_killed_process(expected: list[Game], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(farm, "SECONDS_AT_RISK", 0.0)  # a part for each game
    path, parts = tmp_path / "games.parquet", tmp_path / "games.parquet.parts"

    def killed(_: Game | GivenUp) -> None:
        if len(list(parts.glob("*.parquet"))) == 7:
            (parts / "000008.writing").write_bytes(b"PAR1 and the beginning of something")
            raise SystemError("as if it were killed")

    with pytest.raises(SystemError):
        roll_out(plan_for("parquet"), path, progress=killed)
    assert not path.exists()
    outcome = roll_out(plan_for("parquet"), path)
    assert (outcome.kept, outcome.played) == (7, 23)
    assert played(path) == expected
    assert not parts.exists()


def test_parts_that_were_put_together_before_count_once(expected: list[Game], tmp_path: Path) -> None:
    path, parts = tmp_path / "games.parquet", tmp_path / "games.parquet.parts"
    roll_out(plan_for("parquet"), path)
    parts.mkdir()
    shutil.copy(path, parts / "000001.parquet")  # as if the process had ended before it could remove it
    outcome = roll_out(plan_for("parquet"), path)
    assert (outcome.kept, outcome.played) == (30, 0)
    assert played(path) == expected


def test_the_only_part_is_never_lost(expected: list[Game], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from jimbo.rollout import output

    path = tmp_path / "games.parquet"

    def broken(source: Path, target: Path) -> None:
        if target == path:
            raise OSError(errno.EIO, "Input/output error")
        os.rename(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(output.os, "replace", broken)
        outcome = roll_out(plan_for("parquet"), path)
    assert outcome.trouble.endswith("cannot be written: Input/output error.")
    assert roll_out(plan_for("parquet"), path).kept == 30
    assert played(path) == expected


# --- Other files ------------------------------------------------------------------------------------------------------


def test_other_settings_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    roll_out(PLAN, path)
    for settings, names in (
        ({"deck": "b_blue"}, "deck"),
        ({"agent": "greedy", "seed_prefix": "B"}, "agent, seed_prefix"),
        ({"seed": "TUTORIAL"}, "seed, seed_prefix"),
        ({"max_steps": 5}, "max_steps"),
    ):
        with pytest.raises(ValueError, match=rf"holds a rollout with other settings \({names}\)"):
            roll_out(replace(PLAN, **settings), path)  # type: ignore[arg-type]


@pytest.mark.parametrize("form", FORMS)
def test_other_files_are_not_written_over(form: str, tmp_path: Path) -> None:
    path = tmp_path / f"letter.{form}"
    path.write_text("Dear Jimbo")
    with pytest.raises(ValueError, match="is there already, without letter"):
        roll_out(plan_for(form), path)
    assert path.read_text() == "Dear Jimbo"
    (tmp_path / f"folder.{form}").mkdir()
    with pytest.raises(ValueError, match=r"is a folder\. Name a file\."):
        roll_out(plan_for(form), tmp_path / f"folder.{form}")


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"schema": "jimbo_rollout_v1", "games": "many"}'])
def test_settings_that_cannot_be_read_are_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    config_path(path).write_text(text)
    with pytest.raises(ValueError, match=r"games\.jsonl\.config\.json cannot be used: "):
        roll_out(PLAN, path)


def test_one_process_writes_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with claimed(path, PLAN.to_data()), pytest.raises(ValueError, match="Another rollout is writing to"):
        roll_out(PLAN, path)
    assert roll_out(PLAN, path).played == 30


@pytest.mark.parametrize("form", FORMS)
def test_a_full_disk_keeps_what_was_written(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / f"games.{form}"
    roll_out(plan_for(form, games=5), path)
    from jimbo.data import parquet
    from jimbo.rollout import output

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(output, "add_text", full)
        patch.setattr(parquet, "table_of", full)
        outcome = roll_out(plan_for(form), path)
    assert outcome.trouble.endswith("cannot be written: No space left on device.")
    assert [game.number for game in played(path)] == [0, 1, 2, 3, 4]
    assert roll_out(plan_for(form), path).kept == 5


def test_columns_on_a_disk_that_fills_up_name_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first rows fit; after an error a file of columns cannot be written to any more."""
    from jimbo.data import parquet
    from jimbo.rollout.output import ParquetSink

    class Fills:
        def __init__(self, made: Any) -> None:
            self._made, self._tables = made, 0

        def write_table(self, table: Any) -> None:
            self._tables += 1
            if self._tables == 2:
                raise OSError(errno.ENOSPC, "No space left on device")
            if self._tables > 2:
                raise ValueError("Operation on closed file")
            self._made.write_table(table)

        def close(self) -> None:
            raise ValueError("Operation on closed file")

    path, writer = tmp_path / "games.parquet", parquet.writer
    with monkeypatch.context() as patch:
        patch.setattr(ParquetSink, "at_once", 10)
        patch.setattr(parquet, "writer", lambda *told: Fills(writer(*told)))
        outcome = roll_out(plan_for("parquet"), path)
    assert outcome.trouble == f"{path}.parts cannot be written: No space left on device."
    assert roll_out(plan_for("parquet"), path).kept == 0
    assert [game.number for game in played(path)] == list(range(30))


def test_an_interrupt_on_a_full_disk_is_told(tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    path.with_name("games.parquet.parts").write_text("a file where a folder should be")

    def interrupted(_: Game | GivenUp) -> None:
        raise KeyboardInterrupt

    outcome = roll_out(plan_for("parquet"), path, progress=interrupted)
    assert "games.parquet.parts cannot be written: " in outcome.trouble


# --- What fails -------------------------------------------------------------------------------------------------------

BAD, GOOD = [2], [0, 1, 3]
"""The games in which agents that misbehave do so, and do not."""


def failing(name: str, form: str = "parquet") -> RolloutPlan:
    return plan_for(form, agent=f"rollout.misbehaving:{name}", games=4)


@pytest.mark.parametrize(("form", "workers"), [("jsonl", 2), ("parquet", 1)])
def test_a_game_in_which_the_agent_fails_is_given_up(form: str, workers: int, tmp_path: Path) -> None:
    path = tmp_path / f"games.{form}"
    outcome = roll_out(failing("Confused", form), path, workers=workers)
    assert sorted(end.number for end in outcome.given_up) == BAD
    assert {end.why for end in outcome.given_up} == {
        "the agent rollout.misbehaving:Confused failed in decision 3: ValueError: no idea"
    }
    assert [game.number for game in played(path)] == GOOD
    assert roll_out(failing("Confused", form), path).kept == len(GOOD)


@pytest.mark.parametrize(("restart", "why"), [(False, "-9"), (True, "-9 (3 times)")])
def test_a_game_whose_process_dies_is_given_up(restart: bool, why: str, tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    outcome = roll_out(failing("Dying"), path, workers=2, restart=restart)
    assert sorted(end.number for end in outcome.given_up) == BAD
    assert {end.why for end in outcome.given_up} == {f"its process ended with code {why}"}
    assert [game.number for game in played(path)] == GOOD


def test_a_game_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    outcome = roll_out(failing("Hanging", "jsonl"), path, workers=1, timeout=1.0)
    assert sorted(end.number for end in outcome.given_up) == BAD
    assert {end.why for end in outcome.given_up} == {"it took more than 1 second"}
    assert [game.number for game in played(path)] == GOOD


@pytest.mark.parametrize("form", FORMS)
def test_whatever_an_agent_says_can_be_written_and_read(form: str, tmp_path: Path) -> None:
    path = tmp_path / f"games.{form}"
    assert roll_out(plan_for(form, agent="rollout.misbehaving:Babbling", games=2), path).played == 2
    samples = read_samples([path])
    assert validate(path) == len(samples)
    found = samples.values[samples.starts[:-1] + samples.chosen][samples.chosen >= 0]
    assert found.tolist() == pytest.approx([3.4e38] * len(found))


def test_nothing_is_written_where_no_game_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Nobody:
        def act(self, state: object) -> None:
            raise ValueError("nobody is here")

    monkeypatch.setattr("rollout.misbehaving.Confused", Nobody)
    assert len(roll_out(failing("Confused"), tmp_path / "games.parquet").given_up) == 4
    assert sorted(os.listdir(tmp_path)) == [".games.parquet.pace", "games.parquet.config.json"]
    assert "games" not in read_pace((tmp_path / ".games.parquet.pace").read_text()).done
