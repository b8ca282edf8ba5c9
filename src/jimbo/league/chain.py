"""A gate of many steps: commands one after the other, each with a log and an end, and files that say what passed.

What a step has done counts once the result of its last command is written and its files are there. So the same call
goes on where a killed one was, and a step that failed is all that is tried again.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from jimbo.data import versions
from jimbo.files import json_object, read_bytes, read_json, write_bytes, write_text
from jimbo.league.spec import ChainSpec, GateFact, Step
from jimbo.report import markdown
from jimbo.report.sections import Document, Headline, Section, TextTable
from jimbo.run_folder import RunFolder

SCHEMA, GATE_SCHEMA, REPORT_SCHEMA = "jimbo_chain_v1", "jimbo_chain_gate_v1", "jimbo_chain_report_v1"
_STEPS = "steps"
"""Of the folder: the logs and results of all commands."""
_OUT = "{out}"
_SKIPPED = "SKIP"
_WORDS = {"True": "yes", "False": "no", "None": "unknown"}

Status = Literal["done", "done before", "skipped", "failed", "not reached"]
Execute = Callable[[Sequence[str], Path, float], Mapping[str, Any]]
"""Runs a command of Jimbo for so many seconds, keeps log and result beside a path (.log, .json), returns the result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepEnd:
    """How a step ended."""

    name: str
    status: Status
    seconds: float = 0.0
    reason: str = ""

    @property
    def line(self) -> str:
        return f"{self.name}: {self.status}{f', {self.reason}' if self.reason else ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainEnd:
    """How a chain ended."""

    spec: ChainSpec
    steps: Sequence[StepEnd]
    gates: Mapping[str, Mapping[str, Any]]

    @property
    def passed(self) -> bool:
        return self.ended and all(gate["pass"] for gate in self.gates.values())

    @property
    def ended(self) -> bool:
        """Whether no step has failed."""
        return all(step.status not in ("failed", "not reached") for step in self.steps)

    @property
    def data(self) -> dict[str, Any]:
        about = {"schema": REPORT_SCHEMA, "chain": self.spec.name, "pass": self.passed, "versions": dict(versions())}
        return {**about, "steps": list(map(asdict, self.steps)), "gates": dict(self.gates)}

    def report(self) -> Document:
        lines = [
            [name, "passed" if gate["pass"] else f"failed: {', '.join(gate['failed'])}", "; ".join(_told(gate))]
            for name, gate in self.gates.items()
        ]
        steps = [[step.name, step.status, f"{step.seconds:,.0f}", step.reason] for step in self.steps]
        failed = [place for place, line in enumerate(lines) if line[1] != "passed"]
        word = "passed" if self.passed else "failed"
        return Document(
            f"Chain {self.spec.name}: {word}",
            about=self.spec.about,
            headlines=(Headline(self.spec.name, word, ()),),
            sections=[
                Section("Steps", parts=(TextTable(("step", "", "seconds", ""), steps, left=True),)),
                Section("Gates", parts=(TextTable(("file", "", "what it says"), lines, left=True, strong=failed),)),
            ],
        )


def _told(gate: Mapping[str, Any]) -> list[str]:
    about = ("schema", "chain", "pass", "failed")
    return [f"{name}: {_WORDS.get(str(value), value)}" for name, value in gate.items() if name not in about]


def run_chain(
    spec: ChainSpec,
    folder: Path,
    execute: Execute,
    *,
    skipped: Collection[int] = (),
    progress: Callable[[StepEnd], None] = lambda end: None,
    begins: Callable[[Step], None] = lambda step: None,
) -> ChainEnd:
    """Run the steps that are not done, up to the first that fails, and write what passed. ``skipped``: milestones.

    KeyboardInterrupt where a command was stopped.
    """
    with RunFolder(folder, writer="chain", schema=SCHEMA) as run:
        run.begin({"chain": asdict(spec)})
        ends: list[StepEnd] = []
        for step in spec.steps:
            if any(end.status == "failed" for end in ends):
                ends.append(StepEnd(name=step.name, status="not reached"))
            elif step.milestone and step.milestone in skipped:
                ends.append(StepEnd(name=step.name, status="skipped", reason=f"{step.milestone:,} games not wanted"))
            else:
                ends.append(_done_before(step, folder) or _run_step(step, folder, execute, begins))
            progress(ends[-1])
        for name, source in spec.copies.items():
            try:
                write_bytes(folder / name, read_bytes(folder / source))
            except FileNotFoundError:
                (folder / name).unlink(missing_ok=True)
        gates = {name: _gate(spec, folder, facts, ends) for name, facts in spec.gates.items()}
        end = ChainEnd(spec=spec, steps=ends, gates=gates)
        for name, gate in gates.items():
            run.write_json(name, gate)
        run.write_json(f"report_{spec.name}.json", end.data)
        write_text(folder / spec.summary, markdown(end.report()))
    return end


