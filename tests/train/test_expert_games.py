"""The games that constants are fitted to: what they leave behind, and that nothing is lost or counted twice."""

import json
import os
import shutil
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from jimbo.agents.expert_v1 import ExpertV1Agent, load_config
from jimbo.agents.expert_v1.value import Forecaster
from jimbo.engine import Run
from jimbo.engine.catalog import TAGS
from jimbo.eval import seed_set, train_seeds
from jimbo.train.expert_constants import Game, GameFolder, Plan, play_games, read_games
from jimbo.train.expert_constants.games import data_hash
from jimbo.train.expert_constants.names import changed, constants
from jimbo.train.expert_constants.variation import RANGES, varied
from jimbo.train.expert_constants.watching import PlayGame, WatchedExpert, expert_options


@pytest.fixture
def folder(played: Path, tmp_path: Path) -> Path:
    shutil.copytree(played, tmp_path / "games")
    return tmp_path / "games"


def opened(path: Path, plan: Plan) -> list[Game]:
    with GameFolder(path) as folder:
        return folder.open(plan)


def player(plan: Plan) -> PlayGame:
    return PlayGame(load_config(), plan.seeds, plan.effort, plan.deck, plan.stake)


# --- What a game leaves behind ----------------------------------------------------------------------------------------


def test_each_blind_is_told_with_what_came_of_it(games: list[Game]) -> None:
    for game in games:
        assert game.end.result in ("win", "loss")
        assert game.blinds[0].place.number in (0, 1, 2)
        assert [line.cleared for line in game.blinds] == [True] * (len(game.blinds) - 1) + [game.end.result == "win"]
        for line in game.blinds:
            assert len(line.place.position.rounds) == 5 - line.place.position.slot
            assert line.place.position.rounds[0].log_target > 5
            assert line.place.position.unseen == 0
            assert (line.margin >= 0) == line.cleared
    assert sum(len(game.packs) for game in games) > 5
    assert {line.kind for game in games for line in game.packs} >= {"arcana", "buffoon"}


def test_a_pack_is_told_without_its_price_and_with_what_it_brought(games: list[Game]) -> None:
    packs = [line for game in games for line in game.packs]
    taken = [line for line in packs if line.kind == "buffoon" and len(line.after.jokers) > len(line.paid.jokers)]
    assert taken
    assert all(line.after.position.dollars == line.paid.position.dollars for line in taken)
    unchanged = [line for line in packs if line.after == line.paid]
    assert len(unchanged) < len(packs)


def test_a_skip_is_told_with_its_tag() -> None:
    run = Run(seed="SKIPPING")
    constants_ = changed(load_config(), {f"unseen.tags.{key}": 5.0 for key in TAGS})
    watched = WatchedExpert(ExpertV1Agent(expert_options(0.001), constants_), Forecaster(load_config(), 1))
    watched.reset(1)
    run.step(watched.act(run.public_state()).action)
    watched.act(run.public_state())
    assert [(line.tag, line.place.number, line.entered) for line in watched.skips] == [(tag_of("SKIPPING"), 1, 0)]


def tag_of(seed: str) -> str:
    tag = Run(seed=seed).public_state().blinds[0].tag
    assert tag is not None
    return tag.key


def test_watching_changes_no_decision() -> None:
    run = Run(seed="WATCHED")
    alone = ExpertV1Agent(expert_options(0.001))
    watched = WatchedExpert(ExpertV1Agent(expert_options(0.001)), Forecaster(load_config(), 9))
    alone.reset(3)
    watched.reset(3)
    for _ in range(40):
        decision = watched.act(run.public_state())
        assert alone.act(run.public_state()) == decision
        run.step(decision.action)
        if run.phase == "game_over":
            break


def test_a_game_is_the_same_whenever_it_is_played(games: list[Game], plan: Plan) -> None:
    shortest = min(games, key=lambda game: len(game.blinds))
    assert player(plan)(shortest.end.game).to_text() == shortest.to_text()


def test_seeds_are_for_training(plan: Plan) -> None:
    assert plan.seeds == tuple(islice(train_seeds("expert-constants"), plan.games))
    assert not set(plan.seeds) & set(seed_set("dev-1000").seeds)


