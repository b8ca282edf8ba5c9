"""docs/coverage.csv and docs/coverage.md, from what is there: ``python tools/coverage_page.py`` writes both.

Rules are looked up in the engine, tests and fixtures are listed, and each row of a test is played again without its
item. What reference data show is counted where their folder is present (``JIMBO_CONFORMANCE``, or
``../shared/conformance``), and otherwise taken from the table as it is.
"""

from __future__ import annotations

import csv
import importlib
import io
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

import mechanics_evidence as evidence  # noqa: E402
from jimbo.engine import catalog  # noqa: E402
from jimbo.parity.fixtures.table import table  # noqa: E402

PAGE = ROOT / "docs" / "coverage.md"
TABLE = ROOT / "docs" / "coverage.csv"
REFERENCE = ROOT / os.environ.get("JIMBO_CONFORMANCE", "../shared/conformance")
KINDS: dict[str, tuple[Mapping[str, catalog.Fact], str]] = {
    "Jokers": (catalog.JOKERS, "JokerId::"),
    "Consumables": (catalog.CONSUMABLES, "ConsumableId::"),
    "Vouchers": (catalog.VOUCHERS, "VoucherId::"),
    "Packs": (catalog.BOOSTERS, "BoosterId::"),
    "Tags": (catalog.TAGS, "TagId::"),
    "Blinds": (catalog.BLINDS, "BlindId::"),
    "Decks": (catalog.DECKS, "DeckId::"),
    "Stakes": (catalog.STAKES, "StakeId::"),
    "Challenges": (catalog.CHALLENGES, "ChallengeId::"),
    "Enhancements": (catalog.ENHANCEMENTS, "Enhancement::"),
    "Editions": (catalog.EDITIONS, "Edition::"),
    "Seals": (catalog.SEALS, "Seal::"),
    "Stickers": (catalog.STICKERS, "stickers."),
    "Poker hands": (catalog.HANDS, "HandType::"),
}
"""The facts of each kind, and how the engine's code refers to one of them."""
COUNTED = ("recorded", "scored", "traced")
"""Columns that need the reference data."""
_NO_ITEMS = ("e_base", "b_challenge")
"""No edition, and the deck that a challenge brings."""
_NAMES = re.compile(r"(?:\.id = \w+|\{\w+)::(\w+),[^\"]*\"([^\"]+)\"")
_SIGNS = {"scenario": "S", "corpus": "C", "recording": "R", "hypothesis": "H"}


@dataclass(frozen=True, slots=True)
class Mechanic:
    """A row of the table."""

    kind: str
    key: str
    name: str
    rule: str
    """Files of the engine that name the item, outside the catalogue; the catalogue where its facts say everything."""
    tests: int
    """Rows of tests that are about it."""
    failing_without: int
    """Those of them that fail when another item takes its place."""
    test_files: str
    fixtures: int
    """Situations of `jimbo parity`, which compare a game with the simulator."""
    recorded: int
    scored: int
    traced: int
    hypotheses: str
    """Open points that name it."""

    @property
    def evidence(self) -> list[str]:
        """What there is, the weakest first."""
        there = {
            "hypothesis": bool(self.hypotheses),
            "scenario": self.failing_without > 0,
            "corpus": self.scored + self.traced > 0,
            "recording": self.recorded > 0,
        }
        return [name for name, is_there in there.items() if is_there]


def mechanics(counted: Mapping[str, Mapping[str, int]]) -> list[Mechanic]:
    """A row for every item. ``counted``: for each of ``COUNTED``, what the reference data show."""
    covering, failing, files = _tests()
    fixtures = Counter(fixture.item for fixture in table().fixtures)
    return [
        Mechanic(
            kind,
            key,
            fact.name,
            " ".join(_rule(key, called)),
            covering[key],
            failing[key],
            " ".join(sorted(files.get(key, ()))),
            fixtures[key],
            counted["recorded"].get(key, 0),
            counted["scored"].get(key, 0),
            counted["traced"].get(key, 0),
            "; ".join(_points(fact.name)),
        )
        for kind, (facts, called) in KINDS.items()
        for key, fact in facts.items()
        if key not in _NO_ITEMS
    ]


# --- Where it is ------------------------------------------------------------------------------------------------------


def _tests() -> tuple[Counter[str], Counter[str], dict[str, set[str]]]:
    """By item: rows about it, those that fail without it, and the files in which they stand."""
    fails_without = importlib.import_module("rules.twins").fails_without
    covering: Counter[str] = Counter()
    failing: Counter[str] = Counter()
    files: dict[str, set[str]] = {}
    keys = {key.replace(" ", "_"): key for facts, _ in KINDS.values() for key in facts}
    for path in sorted((ROOT / "tests" / "rules").glob("test_*.py")):
        for row in getattr(importlib.import_module(f"rules.{path.stem}"), "ROWS", ()):
            for word in {*row.covers.split()} & keys.keys():
                covering[keys[word]] += 1
                failing[keys[word]] += fails_without(row, word)
                files.setdefault(keys[word], set()).add(path.name)
    return covering, failing, files


@cache
def _sources() -> dict[str, str]:
    found = sorted(path for room in ("rules", "play") for path in (ROOT / "engine" / room).rglob("*.?pp"))
    return {path.relative_to(ROOT / "engine").as_posix(): path.read_text(encoding="utf-8") for path in found}


@cache
def _names() -> dict[str, tuple[str, str]]:
    """By key: what the engine calls an item, and the file of its facts."""
    found: dict[str, tuple[str, str]] = {}
    for path in sorted((ROOT / "engine" / "catalog").glob("*.hpp")):
        for name, key in _NAMES.findall(path.read_text(encoding="utf-8")):
            found.setdefault(key, (name, f"catalog/{path.name}"))
    return found


