"""``jimbo verify``, and the real corpora where they lie beside the repository."""

import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jimbo.cli import verify as cli
from jimbo.cli.main import app
from jimbo.engine.verify import FileResult, Report

ROOT = Path(__file__).resolve().parents[2]
CONFORMANCE = ROOT / os.environ.get("JIMBO_CONFORMANCE", "../shared/conformance")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One right file and one of an unknown kind."""
    (tmp_path / "seeds").mkdir()
    facts = {"reports": [{"facts": {"AAAAAAAA": "The Manacle", "BBBBBBBB": "The Goad"}}]}
    (tmp_path / "seeds" / "live_game_reports.json").write_text(json.dumps(facts))
    (tmp_path / "seeds" / "other.json").write_text("{}")
    return tmp_path


def spoil(folder: Path) -> None:
    path = folder / "seeds" / "live_game_reports.json"
    path.write_text(path.read_text().replace("The Goad", "The Wall"))


def test_all_right(folder: Path) -> None:
    result = CliRunner().invoke(app, ["verify", str(folder)])
    assert result.exit_code == 0
    assert "2 of 2 cases pass" in result.stdout
    assert "Not checked: seeds/other.json" in result.stdout


def test_json(folder: Path) -> None:
    result = CliRunner().invoke(app, ["verify", str(folder), "--json"])
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {
        "ok": True,
        "files": [
            {
                "file": "seeds/live_game_reports.json",
                "cases": 2,
                "passed": 2,
                "failed": 0,
                "excepted": 0,
                "skipped": 0,
                "not_reached": 0,
                "checked": True,
                "bar": 1.0,
                "first_difference": None,
            },
            {
                "file": "seeds/other.json",
                "cases": 0,
                "passed": 0,
                "failed": 0,
                "excepted": 0,
                "skipped": 0,
                "not_reached": 0,
                "checked": False,
                "bar": None,
                "first_difference": None,
            },
        ],
    }


def test_a_difference_is_shown_in_full(folder: Path) -> None:
    spoil(folder)
    result = CliRunner().invoke(app, ["verify", str(folder)])
    assert result.exit_code == 1
    for text in ("BBBBBBBB.bosses[0]", "'The Wall'", "'The Goad'", "FAIL"):
        assert text in result.stdout


def test_a_difference_in_json(folder: Path) -> None:
    spoil(folder)
    result = CliRunner().invoke(app, ["verify", str(folder), "--json"])
    assert result.exit_code == 1
    content = json.loads(result.stdout)
    assert not content["ok"]
    assert content["files"][0]["first_difference"] == {
        "path": "BBBBBBBB.bosses[0]",
        "expected": "The Wall",
        "found": "The Goad",
    }


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_broken_input_prints_nothing_but_the_reason(folder: Path, options: list[str]) -> None:
    (folder / "seeds" / "live_game_reports.json").write_text("{]")
    result = CliRunner().invoke(app, ["verify", str(folder), *options])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "live_game_reports.json, line 1" in result.stderr


def test_a_missing_folder(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["verify", str(tmp_path / "nowhere")])
    assert result.exit_code == 2
    assert "does not exist" in result.stderr


def test_steps_that_are_not_judged_count_apart(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = {"cases": 2, "passed": 1, "failed": 0, "excepted": 1, "skipped": 3, "not_reached": 44}
    report = Report((FileResult("traces/organic-00.jsonl.gz", checked=True, bar=1.0, **counts),))
    monkeypatch.setattr(cli, "verify_folder", lambda *_, **__: report)
    result = CliRunner().invoke(app, ["verify", str(folder)])
    assert "skipped not reached" in result.stdout
    assert "44" in result.stdout
    result = CliRunner().invoke(app, ["verify", str(folder), "--json"])
    assert counts.items() <= json.loads(result.stdout)["files"][0].items()


@pytest.fixture
def corpora(tmp_path: Path) -> Path:
    """The real ones, but of the traces one file only; ``make verify`` takes a minute for all of them."""
    for path in CONFORMANCE.rglob("*"):
        inside = path.relative_to(CONFORMANCE)
        if path.is_file() and (inside.parts[0] != "traces" or inside.name.startswith("directed-04")):
            (tmp_path / inside).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / inside).symlink_to(path)
    return tmp_path


@pytest.mark.skipif(not CONFORMANCE.is_dir(), reason=f"no corpora at {CONFORMANCE}")
def test_the_corpora_agree_completely(corpora: Path) -> None:
    result = CliRunner().invoke(app, ["verify", str(corpora), "--json"])
    assert result.exit_code == 0, result.output
    for file in json.loads(result.stdout)["files"]:
        name = file["file"]
        assert file["checked"], name
        assert file["cases"] == file["passed"] + file["failed"] + file["excepted"] > 0, name
        if name.startswith(("rng/", "seeds/", "real_runs/initial_")):
            assert (file["failed"], file["excepted"]) == (0, 0), name
        if name.startswith("traces/"):
            assert (file["failed"], file["not_reached"]) == (0, 0), name
            assert file["excepted"] < 0.005 * file["cases"], name
