"""Why an action is not allowed, in words and with the numbers that matter."""

from __future__ import annotations

from dataclasses import dataclass

from jimbo.engine import Action, ActionKind, PublicOffer, PublicState, Refusal
from jimbo.engine.catalog import CONSUMABLES, ConsumableFact
from jimbo.text.blinds import PHASES
from jimbo.text.jokers import joker_name
from jimbo.text.numbers import counted, money_text
from jimbo.text.offers import offer_name


def refusal_words(action: Action, refusal: Refusal, state: PublicState) -> str:
    """A sentence for the player who tried it."""
    if refusal == Refusal.wrong_phase:
        return f"That is not possible {PHASES.get(state.phase, 'now that the run is over')}."
    about = None if refusal == Refusal.no_such_place else _subject(action, state)
    text = refusal.sentence
    if about and about.price is not None and refusal == Refusal.not_enough_money:
        text = f"it costs {money_text(about.price)}, you have {money_text(state.dollars)}"
    if about and refusal == Refusal.wrong_number_of_targets:
        text = _about_targets(about.consumable, state)
    if refusal == Refusal.too_many_cards:
        text = f"{text}; you chose {len(action.cards)}"
    return f"{about.name}: {text}." if about else f"{text[0].upper()}{text[1:]}."


@dataclass(frozen=True, slots=True)
class _Subject:
    """What an action is about."""

    name: str
    price: int | None = None
    consumable: ConsumableFact | None = None


def _subject(action: Action, state: PublicState) -> _Subject | None:
    place = action.index
    match action.kind:
        case ActionKind.buy | ActionKind.buy_and_use:
            return _offered(state.shop[place])
        case ActionKind.redeem:
            return _Subject(state.shop_vouchers[place].name, state.shop_vouchers[place].price)
        case ActionKind.open_booster:
            return _Subject(state.shop_boosters[place].name, state.shop_boosters[place].price)
        case ActionKind.reroll:
            return _Subject("Reroll", state.reroll_price)
        case ActionKind.use:
            held = state.consumables[place]
            return _Subject(held.name, consumable=CONSUMABLES[held.key])
        case ActionKind.pick:
            return _offered(state.pack.cards[place]) if state.pack else None
        case ActionKind.sell_joker:
            name = joker_name(state.jokers[place])
            return _Subject(name[0].upper() + name[1:])
    return None


def _offered(offer: PublicOffer) -> _Subject:
    return _Subject(offer_name(offer), offer.price, CONSUMABLES[offer.consumable] if offer.consumable else None)


def _about_targets(fact: ConsumableFact | None, state: PublicState) -> str:
    if fact is None or fact.max_targets == 0:
        return "it takes no cards from the hand"
    low, high = fact.min_targets, fact.max_targets
    cards = counted(high, "card") if low == high else f"{low} to {counted(high, 'card')}"
    where = "" if state.hand else ", and no hand has been dealt"
    return f"it needs {cards} from the hand, written after its number{where}"
