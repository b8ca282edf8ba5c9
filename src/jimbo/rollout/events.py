"""Runs as events: an observer that tells an aggregator what happens in them."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from jimbo.agents.registry import agent_names
from jimbo.data.record import Considered, Route
from jimbo.engine import Actor, Event, EventKind, PublicCard, PublicState
from jimbo.engine.catalog import BLINDS, HANDS
from jimbo.rollout.loop import Moment, Observer
from jimbo.telemetry import events as told
from jimbo.telemetry.program import events_url, source_of
from jimbo.telemetry.sender import Teller
from jimbo.text.actions import action_words
from jimbo.text.cards import SUIT_SYMBOLS, is_stone
from jimbo.text.events import tell
from jimbo.text.jokers import chips_text, mult_text, x_mult_text
from jimbo.text.numbers import money_text

_HANDS, _BLINDS = tuple(HANDS.values()), tuple(BLINDS.values())
_EFFECTS: Mapping[EventKind, Callable[[float], str]] = {
    EventKind.chips: chips_text,
    EventKind.mult: mult_text,
    EventKind.x_mult: x_mult_text,
    EventKind.dollars: lambda amount: money_text(round(amount)),
}
_LETTERS = {ord(sign): letter for letter, sign in SUIT_SYMBOLS.items()}


def game_observers(
    url: str | None = None, *, agent: str | None = None, seed: Callable[[], str] = str
) -> tuple[Observer, ...]:
    """Return what tells of runs, if anybody wants to know: at ``url``, or where JIMBO_EVENTS says.

    ``seed`` gives the seed of the run that is being played, or nothing where nobody knows it.
    """
    source = source_of(url or events_url())
    return (GameEvents(source, agent=agent, seed=seed),) if source else ()


class GameEvents(Observer):
    """Tells a source of events about runs. Whole runs are left out where telling would take too much time."""

    def __init__(self, source: Teller, *, agent: str | None = None, seed: Callable[[], str] = str) -> None:
        self._source, self._agent, self._seed = source, agent, seed
        self._game_id = ""
        """Of the run that is told of; empty for one that is left out."""
        self._over = True
        self._decisions = 0
        """Decisions of a run that is left out."""

    def started(self, state: PublicState) -> None:
        fresh = state.round == 0 and state.phase == "blind_select" and not state.skips
        if not fresh and not self._over and self._game_id:
            with self._source.spending():
                self._tell(_snapshot(state))
            return
        if not self._over and not self._game_id:
            self._source.skip(self._decisions)
        self._over = False
        if not self._source.may_tell():
            self._game_id, self._decisions = "", 0
            return
        with self._source.spending():
            self._game_id = f"{self._seed() or 'game'}-{uuid.uuid4().hex[:6]}"
            start = told.GameStart(
                seed=self._seed(), stake=state.stake, deck=state.deck, challenge=state.challenge, agent=self._agent
            )
            self._tell(start)
            if not fresh:
                self._tell(_snapshot(state))

    def happened(self, moment: Moment) -> None:
        if not self._game_id:
            self._decisions += 1
            if (moment.after.over or moment.after.won) and not self._over:
                self._over = True
                self._source.skip(self._decisions)
            return
        with self._source.spending():
            self._tell(_decision(moment))
            self._tell_action(moment)
            for event in moment.events:
                self._tell_event(event, moment)
            self._tell_outcome(moment)
            after = moment.after
            if (after.over or after.won) and not self._over:
                self._tell_end("won" if after.won else "lost", moment.before.ante, moment.step, moment.after)

    def left(self, state: PublicState, steps: int, why: str) -> None:
        if self._over:
            return
        if not self._game_id:
            self._over = True
            self._source.skip(self._decisions)
            return
        if why:
            self._tell(told.FailureEvent(message=why))
        self._tell_end("error" if why else "left", state.ante, steps, state)

    def _tell(self, event: told.EventData) -> None:
        self._source.tell(event, self._game_id)

    def _tell_end(self, reason: str, ante: int, steps: int, state: PublicState) -> None:
        self._over = True
        self._tell(
            told.GameOver(
                final_score=state.chips,
                round_reached=state.round,
                reason=reason,
                ante=ante,
                won=state.won,
                steps=steps,
            )
        )

    # --- What happened ------------------------------------------------------------------------------------------------

    def _tell_event(self, event: Event, moment: Moment) -> None:
        before, after = moment.before, moment.after
        if event.actor == Actor.joker and event.index < len(before.jokers):
            self._tell(_triggered(event, before))
        match event.kind:
            case EventKind.blind_selected:
                self._tell(
                    told.RoundStarted(
                        round=after.round,
                        ante=after.ante,
                        blind_type=str(before.on_deck),
                        blind=_BLINDS[event.key].key,
                        required_score=event.amount,
                    )
                )
            case EventKind.round_won:
                self._tell(
                    told.BlindDefeated(
                        blind_type=str(before.on_deck),
                        score=event.amount,
                        required_score=before.blind.target,
                        blind=before.blind.key,
                        ante=before.ante,
                    )
                )
                self._tell(_round_ended(moment, won=True))
            case EventKind.lost:
                self._tell(_round_ended(moment, won=False))

    def _tell_action(self, moment: Moment) -> None:
        """Tell what the action itself says: hands, discards, purchases, sales."""
        before, after, action = moment.before, moment.after, moment.decision.action
        match action.kind:
            case "play":
                self._tell(_hand_played(moment))
            case "discard":
                self._tell(told.CardDiscarded(cards=_cards(before.hand, action.cards)))
            case "buy" | "buy_and_use":
                offer = before.shop[action.index]
                kind = "joker" if offer.joker else "consumable" if offer.consumable else "card"
                key = offer.joker or offer.consumable or (card_code(offer.card) if offer.card else offer.name)
                self._bought(kind, key, offer.price, after)
            case "redeem":
                voucher = before.shop_vouchers[action.index]
                self._bought("voucher", voucher.key, voucher.price, after)
            case "open_booster":
                pack = before.shop_boosters[action.index]
                self._bought("pack", pack.key, pack.price, after)
            case "sell_joker":
                joker = before.jokers[action.index]
                self._sold("joker", _joker_key(joker.key), joker.sell_value, after)
            case "sell_consumable":
                held = before.consumables[action.index]
                self._sold("consumable", held.key, held.sell_value, after)

    def _tell_outcome(self, moment: Moment) -> None:
        """Tell of cards that were changed, and of a shop that has opened."""
        before, after = moment.before, moment.after
        if any(event.kind == EventKind.card_changed for event in moment.events):
            for change in _changes(moment):
                self._tell(change)
        if after.phase == "shop" and before.phase == "round_eval":
            items = [offer.joker or offer.consumable or offer.name for offer in after.shop]
            items += [one.key for one in after.shop_vouchers] + [one.key for one in after.shop_boosters]
            self._tell(told.ShopEntered(round=after.round, money=after.dollars, available_items=items))

    def _bought(self, kind: str, key: str, cost: int, after: PublicState) -> None:
        self._tell(told.CardPurchased(card_type=kind, card_id=key, cost=cost, money=after.dollars))

    def _sold(self, kind: str, key: str, value: int, after: PublicState) -> None:
        self._tell(told.CardSold(card_type=kind, card_id=key, value=value, money=after.dollars))


def card_code(card: PublicCard) -> str:
    """Return a card as events write it: ``AH``, ``10S``, ``stone`` or ``face_down``."""
    if card.face_down:
        return "face_down"
    return "stone" if is_stone(card) else f"{card.rank}{card.suit}"


def _cards(hand: Sequence[PublicCard], places: Sequence[int]) -> list[str]:
    return [card_code(hand[place]) for place in places]


def _joker_key(key: str | None) -> str:
    return key or "face_down"


def _decision(moment: Moment) -> told.DecisionMade:
    decision = moment.decision
    chosen: Considered | None = next((one for one in decision.considered if one.chosen), None)
    return told.DecisionMade(
        step=moment.step,
        phase=str(moment.before.phase),
        action=str(decision.action.kind),
        words=action_words(decision.action, moment.before),
        ante=moment.before.ante,
        considered=len(decision.considered) or None,
        value=chosen.value if chosen else None,
        win=decision.win,
        milliseconds=round(1000 * moment.processor_seconds, 3) or None,
        used_llm=_is_llm(decision.route) or None,
    )


@cache
def _agents() -> frozenset[str]:
    return frozenset(agent_names())


def _is_llm(route: Route | None) -> bool:
    """Whether a language model decided: models are no agents of ours, by name."""
    return route is not None and route.selected_policy not in _agents()


def _hand_played(moment: Moment) -> told.HandPlayed:
    before, events = moment.before, moment.events
    hand = next((_HANDS[event.key].name for event in events if event.kind == EventKind.hand), "")
    chips, mult = _without_jokers(events)
    return told.HandPlayed(
        hand_type=hand or moment.after.last_hand.hand,
        cards=_cards(before.hand, moment.decision.action.cards),
        score=next((event.amount for event in events if event.kind == EventKind.score), 0.0),
        total=moment.after.chips,
        required_score=before.blind.target,
        chips=chips,
        mult=mult,
    )


def _without_jokers(events: Sequence[Event]) -> tuple[float, float]:
    """Return chips and mult of the last hand that is scored, without what jokers added to them."""
    chips = mult = 0.0
    for event in events:
        if event.kind == EventKind.hand:
            chips, mult = event.chips, event.mult
        elif event.actor != Actor.joker:
            if event.kind == EventKind.chips:
                chips += event.amount
            elif event.kind == EventKind.mult:
                mult += event.amount
            elif event.kind == EventKind.x_mult:
                mult *= event.amount
    return chips, mult


def _triggered(event: Event, before: PublicState) -> told.JokerTriggered:
    words = _EFFECTS.get(event.kind)
    return told.JokerTriggered(
        joker_id=_joker_key(before.jokers[event.index].key),
        trigger_type=str(event.kind),
        effect=words(event.amount) if words else str(event.kind).replace("_", " "),
        amount=event.amount,
    )


def _round_ended(moment: Moment, *, won: bool) -> told.RoundEnded:
    before, after = moment.before, moment.after
    return told.RoundEnded(
        round=before.round,
        ante=before.ante,
        won=won,
        hands_left=after.hands_left,
        discards_left=before.discards_left,
        money=after.dollars,
        jokers=len(before.jokers),
    )


def _changes(moment: Moment) -> list[told.CardEnhanced]:
    lines = tell(moment.events, moment.before, moment.after)
    return [
        told.CardEnhanced(card=line.who.translate(_LETTERS), change=line.what)
        for line in lines
        if line.kind == EventKind.card_changed
    ]


def _snapshot(state: PublicState) -> told.StateSnapshot:
    return told.StateSnapshot(
        phase=str(state.phase),
        ante=state.ante,
        round=state.round,
        chips=state.chips,
        required_score=state.blind.target,
        money=state.dollars,
        hands_left=state.hands_left,
        discards_left=state.discards_left,
        hand=[card_code(card) for card in state.hand],
        jokers=[_joker_key(joker.key) for joker in state.jokers],
    )