# --- Varied constants -------------------------------------------------------------------------------------------------


def test_constants_are_varied_within_their_ranges() -> None:
    base = load_config()
    present = constants(base)
    draws_of = []
    for number in range(30):
        config, draws = varied(base, number)
        assert (config, draws) == varied(base, number)
        assert all(-1 <= draw <= 1 for draw in draws.values())
        draws_of.append(draws)
        now = constants(config)
        for entry in RANGES.values():
            for constant in filter(entry.holds, present):
                ends = (entry.moved(present[constant], -1), entry.moved(present[constant], 1))
                assert min(ends) <= now[constant] <= max(ends)
        assert abs(now["unseen.jokers.j_joker"] - present["unseen.jokers.j_joker"]) <= 0.2
        assert len(config.unseen.jokers) == 150
        untouched = [name for name in present if name.startswith(("effort.", "forecast.", "value.money_unit"))]
        assert all(now[name] == present[name] for name in untouched)
    for name in RANGES:
        assert min(draws[name] for draws in draws_of) < -0.5
        assert max(draws[name] for draws in draws_of) > 0.5


def test_constants_have_names() -> None:
    base = load_config()
    names = constants(base)
    assert names["value.known.1"] == base.value.known[1]
    assert names["unseen.jokers.j_joker"] == base.unseen.jokers["j_joker"]
    assert names["effort.rollouts"] == base.effort.rollouts
    other = changed(base, {"value.known.1": 2.0, "unseen.tags.tag_boss": 0.5, "threshold": 0.25})
    assert (other.value.known[1], other.unseen.tags["tag_boss"], other.threshold) == (2.0, 0.5, 0.25)
    assert changed(base, {}) == base
    with pytest.raises(ValueError, match="money must be a number from 0 to 100"):
        changed(base, {"value.money": -1.0})


# --- The folder -------------------------------------------------------------------------------------------------------


def test_lines_are_read_as_they_were_written(games: list[Game], played: Path) -> None:
    text = (played / "games.jsonl").read_text()
    assert [game.to_text() for game in read_games(played / "games.jsonl")] == [game.to_text() for game in games]
    assert "".join(f"{game.to_text()}\n" for game in games) == text
    assert data_hash(games) == data_hash(list(reversed(games))[::-1])
    assert data_hash(games) != data_hash(games[1:])


@pytest.mark.parametrize("cut", [1, 30, 4000])
def test_a_cut_game_is_played_again(folder: Path, plan: Plan, games: list[Game], cut: int) -> None:
    """As if the process had been killed while it wrote: the same lines come again, and no other is touched."""
    path = folder / "games.jsonl"
    whole = path.read_bytes()
    os.truncate(path, len(whole) - cut)
    with GameFolder(folder) as kept_in:
        kept = kept_in.open(plan)
        assert kept == games[: len(kept)]
        assert len(kept) < len(games)
        assert path.read_bytes() == "".join(f"{game.to_text()}\n" for game in kept).encode()
        again = play_games(plan, kept_in, kept, workers=1)
    assert again.games == games
    assert path.read_bytes() == whole


def test_more_games_add_and_fewer_take_none_away(folder: Path, plan: Plan, games: list[Game]) -> None:
    before = (folder / "games.jsonl").read_bytes()
    assert opened(folder, replace(plan, games=4)) == games[:4]
    more = replace(plan, games=len(games) + 1)
    with GameFolder(folder) as kept_in:
        told: list[Game] = []
        played = play_games(more, kept_in, kept_in.open(more), workers=1, progress=told.append)
    assert played.games[: len(games)] == games
    assert [game.end.game for game in told] == [len(games)]
    assert (folder / "games.jsonl").read_bytes().startswith(before)


def test_only_one_process_writes(folder: Path) -> None:
    with GameFolder(folder), pytest.raises(ValueError, match="Another process is writing to"):
        GameFolder(folder).__enter__()


