"""Methods that change a run as no rule does, for tests: ``add`` and ``set``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from jimbo.engine import EndCode, Run
from jimbo.engine.catalog import BOOSTERS
from jimbo.serve.balatrobot.rpc import CallRefused, bad_request, internal_error, invalid_state, not_allowed
from jimbo.serve.balatrobot.table import GameTable, score_aside
from jimbo.wire.gamestate import EDITION_KEYS, ENHANCEMENT_KEYS, SEAL_KEYS

Params = dict[str, Any]

# --- add --------------------------------------------------------------------------------------------------------------

_KINDS = {"j_": "joker", "c_": "consumable", "v_": "voucher", "p_": "pack"}
_FORMAT = (
    "Invalid card key format. Expected: joker (j_*), consumable (c_*), voucher (v_*), pack (p_*), "
    "or playing card (SUIT_RANK)"
)
_ONLY_IN = {
    "playing_card": ("SELECTING_HAND", "Playing cards can only be added in SELECTING_HAND state"),
    "voucher": ("SHOP", "Vouchers can only be added in SHOP state"),
    "pack": ("SHOP", "Packs can only be added in SHOP state"),
}
TWO_PACKS = 2


def add(table: GameTable, params: Params) -> None:
    key = params["key"]
    kind = _KINDS.get(key[:2]) or ("playing_card" if re.fullmatch("[HDCS]_[2-9TJQKA]", key) else None)
    if kind is None:
        raise bad_request(_FORMAT)
    state, refusal = _ONLY_IN.get(kind, (table.state, ""))
    if table.state != state:
        raise invalid_state(refusal)
    if kind == "pack":
        _check_pack(table, key)
    _check_marks(kind, params)
    run = table.playing.clone()
    try:
        with score_aside(run):
            _ADDING[kind](run, key, params)
    except ValueError as error:
        raise _not_added(key, error) from None
    except (OverflowError, TypeError):  # an integer that the engine has no type for
        raise internal_error(f"Failed to add card: {key}, a number is more than the simulator can hold") from None
    if run.public_state().end == EndCode.no_room:
        raise internal_error("The simulator has no room for more of these")
    table.run = run
    table.changed()


def _check_pack(table: GameTable, key: str) -> None:
    if len(table.seen.shop_boosters) >= TWO_PACKS:
        raise not_allowed("Cannot add pack, shop booster slots are full")
    if key not in BOOSTERS:
        raise bad_request(f"Pack key not found: {key}")


def _not_added(key: str, error: ValueError) -> CallRefused:
    """A key that is not there, or something that the engine has no room for."""
    return bad_request(f"Failed to add card: {key}") if "there is no" in str(error) else internal_error(str(error))


def _check_marks(kind: str, params: Params) -> None:
    """Check them in the order of the mod."""
    if "seal" in params and kind != "playing_card":
        raise bad_request("Seal can only be applied to playing cards")
    if params.get("seal", "RED") not in SEAL_KEYS:
        raise bad_request("Invalid seal value. Expected: RED, BLUE, GOLD, or PURPLE")
    if "edition" in params and kind in ("voucher", "pack"):
        raise bad_request(f"Edition cannot be applied to {kind}s")
    if kind == "consumable" and params.get("edition", "NEGATIVE") != "NEGATIVE":
        raise bad_request("Consumables can only have NEGATIVE edition")
    if params.get("edition", "FOIL") not in EDITION_KEYS:
        raise bad_request("Invalid edition value. Expected: HOLO, FOIL, POLYCHROME, or NEGATIVE")
    if "enhancement" in params and kind != "playing_card":
        raise bad_request("Enhancement can only be applied to playing cards")
    if params.get("enhancement", "BONUS") not in ENHANCEMENT_KEYS:
        raise bad_request("Invalid enhancement value. Expected: BONUS, MULT, WILD, GLASS, STEEL, STONE, GOLD, or LUCKY")
    for sticker in ("eternal", "perishable", "rental"):
        if params.get(sticker) and kind != "joker":
            raise bad_request(f"{sticker.capitalize()} can only be applied to jokers")
        if sticker == "perishable" and params.get(sticker, 1) < 1:
            raise bad_request("Perishable must be a positive integer (>= 1)")


def _edition(params: Params) -> str:
    return EDITION_KEYS[params["edition"]] if "edition" in params else "e_base"


def _add_joker(run: Run, key: str, params: Params) -> None:
    rounds = {"rounds": params["perishable"]} if "perishable" in params else {}
    stickers = (params.get("eternal", False), bool(rounds), params.get("rental", False))
    run.debug_add_joker(key, _edition(params), *stickers, **rounds)


def _add_card(run: Run, key: str, params: Params) -> None:
    enhancement, seal = params.get("enhancement"), params.get("seal")
    run.debug_add_card(
        key,
        ENHANCEMENT_KEYS[enhancement] if enhancement else None,
        _edition(params),
        SEAL_KEYS[seal] if seal else None,
    )


_ADDING: Mapping[str, Callable[[Run, str, Params], None]] = {
    "joker": _add_joker,
    "consumable": lambda run, key, params: run.debug_add_consumable(key, _edition(params)),
    "voucher": lambda run, key, params: run.debug_show(key),
    "pack": lambda run, key, params: run.debug_show(key),
    "playing_card": _add_card,
}


# --- set --------------------------------------------------------------------------------------------------------------


def set_values(table: GameTable, params: Params) -> None:
    """Set values in this order; what was set stays set when a later value is refused, as in the game."""
    if table.run is None:
        raise invalid_state("Can only set during an active run")
    if not params:
        raise bad_request("Must provide at least one field to set")
    try:
        for name, setter in _SETTERS.items():
            if name in params:
                _set(table.run, name, params[name], setter)
        if params.get("shop"):
            _restock(table)
    finally:
        table.changed()


def _set(run: Run, name: str, value: int, setter: Callable[[Run, int], None]) -> None:
    if value < 0:
        raise bad_request(f"{name.capitalize()} must be a positive integer")
    try:
        setter(run, value)
    except (ValueError, OverflowError, TypeError):
        raise internal_error(f"{name.capitalize()} is more than the simulator can hold") from None


def _restock(table: GameTable) -> None:
    if table.state != "SHOP":
        raise not_allowed("Can re-stock shop only in SHOP state")
    table.playing.debug_restock()
    table.memory.forget_goods()


_SETTERS: Mapping[str, Callable[[Run, int], None]] = {
    "money": lambda run, value: setattr(run, "dollars", value),
    "chips": lambda run, value: setattr(run, "chips", value),
    "ante": Run.debug_set_ante,
    "round": Run.debug_set_round,
    "hands": lambda run, value: setattr(run, "hands_left", value),
    "discards": lambda run, value: setattr(run, "discards_left", value),
}
