"""A gamestate laid over what is believed of a run: whatever the wire tells is taken over, the rest stays."""

from __future__ import annotations

import json
from collections.abc import Container, Mapping
from typing import Any

from jimbo.engine import LAST_ANTE, PublicState, Run
from jimbo.text.spellings import BLIND_WORDS, DECK_WORDS, STAKE_WORDS, TAG_WORDS, VOUCHER_WORDS, fold
from jimbo.wire.codec import marks
from jimbo.wire.codec.areas import (
    Pairing,
    Uids,
    lay_cards,
    lay_consumables,
    lay_jokers,
    lay_pack,
    lay_shop,
    see_targets,
)
from jimbo.wire.gamestate import SLOTS, STATES, Json, as_object, cards_of, limit_of

PHASES = {
    **{word: phase for phase, word in STATES.items()},
    # What the game itself calls open packs.
    **dict.fromkeys(("TAROT_PACK", "PLANET_PACK", "SPECTRAL_PACK", "STANDARD_PACK", "BUFFOON_PACK"), "pack_opening"),
}
_BETWEEN_ROUNDS = ("blind_select", "shop")
_ROUND = ("hands_left", "discards_left", "hands_played", "discards_used")


def deck_of(state: Mapping[str, Any]) -> str:
    return _key(DECK_WORDS, state.get("deck"), "deck")


def stake_of(state: Mapping[str, Any]) -> str:
    return _key(STAKE_WORDS, state.get("stake"), "stake")


def _key(words: Mapping[str, str], word: Any, kind: str) -> str:
    if (key := words.get(fold(word))) is None:
        raise ValueError(f'the {kind} "{word}" is unknown: it may come from another mod')
    return key


def laid_over(believed: Run, state: Mapping[str, Any], pairing: Pairing, seen: Container[int] | None = None) -> Run:
    """The believed run with all that the gamestate tells; ValueError for one that no run can look like.

    ``seen`` are the cards that are known to have been there; None for all that the engine believes in.
    """
    data = believed.to_data()
    uids = Uids(data["memory"]["next_id"])
    _set_run(data, state)
    _set_round(data, state)
    _set_blinds(data, state)
    lay_pack(data, state, uids)
    lay_jokers(data, state, pairing, uids)
    lay_consumables(data, state, pairing, uids)
    lay_shop(data, state, uids)
    lay_cards(data, state, pairing, uids, seen)
    _set_hands(data, state)
    see_targets(data, state)
    data["memory"]["next_id"] = uids.next
    return with_limits(Run.from_json(json.dumps(data)), state)


# --- Numbers ----------------------------------------------------------------------------------------------------------


def _set_run(data: Json, state: Mapping[str, Any]) -> None:
    phase = PHASES.get(str(state["state"]))
    if phase is None:
        raise ValueError(f"the game is in the state {state['state']}, in which nothing can be decided")
    over = phase == "game_over"
    data |= {"deck": deck_of(state), "stake": stake_of(state), "phase": phase}
    end = data["flags"]["end"]
    # The game raises the flag as soon as the last boss's round ends, even if it is lost.
    won = bool(state.get("won")) and (not over or int(state["ante_num"]) > LAST_ANTE or data["flags"]["won"])
    data["flags"] = {"end": ("lost" if end == "none" else end) if over else "none", "won": won}
    data["economy"]["money"] = int(state["money"])
    if isinstance(used := state.get("used_vouchers"), Mapping | list):
        keys = {VOUCHER_WORDS[fold(word)] for word in used if fold(word) in VOUCHER_WORDS}
        if keys != set(data["vouchers"]):
            data["vouchers"] = sorted(keys)
    if isinstance(tags := state.get("tags"), list):
        _set_tags(data, [as_object(tag) for tag in tags])


def _set_tags(data: Json, told: list[Json]) -> None:
    """Only version 2 tells which are held."""
    keys = [_key(TAG_WORDS, tag.get("key") or tag.get("name"), "tag") for tag in told]
    if keys != [tag["key"] for tag in data["tags"]]:
        data["tags"] = [{"key": key, "orbital_hand": "High Card"} for key in keys]


def _set_round(data: Json, state: Mapping[str, Any]) -> None:
    told, own, score = as_object(state.get("round")), data["round"], data["score"]
    for name in ("hands", "discards"):
        # Between rounds these are what the next one starts with.
        if f"{name}_left" in told and data["phase"] in _BETWEEN_ROUNDS:
            own[f"{name}_per_round"] += int(told[f"{name}_left"]) - own[f"{name}_left"]
    own |= {name: int(told[name]) for name in _ROUND if name in told}
    own |= {"ante": int(state["ante_num"]), "round_num": int(state["round_num"])}
    if "chips" in told:
        chips = _number(told["chips"], score["chips"])
        score["last_score"] = max(0.0, score["last_score"] + chips - score["chips"])
        score["chips"] = chips
    for name in ("mult", "target_chips", "last_hand_type", "last_base_chips", "last_base_mult"):
        data["score"].pop(name, None)


def _number(told: Any, believed: float) -> float:
    """The wire has 14 digits."""
    return believed if float(f"{believed:.14g}") == float(told) else float(told)


