"""Whether the parameters of a call have the types of its method."""

from __future__ import annotations

import re
from typing import Any

from jimbo.serve.balatrobot.refused import bad_request
from jimbo.wire.methods import Method, Param

_HALF = re.compile("[\ud800-\udfff]")
"""Half of a character: JSON can write it, nothing else can."""


def checked(method: Method, params: Any) -> dict[str, Any]:
    """The known parameters that are there; whole floats become integers, and others are ignored as the mod does."""
    if params is None or (isinstance(params, list) and not _there(params)):
        params = {}
    if not isinstance(params, dict):
        raise bad_request("Invalid Request: 'params' must be an object")
    given = {}
    for param in method.params:
        value = params.get(param.name)
        if value is not None:
            given[param.name] = _checked(param, value)
        elif param.required:
            raise bad_request(f"Missing required field '{param.name}'")
    return given


def _checked(param: Param, value: Any) -> Any:
    if param.type == "integer":
        return _integer(value, f"Field '{param.name}' must be an integer")
    if param.type == "array":
        return _integers(param.name, value)
    if not isinstance(value, str if param.type == "string" else bool):
        raise bad_request(f"Field '{param.name}' must be of type {param.type}")
    if isinstance(value, str) and _HALF.search(value):
        raise bad_request(f"Field '{param.name}' is not valid Unicode text")
    return value


def _integer(value: Any, refusal: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1:
        raise bad_request(refusal)
    return int(value)


def _integers(name: str, value: Any) -> list[int]:
    if value == {}:
        return []  # to the mod an empty object is an empty list
    items = _there(value) if isinstance(value, list) else None
    if items is None or None in items:
        raise bad_request(f"Field '{name}' must be an array")
    return [
        _integer(item, f"Field '{name}' array item at index {place} must be of type integer")
        for place, item in enumerate(items)
    ]


def _there(items: list[Any]) -> list[Any]:
    """Without the nulls at its end: to the mod they are not there. A list with a null elsewhere is no list to it."""
    end = len(items)
    while end and items[end - 1] is None:
        end -= 1
    return items[:end]
