"""An offline evaluation for people: whether a network would do as the player did, and whether it foresees the end."""

from __future__ import annotations

from collections.abc import Iterator

from jimbo.data import versions
from jimbo.eval.bootstrap import Estimate
from jimbo.eval.calibration import Forecast
from jimbo.eval.offline import WIN, Offline
from jimbo.report.calibration import bin_table, calibration_table, number, percent, reliability
from jimbo.report.sections import UNKNOWN, Document, Folded, Section, TextTable, plot
from jimbo.text import MEASURES, counted, percent_text

_CHOICES = (
    "How often the action taken is the first choice of the network, or among its first three. Games are drawn again "
    "for the 95 % intervals in brackets. By chance: what choosing at random agrees to."
)
_FORECASTS = (
    "Probabilities that the network gives before each decision, against what came of the game. Base: the Brier score "
    "of one who always says how often it happens."
)
_REGRETS = (
    "Value of the action taken minus that of the first choice, where the player looked at both. Unseen: it did not "
    "look at one of them."
)
_PHASES = {"selecting_hand": "blind", "blind_select": "blind choice", "round_eval": "cash-out", "pack_opening": "pack"}


def offline_report(result: Offline, model: str) -> Document:
    players = ", ".join(result.agents)
    games, decisions = counted(result.games, "game"), counted(result.decisions, "decision")
    tables = [
        Section("Would it do the same?", _CHOICES, [choice_table(result)]),
        Section("Does it foresee the end?", _FORECASTS, [forecast_table(result)]),
        Section("What its first choices would lose, as the player valued them", _REGRETS, [regret_table(result)]),
    ]
    return Document(
        f"{model} on {games} of {players}, {decisions}",
        " ".join(remarks(result)),
        versions()["engine"],
        sections=[
            *(section for section in tables for part in section.parts if isinstance(part, TextTable) and part.lines),
            *(_reliability(key, forecast) for key, forecast in result.forecasts.items()),
        ],
    )


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
    return TextTable(heads, lines, ("phase", "decisions", "top 1", "lift", "top 3", "cross-entropy"), ("top 1",))


def _times(estimate: Estimate) -> str:
    return UNKNOWN if estimate.value is None else f"x{estimate.value:.2f}"


def regret_table(result: Offline) -> TextTable:
    heads = ("measured as", "decisions", "unseen", "regret", "by chance")
    lines = [
        (MEASURES[row.measure][1], f"{row.decisions:,}", f"{row.unseen:,}", number(row.regret), f"{row.random:.3f}")
        for row in result.regrets
    ]
    return TextTable(heads, lines)


def forecast_name(key: str) -> str:
    """Return ``P(win)``, ``P(2 more blinds)``."""
    return "P(win)" if key == WIN else f"P({counted(int(key.removeprefix('clear_')), 'more blind')})"


def forecast_table(result: Offline) -> TextTable:
    """How good the probabilities are, on all decisions."""
    rows = {forecast_name(key): forecast.all for key, forecast in result.forecasts.items()}
    return calibration_table(
        rows, "forecast", ("forecast", "said", "happened", "Brier", "base", "ECE", "AUC"), ("Brier",)
    )


def _reliability(key: str, forecast: Forecast) -> Section:
    """One forecast: its plot, the numbers behind it, and its numbers by ante."""
    row = forecast.all
    text = f"What is said against what happened ({_meaning(key)}), in ten bins, with 95 % intervals."
    antes = calibration_table({f"{ante}": row for ante, row in forecast.by_ante.items()}, "ante")
    folded = Folded("Bins", [bin_table(row)]), Folded("By ante", [antes])
    return plot(forecast_name(key), text, reliability(row), *folded)


def _meaning(key: str) -> str:
    if key == WIN:
        return "the run was won"
    return f"the run beat at least {counted(int(key.removeprefix('clear_')), 'more blind')}"
