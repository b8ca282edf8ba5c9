"""The tables of an offline evaluation as texts, for the terminal and for its page."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass

from jimbo.eval.bootstrap import Estimate
from jimbo.eval.calibration import Calibration
from jimbo.eval.offline import WIN, Forecast, Offline
from jimbo.text import MEASURES, counted, percent_text

_UNKNOWN = "-"
_PHASES = {"selecting_hand": "blind", "blind_select": "blind choice", "round_eval": "cash-out", "pack_opening": "pack"}


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
        return _UNKNOWN
    interval = f" ({shown(estimate.ci95[0])} to {shown(estimate.ci95[1])})" if estimate.ci95 else ""
    return f"{shown(estimate.value)}{unit}{interval}"


def _times(estimate: Estimate) -> str:
    return _UNKNOWN if estimate.value is None else f"x{estimate.value:.2f}"


def choice_table(result: Offline) -> TextTable:
    """Agreement with the player, by phase."""
    heads = ["phase", "decisions", "candidates", "top 1", "by chance", "lift"]
    heads += ["top 3", "by chance", "lift", "cross-entropy", "by chance", "P(taken)"]
    lines = [
        (
            _PHASES.get(phase, phase),
            f"{row.decisions:,}",
            f"{row.candidates:.1f}",
            percent(row.top1),
            percent_text(row.random_top1),
            _times(row.lift1),
            percent(row.top3),
            percent_text(row.random_top3),
            _times(row.lift3),
            number(row.cross_entropy),
            f"{row.random_cross_entropy:.3f}",
            percent(row.probability),
        )
        for phase, row in result.choices.items()
    ]
    return TextTable(heads, lines)


def regret_table(result: Offline) -> TextTable:
    heads = ("measured as", "decisions", "unseen", "regret", "by chance")
    lines = [
        (MEASURES[row.measure][1], f"{row.decisions:,}", f"{row.unseen:,}", number(row.regret), f"{row.random:.3f}")
        for row in result.regrets
    ]
    return TextTable(heads, lines)


def forecast_name(key: str) -> str:
    """``P(win)``, ``P(2 more blinds)``."""
    return "P(win)" if key == WIN else f"P({counted(int(key.removeprefix('clear_')), 'more blind')})"


def forecast_table(result: Offline) -> TextTable:
    """How good the probabilities are, on all decisions."""
    return _calibrations({forecast_name(key): forecast.all for key, forecast in result.forecasts.items()}, "forecast")


def ante_table(forecast: Forecast) -> TextTable:
    """The same for one of them, by the ante of the decision."""
    return _calibrations({f"{ante}": row for ante, row in forecast.by_ante.items()}, "ante")


def _calibrations(rows: Mapping[str, Calibration], what: str) -> TextTable:
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


def remarks(result: Offline) -> Iterator[str]:
    """What was counted, and what was not."""
    choices = result.decisions - result.single - result.not_listed
    yield (
        f"{counted(choices, 'decision')} of {result.decisions:,} count as choices; left out: "
        f"{result.single:,} with one candidate, {result.not_listed:,} whose action is not among the candidates."
    )
    if not result.foresees:
        yield "This network was not taught to foresee the end (jimbo train pv does that)."
    if result.open_games:
        yield f"{counted(result.open_games, 'game')} without an end: nothing there tells which forecasts came true."
    if result.ante:
        off, bias = number(result.ante.absolute), number(result.ante.mean)
        yield f"The expected final ante is off by {off}; expected minus real is {bias} on average."
