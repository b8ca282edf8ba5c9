"""Bringing a run into the state that a trace records, so that one difference does not cause others.

What a trace does not record keeps the engine's value: distinct planets used, tarots used, how often each boss came up,
which cards were played in this ante, the suits that cards were created with, Loyalty Card's count, what a boss
remembers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from typing import Any

from conformance.trace_cards import EDITIONS, Tokens
from conformance.trace_compare import IN_ROUND, comparable_stream
from conformance.trace_format import State
from conformance.trace_view import COUNT_NAMES, NAN, PERISH_ROUNDS, X_MULT_NAMES, fresh_joker
from jimbo.engine import Run
from jimbo.engine.catalog import BOOSTERS
from jimbo.text.cards import RANK_NAMES, SUIT_NAMES

Json = dict[str, Any]

SHORT_RANKS = {long: short for short, long in RANK_NAMES.items()}
SHORT_SUITS = {long: short for short, long in SUIT_NAMES.items()}
PAYOUT = ("blind", "hands", "discards", "jokers", "interest")
REROLL_PRICE = 5


def resynchronise(
    state: Json, found: Json, recorded: State, tokens: Tokens, *, created: int, forgotten: Collection[str]
) -> Run:
    """The run that ``recorded`` describes, made from the engine's ``state`` and the view ``found`` of it.

    Ids from ``created`` on are new in this step. Raises ValueError where the engine cannot hold such a state.
    """
    state["memory"]["next_id"] = _next_id(state, recorded, tokens, created)
    state["phase"] = recorded["phase"]
    state["flags"] = {"won": recorded["won"], "end": "lost" if recorded["phase"] == "game_over" else "none"}
    state["zones"] = _zones(state["zones"], recorded, tokens)
    _items(state, found, recorded)
    _round(state, recorded)
    _shop(state, found, recorded, tokens)
    _pack(state["pack"], found, recorded, tokens)
    _economy(state, recorded)
    _memory(state, recorded)
    _streams(state["rng"]["streams"], recorded, forgotten)
    return Run.from_json(json.dumps(state))


def take_hand_order(state: Json, recorded: State, tokens: Tokens) -> Run:
    """Puts the hand into the recorded order; cards that are not there stay at the end.

    The model sorts by rank again when cards are drawn, whatever was chosen.
    """
    state["round"]["sorts_by_suit"] = False
    order = {token: place for place, token in enumerate(recorded["hand"])}
    state["zones"]["hand"].sort(key=lambda card: order.get(tokens.write(card), len(order)))
    return Run.from_json(json.dumps(state))


# --- Ids --------------------------------------------------------------------------------------------------------------


def _next_id(state: Json, recorded: State, tokens: Tokens, created: int) -> int:
    """The engine's counter, less what only the engine has created in this step, and more what only the trace has."""
    zones = state["zones"]
    ours = [item["uid"] for item in (*state["jokers"], *state["consumables"], *zones["hand"], *zones["deck"])]
    theirs: list[int] = [item["id"] for item in (*recorded["jokers"], *recorded["cons"])]
    theirs += [tokens.read(token)["uid"] for token in (*recorded["hand"], *recorded["deck"])]
    more: int = sum(uid >= created for uid in theirs) - sum(uid >= created for uid in ours)
    return max([int(state["memory"]["next_id"]) + more, *(uid + 1 for uid in theirs)])


# --- Cards ------------------------------------------------------------------------------------------------------------


def _zones(zones: Json, recorded: State, tokens: Tokens) -> Json:
    """The cards of the discard pile are not recorded, only their number: it has those that are nowhere else."""
    ours = [card for zone in ("discard", "played", "hand", "deck") for card in zones[zone]]
    known = {card["uid"]: card for card in ours}
    hand, deck = ([tokens.read(token) for token in recorded[zone]] for zone in ("hand", "deck"))
    for card in (*hand, *deck):
        if before := known.get(card["uid"]):
            card["state"] += [name for name in ("played_this_ante",) if name in before["state"]]
            card["created_suit"] = before.get("created_suit", before["suit"])
    elsewhere = {card["uid"] for card in (*hand, *deck)}
    discard = [card for card in ours if card["uid"] not in elsewhere][: recorded["discard_n"]]
    return {"hand": hand, "deck": deck, "played": [], "discard": discard}


# --- Jokers and consumables -------------------------------------------------------------------------------------------


