"""Dataclasses made from what people and files say: a field is declared once, with its type, its range and its help.

``Declared`` checks whatever it is given; ``from_dict`` also makes plain dataclasses, from the data of a file. Types are
bool, int, float (a whole number becomes one), str, ``Literal["a", "b"]`` for one of some words, each also with
``| None``; ``tuple[float, float]`` for a list of that length, ``tuple[X, ...]`` for one of any length, ``list[X]`` for
one that stays a list (not in options of agents, which never change); ``Mapping[str, X]``; and other dataclasses.
"""

from __future__ import annotations

import json
import math
import reprlib
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from difflib import get_close_matches
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

__all__ = ["Declared", "declared"]

_TRUTH = {"true": True, "on": True, "yes": True, "1": True, "false": False, "off": False, "no": False, "0": False}
_BRIEF = reprlib.Repr()
"""Lists within lists within lists could become endlessly long."""
_BRIEF.maxlevel = 2
_BRIEF.maxstring = _BRIEF.maxlong = _BRIEF.maxother = 200
_MAX_SHOWN = 60
_MAX_NAMED = 3
_KNOWN_TYPES = 'bool, int, float, str, Literal["a", "b"], tuple[int, ...] or Mapping[str, float]'
LARGEST = 2**63 - 1
"""No program of the project writes larger whole numbers, and they would overflow where numbers are averaged."""


@dataclass(frozen=True, slots=True)
class Limits:
    min: float | None = None
    max: float | None = None
    keys: Container[str] | None = None
    """Names that a mapping may have."""
    nonempty: bool = False
    """A text must not be empty."""
    help: str = ""


_NO_LIMITS = Limits()


def declared(
    default: Any = MISSING,
    help: str = "",
    *,
    default_factory: Callable[[], Any] | Any = MISSING,
    min: float | None = None,
    max: float | None = None,
    keys: Container[str] | None = None,
    nonempty: bool = False,
) -> Any:
    """A field; the limits are those of each number and text in it."""
    limits = Limits(min, max, keys, nonempty, help)
    return field(default=default, default_factory=default_factory, metadata={"limits": limits})


class Declared:
    """The base of a dataclass that checks its values: one that does not fit is a ValueError that names its field."""

    __slots__ = ()

    def __post_init__(self) -> None:
        kind = type(self)
        for entry in fields_of(kind):
            object.__setattr__(self, entry.name, _field_value(kind, entry, getattr(self, entry.name)))


T = TypeVar("T")


def fields_of(kind: type[Any]) -> tuple[Field[Any], ...]:
    return fields(kind)


def from_dict(kind: type[T], data: Any, where: str = "") -> T:
    """A dataclass with what a file says; ValueError says where something is missing, unknown or does not fit."""
    try:
        return kind(**_values(kind, data))
    except ValueError as error:
        raise ValueError(f"{where}: {error}" if where else str(error)) from None


def _values(kind: type[Any], data: Any) -> dict[str, Any]:
    if not isinstance(data, Mapping):
        raise ValueError(f"expected named values, not {short_repr(data)}")
    known = {entry.name: entry for entry in fields_of(kind)}
    if missing := [name for name, entry in known.items() if name not in data and is_required(entry)]:
        raise ValueError(f"{_listed(missing)} missing")
    _check_known(data, [*known])
    return {name: _field_value(kind, entry, data[name]) for name, entry in known.items() if name in data}


def _check_known(data: Mapping[Any, Any], known: list[str]) -> None:
    """ValueError for a name that is no field, with those that may be meant."""
    if unknown := [name for name in data if name not in known]:
        near = get_close_matches(str(unknown[0]), known) or known
        raise ValueError(f"{_listed(unknown)} unknown; there is {_listed(near)}")


def is_required(entry: Field[Any]) -> bool:
    return entry.default is MISSING and entry.default_factory is MISSING


def _field_value(kind: type[Any], entry: Field[Any], value: Any) -> Any:
    return checked(_hints(kind)[entry.name], value, entry.name, _limits(entry))


