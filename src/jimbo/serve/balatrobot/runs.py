"""Methods that begin, end, keep and picture runs."""

from __future__ import annotations

from typing import Any

from jimbo.engine import Run
from jimbo.seeds import random_start
from jimbo.serve.balatrobot.folder import Folder
from jimbo.serve.balatrobot.picture import picture
from jimbo.serve.balatrobot.refused import bad_request, internal_error
from jimbo.serve.balatrobot.table import Table
from jimbo.wire.gamestate import DECK_KEYS, SLOTS, STAKE_KEYS

Params = dict[str, Any]
_MARK = b"jimbo balatrobot run 1"
"""Saves begin with this, the blinds that were skipped, and a new line. They are not the game's own."""


def start(table: Table, params: Params) -> None:
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


def start_challenge(table: Table, params: Params) -> None:
    """From the game's own menu: the mod has no call for it."""
    table.put(Run(challenge=params["challenge"], seed=params["seed"]), set())


def menu(table: Table, params: Params) -> None:
    if table.run is not None:
        table.put(None, set())


def save(table: Table, folder: Folder, path: str) -> None:
    skipped = ",".join(slot for slot in SLOTS if slot in table.memory.skipped)
    data = _MARK + b" " + skipped.encode() + b"\n" + table.playing.save()
    folder.write(path, data, f"Failed to write save file to '{path}'")


def load(table: Table, folder: Folder, path: str) -> None:
    head, _, data = folder.read(path, f"Failed to read save file: '{path}'").partition(b"\n")
    mark, _, skipped = head.rpartition(b" ")
    if mark != _MARK:
        raise internal_error("Invalid save file format")
    try:
        run = Run.load(data)
    except ValueError:
        raise internal_error("Invalid save file format") from None
    table.put(run, set(skipped.decode("ascii", "replace").split(",")) & set(SLOTS))


def screenshot(table: Table, folder: Folder, path: str) -> None:
    folder.write(path, picture(table), f"Failed to write screenshot to '{path}'")
