"""Methods that start, end, keep and picture runs; files are only used in one folder."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jimbo.engine import Run
from jimbo.files import read_bytes, reason, write_bytes
from jimbo.seeds.starts import random_start
from jimbo.serve.balatrobot.rpc import bad_request, internal_error
from jimbo.serve.balatrobot.table import GameTable
from jimbo.text.picture import FELT, HEIGHT, WIDTH, picture_of
from jimbo.wire.gamestate import DECK_KEYS, SLOTS, STAKE_KEYS

Params = dict[str, Any]
_MARK = b"jimbo balatrobot run 1"
"""Saves begin with this, the blinds that were skipped, and a new line. They are not the game's own."""
LARGEST = 1 << 20
"""Bytes of a file that is loaded."""
DEEPEST = 32
"""Folders that a path leads through."""


def start(table: GameTable, params: Params) -> None:
    stake, deck = params["stake"], params["deck"]
    if stake not in STAKE_KEYS:
        raise bad_request(f"Invalid stake enum. Must be one of: {', '.join(STAKE_KEYS)}. Got: {stake}")
    if deck not in DECK_KEYS:
        raise bad_request(f"Invalid deck enum. Must be one of: {', '.join(DECK_KEYS)}. Got: {deck}")
    try:
        run = Run(deck=DECK_KEYS[deck], stake=STAKE_KEYS[stake], seed=params.get("seed") or random_start())
    except ValueError as error:
        raise bad_request(str(error)) from None
    table.put(run, set())


def start_challenge(table: GameTable, params: Params) -> None:
    """As from the game's own menu: the mod has no call for it."""
    table.put(Run(challenge=params["challenge"], seed=params["seed"]), set())


def menu(table: GameTable, params: Params) -> None:
    if table.run is not None:
        table.put(None, set())


# --- Files ------------------------------------------------------------------------------------------------------------


def save(table: GameTable, folder: Path, path: str) -> None:
    skipped = ",".join(slot for slot in SLOTS if slot in table.memory.skipped)
    data = _MARK + b" " + skipped.encode() + b"\n" + table.playing.save()
    _write(folder, path, data, f"Failed to write save file to '{path}'")


def load(table: GameTable, folder: Path, path: str) -> None:
    with _inside(folder, path, f"Failed to read save file: '{path}'") as target:
        head, _, data = read_bytes(target, LARGEST).partition(b"\n")
    mark, _, skipped = head.rpartition(b" ")
    if mark != _MARK:
        raise internal_error("Invalid save file format")
    try:
        run = Run.load(data)
    except ValueError:
        raise internal_error("Invalid save file format") from None
    table.put(run, set(skipped.decode("ascii", "replace").split(",")) & set(SLOTS))


def screenshot(table: GameTable, folder: Path, path: str) -> None:
    """Write a PNG file. There is no screen to photograph: the table is drawn, or empty felt where no run is played."""
    dots = np.full((HEIGHT, WIDTH, 3), FELT, np.uint8) if table.run is None else picture_of(table.seen)
    _write(folder, path, _png(dots), f"Failed to write screenshot to '{path}'")


def _write(folder: Path, path: str, data: bytes, refusal: str) -> None:
    with _inside(folder, path, refusal) as target:
        target.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(target, data)


@contextmanager
def _inside(folder: Path, path: str, refusal: str) -> Iterator[Path]:
    """Where a path leads, from the folder. It must stay inside, also through links, and be a file if it is there."""
    try:
        root = folder.resolve()
        target = (root / path).resolve()
    except (OSError, ValueError, RuntimeError):
        raise internal_error(f"{refusal}: it is not a path") from None
    if not target.is_relative_to(root) or target == root:
        raise internal_error(f"{refusal}: only files in {root} can be used (jimbo serve balatrobot --folder)")
    if len(target.relative_to(root).parts) > DEEPEST + 1:
        raise internal_error(f"{refusal}: it leads through more than {DEEPEST} folders")
    try:
        if target.exists() and not target.is_file():
            raise internal_error(f"{refusal}: it is not a file")
        yield target
    except OSError as error:
        raise internal_error(f"{refusal}: {reason(error)}") from None


def _png(dots: NDArray[np.uint8]) -> bytes:
    pixels = zlib.compress(b"".join(b"\0" + row.tobytes() for row in dots))
    size = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", size) + _chunk(b"IDAT", pixels) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
