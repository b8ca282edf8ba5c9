"""What an agent suggests, as text: a table of the suggestions, and how a suggested play would score."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from jimbo.colours import CYAN, GREEN, ORANGE, QUIET, RED
from jimbo.serve.assistant import Advice, Score, Suggestion
from jimbo.serve.terminal.story import breakdown, words
from jimbo.text import MEASURES, chance_text, money_text, number_text, percent_text, place_name


def advice_text(advice: Advice, suggestions: Sequence[Suggestion], width: int) -> Group:
    """All of it, with the reasons of each suggestion and the breakdown of the first."""
    if not suggestions:
        return Group(advice_head(advice), Text("The run is over; there is nothing to decide."))
    parts: list[RenderableType] = [advice_head(advice), suggestion_table(advice, suggestions, reasons=True)]
    if suggestions[0].score:
        parts.append(score_text(suggestions[0].score, width))
    return Group(*parts)


def advice_head(advice: Advice) -> Text:
    """Who suggests, where, and the chance to win."""
    state = advice.state
    parts = [
        Text.assemble((advice.agent, "bold"), " suggests"),
        Text(f"Ante {state.ante} · {place_name(state)}", style=QUIET),
    ]
    if advice.win is not None:
        parts.append(Text.assemble(("chance to win ", QUIET), (percent_text(advice.win), f"bold {GREEN}")))
    if state.won:
        parts.append(Text("the run is won", style=ORANGE))
    return Text("   ").join(parts)


def suggestion_table(
    advice: Advice, suggestions: Sequence[Suggestion], marked: int = 0, *, reasons: bool = False
) -> Table:
    """A row for each, ``marked`` the one that is pointed at; columns that would be empty are left out."""
    name, _ = MEASURES[advice.measure]
    with_value = any(one.value is not None for one in suggestions)
    with_clear = any(one.clear is not None for one in suggestions)
    with_result = any(one.score or one.money is not None for one in suggestions)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=QUIET, expand=True)
    table.add_column("", width=3, no_wrap=True)
    for header, there in ((name, with_value), ("clears", with_clear), ("expected", with_result)):
        if there:
            table.add_column(header, justify="right", no_wrap=True)
    table.add_column("suggestion", ratio=1)
    for place, one in enumerate(suggestions):
        cells = ((Text(one.value_text), with_value), (_clear(one), with_clear), (_result(one), with_result))
        mark = Text.assemble(("▶" if place == marked else " ", GREEN), (f"{place + 1}", CYAN))
        shown = (cell for cell, there in cells if there)
        table.add_row(mark, *shown, suggestion_words(one, reason=reasons), style="bold" if place == marked else "")
    return table


def suggestion_words(one: Suggestion, *, reason: bool) -> Text:
    text = words(one.words)
    if one.then:
        text.append(f", {one.then}", style=QUIET)
    if reason and one.reason:
        text.append("\n").append(words(one.reason, f"not bold {QUIET}"))
    return text


def score_text(score: Score, width: int) -> Group:
    """How a play would score, effect by effect."""
    return Group(breakdown(score.told, width), Text(f"Expected: {score}.", style=QUIET))


def _clear(one: Suggestion) -> Text:
    if one.clear is None:
        return Text("")
    return Text(chance_text(one.clear, one.clear_error), style=GREEN if one.clear >= 0.5 else RED)


def _result(one: Suggestion) -> Text:
    """In short: the score and its share of what is needed, or the money that is left."""
    if one.score:
        return Text(f"{number_text(one.score.expected)} ({100 * one.score.share:.0f} %)")
    return words(f"{money_text(one.money)} left") if one.money is not None else Text("")
