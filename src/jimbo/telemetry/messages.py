"""A message about an event, as it comes over the wire: read, checked and brought into one form.

A game says ``{"type", "timestamp", "game_id", "data"}``, other programs ``{"type", "source", "payload"}``. Both become
the first form, with whatever else they said of themselves.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping
from dataclasses import MISSING, fields
from functools import cache
from typing import Any, get_args, get_type_hints

from jimbo.declared import short_repr
from jimbo.files import json_object
from jimbo.telemetry.events import EVENTS, TOPICS, EventData, type_names

MAX_EVENT = 10_240
"""Bytes of a message."""
MAX_TEXT = 1000
MAX_ITEMS = 100
"""Items of a list."""
MAX_PROPERTIES = 50
MAX_KEY = 50
MAX_DEPTH = 10
MILLISECONDS_FROM = 1e11
"""Larger timestamps are milliseconds."""
REASONS = ("too_large", "not_json", "limits", "unknown_type", "bad_field")
"""Why messages are refused."""

_EXTRA: Mapping[str, type] = {
    "source": str, "version": str, "session_id": str, "event_id": str, "sequence": int, "priority": int, "headers": dict
}  # fmt: skip
"""Fields of the envelope that are passed on."""
_WORDS = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_KNOWN = {"type", "timestamp", "game_id", "data", "payload", "_client_id", "_received_at", *_EXTRA}


class BadMessage(ValueError):
    """A message that is refused, with one of REASONS."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


def read_message(text: str | bytes) -> dict[str, Any]:
    """Return the message in a text, checked."""
    if len(text) > MAX_EVENT or (isinstance(text, str) and not text.isascii() and len(text.encode()) > MAX_EVENT):
        raise _too_large()
    try:
        data = json_object(text, finite=True)
    except ValueError as error:
        raise BadMessage("not_json", f"The message cannot be read: {error}.") from None
    return checked_message(data)


def checked_message(data: Any) -> dict[str, Any]:
    """Return a message in the one form: ``type``, ``timestamp``, ``game_id``, ``data`` and what else it says."""
    if not isinstance(data, dict):
        raise BadMessage("not_json", f"A message is an object, not {short_repr(data)}.")
    _check_limits(data, "the message", 1)
    kind = _field(data, "type", str)
    if kind is None:
        raise BadMessage("bad_field", 'The message has no "type".')
    if not (kind in EVENTS or (kind.startswith(TOPICS) and kind not in TOPICS and _is_name(kind))):
        known = f"Types are {', '.join(type_names())}, and whatever begins with {', '.join(TOPICS)}"
        raise BadMessage("unknown_type", f"There is no type {short_repr(kind)}. {known}.")
    if unknown := data.keys() - _KNOWN:
        raise BadMessage("bad_field", f'{short_repr(min(unknown))} is no field of a message: put it into "data".')
    content = _field(data, "data", dict)
    if content is None:
        content = _field(data, "payload", dict)
    if content is None:
        raise BadMessage("bad_field", f'The message of type {kind} has no "data".')
    for name, shape in _needed(kind):
        if name not in content:
            raise BadMessage("bad_field", f'The data of {kind} has no "{name}".')
        if shape is not None and not _fits(content[name], shape):
            raise _wrong(f"{name} of {kind}", shape, content[name])
    message = {
        "type": kind,
        "timestamp": _timestamp(data),
        "game_id": _field(data, "game_id", str) or "",
        "data": content,
    }
    for name, shape in _EXTRA.items():
        if data.get(name) is not None:
            message[name] = _field(data, name, shape)
    return message


def check_size(data: object) -> None:
    """Raise BadMessage for a message of a list that is larger than it could be alone."""
    if len(_ENCODER.encode(data).encode("utf-8", "replace")) > MAX_EVENT:
        raise _too_large()


def _too_large() -> BadMessage:
    return BadMessage("too_large", f"A message has at most {MAX_EVENT:,} bytes.")


def _field(data: Mapping[str, Any], name: str, shape: type) -> Any:
    value = data.get(name)
    if value is not None and not _fits(value, shape):
        raise _wrong(name, shape, value)
    return value


def _wrong(name: str, shape: type, value: object) -> BadMessage:
    return BadMessage("bad_field", f"{name} must be {_WORDS[shape]}, not {short_repr(value)}.")


