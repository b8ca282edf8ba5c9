"""What a check found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Status = Literal["ok", "not needed", "missing"]


@dataclass(frozen=True, slots=True)
class Finding:
    """``not needed`` is absent, or wrong, and nobody waits for it; ``missing`` must be put right."""

    what: str
    status: Status
    found: str
    remedy: str = ""
    """Empty where nothing can be done, or need be."""


def good(what: str, found: str) -> Finding:
    return Finding(what, "ok", found)


def bad(what: str, found: str, remedy: str, *, needed: bool) -> Finding:
    return Finding(what, "missing" if needed else "not needed", found, remedy)
