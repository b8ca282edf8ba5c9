"""Files of recorded runs: written line by line as the run goes on, and read again."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, get_args

from jimbo.agents import Considered, Decision, Measure
from jimbo.declared import checked, filled, shown
from jimbo.engine.run import Action
from jimbo.eval.recording import (
    SCHEMA,
    BadRecord,
    Ending,
    Header,
    Moment,
    Record,
    decision_line,
    ending_line,
    header_line,
)
from jimbo.files import add_line, loads, trouble
from jimbo.seeds import checked_seed, deck_and_challenge, stake_key

# --- Writing ----------------------------------------------------------------------------------------------------------


class RecordStopped(Exception):
    """A file takes no more lines; says why."""


class RecordFile:
    """A new file for a run. Every line in it is whole, whatever stops the writing; no other file is overwritten."""

    def __init__(self, path: Path, header: Header) -> None:
        self._file = path.open("xb", buffering=0)
        try:
            add_line(self._file, header_line(header))
        except BaseException:
            self._file.close()
            with suppress(OSError):
                os.unlink(path)  # there was none before
            raise

    def __enter__(self) -> RecordFile:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _where: TracebackType | None
    ) -> None:
        self._file.close()

    def add(self, moment: Moment) -> None:
        self._add(decision_line(moment.step, moment.decision))

    def end(self, end: Ending) -> None:
        self._add(ending_line(end))

    def _add(self, line: str) -> None:
        try:
            add_line(self._file, line)
        except OSError as error:
            raise RecordStopped(trouble(error)) from None


# --- Reading ----------------------------------------------------------------------------------------------------------


def read_record(path: Path) -> Record:
    """BadRecord with a sentence that names the line for anything else than a record.

    The last line may be cut, as a killed process leaves it: it is left out, and so the record has no end.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeError) as error:
        raise BadRecord(f"{path} cannot be read: {trouble(error)}.") from None
    cut = lines.pop()
    if cut and _is_json(cut):
        lines.append(cut)
    if not lines:
        raise BadRecord(f"{path} is empty." if not cut else f"{path}, line 1, is no line of a recorded run.")
    header: Header | None = None
    decisions: list[Decision] = []
    end: Ending | None = None
    for number, line in enumerate(lines, 1):
        try:
            data = _object(line)
            if header is None:
                header = _header(data)
            elif end is not None:
                raise ValueError("nothing may follow the end")
            elif "end" in data:
                end = filled(Ending, data["end"], "end")
            else:
                decisions.append(_decision(data))
        except ValueError as error:
            raise BadRecord(f"{path}, line {number}, is no line of a recorded run: {error}.") from None
    assert header is not None
    return Record(header, tuple(decisions), end)


def _is_json(text: str) -> bool:
    try:
        loads(text)
    except ValueError:
        return False
    return True


def _object(line: str) -> dict[str, Any]:
    data = loads(line)
    if not isinstance(data, dict):
        raise ValueError(f"{shown(data)} is no object")
    try:
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeError:  # JSON can write such a thing, but nobody can show it
        raise ValueError("half of a surrogate pair is no text") from None
    return data


def _header(data: dict[str, Any]) -> Header:
    if data.get("schema") != SCHEMA:
        raise ValueError(f"the first line must be a header of the schema {SCHEMA}")
    header = filled(Header, data, "the header")
    deck, challenge = deck_and_challenge(header.deck, header.challenge)
    seed, stake = checked_seed(header.seed), stake_key(header.stake)
    return replace(header, seed=seed, deck=deck, stake=stake, challenge=challenge)


def _decision(data: dict[str, Any]) -> Decision:
    measure = data.get("measure", "value")  # older records have none
    if measure not in get_args(Measure):
        raise ValueError(f"there is no measure {shown(measure)}")
    return Decision(
        action=_action(_part(data, "action")),
        considered=tuple(_considered(considered) for considered in _part(data, "candidates", tuple[Any, ...])),
        explanation=_part(data, "explanation", str),
        seconds=_number(data, "seconds"),
        measure=measure,
    )


def _considered(data: Any) -> Considered:
    return Considered(
        action=_action(_part(data, "action")),
        value=_number(data, "value"),
        text=_part(data, "text", str),
        clear=None if _part(data, "clear") is None else _number(data, "clear"),
        error=None if _part(data, "error") is None else _number(data, "error"),
        chosen=checked(bool, data.get("chosen", False), "chosen"),  # older records have none
    )


def _part(data: Any, name: str, kind: Any = Any) -> Any:
    if not isinstance(data, dict) or name not in data:
        raise ValueError(f"{name} missing")
    return checked(kind, data[name], name)


def _number(data: Any, name: str) -> float:
    value = _part(data, name)
    return value if isinstance(value, float) else float(checked(float, value, name))  # a score can be infinite


def _action(data: Any) -> Action:
    try:
        return Action(**data)
    except TypeError:
        raise ValueError(f"{shown(data)} is no action") from None
