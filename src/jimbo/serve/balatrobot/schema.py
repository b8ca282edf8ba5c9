"""Whether the parameters of a call have the types of its method."""

from __future__ import annotations

from typing import Any

from jimbo.serve.balatrobot.refused import bad_request
from jimbo.wire.methods import Method, Param


def checked(method: Method, params: Any) -> dict[str, Any]:
    """The known parameters that are there; whole floats become integers, and others are ignored as the mod does."""
    if params is None or params == []:
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
    return value


def _integer(value: Any, refusal: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1:
        raise bad_request(refusal)
    return int(value)


def _integers(name: str, value: Any) -> list[int]:
    if value == {}:
        return []  # to the mod an empty object is an empty list
    if not isinstance(value, list):
        raise bad_request(f"Field '{name}' must be an array")
    return [
        _integer(item, f"Field '{name}' array item at index {place} must be of type integer")
        for place, item in enumerate(value)
    ]
