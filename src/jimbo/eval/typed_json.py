"""JSON from files that people and other programs can change: read as the types that it should have."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

_MOST = 2**63
"""Larger whole numbers come from no program of ours, and overflow where numbers are averaged."""


def loads(text: str) -> Any:
    """ValueError in a few words, to stand behind the name of the file."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        line = f"line {error.lineno}, " if error.lineno > 1 else ""
        raise ValueError(f"it is not JSON ({error.msg} at {line}character {error.colno})") from None
    except ValueError:
        raise ValueError("it holds a number with too many digits") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def typed(kind: Any, value: Any, name: str) -> Any:
    """The value as this type: a plain one, ``X | None``, a tuple or a dataclass of such. ValueError names the place."""
    if is_dataclass(kind):
        return record(kind, value, name)
    if get_origin(kind) is tuple:
        if not isinstance(value, list):
            raise ValueError(f"{name} must be a list")
        return tuple(typed(get_args(kind)[0], item, f"{name}[{i}]") for i, item in enumerate(value))
    if NoneType in get_args(kind):
        return None if value is None else typed(get_args(kind)[0], value, name)
    fits, words = _PLAIN[kind]
    if isinstance(value, bool) or not fits(value):
        raise ValueError(f"{name} must be {words}")
    return kind(value)


def record(kind: Any, value: Any, name: str = "it") -> Any:
    """A dataclass from an object that has its fields and no others; those with a default may be absent."""
    if not isinstance(value, dict):
        raise ValueError(f"{name} must be an object")
    known = {field.name: field for field in fields(kind)}
    if extra := [key for key in value if key not in known]:
        raise ValueError(f"{name} has the unknown field {json.dumps(extra[0])}")
    if missing := [key for key, field in known.items() if field.default is MISSING and key not in value]:
        raise ValueError(f"{name} has no field {missing[0]}")
    kinds = _kinds(kind)
    inside = "" if name == "it" else f"{name}."
    return kind(**{key: typed(kinds[key], held, f"{inside}{key}") for key, held in value.items()})


@cache
def _kinds(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and abs(value) < _MOST


def _is_number(value: Any) -> bool:
    return _is_whole(value) or (isinstance(value, float) and math.isfinite(value))


def _is_text(value: Any) -> bool:
    """Half of a surrogate pair can stand in JSON, but in no file."""
    return isinstance(value, str) and not any("\ud800" <= sign <= "\udfff" for sign in value)


_PLAIN: Mapping[Any, tuple[Callable[[Any], bool], str]] = {
    int: (_is_whole, "a whole number"),
    float: (_is_number, "a number"),
    str: (_is_text, "a text"),
}
