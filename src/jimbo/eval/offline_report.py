"""An offline evaluation for people: tables in the terminal, and one HTML page with reliability plots."""

from __future__ import annotations

from html import escape

from rich.console import Group, RenderableType
from rich.text import Text

from jimbo.colours import CYAN, QUIET
from jimbo.data import versions
from jimbo.eval import plots
from jimbo.eval.calibration import Forecast
from jimbo.eval.offline import WIN, Offline
from jimbo.eval.offline_tables import (
    ante_table,
    choice_table,
    forecast_name,
    forecast_table,
    regret_table,
    remarks,
)
from jimbo.eval.pages import card, document
from jimbo.eval.text_tables import TextTable, bin_table, details, in_terminal, wide
from jimbo.text import counted

_CHOICES = "Would it do the same?"
_FORECASTS = "Does it foresee the end?"
_REGRETS = "What its first choices would lose, as the player valued them"
_IN_THE_TERMINAL = {
    _CHOICES: ("phase", "decisions", "top 1", "lift", "top 3", "cross-entropy"),
    _FORECASTS: ("forecast", "said", "happened", "Brier", "base", "ECE", "AUC"),
    _REGRETS: ("measured as", "decisions", "unseen", "regret", "by chance"),
}
_WITH_INTERVALS = ("top 1", "Brier", "regret")
"""In the terminal; the page has them all."""


def offline_report(result: Offline, model: str) -> Group:
    """The numbers, in tables."""
    parts: list[RenderableType] = [Text(_heading(result, model), style="bold")]
    parts += [Text(remark, style=QUIET) for remark in remarks(result)]
    for title, made in _tables(result):
        parts += [Text(""), Text(title, style=f"bold {CYAN}")]
        parts.append(in_terminal(made.narrow(_IN_THE_TERMINAL[title], _WITH_INTERVALS)))
    return Group(*parts)


def _heading(result: Offline, model: str) -> str:
    players = ", ".join(result.agents)
    games, decisions = counted(result.games, "game"), counted(result.decisions, "decision")
    return f"{model} on {games} of {players}, {decisions}"


def _tables(result: Offline) -> list[tuple[str, TextTable]]:
    tables = [(_CHOICES, choice_table(result)), (_FORECASTS, forecast_table(result)), (_REGRETS, regret_table(result))]
    return [(title, made) for title, made in tables if made.lines]


# --- The page ---------------------------------------------------------------------------------------------------------


def offline_page(result: Offline, model: str) -> str:
    heading = _heading(result, model)
    notes = f"<p>{escape(' '.join(remarks(result)))}<br>{escape(versions()['engine'])}</p>"
    texts = {
        _CHOICES: "How often the action taken is the first choice of the network, or among its first three. Games are "
        "drawn again for the 95 % intervals in brackets. By chance: what choosing at random agrees to.",
        _FORECASTS: "Probabilities that the network gives before each decision, against what came of the game. "
        "Base: the Brier score of one who always says how often it happens.",
        _REGRETS: "Value of the action taken minus that of the first choice, where the player looked at both. "
        "Unseen: it did not look at one of them.",
    }
    cards = [card(title, texts[title], wide(made)) for title, made in _tables(result)]
    drawn = "".join(_reliability(key, forecast) for key, forecast in result.forecasts.items())
    return document(heading, f'<h1>{escape(heading)}</h1>{notes}{"".join(cards)}<div class="plots">{drawn}</div>')


def _reliability(key: str, forecast: Forecast) -> str:
    """One forecast: its plot, the numbers behind it, and the same by ante."""
    row = forecast.all
    text = f"What is said against what happened ({_meaning(key)}), in ten bins, with 95 % intervals."
    content = plots.reliability(row) + details("Bins", bin_table(row)) + details("By ante", ante_table(forecast))
    return card(forecast_name(key), text, content)


def _meaning(key: str) -> str:
    if key == WIN:
        return "the run was won"
    return f"the run beat at least {counted(int(key.removeprefix('clear_')), 'more blind')}"