def _set_blinds(data: Json, state: Mapping[str, Any]) -> None:
    told = {slot: as_object(as_object(state.get("blinds")).get(slot)) for slot in SLOTS}
    if not all(told.values()):
        return
    own = data["round"]
    own["on_deck"] = _on_deck({slot: str(blind.get("status")) for slot, blind in told.items()})
    _set_boss(data, _blind_key(told["boss"]))
    for slot in ("small", "big"):
        tag = as_object(told[slot].get("tag"))
        key = _key(TAG_WORDS, tag.get("key") or tag.get("name") or told[slot].get("tag_name"), "tag")
        if own["skip_tags"][slot]["key"] != key:
            own["skip_tags"][slot] = {"key": key, "orbital_hand": "High Card"}
    if data["phase"] == "pack_opening" and not data["pack"]["picks_left"]:
        choosing = any(blind.get("status") == "SELECT" for blind in told.values())
        data["pack"]["opened_from"] = "blind_select" if choosing else "shop"
    _set_blind_in_play(data, told)


def _set_boss(data: Json, boss: str) -> None:
    """Which bosses have come decides which may come."""
    believed, uses = data["round"]["boss"], data["memory"]["boss_uses"]
    if boss == believed:
        return
    uses[believed] = uses.get(believed, 1) - 1
    uses[boss] = uses.get(boss, 0) + 1
    data["memory"]["boss_uses"] = {key: times for key, times in uses.items() if times > 0}
    data["round"]["boss"] = boss


def _on_deck(status: Mapping[str, str]) -> str:
    """All are done when the boss is beaten and the next ante's blinds are not up yet."""
    for wanted in (("SELECT", "CURRENT"), ("UPCOMING",)):
        for slot in SLOTS:
            if status[slot] in wanted:
                return slot
    return "small"


def _blind_key(blind: Json) -> str:
    return _key(BLIND_WORDS, blind.get("key") or blind.get("name"), "blind")


def _set_blind_in_play(data: Json, told: Mapping[str, Json]) -> None:
    own = data["round"]
    blind = own["blind"]
    blind["active"] = data["phase"] == "selecting_hand" or (data["phase"] == "game_over" and blind["active"])
    current = next((told[slot] for slot in SLOTS if told[slot].get("status") == "CURRENT"), None)
    if data["phase"] != "selecting_hand" or current is None:
        return
    key = _blind_key(current)
    if blind["key"] != key:
        blind |= {"key": key, "disabled": False, "triggered": False, "flip_next_draw": False, "taken": 0}
        blind["only_hand"] = None
    blind["target"] = _number(current.get("score", blind["target"]), blind["target"])


def _set_hands(data: Json, state: Mapping[str, Any]) -> None:
    told = as_object(state.get("hands"))
    for name, hand in data["hands"].items():
        there = as_object(told.get(name))
        hand |= {field: int(there[field]) for field in ("level", "played", "played_this_round") if field in there}
    most = as_object(state.get("round")).get("most_played_hand")
    if most in data["hands"]:
        data["round"]["most_played"] = most


# --- Numbers that follow from others ----------------------------------------------------------------------------------


def with_limits(run: Run, state: Mapping[str, Any]) -> Run:
    """Limits, prices and sell values are told as they come out; what makes them up is set until they do."""
    seen = run.public_state()
    data = run.to_data()
    before = json.dumps(data)
    own, economy = data["round"], data["economy"]
    if (limit := limit_of(state, "hand")) is not None:
        own["hand_size"] += limit - seen.hand_limit
    if (limit := limit_of(state, "jokers")) is not None:
        own["joker_slots"] += limit - (seen.joker_room + len(seen.jokers))
    if (limit := limit_of(state, "consumables")) is not None:
        own["consumable_slots"] += limit - (seen.consumable_room + len(seen.consumables))
    if (limit := limit_of(state, "shop")) is not None and seen.phase == "shop":
        own["shop_slots"] = limit
    cost = as_object(state.get("round")).get("reroll_cost")
    if isinstance(cost, int | float):
        _set_reroll(economy, int(cost), seen.reroll_price)
    _set_prices(data["shop"], state, seen)
    _set_sell_values(data, state, seen)
    after = json.dumps(data)
    return run if after == before else Run.from_json(after)


def _set_reroll(economy: Json, told: int, price: int) -> None:
    if told == price:
        return
    if told == 0:
        economy["free_rerolls"] = 1
    elif economy["free_rerolls"]:
        economy["free_rerolls"] = 0
    else:
        increase = economy["reroll_increase"] + told - price
        economy["reroll_increase"] = max(0, increase)
        economy["reroll_cut"] += max(0, -increase)


def _set_prices(shop: Json, state: Mapping[str, Any], seen: PublicState) -> None:
    prices = {
        "shop": [offer.price for offer in seen.shop],
        "vouchers": [offer.price for offer in seen.shop_vouchers],
        "packs": [offer.price for offer in seen.shop_boosters],
    }
    for area, name in (("shop", "cards"), ("vouchers", "vouchers"), ("packs", "boosters")):
        for entry, price, card in zip(shop[name], prices[area], cards_of(state, area), strict=False):
            told = marks.price(card)
            if told is not None and told != price:
                entry["free"] = told == 0


def _set_sell_values(data: Json, state: Mapping[str, Any], seen: PublicState) -> None:
    for name in ("jokers", "consumables"):
        for own, item, card in zip(data[name], getattr(seen, name), cards_of(state, name), strict=True):
            told = marks.sell_value(card)
            if told is not None and not own.get("face_down"):
                own["sell_bonus"] += told - item.sell_value
