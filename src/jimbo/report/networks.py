"""What networks know, for people: one against recorded games, and what things are worth to a learnt value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from jimbo.data.record import versions
from jimbo.engine import LAST_ANTE
from jimbo.engine.catalog import HANDS, JOKERS, STAKES, VOUCHERS
from jimbo.eval.calibration import Forecast
from jimbo.eval.offline import WIN, Offline
from jimbo.eval.worths import MONEY, Worth, Worths
from jimbo.files import write_text
from jimbo.report import svg
from jimbo.report.diagnosis import bin_table, by_ante, calibration_table, known, number, percent, reliability
from jimbo.report.items import FEWEST, write_measured
from jimbo.report.sections import Document, Folded, Section, TextTable, plot
from jimbo.report.svg import Point
from jimbo.text import MEASURES, counted, percent_text

# --- A network against recorded games ---------------------------------------------------------------------------------

_CHOICES = (
    "How often the action taken is the first choice of the network, or among its first three. Games are drawn again "
    "for the 95 % intervals in brackets. By chance: what choosing at random agrees to."
)
_FORECASTS = (
    "Probabilities that the network gives before each decision, against how the game ended. Base: the Brier score "
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
        ("Would it do the same?", _CHOICES, choice_table(result)),
        ("Does it foresee the end?", _FORECASTS, forecast_table(result)),
        ("What its first choices would lose, as the player valued them", _REGRETS, regret_table(result)),
    ]
    return Document(
        f"{model} on {games} of {players}, {decisions}",
        " ".join(offline_remarks(result)),
        versions()["engine"],
        sections=[
            *(Section(title, text, [table]) for title, text, table in tables if table.lines),
            *(_reliability(key, forecast) for key, forecast in result.forecasts.items()),
        ],
    )


def offline_remarks(result: Offline) -> Iterator[str]:
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
            known(row.lift1, "x{:.2f}".format),
            percent(row.top3),
            percent_text(row.random_top3),
            known(row.lift3, "x{:.2f}".format),
            number(row.cross_entropy),
            f"{row.random_cross_entropy:.3f}",
            percent(row.probability),
        )
        for phase, row in result.choices.items()
    ]
    return TextTable(heads, lines, ("phase", "decisions", "top 1", "lift", "top 3", "cross-entropy"), ("top 1",))


def regret_table(result: Offline) -> TextTable:
    heads = ("measured as", "decisions", "unseen", "regret", "by chance")
    lines = [
        (MEASURES[row.measure][1], f"{row.decisions:,}", f"{row.unseen:,}", number(row.regret), f"{row.random:.3f}")
        for row in result.regrets
    ]
    return TextTable(heads, lines)


def forecast_table(result: Offline) -> TextTable:
    """How good the probabilities are, on all decisions."""
    rows = {forecast_name(key): forecast.all for key, forecast in result.forecasts.items()}
    narrow = ("forecast", "said", "happened", "Brier", "base", "ECE", "AUC")
    return calibration_table(rows, "forecast", narrow, ("Brier",))


def forecast_name(key: str) -> str:
    """Return ``P(win)``, ``P(2 more blinds)``."""
    return "P(win)" if key == WIN else f"P({_more_blinds(key)})"


def _more_blinds(key: str) -> str:
    return counted(int(key.removeprefix("clear_")), "more blind")


def _reliability(key: str, forecast: Forecast) -> Section:
    """One forecast: its plot, the numbers behind it, and its numbers by ante."""
    meaning = "the run was won" if key == WIN else f"the run beat at least {_more_blinds(key)}"
    text = f"What is said against what happened ({meaning}), in ten bins, with 95 % intervals."
    antes = calibration_table(by_ante(forecast), "ante")
    folded = Folded("Bins", [bin_table(forecast.all)]), Folded("By ante", [antes])
    return plot(forecast_name(key), text, reliability(forecast.all), *folded)


# --- What things are worth: a page in Markdown with pictures next to it -----------------------------------------------

_ANTES = range(1, LAST_ANTE + 1)
_JOKERS_SHOWN, _OTHERS_SHOWN = 30, 16
_WORST_SHOWN = 10
_MONEY_ANTES = (2, 5, 8)
"""Positions that a mean must have to be shown."""

_INTRODUCTION = """\
The numbers are points: by how much the chance to win a run changes, in the opinion of the value that the agent `fast`
decides by ([value.md](value.md)), when a thing is given to a run for nothing just before a blind. Jokers are given as
Negative ones, so that they need no room. The runs are the agent's own, with the Red Deck, at most sixty moments of each
ante. A joker's number is high where it suits the builds that this agent plays.

