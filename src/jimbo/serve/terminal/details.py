"""Answers to what a player of ``jimbo play`` asks: help, levels, the deck, a card's text, a preview."""

from collections import Counter
from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from jimbo.colours import BLUE, CYAN, GREEN, QUIET, RED
from jimbo.engine.catalog import EDITIONS, ENHANCEMENTS, SEALS, STICKERS
from jimbo.engine.run import (
    RANK_NAMES,
    RANKS,
    SUIT_NAMES,
    SUIT_SYMBOLS,
    BoosterView,
    CardView,
    ConsumableView,
    JokerView,
    OfferView,
    Run,
    RunView,
    ShopItemView,
    TagView,
    VoucherView,
)
from jimbo.serve.terminal.help import commands
from jimbo.serve.terminal.input import BadInput
from jimbo.serve.terminal.items import SUITS, in_columns
from jimbo.serve.terminal.screen import item_text, joker_text
from jimbo.serve.terminal.story import breakdown, words
from jimbo.text import counted, joker_now, number_text, tell


def help_text(view: RunView) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style=CYAN, no_wrap=True)
    table.add_column()
    for command, meaning in commands(view):
        table.add_row(command, meaning)
    return table


def levels(view: RunView) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=QUIET)
    table.add_column("hand")
    for name in ("level", "chips", "mult", "played"):
        table.add_column(name, justify="right")
    for hand in reversed([hand for hand in view.hands if hand.visible]):
        table.add_row(
            hand.name,
            f"{hand.level}",
            Text(number_text(hand.chips), style=BLUE),
            Text(number_text(hand.mult), style=RED),
            f"{hand.played}",
        )
    return table


def deck(view: RunView, width: int) -> Group:
    """What may still be drawn. A face-down card of the hand is not known, so it counts among them."""
    unseen = [*view.draw_pile, *(card for card in view.hand if card.face_down)]
    plain = [card for card in unseen if not card.is_stone]
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
    head = Text(f"{len(unseen)} of {counted(len(view.cards), 'card')} left to draw", style="bold")
    parts: list[RenderableType] = [head, table]
    if special:
        parts.append(in_columns([item_text(card) for card in sorted(special, key=_order)], width))
    return Group(*parts)


def _count(count: int) -> Text:
    return Text(f"{count}" if count else "-", style="" if count else QUIET)


def _order(card: CardView) -> tuple[str, str, int]:
    return card.enhancement or "", card.suit, RANKS.index(card.rank)


# --- One item ---------------------------------------------------------------------------------------------------------


def inspect(view: RunView, what: str) -> Group:
    """All about one item, named as on the screen."""
    if what in ("boss", "blind"):
        boss = view.blinds[-1]
        return _entry(
            Text(boss.name, style="bold"), boss.text, f"Score {number_text(boss.target)}, pays ${boss.reward}."
        )
    letter, number = (what[0], what[1:]) if what[:1].isalpha() else ("", what)
    zones: dict[str, Sequence[object]] = {
        "": view.hand,
        "j": view.jokers,
        "c": view.consumables,
        "b": view.shop,
        "v": view.shop_vouchers,
        "o": view.boosters,
        "k": view.pack.cards if view.pack else (),
        "t": view.tags,
    }
    if letter not in zones or not number.isdecimal():
        raise BadInput(f'"{what}" is nothing on the screen; write it as it stands there, such as j1, c1, b1 or 3.')
    zone = zones[letter]
    if not 1 <= int(number) <= len(zone):
        raise BadInput(f"There is no {what} here.")
    return _about(zone[int(number) - 1], view)


def _about(item: object, view: RunView) -> Group:
    match item:
        case ShopItemView(card, price):
            return Group(_about(card, view), words(f"Costs ${price}."))
        case VoucherView(fact, price) | BoosterView(fact, price):
            return _entry(Text(fact.name, style="bold"), fact.text, f"Costs ${price}.")
        case TagView():
            return _entry(Text(item.fact.name, style="bold"), item.text)
        case JokerView():
            return _about_joker(item, view)
        case ConsumableView():
            sells = [f"Sells for ${item.sell_value}."] if item.sell_value else []
            return _entry(_headed(item_text(item), item.fact.kind), item.fact.text, *_extras(item), *sells)
        case CardView():
            return _about_card(item)
    raise AssertionError(item)


def _about_joker(joker: JokerView, view: RunView) -> Group:
    if joker.face_down:
        return _entry(Text("A joker, face down", style="bold"))
    lines = [joker.fact.text]
    owned = joker in view.jokers
    now = joker_now(joker, view) if owned else ""
    if now:
        lines.append(f"Now {now}." if not now.startswith("=") else f"Now it is {now[2:]}.")
    if joker.debuffed:
        lines.append("Debuffed: it does nothing.")
    if "perishable" in joker.stickers and not joker.debuffed:
        lines.append(f"{counted(joker.perish_left, 'round')} left.")
    if joker.pinned:
        lines.append("Pinned to the left.")
    if owned:
        lines.append(f"Sells for ${joker.sell_value}.")
    return _entry(_headed(joker_text(joker), joker.fact.rarity), *lines, *_extras(joker))


def _about_card(card: CardView) -> Group:
    if card.face_down:
        return _entry(Text("A card, face down", style="bold"))
    lines = [] if card.is_stone else [f"{RANK_NAMES.get(card.rank, card.rank)} of {SUIT_NAMES[card.suit]}."]
    if card.enhancement:
        lines.append(f"{ENHANCEMENTS[card.enhancement].name}: {ENHANCEMENTS[card.enhancement].text}")
    if card.bonus:
        lines.append(f"+{card.bonus} Chips gained for good.")
    if card.debuffed:
        lines.append("Debuffed: it counts for the hand but scores nothing.")
    if card.forced:
        lines.append("Always selected.")
    return _entry(item_text(card), *lines, *_extras(card))


def _extras(card: OfferView) -> list[str]:
    lines = [f"{EDITIONS[card.edition].name}: {EDITIONS[card.edition].text}"] if card.edition else []
    if isinstance(card, CardView) and card.seal:
        lines.append(f"{SEALS[card.seal].name}: {SEALS[card.seal].text}")
    return lines + [f"{STICKERS[key].name}: {STICKERS[key].text}" for key in card.stickers]


def _headed(name: Text, kind: str) -> Text:
    return Text.assemble(name, (f"  {kind}", QUIET))


def _entry(name: Text, *lines: str) -> Group:
    return Group(name, *(Text.assemble("  ", words(line)) for line in lines))


# --- Previews ---------------------------------------------------------------------------------------------------------


def preview(run: Run, view: RunView, cards: Sequence[int], luck: str, width: int) -> Group:
    """What a play would score; without a wish for its luck, with none, and what luck could make of it."""
    outcome = run.preview(cards, luck or "none")
    scored = [line for line in tell(outcome.events, view) if line.totals]
    parts: list[RenderableType] = [breakdown(scored, width)]
    if outcome.blocked:
        parts.append(Text(f"{view.blinds[-1].name} lets {outcome.hand} score nothing.", style=RED))
    if not luck:
        expected, best = (run.preview(cards, chance).score for chance in ("expected", "all"))
        if best != outcome.score:
            parts.append(Text(f"With luck {number_text(best)}, on average {number_text(expected)}.", style=GREEN))
    missing = view.target - view.chips - outcome.score
    parts.append(Text("Beats the blind." if missing <= 0 else f"{number_text(missing)} would be left.", style=QUIET))
    return Group(*parts)
