"""What a player sees, in plain lines: for readers that have no screen.

Places are numbered as ``jimbo play`` numbers them: cards of the hand from 1, jokers j1, consumables c1, cards on sale
b1, vouchers v1, packs o1, cards of a pack k1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from jimbo.engine import LAST_ANTE, Phase, PublicCard, PublicConsumable, PublicJoker, PublicOffer, PublicState
from jimbo.engine.catalog import BLINDS, BOOSTERS, CONSUMABLES, DECKS, EDITIONS, JOKERS, STAKES, VOUCHERS
from jimbo.text.blinds import blind_text, game_text, next_blind, place_name, tag_text
from jimbo.text.cards import RANKS, SUIT_SYMBOLS, card_name, is_stone, offer_name, offer_text
from jimbo.text.jokers import joker_name, joker_now, stickers
from jimbo.text.numbers import counted, money_text, number_text


def situation(state: PublicState) -> list[str]:
    """Lines for where the run stands, what is offered, and what is owned."""
    lines = [
        f"Ante {state.ante} of {LAST_ANTE}, round {state.round}: {place_name(state)}. "
        f"{game_text(state.deck, state.stake, state.challenge)}.",
        _status(state),
        *_PHASES.get(state.phase, _nothing)(state),
        *_owned(state),
        *_hands(state),
    ]
    return [line for line in lines if line]


def rules_of_game(state: PublicState) -> list[str]:
    """Lines for what its deck and its stake change."""
    deck, stakes = DECKS[state.deck], list(STAKES)
    harder = [STAKES[key] for key in stakes[1 : stakes.index(state.stake) + 1]]
    return [f"{deck.name}: {deck.text}", *(f"{stake.name}: {stake.text}" for stake in harder)]


def _nothing(_state: PublicState) -> Iterator[str]:
    return iter(())


def _status(state: PublicState) -> str:
    playing = state.phase == Phase.selecting_hand
    hands, discards = (
        (state.hands_left, state.discards_left) if playing else (state.hands_per_round, state.discards_per_round)
    )
    when = "left" if playing else "each round"
    return (
        f"Money {money_text(state.dollars)}. {counted(hands, 'hand')} and {counted(discards, 'discard')} {when}. "
        f"Hand size {state.hand_size}."
    )


# --- Phases -----------------------------------------------------------------------------------------------------------


def _blinds(state: PublicState) -> Iterator[str]:
    for blind in state.blinds:
        if blind.progress == "done":
            continue
        now = " (now)" if blind.progress == "now" else ""
        tag = f" Skipping it gives the {blind.tag.name}: {tag_text(blind.tag)}" if blind.tag else ""
        boss = f" {blind_text(blind)}" if BLINDS[blind.key].boss else ""
        yield f"{blind.name}{now}: score {number_text(blind.target)}, reward {money_text(blind.reward)}.{boss}{tag}"


def _round(state: PublicState) -> Iterator[str]:
    blind = state.blind
    left = max(0.0, blind.target - state.chips)
    yield f"Score {number_text(state.chips)} of {number_text(blind.target)}: {number_text(left)} to go."
    if BLINDS[blind.key].boss:
        more = {"bl_ox": state.most_played, "bl_mouth": blind.only_hand}.get(blind.key)
        off = " (disabled)" if blind.disabled else ""
        yield f"Boss: {BLINDS[blind.key].text}{f' ({more})' if more else ''}{off}"
    yield from _hand(state)


def _hand(state: PublicState) -> Iterator[str]:
    if state.hand:
        cards = "; ".join(f"{place} {card_words(card)}" for place, card in enumerate(state.hand, 1))
        yield f"Hand: {cards}."
        yield _unseen(state)


def card_words(card: PublicCard) -> str:
    """``Steel 10♠ +5 debuffed``: a card of the hand with all that is on it."""
    if card.face_down:
        text = "face down"
    else:
        text = card_name(card) + (f" +{card.bonus}" if card.bonus else "") + (" debuffed" if card.debuffed else "")
    return f"{text} (always selected)" if card.forced else text


def _unseen(state: PublicState) -> str:
    """What may still be drawn, by suit and by rank."""
    cards = [card for card in state.unseen if not is_stone(card)]
    suits, ranks = Counter(card.suit for card in cards), Counter(card.rank for card in cards)
    by_suit = " ".join(f"{sign}{suits[key]}" for key, sign in SUIT_SYMBOLS.items())
    by_rank = " ".join(f"{rank}:{ranks[rank]}" for rank in RANKS if ranks[rank])
    stones = len(state.unseen) - len(cards)
    return f"Not seen yet: {len(state.unseen)} cards, {by_suit}; {by_rank}{f'; Stone:{stones}' if stones else ''}."


def _payout(state: PublicState) -> Iterator[str]:
    yield f"Cash-out: {money_text(state.payout.total)}, {money_text(state.payout.interest)} of it interest."


def _shop(state: PublicState) -> Iterator[str]:
    coming, boss = next_blind(state), state.blinds[-1]
    yield f"Next blind: {coming.name}, {number_text(coming.target)}. Boss of the ante: {boss.name}: {blind_text(boss)}"
    yield f"On sale (a reroll of the cards is {price_text(state.reroll_price)}):"
    for place, item in enumerate(state.shop, 1):
        yield f"b{place} {_offer(item)}, {price_text(item.price)}: {offer_text(item)}"
    for place, voucher in enumerate(state.shop_vouchers, 1):
        yield f"v{place} {voucher.name} (voucher), {price_text(voucher.price)}: {VOUCHERS[voucher.key].text}"
    for place, pack in enumerate(state.shop_boosters, 1):
        yield f"o{place} {pack.name} (pack), {price_text(pack.price)}: {BOOSTERS[pack.key].text}"


def price_text(dollars: int) -> str:
    """``$5``, or ``free``."""
    return money_text(dollars) if dollars else "free"


def _pack(state: PublicState) -> Iterator[str]:
    if state.pack:
        yield f"{state.pack.name}: take up to {min(state.pack.picks_left, len(state.pack.cards))} of"
        for place, card in enumerate(state.pack.cards, 1):
            yield f"k{place} {_offer(card)}: {offer_text(card)}"
    yield from _hand(state)


def _offer(item: PublicOffer) -> str:
    """A thing to be bought or taken, with its edition and stickers; those of a playing card are in its name."""
    return offer_name(item) if item.card else _marked(item.name, item.edition, stickers(item))


def _marked(name: str, edition: str | None, marks: Iterable[str]) -> str:
    words = [*([EDITIONS[edition].name] if edition else []), *marks]
    return f"{name} [{', '.join(words)}]" if words else name


_PHASES = {
    Phase.blind_select: _blinds,
    Phase.selecting_hand: _round,
    Phase.round_eval: _payout,
    Phase.shop: _shop,
    Phase.pack_opening: _pack,
}

# --- What is owned ----------------------------------------------------------------------------------------------------


def _owned(state: PublicState) -> Iterator[str]:
    slots = len(state.jokers) + state.joker_room
    yield f"Jokers, {len(state.jokers)} of {slots}{':' if state.jokers else '.'}"
    for place, joker in enumerate(state.jokers, 1):
        yield f"j{place} {_joker(joker, state)}"
    slots = len(state.consumables) + state.consumable_room
    yield f"Consumables, {len(state.consumables)} of {slots}{':' if state.consumables else '.'}"
    for place, card in enumerate(state.consumables, 1):
        yield f"c{place} {_consumable(card)}"
    if state.tags:
        tags = " ".join(f"{tag.name}: {tag_text(tag)}" for tag in state.tags)
        yield f"Tags: {tags}"
    if state.vouchers:
        vouchers = " ".join(f"{VOUCHERS[key].name}: {VOUCHERS[key].text}" for key in state.vouchers)
        yield f"Vouchers: {vouchers}"


def _joker(joker: PublicJoker, state: PublicState) -> str:
    if joker.face_down or not joker.key:
        return joker_name(joker)
    left = f"perishable, {counted(joker.perish_left, 'round')} left"
    marks = [left if mark == "perishable" else mark for mark in stickers(joker)]
    marks += ["debuffed"] if joker.debuffed else []
    now = joker_now(joker, state)
    text = f"{JOKERS[joker.key].text}{f' Now: {now}.' if now else ''}"
    return f"{_marked(joker.name, joker.edition, marks)}, sells for {money_text(joker.sell_value)}: {text}"


def _consumable(card: PublicConsumable) -> str:
    return (
        f"{_marked(card.name, card.edition, ())}, sells for {money_text(card.sell_value)}: {CONSUMABLES[card.key].text}"
    )


def _hands(state: PublicState) -> Iterator[str]:
    """Levels of the poker hands, with how often each was played."""
    known = [hand for hand in state.hands if hand.visible]
    shown = "; ".join(
        f"{hand.hand} {number_text(hand.chips)} x {number_text(hand.mult)}"
        f"{f' (level {hand.level})' if hand.level > 1 else ''}{f' played {hand.played}' if hand.played else ''}"
        for hand in known
    )
    yield f"Poker hands, chips x mult: {shown}."
