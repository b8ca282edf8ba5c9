"""Answers to what a player of ``jimbo play`` asks: help, levels, the deck, a card's text, a preview."""

from collections import Counter
from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from jimbo.colours import BLUE, CYAN, GREEN, QUIET, RED
from jimbo.engine import (
    Action,
    PublicBooster,
    PublicCard,
    PublicConsumable,
    PublicJoker,
    PublicOffer,
    PublicState,
    PublicTag,
    PublicVoucherOffer,
)
from jimbo.engine.catalog import (
    BOOSTERS,
    CONSUMABLES,
    EDITIONS,
    ENHANCEMENTS,
    JOKERS,
    SEALS,
    STICKERS,
    VOUCHERS,
)
from jimbo.serve.assistant.scoring import best_selection, edited, score_selection
from jimbo.serve.game import BadInput, check
from jimbo.serve.terminal.help import commands
from jimbo.serve.terminal.input import ZONES, Request
from jimbo.serve.terminal.items import SUITS, in_columns, item_text, joker_text
from jimbo.serve.terminal.scoring import judgement
from jimbo.serve.terminal.story import story, words
from jimbo.text import (
    RANK_NAMES,
    RANKS,
    SUIT_NAMES,
    SUIT_SYMBOLS,
    blind_text,
    counted,
    full_deck,
    is_stone,
    joker_name,
    joker_now,
    number_text,
    rank_and_suit,
    stickers,
    tag_text,
    tell,
)

ANSWERED = ("help", "levels", "deck", "inspect", "preview")
"""The requests that have an answer here."""


def answer(request: Request, state: PublicState, width: int) -> RenderableType:
    """What there is to say to a request. Raises BadInput where there is nothing."""
    match request.kind:
        case "help":
            return help_text(state)
        case "levels":
            return levels(state)
        case "deck":
            return deck(state, width)
        case "inspect":
            return inspect(state, request.text)
        case "preview":
            return preview(_as_if(state, request), request.cards, request.text, width)
    raise AssertionError(request)


def help_text(state: PublicState) -> Table:
    return command_table(commands(state))


