"""``jimbo data`` as it is typed."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from data.playing import rolled_out
from jimbo.cli.main import app


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    rolled_out(folder / "games.jsonl")
    rolled_out(folder / "games.parquet")
    return folder


def typed(*words: object) -> Result:
    return CliRunner().invoke(app, ["data", *map(str, words)])


@pytest.mark.parametrize("name", ["games.jsonl", "games.parquet"])
def test_a_summary(name: str, games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    shown = typed("summary", games / name)
    data = json.loads(typed("summary", games / name, "--json").stdout)
    assert shown.exit_code == 0
    lines = {line.split()[0]: " ".join(line.split()[1:]) for line in shown.stdout.splitlines()}
    assert lines["games"] == "3: loss 100.0%"
    assert lines["decisions"].startswith(f"{data['total_records']}: selecting_hand ")
    assert lines["players"] == "greedy, b_red, stake_white (3)"
    assert lines["candidates"].startswith("100.0% of the actions taken are listed, ")
    assert lines["versions"].endswith(data["schema_hash"])


@pytest.mark.parametrize("name", ["games.jsonl", "games.parquet"])
def test_validation(name: str, games: Path) -> None:
    count = json.loads(typed("summary", games / name, "--json").stdout)["total_records"]
    assert typed("validate", games / name).stdout == f"validated_records={count}\n"
    assert json.loads(typed("validate", games / name, "--json").stdout) == {"validated_records": count}


def test_the_first_broken_line_is_named(games: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.jsonl"
    lines = (games / "games.jsonl").read_text().splitlines(keepends=True)
    lines[7] = lines[7].replace('"reward":', '"reward":1')
    broken.write_text("".join(lines))
    done = typed("validate", broken)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr.startswith(f"jimbo: {broken}, line 8: reward is ")


def test_conversion(games: Path, tmp_path: Path) -> None:
    done = typed("convert", games / "games.jsonl", "--out", tmp_path / "made.parquet")
    count = json.loads(typed("summary", games / "games.jsonl", "--json").stdout)["total_records"]
    assert (done.exit_code, done.stdout) == (0, f"{count} decisions written: {tmp_path / 'made.parquet'}\n")
    done = typed("convert", tmp_path / "made.parquet", "--out", tmp_path / "back.jsonl", "--json")
    assert json.loads(done.stdout) == {"converted_records": count, "file": str(tmp_path / "back.jsonl")}
    assert typed("validate", tmp_path / "back.jsonl").exit_code == 0
    again = typed("convert", tmp_path / "made.parquet", "--out", tmp_path / "back.jsonl")
    assert again.exit_code == 2
    assert "back.jsonl is there already" in again.stderr


@pytest.mark.parametrize("verb", ["summary", "validate"])
@pytest.mark.parametrize(
    ("name", "data"), [("none.jsonl", None), ("empty.jsonl", b""), ("text.parquet", b"hello"), ("notes.txt", b"hello")]
)
def test_other_files_are_one_sentence(verb: str, name: str, data: bytes | None, tmp_path: Path) -> None:
    if data is not None:
        (tmp_path / name).write_bytes(data)
    done = typed(verb, tmp_path / name)
    assert done.exit_code == 2
    assert done.stderr.startswith(f"jimbo: {tmp_path / name}")
    assert done.stderr.count("\n") == 1
