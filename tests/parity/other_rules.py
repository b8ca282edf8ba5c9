"""A game in which every Hack scores ten chips too many."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from jimbo.parity.playing import Server
from jimbo.serve.balatrobot.instance import Instance
from jimbo.serve.balatrobot.server import Servers

TOO_MANY = 10


class OtherRules(Instance):
    def call(self, name: str, params: Any) -> str:
        answer = super().call(name, params)
        table = self._table
        if name != "play" or "j_hack" not in [joker.key for joker in table.seen.jokers]:
            return answer
        table.playing.chips += TOO_MANY
        table.changed()
        return self._state()


class _Servers(Servers):
    def _listen(self, host: str, port: int, game: Instance) -> None:
        super()._listen(host, port, OtherRules(Path()))


@contextmanager
def other_rules() -> Iterator[Server]:
    servers = _Servers("127.0.0.1", 0, 1, Path())
    thread = threading.Thread(target=servers.serve, daemon=True)
    thread.start()
    try:
        yield Server(f"http://127.0.0.1:{servers.ports[0]}", settle=0.0)
    finally:
        servers.stop()
        thread.join()
