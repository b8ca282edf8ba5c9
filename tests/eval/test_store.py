"""The folder of an evaluation: whose it is, how it grows, and what it bears."""

import errno
import io
import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from eval.episode_rows import episode
from jimbo.eval import Episode, Settings, Store, evaluate, read_rows, seed_set
from jimbo.eval.store import check_only_evaluations
from jimbo.rollout.output import WriteFailed
from jimbo.seeds.seed_sets import SeedSet

SEEDS = tuple(f"SEED{i}" for i in range(9))


def settings(size: int, **changes: Any) -> dict[str, Any]:
    return {**Settings(agent="made", seeds=SeedSet("dev-100", 1, SEEDS[:size])).to_data(), **changes}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """It holds two rows of three."""
    with Store(tmp_path / "kept") as store:
        store.open(settings(3))
        store.add(episode(0))
        store.add(episode(1))
    return tmp_path / "kept"


def test_rows_are_found_again(folder: Path) -> None:
    assert {path.name for path in folder.iterdir()} == {".lock", "config.json", "episodes.jsonl"}
    assert Store(folder).rows(settings(3)) == [episode(0), episode(1)]
    assert json.loads((folder / "config.json").read_text()) == settings(3)


def test_a_row_is_one_line_whatever_is_in_it(folder: Path) -> None:
    told = replace(episode(2), error="a\nb\r\u0085\u2028\u00e9")
    with Store(folder) as store:
        store.open(settings(3))
        store.add(told)
    assert Store(folder).rows(settings(3))[2] == told


# --- Whose it is ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("names", [["mine.txt"], ["episodes.jsonl"], ["report.html"], ["a", "b", "c", "d"], [".git/x"]])
def test_a_folder_of_something_else_is_refused(tmp_path: Path, names: list[str]) -> None:
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("mine")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(ValueError, match=r"holds other files \("), Store(tmp_path):
        pass
    with pytest.raises(ValueError, match="holds other files"):
        Store(tmp_path).rows(settings(3))
    assert sorted(tmp_path.rglob("*")) == before


def test_what_a_killed_process_left_is_no_obstacle(tmp_path: Path) -> None:
    for name in (".lock", ".config.json.17-abc.part", ".report.html.17-abc.part"):
        (tmp_path / name).write_text("half")
    with Store(tmp_path) as store:
        store.open(settings(3))
    assert {path.name for path in tmp_path.iterdir()} == {".lock", "config.json"}


@pytest.mark.parametrize(
    ("files", "refused"),
    [
        ([], ""),
        (["greedy/config.json", "random/config.json", "random/episodes.jsonl"], ""),
        (["greedy/config.json", "comparison.json", "report.html", ".lock", "greedy/.lock"], ""),
        (["notes.txt"], "notes.txt"),
        (["report.html"], "report.html"),
        (["greedy/config.json", "report.html"], "report.html"),
        (["greedy/thesis.tex"], "greedy"),
        (["config.json", "episodes.jsonl"], "config.json, episodes.jsonl"),
        (["a", "b", "c", "d", "e"], "a, b, c and 2 more"),
    ],
)
def test_around_a_comparison_there_is_nothing_else(tmp_path: Path, files: list[str], refused: str) -> None:
    for name in files:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text('{"schema": "jimbo_eval_v1"}')
    if refused:
        with pytest.raises(ValueError, match=rf"holds other files \({refused}\)"):
            check_only_evaluations(tmp_path)
    else:
        check_only_evaluations(tmp_path)


def test_a_comparison_of_something_else_is_no_comparison(tmp_path: Path) -> None:
    (tmp_path / "comparison.json").write_text("[" * 100_000)
    with pytest.raises(ValueError, match=r"\(comparison\.json\)"):
        check_only_evaluations(tmp_path)


def test_only_one_writes(folder: Path) -> None:
    with Store(folder), pytest.raises(ValueError, match="Another evaluation is writing to"), Store(folder):
        pass
    with Store(folder) as store:
        assert len(store.open(settings(3))) == 2


def test_a_folder_that_is_none_is_refused(folder: Path) -> None:
    with pytest.raises(ValueError, match="cannot be used: Not a directory"), Store(folder / "config.json"):
        pass
    with pytest.raises(ValueError, match=r"cannot be (used|read): Not a directory"), Store(folder / "config.json/x"):
        pass


# --- How it grows -----------------------------------------------------------------------------------------------------


