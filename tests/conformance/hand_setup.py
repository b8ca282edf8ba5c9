"""A hand about to be played, set up on the engine from what a corpus states about it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from jimbo.engine import Action, Preview, Run
from jimbo.engine.catalog import BLINDS, CONSUMABLES

PLANETS = {fact.hand: key for key, fact in CONSUMABLES.items() if fact.hand}
ENOUGH_HANDS = 4
"""Where a corpus does not state the hands left: neither the first nor the last of the round is special."""
FREE_UID = 1000
"""Above all uids given here."""


@dataclass(frozen=True, slots=True)
class SetupCard:
    front: str
    modifiers: tuple[str, ...] = ()
    """Enhancement, edition and seal as the engine's JSON names them."""
    debuffed: bool = False
    bonus: int = 0


@dataclass(frozen=True, slots=True)
class SetupJoker:
    key: str
    edition: str = "e_base"
    state: Mapping[str, Any] = field(default_factory=dict)
    """Fields of the engine's joker that differ from a fresh one, such as its count."""


@dataclass(slots=True, kw_only=True)
class HandSetup:
    played: Sequence[SetupCard]
    held: Sequence[SetupCard] = ()
    jokers: Sequence[SetupJoker] = ()
    deck: str = "b_red"
    blind: str = "bl_small"
    blind_disabled: bool = False
    money: int = 0
    hands_left: int = ENOUGH_HANDS
    """With the hand being played."""
    discards_left: int = 3
    joker_slots: int = 5
    hands: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """For each poker hand, its level and how often it was played."""
    planets: Mapping[str, int] = field(default_factory=dict)
    """Held Planet cards by their hand; with any, Observatory is owned."""
    tarots_used: int = 0
    steel_in_deck: int = 0
    targets: Mapping[str, str] = field(default_factory=dict)
    """What The Idol and Ancient Joker look for."""

    def run(self) -> Run:
        """The run in which the played cards are the first ones in hand. Raises ValueError for what does not fit.

        The engine itself selects the blind and takes in the jokers, so that debuffs are its own.
        """
        run = self._in_blind()
        for joker in self.jokers:
            run.debug_add_joker(joker.key, joker.edition)
        state = json.loads(run.to_json())
        self._set_cards(state)
        self._set_rest(state)
        return Run.from_json(json.dumps(state))

    def preview(self, luck: str) -> Preview:
        return self.run().preview(list(range(len(self.played))), luck)

    def _in_blind(self) -> Run:
        """The case's cards are the whole deck at first: all of them are dealt."""
        state = _fresh_state(self.deck)
        cards = [*self.played, *self.held]
        state["zones"]["deck"] = [_card_json(card, uid) for uid, card in enumerate(cards, 1)]
        state["round"]["hand_size"] = len(cards)
        if not self.blind_disabled:
            state["round"] |= self._on_deck()
        run = Run.from_json(json.dumps(state))
        run.step(Action("select_blind"))
        return run

    def _on_deck(self) -> dict[str, str]:
        if BLINDS[self.blind].boss:
            return {"on_deck": "boss", "boss": self.blind}
        return {"on_deck": self.blind.removeprefix("bl_")}

    def _set_cards(self, state: dict[str, Any]) -> None:
        """Back into the stated order; the run's own 52 cards are the draw pile."""
        cards = {card["uid"]: card for card in state["zones"]["hand"]}
        for uid, card in enumerate([*self.played, *self.held], 1):
            if card.debuffed and "debuffed" not in cards[uid]["state"]:
                cards[uid]["state"].append("debuffed")
        state["zones"]["hand"] = [cards[uid] for uid in sorted(cards)]
        pile = _fresh_state(self.deck)["zones"]["deck"]
        for uid, card in enumerate(pile, len(cards) + 1):
            card["uid"] = uid
        for card in pile[: self.steel_in_deck]:
            card["modifier"] = ["m_steel"]
        state["zones"]["deck"] = pile

    def _set_rest(self, state: dict[str, Any]) -> None:
        state["round"] |= self._on_deck() | {
            "hands_left": self.hands_left,
            "discards_left": self.discards_left,
            "joker_slots": self.joker_slots,
        }
        state["round"]["blind"] |= {"key": self.blind, "disabled": self.blind_disabled}
        state["economy"]["money"] = self.money
        state["memory"] |= {"tarots_used": self.tarots_used, "next_id": FREE_UID}
        state["targets"] |= self.targets
        for joker, stated in zip(state["jokers"], self.jokers, strict=True):
            joker |= stated.state
        for hand, numbers in self.hands.items():
            state["hands"][hand] |= numbers
        keys = [PLANETS[hand] for hand, count in self.planets.items() for _ in range(count)]
        if keys:
            state["vouchers"] = ["v_observatory"]
            state["consumables"] = [
                {"key": key, "uid": uid, "edition": "e_base", "sell_bonus": 0} for uid, key in enumerate(keys, 100)
            ]


def scoring_positions(preview: Preview) -> list[int]:
    """Which of the played cards score: each of them adds chips, or is named as one without effect."""
    places = [event.index for event in preview.events if event.actor == "card" and event.kind in ("chips", "no_effect")]
    return sorted(set(places))


def _fresh_state(deck: str) -> dict[str, Any]:
    state: dict[str, Any] = json.loads(_fresh_text(deck))
    return state


@cache
def _fresh_text(deck: str) -> str:
    return Run(deck=deck).to_json()


def _card_json(card: SetupCard, uid: int) -> dict[str, Any]:
    return {"key": card.front, "uid": uid, "modifier": list(card.modifiers), "bonus": card.bonus}
