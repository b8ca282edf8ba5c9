"""Tables as texts: made once, shown in the terminal and on pages."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass

from rich.table import Table

from jimbo.colours import QUIET
from jimbo.eval.bootstrap import Estimate
from jimbo.eval.calibration import Calibration
from jimbo.eval.pages import table
from jimbo.text import percent_text

UNKNOWN = "-"


@dataclass(frozen=True, slots=True)
class TextTable:
    heads: Sequence[str]
    lines: Sequence[Sequence[str]]

    def narrow(self, heads: Sequence[str], whole: Container[str]) -> TextTable:
        """Some of the columns, the first of each name, without intervals except in those that stay whole."""
        places = [self.heads.index(head) for head in heads]
        lines = [[line[place] for place in places] for line in self.lines]
        return TextTable(
            heads,
            [
                [c if head in whole else c.partition(" (")[0] for head, c in zip(heads, line, strict=True)]
                for line in lines
            ],
        )


def number(estimate: Estimate) -> str:
    return _text(estimate, lambda value: f"{value:.3f}")


def percent(estimate: Estimate) -> str:
    """``61.2 % (60.1 to 62.3)``."""
    return _text(estimate, lambda value: f"{100 * value:.1f}", " %")


def _text(estimate: Estimate, shown: Callable[[float], str], unit: str = "") -> str:
    if estimate.value is None:
        return UNKNOWN
    interval = f" ({shown(estimate.ci95[0])} to {shown(estimate.ci95[1])})" if estimate.ci95 else ""
    return f"{shown(estimate.value)}{unit}{interval}"


def calibration_table(rows: Mapping[str, Calibration], what: str) -> TextTable:
    """How good some probabilities are; ``what`` tells them apart."""
    heads = (what, "decisions", "games", "said", "happened", "Brier", "base", "log loss", "ECE", "AUC")
    lines = [
        (
            name,
            f"{row.decisions:,}",
            f"{row.games:,}",
            percent_text(row.predicted),
            percent(row.happened),
            number(row.brier),
            f"{row.base_brier:.3f}",
            number(row.log_loss),
            number(row.ece),
            number(row.auc),
        )
        for name, row in rows.items()
    ]
    return TextTable(heads, lines)


def bin_table(row: Calibration) -> TextTable:
    heads = ("said", "decisions", "games", "mean", "happened")
    lines = [
        (
            f"{100 * bin.low:.0f} to {100 * bin.high:.0f} %",
            f"{bin.decisions:,}",
            f"{bin.games:,}",
            percent_text(bin.predicted),
            percent(bin.happened),
        )
        for bin in row.bins
    ]
    return TextTable(heads, lines)


def in_terminal(made: TextTable) -> Table:
    """The first column names the lines."""
    shown = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=QUIET)
    for place, head in enumerate(made.heads):
        shown.add_column(head, justify="right" if place else "left", no_wrap=place > 0)
    for line in made.lines:
        shown.add_row(*line)
    return shown


def wide(made: TextTable) -> str:
    """As HTML that scrolls where there is no room."""
    return f'<div class="wide">{table(made.heads, made.lines)}</div>'


def details(title: str, made: TextTable) -> str:
    """As HTML that a click opens."""
    return f"<details><summary>{title}</summary>{wide(made)}</details>"
