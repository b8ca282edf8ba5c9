"""A gamestate as it comes over the wire: the mod's words in it, how it is read, and where two of them differ.

Empty objects are empty lists, absent fields are absent, and other fields may be there in addition.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from jimbo.engine import PublicState
from jimbo.engine.catalog import DECKS, EDITIONS, ENHANCEMENTS, HANDS, SEALS, STAKES, TAGS

Json = dict[str, Any]

# --- Words ------------------------------------------------------------------------------------------------------------

MENU = "MENU"
PACK_OPENED = "SMODS_BOOSTER_OPENED"
STATES: Mapping[str, str] = {
    "blind_select": "BLIND_SELECT",
    "selecting_hand": "SELECTING_HAND",
    "round_eval": "ROUND_EVAL",
    "shop": "SHOP",
    "pack_opening": PACK_OPENED,
    "game_over": "GAME_OVER",
}
"""From the phases of the engine. Every open pack is one state, whatever it holds."""
SLOTS = ("small", "big", "boss")


def _words(keys: Iterable[str]) -> dict[str, str]:
    """``RED`` to ``b_red``."""
    return {key.split("_", 1)[1].upper(): key for key in keys}


DECK_KEYS = _words(key for key in DECKS if key != "b_challenge")
STAKE_KEYS = _words(STAKES)
SEAL_KEYS = _words(SEALS)
EDITION_KEYS = _words(key for key in EDITIONS if key != "e_base")
ENHANCEMENT_KEYS = _words(ENHANCEMENTS)
HAND_ORDER: Mapping[str, int] = {name: len(HANDS) - fact.order for name, fact in HANDS.items()}
"""The best hand is the first in the mod's order."""
HAND_EXAMPLES: Mapping[str, str] = {
    "Flush Five": "S_A S_A S_A S_A S_A",
    "Flush House": "D_7 D_7 D_7 D_4 D_4",
    "Five of a Kind": "S_A H_A H_A C_A D_A",
    "Straight Flush": "S_Q S_J S_T S_9 S_8",
    "Four of a Kind": "S_J H_J C_J D_J -C_3",
    "Full House": "H_K C_K D_K S_2 D_2",
    "Flush": "H_A H_K H_T H_5 H_4",
    "Straight": "D_J C_T C_9 S_8 H_7",
    "Three of a Kind": "S_T C_T D_T -H_6 -D_5",
    "Two Pair": "H_A D_A -C_Q H_4 C_4",
    "Pair": "-S_K S_9 D_9 -H_6 -D_3",
    "High Card": "S_A -D_Q -D_9 -C_4 -D_3",
}
"""The cards that the game shows beside each hand; those with a minus sign do not score."""


TAG_NAMES: Mapping[str, str] = {key: fact.name for key, fact in TAGS.items()} | {"tag_skip": "Skip Tag"}
"""As the mod shows them."""


def word(key: str) -> str:
    """``RED`` for ``b_red``, ``seal_red`` and ``stake_red``."""
    return key.split("_", 1)[1].upper()


def blind_status(state: PublicState, slot: str, skipped: Iterable[str]) -> str:
    """Where a blind of the ante stands; ``skipped`` are those that were skipped, which the state does not remember."""
    place, now = SLOTS.index(slot), SLOTS.index(state.on_deck)
    phase = state.pack.opened_from if state.pack else state.phase
    # The boss is beaten and the next ante's blinds are not up yet.
    ante_is_over = phase == "round_eval" and now == 0
    if ante_is_over or place < now:
        return "SKIPPED" if slot in skipped else "DEFEATED"
    if place > now:
        return "UPCOMING"
    return {"blind_select": "SELECT", "selecting_hand": "CURRENT", "game_over": "CURRENT"}.get(phase, "UPCOMING")


# --- Reading ----------------------------------------------------------------------------------------------------------

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


def number_of(state: Mapping[str, Any], name: str) -> float:
    """A number of the round, such as ``hands_left``; 0 where it is not told."""
    value = as_object(state.get("round")).get(name)
    return value if isinstance(value, int | float) else 0


def blinds_of(state: Mapping[str, Any]) -> dict[str, Json]:
    """The blinds of the ante, by slot."""
    return {slot: as_object(blind) for slot, blind in as_object(state.get("blinds")).items()}


def blind_now(state: Mapping[str, Any]) -> Json:
    """The blind that is played, or can be chosen now; empty where there is none."""
    return next((blind for blind in blinds_of(state).values() if blind.get("status") in ("CURRENT", "SELECT")), {})


def tag_of(blind: Mapping[str, Any]) -> str:
    """The name of the tag for skipping a blind; versions of the mod tell it in different places."""
    return str(as_object(blind.get("tag")).get("name") or blind.get("tag_name"))


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


# --- Comparing --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ValueDifference:
    """One value, and its JSON path."""

    path: str
    here: Any
    there: Any


def differences(
    here: Any, there: Any, path: str = "$", *, same: Callable[[Any, Any], bool] = operator.eq, absent: Any = None
) -> Iterator[ValueDifference]:
    """All of them, in the order of ``here``. What is not there has the value ``absent``."""
    if isinstance(here, dict) and isinstance(there, dict):
        pairs = [(f"{path}.{name}", here.get(name, absent), there.get(name, absent)) for name in {**here, **there}]
    elif isinstance(here, list) and isinstance(there, list):
        both = zip_longest(here, there, fillvalue=absent)
        pairs = [(f"{path}[{place}]", *values) for place, values in enumerate(both)]
    elif same(here, there):
        return
    else:
        yield ValueDifference(path, here, there)
        return
    for where, one, other in pairs:
        yield from differences(one, other, where, same=same, absent=absent)


def same_on_the_wire(one: Any, other: Any) -> bool:
    """An empty object and an empty list are one thing on the wire; numbers have 14 digits."""
    if one in ([], {}) and other in ([], {}):
        return True
    if isinstance(one, float) or isinstance(other, float):
        with_digits = [f"{value:.14g}" if isinstance(value, int | float) else value for value in (one, other)]
        return bool(with_digits[0] == with_digits[1])
    return type(one) is type(other) and bool(one == other)
