"""The fitted constants as a file for ``--set config=FILE``, with their standard errors beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jimbo.agents.expert_v1.config import OWN_FILE
from jimbo.train.expert_constants.fit import Fit
from jimbo.train.expert_constants.names import constants
from jimbo.train.expert_constants.report import Origin, group_lines

_LINE = re.compile(r"(?P<indent> *)(?P<name>\w+):(?: +(?P<value>[^#\s][^#]*?))?(?: *# (?P<comment>.*))?")
_TABLES = ("unseen.tags", "unseen.vouchers", "unseen.jokers")
_COMMENT_COLUMN = 26
_DIGITS = 3


def constants_text(fit: Fit, origin: Origin) -> str:
    """The package's own file with other numbers."""
    heading = [*origin.lines(), "", *group_lines(fit), "", "A fitted constant has its standard error beside it (+-)."]
    return "\n".join([*(f"# {line}".rstrip() for line in heading), "", *_Rewriting(fit).lines()]) + "\n"


class _Rewriting:
    def __init__(self, fit: Fit) -> None:
        self._fitted = {estimate.name: estimate for estimate in fit.estimates if estimate.fitted}
        self._values = constants(fit.config)
        self._path: list[str] = []

    def lines(self) -> Iterator[str]:
        for line in OWN_FILE.read_text(encoding="utf-8").splitlines():
            match = _LINE.fullmatch(line)
            if not match:
                yield line
                continue
            self._path[len(match["indent"]) // 2 :] = [match["name"]]
            name = ".".join(self._path)
            if name in _TABLES:
                yield line
                yield from self._table(name, f"{match['indent']}  ")
            elif not name.startswith(tuple(f"{table}." for table in _TABLES)):
                yield self._line(name, match)

    def _line(self, name: str, match: re.Match[str]) -> str:
        """As it is, unless the constant, or one of its list, was fitted."""
        names = [full for full in self._values if full == name or re.fullmatch(rf"{re.escape(name)}\.\d", full)]
        if not any(full in self._fitted for full in names):
            return match[0]
        values = ", ".join(_number(self._values[full]) for full in names)
        errors = ", ".join(self._error(full) for full in names)
        value = f"[{values}]" if match["value"].startswith("[") else values
        told = f"{errors}; {match['comment']}" if match["comment"] else errors
        return _commented(f"{match['indent']}{match['name']}: {value}", told)

    def _error(self, name: str) -> str:
        return f"+- {self._fitted[name].error:.2g}" if name in self._fitted else "kept"

    def _table(self, table: str, indent: str) -> Iterator[str]:
        """Dearest first."""
        names = [name for name in self._values if name.startswith(f"{table}.")]
        for name in sorted(names, key=lambda name: -self._values[name]):
            games = f", seen in {self._fitted[name].games} games" if name in self._fitted else ""
            entry = f"{indent}{name.rpartition('.')[2]}: {_number(self._values[name])}"
            yield _commented(entry, f"{self._error(name)}{games}")


def _commented(text: str, comment: str) -> str:
    return f"{text:<{_COMMENT_COLUMN}}# {comment}" if len(text) < _COMMENT_COLUMN else f"{text} # {comment}"


def _number(value: float) -> str:
    text = f"{value:.{_DIGITS}f}".rstrip("0")
    return f"{text}0" if text.endswith(".") else text
