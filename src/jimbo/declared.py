"""Dataclasses that check what they are given: a field is declared once, with its type, its range and its help.

Types are bool, int, float, str, each also with ``| None``; ``tuple[float, float]`` for a list of that length;
``Mapping[str, X]``; and other declared classes.
"""

from __future__ import annotations

import math
from collections.abc import Container, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

_TRUTH = {"true": True, "on": True, "yes": True, "1": True, "false": False, "off": False, "no": False, "0": False}
_MOST_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Limits:
    least: float | None = None
    most: float | None = None
    keys: Container[str] | None = None
    """Of a mapping."""
    help: str = ""


def declared(
    default: Any = MISSING,
    help: str = "",
    *,
    least: float | None = None,
    most: float | None = None,
    keys: Container[str] | None = None,
) -> Any:
    """A field; the range is that of each number in it."""
    return field(default=default, metadata={"limits": Limits(least, most, keys, help)})


class Declared:
    """The base of such a dataclass. A value that does not fit is a ValueError with a sentence that names its field."""

    __slots__ = ()

    def __post_init__(self) -> None:
        hints = get_type_hints(type(self))
        for entry in fields_of(type(self)):
            value = _checked(hints[entry.name], getattr(self, entry.name), _limits(entry), entry.name)
            object.__setattr__(self, entry.name, value)


D = TypeVar("D", bound=Declared)


def fields_of(kind: type[Declared]) -> tuple[Field[Any], ...]:
    return fields(cast(Any, kind))


def _limits(entry: Field[Any]) -> Limits:
    return cast(Limits, entry.metadata.get("limits", Limits()))


def filled(kind: type[D], data: Any, where: str) -> D:
    """The dataclass with what a file says; ValueError names the place of what is missing, unknown or does not fit."""
    if not isinstance(data, Mapping):
        raise ValueError(f"{where}: expected names with values, not {shown(data)}")
    known = {entry.name: entry for entry in fields_of(kind)}
    missing = [name for name, entry in known.items() if name not in data and _is_required(entry)]
    if missing:
        raise ValueError(f"{where}: {', '.join(missing)} missing")
    if unknown := [str(name) for name in data if name not in known]:
        raise ValueError(f"{where}: {', '.join(unknown)} unknown")
    try:
        return kind(**data)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def _is_required(entry: Field[Any]) -> bool:
    return entry.default is MISSING and entry.default_factory is MISSING


def from_text(kind: type[Declared], name: str, text: str) -> Any:
    """What a text means for a field. One that means nothing stays as it is, and the dataclass will refuse it."""
    hint = get_type_hints(kind)[name]
    if hint is bool:
        return _TRUTH.get(text.lower(), text)
    if hint in (int, float):
        try:
            return hint(text)
        except ValueError:
            return text
    return text


def described(kind: type[Declared]) -> list[str]:
    """A line for each field: its name and default, what it may be, what it is for."""
    hints = get_type_hints(kind)
    lines = []
    for entry in fields_of(kind):
        limits = _limits(entry)
        default = "" if entry.default is None else f"={str(entry.default).lower()}"
        wanted = f", {_wanted(hints[entry.name], limits)}" if limits.most is not None else ""
        lines.append(f"{entry.name}{default}{wanted}: {limits.help}.")
    return lines


def shown(value: object) -> str:
    """A value in a sentence: short, and on one line."""
    text = f'"{value}"' if isinstance(value, str) else repr(value)
    text = " ".join(text.split())
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]} ..."


# --- One value --------------------------------------------------------------------------------------------------------


def _checked(hint: Any, value: Any, limits: Limits, name: str) -> Any:
    """The value, with lists as tuples and mappings as the dataclasses they stand for."""
    origin, parts = get_origin(hint), get_args(hint)
    if hint is Any or (value is None and NoneType in parts):
        return value
    if origin in (Union, UnionType):
        return _checked(parts[0], value, limits, name)
    if isinstance(hint, type) and issubclass(hint, Declared):
        return value if isinstance(value, hint) else filled(hint, value, name)
    if origin is tuple and isinstance(value, list | tuple) and len(value) == len(parts):
        pairs = enumerate(zip(parts, value, strict=True))
        return tuple(_checked(part, item, limits, f"{name}[{i}]") for i, (part, item) in pairs)
    if origin is Mapping and isinstance(value, Mapping):
        _check_keys(value, limits, name)
        return {key: _checked(parts[1], item, limits, f"{name}.{key}") for key, item in value.items()}
    if origin is None and _fits(hint, value, limits):
        return value
    raise ValueError(f"{name} must be {_wanted(hint, limits)}, not {shown(value)}")


def _check_keys(value: Mapping[Any, Any], limits: Limits, name: str) -> None:
    for key in value:
        if not isinstance(key, str) or (limits.keys is not None and key not in limits.keys):
            raise ValueError(f"{name} has no place for {shown(key)}")


def _fits(hint: Any, value: Any, limits: Limits) -> bool:
    if hint in (bool, str):
        return isinstance(value, hint) and value != ""
    if isinstance(value, bool) or not isinstance(value, int if hint is int else int | float):
        return False
    if isinstance(value, float) and not math.isfinite(value):
        return False
    return (limits.least is None or value >= limits.least) and (limits.most is None or value <= limits.most)


def _wanted(hint: Any, limits: Limits) -> str:
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _wanted(parts[0], limits)
    if origin is tuple:
        return f"a list of {len(parts)} numbers{_range(limits)}"
    if origin is Mapping:
        return "names with values"
    if hint is bool:
        return "true or false"
    if hint is str:
        return "a text that is not empty"
    return f"a {'whole ' if hint is int else ''}number{_range(limits)}"


def _range(limits: Limits) -> str:
    if limits.least is None or limits.most is None:
        return "" if limits.least is None else f" of at least {limits.least:,}"
    return f" from {limits.least:,} to {limits.most:,}"
