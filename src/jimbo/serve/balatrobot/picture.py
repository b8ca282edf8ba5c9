"""A picture of the game as a PNG file: there is no screen to photograph, so the table is drawn."""

from __future__ import annotations

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

from jimbo.serve.balatrobot.table import Table
from jimbo.text.picture import FELT, HEIGHT, WIDTH, picture_of


def picture(table: Table) -> bytes:
    """The table, or empty felt where no run is played."""
    return _png(np.full((HEIGHT, WIDTH, 3), FELT, np.uint8) if table.run is None else picture_of(table.seen))


def _png(dots: NDArray[np.uint8]) -> bytes:
    pixels = zlib.compress(b"".join(b"\0" + row.tobytes() for row in dots))
    size = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", size) + _chunk(b"IDAT", pixels) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
