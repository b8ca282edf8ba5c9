"""Tables of the items of the game: facts, and what they are worth where ``jimbo what-wins`` has measured it."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from jimbo.declared import declared, from_dict
from jimbo.engine import LAST_ANTE, catalog
from jimbo.engine.catalog import STAKES
from jimbo.eval.statistics import Z95
from jimbo.eval.worths import Worth, Worths
from jimbo.files import loads, read_text, write_text

SCHEMA = "worths_v1"
FEWEST = 10
"""Positions of an ante; the mean of fewer says nothing, and is left out."""
ANTES = range(1, LAST_ANTE + 1)
KINDS: Mapping[str, tuple[Mapping[str, Any], Mapping[str, str]]] = {
    "jokers": (catalog.JOKERS, {"rarity": "rarity", "price": "cost"}),
    "consumables": (catalog.CONSUMABLES, {"kind": "kind", "price": "cost"}),
    "vouchers": (catalog.VOUCHERS, {"price": "cost", "needs": "prerequisite"}),
    "packs": (catalog.BOOSTERS, {"kind": "kind", "size": "size", "price": "cost", "cards": "cards", "picks": "picks"}),
    "tags": (catalog.TAGS, {"from_ante": "min_ante"}),
    "blinds": (catalog.BLINDS, {"score": "score", "dollars": "dollars", "from_ante": "min_ante"}),
    "hands": (
        catalog.HANDS,
        {name: name for name in ("chips", "mult", "chips_per_level", "mult_per_level")},
    ),
    "decks": (catalog.DECKS, {}),
    "stakes": (catalog.STAKES, {}),
    "enhancements": (catalog.ENHANCEMENTS, {}),
    "editions": (catalog.EDITIONS, {"price": "price"}),
    "seals": (catalog.SEALS, {}),
}
"""The items of each kind, and the columns that they have between key and text, with the names of their facts."""
WITH_WORTHS = ("jokers", "vouchers", "hands")
Row = dict[str, Any]
ByAnte = Mapping[str, Worth]

# --- Measured worths as a file ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StakeWorths:
    """What things add to the chance to win at one stake, in points, by key and ante."""

    stake: str = declared(keys=STAKES)
    games: int = declared(min=1)
    jokers: Mapping[str, ByAnte] = declared()
    vouchers: Mapping[str, ByAnte] = declared()
    hands: Mapping[str, ByAnte] = declared()


@dataclass(frozen=True, slots=True)
class MeasuredWorths:
    schema: str
    command: str
    """By which they were measured."""
    stakes: tuple[StakeWorths, ...]


def write_measured(path: Path, found: Sequence[Worths], command: str) -> None:
    measured = MeasuredWorths(
        SCHEMA,
        command,
        tuple(
            StakeWorths(one.stake, one.games, *(_known(table) for table in (one.jokers, one.vouchers, one.hands)))
            for one in found
        ),
    )
    write_text(path, f"{json.dumps(asdict(measured), indent=1)}\n")


def _known(table: Mapping[str, Mapping[int, Worth]]) -> dict[str, dict[str, Worth]]:
    return {
        key: {str(ante): worth for ante, worth in by_ante.items() if worth.positions >= FEWEST}
        for key, by_ante in table.items()
    }


def read_measured(path: Path) -> MeasuredWorths:
    """ValueError with a few words for a file that jimbo what-wins has not written."""
    measured = from_dict(MeasuredWorths, loads(read_text(path), finite=True))
    if measured.schema != SCHEMA:
        raise ValueError(f"it is not of the schema {SCHEMA}")
    if unknown := [one.stake for one in measured.stakes if one.stake not in STAKES]:
        raise ValueError(f"there is no stake {unknown[0]}")
    return measured


# --- Tables -----------------------------------------------------------------------------------------------------------


def item_rows(kind: str, measured: MeasuredWorths | None = None) -> list[Row]:
    """One for each item of a kind, in the game's own order."""
    items, columns = KINDS[kind]
    stakes = measured.stakes if measured else ()
    return [
        {"name": fact.name, "key": key}
        | {column: getattr(fact, name) for column, name in columns.items()}
        | {"text": fact.text}
        | _worth_columns({one.stake: getattr(one, kind).get(key, {}) for one in stakes})
        for key, fact in items.items()
    ]


def _worth_columns(by_stake: Mapping[str, ByAnte]) -> Row:
    """The mean, the ends of its 95 % interval and the number of positions; empty where too few were seen."""
    columns: Row = {}
    for stake, by_ante in by_stake.items():
        for ante in ANTES:
            worth, name = by_ante.get(str(ante)), f"worth_{stake.removeprefix('stake_')}_{ante}"
            half = Z95 * worth.error if worth else 0.0
            values = (worth.mean, worth.mean - half, worth.mean + half) if worth else (None, None, None)
            rounded = (value if value is None else round(value, 2) for value in values)
            columns |= dict(zip((name, f"{name}_low", f"{name}_high"), rounded, strict=True))
            columns[f"{name}_positions"] = worth.positions if worth else 0
    return columns


def as_csv(rows: Sequence[Row]) -> str:
    """Rows with a head; what is None is empty."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
