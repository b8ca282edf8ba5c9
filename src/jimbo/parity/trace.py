"""Traces: the calls of a run and the gamestate after each, as JSON lines, packed where the name ends in ``.gz``. What
an agent has played can also be written as ``trace_v1``: its actions, and hashes of what the engine knows."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import IO, Any, Literal, cast

from jimbo.backends.sim import SimBackend
from jimbo.data.record import Decision, Header, Record
from jimbo.data.trace import trace_lines, trace_of
from jimbo.files import loads, read_bytes, read_open, reading, write_bytes
from jimbo.parity.scopes import TraceMoment, project
from jimbo.wire.gamestate import Json, differences, same_on_the_wire

SCHEMA = "wire_trace_v1"
TraceFormat = Literal["wire_trace_v1", "trace_v1"]


@dataclass(slots=True)
class Trace:
    """``start`` is the first gamestate; every step has ``method``, ``params``, ``state`` and perhaps ``refused``."""

    deck: str
    stake: str
    seed: str
    source: str
    """Where it was played."""
    start: Json
    steps: list[Json] = field(default_factory=list)
    agent: str = ""
    """Who has played it, where it was not only sent; a file does not keep it."""
    decisions: list[Decision] = field(default_factory=list)
    """The decisions of the agent."""

    @property
    def last(self) -> Json:
        """The state to which it has come."""
        return dict(self.steps[-1]["state"]) if self.steps else self.start

    def moments(self) -> Iterator[TraceMoment]:
        yield TraceMoment(self.start)
        before = self.start
        for step in self.steps:
            yield TraceMoment(step["state"], before, step["method"], step["params"], step.get("refused"))
            before = step["state"]

    def add(self, method: str, params: Mapping[str, Any], state: Json, refused: str | None = None) -> None:
        step = {"method": method, "params": dict(params), "state": state}
        self.steps.append(step | ({"refused": refused} if refused else {}))


def lines_of(trace: Trace) -> list[Json]:
    """What is written, line by line."""
    first = {
        "schema_version": SCHEMA,
        "type": "start",
        **{name: getattr(trace, name) for name in ("deck", "stake", "seed", "source")},
        "state": trace.start,
    }
    return [first, *({"type": "step", "step_id": place, **step} for place, step in enumerate(trace.steps))]


def write_trace(path: Path, trace: Trace, form: TraceFormat = "wire_trace_v1") -> None:
    data = trace_lines(lines_of(trace) if form == SCHEMA else _projection(trace)).encode()
    write_bytes(path, gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)


def _projection(trace: Trace) -> Iterator[Json]:
    header = Header(seed=trace.seed, deck=trace.deck, stake=trace.stake, agent=trace.agent)
    return trace_of(Record(header, tuple(trace.decisions)), SimBackend())


def read_trace(path: Path) -> Trace:
    """ValueError with a sentence for what cannot be read or is not a trace."""
    try:
        with reading(path):
            data = read_bytes(path)
            if data[:2] == b"\x1f\x8b":
                data = read_open(cast(IO[bytes], gzip.GzipFile(fileobj=io.BytesIO(data))), path)
        text = data.decode("utf-8")
    except (EOFError, zlib.error, UnicodeError):
        raise ValueError(f"{path} is not a trace: it is damaged.") from None
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        raise ValueError(f"{path} is not a trace: it is empty.")
    first, *others = [_line(path, number, line) for number, line in enumerate(lines, 1)]
    if first.get("schema_version") != SCHEMA:
        other = f", but of {named}" if isinstance(named := first.get("schema_version"), str) else ""
        raise ValueError(f"{path} is not a trace: its first line is not the start of one ({SCHEMA}){other}.")
    try:
        read = 1
        deck, stake, seed, source = (str(first[name]) for name in ("deck", "stake", "seed", "source"))
        trace = Trace(deck, stake, seed, source, {**first["state"]})
        for step in others:
            read += 1
            trace.add(str(step["method"]), dict(step["params"]), {**step["state"]}, step.get("refused"))
    except (KeyError, TypeError, ValueError):
        raise ValueError(f"{path} is not a trace: a field of line {read} is missing or wrong.") from None
    return trace


def _line(path: Path, number: int, line: str) -> Json:
    try:
        value = loads(line)
    except ValueError as error:
        raise ValueError(f"{path} is not a trace: line {number} cannot be read, {error}.") from None
    if not isinstance(value, dict):
        raise ValueError(f"{path} is not a trace: line {number} is not an object.")
    return value


# --- Comparing --------------------------------------------------------------------------------------------------------

NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class StepDifference:
    """The first one of a step; step 0 is the start."""

    step: int
    call: str
    path: str
    """JSON path within what the scope compares."""
    one: Any
    other: Any


def trace_differences(one: Trace, other: Trace, scope: str) -> Iterator[StepDifference]:
    """One for each step that differs. Where the runs or the calls are others, the comparison ends there."""
    for name in ("seed", "deck", "stake"):
        if getattr(one, name) != getattr(other, name):
            yield StepDifference(0, "start()", f"$.{name}", getattr(one, name), getattr(other, name))
            return
    for step, (here, there) in enumerate(zip_longest(one.moments(), other.moments())):
        call = call_text(here or there)
        if here is None or there is None or call_text(there) != call:
            yield StepDifference(step, call, "$.call", here and call_text(here), there and call_text(there))
            return
        found = first_difference(project(here, scope), project(there, scope))
        if found:
            yield StepDifference(step, call, *found)


def call_text(moment: TraceMoment) -> str:
    given = ", ".join(f"{name}={value}" for name, value in sorted((moment.params or {}).items()))
    return f"{moment.method}({given})"


def first_difference(one: Any, other: Any) -> tuple[str, Any, Any] | None:
    """The path to it and both values; an absent one is ``nothing``."""
    found = next(differences(one, other, same=same_on_the_wire, absent=NOTHING), None)
    return (found.path, found.here, found.there) if found else None


def report(one: Trace, other: Trace, names: tuple[str, str], scope: str, found: list[StepDifference]) -> Json:
    """``names`` are those of the traces, as they were given."""
    return {
        "scope": scope,
        "seed": one.seed,
        "deck": one.deck,
        "stake": one.stake,
        "traces": [*names],
        "sources": [one.source, other.source],
        "steps": [len(one.steps), len(other.steps)],
        "equal": not found,
        "differences": [
            {"step": each.step, "call": each.call, "path": each.path, "values": [each.one, each.other]}
            for each in found
        ],
    }
