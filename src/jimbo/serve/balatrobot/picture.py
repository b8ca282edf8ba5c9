"""A picture of the game as a PNG file: there is no screen to photograph, so the state is written out."""

from __future__ import annotations

import struct
import zlib

from jimbo.serve.balatrobot.table import Table
from jimbo.text import card_name, joker_name

WIDTH, HEIGHT, SCALE = 640, 360, 2
LETTER_WIDTH, LETTER_HEIGHT = 4, 7
INK, PAPER = b"\xff\xff\xff", b"\x1f\x4a\x3a"
_LETTERS = """
A25755 B65656 C34443 D65556 E74647 F74644 G34553 H55755 I72227 J11152 K55655 L44447 M57755
N57775 O25552 P65644 Q25563 R65655 S34216 T72222 U55557 V55552 W55775 X55255 Y55222 Z71247
075557 126227 261247 361216 455711 574616 634652 771222 825252 925316
:02020 .00002 ,00024 -00700 +02720 /11244 $36363 '22000 !22202 #57575
"""
_FONT = {letter[0]: letter[1:] for letter in _LETTERS.split()}
"""Letters of three by five dots: a digit for each row, its bits from left to right."""


def picture(table: Table) -> bytes:
    rows = [bytearray(PAPER * WIDTH) for _ in range(HEIGHT)]
    for line, words in enumerate(_lines(table)):
        _write(rows, words.upper(), 2 + line * LETTER_HEIGHT)
    return _png(rows)


def _lines(table: Table) -> list[str]:
    if table.run is None:
        return ["Jimbo", "", "Menu"]
    seen = table.seen
    return [
        f"{table.state.replace('_', ' ')}   ante {seen.ante}   round {seen.round}   ${seen.dollars}",
        f"chips {seen.chips:.14g} / {seen.blind.target:.14g}   hands {seen.hands_left}   discards {seen.discards_left}",
        "",
        *("JOKERS: ", *(f"  {joker_name(joker)}" for joker in seen.jokers)),
        *("CONSUMABLES: ", *(f"  {item.name}" for item in seen.consumables)),
        *("HAND: ", *(f"  {_plain(card_name(card))}" for card in seen.hand)),
    ]


def _plain(text: str) -> str:
    for sign, letter in zip("♠♥♣♦", ("S", "H", "C", "D"), strict=True):
        text = text.replace(sign, f" {letter}")
    return text


def _write(rows: list[bytearray], text: str, top: int) -> None:
    for place, letter in enumerate(text[: WIDTH // (LETTER_WIDTH * SCALE) - 1]):
        for y, bits in enumerate(_FONT.get(letter, "00000")):
            for x in range(3):
                if int(bits) & (4 >> x):
                    _dot(rows, (place + 1) * LETTER_WIDTH + x, top + y)


def _dot(rows: list[bytearray], x: int, y: int) -> None:
    for row in rows[y * SCALE : (y + 1) * SCALE]:
        row[3 * x * SCALE : 3 * (x + 1) * SCALE] = INK * SCALE


def _png(rows: list[bytearray]) -> bytes:
    pixels = zlib.compress(b"".join(b"\0" + row for row in rows))
    size = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", size) + _chunk(b"IDAT", pixels) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
