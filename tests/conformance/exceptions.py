"""The reviewed list of differences that are accounted for (``exceptions.toml``)."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conformance.report import Case
from conformance.scoring import HIGH_CARD_BY_CHIPS
from conformance.trace_rules import RULES as TRACE_RULES

REVIEWED = Path(__file__).with_name("exceptions.toml")
BY_CASE = {"file", "case", "reason"}
BY_RULE = {"file", "rule", "reason"}
RULES = {HIGH_CARD_BY_CHIPS, *TRACE_RULES}


@dataclass(frozen=True, slots=True)
class Rule:
    """Accounts for differences in certain places, or for those that a named rule of the game explains."""

    file: re.Pattern[str]
    cases: tuple[re.Pattern[str], ...]
    name: str | None
    reason: str

    def covers(self, file: str, case: Case) -> bool:
        if not self.file.fullmatch(file):
            return False
        return self.name in case.explained_by or any(pattern.fullmatch(case.path) for pattern in self.cases)


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
    if row.keys() not in (BY_CASE, BY_RULE):
        fields = " or ".join(", ".join(sorted(names)) for names in (BY_CASE, BY_RULE))
        raise ValueError(f"{where}: needs exactly the fields {fields}")
    # Several cases of one kind may share a rule.
    case = row.get("case", [])
    cases = case if isinstance(case, list) else [case]
    texts = [(name, row[name]) for name in row if name != "case"] + [("case", case) for case in cases]
    for name, value in texts:
        if not isinstance(value, str) or not value.strip():
            raise ValueError(f"{where}: {name} must be text that is not empty")
    if "case" in row and not cases:
        raise ValueError(f"{where}: case must name at least one case")
    if "rule" in row and row["rule"] not in RULES:
        raise ValueError(f'{where}: there is no rule "{row["rule"]}"')
    return Rule(_pattern(row["file"]), tuple(_pattern(case) for case in cases), row.get("rule"), row["reason"])


def _pattern(text: str) -> re.Pattern[str]:
    """Case paths are full of brackets, so * is the only sign with a meaning."""
    return re.compile(".*".join(re.escape(part) for part in text.split("*")))
