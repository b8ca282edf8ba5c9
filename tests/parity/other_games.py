"""Games that are not quite ours: one with another rule, one with the mod's version 2."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from jimbo.parity.playing import Server
from jimbo.serve.balatrobot.game import ServedGame
from jimbo.serve.balatrobot.server import Servers
from jimbo.wire.gamestate import cards_of

TOO_MANY = 10


class OtherRules(ServedGame):
    """Every Hack scores ten chips too many."""

    def call(self, name: str, params: Any) -> str:
        answer = super().call(name, params)
        table = self._table
        if name != "play" or "j_hack" not in [joker.key for joker in table.seen.jokers]:
            return answer
        table.playing.chips += TOO_MANY
        table.changed()
        return self._state()


class OtherPrices(ServedGame):
    """Every joker sells for a dollar more."""

    def call(self, name: str, params: Any) -> str:
        state = json.loads(super().call(name, params))
        for card in cards_of(state, "jokers"):
            card["cost"]["sell"] += 1
        return json.dumps(state)


class OtherMoney(ServedGame):
    """Every played hand brings a dollar."""

    def call(self, name: str, params: Any) -> str:
        answer = super().call(name, params)
        if name != "play":
            return answer
        self._table.run.dollars += 1
        self._table.changed()
        return self._state()


class Newer(ServedGame):
    """Starts challenges and rerolls bosses."""

    def call(self, name: str, params: Any) -> str:
        if name == "rpc.discover":
            return '{"info":{"version":"2.0.0"}}'
        if name == "reroll_boss" or "challenge" in (params or {}):
            self.by_hand(name, params)
            return self._state()
        return super().call(name, params)


@contextmanager
def served(kind: type[ServedGame]) -> Iterator[Server]:
    class Served(Servers):
        def _add(self, port: int, game: ServedGame) -> None:
            super()._add(port, kind(Path()))

    servers = Served("127.0.0.1", 0, 1, Path())
    thread = threading.Thread(target=servers.serve, daemon=True)
    thread.start()
    try:
        yield Server(f"http://127.0.0.1:{servers.ports[0]}", settle=0.0)
    finally:
        servers.stop()
        thread.join()
