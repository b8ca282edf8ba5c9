"""A game that is called as the mod is, without a wire."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from jimbo.serve.balatrobot.game import ServedGame
from jimbo.serve.balatrobot.rpc import answer

CONFORMANCE = Path(__file__).parents[3] / os.environ.get("JIMBO_CONFORMANCE", "../shared/conformance")
SHARED = CONFORMANCE / ".." / "balatrobot"
needs_recordings = pytest.mark.skipif(not SHARED.is_dir(), reason=f"no recordings of the mod in {SHARED}")

Json = dict[str, Any]


class Game:
    def __init__(self, folder: Path, *, seed: str | None = None, deck: str = "RED", stake: str = "WHITE") -> None:
        self.served = ServedGame(folder)
        if seed is not None:
            self.call("start", deck=deck, stake=stake, seed=seed)

    def reply(self, request: Any) -> Json:
        body = request if isinstance(request, bytes) else json.dumps(request).encode()
        reply: Json = json.loads(answer(self.served.call, body))
        return reply

    def call(self, method: str, **params: Any) -> Json:
        reply = self.reply({"jsonrpc": "2.0", "method": method, "params": params, "id": 1})
        assert "error" not in reply, (method, params, reply["error"])
        result: Json = reply["result"]
        return result

    def refused(self, method: str, **params: Any) -> tuple[str, str]:
        """The name and the message of the error."""
        error = self.reply({"jsonrpc": "2.0", "method": method, "params": params, "id": 1})["error"]
        return error["data"]["name"], error["message"]

    def to_shop(self) -> Json:
        self.call("select")
        self.call("set", chips=1_000_000)
        self.call("play", cards=[0])
        return self.call("cash_out")
