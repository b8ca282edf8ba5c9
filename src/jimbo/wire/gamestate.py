"""A gamestate as it comes: empty objects are empty lists, absent fields are absent, others may be there in addition."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jimbo.wire.words import MENU, PACK_OPENED, STATES

Json = dict[str, Any]

RESTING = frozenset({MENU, *STATES.values()})
"""States in which the game waits for the player."""
NEEDED = ("state", "round_num", "ante_num", "money")


def as_object(value: Any) -> Json:
    """The mod writes an empty object as an empty list."""
    return dict(value) if isinstance(value, Mapping) else {}


def cards_of(state: Mapping[str, Any], area: str) -> list[Json]:
    """The cards of an area; none where there is no such area."""
    cards = as_object(state.get(area)).get("cards")
    return [as_object(card) for card in cards] if isinstance(cards, list) else []


def limit_of(state: Mapping[str, Any], area: str) -> int | None:
    limit = as_object(state.get(area)).get("limit")
    return int(limit) if isinstance(limit, int | float) else None


def valid_state(value: Any) -> bool:
    return (
        isinstance(value, Mapping)
        and isinstance(value.get("state"), str)
        and all(isinstance(value.get(name), int | float) for name in NEEDED[1:])
    )


def state_of(value: Mapping[str, Any] | None) -> str | None:
    return str(value["state"]) if value else None


def at_rest(state: Mapping[str, Any]) -> bool:
    """Whether the game waits for the player. A pack that is being opened shows its cards some moments later."""
    if state["state"] == PACK_OPENED:
        return bool(cards_of(state, "pack"))
    return state["state"] in RESTING


def in_a_run(state: Mapping[str, Any]) -> bool:
    return state["state"] != MENU and "deck" in state
