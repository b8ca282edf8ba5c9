"""The lines of a record, as JSON and back."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import Any, get_args

from jimbo.data.decision import Considered, Decision, Measure
from jimbo.data.record import SCHEMA, Ending, Header, Snapshot
from jimbo.declared import checked, from_dict, short_repr
from jimbo.engine import Action
from jimbo.files import loads
from jimbo.seeds import checked_seed, deck_and_challenge, stake_key

# --- Writing ----------------------------------------------------------------------------------------------------------


def header_line(header: Header) -> str:
    return json.dumps(asdict(header))


def decision_line(step: int, decision: Decision) -> str:
    data = {
        "step": step,
        "action": action_data(decision.action),
        "explanation": decision.explanation,
        "seconds": decision.seconds,
        "measure": decision.measure,
        "win": decision.win,
        "candidates": [_considered_data(considered) for considered in decision.considered],
    }
    return json.dumps(data)


def snapshot_line(snapshot: Snapshot) -> str:
    return json.dumps({"snapshot": {"step": snapshot.step, "state": snapshot.state}})


def ending_line(end: Ending) -> str:
    return json.dumps({"end": asdict(end)})


def action_data(action: Action) -> dict[str, Any]:
    return {"kind": action.kind, "index": action.index, "to": action.to, "cards": list(action.cards)}


def _considered_data(considered: Considered) -> dict[str, Any]:
    return {
        "action": action_data(considered.action),
        "value": considered.value,
        "text": considered.text,
        "clear": considered.clear,
        "error": considered.error,
        "chosen": considered.chosen,
    }


# --- Reading ----------------------------------------------------------------------------------------------------------


def read_header(line: str) -> Header:
    data = _object(line)
    if data.get("schema") != SCHEMA:
        other = f", not {short_repr(data['schema'])}" if "schema" in data else ""
        raise ValueError(f"the first line must be a header of the schema {SCHEMA}{other}")
    header = from_dict(Header, data, "the header")
    deck, challenge = deck_and_challenge(header.deck, header.challenge)
    seed, stake = checked_seed(header.seed), stake_key(header.stake)
    return replace(header, seed=seed, deck=deck, stake=stake, challenge=challenge)


def read_line(line: str) -> Decision | Snapshot | Ending:
    """Any line but the first; ValueError in a few words for anything else."""
    data = _object(line)
    if "end" in data:
        return from_dict(Ending, data["end"], "end")
    if "snapshot" in data:
        return from_dict(Snapshot, data["snapshot"], "snapshot")
    return read_decision(data)


def _object(line: str) -> dict[str, Any]:
    data = loads(line)
    if not isinstance(data, dict):
        raise ValueError(f"{short_repr(data)} is not an object")
    try:
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeError:  # JSON can write such a thing, but nobody can show it
        raise ValueError("half of a surrogate pair is not text") from None
    return data


def read_decision(data: dict[str, Any]) -> Decision:
    """ValueError in a few words for what does not fit."""
    measure = _part(data, "measure", str)
    if measure not in get_args(Measure):
        raise ValueError(f"there is no measure {short_repr(measure)}")
    return Decision(
        action=_action(_part(data, "action")),
        considered=tuple(_considered(entry) for entry in _part(data, "candidates", tuple[Any, ...])),
        explanation=_part(data, "explanation", str),
        seconds=_number(data, "seconds"),
        measure=measure,
        win=None if data.get("win") is None else _number(data, "win"),
    )


def _considered(data: Any) -> Considered:
    return Considered(
        action=_action(_part(data, "action")),
        value=_number(data, "value"),
        text=_part(data, "text", str),
        clear=None if _part(data, "clear") is None else _number(data, "clear"),
        error=None if _part(data, "error") is None else _number(data, "error"),
        chosen=_part(data, "chosen", bool),
    )


def _part(data: Any, name: str, kind: Any = Any) -> Any:
    if not isinstance(data, dict) or name not in data:
        raise ValueError(f"{name} is missing")
    return checked(kind, data[name], name)


def _number(data: Any, name: str) -> float:
    value = _part(data, name)
    return value if isinstance(value, float) else float(checked(float, value, name))  # a score can be infinite


def _action(data: Any) -> Action:
    try:
        return Action(**data)
    except TypeError:
        raise ValueError(f"{short_repr(data)} is not an action") from None