def _stems(step: Step, folder: Path) -> list[Path]:
    """The results of its commands, without their endings."""
    return [folder / _STEPS / f"{step.name}-{number}" for number in range(1, len(step.run) + 1)]


def _done_before(step: Step, folder: Path) -> StepEnd | None:
    found = [_result(stem) for stem in _stems(step, folder)]
    if any(_trouble(step, result) for result in found) or _missing(step, folder):
        return None
    return StepEnd(name=step.name, status="done before", seconds=sum(result["duration_sec"] for result in found))


def _run_step(step: Step, folder: Path, execute: Execute, begins: Callable[[Step], None]) -> StepEnd:
    begins(step)
    for stem in _stems(step, folder):
        _end_orphan(_result(stem))
        stem.with_suffix(".json").unlink(missing_ok=True)
    for name in step.fresh:
        shutil.rmtree(folder / name, ignore_errors=True)
        if (folder / name).is_file():
            (folder / name).unlink()
    seconds, trouble = 0.0, ""
    for text, stem in zip(step.run, _stems(step, folder), strict=True):
        result = execute(_words(text, folder), stem, step.seconds)
        if result["status"] == "interrupted":
            raise KeyboardInterrupt
        seconds += result["duration_sec"]
        if trouble := _trouble(step, result):
            trouble = f"{trouble}; see {stem.with_suffix('.log')}"
            break
    if not trouble and (missing := _missing(step, folder)):
        trouble = f"it did not write {', '.join(missing)}"
    return StepEnd(name=step.name, status="failed" if trouble else "done", seconds=seconds, reason=trouble)


def _words(text: str, folder: Path) -> list[str]:
    """A command without its first word. Where one word is a command again, the folder is quoted there."""
    found = shlex.split(text)[1:]
    return [
        word.replace(_OUT, shlex.quote(str(folder)) if any(map(str.isspace, word)) else str(folder)) for word in found
    ]


def _result(stem: Path) -> dict[str, Any]:
    try:
        return json_object(read_bytes(stem.with_suffix(".json")))
    except (OSError, ValueError):
        return {}


def _trouble(step: Step, result: Mapping[str, Any]) -> str:
    status, code = result.get("status"), result.get("exit_code")
    if status == "timed_out":
        return f"it took more than {step.seconds:g} s"
    if status != "ended":
        return f"it did not end: {result.get('error') or status}"
    last = next((line.strip() for line in reversed(result.get("tail", ())) if line.strip()), "")
    return "" if code in step.codes else f"exit code {code}{f' ({last})' if last else ''}"


def _missing(step: Step, folder: Path) -> list[str]:
    return [name for name in step.files if not (folder / name).exists()]


def _end_orphan(result: Mapping[str, Any]) -> None:
    """End what a killed chain has left running: it holds the folder that its successor needs. Linux tells by files."""
    pid = result.get("pid")
    if result.get("status") == "running" and isinstance(pid, int) and hasattr(os, "killpg"):
        with suppress(OSError, UnicodeError):
            words = Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")[:-1]
            if words == result.get("command") and os.getpgid(pid) == pid:
                os.killpg(pid, signal.SIGKILL)


# --- What passed ------------------------------------------------------------------------------------------------------


def _gate(spec: ChainSpec, folder: Path, facts: Mapping[str, GateFact], ends: Sequence[StepEnd]) -> dict[str, Any]:
    """The facts of a gate, and which of them fail it."""
    told: dict[str, Any] = {}
    failed = []
    for name, fact in facts.items():
        by_name = {end.name: end for end in ends}
        status = [by_name[step].status for step in fact.steps]
        if fact.steps:
            told[name] = _SKIPPED if set(status) == {"skipped"} else not {"failed", "not reached"} & set(status)
            passes = bool(told[name])
        else:
            found = _value(folder, fact)
            told[name] = found in fact.true_if if fact.true_if else found
            passes = told[name] is True if fact.true_if else not fact.passes or found in fact.passes
        failed += [] if passes else [name]
    return {"schema": GATE_SCHEMA, "chain": spec.name, "pass": not failed, "failed": failed, **told}


def _value(folder: Path, fact: GateFact) -> Any:
    """None where there is no such file or value."""
    for name in fact.file:
        with suppress(FileNotFoundError):
            value = read_json(folder / name)
            for part in fact.at.split(".") if fact.at else ():
                value = _part(value, part)
            return value
    return None


def _part(value: Any, part: str) -> Any:
    if isinstance(value, Mapping):
        return value.get(part)
    if isinstance(value, list):
        named = (one for one in value if isinstance(one, Mapping) and part in (one.get("name"), one.get("strategy")))
        return value[int(part)] if part.isdecimal() and int(part) < len(value) else next(named, None)
    return None
