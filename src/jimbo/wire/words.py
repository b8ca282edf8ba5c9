"""The mod's words for what the engine calls by key: ``RED`` for ``b_red``, ``H_T`` for the Ten of Hearts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from jimbo.engine import PublicState
from jimbo.engine.catalog import DECKS, EDITIONS, ENHANCEMENTS, HANDS, SEALS, STAKES, TAGS

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
