"""RecordV1 action ids, and the engine's actions they stand for.

Hand ids. There is one table for each hand size ``n`` from 1 to ``MAX_HAND``; an id is a place in it::

    PLAY of 1 card ... PLAY of 5 cards | DISCARD of 0 cards ... DISCARD of 5 cards
    within one number of cards: itertools.combinations(range(n), k), in that order

The cards are a bit mask: bit ``i`` is hand position ``i``. The same id means different cards for different hand sizes.
Tables have 3, 7, 15, 31, 63, 125, 239, 437, 763 and 1,275 ids. Discarding nothing has an id but is never allowed.

Shop ids. Ten fixed ids, always slot 0 and never with targets; see ``SHOP_ACTIONS``.

An id always comes back as itself. An engine action that has no id (a shop slot above 0, hand position 10, a consumable
with targets) gives ``None``.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import combinations
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from jimbo.engine import MAX_SELECTED, Action, PublicState, Run

__all__ = [
    "MAX_HAND",
    "SHOP_ACTIONS",
    "action_entries",
    "decode",
    "decode_shop",
    "encode",
    "encode_shop",
    "hand_action",
    "hand_action_id",
    "indices_to_mask",
    "legal_action_ids",
    "legal_action_mask",
    "legal_shop_action_ids",
    "mask_to_indices",
    "max_actions",
    "shop_action",
    "shop_action_id",
]

MAX_HAND = 10

HandActionType = Literal["PLAY", "DISCARD"]
ShopActionType = Literal["NEXT_ROUND", "REROLL", "BUY", "SELL", "PACK", "USE", "WAIT"]

_SHOP: tuple[tuple[ShopActionType, dict[str, int | bool], Action | None], ...] = (
    ("NEXT_ROUND", {}, Action("leave_shop")),
    ("REROLL", {}, Action("reroll")),
    ("BUY", {"card": 0}, Action("buy")),
    ("BUY", {"pack": 0}, Action("open_booster")),
    ("BUY", {"voucher": 0}, Action("redeem")),
    ("SELL", {"joker": 0}, Action("sell_joker")),
    ("PACK", {"card": 0}, Action("pick")),
    ("PACK", {"skip": True}, Action("skip_pack")),
    ("USE", {"consumable": 0}, Action("use")),
    ("WAIT", {}, None),
)
SHOP_ACTIONS = tuple((kind, params) for kind, params, _ in _SHOP)
"""The shop ids in order: type and parameters."""
_SHOP_IDS = {action: number for number, (_, _, action) in enumerate(_SHOP) if action is not None}

# --- Masks -----------------------------------------------------------------------------------------------------------


def indices_to_mask(indices: Iterable[int]) -> int:
    """Hand positions as bits.

    >>> indices_to_mask([0, 2])
    5
    """
    mask = 0
    for index in indices:
        if not 0 <= index < MAX_HAND:
            raise ValueError(f"hand position {index} has no id: positions go from 0 to {MAX_HAND - 1}")
        mask |= 1 << index
    return mask


def mask_to_indices(mask: int) -> list[int]:
    """Bits as hand positions, ascending."""
    if not 0 <= mask < 1 << MAX_HAND:
        raise ValueError(f"card mask {mask} has no id: masks go from 0 to {(1 << MAX_HAND) - 1}")
    return [index for index in range(MAX_HAND) if mask >> index & 1]


# --- Hand ids --------------------------------------------------------------------------------------------------------


@cache
def action_entries(hand_size: int) -> tuple[tuple[HandActionType, int], ...]:
    """The table of a hand size: (type, card mask) by id."""
    if not 1 <= hand_size <= MAX_HAND:
        raise ValueError(f"there is no table for a hand of {hand_size} cards: hand sizes go from 1 to {MAX_HAND}")
    max_cards = min(MAX_SELECTED, hand_size)
    counts: dict[HandActionType, range] = {"PLAY": range(1, max_cards + 1), "DISCARD": range(max_cards + 1)}
    return tuple(
        (kind, indices_to_mask(cards))
        for kind in get_args(HandActionType)
        for count in counts[kind]
        for cards in combinations(range(hand_size), count)
    )


@cache
def _ids(hand_size: int) -> dict[tuple[str, int], int]:
    return {entry: number for number, entry in enumerate(action_entries(hand_size))}


def max_actions() -> int:
    """The number of ids of the largest hand: 1,275."""
    return len(action_entries(MAX_HAND))


def encode(hand_size: int, action_type: str, mask: int) -> int:
    """The id of an action type and a card mask."""
    found = _ids(hand_size).get((action_type, mask))
    if found is None:
        raise ValueError(
            f"{action_type} of card mask {mask} has no id for a hand of {hand_size}: the type is PLAY or DISCARD, "
            f"with at most {MAX_SELECTED} of the hand's cards, at least one to play"
        )
    return found


def decode(hand_size: int, action_id: int) -> tuple[HandActionType, int]:
    """The action type and the card mask of an id."""
    entries = action_entries(hand_size)
    if not 0 <= action_id < len(entries):
        raise ValueError(f"a hand of {hand_size} cards has no id {action_id}: ids go from 0 to {len(entries) - 1}")
    return entries[action_id]


def legal_action_mask(hand_size: int, cap: int | None = None) -> NDArray[np.uint8]:
    """Which of ``cap`` outputs are ids of this hand size: ``[cap]``, ones and then zeros.

    ``cap`` is ``max_actions()`` if not given. This knows the hand's size only; see ``legal_action_ids``.
    """
    cap = max_actions() if cap is None else cap
    count = len(action_entries(hand_size))
    if cap < count:
        raise ValueError(f"a hand of {hand_size} cards has {count} ids, which do not fit in {cap}")
    mask = np.zeros(cap, np.uint8)
    mask[:count] = 1
    return mask


# --- Shop ids --------------------------------------------------------------------------------------------------------


def encode_shop(action_type: str, params: dict[str, int | bool] | None = None) -> int:
    """The id of a shop action; type and parameters must both fit."""
    for number, entry in enumerate(SHOP_ACTIONS):
        if entry == (action_type, params or {}):
            return number
    raise ValueError(f"{action_type} with {params or {}} has no shop id; see SHOP_ACTIONS")


def decode_shop(action_id: int) -> tuple[ShopActionType, dict[str, int | bool]]:
    """The type and the parameters of a shop id."""
    kind, params, _ = _shop_entry(action_id)
    return kind, dict(params)


def _shop_entry(action_id: int) -> tuple[ShopActionType, dict[str, int | bool], Action | None]:
    if not 0 <= action_id < len(_SHOP):
        raise ValueError(f"there is no shop id {action_id}: ids go from 0 to {len(_SHOP) - 1}")
    return _SHOP[action_id]


# --- The engine's actions ------------------------------------------------------------------------------------------


def hand_action(hand_size: int, action_id: int) -> Action:
    """The engine's action of a hand id."""
    kind, mask = decode(hand_size, action_id)
    return Action(kind.lower(), cards=mask_to_indices(mask))


