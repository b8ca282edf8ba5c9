"""Saves for tests: a run of the engine in the layout of the game without mods, and any table written as text."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Any

from jimbo.engine import PublicState, Run
from jimbo.engine.catalog import BLINDS, CONSUMABLES, EDITIONS, HANDS, SEALS, STAKES
from jimbo.text.cards import RANK_NAMES, SUIT_NAMES
from jimbo.wire.codec.write import open_state
from jimbo.wire.gamestate import blind_status

Json = dict[str, Any]
Key = str | int

STATES = {"blind_select": 7, "selecting_hand": 1, "round_eval": 8, "shop": 5, "game_over": 4}
PACKS = {"Arcana": 9, "Celestial": 10, "Spectral": 15, "Standard": 17, "Buffoon": 18}
OWN_COUNTS = {
    "mult": "j_ceremonial j_flash j_green_joker j_popcorn j_red_card j_ride_the_bus j_trousers",
    "chips": "j_castle j_ice_cream j_runner j_square j_wee",
    "dollars": "j_rocket",
    "h_size": "j_turtle_bean",
}


def packed(text: str) -> bytes:
    deflate = zlib.compressobj(wbits=-15)
    return deflate.compress(text.encode()) + deflate.flush()


def written(table: dict[Any, Any]) -> bytes:
    """A table as the game saves it."""
    return packed(f"return {literal(table)}")


def literal(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + "".join(f"[{literal(key)}]={literal(item)}," for key, item in value.items()) + "}"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\\n") + '"'
    return f"{value:.17g}"


def listed(items: Iterable[Any]) -> dict[Key, Any]:
    return dict(enumerate(items, 1))


def save_of(run: Run) -> dict[Any, Any]:
    data, seen = run.to_data(), open_state(run)
    own, memory = data["round"], data["memory"]
    return {
        "VERSION": "1.0.1o-FULL",
        "STATE": PACKS[pack_kind(seen)] if seen.pack else STATES[seen.phase],
        "BACK": {"key": data["deck"]},
        "BLIND": _blind(data),
        "tags": listed({"key": tag["key"], "ability": {"orbital_hand": tag["orbital_hand"]}} for tag in data["tags"]),
        "cardAreas": _areas(run, data, seen),
        "GAME": {
            "stake": list(STAKES).index(data["stake"]) + 1,
            "challenge": data["challenge"] or "",
            "dollars": data["economy"]["money"],
            "chips": data["score"]["chips"],
            "round": own["round_num"],
            "won": data["flags"]["won"],
            "win_ante": 8,
            "sort": "suit desc" if own["sorts_by_suit"] else "desc",
            "shop": {"joker_max": own["shop_slots"]},
            "inflation": data["economy"]["inflation"],
            "first_shop_buffoon": data["shop"]["first_booster_made"],
            "used_vouchers": dict.fromkeys(data["vouchers"], True),
            "hands_played": memory["hands_played"],
            "unused_discards": memory["unused_discards"],
            "skips": memory["skips"],
            "ecto_minus": memory["ectoplasms"] + 1,
            "pool_flags": {"gros_michel_extinct": True} if memory["gros_michel_extinct"] else {},
            "bosses_used": {key: memory["boss_uses"].get(key, 0) for key in BLINDS},
            "consumeable_usage": _usage(memory),
            **({"last_tarot_planet": memory["last_used"]} if memory["last_used"] else {}),
            **({"last_hand_played": data["score"]["last_hand"]} if data["score"]["last_any"] else {}),
            "last_blind": {"name": BLINDS[own["blind"]["key"]].name},
            "pack_choices": data["pack"]["picks_left"],
            "hands": {hand.hand: _hand(hand) for hand in seen.hands},
            "orbital_choices": {
                own["ante"]: {slot.capitalize(): tag["orbital_hand"] for slot, tag in own["skip_tags"].items()}
            },
            "round_resets": {
                "ante": own["ante"],
                "hands": own["hands_per_round"],
                "discards": own["discards_per_round"],
                "boss_rerolled": own["boss_rerolled"],
                "blind_choices": {"Small": "bl_small", "Big": "bl_big", "Boss": own["boss"]},
                "blind_tags": {slot.capitalize(): tag["key"] for slot, tag in own["skip_tags"].items()},
                "blind_states": {
                    slot.capitalize(): blind_status(seen, slot, ()).capitalize() for slot in ("small", "big", "boss")
                },
            },
            "current_round": {
                **{name: own[name] for name in ("hands_left", "discards_left", "hands_played", "discards_used")},
                "reroll_cost": seen.reroll_price,
                "reroll_cost_increase": data["economy"]["reroll_increase"],
                "free_rerolls": data["economy"]["free_rerolls"],
                "most_played_poker_hand": own["most_played"],
                **({"voucher": own["voucher"]} if own["voucher"] else {}),
                **_targets(data["targets"]),
            },
            "pseudorandom": {"seed": data["rng"]["seed"], **data["rng"]["streams"]},
        },
    }


def pack_kind(seen: PublicState) -> str:
    assert seen.pack
    return next(kind for kind in PACKS if kind.lower() in str(seen.pack.key))


def _blind(data: Json) -> Json:
    blind = data["round"]["blind"]
    if not blind["active"]:
        return {"name": "", "config_blind": "", "in_blind": False, "chips": 0, "dollars": 0, "disabled": False}
    return {
        "name": BLINDS[blind["key"]].name,
        "config_blind": blind["key"],
        "in_blind": True,
        "chips": blind["target"],
        "dollars": blind["reward"],
        "disabled": blind["disabled"],
        "only_hand": blind["only_hand"] or False,
    }


def _hand(hand: Any) -> Json:
    names = ("level", "played", "played_this_round", "chips", "mult")
    return {name: getattr(hand, name) for name in names}


def _usage(memory: Json) -> Json:
    used = {key: {"count": 1} for key in memory["used_planets"]}
    if memory["tarots_used"]:
        used["c_fool"] = {"count": memory["tarots_used"]}
    return used


def _targets(targets: Json) -> Json:
    def rank(letter: str) -> str:
        return RANK_NAMES.get(letter, letter)

    return {
        "idol_card": {"rank": rank(targets["idol_rank"]), "suit": SUIT_NAMES[targets["idol_suit"]]},
        "mail_card": {"rank": rank(targets["mail_rank"])},
        "ancient_card": {"suit": SUIT_NAMES[targets["ancient_suit"]]},
        "castle_card": {"suit": SUIT_NAMES[targets["castle_suit"]]},
    }


# --- Areas ------------------------------------------------------------------------------------------------------------


def _areas(run: Run, data: Json, seen: PublicState) -> Json:
    jokers = zip(data["jokers"], seen.jokers, strict=True)
    consumables = zip(data["consumables"], seen.consumables, strict=True)
    areas = {
        "deck": _area([_playing(card, back=True) for card in data["zones"]["deck"]], 52),
        "hand": _area([_playing(card) for card in data["zones"]["hand"]], seen.hand_limit),
        "discard": _area([_playing(card) for card in data["zones"]["discard"]], 500),
        "play": _area([], 5),
        "jokers": _area([_joker(own, shown.sell_value) for own, shown in jokers], seen.joker_room + len(seen.jokers)),
        "consumeables": _area(
            [
                _item(own["key"], own["edition"], sell=shown.sell_value, extra_value=own["sell_bonus"])
                for own, shown in consumables
            ],
            seen.consumable_room + len(seen.consumables),
        ),
    }
    if seen.phase == "shop" or (seen.pack and seen.pack.opened_from == "shop"):
        cards = zip((entry["offer"] for entry in data["shop"]["cards"]), seen.shop, strict=True)
        areas |= {
            "shop_jokers": _area([_offer(own, shown.price) for own, shown in cards], data["round"]["shop_slots"]),
            "shop_vouchers": _area([_item(str(item.key), price=item.price) for item in seen.shop_vouchers], 1),
            "shop_booster": _area([_item(str(item.key), price=item.price) for item in seen.shop_boosters], 2),
        }
    if seen.pack:
        areas["pack_cards"] = _area([_offer(own, 0) for own in data["pack"]["cards"]], 5)
    return areas


def _area(cards: list[Json], limit: int) -> Json:
    return {"cards": listed(cards), "config": {"card_limit": limit}}


def _edition(key: str | None) -> Json:
    if key in (None, "e_base"):
        return {}
    assert key in EDITIONS
    word = key.removeprefix("e_")
    return {"edition": {word: True, "type": word}}


def _playing(card: Json, *, back: bool = False) -> Json:
    marks = {mark.split("_")[0]: mark for mark in card["modifier"]}
    state, created = card["state"], "DCHS".index(card.get("created_suit") or card["key"][0]) + 1
    seal = {"seal": SEALS[marks["seal"]].name.removesuffix(" Seal")} if "seal" in marks else {}
    return {
        "playing_card": card["uid"],
        "save_fields": {"center": marks.get("m", "c_base"), "card": card["key"]},
        "base": {"suit_nominal_original": created / 100, "times_played": int("worn" in state)},
        "ability": {
            "set": "Default",
            "perma_bonus": card.get("bonus", 0),
            **{name: True for name in ("played_this_ante",) if name in state},
            **({"forced_selection": True} if "forced" in state else {}),
        },
        "debuff": "debuffed" in state,
        "facing": "back" if back or "face_down" in state else "front",
        **seal,
        **_edition(marks.get("e")),
    }


def _joker(joker: Json, sell: int) -> Json:
    key = joker["joker_id"]
    ability: Json = {name: True for name in ("eternal", "perishable", "rental") if joker[name]}
    ability |= {"set": "Joker", "extra_value": joker["sell_bonus"], "x_mult": joker["x_mult"], "extra": {}}
    if joker["perishable"]:
        ability["perish_tally"] = joker["perish_left"]
    for name, keys in OWN_COUNTS.items():
        if key in keys.split():
            (ability if name == "mult" else ability["extra"])[name] = joker["count"]
    ability |= {
        "j_selzer": {"extra": joker["count"]},
        "j_invisible": {"invis_rounds": joker["count"]},
        "j_yorick": {"yorick_discards": joker["count"]},
        "j_loyalty_card": {"hands_played_at_create": joker["count"]},
        "j_caino": {"caino_xmult": joker["x_mult"], "x_mult": 1},
        "j_todo_list": {"to_do_poker_hand": list(HANDS)[joker["count"] % len(HANDS)], "type": ""},
    }.get(key, {})
    return {
        "save_fields": {"center": key},
        "label": key,
        "ability": ability,
        "debuff": joker["disabled"],
        "facing": "back" if joker["face_down"] else "front",
        "sell_cost": sell,
        "cost": 0,
        **({"pinned": True} if joker["pinned"] else {}),
        **_edition(joker["edition"]),
    }


def _item(key: str, edition: str | None = None, *, price: int = 0, sell: int = 0, extra_value: int = 0) -> Json:
    kind = CONSUMABLES[key].kind if key in CONSUMABLES else "Joker" if key.startswith("j_") else "Other"
    return {
        "save_fields": {"center": key},
        "label": key,
        "ability": {"set": kind, "extra_value": extra_value},
        "facing": "front",
        "debuff": False,
        "cost": price,
        "sell_cost": sell,
        **_edition(edition),
    }


def _offer(offer: Json, price: int) -> Json:
    if offer["kind"] == "playing_card":
        return _playing(offer["card"]) | {"cost": price}
    card = _item(offer[offer["kind"]], offer["edition"], price=price)
    card["ability"] |= {name: True for name in ("eternal", "perishable", "rental") if offer[name]}
    return card
