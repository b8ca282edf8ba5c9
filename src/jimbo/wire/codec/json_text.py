"""JSON as the mod writes it: empty objects are ``[]``, numbers have 14 digits, what is absent has no key."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Unwritable(ValueError):
    """A number that JSON has no form for; the mod fails on it too."""


def number(value: float) -> str:
    if not math.isfinite(value):
        raise Unwritable(f"unexpected number value '{value}'")
    return f"{value:.14g}"


def text(value: str) -> str:
    return _encode(value)


def fields(values: Mapping[str, Any]) -> str:
    """An object of plain values, objects and lists; numbers in it are whole."""
    return _encode(values) if values else "[]"


def of_parts(parts: Mapping[str, str]) -> str:
    """An object whose values are written already."""
    return "{" + ",".join(f'"{name}":{value}' for name, value in parts.items()) + "}" if parts else "[]"


def area(cards: Iterable[str], limit: int, highlighted_limit: int, *, count: int | None = None) -> str:
    """A place for cards, which are written already. The game does not always count those that are there."""
    written = list(cards)
    return (
        f'{{"count":{len(written) if count is None else count},"limit":{limit},"highlighted_limit":{highlighted_limit},'
        f'"cards":[{",".join(written)}]}}'
    )