def _items(state: Json, found: Json, recorded: State) -> None:
    ours = {joker["uid"]: joker for joker in state["jokers"]}
    state["jokers"] = [_joker(ours.get(joker["id"]), joker) for joker in recorded["jokers"]]
    bonuses = {
        item["uid"]: item["sell_bonus"] - shown["sell"]
        for item, shown in zip(state["consumables"], found["cons"], strict=True)
    }
    state["consumables"] = [_consumable(item, bonuses.get(item["id"], -item["sell"])) for item in recorded["cons"]]
    for area, slots, items in (("joker", "joker_slots", "jokers"), ("consumable", "cons_slots", "cons")):
        negatives = sum(item.get("ed") == "neg" for item in recorded[items])
        state["round"][f"{area}_slots"] = recorded[slots] - negatives


def _joker(ours: Json | None, recorded: Json) -> Json:
    fresh = fresh_joker(recorded["k"])
    joker = dict(ours if ours and ours["joker_id"] == recorded["k"] else fresh)
    joker |= {"uid": recorded["id"], "edition": _edition(recorded)} | _stickers(recorded)
    numbers = recorded.get("ab", {})
    joker["perish_left"] = numbers.get("perish_tally", PERISH_ROUNDS)
    joker["sell_bonus"] = numbers.get("extra_value", 0)
    joker["x_mult"] = numbers.get(X_MULT_NAMES.get(recorded["k"], "x_mult"), fresh["x_mult"])
    if recorded["k"] in COUNT_NAMES:
        joker["count"] = numbers.get(COUNT_NAMES[recorded["k"]], fresh["count"])
    joker["face_down"] = "fd" in recorded
    joker["disabled"] = "db" in recorded
    perished = joker["perishable"] and joker["perish_left"] == 0
    joker["debuffed_by_blind"] = joker["disabled"] and not perished
    return joker


def _consumable(recorded: Json, bonus: int) -> Json:
    """``bonus`` is what its sell value must be raised by to get the dollars that were added to it."""
    bonus = max(0, recorded["sell"] + bonus)
    return {"key": recorded["k"], "uid": recorded["id"], "edition": _edition(recorded), "sell_bonus": bonus}


def _edition(recorded: Json) -> str:
    return EDITIONS[recorded["ed"]] if "ed" in recorded else "e_base"


def _stickers(recorded: Json) -> Json:
    signs = re.sub(r"\d", "", recorded.get("st", ""))
    return {name: sign in signs for name, sign in (("eternal", "E"), ("perishable", "P"), ("rental", "R"))}


# --- Round and money --------------------------------------------------------------------------------------------------


def _round(state: Json, recorded: State) -> None:
    now = state["round"]
    started = recorded["phase"] in ("selecting_hand", "game_over")
    now |= {"ante": recorded["ante"], "on_deck": recorded["on_deck"].lower(), "round_num": recorded["round"] + started}
    now["hands_per_round"], now["discards_per_round"] = recorded["per_round"]
    now |= {name: recorded[name] for name in ("hand_size", "hands_played", "discards_used")}
    if comparable_stream("boss", recorded):  # else the next ante is not drawn yet
        now |= {"boss": recorded["choices"]["Boss"], "voucher": recorded["next_voucher"]}
        for slot, tag in zip(("small", "big"), recorded["choices"]["tags"], strict=True):
            now["skip_tags"][slot]["key"] = tag
    if recorded["phase"] in IN_ROUND:
        now |= {"hands_left": recorded["hands"], "discards_left": recorded["discards"]}
        state["score"]["chips"] = recorded["chips"]
    now["blind"] |= (recorded["blind"] or {}) | {"active": recorded["phase"] == "selecting_hand"}
    if last := recorded["last"]:
        names = {"hand": "hand", "chips": "chips", "mult": "mult", "total": "score", "blocked": "blocked"}
        state["score"] |= {"last_any": True} | {f"last_{ours}": last[theirs] for theirs, ours in names.items()}


def _economy(state: Json, recorded: State) -> None:
    economy = state["economy"]
    economy |= {"money": recorded["dollars"], "free_rerolls": recorded["free_rerolls"]}
    if recorded["free_rerolls"] == 0:  # else the price says nothing
        cheaper = 2 * sum(voucher in recorded["vouchers"] for voucher in ("v_reroll_surplus", "v_reroll_glut"))
        base = 0 if economy["rerolls_start_free"] else REROLL_PRICE - cheaper
        economy["reroll_increase"] = max(0, recorded["reroll"] - base)
    if sheet := recorded["earn"]:
        lines = {name: sheet[name] for name in PAYOUT}
        economy["payout"] = lines | {"tags": sheet["total"] - sum(lines.values())}


# --- Shop and packs ---------------------------------------------------------------------------------------------------