def test_more_seeds_are_added(folder: Path) -> None:
    with Store(folder) as store:
        assert store.open(settings(5)) == [episode(0), episode(1)]
        assert (store.config(), store.seeds_held()) == (settings(5), 5)


def test_fewer_seeds_change_nothing(folder: Path) -> None:
    before = (folder / "config.json").read_bytes()
    with Store(folder) as store:
        assert store.open(settings(1)) == [episode(0)]
        assert store.seeds_held() == 3
    assert (folder / "config.json").read_bytes() == before
    assert read_rows(folder / "episodes.jsonl") == [episode(0), episode(1)]


@pytest.mark.parametrize(
    ("changes", "names"),
    [
        ({"stake": "stake_gold"}, "stake"),
        ({"options": {"effort": 5}}, "options"),
        ({"challenge": "c_omelette_1", "deck": "b_challenge"}, "deck, challenge"),
        ({"seeds": ["SEED1", "SEED0"]}, "seeds"),
        ({"seed_set": "fresh", "seeds": ["OTHER"]}, "seed_set, seeds"),
    ],
)
def test_other_settings_are_refused(folder: Path, changes: dict[str, Any], names: str) -> None:
    with pytest.raises(ValueError, match=rf"holds an evaluation with other settings \({names}\)"):
        Store(folder).rows(settings(4, **changes))


# --- What it bears ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cut", ['{"episode_id": 2, "seed"', "{", "\u00e9"])
def test_a_cut_last_line_is_dropped(folder: Path, cut: str) -> None:
    rows_path = folder / "episodes.jsonl"
    whole = rows_path.read_bytes()
    rows_path.write_bytes(whole + cut.encode()[:-1] + b"\xc3")
    with Store(folder) as store:
        assert Store(folder).rows(settings(3)) == [episode(0), episode(1)]
        assert rows_path.read_bytes() != whole  # looking changes nothing
        store.open(settings(3))
        assert rows_path.read_bytes() == whole
        store.add(episode(2))
    assert read_rows(rows_path) == [episode(i) for i in range(3)]


def test_a_cut_first_line_is_dropped(folder: Path) -> None:
    (folder / "episodes.jsonl").write_bytes(b'{"episode_id"')
    with Store(folder) as store:
        assert store.open(settings(3)) == []
    assert (folder / "episodes.jsonl").read_bytes() == b""


class FullDisk(io.FileIO):
    """Takes a hundred bytes more, and then none."""

    room = 100

    def write(self, data: Any) -> int:
        if not FullDisk.room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        taken = super().write(bytes(data)[: FullDisk.room])
        FullDisk.room -= taken
        return taken


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FullDisk, "room", 100)
    monkeypatch.setattr(Path, "open", lambda path, mode, buffering=-1: FullDisk(path, mode.replace("b", "")))


def test_a_full_disk_ends_the_evaluation_and_keeps_the_rest(folder: Path, full_disk: None) -> None:
    whole = (folder / "episodes.jsonl").read_bytes()
    with Store(folder) as store, pytest.raises(WriteFailed, match=r"episodes\.jsonl cannot be written: No space left"):
        store.add(episode(2))
    assert (folder / "episodes.jsonl").read_bytes() == whole


def test_an_evaluation_on_a_full_disk_tells_what_it_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add = Store.add

    def add_two(store: Store, row: Episode) -> None:
        if row.episode_id == 2:
            raise WriteFailed("No room.")
        add(store, row)

    monkeypatch.setattr(Store, "add", add_two)
    with Store(tmp_path) as store:
        result = evaluate(Settings(agent="greedy", seeds=seed_set("dev-100", 4)), workers=1, store=store)
    assert (result.trouble, len(result.episodes), result.stopped) == ("No room.", 2, False)
    assert tuple(read_rows(store.rows_path)) == result.episodes


