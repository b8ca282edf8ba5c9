"""``jimbo gate``, with agents that really play."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from rich.console import Console
from typer.testing import CliRunner

from jimbo.cli.gate import gate_picture
from jimbo.cli.main import app
from jimbo.eval.store import read_rows
from jimbo.league import Registry
from jimbo.league.gate import GateMoment, gates_of
from jimbo.league.sequential import Tally
from jimbo.league.spec import read_chain, read_spec

TINY = "name: tiny\ngames: {h1: 20, pairs: 40}\nguards: {time_ratio: null, bucket: null}\n"
SAME = "name: same\ngames: {kind: no_regression, h0: -20, h1: 0, pairs: 40}\nguards: {determinism: 8}\n"


@pytest.fixture(autouse=True)
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Registry:
    monkeypatch.setenv("JIMBO_REGISTRY", str(tmp_path / "registry"))
    return Registry(tmp_path / "registry")


def jimbo(*words: str) -> Result:
    return CliRunner().invoke(app, list(words), env={"COLUMNS": "100"})


def gate(tmp_path: Path, text: str, challenger: str, champion: str, *words: str) -> Result:
    (tmp_path / "spec.yaml").write_text(text)
    spec = str(tmp_path / "spec.yaml")
    return jimbo("gate", "run", spec, "--challenger", challenger, "--champion", champion, "--workers", "1", *words)


def test_list() -> None:
    shown = jimbo("gate", "list")
    assert (shown.exit_code, "20,000 pairs" in shown.stdout) == (0, True)
    listed = json.loads(jimbo("gate", "list", "--json").stdout)
    assert [(spec["name"], spec["hash"]) for spec in listed if "games" in spec] == [
        (name, read_spec(name).hash) for name in ("full", "quick", "smoke")
    ]


def test_a_stronger_agent_is_promoted_and_a_weaker_one_is_not(tmp_path: Path, registry: Registry) -> None:
    up = gate(tmp_path, TINY, "fast rollouts=2", "greedy")
    assert up.exit_code == 0, up.output
    assert up.stdout.startswith("promote: fast rollouts=2 against greedy, gate tiny\n")
    assert "LLR " in up.stdout
    assert max(map(len, up.stdout.splitlines())) <= 100
    down = gate(tmp_path, TINY, "greedy", "fast rollouts=2", "--json")
    data = json.loads(down.stdout)
    assert (down.exit_code, data["verdict"]) == (1, "reject")
    assert len(gates_of(registry, "greedy")) == len(gates_of(registry, "fast rollouts=2")) == 1


@pytest.mark.parametrize(
    ("name", "guard", "said"),
    [
        ("Illegal", "legality", "it chose what is not allowed: "),
        ("NotANumber", "legality", "it valued actions by what is not a number, in "),
        ("Slow", "time", "times the champion's"),
        ("Moody", "determinism", "played again went another way"),
    ],
)
def test_faults_are_refused_with_their_reasons(tmp_path: Path, name: str, guard: str, said: str) -> None:
    done = gate(tmp_path, SAME, f"league.faulty_agents:{name}", "league.faulty_agents:Plain", "--json")
    data: dict[str, Any] = json.loads(done.stdout)
    assert (done.exit_code, data["verdict"]) == (1, "reject")
    assert data["reason"].startswith(f"{guard}: ")
    assert said in data["reason"]
    assert gate(tmp_path, SAME, "league.faulty_agents:Plain", "league.faulty_agents:Plain").exit_code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("nothing",),
            'There is no gate "nothing". Choose full, quick, smoke, p18, p19, p20, or name a .yaml or .toml file.',
        ),
        (("quick", "--challenger", "nobody", "--champion", "greedy"), 'There is no agent "nobody".'),
        (("quick", "--challenger", "greedy", "--champion", 'a "b'), 'is not an agent. Write "AGENT [KEY=VALUE]..."'),
        (("quick", "--challenger", "greedy"), 'has no "champion"'),
        (("p18", "--challenger", "greedy"), "--challenger is about a gate of games; p18 is a chain"),
        (
            ("quick", "--challenger", "greedy", "--skip-milestone-1000"),
            "--skip-milestone-1000 is about chains, and quick",
        ),
        (("quick", "--champion", "greedy"), "quick needs somebody who wants the champion's place: --challenger"),
        (("quick", "--challenger", "registry:x", "--champion", "greedy"), 'has no "x"'),
    ],
)
def test_mistakes_are_told_in_a_sentence(words: tuple[str, ...], said: str) -> None:
    given = words if len(words) > 1 else (*words, "--challenger", "greedy", "--champion", "greedy")
    done = jimbo("gate", "run", *given)
    assert done.exit_code == 2
    assert said in done.stderr


def test_a_killed_gate_goes_on(tmp_path: Path, registry: Registry) -> None:
    """Whatever was played before is not played again, and it is still one test."""
    (tmp_path / "spec.yaml").write_text("name: long\ngames: {h1: 1, pairs: 30}\nguards: {determinism: 0}\n")
    command = [sys.executable, "-m", "jimbo", "gate", "run", str(tmp_path / "spec.yaml"), "--workers", "1"]
    command += ["--challenger", "fast rollouts=20", "--champion", "fast rollouts=2", "--out", str(tmp_path / "out")]
    games = tmp_path / "out" / "games" / "full-1-b_red-stake_white-challenger" / "episodes.jsonl"
    process = subprocess.Popen(command, start_new_session=True)
    try:
        while not (games.exists() and len(read_rows(games)) > 3):
            assert process.poll() is None
            time.sleep(0.02)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    before = read_rows(games)
    done = subprocess.run([*command, "--json"], capture_output=True, text=True, check=False)
    data = json.loads(done.stdout)
    assert (done.returncode, data["verdict"], data["stages"][0]["pairs"]) == (1, "inconclusive", 30)
    assert read_rows(games)[: len(before)] == before
    assert len(gates_of(registry, "fast rollouts=2")) == 1


def test_the_picture_shows_the_ratio_between_its_bounds() -> None:
    spec = read_spec("full")
    console = Console(width=100, record=True)
    for tally, outcome in ((Tally(), "open"), (Tally(better=30, worse=12, both=300), "h1")):
        console.print(gate_picture(spec, GateMoment(spec.games.stages()[1], tally, outcome)))  # type: ignore[arg-type]
    first, second = console.export_text().split("gate full, stage full: ")[1:]
    bar = first.splitlines()[1]
    assert bar.startswith("0 ─")
    assert bar.endswith("─ +2 points") or "● +2" in bar
    assert "No pair is complete yet." in first
    assert second.splitlines()[1].index("●") > bar.index("●")
    assert "Answered; more pairs are played for the guards." in second


# --- Chains -----------------------------------------------------------------------------------------------------------

CHAIN = """
name: tiny
summary: SUMMARY.md
steps:
  - name: games
    run:
      - jimbo rollout --agent greedy --games 2 --workers 1 --out {out}/games.jsonl --register
      - jimbo eval --agent greedy --games 2 --workers 1 --out {out}/two_games
    files: [games.jsonl, two_games/summary.json]
  - name: compared
    run: ['jimbo ablation "random=random" "kept={out}/two_games" --games 2 --workers 1 --out {out}/ablation']
    files: [ablation/summary.json]
  - name: skips
    run:
      - jimbo league promote greedy_two
      - jimbo registry add other --agent random
      - jimbo league micro-ab other --games 1 --base-urls http://127.0.0.1:9 --out {out}/real_ab
    codes: [0, 1]
