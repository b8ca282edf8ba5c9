"""Records in files: their lines as JSON, written as a run goes on, resumed, and read."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, replace
from io import FileIO
from itertools import starmap
from pathlib import Path
from typing import Any, get_args

from jimbo.data.record import SCHEMA, BadRecord, Considered, Decision, Ending, Header, Measure, Record, Route, Snapshot
from jimbo.declared import checked, from_dict, short_repr
from jimbo.engine import Action
from jimbo.files import add_line, json_object, loads, read_text, reading, reason
from jimbo.seeds.starts import checked_seed, deck_and_challenge, random_start, stake_key, typed_seed

Json = dict[str, Any]
SAVED_RUN = b"JIMBO-RUN"
"""How the bytes of ``Run.save`` begin."""

# --- New runs --------------------------------------------------------------------------------------------------------


def new_header(
    agent: str,
    options: Mapping[str, Any],
    seed: str | None,
    deck: str | None,
    stake: str,
    challenge: str | None,
    nonce: int = 0,
) -> Header:
    """Describe a new run; ValueError with a sentence for a name or a seed that there is not."""
    deck_played, challenge_played = deck_and_challenge(deck, challenge)
    return Header(
        seed=random_start() if seed is None else typed_seed(seed),
        deck=deck_played,
        stake=stake_key(stake),
        challenge=challenge_played,
        agent=agent,
        options=options,
        nonce=nonce,
    )


# --- Lines written ----------------------------------------------------------------------------------------------------


def header_line(header: Header) -> str:
    data = asdict(header)
    if header.start is None:
        del data["start"]
    return json.dumps(data)


def record_text(record: Record) -> str:
    """All lines of a record but its snapshots."""
    lines = [header_line(record.header), *starmap(decision_line, enumerate(record.decisions, 1))]
    return "\n".join([*lines, *([ending_line(record.end)] if record.end else [])]) + "\n"


def decision_line(step: int, decision: Decision) -> str:
    data = {
        "step": step,
        "action": action_data(decision.action),
        "explanation": decision.explanation,
        "seconds": decision.seconds,
        "measure": decision.measure,
        "win": decision.win,
        **({"route": asdict(decision.route)} if decision.route else {}),
        "candidates": [considered_data(considered) for considered in decision.considered],
    }
    return json.dumps(data)


def ending_line(end: Ending) -> str:
    return json.dumps({"end": asdict(end)})


def action_data(action: Action) -> Json:
    return {"kind": action.kind, "index": action.index, "to": action.to, "cards": list(action.cards)}


_CONSIDERED = {"value": float, "text": str, "clear": float | None, "error": float | None, "chosen": bool}


def considered_data(considered: Considered) -> Json:
    return {"action": action_data(considered.action), **{name: getattr(considered, name) for name in _CONSIDERED}}


# --- Lines read -------------------------------------------------------------------------------------------------------


def _read_header(line: str) -> Header:
    data = _object(line)
    if data.get("schema") != SCHEMA:
        other = f", not {short_repr(data['schema'])}" if "schema" in data else ""
        raise ValueError(f"the first line must be a header of the schema {SCHEMA}{other}")
    header = from_dict(Header, data, "the header")
    deck, challenge = deck_and_challenge(header.deck, header.challenge)
    seed, stake = checked_seed(header.seed), stake_key(header.stake)
    return replace(header, seed=seed, deck=deck, stake=stake, challenge=challenge)


def _read_line(line: str) -> Decision | Snapshot | Ending:
    """Any line but the first; ValueError in a few words for anything else."""
    data = _object(line)
    if "end" in data:
        return from_dict(Ending, data["end"], "end")
    if "snapshot" in data:
        return from_dict(Snapshot, data["snapshot"], "snapshot")
    return read_decision(data)


def _object(line: str) -> Json:
    data = json_object(line)
    try:
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeError:  # JSON can write such a thing, but nobody can show it
        raise ValueError("half of a surrogate pair is not text") from None
    return data


def read_decision(data: Json) -> Decision:
    """ValueError in a few words for what does not fit."""
    measure = _part(data, "measure", str)
    if measure not in get_args(Measure):
        raise ValueError(f"there is no measure {short_repr(measure)}")
    return Decision(
        action=_action(_part(data, "action")),
        considered=tuple(map(_considered, _part(data, "candidates", tuple[Any, ...]))),
        explanation=_part(data, "explanation", str),
        seconds=_part(data, "seconds", float),
        measure=measure,
        win=_part({"win": None, **data}, "win", float | None),
        route=from_dict(Route, data["route"], "route") if data.get("route") is not None else None,
    )


def _considered(data: Any) -> Considered:
    parts = {name: _part(data, name, kind) for name, kind in _CONSIDERED.items()}
    return Considered(action=_action(_part(data, "action")), **parts)


def _part(data: Any, name: str, kind: Any = Any) -> Any:
    if not isinstance(data, dict) or name not in data:
        raise ValueError(f"{name} is missing")
    value = data[name]
    is_score = isinstance(value, float) and kind in (float, float | None)  # which can be infinite
    return value if is_score else checked(kind, value, name)


def _action(data: Any) -> Action:
    try:
        return Action(**data)
    except TypeError:
        raise ValueError(f"{short_repr(data)} is not an action") from None


def holds_run(data: bytes) -> bool:
    """Whether bytes begin like a record, or like the run that ``Run.save`` gives."""
    if data.startswith(SAVED_RUN):
        return True
    try:
        return json_object(data.partition(b"\n")[0]).get("schema") == SCHEMA
    except ValueError:
        return False


# --- Files ------------------------------------------------------------------------------------------------------------


class RecordStopped(Exception):
    """A file takes no more lines; says why."""


class RecordFile:
    """A file that a run is written to. Every line in it is whole, whatever stops the writing."""

    def __init__(self, file: FileIO) -> None:
        self._file = file

    @staticmethod
    def create(path: Path, header: Header) -> RecordFile:
        """A new file; none that is there is overwritten (FileExistsError)."""
        file = path.open("xb", buffering=0)
        try:
            add_line(file, header_line(header))
        except BaseException:
            file.close()
            with suppress(OSError):
                os.unlink(path)  # there was none before
            raise
        return RecordFile(file)

    @staticmethod
    def resume(path: Path) -> tuple[Record, RecordFile]:
        """The record of a run that has not ended, and its file, to be continued. A line that was cut is removed."""
        record, text = _read(path)
        if record.end is not None:
            raise BadRecord(f"{path} holds a whole run already; there is nothing to resume.")
        try:
            file = path.open("r+b", buffering=0)
        except OSError as error:
            raise BadRecord(f"{path} cannot be written: {reason(error)}.") from None
        file.truncate(len(text.encode()))
        if not text.endswith("\n"):
            add_line(file, "")
        return record, RecordFile(file)

    def __enter__(self) -> RecordFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, step: int, decision: Decision) -> None:
        self._add(decision_line(step, decision))

    def snapshot(self, snapshot: Snapshot) -> None:
        self._add(json.dumps({"snapshot": {"step": snapshot.step, "state": snapshot.state}}))

    def end(self, end: Ending) -> None:
        self._add(ending_line(end))

    def _add(self, line: str) -> None:
        try:
            add_line(self._file, line)
        except OSError as error:
            raise RecordStopped(reason(error)) from None


def read_record(path: Path) -> Record:
    """BadRecord with a sentence that names the line for anything else than a record.

    The last line may be cut, as a killed process leaves it: it is left out, and so the record has no end.
    """
    return _read(path)[0]


def _read(path: Path) -> tuple[Record, str]:
    """The record, and the text of its whole lines."""
    with reading(path, BadRecord):
        text = read_text(path)
    return _of_text(text, path)


def record_in(text: str, name: str) -> Record:
    """The record that a text is, which has been read already; BadRecord as ``read_record``."""
    return _of_text(text, name)[0]


def _of_text(text: str, path: Path | str) -> tuple[Record, str]:
    *lines, cut = text.split("\n")
    if cut and _is_json(cut):
        lines.append(cut)
    else:
        text = text.removesuffix(cut)
    if not lines:
        raise BadRecord(f"{path} is empty." if not cut else f"{path}, line 1, is not a line of a recorded run.")
    return _record(path, lines), text


def _record(path: Path | str, lines: list[str]) -> Record:
    entries: list[Header | Decision | Snapshot | Ending] = []
    for number, line in enumerate(lines, 1):
        try:
            if entries and isinstance(entries[-1], Ending):
                raise ValueError("nothing may follow the end")
            entries.append(_read_line(line) if entries else _read_header(line))
        except ValueError as error:
            raise BadRecord(f"{path}, line {number}, is not a line of a recorded run: {error}.") from None
    return Record(
        header=next(entry for entry in entries if isinstance(entry, Header)),
        decisions=tuple(entry for entry in entries if isinstance(entry, Decision)),
        snapshots=tuple(entry for entry in entries if isinstance(entry, Snapshot)),
        end=next((entry for entry in entries if isinstance(entry, Ending)), None),
    )


def _is_json(text: str) -> bool:
    try:
        loads(text)
    except ValueError:
        return False
    return True
