"""What a player would know of a run if none of its jokers lay face down: recordings and traces know it."""

from __future__ import annotations

import json
from typing import Any

from jimbo.engine import PublicState, Run


def open_state(run: Run, state: dict[str, Any]) -> PublicState:
    """``state`` is the run's own JSON."""
    if not any(joker["face_down"] for joker in state["jokers"]):
        return run.public_state()
    jokers = [{**joker, "face_down": False} for joker in state["jokers"]]
    return Run.from_json(json.dumps({**state, "jokers": jokers})).public_state()
