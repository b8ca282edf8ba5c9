"""A run of the engine as a trace states it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

from conformance.trace_cards import EDITION_WORDS, Tokens
from jimbo.engine import PublicBooster, PublicState, PublicVoucherOffer, Run
from jimbo.engine.catalog import BOOSTERS
from jimbo.text.cards import RANK_NAMES, SUIT_NAMES
from jimbo.wire.codec.write import open_state

Json = dict[str, Any]

PERISH_ROUNDS = 5
NAN = "nan"
"""How the engine's JSON writes a stream that has become NaN."""

COUNTS = {
    "mult": "j_ceremonial j_flash j_green_joker j_popcorn j_red_card j_ride_the_bus j_trousers",
    "extra.chips": "j_castle j_ice_cream j_runner j_square j_wee",
    "extra.dollars": "j_rocket",
    "extra.h_size": "j_turtle_bean",
    "extra": "j_selzer",
    "invis_rounds": "j_invisible",
    "yorick_discards": "j_yorick",
}
COUNT_NAMES = {joker: name for name, jokers in COUNTS.items() for joker in jokers.split()}
"""What a trace calls the engine's ``count`` of a joker; that of any other joker is not in a trace."""
X_MULT_NAMES = {"j_caino": "caino_xmult"}
"""What it calls ``x_mult`` where the name is another."""


def view(run: Run, state: Json, tokens: Tokens) -> Json:
    """All fields of a trace's state; ``state`` is the run's own JSON."""
    seen = open_state(run)
    return {
        "phase": state["phase"],
        **_round(state),
        **_economy(state, seen.reroll_price),
        **_cards(state["zones"], tokens),
        **_items(state, seen),
        **_shop(state, seen, run.pack_prices, tokens),
        **_memory(state),
        "last": _last_hand(state["score"]),
        "rng": _streams(state["rng"]["streams"]),
        "won": state["flags"]["won"],
    }


def _round(state: Json) -> Json:
    now = state["round"]
    return {
        "ante": now["ante"],
        "round": now["round_num"] - (state["phase"] in ("selecting_hand", "game_over")),
        "on_deck": now["on_deck"].capitalize(),
        "choices": {"Boss": now["boss"], "tags": [now["skip_tags"][slot]["key"] for slot in ("small", "big")]},
        "next_voucher": now["voucher"],
        "blind": {name: now["blind"][name] for name in ("key", "target", "reward", "disabled")}
        if now["round_num"]
        else None,
        "chips": state["score"]["chips"],
        "hands": now["hands_left"],
        "discards": now["discards_left"],
        "hands_played": now["hands_played"],
        "discards_used": now["discards_used"],
        "per_round": [now["hands_per_round"], now["discards_per_round"]],
        "hand_size": now["hand_size"],
    }


def _economy(state: Json, reroll_price: int) -> Json:
    economy = state["economy"]
    payout = economy["payout"]
    sheet = {name: payout[name] for name in ("blind", "hands", "discards", "jokers", "interest")}
    return {
        "dollars": economy["money"],
        "reroll": reroll_price,
        "free_rerolls": economy["free_rerolls"],
        "earn": sheet | {"total": sum(payout.values())},
    }


def _cards(zones: Json, tokens: Tokens) -> Json:
    return {
        "hand": [tokens.write(card) for card in zones["hand"]],
        "deck": [tokens.write(card) for card in zones["deck"]],
        "discard_n": len(zones["discard"]),
    }


def _streams(streams: Json) -> Json:
    return {key: float(NAN) if stream == NAN else stream for key, stream in streams.items()}


def _last_hand(score: Json) -> Json | None:
    if not score["last_any"]:
        return None
    return {
        "hand": score["last_hand"],
        "chips": score["last_chips"],
        "mult": score["last_mult"],
        "total": score["last_score"],
        "blocked": score["last_blocked"],
    }


# --- Jokers and consumables -------------------------------------------------------------------------------------------


def _items(state: Json, seen: PublicState) -> Json:
    jokers, consumables = state["jokers"], state["consumables"]
    sells = [item.sell_value for item in seen.consumables]
    return {
        "joker_slots": seen.joker_room + len(jokers),
        "cons_slots": seen.consumable_room + len(consumables),
        "jokers": [_joker(joker, shown.sell_value) for joker, shown in zip(jokers, seen.jokers, strict=True)],
        "cons": [
            {"k": item["key"], "id": item["uid"], "sell": sell} | _edition(item)
            for item, sell in zip(consumables, sells, strict=True)
        ],
        "prob": 2 ** sum(joker["joker_id"] == "j_oops" and not joker["disabled"] for joker in jokers),
    }


