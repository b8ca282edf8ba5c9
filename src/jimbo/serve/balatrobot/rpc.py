"""JSON-RPC as the mod speaks it: from the body of a request to the body of its answer."""

from __future__ import annotations

import json
import logging
from typing import Any

from jimbo.serve.balatrobot.instance import Instance
from jimbo.serve.balatrobot.refused import Refused, bad_request, internal_error
from jimbo.wire.errors import BAD_REQUEST, CODES
from jimbo.wire.methods import METHODS

_log = logging.getLogger(__name__)


def answer(instance: Instance, body: bytes) -> bytes:
    """Never raises: whatever a request brings, it gets an answer."""
    known = None
    try:
        request = _request(body)
        known = _id(request)
        result = instance.call(_method(request), request.get("params"))
        return f'{{"jsonrpc":"2.0","result":{result},"id":{json.dumps(known)}}}'.encode()
    except Refused as refused:
        return error(refused.name, str(refused), known)
    except Exception as failure:
        _log.exception("a call failed")
        unexpected = internal_error(f"{type(failure).__name__}: {failure}")
        return error(unexpected.name, str(unexpected), known)


def error(name: str = BAD_REQUEST, message: str = "", known: int | str | None = None) -> bytes:
    """An error; without an id where none is known."""
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
    if isinstance(known, bool) or not isinstance(known, int | float | str):
        raise bad_request("Invalid Request: 'id' must be an integer or string")
    if isinstance(known, float):
        if known != known // 1:
            raise bad_request("Invalid Request: 'id' must be an integer, not a float")
        return int(known)
    return known


def _method(request: dict[str, Any]) -> str:
    method = request.get("method")
    if not isinstance(method, str):
        raise bad_request("Request missing 'method' field")
    if method not in METHODS:
        raise bad_request(f"Unknown method: {method}")
    return method
