"""The command, and the whole reference data where it lies beside the repository."""

import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

import conformance.__main__ as command
from conformance import FileResult, Report

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


def spoil(folder: Path, *bosses: str) -> None:
    path = folder / "seeds" / "live_game_reports.json"
    for boss in bosses or ("The Goad",):
        path.write_text(path.read_text().replace(boss, "The Wall"))


def test_all_right(folder: Path) -> None:
    result = CliRunner().invoke(command.app, [str(folder)])
    assert result.exit_code == 0
    assert "2 of 2 cases pass" in result.stdout
    assert "Not checked: seeds/other.json" in result.stdout


def test_what_a_clone_can_check() -> None:
    """The extract in the repository agrees in every value."""
    result = CliRunner().invoke(command.app, [str(Path(__file__).parent / "extract"), "--json"])
    files = {file["file"]: file for file in json.loads(result.stdout)["files"]}
    assert {name: (file["failed"], file["excepted"]) for name, file in files.items()} == {
        "own_runs/run_R232.json": (0, 0),
        "scoring/worked_by_hand.jsonl": (0, 0),
    }
    assert min(file["passed"] for file in files.values()) > 40


def test_linked_folders_are_followed(folder: Path) -> None:
    """A link that leads back up is not."""
    (folder / "seeds").rename(folder / "kept")
    (folder / "all").mkdir()
    (folder / "all" / "seeds").symlink_to(folder / "kept")
    (folder / "kept" / "back").symlink_to(folder / "all")
    (folder / "kept" / "itself").symlink_to(folder / "kept" / "itself")
    for given in ("all", "all/seeds"):
        result = CliRunner().invoke(command.app, [str(folder / given)])
        assert (result.exit_code, "2 of 2 cases pass" in result.stdout) == (0, True), result.output
        assert "Not checked: seeds/other.json" in result.stdout


def test_json(folder: Path) -> None:
    result = CliRunner().invoke(command.app, [str(folder), "--json"])
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
                "excepted_by": {},
                "skipped": 0,
                "not_reached": 0,
                "checked": True,
                "bar": 1.0,
                "difference_count": 0,
                "first_difference": None,
                "differences": None,
                "error": None,
            },
            {
                "file": "seeds/other.json",
                "cases": 0,
                "passed": 0,
                "failed": 0,
                "excepted": 0,
                "excepted_by": {},
                "skipped": 0,
                "not_reached": 0,
                "checked": False,
                "bar": None,
                "difference_count": 0,
                "first_difference": None,
                "differences": None,
                "error": None,
            },
        ],
    }


def test_a_difference_is_shown_in_full(folder: Path) -> None:
    spoil(folder)
    result = CliRunner().invoke(command.app, [str(folder)])
    assert result.exit_code == 1
    for text in ("BBBBBBBB.bosses[0]", "'The Wall'", "'The Goad'", "FAIL"):
        assert text in result.stdout


def test_a_difference_in_json(folder: Path) -> None:
    spoil(folder)
    result = CliRunner().invoke(command.app, [str(folder), "--json"])
    assert result.exit_code == 1
    content = json.loads(result.stdout)
    assert not content["ok"]
    assert content["files"][0]["first_difference"] == {
        "path": "BBBBBBBB.bosses[0]",
        "expected": "The Wall",
        "found": "The Goad",
    }


def test_how_many_more_differences_there_are(folder: Path) -> None:
    spoil(folder, "The Goad", "The Manacle")
    result = CliRunner().invoke(command.app, [str(folder)])
    assert "First difference" in result.stdout
    assert "and 1 more (--all lists them)" in result.stdout
    assert "BBBBBBBB.bosses[0]" not in result.stdout


def test_all_lists_every_difference(folder: Path) -> None:
    spoil(folder, "The Goad", "The Manacle")
    result = CliRunner().invoke(command.app, [str(folder), "--all"])
    assert result.exit_code == 1
    for text in ("All 2 differences", "AAAAAAAA.bosses[0]", "BBBBBBBB.bosses[0]"):
        assert text in result.stdout
    assert "more (--all" not in result.stdout
    result = CliRunner().invoke(command.app, [str(folder), "--all", "--json"])
    file = json.loads(result.stdout)["files"][0]
    assert file["difference_count"] == 2
    assert [one["path"] for one in file["differences"]] == ["AAAAAAAA.bosses[0]", "BBBBBBBB.bosses[0]"]
    assert file["first_difference"] == file["differences"][0]