def test_ctrl_c_keeps_what_was_played(folder: Path, plan: Plan, games: list[Game]) -> None:
    def stop(_: Game) -> None:
        raise KeyboardInterrupt

    more = replace(plan, games=len(games) + 3)
    with GameFolder(folder) as kept_in:
        played = play_games(more, kept_in, kept_in.open(more), workers=1, progress=stop)
    assert played.stopped
    assert len(played.games) == len(opened(folder, more)) == len(games) + 1


def test_a_full_disk_is_told(folder: Path, plan: Plan, games: list[Game], monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("jimbo.train.expert_constants.games.add_line", full)
    more = replace(plan, games=len(games) + 2)
    with GameFolder(folder) as kept_in:
        played = play_games(more, kept_in, kept_in.open(more), workers=1)
    assert played.trouble == f"{folder / 'games.jsonl'} cannot be written: No space left on device."
    assert played.games == games


def changed_line(path: Path, number: int, **values: Any) -> None:
    lines = path.read_text().splitlines()
    lines[number - 1] = json.dumps({**json.loads(lines[number - 1]), **values}, separators=(",", ":"))
    path.write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"line": "hand"}, 'line must be one of blind, skip, pack, end, not "hand"'),
        ({"line": None}, "line must be one of blind"),
        ({"blind": "bl_none"}, 'blind cannot be "bl_none"'),
        ({"cleared": 1}, "cleared must be true or false, not 1"),
        ({"margin": "much"}, 'margin must be a number, not "much"'),
        ({"place": 3}, "place: expected named values, not 3"),
        ({"more": 3}, "more unknown"),
    ],
)
def test_a_wrong_line_is_named(folder: Path, plan: Plan, values: dict[str, Any], message: str) -> None:
    changed_line(folder / "games.jsonl", 1, **values)
    with pytest.raises(ValueError, match=f"games.jsonl, line 1, does not belong to a game: {message}") as raised:
        opened(folder, plan)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"result": "draw"}, 'line {}, does not belong to a game: result cannot be "draw"'),
        ({"draws": {"known": 0.5}}, "line {}, does not belong to a game: draws must be of known, unknown"),
        ({"draws": {"known": 2}}, "line {}, does not belong to a game: draws.known must be a number from -1 to 1"),
        ({"game": 1}, "holds a game twice"),
        ({"seed": "OTHER"}, "holds game 0 on the seed OTHER instead of"),
    ],
)
def test_a_wrong_end_is_named(folder: Path, plan: Plan, values: dict[str, Any], message: str) -> None:
    lines = (folder / "games.jsonl").read_text().splitlines()
    end = next(number for number, line in enumerate(lines, 1) if line.startswith('{"line":"end"'))
    changed_line(folder / "games.jsonl", end, **values)
    with pytest.raises(ValueError, match=message.format(end)):
        opened(folder, plan)


def test_other_files_are_refused(folder: Path, plan: Plan, tmp_path: Path) -> None:
    path = folder / "games.jsonl"
    whole = path.read_bytes()
    path.write_bytes(b"\xff\n" + whole)
    with pytest.raises(ValueError, match="line 1, cannot be read: not UTF-8 text"):
        opened(folder, plan)
    path.write_bytes(b"{\n" + whole)
    with pytest.raises(ValueError, match="line 1, does not belong to a game: it is not JSON"):
        opened(folder, plan)
    (tmp_path / "else").mkdir()
    (tmp_path / "else" / "thesis.txt").touch()
    with pytest.raises(ValueError, match=r"else holds other files \(thesis.txt\)"):
        opened(tmp_path / "else", plan)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "plan.json cannot be used: it is not JSON"),
        ("[]", "holds games of another plan"),
        (None, r"holds games of another plan \(effort\)"),
    ],
)
def test_another_plan_is_refused(folder: Path, plan: Plan, text: str | None, message: str) -> None:
    path = folder / "plan.json"
    path.write_text(text if text is not None else path.read_text().replace('"effort": 0.001', '"effort": 0.5'))
    with pytest.raises(ValueError, match=message):
        opened(folder, plan)


def test_an_effort_that_the_expert_does_not_take_is_refused() -> None:
    for effort in (0.0, -1.0, float("nan"), 1e9):
        with pytest.raises(ValueError, match="must be a number from"):
            Plan(10, effort)