gates:
  gate_functional.json:
    compared: {steps: [games, compared]}
    better: {file: [ablation/summary.json], at: recommendations.kept.verdict, passes: [hold_for_more_data]}
  gate_real.json:
    real_ab: {file: [real_ab/real_ab_result.json, real_ab/real_ab_skip.json], at: status, passes: [PASS, SKIP]}
"""
ADDED = "      - jimbo registry add greedy_two --agent greedy\n"
PROMOTED = "      - jimbo league promote greedy_two\n"


def run_chain(tmp_path: Path, text: str, *words: str) -> Result:
    (tmp_path / "tiny.yaml").write_text(text)
    return jimbo("gate", "run", str(tmp_path / "tiny.yaml"), "--out", str(tmp_path / "a chain"), *words)


def test_a_chain_from_end_to_end(tmp_path: Path) -> None:
    """With folders whose names hold spaces, on a registry of its own, and no real game that answers."""
    text, out = CHAIN.replace(PROMOTED, ADDED + PROMOTED), tmp_path / "a chain"
    done = run_chain(tmp_path, text)
    assert done.exit_code == 0, done.output
    assert "Chain tiny: passed" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 100
    assert done.stderr.startswith("games: done\ncompared: done\nskips: done\n")
    assert json.loads((out / "gate_real.json").read_text())["real_ab"] == "SKIP"
    assert {entry.name for entry in Registry(out / "registry").entries()} == {"games", "greedy_two", "other"}
    assert Registry(tmp_path / "registry").entries() == []
    again = run_chain(tmp_path, text, "--json")
    data = json.loads(again.stdout)
    assert (again.exit_code, data["pass"]) == (0, True)
    assert [step["status"] for step in data["steps"]] == ["done before"] * 3


def test_a_chain_with_a_step_that_fails(tmp_path: Path) -> None:
    done = run_chain(tmp_path, CHAIN)
    assert done.exit_code == 1
    assert "Chain tiny: failed" in done.stdout
    assert "skips: failed, exit code 2 (jimbo: The registry" in done.stderr
    assert "The same command tries it again." in done.stderr
    data = json.loads((tmp_path / "a chain" / "gate_real.json").read_text())
    assert (data["pass"], data["real_ab"]) == (False, None)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell what a process runs")
def test_a_killed_chain_ends_what_it_has_left_running_and_goes_on(tmp_path: Path) -> None:
    text = """
