"""The table as a picture, drawn dot by dot: nothing but numpy is needed, and it is the same on every machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from jimbo.engine import Phase, PublicCard, PublicOffer, PublicState
from jimbo.engine.catalog import BLINDS, EDITIONS, ENHANCEMENTS, SEALS, TAGS
from jimbo.text.blinds import place_name
from jimbo.text.cards import SUIT_NAMES, is_stone, rank_and_suit
from jimbo.text.numbers import counted, money_text, number_text

WIDTH, HEIGHT = 640, 360
"""Pixels; each dot is two of them wide and high."""
_SCALE = 2
_LETTER, _LINE = 4, 7
_LETTERS = """
A25755 B65656 C34443 D65556 E74647 F74644 G34553 H55755 I72227 J11152 K55655 L44447 M57755
N57775 O25552 P65644 Q25563 R65655 S34216 T72222 U55557 V55552 W55775 X55255 Y55222 Z71247
075557 126227 261247 361216 455711 574616 634652 771222 825252 925316
:02020 .00002 ,00024 -00700 +02720 /11244 $36236 '22000 !22202 #57575
"""
_FONT = {letter[0]: letter[1:] for letter in _LETTERS.split()}
"""Letters of three by five dots: a digit for each row, its bits from left to right."""
_SUITS = {
    "S": ("..#..", ".###.", "#####", "#.#.#", ".###."),
    "H": (".#.#.", "#####", "#####", ".###.", "..#.."),
    "C": ("..#..", ".###.", "#####", "..#..", ".###."),
    "D": ("..#..", ".###.", "#####", ".###.", "..#.."),
}
_Colour = tuple[int, int, int]
FELT, PAPER, INK, QUIET, BACK = (31, 74, 58), (246, 244, 234), (255, 255, 255), (140, 170, 155), (58, 84, 150)
_SUIT_COLOURS: dict[str, _Colour] = {"S": (50, 50, 70), "H": (214, 48, 49), "C": (20, 120, 70), "D": (226, 120, 20)}
_EDGE, _RED, _GOLD, _BLUE, _DARK = (90, 110, 100), (214, 48, 49), (240, 200, 90), (90, 160, 250), (22, 50, 40)
_CARD_WIDTH, _CARD_HEIGHT = 34, 50


class _Canvas:
    def __init__(self) -> None:
        self.dots = np.full((HEIGHT // _SCALE, WIDTH // _SCALE, 3), FELT, np.uint8)

    def box(self, x: int, y: int, width: int, height: int, fill: _Colour, edge: _Colour) -> None:
        self.dots[y : y + height, x : x + width] = edge
        self.dots[y + 1 : y + height - 1, x + 1 : x + width - 1] = fill

    def write(self, text: str, x: int, y: int, colour: _Colour = INK, size: int = 1) -> None:
        for place, letter in enumerate(text.upper()):
            rows = [
                format(int(digit), "03b").replace("0", ".").replace("1", "#") for digit in _FONT.get(letter, "00000")
            ]
            self.draw(rows, x + place * _LETTER * size, y, colour, size)

    def draw(self, rows: Sequence[str], x: int, y: int, colour: _Colour, size: int) -> None:
        shape = np.array([[sign == "#" for sign in row] for row in rows])
        shape = shape.repeat(size, axis=0).repeat(size, axis=1)
        part = self.dots[y : y + shape.shape[0], x : x + shape.shape[1]]
        part[shape[: part.shape[0], : part.shape[1]]] = colour

    def cross(self, x: int, y: int, width: int, height: int) -> None:
        for place in range(width):
            self.dots[y + place * height // width, x + place] = _RED
            self.dots[y + place * height // width, x + width - 1 - place] = _RED


def picture_of(state: PublicState) -> NDArray[np.uint8]:
    """What a player sees, ``[360, 640, 3]``: score, jokers, consumables, what is offered, and the hand."""
    canvas = _Canvas()
    _head(canvas, state)
    jokers = [("face down" if joker.face_down else joker.name, "", joker.debuffed) for joker in state.jokers]
    _tiles(canvas, f"jokers {len(jokers)}/{state.joker_slots}", jokers, 4, 30, 230)
    items = [(item.name, "", False) for item in state.consumables]
    _tiles(canvas, f"consumables {len(items)}/{state.consumable_slots}", items, 238, 30, 80)
    title, offers = _offered(state)
    _tiles(canvas, title, offers, 4, 76, 312)
    _hand(canvas, state.hand, 4, 124)
    return canvas.dots.repeat(_SCALE, axis=0).repeat(_SCALE, axis=1)


def _head(canvas: _Canvas, state: PublicState) -> None:
    canvas.write(f"ante {state.ante}  round {state.round}  {place_name(state)}", 4, 3)
    money = money_text(state.dollars)
    canvas.write(money, 316 - len(money) * 2 * _LETTER, 3, _GOLD, 2)
    target = state.blind.target
    left = f"{counted(state.hands_left, 'hand')}  {counted(state.discards_left, 'discard')}"
    canvas.write(f"score {number_text(state.chips)} / {number_text(target)}  {left}", 4, 11)
    canvas.box(4, 19, 312, 6, _DARK, _EDGE)
    share = min(1.0, state.chips / target) if target > 0 else 0.0
    canvas.dots[20:24, 5 : 5 + round(310 * share)] = _BLUE


def _offered(state: PublicState) -> tuple[str, list[tuple[str, str, bool]]]:
    """What can be chosen where the run stands: a title, and of each thing its name, its price and whether it is off."""
    if state.phase is Phase.pack_opening and state.pack:
        return f"{state.pack.name}: take {state.pack.picks_left}", [
            (_named(one), "", False) for one in state.pack.cards
        ]
    if state.phase is Phase.shop:
        goods = [
            *((_named(one), one.price) for one in state.shop),
            *((one.name, one.price) for one in state.shop_vouchers),
            *((one.name, one.price) for one in state.shop_boosters),
        ]
        return f"shop, reroll {money_text(state.reroll_price)}", [(name, money_text(p), False) for name, p in goods]
    if state.phase is Phase.round_eval:
        return "cash-out", [("payout", money_text(state.payout.total), False)]
    tags = [TAGS[tag.key].name for tag in state.tags]
    blinds = [(BLINDS[blind.key].name, number_text(blind.target), blind.progress != "now") for blind in state.blinds]
    return f"blinds{', tags ' if tags else ''}{', '.join(tags)}", blinds


def _named(offer: PublicOffer) -> str:
    """Suits are written out: the letters here have no signs for them."""
    if not offer.card:
        return offer.name
    rank, suit = rank_and_suit(offer.card)
    return f"{rank} {SUIT_NAMES[suit]}"


def _tiles(canvas: _Canvas, title: str, things: Sequence[tuple[str, str, bool]], x: int, y: int, width: int) -> None:
    canvas.write(title, x, y, QUIET)
    wide = min(46, width // max(1, len(things)))
    for name, price, off in things:
        canvas.box(x, y + _LINE, wide - 2, 34, _DARK, _EDGE)
        for line, words in enumerate(_wrapped(name, (wide - 5) // _LETTER, 3)):
            canvas.write(words, x + 2, y + _LINE + 3 + line * _LINE, QUIET if off else INK)
        canvas.write(price[: max(0, (wide - 5) // _LETTER)], x + 2, y + _LINE + 26, QUIET if off else _GOLD)
        x += wide


def _wrapped(text: str, letters: int, most: int) -> Iterator[str]:
    """At most so many lines; longer words are cut."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > letters:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    yield from (line[: max(1, letters)] for line in lines[:most])