def _shop(state: Json, found: Json, recorded: State, tokens: Tokens) -> None:
    shop = state["shop"]
    if found["shop"] != recorded["shop"]:
        offers = _offers([card["offer"] for card in shop["cards"]], recorded["shop"], tokens)
        free = [card["cost"] == 0 for card in recorded["shop"]]
        shop["cards"] = [{"offer": offer, "free": costless} for offer, costless in zip(offers, free, strict=True)]
    if found["shop_vouchers"] != recorded["shop_vouchers"]:
        shop["vouchers"] = [
            {"key": item["k"], "free": item["cost"] == 0, "from_tag": item["k"] != recorded["next_voucher"]}
            for item in recorded["shop_vouchers"]
        ]
    if found["boosters"] != recorded["boosters"]:
        shop["boosters"] = [{"key": item["k"], "free": item["cost"] == 0} for item in recorded["boosters"]]


def _pack(pack: Json, found: Json, recorded: State, tokens: Tokens) -> None:
    opened = recorded["pack"]
    if opened == found["pack"]:
        return
    if opened is None:
        pack |= {"picks_left": 0, "cards": []}
        return
    if found["pack"] is None:
        in_shop = recorded["shop"] or recorded["shop_vouchers"] or recorded["boosters"]
        pack["opened_from"] = "shop" if in_shop else "blind_select"
    cards = _offers(pack["cards"], opened["cards"], tokens)
    pack |= {"key": _booster(pack["key"], opened), "picks_left": opened["left"], "cards": cards}


def _booster(ours: str, opened: Json) -> str:
    """Its size makes no difference once it is open, so the biggest of the kind will do."""
    if BOOSTERS[ours].kind == opened["type"]:
        return ours
    packs = [booster for booster in BOOSTERS.values() if booster.kind == opened["type"]]
    return max(packs, key=lambda booster: (booster.cards, booster.picks)).key


def _offers(ours: Sequence[Json], recorded: Sequence[Json], tokens: Tokens) -> list[Json]:
    """Ids are recorded of playing cards only: the others keep that of the same card, or of the one in their place."""
    offers = [_offer(card, tokens) for card in recorded]
    ids = {offer[offer["kind"]]: offer["uid"] for offer in ours if offer["kind"] != "playing_card"}
    for place, offer in enumerate(offers):
        if offer["kind"] != "playing_card":
            in_place = ours[place]["uid"] if len(ours) == len(offers) else 0
            offer["uid"] = ids.get(offer[offer["kind"]], in_place)
    return offers


def _offer(recorded: Json, tokens: Tokens) -> Json:
    key = recorded.get("k", "")
    kind = "playing_card" if "c" in recorded else "joker" if key.startswith("j_") else "consumable"
    card = tokens.read(recorded["c"]) if kind == "playing_card" else {"key": "S_A", "uid": 0}
    return {
        "kind": kind,
        "joker": key if kind == "joker" else "j_joker",
        "consumable": key if kind == "consumable" else "c_fool",
        "edition": _edition(recorded),
        "card": card,
        "uid": card["uid"],
    } | _stickers(recorded)


# --- What the run remembers -------------------------------------------------------------------------------------------


def _memory(state: Json, recorded: State) -> None:
    hands = {tag["key"]: tag["orbital_hand"] for tag in state["tags"]}
    if [tag["key"] for tag in state["tags"]] != recorded["tags"]:
        state["tags"] = [{"key": tag, "orbital_hand": hands.get(tag, "High Card")} for tag in recorded["tags"]]
    state["vouchers"] = recorded["vouchers"]
    for hand, (level, played, this_round) in recorded["levels"].items():
        state["hands"][hand] = {"level": level, "played": played, "played_this_round": this_round}
    targets = recorded["targets"]
    idol_rank, idol_suit = targets["idol"]
    state["targets"] |= {"idol_rank": _rank(idol_rank), "idol_suit": SHORT_SUITS[idol_suit]}
    state["targets"] |= {"mail_rank": _rank(targets["mail"])}
    state["targets"] |= {f"{name}_suit": SHORT_SUITS[targets[name]] for name in ("ancient", "castle")}
    state["memory"] |= {
        "skips": recorded["skips"],
        "hands_played": recorded["run_hands"],
        "unused_discards": recorded["unused_discards"],
        "last_used": recorded["last_tp"],
    }


def _rank(rank: str) -> str:
    return SHORT_RANKS.get(rank, rank)


def _streams(ours: Json, recorded: State, forgotten: Collection[str]) -> None:
    for key in [key for key in ours if comparable_stream(key, recorded) and key not in recorded["rng"]]:
        del ours[key]
    for key, stream in recorded["rng"].items():
        if comparable_stream(key, recorded) and key not in forgotten:
            ours[key] = stream if stream == stream else NAN
