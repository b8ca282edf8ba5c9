"""One game: the table it is played on, and its methods."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from jimbo.serve.balatrobot import debugging, discovery, playing, runs, trading
from jimbo.serve.balatrobot.folder import Folder
from jimbo.serve.balatrobot.refused import internal_error, invalid_state
from jimbo.serve.balatrobot.schema import checked
from jimbo.serve.balatrobot.table import Table
from jimbo.wire.codec import Unwritable, Writer
from jimbo.wire.methods import METHODS

_ACTING: Mapping[str, Callable[[Table, dict[str, Any]], None]] = {
    "gamestate": lambda table, params: None,
    "start": runs.start,
    "menu": runs.menu,
    "select": playing.select,
    "skip": playing.skip,
    "play": playing.play,
    "discard": playing.discard,
    "rearrange": playing.rearrange,
    "cash_out": playing.cash_out,
    "buy": trading.buy,
    "reroll": trading.reroll,
    "next_round": trading.next_round,
    "sell": trading.sell,
    "use": trading.use,
    "pack": trading.pack,
    "add": debugging.add,
    "set": debugging.set_values,
}
"""Those that are answered with the state of the game."""
_FILING: Mapping[str, Callable[[Table, Folder, str], None]] = {
    "save": runs.save,
    "load": runs.load,
    "screenshot": runs.screenshot,
}
"""Those that are answered with the path they were given."""

_BY_HAND: Mapping[str, Callable[[Table, dict[str, Any]], None]] = {
    "start": runs.start_challenge,
    "reroll_boss": lambda table, params: table.step("reroll_boss"),
    "discard": lambda table, params: table.step("discard", cards=params["cards"]),
    "buy": lambda table, params: table.step("buy", params["card"]),
}


class Instance:
    """Answers calls, one after the other."""

    def __init__(self, folder: Path) -> None:
        self._table = Table()
        self._writer = Writer()
        self._folder = Folder(folder)

    def call(self, name: str, params: Any) -> str:
        """The result of a known method as JSON; raises Refused."""
        method = METHODS[name]
        given = checked(method, params)
        table = self._table
        if method.states and table.state not in method.states:
            raise invalid_state(f"Method '{name}' requires one of these states: {', '.join(method.states)}")
        if name == "health":
            return '{"status":"ok"}'
        if name == "rpc.discover":
            return discovery.document()
        if name in _FILING:
            _FILING[name](table, self._folder, given["path"])
            return json.dumps({"success": True, "path": given["path"]}, ensure_ascii=False, separators=(",", ":"))
        _ACTING[name](table, given)
        return self._state()

    def by_hand(self, what: str, params: Mapping[str, Any]) -> None:
        """What a player does in the game itself and no call of the mod does; raises Refused."""
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
