"""The methods of the mod, version 1.5: their parameters, the states in which they are allowed, what they are for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from jimbo.wire.gamestate import MENU, PACK_OPENED

API_VERSION = "1.5.2"
SIMULATOR = "Jimbo simulator"
"""Stands in the description of our own server, and in nothing that the mod says."""
MAX_BODY = 65_536
DEFAULT_PORT = 12346


@dataclass(frozen=True, slots=True)
class Param:
    name: str
    type: str
    """string, integer, boolean, or array, which is always one of integers."""
    text: str
    required: bool = False


@dataclass(frozen=True, slots=True)
class Method:
    name: str
    text: str
    states: tuple[str, ...] = ()
    """States in which it is allowed; none means any."""
    params: tuple[Param, ...] = ()
    result: str = "GameState"


def _place(name: str, what: str, required: bool = False) -> Param:
    return Param(name, "integer", f"0-based index of the {what}", required)


def _cards(name: str, what: str, required: bool = False) -> Param:
    return Param(name, "array", what, required)


_PATH = (Param("path", "string", "File path", required=True),)
_HAND = "SELECTING_HAND"
_IN_A_RUN = (
    *(_HAND, "HAND_PLAYED", "DRAW_TO_HAND", "GAME_OVER", "SHOP", "PLAY_TAROT", "BLIND_SELECT", "ROUND_EVAL"),
    *("TAROT_PACK", "PLANET_PACK", "SPECTRAL_PACK", "STANDARD_PACK", "BUFFOON_PACK", "NEW_ROUND", PACK_OPENED),
)
"""As the mod lists them; some are passed through without being seen."""
_METHODS = (
    Method("health", "Health check", result="Health"),
    Method("gamestate", "Get the complete current game state"),
    Method("rpc.discover", "Get this OpenRPC document", result="OpenRPC"),
    Method(
        "start",
        "Start a new run",
        (MENU,),
        (
            Param("deck", "string", "Deck", required=True),
            Param("stake", "string", "Stake", required=True),
            Param("seed", "string", "Seed of the run"),
        ),
    ),
    Method("menu", "Return to the main menu"),
    Method("save", "Save the run to a file", _IN_A_RUN, _PATH, "Path"),
    Method("load", "Load a saved run from a file", (), _PATH, "Path"),
    Method("select", "Select the current blind", ("BLIND_SELECT",)),
    Method("skip", "Skip the current blind (small or big)", ("BLIND_SELECT",)),
    Method("play", "Play cards from hand", (_HAND,), (_cards("cards", "Cards to play", True),)),
    Method("discard", "Discard cards from hand", (_HAND,), (_cards("cards", "Cards to discard", True),)),
    Method(
        "rearrange",
        "Rearrange the hand, the jokers or the consumables",
        (_HAND, "SHOP", PACK_OPENED),
        tuple(_cards(name, f"New order of the {name}") for name in ("hand", "jokers", "consumables")),
    ),
    Method(
        "use",
        "Use a consumable",
        (_HAND, "SHOP"),
        (_place("consumable", "consumable", True), _cards("cards", "Cards of the hand that it is used on")),
    ),
    Method(
        "sell",
        "Sell a joker or a consumable",
        (_HAND, "SHOP"),
        (_place("joker", "joker"), _place("consumable", "consumable")),
    ),
    Method("cash_out", "Collect the rewards of the round", ("ROUND_EVAL",)),
    Method(
        "buy",
        "Buy a card, a voucher or a pack",
        ("SHOP",),
        (_place("card", "card"), _place("voucher", "voucher"), _place("pack", "pack")),
    ),
    Method(
        "pack",
        "Take a card of an open pack, or skip the rest of it",
        (PACK_OPENED,),
        (
            _place("card", "card"),
            _cards("targets", "Cards of the hand that it is used on"),
            Param("skip", "boolean", "Skip what is left of the pack"),
        ),
    ),
    Method("reroll", "Reroll the shop", ("SHOP",)),
    Method("next_round", "Leave the shop", ("SHOP",)),
    Method(
        "add",
        "Add a card (debug)",
        (_HAND, "SHOP", "ROUND_EVAL"),
        (
            Param("key", "string", "Key of the card: j_*, c_*, v_*, p_*, or SUIT_RANK", required=True),
            Param("seal", "string", "Seal of a playing card"),
            Param("edition", "string", "Edition of a joker, a playing card or a consumable"),
            Param("enhancement", "string", "Enhancement of a playing card"),
            Param("eternal", "boolean", "Whether a joker is eternal"),
            Param("perishable", "integer", "Rounds until a joker perishes"),
            Param("rental", "boolean", "Whether a joker is rented"),
        ),
    ),
    Method(
        "set",
        "Set values of the run (debug)",
        (),
        (
            Param("money", "integer", "Money"),
            Param("chips", "integer", "Chips scored in this round"),
            Param("ante", "integer", "Ante"),
            Param("round", "integer", "Round"),
            Param("hands", "integer", "Hands left"),
            Param("discards", "integer", "Discards left"),
            Param("shop", "boolean", "Stock the shop anew"),
        ),
    ),
    Method("screenshot", "Take a picture of the game", (), _PATH, "Path"),
)
LOOKING = ("health", "gamestate", "rpc.discover")
"""Methods that change nothing."""
METHODS: Mapping[str, Method] = {method.name: method for method in _METHODS}
