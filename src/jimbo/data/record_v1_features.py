"""Hand and shop features of an older project (feature_v2), for programs that read them: jokers and levels are not told.

What networks of this package see is an observation, which tells everything (docs/observation.md).
"""

from __future__ import annotations

from typing import Any

from jimbo.data.record_v1_actions import MAX_HAND
from jimbo.engine import Phase, PublicCard, PublicState
from jimbo.files import finite

PHASE_NAMES = {
    Phase.blind_select: "BLIND_SELECT",
    Phase.selecting_hand: "SELECTING_HAND",
    Phase.round_eval: "ROUND_EVAL",
    Phase.shop: "SHOP",
    Phase.pack_opening: "SMODS_BOOSTER_OPENED",
    Phase.game_over: "GAME_OVER",
}
CONTEXT = (
    "hands_left",
    "discards_left",
    "round_chips",
    "money",
    "reroll_cost",
    "small_blind_score",
    "big_blind_score",
    "boss_blind_score",
    "jokers_count",
    "consumables_count",
    "ante_num",
    "round_num",
)
"""The names of the numbers in ``context``."""
_RANKS = {name: rank for rank, name in enumerate(("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"), 2)}
_RANK_CHIPS = {rank: 11 if rank == 14 else min(rank, 10) for rank in _RANKS.values()}
_SUITS = {"C": 1, "D": 2, "H": 3, "S": 4}
_MORE_CHIPS = {"m_bonus": 30, "m_stone": 50, "e_foil": 50}
_LARGEST = 1e300
"""In place of larger scores."""

Json = dict[str, Any]


def hand_features(state: PublicState) -> Json:
    """The first ``MAX_HAND`` cards of the hand, and twelve numbers, none of them scaled."""
    hand = state.hand[:MAX_HAND]
    values = _context(state)
    return {
        "phase": PHASE_NAMES[state.phase],
        "hand_size": len(hand),
        "card_rank_ids": _padded([_RANKS.get(card.rank or "", 0) for card in hand]),
        "card_suit_ids": _padded([_SUITS.get(card.suit or "", 0) for card in hand]),
        "card_chip_hint": _padded([_chips(card) for card in hand]),
        "card_has_enhancement": _padded([int(card.enhancement is not None) for card in hand]),
        "card_has_edition": _padded([int(card.edition is not None) for card in hand]),
        "card_has_seal": _padded([int(card.seal is not None) for card in hand]),
        "hand_pad_mask": _padded([1] * len(hand)),
        "context": list(values.values()),
        "context_values": values,
    }


def shop_features(state: PublicState) -> Json | None:
    """Sixteen numbers of a shop or an open pack; None elsewhere."""
    if state.phase not in ("shop", "pack_opening"):
        return None
    offers = len(state.shop), len(state.shop_vouchers), len(state.shop_boosters)
    choices = len(state.pack.cards) if state.pack else 0
    context = (
        int(state.phase == "shop"),
        int(state.phase == "pack_opening"),
        state.dollars / 100,
        state.reroll_price / 20,
        state.hands_left / 10,
        state.discards_left / 10,
        finite(state.chips, _LARGEST) / 1000,
        finite(state.blind.target, _LARGEST) / 5000,
        *offers,
        len(state.consumables),
        len(state.jokers),
        choices,
        int(state.dollars > 0),
        int(any(offers) or choices > 0),
    )
    return {"shop_context": list(context)}


def _context(state: PublicState) -> Json:
    numbers = (
        state.hands_left,
        state.discards_left,
        finite(state.chips, _LARGEST),
        state.dollars,
        state.reroll_price,
        *(finite(blind.target, _LARGEST) for blind in state.blinds),
        len(state.jokers),
        len(state.consumables),
        state.ante,
        state.round,
    )
    return dict(zip(CONTEXT, numbers, strict=True))


def _padded(values: list[int]) -> list[int]:
    return values + [0] * (MAX_HAND - len(values))


def _chips(card: PublicCard) -> int:
    """What the card itself scores; nothing while it is debuffed or lies face down."""
    if card.debuffed or card.face_down:
        return 0
    rank = _RANK_CHIPS.get(_RANKS.get(card.rank or "", 0), 0)
    return rank + card.bonus + _MORE_CHIPS.get(card.enhancement or "", 0) + _MORE_CHIPS.get(card.edition or "", 0)