def test_settings_are_whole_or_absent(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = (folder / "config.json").read_bytes()

    def full(path: Path, data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    with Store(folder) as store, pytest.raises(ValueError, match="cannot be used: No space left on device"):
        store.open(settings(5))
    assert (folder / "config.json").read_bytes() == before


# --- Files that somebody has changed ----------------------------------------------------------------------------------

Change = Callable[[dict[str, Any]], Any]


def put(**values: Any) -> Change:
    return lambda row: row.update(values)


def blind(**values: Any) -> Change:
    return lambda row: row["score_by_round"][0].update(values)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (put(steps="10"), 'steps must be a whole number, not "10"'),
        (put(steps=None), "steps must be a whole number, not None"),
        (put(steps=[10]), r"steps must be a whole number, not \[10\]"),
        (put(steps=1.5), "steps must be a whole number, not 1.5"),
        (put(steps=True), "steps must be a whole number, not True"),
        (put(round={"a": 1}), "round must be a whole number"),
        (put(final_money=10**30), "final_money is too large"),
        (put(seconds="fast"), 'seconds must be a number, not "fast"'),
        (put(seconds=None), "seconds must be a number, not None"),
        (put(seconds=2**63), "seconds is too large"),
        (put(seconds=-(2**63)), "seconds is too large"),
        (put(best_hand=float("nan")), "best_hand must be a number, not nan"),
        (put(best_hand=float("inf")), "best_hand must be a number, not inf"),
        (put(final_chips=False), "final_chips must be a number, not False"),
        (put(seed=5), "seed must be text, not 5"),
        (put(agent=None), "agent must be text, not None"),
        (put(best_hand_name="\ud800"), r'best_hand_name must be text, not "\\ud800"'),
        (put(error=["no"]), "error must be text"),
        (put(challenge=3), "challenge must be text"),
        (put(challenge="c_none"), 'challenge cannot be "c_none"'),
        (put(result="draw"), 'result must be one of win, loss, open, not "draw"'),
        (put(deck="b_none"), 'deck cannot be "b_none"'),
        (put(stake="white"), 'stake cannot be "white"'),
        (put(death_blind="bl_none"), 'death_blind cannot be "bl_none"'),
        (put(boss_blind_id="x"), 'boss_blind_id cannot be "x"'),
        (put(jokers="j_joker"), 'jokers must be a list, not "j_joker"'),
        (put(jokers=[1]), r"jokers\[0\] must be text, not 1"),
        (put(jokers=["j_none"]), 'jokers cannot be "j_none"'),
        (put(money_by_round=None), "money_by_round must be a list, not None"),
        (put(money_by_round=["$4"]), r"money_by_round\[0\] must be a whole number"),
        (put(money_by_round=[]), "money_by_round must be as long"),
        (put(score_by_round={}), "score_by_round must be a list"),
        (put(score_by_round=["small"]), r'score_by_round\[0\]: expected named values, not "small"'),
        (put(score_by_round=[{}]), r"score_by_round\[0\]: ante, round, blind and 2 more missing"),
        (blind(target="300"), r'score_by_round\[0\]: target must be a number, not "300"'),
        (blind(target=0), "score_by_round must have targets above 0"),
        (blind(blind="bl_none"), 'score_by_round cannot be "bl_none"'),
        (blind(more=1), r"score_by_round\[0\]: more unknown"),
        (lambda row: row.pop("steps"), "steps missing"),
        (put(more=1), "more unknown"),
        (put(**{"\ud800\n": 1}), r'"\\ud800 " unknown'),
    ],
)
def test_a_changed_row_is_named(folder: Path, change: Change, complaint: str) -> None:
    path = folder / "episodes.jsonl"
    first, second = path.read_text().splitlines()
    row = json.loads(second)
    change(row)
    path.write_text(f"{first}\n{json.dumps(row)}\n")
    with pytest.raises(ValueError, match=rf"episodes\.jsonl, line 2, is not a row of an evaluation: {complaint}"):
        Store(folder).rows(settings(3))


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b"", r"is not a row of an evaluation: it is not JSON \(Expecting value at character 1\)"),
        (b"mine", "it is not JSON"),
        (b"null", "expected named values, not None"),
        (b"[]", r"expected named values, not \[\]"),
        (b'"text"', 'expected named values, not "text"'),
        (b"5", "expected named values, not 5"),
        (b"{}", r"episode_id, agent, deck and \d+ more missing"),
        (b"[" * 200_000, "it is nested too deeply"),
        (b'{"a": ' * 200_000, "it is nested too deeply"),
        (b"9" * 10_000, "a number with too many digits"),
        (b"\xff\xfe", "cannot be read: not UTF-8 text"),
        (b"\x00", "it is not JSON"),
    ],
)
def test_a_line_that_is_no_row_is_named(folder: Path, line: bytes, complaint: str) -> None:
    path = folder / "episodes.jsonl"
    first, second = path.read_bytes().splitlines()
    path.write_bytes(b"\n".join([first, line, second, b""]))
    with pytest.raises(ValueError, match=rf"episodes\.jsonl, line 2, .*{complaint}"):
        Store(folder).rows(settings(3))


