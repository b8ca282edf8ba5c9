"""JSON-RPC as the mod speaks it: from the body of a request to the body of its answer."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable
from typing import Any

from jimbo.wire.errors import BAD_REQUEST, CODES, INTERNAL_ERROR, INVALID_STATE, NOT_ALLOWED
from jimbo.wire.methods import METHODS, Method, Param

_log = logging.getLogger(__name__)
_HALF = re.compile("[\ud800-\udfff]")
"""Half of a character: JSON can write it, nothing else can."""


class CallRefused(Exception):
    """A call that is answered with an error, by its name; nothing has changed."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name


def bad_request(message: str) -> CallRefused:
    return CallRefused(BAD_REQUEST, message)


def invalid_state(message: str) -> CallRefused:
    return CallRefused(INVALID_STATE, message)


def not_allowed(message: str) -> CallRefused:
    return CallRefused(NOT_ALLOWED, message)


def internal_error(message: str) -> CallRefused:
    return CallRefused(INTERNAL_ERROR, message)


# --- The envelope -----------------------------------------------------------------------------------------------------


def answer(call: Callable[[str, Any], str], body: bytes) -> bytes:
    """Answer a request by ``call``, which takes a known method and its parameters and returns JSON. Never raises."""
    known = None
    try:
        request = _request(body)
        known = _id(request)
        result = call(_method(request), request.get("params"))
        return f'{{"jsonrpc":"2.0","result":{result},"id":{json.dumps(known)}}}'.encode()
    except CallRefused as refused:
        return error(refused.name, str(refused), known)
    except Exception as failure:
        _log.exception("a call failed")
        return error(INTERNAL_ERROR, f"{type(failure).__name__}: {failure}", known)


def error(name: str = BAD_REQUEST, message: str = "", known: int | str | None = None) -> bytes:
    """Write an error; without an id where none is known."""
    reply: dict[str, Any] = {
        "jsonrpc": "2.0",
        "error": {"code": CODES[name], "message": message, "data": {"name": name}},
    }
    if known is not None:
        reply["id"] = known
    return json.dumps(reply).encode()


def _request(body: bytes) -> dict[str, Any]:
    try:
        request = json.loads(body)
    except (ValueError, RecursionError):
        request = None
    if not isinstance(request, dict):
        raise bad_request("Invalid JSON in request body")
    if request.get("jsonrpc") != "2.0":
        raise bad_request("Invalid JSON-RPC version: expected '2.0'")
    return request


def _id(request: dict[str, Any]) -> int | str:
    known = request.get("id")
    if known is None:
        raise bad_request("Invalid Request: 'id' field is required")
    if isinstance(known, str):
        return known
    if isinstance(known, bool) or not isinstance(known, int | float):
        raise bad_request("Invalid Request: 'id' must be an integer or string")
    if known != known // 1:
        raise bad_request("Invalid Request: 'id' must be an integer, not a float")
    return int(known)


def _method(request: dict[str, Any]) -> str:
    method = request.get("method")
    if not isinstance(method, str):
        raise bad_request("Request missing 'method' field")
    if method not in METHODS:
        raise bad_request(f"Unknown method: {method}")
    return method


# --- Parameters -------------------------------------------------------------------------------------------------------


def checked(method: Method, params: Any) -> dict[str, Any]:
    """Return the known parameters that are there, whole floats as integers. Others are ignored, as the mod does."""
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
    """Return a list without the nulls at its end: to the mod they are not there."""
    end = len(items)
    while end and items[end - 1] is None:
        end -= 1
    return items[:end]
