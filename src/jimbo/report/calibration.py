"""Whether probabilities come true: estimates as cells, and tables and the plot of a calibration."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from jimbo.eval.bootstrap import Estimate
from jimbo.eval.calibration import Bin, Calibration
from jimbo.report.sections import UNKNOWN, TextTable
from jimbo.report.svg import Drawing, Point, curves, share_axis
from jimbo.text import counted, percent_text


def number(estimate: Estimate) -> str:
    return _text(estimate, lambda value: f"{value:.3f}")


def percent(estimate: Estimate) -> str:
    """Return ``61.2 % (60.1 to 62.3)``."""
    return _text(estimate, lambda value: f"{100 * value:.1f}", " %")


def _text(estimate: Estimate, shown: Callable[[float], str], unit: str = "") -> str:
    if estimate.value is None:
        return UNKNOWN
    interval = f" ({shown(estimate.ci95[0])} to {shown(estimate.ci95[1])})" if estimate.ci95 else ""
    return f"{shown(estimate.value)}{unit}{interval}"


def calibration_table(
    rows: Mapping[str, Calibration], what: str, narrow: tuple[str, ...] = (), whole: tuple[str, ...] = ()
) -> TextTable:
    """Return how good some probabilities are; ``what`` tells them apart."""
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
    return TextTable(heads, lines, narrow, whole)


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


def reliability(*agents: Calibration) -> Drawing:
    """Draw what is said against what happened, in bins: on the diagonal they are the same."""
    series = [[_said(bin, bin.happened.value or 0.0) for bin in row.bins] for row in agents]
    return curves(series, share_axis("said"), share_axis("happened"), diagonal=True)


def _said(bin: Bin, share: float) -> Point:
    text = f"said {100 * bin.predicted:.1f} %, happened {100 * share:.1f} % ({counted(bin.decisions, 'decision')})"
    return Point(bin.predicted, share, *(bin.happened.ci95 or (share, share)), text)