name: tiny
summary: SUMMARY.md
steps:
  - {name: first, run: ["jimbo eval --agent random --games 1 --workers 1 --out {out}/first"]}
  - {name: long, run: ["jimbo eval --agent fast --set rollouts=20 --games 8 --workers 1 --out {out}/long"]}
gates: {gate.json: {done: {steps: [first, long]}}}
"""
    (tmp_path / "tiny.yaml").write_text(text)
    out = tmp_path / "out"
    command = [sys.executable, "-m", "jimbo", "gate", "run", str(tmp_path / "tiny.yaml"), "--out", str(out), "--json"]
    games = out / "long" / "episodes.jsonl"
    process = subprocess.Popen(command)
    try:
        while not (games.exists() and read_rows(games)):
            assert process.poll() is None
            time.sleep(0.02)
    finally:
        process.kill()  # what it has started runs on
        process.wait()
    before = read_rows(games)
    left = json.loads((out / "steps" / "long-1.json").read_text())
    assert left["status"] == "running"
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert [step["status"] for step in json.loads(done.stdout)["steps"]] == ["done before", "done"]
    assert read_rows(games)[: len(before)] == before
    assert len(read_rows(games)) == 8


@pytest.mark.slow
def test_the_longest_chain_that_comes_with_jimbo(tmp_path: Path) -> None:
    """It holds the others. What its gates say of networks of a minute may differ from one machine to the next."""
    pytest.importorskip("torch")
    out = tmp_path / "out"
    skips = ("--skip-milestone-1000", "--skip-milestone-2000")
    done = jimbo("gate", "run", "p20", "--out", str(out), "--json", *skips)
    data = json.loads(done.stdout)
    ended = {step["name"]: step["status"] for step in data["steps"]}
    assert {name for name, status in ended.items() if status != "done"} == {"ablation_1000", "ablation_2000"}, (
        done.stderr
    )
    spec = read_chain("p20")
    assert spec
    names = {
        *spec.gates,
        *spec.copies,
        spec.summary,
        *(name for step in spec.steps if not step.milestone for name in step.files),
    }
    assert {name for name in names if not (out / name).exists()} == set()
    assert data["gates"]["gate_reliability.json"]["package_pass"] is True
    assert data["gates"]["gate_reliability.json"]["determinism_pass"] is True
    assert data["gates"]["gate_risk.json"]["rollback_smoke_pass"] is True
