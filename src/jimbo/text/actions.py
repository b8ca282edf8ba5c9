"""Actions in words, with the names of what they act on; and why one is not allowed, with the numbers that matter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from jimbo.engine import BOSS_REROLL_PRICE, Action, ActionKind, PublicOffer, PublicState, Refusal
from jimbo.engine.catalog import CONSUMABLES, ConsumableFact
from jimbo.text.blinds import PHASES, next_blind
from jimbo.text.cards import FACE_DOWN, card_short, offer_name
from jimbo.text.jokers import joker_name
from jimbo.text.numbers import counted, money_text


def action_words(action: Action, state: PublicState) -> str:
    """What an action does in this state, as the player would say it."""
    try:
        return _WORDS[action.kind](action, state)
    except IndexError:
        # Agents may also think of actions that only later become possible.
        return action.kind.replace("_", " ")


def _cards(places: Sequence[int], state: PublicState) -> str:
    """Those that show, then how many do not."""
    hidden = sum(place < len(state.hand) and state.hand[place].face_down for place in places)
    shown = (place for place in places if place >= len(state.hand) or not state.hand[place].face_down)
    words = " ".join(card_short(state.hand[place]) if place < len(state.hand) else "?" for place in shown)
    if not hidden:
        return words
    rest = FACE_DOWN if hidden == 1 else counted(hidden, "face-down card")
    return f"{words} and {rest}" if words else rest


def _on(action: Action, state: PublicState) -> str:
    return f" on {_cards(action.cards, state)}" if action.cards else ""


def _skip(state: PublicState) -> str:
    blind = next_blind(state)
    return f"skip {blind.name} for the {blind.tag.name}" if blind.tag else f"skip {blind.name}"


def _buy(action: Action, state: PublicState) -> str:
    offer = state.shop[action.index]
    return f"buy {offer_name(offer)} for {money_text(offer.price)}"


def _redeem(action: Action, state: PublicState) -> str:
    voucher = state.shop_vouchers[action.index]
    return f"redeem {voucher.name} for {money_text(voucher.price)}"


def _open(action: Action, state: PublicState) -> str:
    booster = state.shop_boosters[action.index]
    return f"open {booster.name} for {money_text(booster.price)}"


def _pick(action: Action, state: PublicState) -> str:
    name = offer_name(state.pack.cards[action.index]) if state.pack else "a card"
    return f"take {name}{_on(action, state)}"


def _sell_joker(action: Action, state: PublicState) -> str:
    joker = state.jokers[action.index]
    price = "" if joker.face_down else f" for {money_text(joker.sell_value)}"  # nobody knows what that one brings
    return f"sell {joker_name(joker)}{price}"


def _sell_consumable(action: Action, state: PublicState) -> str:
    card = state.consumables[action.index]
    return f"sell {card.name} for {money_text(card.sell_value)}"


def _moved(name: str, action: Action) -> str:
    return f"move {name} to place {action.to + 1}"


_WORDS: dict[ActionKind, Callable[[Action, PublicState], str]] = {
    ActionKind.select_blind: lambda a, s: f"play {next_blind(s).name}",
    ActionKind.skip_blind: lambda a, s: _skip(s),
    ActionKind.reroll_boss: lambda a, s: "reroll the boss",
    ActionKind.play: lambda a, s: f"play {_cards(a.cards, s)}",
    ActionKind.discard: lambda a, s: f"discard {_cards(a.cards, s)}",
    ActionKind.cash_out: lambda a, s: f"cash out {money_text(s.payout.total)}",
    ActionKind.buy: _buy,
    ActionKind.buy_and_use: lambda a, s: f"{_buy(a, s)} and use it{_on(a, s)}",
    ActionKind.redeem: _redeem,
    ActionKind.open_booster: _open,
    ActionKind.reroll: lambda a, s: f"reroll for {money_text(s.reroll_price)}",
    ActionKind.leave_shop: lambda a, s: "leave the shop",
    ActionKind.pick: _pick,
    ActionKind.skip_pack: lambda a, s: "take nothing more from the pack",
    ActionKind.use: lambda a, s: f"use {s.consumables[a.index].name}{_on(a, s)}",
    ActionKind.sell_joker: _sell_joker,
    ActionKind.sell_consumable: _sell_consumable,
    ActionKind.move_joker: lambda a, s: _moved(joker_name(s.jokers[a.index]), a),
    ActionKind.move_consumable: lambda a, s: _moved(s.consumables[a.index].name, a),
    ActionKind.move_card: lambda a, s: _moved(_cards([a.index], s), a),
    ActionKind.sort_hand_by_rank: lambda a, s: "sort the hand by rank",
    ActionKind.sort_hand_by_suit: lambda a, s: "sort the hand by suit",
}


# --- Refusals ---------------------------------------------------------------------------------------------------------


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
        case ActionKind.reroll_boss:
            return _Subject("Boss reroll", BOSS_REROLL_PRICE)
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