def _rule(key: str, called: str) -> Iterator[str]:
    name, facts = _names()[key]
    found = re.compile(rf"\b{re.escape(called)}{name}\b")
    there = [file for file, text in _sources().items() if "registry" not in file and found.search(text)]
    yield from there or [facts]


def _points(name: str) -> Iterator[str]:
    """Open points whose text has the name, and not only inside a longer one."""
    longer = sorted((other for other in _all_names() if name in other and other != name), key=len, reverse=True)
    for text in table().points.values():
        rest = text
        for other in longer:
            rest = rest.replace(other, "")
        if re.search(rf"\b{re.escape(name)}\b", rest):
            yield text


@cache
def _all_names() -> frozenset[str]:
    return frozenset(fact.name for facts, _ in KINDS.values() for fact in facts.values())


# --- What reference data show -----------------------------------------------------------------------------------------


def count(folder: Path) -> dict[str, Mapping[str, int]]:
    """Minutes of work."""
    found = (evidence.recorded(folder), evidence.calculated(folder), evidence.traced(folder, print))
    return dict(zip(COUNTED, found, strict=True))


def known(text: str) -> dict[str, Mapping[str, int]]:
    """The counts of a table as it was written."""
    rows = list(csv.DictReader(io.StringIO(text)))
    return {column: {row["key"]: int(row[column]) for row in rows} for column in COUNTED}


# --- Written ----------------------------------------------------------------------------------------------------------


def as_csv(rows: Iterable[Mechanic]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = [entry.name for entry in fields(Mechanic)]
    writer.writerow([*names, "evidence"])
    writer.writerows([*(asdict(row)[name] for name in names), " ".join(row.evidence)] for row in rows)
    return out.getvalue()


_HEAD = """# Coverage: every item, its rule, its tests, what proves it

Written by `python tools/coverage_page.py`; [coverage.csv](coverage.csv) is the same as a table. Nothing here is written
by hand: rules are looked up in the engine, test rows are counted and played again without their item, fixtures are
listed, and reference data are replayed. [rules.md](rules.md) says how all of it is checked.

| column | what it counts |
|---|---|
| tests | rows of directed tests about the item / those that fail when another item takes its place |
| fixtures | situations of [jimbo parity](parity.md), for whoever has the game |
| recorded | how often it did something in recordings of the real game, all of which the engine repeats |
| scored | hands scored by calculators or by people that agree, and not without the item; counted up to 100 |
| traced | how often it did something in steps of a second implementation's runs that agree in every value |
| open | [working hypotheses](rules.md#working-hypotheses) that name it |

An item "did something" where an event tells it: a joker, an edition, an enhancement or a Gold Seal gave chips, Mult or
money, a consumable or a tag was used, a pack opened, a voucher redeemed, a blind chosen, a poker hand played. Decks and
stakes count the recordings, and the steps, that were played with them. Passive items, and jokers that only make or
change cards, show in no event of their own, so a 0 does not mean that nobody has seen them; it means that nothing is
claimed. A second implementation and calculators can share a mistake; only recordings are the game itself. What comes up
where in a seed is checked by other data, which say nothing of what an item does, and is not counted here.

Evidence, the strongest last: **H** a hypothesis is open, **S** a scenario (a test that fails without the item), **C** a
corpus agrees, **R** a recording of the real game agrees.
"""


def as_page(rows: list[Mechanic]) -> str:
    parts = [_HEAD, "## All\n", _summary(rows)]
    for kind in KINDS:
        lines = [_line(row) for row in rows if row.kind == kind]
        heads = "| item | rule | tests | fixtures | recorded | scored | traced | open | evidence |"
        parts.append("\n".join([f"\n## {kind}\n", heads, "|---|---|---|---|---|---|---|---|---|", *lines]))
    return "\n".join(parts) + "\n"


def _summary(rows: list[Mechanic]) -> str:
    """How many items of each kind have what."""
    heads = ("kind", "items", "a scenario", "parity fixtures", "a corpus", "a recording", "open points", "no evidence")
    lines = []
    for kind in (*KINDS, "all"):
        these = [row for row in rows if kind in (row.kind, "all")]
        has: dict[str, int] = Counter(name for row in these for name in row.evidence)
        fixtures = sum(row.fixtures > 0 for row in these)
        bare = sum(not set(row.evidence) - {"hypothesis"} for row in these)
        cells: list[Any] = [kind, len(these), has["scenario"], fixtures]
        lines.append([*cells, has["corpus"], has["recording"], has["hypothesis"], bare])
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in (heads, ["---"] * len(heads), *lines))


def _line(row: Mechanic) -> str:
    rule = " ".join(f"`{file}`" for file in row.rule.split())
    signs = "".join(_SIGNS[name] for name in row.evidence)
    counts = (f"{row.tests} / {row.failing_without}", row.fixtures, row.recorded, row.scored, row.traced)
    points = row.hypotheses.count("; ") + 1 if row.hypotheses else 0
    name = row.name if row.name == row.key else f"{row.name} (`{row.key}`)"
    return f"| {name} | {rule} | {' | '.join(map(str, counts))} | {points} | {signs} |"


if __name__ == "__main__":
    made = mechanics(count(REFERENCE) if REFERENCE.is_dir() else known(TABLE.read_text(encoding="utf-8")))
    TABLE.write_text(as_csv(made), encoding="utf-8")
    PAGE.write_text(as_page(made), encoding="utf-8")
