"""What came of a fit, as tables for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rich.console import Group
from rich.table import Table
from rich.text import Text

from jimbo.colours import CYAN, QUIET
from jimbo.train.expert_constants.fit import Fit
from jimbo.train.expert_constants.names import constants
from jimbo.train.expert_constants.report import Origin, group_of, kept_because

_TABLES = ("unseen.tags", "unseen.vouchers", "unseen.jokers")
_SURE = 3.0
"""Standard errors by which the win rate must have moved to be told of: with 17 ranges, one often moves by two."""


def result(fit: Fit, origin: Origin) -> Group:
    # A command and a hash are copied from the terminal as they stand, so no line is broken here.
    heading = Text("\n".join(origin.lines()), style=QUIET, no_wrap=True, overflow="ignore")
    notes = [Text(note) for note in (*_items(fit), _held_out(fit), *_moved(fit))]
    return Group(heading, Text(""), _constants(fit), Text(""), *notes)


def _constants(fit: Fit) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style=f"bold {CYAN}")
    for name in ("constant", "before", "now", "error", ""):
        table.add_column(name, justify="left" if name in ("constant", "") else "right", no_wrap=True)
    values = constants(fit.config)
    for estimate in fit.estimates:
        if group_of(estimate.name) not in _TABLES:
            kept = kept_because(estimate)
            error = "" if kept else f"{estimate.error:.2g}"
            style = QUIET if kept else ""
            now = f"{values[estimate.name]:g}"
            table.add_row(
                estimate.name, f"{estimate.before:g}", now, error, f"kept: {kept}" if kept else "", style=style
            )
    return table


def _items(fit: Fit) -> Iterator[str]:
    fitted = Counter(group_of(estimate.name) for estimate in fit.estimates if estimate.fitted)
    asked = Counter(group_of(estimate.name) for estimate in fit.estimates)
    for group in _TABLES:
        yield f"{group}: {fitted[group]} of {asked[group]} fitted, all others kept"


def _held_out(fit: Fit) -> str:
    before, now = fit.log_chance
    return f"Log chance of what followed a position, in games held out of the fit: {before:.4f} before, {now:.4f} now"


def _moved(fit: Fit) -> Iterator[str]:
    for name, slope in fit.slopes.items():
        if abs(slope.points) > _SURE * slope.error:
            yield f"More {name} moved the win rate: {slope.points:+.1f} +- {slope.error:.1f} points at its highest"
