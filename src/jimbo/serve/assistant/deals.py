"""What comes after a play or a discard, when the cards that the player has not seen are dealt anew."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from jimbo.engine import MAX_SELECTED, Action, ActionKind, Phase, Preview, PublicCard, PublicState, Run, candidates
from jimbo.engine.catalog import HANDS

OFTEN = 0.5
"""A kept card counts for a hand where it is part of it so often."""
SELDOM = 0.1
"""A hand that comes less often is not what cards are kept for."""
TOP = 4
"""Candidates that are listed in a deal: the best play comes first."""
HAND_ORDER = {fact.name: fact.order for fact in HANDS.values()}


@dataclass(slots=True)
class Deals:
    """What came in deals after an action."""

    best: list[tuple[str, float, tuple[int, ...]]] = field(default_factory=list)
    """Poker hand, score and ids of the cards of the best next play."""
    needed: list[float] = field(default_factory=list)
    """What such a play has to make."""
    scored: list[float] = field(default_factory=list)
    """By the action itself."""
    beaten: int = 0
    """The action itself ended the blind."""
    lost: int = 0
    stay: set[int] = field(default_factory=set)
    """Ids of the cards that are in the hand in every deal."""
    hides: bool = False
    """Cards of the next hand lie face down: nobody knows what it can make."""

    @property
    def count(self) -> int:
        return len(self.best) + self.beaten + self.lost

    def share(self, hand: str) -> float:
        """How often the best play is this hand or a better one."""
        return sum(HAND_ORDER[made] >= HAND_ORDER[hand] for made, _, _ in self.best) / max(1, len(self.best))

    @property
    def enough(self) -> float:
        """How often it beats the blind."""
        beats = (score >= needed for (_, score, _), needed in zip(self.best, self.needed, strict=True))
        return sum(beats) / max(1, len(self.best))

    @property
    def score(self) -> float:
        return sum(score for _, score, _ in self.best) / max(1, len(self.best))

    def aim(self, now: float) -> str:
        """The hand that brings most of what the best plays make beyond ``now``, up to what is needed; not one that
        comes too seldom, unless there is no other."""
        gained: dict[str, float] = defaultdict(float)
        for (hand, score, _), needed in zip(self.best, self.needed, strict=True):
            gained[hand] += max(0.0, min(score, needed) - min(now, needed)) + 1e-9 * HAND_ORDER[hand]
        return max(gained, key=lambda hand: (self.share(hand) >= SELDOM, gained[hand]))

    def used(self, hand: str) -> set[int]:
        """Cards that most of the best plays hold, where they are this hand."""
        plays = [cards for made, _, cards in self.best if made == hand]
        counts = Counter(card for cards in plays for card in cards)
        return {card for card, times in counts.items() if times >= OFTEN * len(plays)}


def best_play(run: Run, *, of_all: bool = False) -> tuple[list[int], Preview] | None:
    """Return the play that scores most and its score, of those that the engine thinks of or ``of_all`` that show their
    cards; None where nothing can be played."""
    for action in candidates(run, TOP).actions:
        if action.kind == ActionKind.play:
            plays = [action.cards, *(every_play(run.hand) if of_all else ())]
            return max(((cards, run.preview(cards, "expected")) for cards in plays), key=lambda play: play[1].score)
    return None


def every_play(hand: Sequence[PublicCard]) -> Iterator[list[int]]:
    """All plays of cards that lie face up, with those that a boss forces."""
    shown = [place for place, card in enumerate(hand) if not card.face_down]
    forced = {place for place, card in enumerate(hand) if card.forced}
    for count in range(1, MAX_SELECTED + 1):
        yield from (list(cards) for cards in combinations(shown, count) if forced <= set(cards) or not forced)


def deal(state: PublicState, action: Action, deals: int, *, of_all: bool = False) -> Deals:
    """Take an action again and again, the unseen cards shuffled anew each time."""
    found = Deals()
    for nonce in range(1, deals + 1):
        run = state.imagine(nonce)
        run.step(action)
        found.scored.append(run.chips - state.chips)
        if run.phase == Phase.game_over:
            found.lost += 1
        elif run.phase != Phase.selecting_hand:
            found.beaten += 1
        elif best := best_play(run, of_all=of_all):
            cards, made = best
            hand = run.hand
            found.hides |= any(card.face_down for card in hand)
            ids = {card.id for card in hand}
            found.stay = found.stay & ids if found.best else ids
            found.best.append((made.hand, made.score, tuple(hand[place].id for place in cards)))
            found.needed.append(run.target - run.chips)
    return found


def in_order(run: Run, move: str, order: Sequence[int]) -> tuple[Run, bool]:
    """A run in which what lies at these places stands first, in this order, by steps of the kind ``move``; and whether
    all of them were allowed."""
    moved, places, whole = run.clone(), list(range(max(order, default=-1) + 1)), True
    for to, which in enumerate(order):
        place = places.index(which)
        step = Action(move, index=place, to=to)
        if place == to:
            continue
        if moved.refusal(step) is not None:
            whole = False
            continue
        moved.step(step)
        places.insert(to, places.pop(place))
    return moved, whole