def _limits(entry: Field[Any]) -> Limits:
    return cast(Limits, entry.metadata.get("limits", _NO_LIMITS))


_hints = cast(Callable[[type[Any]], Mapping[str, Any]], cache(get_type_hints))


def from_text(kind: type[Declared], name: str, text: str) -> Any:
    """What a text means for a field. A text without a meaning stays as it is, and the dataclass will refuse it."""
    hint = _without_none(_hints(kind)[name])
    if hint is bool:
        return _TRUTH.get(text.lower(), text)
    if hint is str or get_origin(hint) is Literal:
        return text
    try:
        return hint(text) if hint in (int, float) else json.loads(text)
    except (ValueError, RecursionError):
        return text


def named_texts(texts: Sequence[str], option: str, known: Container[str] = ()) -> dict[str, str]:
    """Return what was typed as ``NAME=VALUE``, each name once; ValueError for another text.

    ``known``: names that have been given already, by options of their own.
    """
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"{option} {text} has no value: write {option} {name}=VALUE")
        if name in found or name in known:
            raise ValueError(f"{name} is given twice: leave out one {option} {text}")
        found[name] = value
    return found


def check_values(kind: type[Any], data: Mapping[Any, Any], where: str) -> None:
    """ValueError that says where for the first name or value that does not fit; no field needs to be there."""
    try:
        _check_known(data, [entry.name for entry in fields_of(kind)])
        for entry in fields_of(kind):
            if entry.name in data:
                _field_value(kind, entry, data[entry.name])
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def help_lines(kind: type[Declared]) -> list[str]:
    """A line for each field: its name and default, what it may be, what it is for."""
    hints = _hints(kind)
    lines = []
    for entry in fields_of(kind):
        limits, hint = _limits(entry), hints[entry.name]
        says_more = limits.max is not None or get_origin(_without_none(hint)) is Literal
        parts = [f"{entry.name}{_default_text(entry)}"]
        parts += [_wanted(hint, limits)] if says_more else []
        parts += ["must be given"] if is_required(entry) else []
        lines.append(f"{', '.join(parts)}{f': {limits.help}' if limits.help else ''}.")
    return lines


def _default_text(entry: Field[Any]) -> str:
    """The default as people write it; empty for None and for one that is made each time."""
    if entry.default is MISSING or entry.default is None:
        return ""
    return f"={entry.default}" if isinstance(entry.default, str) else f"={json.dumps(entry.default, default=str)}"


def check_declaration(kind: type[Declared]) -> None:
    """ValueError for a field of a type that is none of those above; for classes that others have written."""
    try:
        hints = _hints(kind)
    except Exception as error:
        raise ValueError(f"the types of its fields cannot be read: {type(error).__name__}: {error}") from None
    for entry in fields_of(kind):
        if not _is_known(hint := hints[entry.name]):
            name = hint.__name__ if isinstance(hint, type) and not get_args(hint) else str(hint)
            raise ValueError(f"{entry.name} cannot have the type {name}. It can be {_KNOWN_TYPES}")


def short_repr(value: object) -> str:
    """A value in a sentence: short, on one line, and safe for every terminal."""
    try:
        text = f'"{value}"' if isinstance(value, str) else _BRIEF.repr(value)
    except (RecursionError, ValueError):  # nested too deeply, or a number with too many digits
        return "something too long to show"
    text = " ".join(text.encode("utf-8", "backslashreplace").decode().split())
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]} ..."


def _listed(names: Sequence[Any]) -> str:
    """Some names, the first of many; with quotes where one could be misread."""
    more = f" and {len(names) - _MAX_NAMED} more" if len(names) > _MAX_NAMED else ""
    return ", ".join(_named(name) for name in names[:_MAX_NAMED]) + more


def _named(name: Any) -> str:
    return name if isinstance(name, str) and name.isidentifier() and len(name) <= _MAX_SHOWN else short_repr(name)


def _without_none(hint: Any) -> Any:
    """``X`` of ``X | None``."""
    is_union = get_origin(hint) in (Union, UnionType)
    return next(part for part in get_args(hint) if part is not NoneType) if is_union else hint


