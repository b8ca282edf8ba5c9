"""Decoding traces: every step states only what changed."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]
State = Mapping[str, Any]

MERGED = {"levels", "rng"}
"""Only their changed keys are given."""
CARDS = {"hand", "deck"}
"""Given as one text of tokens."""
START = {"t": "start"}
"""Leads to the first state of a trace; no file contains it."""


@dataclass(frozen=True, slots=True)
class Step:
    path: str
    """Such as ``org-00152.steps[21]``, or ``org-00152.state0`` for the start."""
    action: Json
    state: State
    """The whole state after it."""
    suspect: bool
    """Something takes part whose behaviour the trace's author doubts."""
    crc: tuple[int, int]
    """As stated, and of the decoded state."""


class Decoder:
    """The state of a trace, brought forward by one delta after another."""

    def __init__(self) -> None:
        self.state: State = {}
        self._texts: dict[str, str] = {}

    def apply(self, delta: Json) -> None:
        state = dict(self.state)
        for name, value in delta.items():
            if name == "deck_pop":
                state["deck"] = state["deck"][: len(state["deck"]) - value]
            elif name in MERGED:
                state[name] = {**state.get(name, {}), **value}
            else:
                state[name] = value.split() if name in CARDS else value
        for name in delta:
            field = "deck" if name == "deck_pop" else name
            self._texts[field] = f"{json.dumps(field)}:{_dump(state[field])}"
        self.state = state

    def crc(self) -> int:
        """Of the whole state as JSON. The texts of its fields are kept: few of them change in a step."""
        fields = ",".join(self._texts[name] for name in sorted(self._texts))
        return zlib.crc32(f"{{{fields}}}".encode())


def _dump(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def decode(trace: Json) -> Iterator[Step]:
    """The start and all steps of a trace."""
    decoder = Decoder()
    decoder.apply(trace["state0"])
    yield Step(f"{trace['id']}.state0", START, decoder.state, False, (trace["crc0"], decoder.crc()))
    for i, step in enumerate(trace["steps"]):
        decoder.apply(step["state_after"])
        crc = (step["crc"], decoder.crc())
        yield Step(f"{trace['id']}.steps[{i}]", step["action"], decoder.state, bool(step.get("sus")), crc)
