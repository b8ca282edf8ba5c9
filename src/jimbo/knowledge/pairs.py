"""Every pair of jokers at one stake: the two answers added, the deck in which they do most, and how sure that is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from jimbo.engine.catalog import JOKERS
from jimbo.knowledge.effects import (
    NOTHING,
    Effect,
    GameOutcomes,
    Naive,
    PairKey,
    corrections,
    means,
    naive_strengths,
    strength_of,
)
from jimbo.knowledge.moments import Moments
from jimbo.knowledge.trials import AMOUNTS, PairTrials

SHOWN = 0.05
"""Strength, or severity, below which a pair is left out of the graph."""
MOST_PAIRS = 2500
"""The most pairs of one kind of edge and one stake."""


@dataclass(frozen=True, slots=True)
class PairFound:
    """What is known of a pair."""

    key: PairKey
    effect: Effect
    """In log odds of winning, beyond what each does alone."""
    usual: float
    """What the typical pair in that deck adds (the median): two jokers are mostly worth less than their sum."""
    deck: str
    """The kind of cards of which the deck has many more; empty: decks as they come."""
    trials: int
    games: int
    won: int
    naive: Naive | None

    @property
    def beyond(self) -> Effect:
        """What it has over the typical pair."""
        return self.effect.less(self.usual)

    @property
    def strength(self) -> float:
        return strength_of(self.beyond.mean)

    @property
    def severity(self) -> float:
        return strength_of(-self.beyond.mean)

    @property
    def doubtful(self) -> bool:
        return self.beyond.doubtful


@dataclass(frozen=True, slots=True)
class StakePairs:
    """All pairs of one stake."""

    pairs: Mapping[PairKey, PairFound]
    usual: float
    outcomes: GameOutcomes


def find_pairs(moments: Moments, trials: PairTrials) -> StakePairs:
    """``moments`` and ``trials`` are those of one stake."""
    count = len(JOKERS)
    outcomes = corrections(moments, count)
    naive = naive_strengths(moments, count)
    gains: dict[tuple[str, PairKey], list[float]] = defaultdict(list)
    usual: dict[str, list[float]] = defaultdict(list)
    for pair in trials.pairs:
        gains[pair.deck, PairKey(pair.first, pair.second)].append(pair.gain)
        usual[pair.deck].append(pair.gain)
    typical = {deck: float(np.median(values)) for deck, values in usual.items()}
    found: dict[PairKey, PairFound] = {}
    for (deck, key), tried in means(gains).items():
        one = PairFound(
            key=key,
            effect=tried + outcomes.pairs.get(key, NOTHING),
            usual=typical[deck],
            deck=deck,
            trials=len(gains[deck, key]),
            games=outcomes.games.get(key, 0),
            won=outcomes.won.get(key, 0),
            naive=naive.get(key),
        )
        before = found.get(key)
        if before is None or _clearer(one, before):
            found[key] = one
    return StakePairs(found, typical.get("", 0.0), outcomes)


def _clearer(one: PairFound, other: PairFound) -> bool:
    """Whether a deck shows more of a pair: by the end of the interval that is nearer to nothing."""
    if one.deck == "" or other.deck == "":
        plain, full = (one, other) if one.deck == "" else (other, one)
        better = full.beyond.low > max(plain.beyond.low, 0.0)
        return better == (full is one)
    return one.beyond.low > other.beyond.low


# --- Jokers with cards and with poker hands ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CardsFound:
    """A joker and more cards of a kind."""

    joker: int
    kind: str
    effect: Effect
    """With the amount that suits it best."""
    least: int
    """The smallest amount that was tried and surely helps."""
    best: int
    trials: int


def find_cards(trials: PairTrials) -> list[CardsFound]:
    gains: dict[tuple[int, str, int], list[float]] = defaultdict(list)
    usual: dict[tuple[str, int], list[float]] = defaultdict(list)
    for one in trials.cards:
        gains[one.joker, one.kind, one.amount].append(one.gain)
        usual[one.kind, one.amount].append(one.gain)
    typical = {key: float(np.median(values)) for key, values in usual.items()}
    found = {key: effect.less(typical[key[1:]]) for key, effect in means(gains).items()}
    made = []
    for joker, kind in dict.fromkeys((joker, kind) for joker, kind, _ in found):
        amounts = [amount for amount in AMOUNTS if (joker, kind, amount) in found]
        sure = [a for a in amounts if found[joker, kind, a].mean > 0 and not found[joker, kind, a].doubtful]
        if sure:
            best = max(sure, key=lambda amount: found[joker, kind, amount].low)
            count = len(gains[joker, kind, best])
            made.append(CardsFound(joker, kind, found[joker, kind, best], min(sure), best, count))
    return made


@dataclass(frozen=True, slots=True)
class HandFound:
    """A joker and higher levels of a poker hand."""

    joker: int
    hand: str
    effect: Effect
    trials: int


def find_hands(trials: PairTrials) -> list[HandFound]:
    gains: dict[tuple[int, str], list[float]] = defaultdict(list)
    usual: dict[str, list[float]] = defaultdict(list)
    for one in trials.hands:
        gains[one.joker, one.hand].append(one.gain)
        usual[one.hand].append(one.gain)
    typical = {hand: float(np.median(values)) for hand, values in usual.items()}
    return [
        HandFound(joker, hand, effect.less(typical[hand]), len(gains[joker, hand]))
        for (joker, hand), effect in means(gains).items()
    ]


def deck_effects(trials: PairTrials) -> dict[str, tuple[Effect, int]]:
    """What many cards of a kind do by themselves, and in how many trials."""
    gains: dict[Any, list[float]] = defaultdict(list)
    for kind, gain in trials.decks:
        gains[kind].append(gain)
    return {kind: (effect, len(gains[kind])) for kind, effect in means(gains).items()}
