"""Which cards of the hand a consumable could be used on: a few choices worth comparing."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from jimbo.engine import PublicCard
from jimbo.engine.catalog import ConsumableFact
from jimbo.text.cards import RANKS

_SUITS = {"c_star": "D", "c_moon": "C", "c_sun": "H", "c_world": "S"}
_MAX_CHOICES = 6


def target_choices(hand: Sequence[PublicCard], consumable: ConsumableFact) -> list[tuple[int, ...]]:
    """Sets of hand positions, each with Cerulean Bell's card; one empty set for a consumable that takes none."""
    min_cards, max_cards = consumable.min_targets, consumable.max_targets
    if max_cards == 0:
        return [()]
    forced = [i for i, card in enumerate(hand) if card.forced]
    choices: list[tuple[int, ...]] = []
    for choice in _choices(hand, consumable.key, max_cards):
        rest = [i for i in choice if i not in forced]
        positions = tuple(sorted([*forced, *rest[: max_cards - len(forced)]]))
        if min_cards <= len(positions) <= max_cards and positions not in choices:
            choices.append(positions)
    return choices[:_MAX_CHOICES]


def _choices(hand: Sequence[PublicCard], key: str, max_cards: int) -> list[Sequence[int]]:
    dear = [i for i in _by_rank(hand) if not hand[i].enhancement and not hand[i].face_down]
    cheap = [i for i in reversed(_by_rank(hand)) if not (hand[i].enhancement or hand[i].edition or hand[i].seal)]
    if key in _SUITS:
        return [[i for i in dear if hand[i].suit != _SUITS[key]][:max_cards]]
    if key == "c_hanged_man":
        return [cheap[:max_cards]]
    if key == "c_strength":
        return [cheap[:max_cards], dear[1 : 1 + max_cards]]
    if key == "c_death":  # the left card becomes the right one
        return [pair for pair in combinations(range(len(hand)), 2) if _rank(hand[pair[1]]) >= _rank(hand[pair[0]])]
    if max_cards == 1:
        return [[i] for i in dear[:3]]
    return [dear[:max_cards], dear[1 : 1 + max_cards]]


def _rank(card: PublicCard) -> int:
    assert card.rank is not None
    return -RANKS.index(card.rank)


def _by_rank(hand: Sequence[PublicCard]) -> list[int]:
    """Hand positions, highest rank first."""
    return sorted(range(len(hand)), key=lambda i: -_rank(hand[i]))
