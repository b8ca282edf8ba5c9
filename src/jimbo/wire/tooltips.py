"""The texts of cards, tags and blinds as the mod sends them: ``tooltips.toml`` with numbers of the run filled in."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

from jimbo.engine import PublicJoker, PublicShown, PublicState, ShownKind
from jimbo.engine.catalog import CONSUMABLES, HANDS
from jimbo.text.cards import RANK_NAMES, SUIT_NAMES


@cache
def texts(kind: str) -> Mapping[str, str]:
    """Of jokers, consumables, vouchers, packs, tags, blinds or cards, by key."""
    parsed = tomllib.loads(files("jimbo.wire").joinpath("tooltips.toml").read_text(encoding="utf-8"))
    found: Mapping[str, str] = parsed[kind]
    return found


def number(value: float) -> str:
    """As Lua writes it: 14 digits and no needless zero."""
    return f"{value:.14g}"


_SUIT_WORDS = {letter: name[:-1] for letter, name in SUIT_NAMES.items()}


def joker_text(joker: PublicJoker, odds: int, deck_size: int, *, on_offer: bool = False) -> str:
    """One on offer is given as if it were owned, which some of them count."""
    values: dict[str, object] = {"odds": odds, "deck_size": deck_size}
    for part in joker.shown:
        values.update(_shown(part))
    if on_offer and joker.key == "j_abstract":
        values["mult"] = number(joker.shown[0].number - 3)
    elif on_offer and joker.key == "j_stencil" and joker.edition == "e_negative":
        values["x_mult"] = number(max(1.0, joker.shown[0].number - 1))
    return texts("jokers")[str(joker.key)].format_map(values)


def _shown(part: PublicShown) -> Iterator[tuple[str, object]]:
    """The value of a part under the name of its kind; a card is a rank and a suit."""
    if part.kind == ShownKind.hands_to_go:
        yield str(part.kind), f"{number(part.number)} remaining" if part.number else "Active!"
    elif part.kind == ShownKind.poker_hand:
        yield str(part.kind), part.hand
    else:
        yield str(part.kind), number(part.number)
    if part.rank:
        yield "rank", RANK_NAMES.get(part.rank, part.rank)
    if part.suit:
        yield "suit", _SUIT_WORDS[part.suit]
        yield "suits", SUIT_NAMES[part.suit]


def consumable_text(key: str, state: PublicState, *, odds: int) -> str:
    fact = CONSUMABLES[key]
    if fact.hand is None:
        values = {"odds": odds, "hand_size": state.ectoplasms + 1, "dollars": _temperance(state)}
        return texts("consumables")[key].format_map(values)
    level = next(hand.level for hand in state.hands if hand.hand == fact.hand)
    hand = HANDS[fact.hand]
    return texts("consumables")["planet"].format(
        level=level, poker_hand=hand.name, mult=hand.mult_per_level, chips=hand.chips_per_level
    )


def _temperance(state: PublicState) -> int:
    return min(50, sum(joker.sell_value for joker in state.jokers))


def tag_text(key: str, state: PublicState) -> str:
    dollars = {"tag_skip": 5 * (state.skips + 1), "tag_handy": state.run_hands, "tag_garbage": state.unused_discards}
    return texts("tags")[key].format(dollars=dollars.get(key))
