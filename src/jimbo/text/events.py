"""Events in plain words.

Events name cards by their place in the full deck, and a step that adds or destroys cards moves these places. So the
events of a step are told together, from the view before it and the view after it::

    before = view(run)
    events = run.step(action)
    for line in tell(events, before, view(run)):
        print(line)  # Greedy Joker: +3 Mult (8 x 14)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from jimbo.engine import Event
from jimbo.engine.catalog import BLINDS, CONSUMABLES, DECKS, HANDS, JOKERS, TAGS, VOUCHERS
from jimbo.engine.run_view import CardView, RunView
from jimbo.text.jokers import chips_text, mult_text, x_mult_text
from jimbo.text.numbers import counted, money_text, number_text

_HANDS, _BLINDS, _JOKERS = tuple(HANDS.values()), tuple(BLINDS.values()), tuple(JOKERS.values())
_CONSUMABLES, _TAGS, _VOUCHERS = tuple(CONSUMABLES.values()), tuple(TAGS.values()), tuple(VOUCHERS.values())

SCORING = frozenset({"hand", "chips", "mult", "x_mult", "balanced", "score"})
_FACE_DOWN = "a face-down card"
# Told as sentences, "Canio joins the jokers"; all others have a colon, "Small Blind: beaten with 316".
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

    def __str__(self) -> str:
        mark = " " if self.kind in _SENTENCES else ": "
        text = f"{self.who}{mark}{self.what}" if self.who else self.what
        return f"{text} ({totals_text(*self.totals)})" if self.totals else text


def totals_text(chips: float, mult: float) -> str:
    return f"{number_text(chips)} x {number_text(mult)}"


def describe_event(event: Event, before: RunView) -> str:
    """One event in words. ``before`` is the run before the step; use ``tell`` where cards come or go."""
    return str(_Teller(before, None).told(event))


def tell(events: Sequence[Event], before: RunView, after: RunView | None = None) -> list[Told]:
    """The events of one step in words; cards that are drawn or discarded together make one line.

    A preview has no ``after``.
    """
    teller = _Teller(before, after)
    lines: list[Told] = []
    for kind, group in groupby(events, key=lambda event: event.kind):
        if kind in ("drawn", "discarded"):
            lines.append(Told(kind, kind.capitalize(), _listed([teller.told(event).who for event in group])))
        else:
            lines.extend(teller.told(event) for event in group)
    return lines


def _listed(names: Iterable[str]) -> str:
    all_names = list(names)
    hidden = all_names.count(_FACE_DOWN)
    shown = [name for name in all_names if name != _FACE_DOWN]
    if hidden:
        shown.append(_FACE_DOWN if hidden == 1 else counted(hidden, "face-down card"))
    return ", ".join(shown)


class _Teller:
    """Follows the places of the cards through the events of a step."""

    def __init__(self, before: RunView, after: RunView | None) -> None:
        self._before = before
        self._cards = list(before.cards)
        self._after = {card.uid: card for card in after.cards} if after else {}
        known = {card.uid for card in self._cards}
        self._new = [card for card in after.cards if card.uid not in known] if after else []
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
        return Told(event.kind, who, what, (event.chips, event.mult) if scoring else None)

    def card(self, event: Event) -> CardView | None:
        return self._cards[event.index] if event.index < len(self._cards) else None

    def card_name(self, event: Event) -> str:
        card = self.card(event)
        if card is None:
            return "a new card"
        now = self._after.get(card.uid, card)
        hidden = now.face_down if event.kind == "drawn" else card.face_down and event.kind == "discarded"
        if hidden:
            return _FACE_DOWN
        return card.name if event.kind == "card_added" else card.short

    def becomes(self, event: Event) -> str:
        card = self.card(event)
        now = self._after.get(card.uid) if card else None
        if now is None or card is None:
            return "changes"
        return "stays as it is" if now.name == card.name else f"becomes {now.name}"

    def actor(self, event: Event) -> str:
        """Who acts: ``index`` is a place among the cards, jokers or consumables."""
        before = self._before
        if event.actor in ("card", "held_card"):
            return self.card_name(event)
        if event.actor == "joker":
            return before.jokers[event.index].name if event.index < len(before.jokers) else "A new joker"
        if event.actor == "consumable":
            # A used one has left its place, and the event has its number in the catalogue.
            if self._used:
                return self._used
            held = before.consumables
            return held[event.index].name if event.index < len(held) else _CONSUMABLES[event.index].name
        if event.actor == "blind":
            return BLINDS[before.blind].name
        if event.actor == "deck":
            return DECKS[before.deck].name
        return "Tag" if event.actor == "tag" else ""

    @property
    def ante(self) -> int:
        return self._before.ante

    def hand(self, event: Event) -> tuple[str, str]:
        if event.actor == "blind":
            return self.actor(event), "halves the base"
        name = _HANDS[event.key].name
        level = next(hand.level for hand in self._before.hands if hand.name == name)
        return name, f"level {level}"

    def dollars(self, event: Event) -> tuple[str, str]:
        actor, gain = self.actor(event), event.amount >= 0
        if not actor:
            return "Received" if gain else "Paid", money_text(abs(event.amount))
        return actor, f"+{money_text(event.amount)}" if gain else money_text(event.amount)

    def skipped(self, event: Event) -> tuple[str, str]:
        return self._before.blinds[event.index].name, "is skipped"

    def no_effect(self, event: Event) -> tuple[str, str]:
        return self.actor(event), "debuffed, does nothing" if event.actor == "card" else "nothing happens"


def _levels(event: Event) -> str:
    levels = round(event.amount)
    return f"{'-' if levels < 0 else '+'}{counted(abs(levels), 'level')}"


_WORDS: dict[str, Callable[[_Teller, Event], tuple[str, str]]] = {
    "hand": _Teller.hand,
    "chips": lambda t, e: (t.actor(e), chips_text(e.amount)),
    "mult": lambda t, e: (t.actor(e), mult_text(e.amount)),
    "x_mult": lambda t, e: (t.actor(e), x_mult_text(e.amount)),
    "level": lambda t, e: (_HANDS[e.key].name, _levels(e)),
    "balanced": lambda t, e: (t.actor(e), "balances Chips and Mult"),
    "blocked": lambda t, e: (t.actor(e), f"{_HANDS[e.key].name} does not score"),
    "score": lambda t, e: (_HANDS[e.key].name, f"scores {number_text(e.amount)}"),
    "dollars": _Teller.dollars,
    "blind_selected": lambda t, e: (_BLINDS[e.key].name, f"score at least {number_text(e.amount)}"),
    "blind_skipped": _Teller.skipped,
    "blind_disabled": lambda t, e: (_BLINDS[e.key].name, "has lost its ability"),
    "round_won": lambda t, e: (_BLINDS[e.key].name, f"beaten with {number_text(e.amount)}"),
    "saved": lambda t, e: (t.actor(e), "prevents the loss and is gone"),
    "lost": lambda t, e: (_BLINDS[e.key].name, f"not beaten, only {number_text(e.amount)} scored"),
    "won": lambda t, e: ("", f"The run is won in ante {t.ante}! It may go on, ante by ante."),
    "card_added": lambda t, e: (t.card_name(e), "joins the deck"),
    "card_destroyed": lambda t, e: (t.card_name(e), "is destroyed"),
    "card_changed": lambda t, e: (t.card_name(e), t.becomes(e)),
    "joker_added": lambda t, e: (_JOKERS[e.key].name, "joins the jokers"),
    "joker_destroyed": lambda t, e: (_JOKERS[e.key].name, "is gone"),
    "consumable_added": lambda t, e: ("Received", _CONSUMABLES[e.key].name),
    "consumable_used": lambda t, e: ("Used", _CONSUMABLES[e.key].name),
    "tag_gained": lambda t, e: ("Received", _TAGS[e.key].name),
    "tag_used": lambda t, e: ("Used", _TAGS[e.key].name),
    "voucher_redeemed": lambda t, e: ("Redeemed", _VOUCHERS[e.key].name),
    "drawn": lambda t, e: (t.card_name(e), "drawn"),
    "discarded": lambda t, e: (t.card_name(e), "discarded"),
    "no_effect": _Teller.no_effect,
}
