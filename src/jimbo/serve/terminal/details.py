"""Answers to what a player of ``jimbo play`` asks: help, levels, the deck, a card's text, a preview."""

from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from jimbo.colours import BLUE, CYAN, GREEN, QUIET, RED
from jimbo.engine import Action, PublicCard, PublicConsumable, PublicJoker, PublicOffer, PublicState
from jimbo.engine.catalog import CONSUMABLES, JOKERS
from jimbo.serve.assistant.scoring import best_selection, edited, score_selection
from jimbo.serve.game import BadInput, check
from jimbo.serve.terminal.help import commands
from jimbo.serve.terminal.input import ZONES, Request
from jimbo.serve.terminal.items import SUITS, in_columns, item_text, joker_text
from jimbo.serve.terminal.scoring import judgement
from jimbo.serve.terminal.story import story, words
from jimbo.text import (
    RANKS,
    SUIT_NAMES,
    SUIT_SYMBOLS,
    blind_text,
    counted,
    full_deck,
    number_text,
    tell,
)
from jimbo.text.items import Item, item_lines
from jimbo.text.rounds import left_to_draw

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
    counts, special = left_to_draw(state)
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style=QUIET)
    table.add_column("")
    for rank in RANKS:
        table.add_column(rank, justify="right")
    table.add_column("all", justify="right", style="bold")
    for suit in ("S", "H", "C", "D"):
        row = [counts[suit, rank] for rank in RANKS]
        table.add_row(Text(SUIT_SYMBOLS[suit], style=SUITS[suit][1]), *map(_count, row), f"{sum(row)}")
    table.add_row("", *(_count(sum(counts[suit, rank] for suit in SUIT_NAMES)) for rank in RANKS), f"{counts.total()}")
    head = Text(f"{len(state.unseen)} of {counted(len(full_deck(state)), 'card')} left to draw", style="bold")
    parts: list[RenderableType] = [head, table]
    if special:
        parts.append(in_columns([item_text(card) for card in special], width))
    return Group(*parts)


def _count(count: int) -> Text:
    return Text(f"{count}" if count else "-", style="" if count else QUIET)


# --- One item ---------------------------------------------------------------------------------------------------------


def inspect(state: PublicState, what: str) -> Group:
    """All about one item, named as on the screen."""
    if what in ("boss", "blind"):
        boss = state.blinds[-1]
        pays = f"Score {number_text(boss.target)}, pays ${boss.reward}."
        return Group(_bold(boss.name), *(Text.assemble("  ", words(line)) for line in (blind_text(boss), pays)))
    letter, number = (what[0], what[1:]) if what[:1].isalpha() else ("", what)
    if letter not in ZONES or not number.isdecimal():
        raise BadInput(f'There is no "{what}" on the screen; write it as shown there, such as j1, c1, b1 or 3.')
    zone = ZONES[letter](state)
    if not 1 <= int(number) <= len(zone):
        raise BadInput(f"There is no {what} here.")
    item = zone[int(number) - 1]
    price = [words(f"Costs ${item.price}.")] if isinstance(item, PublicOffer) and letter == "b" else []
    return Group(_about(item, state), *price)


def _about(item: Item, state: PublicState) -> Group:
    return Group(_title(item), *(Text.assemble("  ", words(line)) for line in item_lines(item, state)))


def _title(item: Item) -> Text:
    """The name of an item, with its rarity or kind."""
    match item:
        case PublicCard(face_down=True):
            return _bold("A card, face down")
        case PublicCard():
            return item_text(item)
        case PublicJoker():
            return _of_kind(joker_text(item), JOKERS[item.key].rarity) if item.key else _bold("A joker, face down")
        case PublicOffer(card=PublicCard() as card):
            return item_text(card)
        case PublicOffer():
            key = item.consumable or item.joker or ""
            return _of_kind(item_text(item), CONSUMABLES[key].kind if item.consumable else JOKERS[key].rarity)
        case PublicConsumable():
            return _of_kind(item_text(item), CONSUMABLES[item.key].kind)
    return _bold(item.name)


def _bold(name: str) -> Text:
    return Text(name, style="bold")


def _of_kind(name: Text, kind: str) -> Text:
    return Text.assemble(name, (f"  {kind}", QUIET))


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
