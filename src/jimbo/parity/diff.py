"""The differences between two traces, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from jimbo.parity.moment import Moment
from jimbo.parity.scopes import project
from jimbo.parity.trace import Trace
from jimbo.wire import codec
from jimbo.wire.gamestate import Json

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


def differences(one: Trace, other: Trace, scope: str) -> Iterator[StepDifference]:
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


def call_text(moment: Moment) -> str:
    given = ", ".join(f"{name}={value}" for name, value in sorted((moment.params or {}).items()))
    return f"{moment.method}({given})"


def first_difference(one: Any, other: Any) -> tuple[str, Any, Any] | None:
    """The path to it and both values; an absent one is ``nothing``."""
    found = next(codec.differences(one, other, same=codec.same_on_the_wire, absent=NOTHING), None)
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