def command_table(entries: Iterable[tuple[str, str]]) -> Table:
    """What can be typed or pressed, with its meaning."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style=CYAN, no_wrap=True)
    table.add_column()
    for command, meaning in entries:
        table.add_row(command, meaning)
    return table


def levels(state: PublicState) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=QUIET)
    table.add_column("hand")
    for name in ("level", "chips", "mult", "played"):
        table.add_column(name, justify="right")
    for hand in reversed([hand for hand in state.hands if hand.visible]):
        table.add_row(
            hand.hand,
            f"{hand.level}",
            Text(number_text(hand.chips), style=BLUE),
            Text(number_text(hand.mult), style=RED),
            f"{hand.played}",
        )
    return table


def deck(state: PublicState, width: int) -> Group:
    """What may still be drawn. A face-down card in the hand is not known, so it counts among them."""
    unseen = state.unseen
    plain = [card for card in unseen if not is_stone(card)]
    counts = Counter((card.suit, card.rank) for card in plain)
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style=QUIET)
    table.add_column("")
    for rank in RANKS:
        table.add_column(rank, justify="right")
    table.add_column("all", justify="right", style="bold")
    for suit in ("S", "H", "C", "D"):
        row = [counts[suit, rank] for rank in RANKS]
        table.add_row(Text(SUIT_SYMBOLS[suit], style=SUITS[suit][1]), *map(_count, row), f"{sum(row)}")
    table.add_row("", *(_count(sum(counts[suit, rank] for suit in SUIT_NAMES)) for rank in RANKS), f"{len(plain)}")
    special = [card for card in unseen if card.enhancement or card.edition or card.seal or card.bonus]
    head = Text(f"{len(unseen)} of {counted(len(full_deck(state)), 'card')} left to draw", style="bold")
    parts: list[RenderableType] = [head, table]
    if special:
        parts.append(in_columns([item_text(card) for card in sorted(special, key=_order)], width))
    return Group(*parts)


def _count(count: int) -> Text:
    return Text(f"{count}" if count else "-", style="" if count else QUIET)


def _order(card: PublicCard) -> tuple[str, str, int]:
    rank, suit = rank_and_suit(card)
    return card.enhancement or "", suit, RANKS.index(rank)


# --- One item ---------------------------------------------------------------------------------------------------------


def inspect(state: PublicState, what: str) -> Group:
    """All about one item, named as on the screen."""
    if what in ("boss", "blind"):
        boss = state.blinds[-1]
        pays = f"Score {number_text(boss.target)}, pays ${boss.reward}."
        return _entry(_bold(boss.name), blind_text(boss), pays)
    letter, number = (what[0], what[1:]) if what[:1].isalpha() else ("", what)
    if letter not in ZONES or not number.isdecimal():
        raise BadInput(f'There is no "{what}" on the screen; write it as shown there, such as j1, c1, b1 or 3.')
    zone = ZONES[letter](state)
    if not 1 <= int(number) <= len(zone):
        raise BadInput(f"There is no {what} here.")
    item = zone[int(number) - 1]
    price = [words(f"Costs ${item.price}.")] if isinstance(item, PublicOffer) and letter == "b" else []
    return Group(_about(item, state), *price)


def _about(item: object, state: PublicState) -> Group:
    match item:
        case PublicCard():
            return _about_card(item)
        case PublicJoker():
            return _about_joker(item, state)
        case PublicOffer(card=PublicCard() as card):
            return _about_card(card)
        case PublicOffer():
            more = _extras(item.edition, stickers(item))
            if item.consumable:
                return _consumable(item_text(item), item.consumable, *more)
            return _joker(item_text(item), item.joker or "", *more)
        case PublicConsumable():
            sells = [f"Sells for ${item.sell_value}."] if item.sell_value else []
            return _consumable(item_text(item), item.key, *_extras(item.edition), *sells)
        case PublicVoucherOffer():
            return _entry(_bold(item.name), VOUCHERS[item.key].text, f"Costs ${item.price}.")
        case PublicBooster():
            return _entry(_bold(item.name), BOOSTERS[item.key].text, f"Costs ${item.price}.")
        case PublicTag():
            return _entry(_bold(item.name), tag_text(item))
    raise AssertionError(item)


def _about_joker(joker: PublicJoker, state: PublicState) -> Group:
    if not joker.key:
        return _entry(_bold("A joker, face down"))
    lines = []
    copied = [joker_name(state.jokers[part.copied]) for part in joker.shown if part.copied is not None]
    if now := joker_now(joker, state):
        lines.append(f"Now it is {copied[0]}." if copied else f"Now {now}.")
    if joker.debuffed:
        lines.append("Debuffed: it does nothing.")
    elif joker.perishable:
        lines.append(f"{counted(joker.perish_left, 'round')} left.")
    if joker.pinned:
        lines.append("Pinned to the left.")
    lines.append(f"Sells for ${joker.sell_value}.")
    return _joker(joker_text(joker), joker.key, *lines, *_extras(joker.edition, stickers(joker)))


def _about_card(card: PublicCard) -> Group:
    if card.face_down:
        return _entry(_bold("A card, face down"))
    rank, suit = rank_and_suit(card)
    lines = [] if is_stone(card) else [f"{RANK_NAMES.get(rank, rank)} of {SUIT_NAMES[suit]}."]
    if card.enhancement:
        lines.append(f"{ENHANCEMENTS[card.enhancement].name}: {ENHANCEMENTS[card.enhancement].text}")
    if card.bonus:
        lines.append(f"+{card.bonus} Chips gained for good.")
    if card.debuffed:
        lines.append("Debuffed: it counts for the hand but scores nothing.")
    if card.forced:
        lines.append("Always selected.")
    lines += _extras(card.edition)
    if card.seal:
        lines.append(f"{SEALS[card.seal].name}: {SEALS[card.seal].text}")
    return _entry(item_text(card), *lines)


def _extras(edition: str | None, stuck: Sequence[str] = ()) -> list[str]:
    lines = [f"{EDITIONS[edition].name}: {EDITIONS[edition].text}"] if edition else []
    return lines + [f"{STICKERS[key].name}: {STICKERS[key].text}" for key in stuck]


def _bold(name: str) -> Text:
    return Text(name, style="bold")


def _joker(name: Text, key: str, *lines: str) -> Group:
    return _entry(Text.assemble(name, (f"  {JOKERS[key].rarity}", QUIET)), JOKERS[key].text, *lines)


def _consumable(name: Text, key: str, *lines: str) -> Group:
    return _entry(Text.assemble(name, (f"  {CONSUMABLES[key].kind}", QUIET)), CONSUMABLES[key].text, *lines)


def _entry(name: Text, *lines: str) -> Group:
    return Group(name, *(Text.assemble("  ", words(line)) for line in lines))


# --- Previews ---------------------------------------------------------------------------------------------------------


def _as_if(state: PublicState, request: Request) -> PublicState:
    """The table with the changes that a preview asks for."""
    if not request.muted and not request.numbers:
        return state
    try:
        return edited(state, request.muted, request.numbers)
    except BadInput:
        raise
    except ValueError as error:
        raise BadInput(str(error)) from None


def preview(state: PublicState, cards: Sequence[int], luck: str, width: int) -> Group:
    """What a play would score, the best one if none is named; unless a luck is named, without any, and what luck could
    make of it."""
    cards = cards or best_selection(state)
    check(Action("play", cards=cards), state)
    run = state.imagine(0)
    outcome = run.preview(cards, luck or "none")
    parts = story(tell(outcome.events, state), width)
    if not luck:
        expected, best = (run.preview(cards, chance).score for chance in ("expected", "all"))
        if best != outcome.score:
            parts.append(Text(f"With luck {number_text(best)}, on average {number_text(expected)}.", style=GREEN))
    return Group(*parts, *judgement(state, score_selection(state, cards)))
