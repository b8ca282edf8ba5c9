"""Gates of many steps: what is run again, what fails, and what the files say."""

import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from jimbo.cli.main import loaded
from jimbo.league.chain import run_chain
from jimbo.league.spec import CHAINS, ChainSpec, read_chain, read_spec, shipped

STEPS = """
  - {name: first, run: ["jimbo write a.json 1"], files: [a.json]}
  - {name: second, run: ["jimbo write b.json 2", "jimbo write c.json 3"], files: [b.json, c.json], fresh: [d]}
"""
GATES = """
  gate_a.json: {first: {steps: [first]}, a: {file: [none.json, a.json], at: rows.it.value, true_if: [1]}}
  gate_b.json: {b: {file: [b.json], at: rows.0.value, passes: [2, 5]}, told: {file: [c.json], at: rows.it.value}}
"""


def chain(folder: Path, steps: str = STEPS, gates: str = GATES, more: str = "") -> ChainSpec:
    path = folder / "tiny.yaml"
    path.write_text(f"name: tiny\nsummary: TINY.md\nsteps:{steps}\ngates:{gates}\n{more}")
    found = read_chain(str(path))
    assert found
    return found


class Commands:
    """In place of Jimbo's: each writes a file, or does what it is told to by its name."""

    def __init__(self, folder: Path, **codes: int) -> None:
        self.folder, self.codes = folder, codes
        self.run: list[str] = []

    def __call__(self, words: Sequence[str], stem: Path, seconds: float) -> Mapping[str, Any]:
        verb, name, value = words
        self.run.append(name)
        if verb == "write":
            rows = [{"name": "it", "value": int(value)}]
            (self.folder / name).write_text(json.dumps({"rows": rows}))
        code = self.codes.get(name[0], 0)
        status = {124: "timed_out", 130: "interrupted"}.get(code, "ended")
        result = {"status": status, "exit_code": code, "duration_sec": 1.0, "tail": ["before", f"said {code}", ""]}
        stem.parent.mkdir(exist_ok=True)
        stem.with_suffix(".json").write_text(json.dumps(result))
        return result


def statuses(folder: Path, spec: ChainSpec, commands: Commands, **options: Any) -> list[str]:
    return [step.status for step in run_chain(spec, folder, commands, **options).steps]


def test_steps_run_once_and_the_files_say_what_passed(tmp_path: Path) -> None:
    out, spec = tmp_path / "out", chain(tmp_path, more="copies: {copy.json: c.json, no_copy.json: none.json}")
    commands = Commands(out)
    end = run_chain(spec, out, commands)
    assert (end.passed, commands.run) == (True, ["a.json", "b.json", "c.json"])
    first, second = (json.loads((out / name).read_text()) for name in ("gate_a.json", "gate_b.json"))
    assert first == {
        "schema": "jimbo_chain_gate_v1", "chain": "tiny", "pass": True, "failed": [], "first": True, "a": True,
    }  # fmt: skip
    assert (second["pass"], second["b"], second["told"]) == (True, 2, 3)
    assert json.loads((out / "report_tiny.json").read_text())["gates"]["gate_b.json"] == second
    assert "gate_b.json" in (out / "TINY.md").read_text()
    assert (out / "copy.json").read_bytes() == (out / "c.json").read_bytes()
    assert not (out / "no_copy.json").exists()
    assert statuses(out, spec, commands) == ["done before", "done before"]
    assert len(commands.run) == 3


def test_a_step_that_is_not_whole_is_run_again(tmp_path: Path) -> None:
    out, spec = tmp_path / "out", chain(tmp_path)
    run_chain(spec, out, Commands(out))
    (out / "c.json").unlink()
    (out / "d").mkdir()
    commands = Commands(out)
    assert statuses(out, spec, commands) == ["done before", "done"]
    assert commands.run == ["b.json", "c.json"]
    assert not (out / "d").exists()
    (out / "steps" / "second-2.json").write_text('{"status": "running"')  # as a kill could not leave it
    assert statuses(out, spec, commands) == ["done before", "done"]


@pytest.mark.parametrize(
    ("steps", "codes", "said"),
    [
        (STEPS, {"a": 2}, "exit code 2 (said 2); see "),
        (STEPS, {"a": 124}, "it took more than 1200 s; see "),
        (STEPS.replace("files: [a.json]", "files: [z/a.json]"), {}, "it did not write z/a.json"),
    ],
)
def test_nothing_follows_a_step_that_fails(tmp_path: Path, steps: str, codes: dict[str, int], said: str) -> None:
    out, spec = tmp_path / "out", chain(tmp_path, steps)
    end = run_chain(spec, out, Commands(out, **codes))
    assert [step.status for step in end.steps] == ["failed", "not reached"]
    assert end.steps[0].reason.startswith(said)
    assert not end.passed
    assert end.gates["gate_a.json"]["failed"][0] == "first"
    assert end.gates["gate_b.json"]["failed"] == ["b"]
    assert end.gates["gate_b.json"]["told"] is None
    if codes:
        assert statuses(out, spec, Commands(out)) == ["done", "done"]


