"""Events in plain words.

Events name cards by their place in the full deck, and a step that adds or destroys cards moves these places. So the
events of a step are put into words together, from what the player saw before it and what is seen after it::

    before = run.public_state()
    events = run.step(action)
    for line in tell(events, before, run.public_state()):
        print(line)  # Greedy Joker: +3 Mult (8 x 14)

What lies face down stays without a name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from jimbo.engine import Actor, Event, EventKind, PublicCard, PublicState
from jimbo.engine.catalog import BLINDS, CONSUMABLES, DECKS, EDITIONS, HANDS, JOKERS, TAGS, VOUCHERS
from jimbo.text.cards import FACE_DOWN, card_name, card_short, full_deck
from jimbo.text.jokers import chips_text, joker_name, joker_now, mult_text, x_mult_text
from jimbo.text.numbers import counted, money_text, number_text

_HANDS, _BLINDS, _JOKERS = tuple(HANDS.values()), tuple(BLINDS.values()), tuple(JOKERS.values())
_CONSUMABLES, _TAGS, _VOUCHERS = tuple(CONSUMABLES.values()), tuple(TAGS.values()), tuple(VOUCHERS.values())

SCORING = frozenset({"hand", "chips", "mult", "x_mult", "balanced", "score"})
# These share one line.
_LISTED = frozenset({"drawn", "discarded"})
# These become sentences, "Canio joins the jokers"; all others have a colon, "Small Blind: beaten with 316".
_SENTENCES = frozenset(
    {
        "blind_disabled",
        "blind_skipped",
        "card_added",
        "card_changed",
        "card_destroyed",
        "joker_added",
        "joker_changed",
        "joker_destroyed",
        "saved",
    }
)


@dataclass(frozen=True, slots=True)
class Told:
    """An event in words."""

    kind: str
    who: str
    """The card, joker or blind that acts, or what the player does, such as ``Drawn`` or ``Paid``; empty for neither."""
    what: str
    totals: tuple[float, float] | None = None
    """Chips and mult after it, while a hand is scored."""
    score: float | None = None
    """What the hand scored, where that is what is told."""

    def __str__(self) -> str:
        mark = " " if self.kind in _SENTENCES else ": "
        text = f"{self.who}{mark}{self.what}" if self.who else self.what
        return f"{text} ({totals_text(*self.totals)})" if self.totals else text


def totals_text(chips: float, mult: float) -> str:
    return f"{number_text(chips)} x {number_text(mult)}"


def describe_event(event: Event, before: PublicState) -> str:
    """One event in words. ``before`` is what was seen before the step; use ``tell`` where cards come or go."""
    return str(_Teller(before, None).told(event))


def tell(events: Sequence[Event], before: PublicState, after: PublicState | None = None) -> list[Told]:
    """The events of one step in words; cards that are drawn or discarded together make one line.

    A preview has no ``after``.
    """
    teller = _Teller(before, after)
    lines: list[Told] = []
    for kind, group in groupby(events, key=lambda event: event.kind):
        if kind in _LISTED:
            lines.append(Told(kind, kind.capitalize(), _listed([teller.told(event).who for event in group])))
        else:
            lines.extend(teller.told(event) for event in group)
    return lines


def tell_jokers(before: PublicState, after: PublicState) -> list[Told]:
    """Jokers whose own number or edition changed, which the game shows on the joker itself."""
    old = {joker.id: joker for joker in (*before.jokers, *before.hidden_jokers)}
    lines = []
    for joker in after.jokers:
        was = old.get(joker.id)
        if was is None or joker.face_down:
            continue
        if joker.edition and joker.edition != was.edition:
            lines.append(Told("joker_changed", joker.name, f"becomes {EDITIONS[joker.edition].name}"))
        now = joker_now(joker, after)
        if now and (was.count, was.x_mult) != (joker.count, joker.x_mult) and now != joker_now(was, before):
            lines.append(Told("joker_grew", joker.name, f"now {now}"))
    return lines


def _listed(names: Iterable[str]) -> str:
    all_names = list(names)
    hidden = all_names.count(FACE_DOWN)
    shown = [name for name in all_names if name != FACE_DOWN]
    if hidden:
        shown.append(FACE_DOWN if hidden == 1 else counted(hidden, "face-down card"))
    return ", ".join(shown)


class _Teller:
    """Follows the places of the cards through the events of a step."""

    def __init__(self, before: PublicState, after: PublicState | None) -> None:
        self.before = before
        self._cards = full_deck(before)
        known = {card.id for card in self._cards}
        now = full_deck(after) if after else []
        self._now = {card.id: card for card in now}
        self._new = [card for card in now if card.id not in known]
        self._lay_face_down = _face_down(before)
        self._lies_face_down = _face_down(after) if after else frozenset()
        self._leaving: list[int] = []
        self._used: str | None = None

    def told(self, event: Event) -> Told:
        # Cards destroyed together are named by places of the same moment.
        if event.kind != "card_destroyed" and self._leaving:
            self._cards = [card for i, card in enumerate(self._cards) if i not in self._leaving]
            self._leaving = []
        if event.kind == "card_added" and self._new:
            self._cards.insert(event.index, self._new.pop(0))
        if event.kind == "consumable_used":
            self._used = _CONSUMABLES[event.key].name
        who, what = _WORDS[event.kind](self, event)
        if event.kind == "card_destroyed":
            self._leaving.append(event.index)
        scoring = event.kind in SCORING or (event.kind == "no_effect" and event.actor == "card")
        totals = (event.chips, event.mult) if scoring else None
        score = event.amount if event.kind == "score" else None
        return Told(event.kind, who if event.kind in _LISTED else who[:1].upper() + who[1:], what, totals, score)

    def card(self, event: Event) -> PublicCard | None:
        return self._cards[event.index] if event.index < len(self._cards) else None

    def is_hidden(self, event: Event, card: PublicCard) -> bool:
        """A card that is played is turned over; one that is drawn, held, changed or discarded may lie face down."""
        if event.kind == "drawn":
            return card.id in self._lies_face_down
        if event.kind == "card_changed":
            return card.id in self._lay_face_down and card.id in self._lies_face_down
        return card.id in self._lay_face_down and (event.kind == "discarded" or event.actor == "held_card")

    def card_name(self, event: Event) -> str:
        card = self.card(event)
        if card is None:
            return "a new card"
        if self.is_hidden(event, card):
            return FACE_DOWN
        return card_name(card) if event.kind == "card_added" else card_short(card)

    def becomes(self, event: Event) -> str:
        card = self.card(event)
        now = self._now.get(card.id) if card else None
        if now is None or card is None or self.is_hidden(event, card):
            return "changes"
        return "stays as it is" if card_name(now) == card_name(card) else f"becomes {card_name(now)}"

    def actor(self, event: Event) -> str:
        """Who acts: ``index`` is a place among the cards, jokers or consumables."""
        before = self.before
        match event.actor:
            case Actor.card | Actor.held_card:
                return self.card_name(event)
            case Actor.joker:
                return joker_name(before.jokers[event.index]) if event.index < len(before.jokers) else "A new joker"
            case Actor.consumable:
                # A used one has left its place, and the event has its number in the catalogue.
                held = before.consumables
                return self._used or (held if event.index < len(held) else _CONSUMABLES)[event.index].name
            case Actor.blind:
                return BLINDS[before.blind.key].name
            case Actor.deck:
                return DECKS[before.deck].name
        return "Tag" if event.actor == "tag" else ""

    def hand(self, event: Event) -> tuple[str, str]:
        if event.actor == "blind":
            return self.actor(event), "halves the base"
        name = _HANDS[event.key].name
        level = next(hand.level for hand in self.before.hands if hand.hand == name)
        return name, f"level {level}"

    def dollars(self, event: Event) -> tuple[str, str]:
        actor, gain = self.actor(event), event.amount >= 0
        if not actor:
            return "Received" if gain else "Paid", money_text(abs(event.amount))
        return actor, f"+{money_text(event.amount)}" if gain else money_text(event.amount)

    def skipped(self, event: Event) -> tuple[str, str]:
        return self.before.blinds[event.index].name, "is skipped"

    def no_effect(self, event: Event) -> tuple[str, str]:
        return self.actor(event), "debuffed, does nothing" if event.actor == "card" else "nothing happens"


def _face_down(state: PublicState) -> frozenset[int]:
    """Ids that a card may have that lies face down in the hand."""
    hidden = any(card.face_down for card in state.hand)
    return frozenset(card.id for card in state.unseen) if hidden else frozenset()


def _levels(event: Event) -> str:
    levels = round(event.amount)
    return f"{'-' if levels < 0 else '+'}{counted(abs(levels), 'level')}"


_WORDS: dict[EventKind, Callable[[_Teller, Event], tuple[str, str]]] = {
    EventKind.hand: _Teller.hand,
    EventKind.chips: lambda t, e: (t.actor(e), chips_text(e.amount)),
    EventKind.mult: lambda t, e: (t.actor(e), mult_text(e.amount)),
    EventKind.x_mult: lambda t, e: (t.actor(e), x_mult_text(e.amount)),
    EventKind.level: lambda t, e: (_HANDS[e.key].name, _levels(e)),
    EventKind.balanced: lambda t, e: (t.actor(e), "balances Chips and Mult"),
    EventKind.blocked: lambda t, e: (t.actor(e), f"{_HANDS[e.key].name} does not score"),
    EventKind.score: lambda t, e: (_HANDS[e.key].name, f"scores {number_text(e.amount)}"),
    EventKind.dollars: _Teller.dollars,
    EventKind.blind_selected: lambda t, e: (_BLINDS[e.key].name, f"score at least {number_text(e.amount)}"),
    EventKind.blind_skipped: _Teller.skipped,
    EventKind.blind_disabled: lambda t, e: (_BLINDS[e.key].name, "has lost its ability"),
    EventKind.round_won: lambda t, e: (_BLINDS[e.key].name, f"beaten with {number_text(e.amount)}"),
    EventKind.saved: lambda t, e: (t.actor(e), "prevents the loss and is gone"),
    EventKind.lost: lambda t, e: (_BLINDS[e.key].name, f"not beaten, only {number_text(e.amount)} scored"),
    EventKind.won: lambda t, e: ("", f"The run is won in ante {t.before.ante}! It can continue, ante by ante."),
    EventKind.card_added: lambda t, e: (t.card_name(e), "joins the deck"),
    EventKind.card_destroyed: lambda t, e: (t.card_name(e), "is destroyed"),
    EventKind.card_changed: lambda t, e: (t.card_name(e), t.becomes(e)),
    EventKind.joker_added: lambda t, e: (_JOKERS[e.key].name, "joins the jokers"),
    EventKind.joker_destroyed: lambda t, e: (_JOKERS[e.key].name, "is gone"),
    EventKind.consumable_added: lambda t, e: ("Received", _CONSUMABLES[e.key].name),
    EventKind.consumable_used: lambda t, e: ("Used", _CONSUMABLES[e.key].name),
    EventKind.tag_gained: lambda t, e: ("Received", _TAGS[e.key].name),
    EventKind.tag_used: lambda t, e: ("Used", _TAGS[e.key].name),
    EventKind.voucher_redeemed: lambda t, e: ("Redeemed", _VOUCHERS[e.key].name),
    EventKind.drawn: lambda t, e: (t.card_name(e), "drawn"),
    EventKind.discarded: lambda t, e: (t.card_name(e), "discarded"),
    EventKind.no_effect: _Teller.no_effect,
}
