"""One hash of a state for each scope: what two worlds must agree on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from jimbo.engine import PublicState

Json = dict[str, Any]


def hash_of(value: object) -> str:
    """SHA-256 of the compact JSON with sorted names."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def public_hash(state: PublicState) -> str:
    """Of all that a player may know (scope ``public``, public_v1)."""
    return hash_of(state.to_data())


def _hand_core(state: Mapping[str, Any]) -> Json:
    """The hand and the round's numbers."""
    return {
        "phase": state["phase"],
        "hand": state["zones"]["hand"],
        "round": {name: state["round"][name] for name in ("hands_left", "discards_left", "ante", "round_num", "blind")},
        "score": {name: state["score"][name] for name in ("chips", "mult", "target_chips")},
        "money": state["economy"]["money"],
        "flags": state["flags"],
    }


_SCOPES: dict[str, Callable[[Mapping[str, Any]], object]] = {"full": dict, "hand_core": _hand_core}


def state_hashes(state: Mapping[str, Any]) -> dict[str, str]:
    """``state_hash_full`` and ``state_hash_hand_core`` of a whole state (state_v1), hidden things included."""
    return {f"state_hash_{scope}": hash_of(project(state)) for scope, project in _SCOPES.items()}