def test_exit_codes_that_are_expected_are_no_failure(tmp_path: Path) -> None:
    spec = chain(tmp_path, STEPS.replace("name: first", "name: first, codes: [0, 1]"))
    assert statuses(tmp_path / "out", spec, Commands(tmp_path / "out", a=1)) == ["done", "done"]


def test_a_value_that_does_not_pass_fails_its_gate_alone(tmp_path: Path) -> None:
    spec = chain(tmp_path, gates=GATES.replace("passes: [2, 5]", "passes: [5]"))
    end = run_chain(spec, tmp_path / "out", Commands(tmp_path / "out"))
    assert {name: gate["pass"] for name, gate in end.gates.items()} == {"gate_a.json": True, "gate_b.json": False}
    assert (end.passed, end.gates["gate_b.json"]["failed"]) == (False, ["b"])


def test_milestones_can_be_skipped_and_caught_up(tmp_path: Path) -> None:
    out, spec = tmp_path / "out", chain(tmp_path, STEPS.replace("name: first", "name: first, milestone: 1000"))
    end = run_chain(spec, out, Commands(out), skipped=[1000])
    assert [step.status for step in end.steps] == ["skipped", "done"]
    assert end.gates["gate_a.json"]["first"] == "SKIP"
    assert statuses(out, spec, Commands(out), skipped=[2000]) == ["done", "done before"]


def test_an_interrupted_chain_goes_on(tmp_path: Path) -> None:
    out, spec = tmp_path / "out", chain(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        run_chain(spec, out, Commands(out, c=130))
    assert statuses(out, spec, Commands(out)) == ["done before", "done"]


def test_a_folder_of_another_chain_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "out"
    run_chain(chain(tmp_path), out, Commands(out))
    with pytest.raises(ValueError, match="holds a chain with other settings"):
        run_chain(chain(tmp_path, STEPS.replace(" 3", " 4")), out, Commands(out))


@pytest.mark.parametrize(
    ("steps", "gates", "said"),
    [
        (STEPS.replace("jimbo write a", "rm a"), GATES, "run must hold commands of jimbo"),
        (STEPS.replace("a.json 1", "a.json '1"), GATES, "run must hold commands of jimbo"),
        (STEPS.replace("name: second", "name: first"), GATES, "there are two steps first"),
        (STEPS.replace("fresh: [d]", "fresh: [../d]"), GATES, "../d is not a file in the folder"),
        (STEPS.replace("fresh: [d]", "fresh: [.]"), GATES, ". is not a file in the folder"),
        (STEPS, GATES.replace("steps: [first]", "steps: [third]"), "a step third, and there is none"),
        (STEPS, GATES.replace("gate_b.json", "../gate_b.json"), "../gate_b.json is not a file in the folder"),
        (STEPS, f"{GATES}\nextends: p17", "extends must be one of p18, p19, p20"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, steps: str, gates: str, said: str) -> None:
    with pytest.raises(ValueError, match=r"tiny\.yaml: ") as error:
        chain(tmp_path, steps, gates)
    assert said in str(error.value)


def test_chains_are_no_gates_of_games(tmp_path: Path) -> None:
    assert read_chain("quick") is None
    with pytest.raises(ValueError, match="p18 is a chain of commands"):
        read_spec("p18")


@pytest.mark.parametrize("name", shipped(CHAINS))
def test_all_commands_of_shipped_chains_exist_with_their_options(name: str) -> None:
    spec = read_chain(name)
    assert spec
    for text in (text for step in spec.steps for text in step.run):
        _, verb, *words = shlex.split(text)
        command = loaded(verb)
        while hasattr(command, "commands"):
            command = command.commands[words.pop(0)]
        command.make_context(f"jimbo {verb}", words)  # it would refuse options that it does not have


def test_chains_name_the_files_that_are_asked_of_them() -> None:
    known = {name: spec for name in shipped(CHAINS) if (spec := read_chain(name))}
    gates = {name: set(spec.gates) for name, spec in known.items()}
    assert gates["p18"] == {"gate_functional.json", "gate_perf.json", "gate_rl_smoke.json"}
    assert gates["p19"] == gates["p18"] | {"gate_risk.json"}
    assert gates["p20"] == gates["p19"] | {"gate_reliability.json", "gate_release.json"}
    assert [spec.summary.partition("_")[0] for spec in known.values()] == ["PERF", "RISK", "RELIABILITY"]
    assert {"promotion_decision_100.json", "release_decision_100.json", "baseline_summary.md"} <= set(
        known["p20"].copies
    )
    assert yaml.safe_load((CHAINS / "p20.yaml").read_text())["extends"] == "p19"
