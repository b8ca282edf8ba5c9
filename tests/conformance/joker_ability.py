"""What the game keeps on a joker (its "ability"), as the mod that recorded a run shows it.

Constants are written as they are; a live number is looked up in the run, so that no rule is written twice. A tuple
holds several things that the field of this name can mean.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from jimbo.engine import PublicJoker, PublicState
from jimbo.text.cards import full_deck
from jimbo.text.spellings import fold

Live = Callable[["Ability"], Any]
Json = dict[str, Any]


def _count(ability: Ability) -> int:
    return ability.joker.count


def _x_mult(ability: Ability) -> float:
    return ability.joker.x_mult


def _shown(ability: Ability) -> float:
    return ability.number or 0.0


def _hand(ability: Ability) -> str:
    return next((part.hand for part in ability.joker.shown if part.hand), "")


def _enhanced(key: str) -> Live:
    return lambda ability: sum(card.enhancement == key for card in full_deck(ability.run))


RESTING: Mapping[str, Any] = {
    "mult": 0,
    "x_mult": 1,
    "chips": 0,
    "t_mult": 0,
    "t_chips": 0,
    "h_mult": 0,
    "h_x_mult": 0,
    "h_dollars": 0,
    "p_dollars": 0,
    "h_size": 0,
    "d_size": 0,
    "bonus": 0,
    "perma_bonus": 0,
    "type": "",
}
"""What a joker has of each kind when its own row says nothing."""


def _suit(suit: str) -> Json:
    return {"extra": {"s_mult": 3, "suit": suit}}


def _contains(hand: str, **numbers: int) -> Json:
    return {**numbers, "type": hand}


def _chips(step: int) -> Json:
    return {"extra": {"chips": _count, "chip_mod": step}}


def _grows(step: float) -> Json:
    return {"x_mult": _x_mult, "extra": step}


def _extra(value: float, keys: str) -> Json:
    return {key: {"extra": value} for key in keys.split()}


ABILITIES: Mapping[str, Json] = {
    # A number or two that never change.
    "j_joker": {"mult": 4},
    "j_greedy_joker": _suit("Diamonds"),
    "j_lusty_joker": _suit("Hearts"),
    "j_wrathful_joker": _suit("Spades"),
    "j_gluttenous_joker": _suit("Clubs"),
    "j_jolly": _contains("Pair", t_mult=8),
    "j_zany": _contains("Three of a Kind", t_mult=12),
    "j_mad": _contains("Two Pair", t_mult=10),
    "j_crazy": _contains("Straight", t_mult=12),
    "j_droll": _contains("Flush", t_mult=10),
    "j_sly": _contains("Pair", t_chips=50),
    "j_wily": _contains("Three of a Kind", t_chips=100),
    "j_clever": _contains("Two Pair", t_chips=80),
    "j_devious": _contains("Straight", t_chips=100),
    "j_crafty": _contains("Flush", t_chips=80),
    "j_duo": _contains("Pair", x_mult=2),
    "j_trio": _contains("Three of a Kind", x_mult=3),
    "j_family": _contains("Four of a Kind", x_mult=4),
    "j_order": _contains("Straight", x_mult=3),
    "j_tribe": _contains("Flush", x_mult=2),
    "j_half": {"extra": {"mult": 20, "size": 3}},
    "j_mystic_summit": {"extra": {"mult": 15, "d_remaining": 0}},
    "j_misprint": {"extra": {"min": 0, "max": 23}},
    "j_gros_michel": {"extra": {"mult": 15, "odds": 6}},
    "j_cavendish": {"extra": {"Xmult": 3, "odds": 1000}},
    "j_bloodstone": {"extra": {"Xmult": 1.5, "odds": 2}},
    "j_card_sharp": {"extra": {"Xmult": 3}},
    "j_scholar": {"extra": {"mult": 4, "chips": 20}},
    "j_walkie_talkie": {"extra": {"mult": 4, "chips": 10}},
    "j_faceless": {"extra": {"dollars": 5, "faces": 3}},
    "j_reserved_parking": {"extra": {"dollars": 1, "odds": 2}},
    "j_seance": {"extra": {"poker_hand": "Straight Flush"}},
    "j_troubadour": {"extra": {"h_size": 2, "h_plays": -1}},
    "j_stuntman": {"extra": {"h_size": 2, "chip_mod": 250}},
    "j_bootstraps": {"extra": {"mult": 2, "dollars": 5}},
    "j_juggler": {"h_size": 1},
    "j_drunkard": {"d_size": 1},
    "j_merry_andy": {"d_size": 3, "h_size": -1},
    **_extra(1, "j_mime j_marble j_dusk j_chaos j_hack j_supernova j_gift j_to_the_moon j_fortune_teller"),
    **_extra(1, "j_sock_and_buskin j_rough_gem j_satellite"),
    **_extra(1.5, "j_baron j_baseball j_ancient"),
    **_extra(2, "j_delayed_grat j_business j_blue_joker j_riff_raff j_photograph j_hallucination j_bull"),
    **_extra(2, "j_hanging_chad j_idol j_seeing_double j_triboulet"),
    **_extra(3, "j_abstract j_burglar j_blackboard j_trading j_acrobat j_flower_pot j_egg"),
    **_extra(4, "j_8_ball j_even_steven j_space j_vagabond j_erosion j_golden j_ticket j_burnt"),
    **_extra(5, "j_hiker j_mail j_smiley"),
    **_extra(7, "j_onyx_agate"),
    **_extra(8, "j_fibonacci j_matador"),
    **_extra(13, "j_shoot_the_moon"),
    **_extra(20, "j_credit_card"),
    **_extra(30, "j_banner j_scary_face"),
    **_extra(31, "j_odd_todd"),
    **_extra(50, "j_arrowhead"),
    # What they have grown to, or what is left of them.
    "j_ceremonial": {"mult": _count},
    "j_ride_the_bus": {"mult": _count, "extra": 1},
    "j_green_joker": {"mult": _count, "extra": {"hand_add": 1, "discard_sub": 1}},
    "j_red_card": {"mult": _count, "extra": 3},
    "j_flash": {"mult": _count, "extra": 2},
    "j_trousers": {"mult": _count, "extra": 2},
    "j_popcorn": {"mult": _count, "extra": 4},
    "j_runner": _chips(15),
    "j_ice_cream": _chips(5),
    "j_square": _chips(4),
    "j_castle": _chips(3),
    "j_wee": _chips(8),
    "j_constellation": _grows(0.1),
    "j_vampire": _grows(0.1),
    "j_obelisk": _grows(0.2),
    "j_hologram": _grows(0.25),
    "j_lucky_cat": _grows(0.25),
    "j_campfire": _grows(0.25),
    "j_madness": _grows(0.5),
    "j_hit_the_road": _grows(0.5),
    "j_glass": _grows(0.75),
    "j_ramen": _grows(0.01),
    "j_caino": {"caino_xmult": _x_mult, "extra": 1},
    "j_yorick": {"x_mult": _x_mult, "yorick_discards": _count, "extra": {"xmult": 1, "discards": 23}},
    "j_rocket": {"extra": {"dollars": _count, "increase": 2}},
    "j_turtle_bean": {"extra": {"h_size": _count, "h_mod": 1}},
    "j_selzer": {"extra": _count},
    "j_invisible": {"invis_rounds": _count, "extra": 2},
    "j_loyalty_card": {
        "loyalty_remaining": _shown,
        "extra": {"Xmult": 4, "every": 5, "remaining": "5 remaining"},
    },
    # What they count again.
    "j_stencil": {"x_mult": _shown},
    "j_throwback": {"x_mult": _shown, "extra": 0.25},
    "j_swashbuckler": {"mult": _shown},
    "j_steel_joker": {"steel_tally": _enhanced("m_steel"), "extra": 0.2},
    "j_stone": {"stone_tally": _enhanced("m_stone"), "extra": 25},
    "j_cloud_9": {"nine_tally": _shown, "extra": 1},
    "j_drivers_license": {"driver_tally": _shown, "extra": 3},
    "j_todo_list": {"to_do_poker_hand": _hand, "extra": {"dollars": 4, "poker_hand": (_hand, "High Card")}},
}

GIVEN = ("chips", "mult", "x_mult")
"""What is shown under a joker stands in the field of the same name."""
ALSO_CALLED = {"chips": ("t_chips",), "mult": ("t_mult", "s_mult")}


class Ability:
    """The numbers of one joker at one moment. One on offer comes from a run that owns it; ``run`` does not yet."""

    def __init__(self, joker: PublicJoker, run: PublicState, *, on_offer: bool = False) -> None:
        self.joker, self.run = joker, run
        # Under a joker that copies stands another's name, and no number.
        shown = next((part for part in joker.shown if part.kind != "copies"), None)
        self.number: float | None = None
        """The first number under its text, 0 for a word; None where nothing stands there."""
        if shown:
            self.number = _without_itself(joker, shown.number) if on_offer else shown.number
        self._given = {str(shown.kind): self.number} if shown and shown.kind in GIVEN else {}
        row = _resolved(ABILITIES.get(str(joker.key), {}), self)
        self._extra = row.pop("extra", None)
        self._own = row

    def meanings(self, name: str) -> tuple[Any, ...]:
        """What a field of this name can mean, the likeliest first; empty for a name the game does not have.

        A recording may leave out the level between ``ability`` and ``extra``, write Xmult for x_mult, and give the
        number that the joker shows where the game keeps the parts of it.
        """
        if name == "extra":
            return () if self._extra is None else (self._extra,)
        inner = self._extra if isinstance(self._extra, dict) else {}
        if name in inner:
            return _several(inner[name])
        if name in self._own:
            return _several(self._own[name])
        wanted = {fold(spelling) for spelling in (name, *ALSO_CALLED.get(name, ()))}
        alike = [value for part in (inner, self._own) for other, value in part.items() if fold(other) in wanted]
        shown = [value for other, value in self._given.items() if fold(other) == fold(name)]
        resting = [value for other, value in RESTING.items() if fold(other) == fold(name)]
        return (*alike, *shown, *resting)


def _several(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def _without_itself(joker: PublicJoker, number: float) -> float:
    """What it shows before it is owned itself."""
    if joker.key == "j_abstract":
        return number - float(ABILITIES["j_abstract"]["extra"])
    if joker.key == "j_stencil" and joker.edition == "e_negative":
        return max(1.0, number - 1)
    return number


def _resolved(value: Any, ability: Ability) -> Any:
    """A row with its live numbers in their places."""
    if isinstance(value, dict):
        return {name: _resolved(part, ability) for name, part in value.items()}
    if isinstance(value, tuple):
        return tuple(_resolved(part, ability) for part in value)
    return value(ability) if callable(value) else value
