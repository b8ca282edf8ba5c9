"""``jimbo eval --out``: what is kept, whatever happens to the process or the disk."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from jimbo.cli.main import app
from jimbo.eval import Store, read_rows, seed_set

GREEDY = ("--agent", "greedy")
JIMBO = [sys.executable, "-c", "from jimbo.cli.main import app; app()", "eval"]


def run(*arguments: str, out: Path) -> Result:
    return CliRunner().invoke(app, ["eval", "--workers", "1", "--out", str(out), *arguments], env={"COLUMNS": "80"})


def ids(folder: Path) -> list[int]:
    return [row.episode_id for row in read_rows(folder / "episodes.jsonl")]


def config(folder: Path) -> Any:
    return json.loads((folder / "config.json").read_text())


# --- More seeds, and fewer --------------------------------------------------------------------------------------------


def test_a_folder_grows(tmp_path: Path) -> None:
    run(*GREEDY, "--seeds", "3", out=tmp_path)
    first = (tmp_path / "episodes.jsonl").read_bytes()
    more = run(*GREEDY, "--seeds", "5", "--json", out=tmp_path)
    assert more.exit_code == 0
    assert "3 games were already there." in more.stderr
    assert json.loads(more.stdout)["games"] == json.loads((tmp_path / "summary.json").read_text())["games"] == 5
    assert (tmp_path / "episodes.jsonl").read_bytes().startswith(first)
    assert ids(tmp_path) == [0, 1, 2, 3, 4]
    assert config(tmp_path)["seeds"] == list(seed_set("dev-100", 5).seeds)
    assert config(tmp_path)["seeds_hash"] == seed_set("dev-100", 5).hash


def test_fewer_seeds_than_the_folder_holds(tmp_path: Path) -> None:
    run(*GREEDY, "--seeds", "5", out=tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    fewer = run(*GREEDY, "--seeds", "2", "--json", out=tmp_path)
    assert fewer.exit_code == 0
    assert "holds 5 seeds; this is about the first 2. Its files are left as they are." in fewer.stderr
    data = json.loads(fewer.stdout)
    assert (data["games"], data["seeds_hash"], data["complete"]) == (2, seed_set("dev-100", 2).hash, True)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_comparison_grows(tmp_path: Path) -> None:
    both = (*GREEDY, "--vs", "random")
    run(*both, "--seeds", "3", out=tmp_path)
    more = run(*both, "--seeds", "4", "--json", out=tmp_path)
    assert "6 games were already there." in more.stderr
    assert json.loads(more.stdout)["paired"]["games"] == 4
    assert ids(tmp_path / "greedy") == ids(tmp_path / "random") == [0, 1, 2, 3]
    kept = (tmp_path / "comparison.json").read_bytes()
    fewer = run(*both, "--seeds", "2", "--json", out=tmp_path)
    assert json.loads(fewer.stdout)["paired"]["games"] == 2
    assert fewer.stderr.count("holds 4 seeds; this is about the first 2.") == 2
    assert (tmp_path / "comparison.json").read_bytes() == kept


def test_fresh_seeds_stay_and_more_are_drawn(tmp_path: Path) -> None:
    fresh = (*GREEDY, "--vs", "random", "--seed-set", "fresh")
    run(*fresh, "--seeds", "3", out=tmp_path)
    drawn = config(tmp_path / "greedy")["seeds"]
    more = run(*fresh, "--seeds", "5", out=tmp_path)
    assert "6 games were already there." in more.stderr
    seeds = config(tmp_path / "greedy")["seeds"]
    assert (seeds[:3], len(set(seeds))) == (drawn, 5)
    assert config(tmp_path / "random")["seeds"] == seeds
    assert [row.seed for row in read_rows(tmp_path / "random" / "episodes.jsonl")] == seeds
    again = run(*fresh, "--json", out=tmp_path)
    assert json.loads(again.stdout)["games"] == 5


def test_the_second_folder_may_have_drawn_more(tmp_path: Path) -> None:
    run("--agent", "random", "--seed-set", "fresh", "--seeds", "3", out=tmp_path / "random")
    result = run(*GREEDY, "--vs", "random", "--seed-set", "fresh", "--json", out=tmp_path)
    assert json.loads(result.stdout)["paired"]["games"] == 3


# --- Folders and files of others --------------------------------------------------------------------------------------


@pytest.mark.parametrize("more", [[], ["--vs", "random"]])
def test_a_folder_of_something_else_is_refused(tmp_path: Path, more: list[str]) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    result = run(*GREEDY, *more, "--seeds", "1", out=tmp_path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "holds other files (thesis.tex). Choose another folder." in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_folder_below_a_comparison_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    run("--agent", "random", "--seeds", "1", "--stake", "red", out=tmp_path / "random")
    before = sorted(tmp_path.rglob("*"))
    result = run(*GREEDY, "--vs", "random", "--seeds", "1", out=tmp_path)
    assert result.exit_code == 2
    assert "random holds an evaluation with other settings (stake)" in result.stderr
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        (
            "episodes.jsonl",
            b"{}\n",
            "episodes.jsonl, line 1, is not a row of an evaluation: episode_id, agent, deck and",
        ),
        ("episodes.jsonl", b"\xff\n", "episodes.jsonl, line 1, cannot be read: not UTF-8 text."),
        ("episodes.jsonl", b"[" * 100_000 + b"\n", "line 1, is not a row of an evaluation: it is nested too deeply."),
        ("config.json", b"[]", "config.json cannot be used: it does not hold the settings of an evaluation."),
        ("config.json", b"\xff", "config.json cannot be read: not UTF-8 text."),
    ],
)
@pytest.mark.parametrize("kind", ["dev-100", "fresh"])
def test_broken_files_get_a_sentence(tmp_path: Path, kind: str, name: str, content: bytes, complaint: str) -> None:
    arguments = (*GREEDY, "--seed-set", kind, "--seeds", "1")
    run(*arguments, out=tmp_path)
    (tmp_path / name).write_bytes(content)
    result = run(*arguments, out=tmp_path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert complaint in result.stderr
    assert (tmp_path / name).read_bytes() == content


# --- Processes that die, and disks that are full ----------------------------------------------------------------------


def test_a_second_process_is_refused(tmp_path: Path) -> None:
    run(*GREEDY, "--seeds", "1", out=tmp_path)
    with Store(tmp_path):
        result = run(*GREEDY, "--seeds", "1", out=tmp_path)
    assert result.exit_code == 2
    assert f"Another evaluation is writing to {tmp_path}." in result.stderr
    assert run(*GREEDY, "--seeds", "1", out=tmp_path).exit_code == 0


def test_a_killed_evaluation_goes_on_at_once(tmp_path: Path) -> None:
    arguments = ["--agent", "random", "--seed-set", "dev-1000", "--workers", "1", "--out", str(tmp_path)]
    process = subprocess.Popen([*JIMBO, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 60
        while not (tmp_path / "episodes.jsonl").exists():
            assert time.monotonic() < until
            time.sleep(0.02)
        refused = run("--agent", "random", "--seed-set", "dev-1000", out=tmp_path)
        assert process.poll() is None, "it must still be at work for this test to mean anything"
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert refused.exit_code == 2
    assert "Another evaluation is writing to" in refused.stderr
    kept = (tmp_path / "episodes.jsonl").read_bytes()
    whole = kept[: kept.rfind(b"\n") + 1]
    result = run("--agent", "random", "--seed-set", "dev-1000", "--seeds", "3", "--json", out=tmp_path)
    assert result.exit_code == 0
    assert json.loads(result.stdout)["games"] == 3
    assert (tmp_path / "episodes.jsonl").read_bytes().startswith(whole)


def test_a_full_disk_ends_it_with_what_was_played(tmp_path: Path) -> None:
    arguments = [*GREEDY, "--seeds", "20", "--workers", "1", "--out", str(tmp_path), "--json"]

    def no_file_above_8000_bytes() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (8000, 8000))

    full = subprocess.run([*JIMBO, *arguments], preexec_fn=no_file_above_8000_bytes, capture_output=True, text=True)
    assert full.returncode == 2
    assert f"jimbo: {tmp_path}/episodes.jsonl cannot be written: File too large. What was played" in full.stderr
    assert "Traceback" not in full.stderr
    games = json.loads(full.stdout)["games"]
    assert games == len(ids(tmp_path)) > 2
    again = run(*GREEDY, "--seeds", "20", "--json", out=tmp_path)
    assert again.exit_code == 0
    assert f"{games} games were already there." in again.stderr
    assert json.loads(again.stdout)["games"] == 20


def test_a_report_that_cannot_be_written_is_still_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(*GREEDY, "--seeds", "2", out=tmp_path)
    (tmp_path / "report.html").unlink()

    def full(path: Path, data: bytes) -> int:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(Path, "write_bytes", full)
    result = run(*GREEDY, "--seeds", "2", out=tmp_path)
    assert result.exit_code == 2
    assert "games                2" in result.stdout
    assert "The summary and the report cannot be written: No space left on device." in result.stderr
    assert not [path for path in tmp_path.iterdir() if path.suffix == ".part"]


# --- Terminals without some signs -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "latin-1"},
        {"PYTHONIOENCODING": "cp437"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "C"},
    ],
)
def test_the_result_is_printed_wherever(tmp_path: Path, environment: dict[str, str]) -> None:
    encoding = environment.get("PYTHONIOENCODING", "utf-8")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHON"))}
    arguments = [
        *GREEDY,
        "--vs",
        "random",
        "--seeds",
        "2",
        "--workers",
        "1",
        "--out",
        str(tmp_path / "Gr\u00fc\u00dfe"),
    ]
    shown = subprocess.run([*JIMBO, *arguments], env=clean | environment, capture_output=True)
    assert shown.returncode == 0, shown.stderr
    text = shown.stdout.decode(encoding)
    assert "\ufffd" not in text
    assert "?" not in text
    for part in ("White Stake", "win rate", "Small Blind", "blinds passed", "greedy minus random"):
        assert part in text
    assert b"Kept in" in shown.stderr
