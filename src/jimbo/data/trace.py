"""The trace of a run, schema ``trace_v1``: a projection of its record, with hashes of the whole state after each step.

A record holds what was decided; played again on a backend that knows everything, it gives the trace.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from jimbo.backends.protocol import Backend
from jimbo.data.action_json import action_from_json, action_to_json
from jimbo.data.record import Record, hash_of, outcome_of
from jimbo.engine import PublicState, schema_hash
from jimbo.files import json_object

TRACE_SCHEMA = "trace_v1"

Json = dict[str, Any]


def _hand_core(state: Mapping[str, Any]) -> Json:
    """The hand and the round's numbers."""
    return {
        "phase": state["phase"],
        "hand": state["zones"]["hand"],
        "round": {name: state["round"][name] for name in ("hands_left", "discards_left", "ante", "round_num", "blind")},
        "score": {name: state["score"][name] for name in ("chips", "mult", "target_chips")},
        "money": state["economy"]["money"],
        "flags": state["flags"],
    }


_SCOPES: dict[str, Callable[[Mapping[str, Any]], object]] = {"full": dict, "hand_core": _hand_core}


def state_hashes(state: Mapping[str, Any]) -> dict[str, str]:
    """``state_hash_full`` and ``state_hash_hand_core`` of a whole state (state_v1), hidden things included."""
    return {f"state_hash_{scope}": hash_of(project(state)) for scope, project in _SCOPES.items()}


def _everything(backend: Backend) -> Mapping[str, Any]:
    state = backend.full_state()
    if state is None:
        raise ValueError("a trace has hashes of the whole state, which this backend does not know")
    return state


def trace_of(record: Record, backend: Backend, *, snapshot_every: int = 0) -> Iterator[Json]:
    """The lines of a record's trace: its start, then one for each action, written after it."""
    header = record.header
    if header.start is not None:
        raise ValueError("A trace begins as its seed does, and this record goes on from the middle of a run.")
    before = backend.reset(deck=header.deck, stake=header.stake, seed=header.seed, challenge=header.challenge)
    yield {
        "schema_version": TRACE_SCHEMA,
        "type": "start",
        "deck": header.deck,
        "stake": header.stake,
        "seed": header.seed,
        "challenge": header.challenge,
        "schema_hash": schema_hash(),
        **state_hashes(_everything(backend)),
    }
    for step, decision in enumerate(record.decisions):
        after, events = backend.apply(decision.action)
        everything = _everything(backend)
        line = {
            "schema_version": TRACE_SCHEMA,
            "type": "step",
            "step_id": step,
            "phase": before.phase,
            "action": action_to_json(decision.action, before.phase),
            **state_hashes(everything),
            "reward": outcome_of(before, after).reward,
            "done": after.over,
            "info": {"events": len(events)},
        }
        if snapshot_every and (step + 1) % snapshot_every == 0:
            line["canonical_state_snapshot"] = dict(everything)
        yield line
        before = after


def trace_lines(trace: Iterable[Mapping[str, Any]]) -> str:
    """As JSON lines."""
    return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in trace)


def check_trace(lines: Iterable[str], backend: Backend) -> PublicState:
    """Plays a trace again and checks every hash; ValueError names the line that differs. The last state."""
    state: PublicState | None = None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            step = json_object(line)
            state = _started(step, backend) if state is None else backend.apply(action_from_json(step["action"])).state
            for name, value in state_hashes(_everything(backend)).items():
                if step[name] != value:
                    raise ValueError(f"the replay differs: {name}")
        except KeyError as error:
            raise ValueError(f"line {number} of the trace lacks the field {error}") from None
        except ValueError as error:
            raise ValueError(f"line {number} of the trace: {error}") from None
    if state is None:
        raise ValueError("the trace is empty")
    return state


def _started(start: Json, backend: Backend) -> PublicState:
    if start.get("type") != "start" or start.get("schema_version") != TRACE_SCHEMA:
        raise ValueError(f"a {TRACE_SCHEMA} trace begins with the start of a run")
    if start["schema_hash"] != schema_hash():
        raise ValueError("it was recorded by another version of Jimbo (the fields of the state differ)")
    challenge = start["challenge"]
    deck = None if challenge else start["deck"]
    return backend.reset(deck=deck, stake=start["stake"], seed=start["seed"], challenge=challenge)
