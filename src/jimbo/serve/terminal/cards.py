"""Playing cards drawn as small boxes."""

from collections.abc import Collection, Sequence

from rich.text import Text

from jimbo.colours import BLUE, CYAN, GREEN, QUIET, RED
from jimbo.engine import PublicCard
from jimbo.engine.catalog import ENHANCEMENTS
from jimbo.serve.terminal.items import EDITIONS, SEALS, SUITS
from jimbo.text import card_short, is_stone, rank_and_suit

INNER = 5
BOX = INNER + 2
ENHANCED = f"bold {CYAN}"
PICKED = f"bold {GREEN}"


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
    """What holds for a card besides what is printed on it."""
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
