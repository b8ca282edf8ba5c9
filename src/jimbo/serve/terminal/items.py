"""Items of the game in a few coloured characters, and playing cards as small boxes."""

from collections.abc import Collection, Sequence

from rich.table import Table
from rich.text import Text

from jimbo.colours import BLUE, CYAN, GOLD, GREEN, ORANGE, PINK, PLAIN, PURPLE, QUIET, RED
from jimbo.engine import PublicCard, PublicConsumable, PublicJoker, PublicOffer
from jimbo.engine.catalog import CONSUMABLES, ENHANCEMENTS, JOKERS
from jimbo.seeds import Card
from jimbo.text import card_name, card_short, front, is_stone, rank_and_suit, stickers

# Short words, since the full name would cost the table a column.
EDITIONS = {
    "e_foil": ("Foil", BLUE),
    "e_holo": ("Holo", RED),
    "e_polychrome": ("Poly", ORANGE),
    "e_negative": ("Negative", "reverse"),
}
STICKERS = {
    "eternal": ("E", PINK),
    "perishable": ("P", CYAN),
    "rental": ("R", ORANGE),
}
SEALS = {
    "seal_gold": ("Gold", GOLD),
    "seal_red": ("Red", RED),
    "seal_blue": ("Blue", BLUE),
    "seal_purple": ("Purple", PURPLE),
}
SUITS = {"S": ("♠", PLAIN), "H": ("♥", RED), "D": ("♦", ORANGE), "C": ("♣", GREEN)}
RARITIES = {
    "Common": ("", ""),
    "Uncommon": ("", GREEN),
    "Rare": ("★", f"bold {RED}"),
    "Legendary": ("♛", f"bold {PURPLE}"),
}
KINDS = {"Tarot": PURPLE, "Planet": CYAN, "Spectral": BLUE}

# A card in a box.
INNER = 5
BOX = INNER + 2
ENHANCED = f"bold {CYAN}"
PICKED = f"bold {GREEN}"


def card_text(card: Card) -> Text:
    if card.key in JOKERS:
        mark, style = RARITIES[JOKERS[card.key].rarity]
        text = Text(f"{mark} {card.name}" if mark else card.name, style=style)
    elif card.key in CONSUMABLES:
        text = Text(card.name, style=KINDS[CONSUMABLES[card.key].kind])
    else:
        text = playing_card(card)
    return Text.assemble(text, extras(card))


def playing_card(card: Card) -> Text:
    suit, rank = card.key.split("_")
    symbol, style = SUITS[suit]
    text = Text(f"{rank.replace('T', '10')}{symbol}", style=style)
    return Text.assemble((f"{ENHANCEMENTS[card.enhancement].word} ", "bold"), text) if card.enhancement else text


def extras(card: Card) -> Text:
    text = Text()
    if card.edition:
        word, style = EDITIONS[card.edition]
        text.append(" ").append(word, style=style)
    if card.seal:
        word, style = SEALS[card.seal]
        text.append(" ").append(f"{word} Seal", style=style)
    if card.stickers:
        text.append(" ")
    for sticker in card.stickers:
        letter, style = STICKERS[sticker]
        text.append(letter, style=style)
    return text


def item_text(item: PublicCard | PublicConsumable | PublicOffer) -> Text:
    """The name of a card on offer or owned, with its edition, seal and stickers."""
    if isinstance(item, PublicConsumable):
        return card_text(Card(item.key, item.name, item.edition))
    if isinstance(item, PublicOffer):
        if not item.card:
            key = item.joker or item.consumable or ""
            return card_text(Card(key, item.name, item.edition, stickers=stickers(item)))
        item = item.card
    seen = Card(front(item), card_name(item), item.edition, item.enhancement, item.seal)
    # A Stone card shows neither rank nor suit.
    return Text.assemble(("Stone", "bold"), extras(seen)) if is_stone(item) else card_text(seen)


