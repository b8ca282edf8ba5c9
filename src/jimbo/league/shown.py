"""Entries in words: when they were made, how large they are, how many games they won, and what is known of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from jimbo.league.entry import Entry
from jimbo.text import percent_text


def minute(at: str) -> str:
    """A time of the journal as people read it."""
    return at[:16].replace("T", " ")


def size_text(entry: Entry) -> str:
    """How large its files are together."""
    size = float(sum(stored.size for stored in entry.files.values()))
    for unit in ("B", "kB", "MB"):
        if size < 1000:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} GB"


def won_text(entry: Entry) -> str:
    """The share of games that were won, of a single evaluation; empty for anything else."""
    share = entry.about.get("results", {}).get("win_rate")
    return percent_text(share) if isinstance(share, float) else ""


def lines_of(data: Mapping[str, Any], within: str = "") -> Iterator[tuple[str, str]]:
    """Names and values, those inside mappings with dots; without those that say nothing."""
    for name, value in data.items():
        if isinstance(value, dict) and value:
            yield from lines_of(value, f"{within}{name}.")
        elif value not in ({}, [], "", None):
            yield f"{within}{name}", value if isinstance(value, str) else json.dumps(value)
