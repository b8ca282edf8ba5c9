"""``jimbo rollout`` as it is typed."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from jimbo.cli import rollout as command
from jimbo.cli.main import app
from jimbo.data.samples import read_samples
from jimbo.rollout.runner import RolloutResult

JIMBO = "from jimbo.cli.entry import run; run()"


REAL = ("--backend", "real", "--base-url", "http://127.0.0.1:9")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def typed(*words: str) -> Result:
    return CliRunner().invoke(app, ["rollout", *words])


def random_games(*words: str) -> Result:
    return typed("--agent", "random", "--workers", "1", *words)


def test_games_are_played_and_told(here: Path) -> None:
    done = random_games("--episodes", "5", "--out", "deep/games.jsonl")
    assert (done.exit_code, done.stdout) == (0, "5 games played: deep/games.jsonl\n")
    again = random_games("--episodes", "7", "--out", "deep/games.jsonl")
    assert again.stdout == "2 games played (5 games there before): deep/games.jsonl\n"
    assert len(read_samples([here / "deep/games.jsonl"]).played) == 7
    config = json.loads((here / "deep/games.jsonl.config.json").read_text())
    assert (config["agent"], config["games"], config["seed_prefix"]) == ("random", 7, "AAAAAAA")
    assert config["schema_hash"]
    assert config["versions"]["rules"]


def test_everything_can_be_chosen(here: Path) -> None:
    chosen = ["--deck", "blue", "--stake", "red", "--max-steps-per-episode", "6", "--seed-prefix", "MINE"]
    done = random_games("--backend", "sim", "--episodes", "2", "--format", "parquet", "--out", "a.parquet", *chosen)
    assert done.exit_code == 0
    games = read_samples([here / "a.parquet"]).played
    assert {(game.deck, game.stake) for game in games} == {("b_blue", "stake_red")}
    done = random_games("--episodes", "2", "--seed", "aaaaaaa-0", "--challenge", "omelette", "--out", "b.jsonl")
    assert done.exit_code == 0
    games = read_samples([here / "b.jsonl"]).played
    assert {(game.seed, game.challenge) for game in games} == {("AAAAAAA-0", "c_omelette_1")}
    assert games[0].nonce != games[1].nonce
    done = random_games("--episodes", "1", "--include-obs-raw", "--out", "c.jsonl")
    assert "obs_raw" in json.loads((here / "c.jsonl").read_text().splitlines()[0])


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--out", "a.jsonl", *REAL], "http://127.0.0.1:9, method health: nobody answers there"),
        (["--out", "a.jsonl", *REAL, "--workers", "2"], "--workers means nothing there: leave it out"),
        (["--out", "a.jsonl", *REAL, "--engine", "ray"], "--engine ray plays in the simulator: leave it out"),
        (["--out", "a.jsonl", *REAL, "--launch-instances", "2"], "--base-urls names 1 address: leave the number out"),
        (
            ["--out", "a.jsonl", "--launch-instances"],
            "--launch-instances is about the real game: add --backend real.",
        ),
        (["--out", "a.jsonl", "--base-url", "127.0.0.1:9"], "--base-urls is about the real game: add --backend real."),
        (["--out", "a.jsonl", "--backend", "real", "--base-urls", "ftp://x"], '"ftp://x" is not an address such as'),
        (["--out", "a.jsonl", *REAL, "--base-urls", "127.0.0.1:9"], "--base-urls names a game twice"),
        (["--out", "a.jsonl", "--backend", "moon"], 'There is no backend "moon". Choose sim, the simulator, or real.'),
        (["--out", "a.csv"], "a.csv ends neither in .jsonl nor in .parquet. Choose one of them.\n"),
        (["--out", "a.csv", "--format", "jsonl"], "a.csv must end in .jsonl, so that it can be read again."),
        (["--out", "a.parquet", "--include-obs-raw"], "--include-obs-raw is for jsonl: columns hold the observation"),
        (["--out", "a.jsonl", "--seed", "A", "--seed-prefix", "B"], "choose one of them."),
        (["--out", "a.jsonl", "--seed", "long" * 9], "a seed of 36 bytes is not valid"),
        (["--out", "a.jsonl", "--seed-prefix", " "], "--seed-prefix must be a text that can be printed."),
        (["--out", "a.jsonl", "--deck", "pink"], 'There is no deck "pink". Allowed are red, blue, '),
        (["--out", "a.jsonl", "--agent", "clever"], 'There is no agent "clever".'),
        (["--out", "a.jsonl", "--agent", "random", "--option", "effort=1"], "The agent random has no options"),
        (["--out", "/dev/null/a.jsonl"], "/dev/null/a.jsonl cannot be written: "),
        (["--out", "."], "ends neither in .jsonl nor in .parquet."),
    ],
)
def test_bad_input_is_one_sentence(words: list[str], sentence: str, here: Path) -> None:
    done = typed("--agent", "random", "--episodes", "1", *words)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr.startswith("jimbo: ")
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(here.iterdir()) == []


def test_other_settings_are_one_sentence(here: Path) -> None:
    random_games("--episodes", "1", "--out", "games.jsonl")
    before = (here / "games.jsonl").read_bytes()
    done = random_games("--episodes", "1", "--out", "games.jsonl", "--deck", "blue")
    assert done.exit_code == 2
    assert "games.jsonl holds a rollout with other settings (deck)." in done.stderr
    assert (here / "games.jsonl").read_bytes() == before


def test_columns_without_pyarrow_are_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith(("pyarrow", "jimbo.data.parquet"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pyarrow", None)  # type: ignore[arg-type]
    done = random_games("--episodes", "1", "--out", "games.parquet")
    assert done.exit_code == 2
    assert done.stderr == 'jimbo: pyarrow is not installed: pip install ".[data]" in a clone of Jimbo.\n'


def test_games_that_are_given_up_are_told(here: Path) -> None:
    (here / "lost.py").write_text("class Lost:\n    def act(self, state):\n        raise ValueError('where am I?')\n")
    done = typed("--agent", "lost:Lost", "--episodes", "5", "--workers", "1", "--out", "games.jsonl")
    assert done.exit_code == 1
    assert done.stdout == "0 games played: games.jsonl\n"
    told = done.stderr.splitlines()
    assert told[0].endswith("was given up: the agent lost:Lost failed in decision 1: ValueError: where am I?.")
    assert told[-1] == "2 more games were given up."


def test_trouble_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "roll_out", lambda plan, *_, **__: RolloutResult(plan, trouble="The disk is full."))
    done = random_games("--out", "games.jsonl")
    assert done.exit_code == 2
    assert done.stderr == ("jimbo: The disk is full. What had been saved before is kept; the same command continues.\n")


# --- Ends that come from outside --------------------------------------------------------------------------------------


def started(out: str, *words: str) -> "subprocess.Popen[str]":
    command = [
        sys.executable,
        "-c",
        JIMBO,
        "rollout",
        "--agent",
        "random",
        "--episodes",
        "100000",
        "--out",
        out,
        *words,
    ]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)


def wait_for(path: Path, size: int) -> None:
    until = time.monotonic() + 60
    while not (path.exists() and path.stat().st_size > size):
        assert time.monotonic() < until
        time.sleep(0.02)


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_rollout_that_is_ended_goes_on(end: signal.Signals, here: Path) -> None:
    path = here / "games.jsonl"
    process = started("games.jsonl", "--workers", "1")
    wait_for(path, 100_000)
    process.send_signal(end)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == (-9 if end == signal.SIGKILL else 130)
    told = r"Stopped with \d+ games of 100,000\. The same command continues\.\n"
    assert re.fullmatch("" if end == signal.SIGKILL else told, errors)
    with path.open("ab") as file:
        file.write(b'{"schema_version":"record_v1","times')
    done = random_games("--episodes", "5", "--out", "games.jsonl")
    assert done.exit_code == 0
    assert done.stdout == "0 games played (5 games there before): games.jsonl\n"
    assert {game.number for game in read_samples([path]).played} >= set(range(5))


def test_columns_that_are_ended_go_on(here: Path) -> None:
    process = started("games.parquet", "--workers", "1")
    wait_for(here / "games.parquet.parts" / "000001.writing", 1)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == 130
    assert os.listdir(here / "games.parquet.parts") == ["000001.parquet"]
    done = random_games("--episodes", "20", "--out", "games.parquet")
    assert done.stdout == "0 games played (20 games there before): games.parquet\n"
    assert {game.number for game in read_samples([here / "games.parquet"]).played} >= set(range(20))
    assert not (here / "games.parquet.parts").exists()
