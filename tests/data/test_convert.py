"""Files of decisions in the other form, and what is told about them."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from data.playing import changed, lines_of, rolled_out
from data.test_samples import assert_same
from jimbo.data.config_file import read_config
from jimbo.data.dataset import convert, summarize, validate
from jimbo.data.parquet import facts_of
from jimbo.data.samples import BadData, read_samples


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("forms")
    for name in ("games.parquet", "games.jsonl"):
        rolled_out(made / name)
    return made


def test_lines_become_columns(folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "made.parquet"
    assert convert(folder / "games.jsonl", target) == len(lines_of(folder / "games.jsonl"))
    assert_same(read_samples([target]), read_samples([folder / "games.parquet"]))
    assert validate(target) == len(read_samples([target]))
    config = read_config(target)
    assert (config["agent"], config["format"], config["converted_from"]) == ("greedy", "parquet", "games.jsonl")
    assert facts_of(target).config == config


def test_columns_become_lines(folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "made.jsonl"
    convert(folder / "games.parquet", target)
    assert_same(read_samples([target]), read_samples([folder / "games.parquet"]))
    made, written = lines_of(target), lines_of(folder / "games.jsonl")
    lost = ("timestamp", "candidates", "value_target")
    for here, there in zip(made, written, strict=True):
        assert {name: here[name] for name in here if name not in lost} == {
            name: there[name] for name in there if name not in lost
        }
        told = {str(other["action"]): other["value"] for other in there["candidates"]}
        for other in here["candidates"]:  # those that are candidates, to the precision of columns
            assert other["value"] == np.float32(told[str(other["action"])])
        assert here["value_target"] == (None if there["value_target"] is None else np.float32(there["value_target"]))
    assert any(here["candidates"] for here in made)
    assert read_config(target)["converted_from"] == "games.parquet"


def test_a_converted_file_is_no_rollout_to_go_on_with(folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "made.parquet"
    convert(folder / "games.jsonl", target)
    with pytest.raises(ValueError, match=r"other settings \(converted_from\)"):
        rolled_out(target)


def test_wrong_targets_are_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(BadData, match="are of the same form"):
        convert(folder / "games.jsonl", tmp_path / "other.jsonl")
    with pytest.raises(BadData, match="ends neither in"):
        convert(folder / "games.jsonl", tmp_path / "other.txt")
    with pytest.raises(BadData, match=r"games\.parquet is there already"):
        convert(folder / "games.jsonl", folder / "games.parquet")
    with pytest.raises(BadData, match="cannot be written: No such file or directory"):
        convert(folder / "games.jsonl", tmp_path / "no" / "such.parquet")


@pytest.mark.parametrize("target", ["made.parquet"])
def test_nothing_is_left_of_a_file_that_could_not_be_converted(target: str, folder: Path, tmp_path: Path) -> None:
    broken = changed(folder / "games.jsonl", tmp_path / "broken.jsonl", lambda lines: lines[-1].update(reward=5.5))
    with pytest.raises(BadData, match=r"reward is 5\.5, but the game has"):
        convert(broken, tmp_path / target)
    assert [path.name for path in tmp_path.iterdir()] == ["broken.jsonl"]


@pytest.mark.parametrize("name", ["games.parquet", "games.jsonl"])
def test_a_summary_counts(name: str, folder: Path) -> None:
    lines, data = lines_of(folder / "games.jsonl"), summarize(folder / name)
    assert (data["games"], data["total_records"]) == (3, len(lines))
    assert data["hand_records"] == data["phases"]["selecting_hand"] == data["actions"]["play"]
    assert data["shop_records"] == sum(line["phase"] in ("SHOP", "SMODS_BOOSTER_OPENED") for line in lines)
    assert sum(data["phases"].values()) == sum(data["actions"].values()) == len(lines)
    assert data["results"] == {"loss": 3}
    assert sum(data["final_antes"].values()) == 3
    assert data["players"] == {"greedy, b_red, stake_white": 3}
    assert data["listed_share"] == 1.0
    assert data["valued_share"] == pytest.approx(data["hand_records"] / len(lines), abs=1e-4)
    assert data["bytes"] == (folder / name).stat().st_size
    assert data["versions"] == lines[0]["versions"]


NUMBERS = {
    "there twice": (
        lambda lines: [line.update(episode_id=0) for line in lines if line["episode_id"] == 1],
        "game 0 is",
    ),
    "not among them": (
        lambda lines: [line.update(episode_id=77) for line in lines if line["episode_id"] == 1],
        "no game 77",
    ),
    "of another game": (
        lambda lines: [line.update(episode_id=(1, 0, 2)[line["episode_id"]]) for line in lines],
        "game 1 is on the seed ",
    ),
}


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_numbers_of_games_are_checked(name: str, form: str, folder: Path, tmp_path: Path) -> None:
    change, sentence = NUMBERS[name]
    path = changed(folder / "games.jsonl", tmp_path / "games.jsonl", change)
    if form == "parquet":
        convert(path, tmp_path / "games.parquet")
        path = tmp_path / "games.parquet"
    shutil.copy(folder / f"games.{form}.config.json", tmp_path)
    with pytest.raises(BadData, match=rf"^{path}, (line|row) \d+: .*{sentence}"):
        validate(path)
    assert validate(folder / f"games.{form}") > 0
