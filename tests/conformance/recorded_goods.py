"""Consumables, vouchers and packs as a recording words them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from conformance.recorded_items import SKIP, Field, Item, always, common, edition_field, price_fields
from jimbo.engine import PublicState
from jimbo.engine.catalog import BOOSTERS, CONSUMABLES, VOUCHERS

EXTRAS: Mapping[str, Any] = {
    "c_high_priestess": {"planets": 2},
    "c_emperor": {"tarots": 2},
    "c_hermit": 20,
    "c_wheel_of_fortune": 4,
    "c_temperance": 50,
    "c_familiar": 3,
    "c_grim": 2,
    "c_incantation": 4,
    "c_talisman": "Gold",
    "c_deja_vu": "Red",
    "c_trance": "Blue",
    "c_medium": "Purple",
    "c_immolate": {"destroy": 5, "dollars": 20},
    "c_ankh": 2,
    "c_hex": 2,
    "c_cryptid": 2,
    "v_clearance_sale": 25,
    "v_liquidation": 50,
    "v_hone": 2,
    "v_glow_up": 4,
    "v_reroll_surplus": 2,
    "v_reroll_glut": 2,
    "v_crystal_ball": 3,
    "v_omen_globe": 4,
    "v_telescope": 3,
    "v_observatory": 1.5,
    "v_tarot_merchant": 2.4,
    "v_tarot_tycoon": 8,
    "v_planet_merchant": 2.4,
    "v_planet_tycoon": 8,
    "v_seed_money": 50,
    "v_money_tree": 100,
    "v_blank": 5,
    "v_antimatter": 15,
    "v_magic_trick": 4,
    "v_illusion": 4,
    "v_directors_cut": 10,
    "v_retcon": 10,
    **dict.fromkeys(("v_grabber", "v_nacho_tong", "v_wasteful", "v_recyclomancy"), 1),
    **dict.fromkeys(("v_hieroglyph", "v_petroglyph", "v_paint_brush", "v_palette"), 1),
}
"""The constant that the game keeps on each of these, used by it or not."""


CONVERSIONS: Mapping[str, Mapping[str, Any]] = {
    "mod_conv": {
        "c_magician": "m_lucky",
        "c_empress": "m_mult",
        "c_heirophant": "m_bonus",
        "c_lovers": "m_wild",
        "c_chariot": "m_steel",
        "c_justice": "m_glass",
        "c_devil": "m_gold",
        "c_tower": "m_stone",
        "c_strength": "up_rank",
        "c_death": "card",
    },
    "suit_conv": {"c_star": "Diamonds", "c_moon": "Clubs", "c_sun": "Hearts", "c_world": "Spades"},
    "remove_card": dict.fromkeys(("c_hanged_man", "c_familiar", "c_grim", "c_incantation", "c_immolate"), True),
    "extra_disp": {"v_tarot_merchant": 2, "v_tarot_tycoon": 4, "v_planet_merchant": 2, "v_planet_tycoon": 4},
}
"""More constants, by the name of the field."""


def _constants(key: str) -> Callable[[str], tuple[Any, ...]]:
    """``extra`` is a number, a word, or an object whose fields a recording may have without it."""
    own = {"x_mult": 1, **{name: values[key] for name, values in CONVERSIONS.items() if key in values}}
    if key in EXTRAS:
        own |= {"extra": EXTRAS[key], **(EXTRAS[key] if isinstance(EXTRAS[key], dict) else {})}
    return lambda name: (own[name],) if name in own else ()


def consumable_item(key: str, edition: str, run: PublicState, *, sell: int, price: int | None = None) -> Item:
    fact = CONSUMABLES[key]
    fields = {
        **common(key, fact.name, fact.kind.upper()),
        **price_fields(price, sell),
        **edition_field(edition),
        "max_highlighted": always(fact.max_targets),
        "min_highlighted": always(fact.min_targets),
        "softlock": always(fact.softlocked),
        "debuff": always(False),
    }
    if fact.hand:
        fields |= {
            "poker_hand": always(fact.hand),
            "hand_type": always(fact.hand),
            "effect": _level_text(fact.hand, run),
        }
    return Item(key, fields, _constants(key))


def _level_text(hand: str, run: PublicState) -> Field:
    """A Planet's text begins with the level of its hand: ``(lvl.2) Level up Pair``."""
    level = next(seen.level for seen in run.hands if seen.hand == hand)
    return lambda stated: (
        re.sub(r"\(lvl\.\d+\)", f"(lvl.{level})", stated) if isinstance(stated, str) and "(lvl." in stated else SKIP
    )


def voucher_item(key: str, price: int) -> Item:
    fields = {**common(key, VOUCHERS[key].name, "VOUCHER"), **price_fields(price, None)}
    return Item(key, fields, _constants(key))


def pack_item(key: str, price: int) -> Item:
    fact = BOOSTERS[key]
    fields = {
        **common(key, fact.name, "BOOSTER"),
        **price_fields(price, None),
        "extra": always(fact.cards),
        "choose": always(fact.picks),
        "x_mult": always(1),
    }
    return Item(key, fields)