def _edition(item: Json) -> Json:
    return {"ed": EDITION_WORDS[item["edition"]]} if item["edition"] != "e_base" else {}


def _joker(joker: Json, sell: int) -> Json:
    found = {"k": joker["joker_id"], "id": joker["uid"], "sell": sell} | _edition(joker)
    if stickers := _stickers(joker, joker["perish_left"]):
        found["st"] = stickers
    if joker["disabled"]:
        found["db"] = 1
    if joker["face_down"]:
        found["fd"] = 1
    if numbers := _numbers(joker):
        found["ab"] = numbers
    return found


def _stickers(joker: Json, rounds: int) -> str:
    signs = (("eternal", "E"), ("perishable", f"P{rounds}"), ("rental", "R"))
    return "".join(sign for name, sign in signs if joker[name])


def _numbers(joker: Json) -> Json:
    """Those that are not what a fresh joker has."""
    key = joker["joker_id"]
    fresh = fresh_joker(key)
    numbers = {}
    if key in COUNT_NAMES and joker["count"] != fresh["count"]:
        numbers[COUNT_NAMES[key]] = joker["count"]
    if joker["x_mult"] != fresh["x_mult"]:
        numbers[X_MULT_NAMES.get(key, "x_mult")] = joker["x_mult"]
    if joker["sell_bonus"]:
        numbers["extra_value"] = joker["sell_bonus"]
    if joker["perishable"] and joker["perish_left"] != PERISH_ROUNDS:
        numbers["perish_tally"] = joker["perish_left"]
    return numbers


@cache
def fresh_joker(key: str) -> Json:
    run = Run()
    run.debug_add_joker(key)
    joker: Json = json.loads(run.to_json())["jokers"][0]
    return joker


# --- Shop and packs ---------------------------------------------------------------------------------------------------


def _shop(state: Json, seen: PublicState, pack_prices: Sequence[int], tokens: Tokens) -> Json:
    shop, pack = state["shop"], state["pack"]
    opened = {
        "type": BOOSTERS[pack["key"]].kind,
        "left": pack["picks_left"],
        "cards": _offers(pack["cards"], pack_prices, tokens),
    }
    return {
        "shop": _offers([card["offer"] for card in shop["cards"]], [offer.price for offer in seen.shop], tokens),
        "shop_vouchers": _priced(seen.shop_vouchers),
        "boosters": _priced(seen.shop_boosters),
        "pack": opened if state["phase"] == "pack_opening" else None,
    }


def _priced(items: Sequence[PublicVoucherOffer | PublicBooster]) -> list[Json]:
    return [{"k": item.key, "cost": item.price} for item in items]


def _offers(offers: Sequence[Json], prices: Sequence[int], tokens: Tokens) -> list[Json]:
    return [_offer(offer, tokens) | {"cost": price} for offer, price in zip(offers, prices, strict=True)]


def _offer(offer: Json, tokens: Tokens) -> Json:
    if offer["kind"] == "playing_card":
        return {"c": tokens.write(offer["card"])}
    found = {"k": offer[offer["kind"]]} | _edition(offer)
    if stickers := _stickers(offer, PERISH_ROUNDS):
        found["st"] = stickers
    return found


# --- What the run remembers -------------------------------------------------------------------------------------------


def _memory(state: Json) -> Json:
    memory, targets = state["memory"], state["targets"]
    return {
        "tags": [tag["key"] for tag in state["tags"]],
        "vouchers": sorted(state["vouchers"]),
        "targets": {
            "idol": [_rank(targets["idol_rank"]), SUIT_NAMES[targets["idol_suit"]]],
            "mail": _rank(targets["mail_rank"]),
            "ancient": SUIT_NAMES[targets["ancient_suit"]],
            "castle": SUIT_NAMES[targets["castle_suit"]],
        },
        "skips": memory["skips"],
        "run_hands": memory["hands_played"],
        "unused_discards": memory["unused_discards"],
        "last_tp": memory["last_used"],
        "levels": {
            hand: [stats["level"], stats["played"], stats["played_this_round"]]
            for hand, stats in state["hands"].items()
        },
    }


def _rank(rank: str) -> str:
    return RANK_NAMES.get(rank, rank)