def _fits(value: Any, shape: type) -> bool:
    if shape is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if shape is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, shape)


def _is_name(kind: str) -> bool:
    """Whether a type can stand on a line of the stream of events, or of a terminal."""
    return kind.isprintable() and " " not in kind


def _timestamp(data: Mapping[str, Any]) -> float:
    value = _field(data, "timestamp", float)
    if value is None:
        return time.time()
    seconds = value / 1000 if value > MILLISECONDS_FROM else value
    if not 0 <= seconds <= MILLISECONDS_FROM:
        raise BadMessage("bad_field", f"timestamp must be seconds since 1970, not {short_repr(value)}.")
    return float(seconds)


@cache
def _needed(kind: str) -> tuple[tuple[str, type | None], ...]:
    """Return the fields that a type must have, each with the shape that it must have, if any."""
    if kind not in EVENTS:
        return ()
    hints = get_type_hints(EVENTS[kind])
    return tuple((entry.name, _shape(hints[entry.name])) for entry in fields(EVENTS[kind]) if entry.default is MISSING)


def _shape(hint: Any) -> type | None:
    if hint in (str, int, float, bool):
        return hint  # type: ignore[no-any-return]
    return (dict if len(get_args(hint)) == 2 else list) if get_args(hint) else None


def _check_limits(value: Any, where: str, depth: int) -> None:
    """Raise BadMessage where something is longer, larger or deeper than it may be."""
    if isinstance(value, str):
        if len(value) > MAX_TEXT:
            raise BadMessage("limits", f"{where} has {len(value):,} characters; {MAX_TEXT:,} are allowed.")
        if not value.isascii() and any("\ud800" <= sign <= "\udfff" for sign in value):
            raise BadMessage("limits", f"{where} holds half of a surrogate pair, which is no text.")
        return
    if isinstance(value, int):
        if abs(value) >= 1 << 63:
            raise BadMessage("limits", f"{where} is a number with too many digits.")
        return
    if not isinstance(value, dict | list):
        return
    if depth > MAX_DEPTH:
        raise BadMessage("limits", f"The message is nested more than {MAX_DEPTH} levels deep.")
    if isinstance(value, list):
        if len(value) > MAX_ITEMS:
            raise BadMessage("limits", f"{where} has {len(value):,} items; {MAX_ITEMS} are allowed.")
        for item in value:
            _check_limits(item, f"an item of {where}", depth + 1) if isinstance(item, str | int | dict | list) else None
        return
    if len(value) > MAX_PROPERTIES:
        raise BadMessage("limits", f"{where} has {len(value):,} properties; {MAX_PROPERTIES} are allowed.")
    for key, item in value.items():
        if len(key) > MAX_KEY:
            raise BadMessage("limits", f"{where} has a name of {len(key):,} characters; {MAX_KEY} are allowed.")
        _check_limits(item, key, depth + 1)


# --- What is sent -----------------------------------------------------------------------------------------------------


def message_text(event: EventData, timestamp: float, game_id: str = "", **envelope: Any) -> str:
    """Return an event as a message."""
    data = fitting(event.to_data(), 2)
    message = {"type": event.TYPE, "timestamp": timestamp, "game_id": game_id, "data": data, **envelope}
    return _ENCODER.encode(message)


def fitting(value: Any, depth: int = 1) -> Any:
    """Return a value as a message may hold it: long texts and lists are cut, numbers are finite, and what is nested
    too deeply or is no JSON becomes text."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        if len(value) <= MAX_TEXT and value.isascii():
            return value
        text = value.encode("utf-8", "replace").decode()
        return text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT - 4]} ..."
    if isinstance(value, int):
        return value if abs(value) < 1 << 63 else float(value) if abs(value) < 1 << 1000 else str(value)[:MAX_TEXT]
    if isinstance(value, float):
        return value if math.isfinite(value) else 0.0 if math.isnan(value) else math.copysign(1.7e308, value)
    if isinstance(value, Mapping) and depth <= MAX_DEPTH:
        items = list(value.items())[:MAX_PROPERTIES]
        return {str(key)[:MAX_KEY]: fitting(item, depth + 1) for key, item in items}
    if isinstance(value, list | tuple) and depth <= MAX_DEPTH:
        return [fitting(item, depth + 1) for item in value[:MAX_ITEMS]]
    return str(value)[:MAX_TEXT]