def _hand(canvas: _Canvas, cards: Sequence[PublicCard], x: int, y: int) -> None:
    """Cards overlap where there are many."""
    step = min(_CARD_WIDTH + 4, (312 - _CARD_WIDTH) // max(1, len(cards) - 1)) if cards else 0
    for place, card in enumerate(cards):
        _card(canvas, card, x + place * step, y)


def _card(canvas: _Canvas, card: PublicCard, x: int, y: int) -> None:
    edge = _RED if card.forced else _BLUE if card.seal and not card.face_down else _EDGE
    canvas.box(x, y, _CARD_WIDTH, _CARD_HEIGHT, BACK if card.face_down else PAPER, edge)
    if card.face_down:
        canvas.write("?", x + 13, y + 18, INK, 3)
        return
    if is_stone(card):
        canvas.box(x + 3, y + 3, _CARD_WIDTH - 6, 24, QUIET, _EDGE)
    else:
        rank, suit = rank_and_suit(card)
        canvas.write(rank, x + 3, y + 3, _SUIT_COLOURS[suit], 2)
        canvas.draw(_SUITS[suit], x + 12, y + 14, _SUIT_COLOURS[suit], 3)
    words = [
        *([ENHANCEMENTS[card.enhancement].word] if card.enhancement else []),
        *([EDITIONS[card.edition].name] if card.edition else []),
        *([SEALS[card.seal].name.split()[0]] if card.seal else []),
    ]
    for line, word in enumerate(words[:2]):
        canvas.write(word[: (_CARD_WIDTH - 3) // _LETTER], x + 2, y + 33 + line * _LINE, _SUIT_COLOURS["S"])
    if card.debuffed:
        canvas.cross(x, y, _CARD_WIDTH, _CARD_HEIGHT)
