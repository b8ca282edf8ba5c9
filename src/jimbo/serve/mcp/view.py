"""What a player sees, in as few words as will do: a short form for every step, a full one, and what can be done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from jimbo.engine import Action, ActionKind, Phase, PublicOffer, PublicState
from jimbo.engine.catalog import BLINDS, EDITIONS
from jimbo.serve.assistant.prospects import Prospects
from jimbo.serve.terminal.input import typed
from jimbo.text import (
    RANKS,
    SUIT_NAMES,
    SUIT_SYMBOLS,
    blind_text,
    card_name,
    counted,
    front,
    full_deck,
    game_text,
    is_stone,
    joker_name,
    joker_now,
    money_text,
    next_blind,
    number_text,
    offer_name,
    place_name,
    rank_and_suit,
    stickers,
)
from jimbo.text.situation import card_words, price_text, rules_of_game, situation


def where(state: PublicState) -> str:
    """``Red Deck · White Stake, ante 1, round 1, Small Blind``."""
    game = game_text(state.deck, state.stake, state.challenge)
    return f"{game}, ante {state.ante}, round {state.round}, {place_name(state)}"


def brief(state: PublicState) -> list[str]:
    """A line for each thing on the table, by its name; what each thing does is left out."""
    lines = [*_now(state), *_owned(state)]
    return [f"{label}: {text}" for label, text in lines if text]


def full(state: PublicState) -> list[str]:
    """What everything does, the levels of the hands, and each card that is left to draw."""
    return [*rules_of_game(state), *situation(state), *_deck(state)]


# --- The short form ---------------------------------------------------------------------------------------------------


def _now(state: PublicState) -> Iterator[tuple[str, str]]:
    """What the phase is about."""
    match state.phase:
        case Phase.blind_select:
            yield "blinds", "; ".join(_blind_line(state, slot) for slot in range(len(state.blinds)))
            yield "money", money_text(state.dollars)
        case Phase.selecting_hand:
            left = f"{counted(state.hands_left, 'hand')} and {counted(state.discards_left, 'discard')} left"
            yield "score", f"{number_text(state.chips)} of {number_text(state.blind.target)}, {left}"
            yield "boss", _boss_in_play(state)
            yield "money", money_text(state.dollars)
        case Phase.round_eval:
            yield "cash out", f"{money_text(state.payout.total)} to come"
            yield "money", money_text(state.dollars)
        case Phase.shop:
            yield "money", f"{money_text(state.dollars)}, reroll {price_text(state.reroll_price)}"
            yield "next", _next(state)
            yield "cards", _goods("b", ((offer_words(one), one.price) for one in state.shop))
            yield "vouchers", _goods("v", ((one.name, one.price) for one in state.shop_vouchers))
            yield "packs", _goods("o", ((one.name, one.price) for one in state.shop_boosters))
        case Phase.pack_opening:
            pack = state.pack
            if pack:
                offered = _numbered("k", map(offer_words, pack.cards))
                yield "pack", f"take {min(pack.picks_left, len(pack.cards))} of {offered}"
            yield "money", money_text(state.dollars)
        case _:
            made = f"{number_text(state.chips)} of {number_text(state.blind.target)}"
            lost = f"lost to {BLINDS[state.blind.key].name} with {made}"
            yield "end", "the run has outgrown the engine's room for cards" if state.end == "no_room" else lost
    if state.won:
        yield "won", "yes; what follows is the endless game"


def _owned(state: PublicState) -> Iterator[tuple[str, str]]:
    yield "hand", _numbered("", map(card_words, state.hand))
    slots = len(state.jokers) + state.joker_room
    yield f"jokers ({len(state.jokers)} of {slots})", _numbered("j", _joker_words(state))
    held = len(state.consumables) + state.consumable_room
    yield f"held ({len(state.consumables)} of {held})", _numbered("c", (one.name for one in state.consumables))
    yield "tags", ", ".join(tag.name for tag in state.tags)
    if state.hand:
        yield "deck", f"{state.draw_pile} of {len(full_deck(state))} to draw"


def _blind_line(state: PublicState, slot: int) -> str:
    blind = state.blinds[slot]
    if blind.progress == "done":
        return f"{blind.name} done"
    now = "> " if blind.progress == "now" else ""
    more = f", skip for {blind.tag.name}" if blind.tag else f", {blind_text(blind)}"
    return f"{now}{blind.name} {number_text(blind.target)} for {money_text(blind.reward)}{more}"


def _boss_in_play(state: PublicState) -> str:
    fact = BLINDS[state.blind.key]
    if not fact.boss:
        return ""
    return f"{fact.name} is disabled" if state.blind.disabled else f"{fact.name}: {fact.text}"


def _next(state: PublicState) -> str:
    coming, boss = next_blind(state), state.blinds[-1]
    text = f"{coming.name} {number_text(coming.target)}"
    return text if coming.slot == boss.slot else f"{text}, boss {boss.name}"


def offer_words(offer: PublicOffer) -> str:
    """What is offered, with its edition and stickers."""
    if offer.card:
        return card_words(offer.card)
    return " ".join([offer_name(offer), *_extras(offer.edition, stickers(offer))])


def _joker_words(state: PublicState) -> Iterator[str]:
    for joker in state.jokers:
        if joker.face_down:
            yield "face down"
            continue
        marks = [*_extras(joker.edition, stickers(joker)), *(["debuffed"] if joker.debuffed else [])]
        now = joker_now(joker, state)
        yield " ".join([joker_name(joker), *marks]) + (f" ({now})" if now else "")


def _extras(edition: str | None, stuck: Iterable[str]) -> list[str]:
    return [*([EDITIONS[edition].name] if edition else []), *stuck]


def _goods(letter: str, goods: Iterable[tuple[str, int]]) -> str:
    return _numbered(letter, (f"{name} {price_text(price)}" for name, price in goods)) or "none left"


def _numbered(letter: str, names: Iterable[str]) -> str:
    return ", ".join(f"{letter}{place} {name}" for place, name in enumerate(names, 1))


# --- The full form ----------------------------------------------------------------------------------------------------


def _deck(state: PublicState) -> list[str]:
    """What may still be drawn; a card of the hand that lies face down is among it."""
    plain = [card for card in state.unseen if not is_stone(card)]
    counts = Counter(front(card) for card in plain)
    lines = []
    for suit, name in SUIT_NAMES.items():
        ranks = [(rank, counts[f"{suit}_{'T' if rank == '10' else rank}"]) for rank in RANKS]
        held = " ".join(rank + (f"x{count}" if count > 1 else "") for rank, count in ranks if count)
        total = sum(1 for card in plain if rank_and_suit(card)[1] == suit)
        lines.append(f"left to draw, {name} {SUIT_SYMBOLS[suit]} ({total}): {held or 'none'}")
    special = [card_name(card) for card in state.unseen if card.enhancement or card.edition or card.seal]
    return [*lines, *([f"of them special: {', '.join(special)}"] if special else [])]


# --- What can be done -------------------------------------------------------------------------------------------------


def possible(state: PublicState) -> list[str]:
    """What can be done, as ``act`` takes it, with what it means where that is not plain."""
    if state.over:
        return []
    legal = Prospects(state).run.legal_actions()
    kinds: dict[ActionKind, list[Action]] = {}
    for action in legal:
        kinds.setdefault(action.kind, []).append(action)
    found = [line for kind, actions in kinds.items() for line in _of_kind(kind, actions, state)]
    swap = Action(ActionKind.move_joker, index=0, to=1)
    if len(state.jokers) > 1 and state.refusal(swap) is None:
        found.append(f"{typed(swap)} (any order of jokers)")
    return found


def _of_kind(kind: ActionKind, actions: Sequence[Action], state: PublicState) -> list[str]:
    match kind:
        case ActionKind.play | ActionKind.discard:
            return [f"{typed(_example(actions))} (any {_counts(actions)})"]
        case ActionKind.use | ActionKind.pick | ActionKind.buy_and_use:
            return list(_with_targets(actions))
    return [typed(one) + _meaning(one, state) for one in dict.fromkeys(actions)]


def _example(actions: Sequence[Action]) -> Action:
    """Some cards, preferably two."""
    return next((one for one in actions if len(one.cards) == 2), actions[0])


def _with_targets(actions: Sequence[Action]) -> Iterator[str]:
    for index in sorted({one.index for one in actions}):
        of_it = [one for one in actions if one.index == index]
        example = of_it[-1]
        yield f"{typed(example)} (any {_counts(of_it)})" if example.cards else typed(example)


def _counts(actions: Sequence[Action]) -> str:
    counts = sorted({len(one.cards) for one in actions})
    return counted(counts[0], "card") if counts[0] == counts[-1] else f"{counts[0]} to {counts[-1]} cards"


def _meaning(action: Action, state: PublicState) -> str:
    match action.kind:
        case ActionKind.select_blind:
            return f" (play {next_blind(state).name})"
        case ActionKind.cash_out:
            return " (cash out)"
        case ActionKind.leave_shop:
            return " (leave the shop)"
        case ActionKind.reroll:
            return f" ({price_text(state.reroll_price)})"
        case ActionKind.sell_joker:
            joker = state.jokers[action.index]
            return "" if joker.face_down else f" ({money_text(joker.sell_value)})"
        case ActionKind.sell_consumable:
            return f" ({money_text(state.consumables[action.index].sell_value)})"
    return ""
