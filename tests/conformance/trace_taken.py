"""A step of a trace that was taken on both sides, as the rules about differences look at it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from conformance.report import Case
from conformance.trace_format import State

Json = dict[str, Any]

ITEM = re.compile(r"(?P<area>\w+)\[(?P<place>\d+)\](?:\.(?P<field>.+))?")


@dataclass(frozen=True)
class Taken:
    """A step that was taken on both sides."""

    action: Json
    before: State
    """As recorded; the engine was brought into this state if it differed."""
    after: State
    found: Json
    """What the engine has after the step."""
    undiscounted: Json | None = None
    """The same without the price vouchers, where the trace has injected one."""

    @property
    def kind(self) -> str:
        return str(self.action["t"])

    @cached_property
    def used(self) -> str | None:
        """The key of the consumable that was used."""
        if self.kind == "use":
            return str(self.before["cons"][self.action["n"]]["k"])
        if self.kind == "pick":
            return str(self.before["pack"]["cards"][self.action["n"]].get("k"))
        return None

    def owned(self, *keys: str, debuffed: bool = False) -> list[Json]:
        """The jokers of these keys before the step that work, or that do not."""
        return [joker for joker in self.before["jokers"] if joker["k"] in keys and ("db" in joker) == debuffed]


class Item:
    """A difference in one of a list of items, such as ``jokers[2].sell``."""

    def __init__(self, taken: Taken, case: Case) -> None:
        match = ITEM.fullmatch(case.path)
        self.area = match["area"] if match else ""
        self.place = int(match["place"]) if match else -1
        self.field = match["field"] if match else None
        self.there = self._at(taken.after)
        self.here = self._at(taken.found)

    def _at(self, state: State) -> Json:
        items = state.get(self.area, ())
        item = items[self.place] if 0 <= self.place < len(items) else {}
        return item if isinstance(item, dict) else {}
