"""Items that a seed can hold, by the names that people type."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable, Mapping
from itertools import chain

from jimbo.engine.catalog import BLINDS, BOOSTERS, CONSUMABLES, JOKERS, TAGS, VOUCHERS, Fact, fact

MAX_SUGGESTIONS = 3


def fold(text: str) -> str:
    """Lower case, without accents and punctuation, words one space apart: ``Mail-In Rebate`` is ``mail in rebate``."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return " ".join(re.sub(r"[^a-z0-9 ]", "", re.sub(r"[\s_-]", " ", plain)).split())


def _index() -> dict[str, tuple[str, ...]]:
    index: dict[str, tuple[str, ...]] = {}
    items: tuple[Mapping[str, Fact], ...] = (JOKERS, CONSUMABLES, VOUCHERS, BOOSTERS, TAGS, BLINDS)
    for item in chain.from_iterable(facts.values() for facts in items):
        name = fold(item.name)
        for alias in {name, name.removeprefix("the "), fold(item.key)}:
            index[alias] = (*index.get(alias, ()), item.key)
    return index


_BY_NAME = _index()


def keys_named(text: str) -> tuple[str, ...]:
    """The keys of a name or key. Packs that differ only in their picture share a name, and nothing else does."""
    if found := _BY_NAME.get(fold(text)):
        return found
    try:
        return (fact(text).key,)
    except KeyError:
        return ()


def similar(text: str) -> list[str]:
    """Names close to what was typed, or keys if it looks like one."""
    folded = fold(text)
    close = difflib.get_close_matches(folded, _BY_NAME, n=MAX_SUGGESTIONS, cutoff=0.7)
    inside = [alias for alias in _BY_NAME if len(folded) > 2 and f" {folded} " in f" {alias} "]
    items = [fact(_BY_NAME[alias][0]) for alias in (*close, *inside)]
    return list(dict.fromkeys(item.key if "_" in text else item.name for item in items))[:MAX_SUGGESTIONS]


def listed(names: Iterable[str], word: str = "or") -> str:
    """``a, b or c``."""
    *others, last = names
    return f"{', '.join(others)} {word} {last}" if others else last