@pytest.mark.parametrize("change", [put(seed="OTHER"), put(episode_id=0), put(episode_id=7), put(episode_id=-1)])
def test_a_row_of_another_game_is_named(folder: Path, change: Change) -> None:
    test = "is about game -?[0-9] on the seed (OTHER|SEED1), which is not in config"
    path = folder / "episodes.jsonl"
    first, second = path.read_text().splitlines()
    row = json.loads(second)
    change(row)
    path.write_text(f"{first}\n{json.dumps(row)}\n")
    with pytest.raises(ValueError, match=rf"episodes\.jsonl, line 2, {test}"):
        Store(folder).rows(settings(3))


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "cannot be used: it is not JSON"),
        (b"{\n5", r"cannot be used: it is not JSON \(.* at line 2, character 1\)"),
        (b"[1]", "does not hold the settings of an evaluation"),
        (b"null", "does not hold the settings of an evaluation"),
        (b"{}", "does not hold the settings of an evaluation"),
        (b'{"name": "another program"}', "does not hold the settings of an evaluation"),
        (b"[" * 200_000, "it is nested too deeply"),
        (b"\xff", "cannot be read: not UTF-8 text"),
    ],
)
def test_a_changed_config_gets_a_sentence(folder: Path, content: bytes, complaint: str) -> None:
    (folder / "config.json").write_bytes(content)
    with pytest.raises(ValueError, match=rf"config\.json .*{complaint}.*\.$"):
        Store(folder).rows(settings(3))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (put(seeds="SEED0"), 'seeds must be a list, not "SEED0"'),
        (put(seeds=None), "seeds must be a list, not None"),
        (put(seeds=[1, 2]), r"seeds\[0\] must be text"),
        (put(seeds=["SEED0", None]), r"seeds\[1\] must be text"),
        (put(seeds=[]), "seeds must not be empty"),
        (put(seeds=["two\nlines"]), "seed"),
        (put(seed_set=7), "seed_set must be text"),
        (put(seed_set_version="1"), "seed_set_version must be a whole number"),
        (put(agent=[]), "agent must be text"),
        (put(deck=None), "deck must be text"),
        (lambda config: config.pop("stake"), "does not hold the settings"),
    ],
)
def test_settings_of_a_wrong_shape_get_a_sentence(folder: Path, change: Change, complaint: str) -> None:
    config = settings(3)
    change(config)
    (folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(ValueError, match=rf"config\.json cannot be used: .*{complaint}"):
        Store(folder).rows(settings(3))


def test_folders_in_the_place_of_files_get_a_sentence(folder: Path) -> None:
    (folder / "episodes.jsonl").unlink()
    (folder / "episodes.jsonl").mkdir()
    with pytest.raises(ValueError, match=r"episodes\.jsonl cannot be read: Is a directory"):
        Store(folder).rows(settings(3))
    (folder / "config.json").unlink()
    (folder / "config.json").mkdir()
    with pytest.raises(ValueError, match=r"config\.json cannot be read: Is a directory"):
        Store(folder).rows(settings(3))


@pytest.mark.parametrize("name", ["agent", "deck", "stake", "challenge"])
def test_rows_of_another_evaluation_are_refused(folder: Path, name: str) -> None:
    path = folder / "episodes.jsonl"
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    rows[1][name] = {"agent": "expert", "deck": "b_blue", "stake": "stake_gold", "challenge": "c_omelette_1"}[name]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(ValueError, match=f"line 2, has a different {name} from config.json"):
        Store(folder).rows(settings(3))


def test_what_a_named_file_holds_is_a_setting(tmp_path: Path) -> None:
    path = tmp_path / "constants.yaml"
    kept = {}
    for text in ("a: 1", "a: 2"):
        path.write_text(text)
        kept[text] = Settings(agent="made", seeds=seed_set("dev-100", 2), options={"config": str(path)}).to_data()
    assert kept["a: 1"]["option_files"].keys() == {"config"}
    with Store(tmp_path / "kept") as store:
        store.open(kept["a: 1"])
    with pytest.raises(ValueError, match=r"other settings \(option_files\)"):
        Store(tmp_path / "kept").rows(kept["a: 2"])