def test_broken_input_prints_nothing_but_the_reason(folder: Path) -> None:
    (folder / "seeds" / "live_game_reports.json").write_text("{]")
    result = CliRunner().invoke(command.app, [str(folder)])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("jimbo: seeds/live_game_reports.json, line 1: not valid JSON")
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("alone", [False, True])
def test_what_a_broken_file_says_before_it_breaks_off_is_told(folder: Path, alone: bool) -> None:
    (folder / "rng").mkdir()
    wrong = {"seed": "A", "key": "no_key_of_the_game", "hashed_seed": 0, "hash": 0, "m": 6, "draws": []}
    (folder / "rng" / "luajit_vectors.jsonl").write_text(f"{json.dumps(wrong)}\n{{]\n")
    if alone:
        (folder / "seeds" / "live_game_reports.json").unlink()
    result = CliRunner().invoke(command.app, [str(folder)])
    assert result.exit_code == 2
    assert "rng/luajit_vectors.jsonl: 0 of 2 cases pass before the file breaks off. First difference:" in result.stdout
    assert result.stderr.startswith("jimbo: rng/luajit_vectors.jsonl, line 2: not valid JSON")
    assert ("2 of 2 cases pass" in result.stdout) != alone
    file = json.loads(CliRunner().invoke(command.app, [str(folder), "--json"]).stdout)["files"][0]
    assert (file["checked"], file["failed"], file["difference_count"]) == (False, 2, 2)


@pytest.mark.parametrize("wrong", [False, True])
def test_a_broken_file_beside_another(folder: Path, wrong: bool) -> None:
    """It is told in any case and makes the exit code 2, whether the others agree or not."""
    if wrong:
        spoil(folder)
    (folder / "seeds" / "motely_A.json").write_text("{]")
    result = CliRunner().invoke(command.app, [str(folder)])
    assert result.exit_code == 2
    assert f"{2 - wrong} of 2 cases pass" in result.stdout
    assert "Not checked: seeds/other.json" in result.stdout
    assert "seeds/motely_A.json, line 1" in result.stderr
    result = CliRunner().invoke(command.app, [str(folder), "--json"])
    assert result.exit_code == 2
    content = json.loads(result.stdout)
    assert not content["ok"]
    assert "line 1" in content["files"][1]["error"]
    assert "seeds/motely_A.json, line 1" in result.stderr


def test_a_missing_folder(tmp_path: Path) -> None:
    result = CliRunner().invoke(command.app, [str(tmp_path / "nowhere")])
    assert result.exit_code == 2
    assert "does not exist" in result.stderr


def test_steps_that_are_not_judged_count_apart(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = {"cases": 2, "passed": 1, "failed": 0, "excepted": 1, "skipped": 3, "not_reached": 44}
    report = Report((FileResult("traces/organic-00.jsonl.gz", checked=True, bar=1.0, **counts),))
    monkeypatch.setattr(command, "verify_folder", lambda *_, **__: report)
    result = CliRunner().invoke(command.app, [str(folder)])
    assert "skipped not reached" in result.stdout
    assert "44" in result.stdout
    result = CliRunner().invoke(command.app, [str(folder), "--json"])
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
    result = CliRunner().invoke(command.app, [str(corpora), "--json"])
    assert result.exit_code == 0, result.output
    for file in json.loads(result.stdout)["files"]:
        name = file["file"]
        assert file["checked"], name
        assert file["cases"] == file["passed"] + file["failed"] + file["excepted"] > 0, name
        if name.startswith(("rng/", "seeds/", "real_runs/initial_")):
            assert (file["failed"], file["excepted"]) == (0, 0), name
        if name.startswith("traces/"):
            assert (file["failed"], file["not_reached"]) == (0, 0), name
            # Wherever a suit was changed, the model puts equal cards into another order, and nothing else differs.
            ordered = file["excepted_by"].get("equal_cards_lie_by_the_suit_they_were_created_with", 0)
            assert ordered < 0.025 * file["cases"], name
            assert file["excepted"] - ordered < 0.005 * file["cases"], name
