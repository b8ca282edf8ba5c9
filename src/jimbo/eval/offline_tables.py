"""The tables of an offline evaluation as texts, for the terminal and for its page."""

from __future__ import annotations

from collections.abc import Iterator

from jimbo.eval.bootstrap import Estimate
from jimbo.eval.calibration import Forecast
from jimbo.eval.offline import WIN, Offline
from jimbo.eval.text_tables import UNKNOWN, TextTable, calibration_table, number, percent
from jimbo.text import MEASURES, counted, percent_text

_PHASES = {"selecting_hand": "blind", "blind_select": "blind choice", "round_eval": "cash-out", "pack_opening": "pack"}


def _times(estimate: Estimate) -> str:
    return UNKNOWN if estimate.value is None else f"x{estimate.value:.2f}"


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
    return calibration_table(
        {forecast_name(key): forecast.all for key, forecast in result.forecasts.items()}, "forecast"
    )


def ante_table(forecast: Forecast) -> TextTable:
    """The same for one of them, by the ante of the decision."""
    return calibration_table({f"{ante}": row for ante, row in forecast.by_ante.items()}, "ante")


def remarks(result: Offline) -> Iterator[str]:
    """What was counted, and what was not."""
    choices = result.decisions - result.single - result.not_listed
    yield (
        f"{counted(choices, 'decision')} of {result.decisions:,} count as choices; left out: "
        f"{result.single:,} with one candidate, {result.not_listed:,} whose action is not among the candidates."
    )
    if result.tied:
        yield (
            f"Ties: in {counted(result.tied, 'decision')} the network rates the action taken and others exactly alike. "
            "Such a decision counts as the share that drawing among them would agree in."
        )
    if not result.foresees:
        yield "This network was not taught to foresee the end (jimbo train pv does that)."
    if result.open_games:
        yield f"{counted(result.open_games, 'game')} without an end: the forecasts for them cannot be checked."
    if result.ante:
        off, bias = number(result.ante.absolute), number(result.ante.mean)
        yield f"The expected final ante is off by {off}; expected minus real is {bias} on average."
