"""The tables of docs/data.md, from the lists of fields and columns: ``python tools/data_page.py`` writes them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from jimbo.data.columns import columns
from jimbo.data.record_v1 import FIELDS

PAGE = Path(__file__).parents[1] / "docs" / "data.md"


def with_tables(page: str) -> str:
    """The page with its tables of fields and columns as they are now."""
    page = _replaced(page, "| field | meaning |", ((f"`{name}`", field.doc) for name, field in FIELDS.items()))
    return _replaced(
        page, "| column | type | meaning |", ((f"`{column.name}`", column.type, column.doc) for column in columns())
    )


def _replaced(page: str, header: str, rows: Iterable[tuple[str, ...]]) -> str:
    before, _, rest = page.partition(f"{header}\n")
    dashes = rest.partition("\n")[0]
    after = rest[rest.index("\n\n") :]
    return before + "\n".join([header, dashes, *(f"| {' | '.join(row)} |" for row in rows)]) + after


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
