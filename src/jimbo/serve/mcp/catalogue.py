"""Items of the game by whatever name a client has for them."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from jimbo.engine.catalog import CHALLENGES, STAKES, STICKERS
from jimbo.knowledge.neighbours import Neighbour, known_stakes, neighbours
from jimbo.report.items import KINDS, item_rows
from jimbo.serve.game import BadInput
from jimbo.serve.mcp.answers import ItemAnswer
from jimbo.serve.mcp.guide import rules
from jimbo.text.spellings import fold

MOST_SIMILAR = 4
_PARTNERS = 5
_CLEARER = {"score": "times the base score", "dollars": "reward"}
"""Names of columns that need their table to be understood."""
_KINDS_IN_NAMES = ("Card", "Deck", "Stake", "Seal", "Tag")
"""Words of names that people leave out."""


def explained(name: str) -> list[ItemAnswer]:
    """Everything of a name or key; BadInput names what is similar where there is nothing."""
    if fold(name) == "rules":
        return [ItemAnswer(name="Rules", key="rules", kind="guide", text=rules(), facts={})]
    found = _by_name().get(fold(name))
    if not found:
        close = difflib.get_close_matches(fold(name), _by_name(), n=MOST_SIMILAR, cutoff=0.6)
        inside = [folded for folded in _by_name() if len(fold(name)) > 3 and fold(name) in folded]
        names = list(dict.fromkeys(_by_name()[folded][0].name for folded in (*close, *inside)))[:MOST_SIMILAR]
        ask = f" Did you mean {' or '.join(names)}?" if names else f" Kinds of items are {', '.join(items_by_kind())}."
        raise BadInput(f'There is no item "{name}".{ask}')
    return [_with_partners(item) for item in found]


def _with_partners(item: ItemAnswer) -> ItemAnswer:
    """A joker with what works together with it, and what gets in its way, as games have shown."""
    if item.kind != "joker":
        return item
    facts = dict(item.facts)
    for stake in known_stakes():
        for words, harmful in (("works with", False), ("gets in the way of", True)):
            if found := neighbours(item.key, stake, limit=_PARTNERS, harmful=harmful):
                source = found[0].source
                where = f"{words} at {STAKES[stake].name} ({source.games:,} games of {source.agent})"
                facts[where] = ", ".join(map(_partner, found))
    return replace(item, facts=facts)


def _partner(one: Neighbour) -> str:
    deck = f" in a deck with many {one.deck}" if one.deck else ""
    return f"{one.name} {one.strength:+.2f} ({one.low:+.2f} to {one.high:+.2f}){deck}"


@cache
def items_by_kind() -> Mapping[str, list[ItemAnswer]]:
    """All items; packs that differ only in their picture are one."""
    tables: dict[str, list[dict[str, Any]]] = {kind: item_rows(kind) for kind in KINDS}
    for kind, facts in (("stickers", STICKERS), ("challenges", CHALLENGES)):
        tables[kind] = [{"name": fact.name, "key": fact.key, "text": fact.text} for fact in facts.values()]
    return {kind: _items(kind, rows) for kind, rows in tables.items()}


def _items(kind: str, rows: list[dict[str, Any]]) -> list[ItemAnswer]:
    known: dict[tuple[str, str], ItemAnswer] = {}
    for row in rows:
        facts = {
            _CLEARER.get(name, name): _plain(value)
            for name, value in row.items()
            if name not in ("name", "key", "text")
        }
        item = ItemAnswer(name=row["name"], key=row["key"], kind=kind.removesuffix("s"), text=row["text"], facts=facts)
        known.setdefault((item.name, item.text), item)
    return list(known.values())


def _plain(value: Any) -> str | float | None:
    """Whole numbers without a point."""
    whole = isinstance(value, float) and value.is_integer()
    return int(value) if whole else value if value is None or isinstance(value, (str, int, float)) else str(value)


@cache
def _by_name() -> Mapping[str, list[ItemAnswer]]:
    names: dict[str, list[ItemAnswer]] = {}
    for items in items_by_kind().values():
        for item in items:
            short = item.name.removeprefix("The ").rpartition(" ")
            first = short[0] if short[2] in _KINDS_IN_NAMES else item.name
            for name in {*map(fold, (item.name, item.name.removeprefix("The "), item.key, first))}:
                names.setdefault(name, []).append(item)
    return names
