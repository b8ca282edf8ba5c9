"""What ``rpc.discover`` answers: an OpenRPC document made from the table of methods."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from jimbo.wire.errors import CODES
from jimbo.wire.methods import API_VERSION, METHODS, SIMULATOR, Method, Param

_RESULTS = {
    "GameState": {"type": "object", "required": ["state", "round_num", "ante_num", "money"]},
    "Health": {"type": "object", "properties": {"status": {"type": "string"}}},
    "OpenRPC": {"type": "object"},
    "Path": {"type": "object", "properties": {"success": {"type": "boolean"}, "path": {"type": "string"}}},
}


@cache
def document() -> str:
    return json.dumps(
        {
            "openrpc": "1.3.2",
            "info": {
                "title": "BalatroBot API",
                "description": f"JSON-RPC 2.0 API for playing Balatro, served by the {SIMULATOR}",
                "version": API_VERSION,
            },
            "methods": [_method(method) for method in METHODS.values()],
            "components": {"schemas": _RESULTS, "errors": {name: _error(name) for name in CODES}},
        }
    )


def _method(method: Method) -> dict[str, Any]:
    return {
        "name": method.name,
        "summary": method.text,
        "params": [_param(param) for param in method.params],
        "result": {"name": "result", "schema": {"$ref": f"#/components/schemas/{method.result}"}},
        "errors": [{"$ref": f"#/components/errors/{name}"} for name in CODES],
    }


def _param(param: Param) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": param.type}
    if param.type == "array":
        schema["items"] = {"type": "integer"}
    return {"name": param.name, "description": param.text, "required": param.required, "schema": schema}


def _error(name: str) -> dict[str, Any]:
    return {"code": CODES[name], "message": name, "data": {"name": name}}