def _is_known(hint: Any) -> bool:
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return len(parts) == 2 and NoneType in parts and _is_known(_without_none(hint))
    if origin is tuple:
        return all(part is Ellipsis or _is_known(part) for part in parts)
    if origin is Mapping:
        return parts[0] is str and _is_known(parts[1])
    if origin is Literal:
        return all(isinstance(part, str) for part in parts)
    return hint in (bool, int, float, str, Any) or (isinstance(hint, type) and is_dataclass(hint))


# --- One value --------------------------------------------------------------------------------------------------------


def checked(hint: Any, value: Any, name: str, limits: Limits = _NO_LIMITS) -> Any:
    """The value as this type: lists as tuples, mappings as the dataclasses they stand for. ValueError for any other."""
    origin, parts = get_origin(hint), get_args(hint)
    if hint is Any or (value is None and NoneType in parts):
        return value
    if origin in (Union, UnionType):
        return checked(_without_none(hint), value, name, limits)
    if origin is Literal and value in parts:
        return value
    if isinstance(hint, type) and is_dataclass(hint):
        return value if isinstance(value, hint) else from_dict(hint, value, name)
    if origin is tuple and isinstance(value, list | tuple):
        kinds = parts[:1] * len(value) if Ellipsis in parts else parts
        if len(kinds) == len(value):
            pairs = enumerate(zip(kinds, value, strict=True))
            return tuple(checked(kind, item, f"{name}[{i}]", limits) for i, (kind, item) in pairs)
    if origin is list and isinstance(value, list | tuple):
        return [checked(parts[0], item, f"{name}[{i}]", limits) for i, item in enumerate(value)]
    if origin is Mapping and isinstance(value, Mapping):
        _check_keys(value, limits, name)
        return {key: checked(parts[1], item, f"{name}.{_named(key)}", limits) for key, item in value.items()}
    if origin is None and _fits(hint, value, limits):
        return float(value) if hint is float else value
    if hint in (int, float) and limits.max is None and isinstance(value, int) and abs(value) > LARGEST:
        raise ValueError(f"{name} is too large")
    raise ValueError(f"{name} must be {_wanted(hint, limits)}, not {short_repr(value)}")


def _check_keys(value: Mapping[Any, Any], limits: Limits, name: str) -> None:
    for key in value:
        if not _is_text(key) or (limits.keys is not None and key not in limits.keys):
            raise ValueError(f"{name} cannot have {short_repr(key)}")


def _fits(hint: Any, value: Any, limits: Limits) -> bool:
    if hint is bool:
        return isinstance(value, bool)
    if hint is str:
        return _is_text(value) and not (limits.nonempty and value == "")
    if isinstance(value, bool) or not isinstance(value, int if hint is int else int | float):
        return False
    if not math.isfinite(value) if isinstance(value, float) else abs(value) > LARGEST:
        return False
    return (limits.min is None or value >= limits.min) and (limits.max is None or value <= limits.max)


def _is_text(value: Any) -> bool:
    """Half of a surrogate pair can be in JSON, but not in a file."""
    return isinstance(value, str) and not any("\ud800" <= sign <= "\udfff" for sign in value)


def _wanted(hint: Any, limits: Limits) -> str:
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _wanted(_without_none(hint), limits)
    if origin is Literal:
        return f"one of {', '.join(parts)}"
    if origin is list:
        return "a list"
    if origin is tuple:
        return "a list" if Ellipsis in parts else f"a list of {len(parts)} numbers{_range(limits)}"
    if origin is Mapping:
        return "named values"
    if hint is bool:
        return "true or false"
    if hint is str:
        return "text that is not empty" if limits.nonempty else "text"
    return f"a {'whole ' if hint is int else ''}number{_range(limits)}"


def _range(limits: Limits) -> str:
    if limits.min is None or limits.max is None:
        return "" if limits.min is None else f" of at least {limits.min:,}"
    return f" from {limits.min:,} to {limits.max:,}"