def hand_action_id(hand_size: int, action: Action) -> int | None:
    """The hand id of an action; None when it has none. Hands above ``MAX_HAND`` use the table of ``MAX_HAND``."""
    if action.kind not in ("play", "discard") or not all(card < MAX_HAND for card in action.cards):
        return None
    table = _ids(min(hand_size, MAX_HAND))
    return table.get((action.kind.upper(), indices_to_mask(action.cards)))


def shop_action(action_id: int) -> Action | None:
    """The engine's action of a shop id; None for WAIT, which does nothing."""
    return _shop_entry(action_id)[2]


def shop_action_id(action: Action) -> int | None:
    """The shop id of an action; None when it has none."""
    return _SHOP_IDS.get(action)


def legal_action_ids(run: Run | PublicState) -> list[int]:
    """The hand ids that the rules allow now, ascending; empty outside of a hand.

    It respects the plays and discards that are left and cards that must be selected. Of a hand above ``MAX_HAND``
    cards only the first ``MAX_HAND`` can be chosen.
    """
    if run.phase != "selecting_hand" or not run.hand:
        return []
    seen, hand = _imagined(run), run.hand
    forced = [place for place, card in enumerate(hand) if card.forced]
    sample = forced or [0]
    allowed = tuple(seen.refusal(Action(kind, cards=sample)) is None for kind in ("play", "discard"))
    mask = sum(1 << place for place in forced)
    return list(_allowed_ids(min(len(hand), MAX_HAND), mask, *allowed))


@cache
def _allowed_ids(hand_size: int, forced: int, may_play: bool, may_discard: bool) -> tuple[int, ...]:
    """Whether a play or discard is allowed depends on its cards only by their number and those that are forced."""
    allowed = {"PLAY": may_play, "DISCARD": may_discard}
    entries = enumerate(action_entries(hand_size))
    return tuple(number for number, (kind, mask) in entries if allowed[kind] and mask and mask & forced == forced)


def legal_shop_action_ids(run: Run | PublicState) -> list[int]:
    """The shop ids that the rules allow now, ascending; empty outside of shops and packs. WAIT is always there."""
    if run.phase not in ("shop", "pack_opening"):
        return []
    seen = _imagined(run)
    return [number for number, (_, _, action) in enumerate(_SHOP) if action is None or seen.refusal(action) is None]


def _imagined(run: Run | PublicState) -> Run:
    """Any run that looks like a public state will do: what is allowed does not depend on what is hidden."""
    return run.imagine(0) if isinstance(run, PublicState) else run
