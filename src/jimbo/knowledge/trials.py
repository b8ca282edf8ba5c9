"""Trials: the same position with and without two jokers, as a learnt value sees it.

What is tried is drawn by lot, so no joker is tried only where it is doing well. A position is a moment of a recorded
game at which a blind is chosen. It keeps some of its jokers, drawn by lot, so that two more fit in; what is sold for
that changes no money.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from jimbo.engine import Action, Run
from jimbo.engine.value import ValueNet, judge_options
from jimbo.knowledge.items import HAND_KEYS, JOKER_KEYS, card_kinds, jokers_about

SLOTS = 2
"""What is tried together."""
JOKERS_TRIED = 16
HANDS_TRIED = 3
LEVELS = 3
"""By which a poker hand is raised where jokers are tried with it."""
AMOUNTS = (2, 5, 10)
"""How many cards of a kind are added to the deck; jokers are tried together in the deck with the most."""
_OWN, _OTHERS = 7, 6
"""How many jokers are tried in a deck full of one kind of cards: those about such cards, and those that add to any."""
_EDGE = 1e-6
_SELECT = "select_blind"

Gift = Callable[[Run], None]


class TriedPair(NamedTuple):
    """What two jokers do together beyond what each does alone, in log odds of winning, in one trial."""

    first: int
    second: int
    deck: str
    """A kind of cards of which the deck has many more; empty for the deck as it was."""
    gain: float


class WithCards(NamedTuple):
    """A joker, and so many more cards of a kind."""

    joker: int
    kind: str
    amount: int
    gain: float


class WithHand(NamedTuple):
    """A joker, and higher levels of a poker hand."""

    joker: int
    hand: str
    gain: float


@dataclass(slots=True)
class PairTrials:
    """What was found at some positions."""

    positions: int = 0
    pairs: list[TriedPair] = field(default_factory=list)
    cards: list[WithCards] = field(default_factory=list)
    hands: list[WithHand] = field(default_factory=list)
    decks: list[tuple[str, float]] = field(default_factory=list)
    """By how much many cards of a kind change the log odds by themselves."""

    def extend(self, other: PairTrials) -> None:
        self.positions += other.positions
        self.pairs += other.pairs
        self.cards += other.cards
        self.hands += other.hands
        self.decks += other.decks


class PairTrial:
    """One position, at which things are tried."""

    def __init__(self, net: ValueNet, run: Run, random: np.random.Generator) -> None:
        self._net, self._random = net, random
        self._run = run

    def everything(self) -> PairTrials | None:
        """Half of the trials are in the deck as it is, half in one full of some kind of cards."""
        run = _with_room(self._run, self._random)
        if run is None:
            return None
        found = PairTrials(positions=1)
        random = self._random
        if random.random() < 0.5:
            tried = _drawn(random, [key for key in JOKER_KEYS if key not in run.joker_keys], JOKERS_TRIED)
            self._together(run, "", tried, found)
            return found
        kinds = card_kinds()
        kind = list(kinds)[int(random.integers(len(kinds)))]
        own, others = jokers_about(kind)
        tried = [*_drawn(random, own, _OWN), *_drawn(random, others, _OTHERS)]
        tried += _drawn(random, [key for key in JOKER_KEYS if key not in tried], JOKERS_TRIED - len(tried))
        tried = [key for key in tried if key not in run.joker_keys]
        plain, alone = self._alone(run, tried)
        for amount in AMOUNTS:
            full = _with_cards(run, kind, amount)
            if amount == AMOUNTS[-1]:
                more, gains = self._together(full, kind, tried, found)
                found.decks.append((kind, more - plain))
            else:
                more, gains = self._alone(full, tried)
            found.cards += [
                WithCards(JOKER_KEYS.index(key), kind, amount, gains[key] - more - alone[key] + plain) for key in tried
            ]
        return found

    def _together(self, run: Run, deck: str, tried: Sequence[str], found: PairTrials) -> tuple[float, dict[str, float]]:
        plain, alone = self._alone(run, tried)
        for i, first in enumerate(tried):
            for second in tried[i + 1 :]:
                both = self._best(run, (first, second))
                a, b = sorted((JOKER_KEYS.index(first), JOKER_KEYS.index(second)))
                found.pairs.append(TriedPair(a, b, deck, both - alone[first] - alone[second] + plain))
        if not deck:
            for hand in _drawn(self._random, HAND_KEYS, HANDS_TRIED):
                raised = run.clone()
                raised.debug_raise_level(hand, LEVELS)
                more, gains = self._alone(raised, tried)
                found.hands += [
                    WithHand(JOKER_KEYS.index(key), hand, gains[key] - more - alone[key] + plain) for key in tried
                ]
        return plain, alone

    def _alone(self, run: Run, tried: Sequence[str]) -> tuple[float, dict[str, float]]:
        return self._log_odds(run), {key: self._best(run, (key,)) for key in tried}

    def _best(self, run: Run, given: tuple[str, ...]) -> float:
        """Return the best value over the places where a player would put new jokers: either end, in either order."""
        best = -math.inf
        for order in dict.fromkeys([given, given[::-1]]):
            held = run.clone()
            for key in order:
                held.debug_add_joker(key)
            best = max(best, self._log_odds(held))
            last = len(held.joker_keys) - 1
            if last > 0:
                held.step(Action("move_joker", index=last, to=0))
                best = max(best, self._log_odds(held))
        return best

    def _log_odds(self, run: Run) -> float:
        return log_odds(self._net, run)


def log_odds(net: ValueNet, run: Run) -> float:
    """Return the log odds of winning from here, if the blind is played, as the value sees it."""
    chance = next(one.win for one in judge_options(net, run, finalists=0) if one.actions[0].kind == _SELECT)
    chance = min(max(chance, _EDGE), 1 - _EDGE)
    return math.log(chance / (1 - chance))


def _with_room(run: Run, random: np.random.Generator) -> Run | None:
    """The run without some of its jokers, so that two fit in; None where stickers forbid that."""
    kept = run.clone()
    dollars = kept.dollars
    while kept.public_state().joker_room < SLOTS:
        sales = [action for action in kept.legal_actions() if action.kind == "sell_joker"]
        if not sales:
            return None
        kept.step(sales[int(random.integers(len(sales)))])
    kept.dollars = dollars
    return kept


def _with_cards(run: Run, kind: str, amount: int) -> Run:
    cards = card_kinds()[kind]
    more = run.clone()
    for number in range(amount):
        front = cards.fronts[number % len(cards.fronts)]
        more.debug_add_card(front, cards.enhancement, seal=cards.seal, to="deck")
    return more


def _drawn(random: np.random.Generator, keys: Sequence[str], count: int) -> list[str]:
    """So many of them at most, by lot."""
    return [keys[place] for place in random.permutation(len(keys))[:count]]
