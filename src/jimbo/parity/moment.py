"""One step of a trace: the call, the state after it, and the state before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jimbo.wire.gamestate import Json, as_object, cards_of


@dataclass(frozen=True, slots=True)
class Moment:
    """``state`` and ``before`` are gamestates as they came over the wire; ``before`` is None at the start."""

    state: Json
    before: Json | None = None
    method: str = "start"
    params: Mapping[str, Any] | None = None
    refused: str | None = None
    """The name of the error with which the call was refused."""

    def cards(self, area: str) -> list[Json]:
        """What lies in an area; nothing where there is no such area."""
        return cards_of(self.state, area)

    def number(self, name: str) -> float:
        """Of the round."""
        return number_of(self.state, name)


def number_of(state: Mapping[str, Any], name: str) -> float:
    value = as_object(state.get("round")).get(name)
    return value if isinstance(value, int | float) else 0
