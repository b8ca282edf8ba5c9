"""The reviewed list of differences that are accounted for (``exceptions.toml``)."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

REVIEWED = Path(__file__).with_name("exceptions.toml")
FIELDS = {"file", "case", "reason"}


@dataclass(frozen=True, slots=True)
class Rule:
    file: re.Pattern[str]
    cases: tuple[re.Pattern[str], ...]
    reason: str

    def covers(self, file: str, case: str) -> bool:
        return bool(self.file.fullmatch(file)) and any(pattern.fullmatch(case) for pattern in self.cases)


def load_rules(path: Path = REVIEWED) -> tuple[Rule, ...]:
    """Reads the rules; raises ValueError for anything but complete and known fields."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path.name}: {error}") from error
    if unknown := content.keys() - {"exception"}:
        raise ValueError(f'{path.name}: only [[exception]] tables are allowed, not "{min(unknown)}"')
    return tuple(_rule(f"{path.name}, exception {i}", row) for i, row in enumerate(content.get("exception", []), 1))


def _rule(where: str, row: dict[str, Any]) -> Rule:
    if row.keys() != FIELDS:
        raise ValueError(f"{where}: needs exactly the fields {', '.join(sorted(FIELDS))}")
    # Several cases of one kind may share a rule.
    cases = row["case"] if isinstance(row["case"], list) else [row["case"]]
    for name, value in (("file", row["file"]), ("reason", row["reason"]), *(("case", case) for case in cases)):
        if not isinstance(value, str) or not value.strip():
            raise ValueError(f"{where}: {name} must be a text that is not empty")
    if not cases:
        raise ValueError(f"{where}: case must name at least one case")
    return Rule(_pattern(row["file"]), tuple(_pattern(case) for case in cases), row["reason"])


def _pattern(text: str) -> re.Pattern[str]:
    """Case paths are full of brackets, so that * is the only sign with a meaning."""
    return re.compile(".*".join(re.escape(part) for part in text.split("*")))
