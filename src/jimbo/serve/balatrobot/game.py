"""One game: the table it is played on, and its methods. ``rpc.discover`` answers an OpenRPC document of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jimbo.engine import Run
from jimbo.serve.balatrobot import debugging, playing, runs
from jimbo.serve.balatrobot.rpc import checked, internal_error, invalid_state
from jimbo.serve.balatrobot.table import GameTable
from jimbo.wire.codec.write import Writer
from jimbo.wire.codec.written_cards import Unwritable
from jimbo.wire.errors import CODES
from jimbo.wire.methods import API_VERSION, METHODS, SIMULATOR, Method, Param

_ACTING: Mapping[str, Callable[[GameTable, dict[str, Any]], None]] = {
    "gamestate": lambda table, params: None,
    "start": runs.start,
    "menu": runs.menu,
    "select": lambda table, params: table.step("select_blind"),
    "skip": playing.skip,
    "play": playing.play,
    "discard": playing.discard,
    "rearrange": playing.rearrange,
    "cash_out": lambda table, params: table.step("cash_out"),
    "buy": playing.buy,
    "reroll": playing.reroll,
    "next_round": lambda table, params: table.step("leave_shop"),
    "sell": playing.sell,
    "use": playing.use,
    "pack": playing.pack,
    "add": debugging.add,
    "set": debugging.set_values,
}
"""Methods that are answered with the state of the game."""
_FILING: Mapping[str, Callable[[GameTable, Path, str], None]] = {
    "save": runs.save,
    "load": runs.load,
    "screenshot": runs.screenshot,
}
"""Methods that are answered with the path they were given."""

_BY_HAND: Mapping[str, Callable[[GameTable, dict[str, Any]], None]] = {
    "start": runs.start_challenge,
    "reroll_boss": lambda table, params: table.step("reroll_boss"),
    "discard": lambda table, params: table.step("discard", cards=params["cards"]),
    "buy": lambda table, params: table.step("buy", params["card"]),
}


class ServedGame:
    """Answers calls, one after the other. ``folder`` is the only one in which clients may use files."""

    def __init__(self, folder: Path) -> None:
        self._table = GameTable()
        self._writer = Writer()
        self._folder = folder

    @property
    def run(self) -> Run:
        """The run that is being played; RuntimeError where there is none."""
        return self._table.playing

    def call(self, name: str, params: Any) -> str:
        """Return the result of a known method as JSON; raises CallRefused."""
        method = METHODS[name]
        given = checked(method, params)
        table = self._table
        if method.states and table.state not in method.states:
            raise invalid_state(f"Method '{name}' requires one of these states: {', '.join(method.states)}")
        if name == "health":
            return '{"status":"ok"}'
        if name == "rpc.discover":
            return _description()
        if name in _FILING:
            _FILING[name](table, self._folder, given["path"])
            return json.dumps({"success": True, "path": given["path"]}, ensure_ascii=False, separators=(",", ":"))
        _ACTING[name](table, given)
        return self._state()

    def by_hand(self, what: str, params: Mapping[str, Any]) -> None:
        """Do what a player does in the game itself and no call of the mod does; raises CallRefused."""
        _BY_HAND[what](self._table, dict(params))

    def _state(self) -> str:
        table = self._table
        if table.told is None:
            try:
                seen = table.seen if table.run else None
                table.told = self._writer.text(table.run, table.memory, seen)
            except Unwritable as error:
                raise internal_error(str(error)) from None
        return table.told


# --- What rpc.discover answers ----------------------------------------------------------------------------------------

_RESULTS = {
    "GameState": {"type": "object", "required": ["state", "round_num", "ante_num", "money"]},
    "Health": {"type": "object", "properties": {"status": {"type": "string"}}},
    "OpenRPC": {"type": "object"},
    "Path": {"type": "object", "properties": {"success": {"type": "boolean"}, "path": {"type": "string"}}},
}


@cache
def _description() -> str:
    errors = {name: {"code": code, "message": name, "data": {"name": name}} for name, code in CODES.items()}
    return json.dumps(
        {
            "openrpc": "1.3.2",
            "info": {
                "title": "BalatroBot API",
                "description": f"JSON-RPC 2.0 API for playing Balatro, served by the {SIMULATOR}",
                "version": API_VERSION,
            },
            "methods": [_method(method) for method in METHODS.values()],
            "components": {"schemas": _RESULTS, "errors": errors},
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