def joker_text(joker: PublicJoker) -> Text:
    """The name of an owned joker, with what has become of it."""
    if joker.face_down or not joker.key:
        return Text("? face down", style=QUIET)
    text = card_text(Card(joker.key, joker.name, joker.edition, stickers=stickers(joker)))
    if joker.debuffed:
        text.stylize(f"{QUIET} strike")
        return Text.assemble(text, (" ✗", RED))
    if joker.perishable:
        text.append(f" {joker.perish_left}", style=CYAN)
    return text


def in_columns(entries: Sequence[Text], width: int) -> Table:
    """Row by row in as many columns as fit."""
    gap = 2
    for count in range(len(entries), 0, -1):
        widths = [max(entry.cell_len for entry in entries[i::count]) for i in range(count)]
        if sum(widths) + gap * (count - 1) <= width or count == 1:
            break
    table = Table.grid(padding=(0, gap, 0, 0))
    for first in range(0, len(entries), count):
        table.add_row(*entries[first : first + count])
    return table


# --- Cards in boxes ---------------------------------------------------------------------------------------------------


def card_boxes(cards: Sequence[PublicCard], width: int, picked: Collection[int] = ()) -> Text:
    """The cards with their numbers, as many in a row as fit. ``picked``: places of cards to be marked."""
    gap = " " if len(cards) * (BOX + 1) <= width else ""
    in_row = max(1, width // (BOX + len(gap)))
    rows = [range(first, min(first + in_row, len(cards))) for first in range(0, len(cards), in_row)]
    return Text("\n").join(_row([(i + 1, cards[i], _edge(cards[i], i in picked)) for i in row], gap) for row in rows)


def _row(cards: Sequence[tuple[int, PublicCard, str]], gap: str) -> Text:
    """Cards with their numbers and the styles of their edges."""
    inside = [_inside(card) for _, card, _ in cards]
    height = max(len(lines) for lines in inside)
    lines = [Text(gap).join(_top(number, card, edge) for number, card, edge in cards)]
    for i in range(height):
        boxes = (
            Text.assemble(("│", edge), body[i] if i < len(body) else " " * INNER, ("│", edge))
            for body, (_, _, edge) in zip(inside, cards, strict=True)
        )
        lines.append(Text(gap).join(boxes))
    lines.append(Text(gap).join(_bottom(card, edge) for _, card, edge in cards))
    block = Text("\n").join(lines)
    block.no_wrap = True
    return block


def _edge(card: PublicCard, picked: bool) -> str:
    if picked:
        return PICKED
    return RED if card.forced else QUIET


def marks(card: PublicCard) -> str:
    """Signs for what holds for a card and is not printed on it."""
    mark = "?" if card.face_down else "✗" if card.debuffed else ""
    return f"{mark}!" if card.forced else mark


def _top(number: int, card: PublicCard, edge: str) -> Text:
    mark = marks(card)
    label = f"{number}"
    line = "─" * (INNER - len(label) - len(mark))
    return Text.assemble(("╭", edge), (label, CYAN), (line, edge), (mark, RED), ("╮", edge))


def _bottom(card: PublicCard, edge: str) -> Text:
    if not card.seal or card.face_down:
        return Text.assemble((f"╰{'─' * INNER}╯", edge))
    word, style = SEALS[card.seal]
    label = f"●{word}"[:INNER]
    return Text.assemble(("╰", edge), (label, style), ("─" * (INNER - len(label)), edge), ("╯", edge))


def _inside(card: PublicCard) -> list[Text]:
    if card.face_down:
        return [Text("░" * INNER, style=QUIET)]
    lines = [_face(card)]
    if card.enhancement:
        lines.append(_centred(ENHANCEMENTS[card.enhancement].word, ENHANCED))
    if card.edition:
        word, style = EDITIONS[card.edition]
        lines.append(_centred(word[:INNER], style))
    if card.bonus:
        lines.append(_centred(f"+{card.bonus}", BLUE))
    if card.debuffed:
        for line in lines:
            line.stylize(f"{QUIET} strike")
    return lines


def _face(card: PublicCard) -> Text:
    if is_stone(card):
        return Text("▒" * INNER, style=QUIET)
    _, suit = rank_and_suit(card)
    return _centred(card_short(card), f"bold {SUITS[suit][1]}")


def _centred(text: str, style: str) -> Text:
    return Text.assemble((text.center(INNER), style))
