"""The scopes of a comparison, in one table: which parts of two states must agree. Refusals must in all of them."""

from __future__ import annotations

from collections.abc import Mapping

from jimbo.parity.moment import Moment
from jimbo.parity.parts import PARTS
from jimbo.wire.gamestate import Json

_RESOURCES = "hands_left discards_left"
_SCORE = "chips chips_delta"
_OFFERS = "shop vouchers packs"
_OBSERVED = f"hand_count {_RESOURCES} {_SCORE}"
_DRAWN = f"draw_pile hand {_OFFERS} pack blinds"
"""Everything in which the random streams show."""

_TABLE = {
    "full": "everything joker_numbers card_bonuses",
    "hand_core": f"phase hand {_RESOURCES} ante round_num blind chips target money done won",
    "score_core": f"phase played {_RESOURCES} blind ante round_num chips target last_hand",
    "p0_hand_score_core": f"hand_sorted played_sorted {_RESOURCES} last_hand",
    "p0_hand_score_observed_core": _OBSERVED,
    "p1_hand_score_observed_core": _OBSERVED,
    "p2_hand_score_observed_core": _OBSERVED,
    "p2b_hand_score_observed_core": _OBSERVED,
    "p3_hand_score_observed_core": _OBSERVED,
    "p4_consumable": f"{_OBSERVED} hand_sorted levels consumables",
    "p5_modifier": f"hand_count hand_modified {_RESOURCES} consumables chips_delta",
    "p5_voucher_pack": f"hand_count {_RESOURCES} jokers consumables vouchers packs used_vouchers {_SCORE}",
    "p7_stateful": f"can_play can_discard jokers_disabled joker_numbers {_SCORE}",
    "p8_shop": f"{_OFFERS} used_voucher_count can_play can_discard ante blind_present {_SCORE}",
    "p8_rng": _DRAWN,
    "p9_episode": f"{_OFFERS} pack blinds {_DRAWN}",
    "p10_long_episode": f"stake {_OFFERS} pack {_DRAWN}",
    "p11_prob_econ": f"jokers money {_DRAWN}",
    "p14_real_action": f"{_RESOURCES} hand_count hand {_OFFERS} consumables jokers {_SCORE}",
    "zones_core": "draw_pile hand played",
    "zones_counts_core": f"draw_pile_count hand_size {_RESOURCES}",
    "economy_core": f"money reroll_cost {_OFFERS}",
    "rng_events_core": _DRAWN,
    "texts": "texts",
    "joker_marks": "jokers joker_marks",
}
SCOPES: Mapping[str, tuple[str, ...]] = {name: tuple(dict.fromkeys(parts.split())) for name, parts in _TABLE.items()}
"""The names of the parts of each."""


_SHORT = {name.split("_")[0]: name for name in SCOPES if name.endswith("_observed_core")}
"""P0 to P3 are phases of the same comparison."""


def scope_named(word: str) -> str:
    """A scope by its name or, for the phases from P0 to P3, by that; ValueError for one that is not there."""
    name = _SHORT.get(word.lower(), word.lower())
    if name not in SCOPES:
        raise ValueError(f'There is no scope "{word}". Choose one of: {", ".join(SCOPES)}.')
    return name


def project(moment: Moment, scope: str) -> Json:
    """What a scope compares; ValueError for one that is not there."""
    scope = scope_named(scope)
    return {"refused": moment.refused} | {name: PARTS[name](moment) for name in SCOPES[scope]}