This is what one network has learnt from playing, not a proof; [value.md](value.md) says how strong it is. It knows
little of antes that its runs seldom reach. Things that often go along with success are overrated, money above all. What
is given can hardly hurt: most numbers below zero are its mistakes, from games that tried such things and played worse.
"""

ByAnte = Mapping[int, Worth]


def write_worths(path: Path, found: Sequence[Worths], command: str) -> list[Path]:
    """The page, its pictures and its numbers; returns all that was written, the numbers last."""
    pictures = {
        path.with_name(_picture_name(path, worths, name)): drawn
        for worths in found
        for name, drawn in _pictures(worths)
    }
    for place, drawn in pictures.items():
        write_text(place, drawn)
    write_text(path, "\n".join(_page_lines(path, found, command)))
    numbers = path.with_name(f"{path.stem}-worths.json")
    write_measured(numbers, found, command)
    return [path, *pictures, numbers]


def _picture_name(path: Path, worths: Worths, name: str) -> str:
    return f"{path.stem}-{worths.stake.removeprefix('stake_')}-{name}.svg"


def _pictures(worths: Worths) -> Iterator[tuple[str, str]]:
    yield "jokers", _heat(worths.jokers, {key: fact.name for key, fact in JOKERS.items()}, _JOKERS_SHOWN)
    yield "vouchers", _heat(worths.vouchers, {key: fact.name for key, fact in VOUCHERS.items()}, _OTHERS_SHOWN)
    yield "hands", _heat(worths.hands, {key: fact.name for key, fact in HANDS.items()}, _OTHERS_SHOWN)
    yield "money", _money(worths)


def _heat(table: Mapping[str, ByAnte], names: Mapping[str, str], shown: int) -> str:
    best = sorted(table, key=lambda key: -_mean(table[key]))[:shown]
    sure = [{ante: worth.mean for ante, worth in table[key].items() if _is_known(worth)} for key in best]
    values = [[means.get(ante) for ante in _ANTES] for means in sure]
    return svg.heat([names[key] for key in best], [f"ante {ante}" for ante in _ANTES], values)


def _is_known(worth: Worth) -> bool:
    return worth.positions >= FEWEST


def _mean(worths: ByAnte) -> float:
    """The mean over the antes, each counting alike."""
    means = [worth.mean for worth in worths.values() if _is_known(worth)]
    return float(np.mean(means)) if means else float("-inf")


def _money(worths: Worths) -> str:
    antes = [ante for ante in _MONEY_ANTES if ante in worths.money]
    series = [
        [
            Point(dollars, win, win, win, f"${dollars}: {percent_text(win)}")
            for dollars, win in worths.money[ante].items()
        ]
        for ante in antes
    ]
    axis = svg.number_axis(MONEY[-1], "dollars before the blind", sign="$")
    drawn = svg.curves(series, axis, svg.share_axis("chance to win"))
    return svg.picture(drawn, [f"ante {ante}" for ante in antes])


def _page_lines(path: Path, found: Sequence[Worths], command: str) -> Iterator[str]:
    yield "# What wins: the learnt worth of jokers, vouchers, levels and money\n"
    yield f"Made by `{command}`; do not edit it by hand.\n"
    yield _INTRODUCTION
    for worths in found:
        yield from _stake_lines(path, worths)


def _stake_lines(path: Path, worths: Worths) -> Iterator[str]:
    def image(name: str, words: str) -> str:
        return f"![{words}]({_picture_name(path, worths, name)})\n"

    name = STAKES[worths.stake].name
    wins = ", ".join(f"{percent_text(win)}" for win in worths.win.values())
    yield f"## {name}\n"
    yield f"From {counted(worths.games, 'game')}. Chance to win before anything is given, by ante: {wins}.\n"
    yield f"### Jokers\n\n{image('jokers', f'Jokers worth most at {name}, by ante')}"
    sure = [key for key, worth in worths.jokers.items() if any(map(_is_known, worth.values()))]
    worst = sorted(sure, key=lambda key: _mean(worths.jokers[key]))[:_WORST_SHOWN]
    if worst:
        named = ", ".join(f"{JOKERS[key].name} {_mean(worths.jokers[key]):+.1f}" for key in worst)
        yield f"Worth least: {named}. {_errors(worths)}\n"
    yield f"### Vouchers\n\n{image('vouchers', f'Vouchers worth most at {name}, by ante')}"
    yield f"### One more level of a poker hand\n\n{image('hands', f'Poker hands worth most at {name}, by ante')}"
    yield f"### Money\n\n{image('money', f'Chance to win by money at {name}')}"


def _errors(worths: Worths) -> str:
    errors = [worth.error for by in worths.jokers.values() for worth in by.values() if _is_known(worth)]
    return f"Standard errors of jokers' numbers: {np.median(errors):.1f} at the median, {max(errors):.1f} at most."
