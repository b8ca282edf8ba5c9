"""What an agent suggests, as text: a table of the suggestions, and how a suggested play would score."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from jimbo.colours import CYAN, GREEN, ORANGE, QUIET, RED
from jimbo.serve.assistant import Advice, Comparison, Score, Suggestion
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
    """A row for each, ``marked`` the one that is pointed at."""
    rows = [
        (
            Text.assemble(("▶" if place == marked else " ", GREEN), (f"{place + 1}", CYAN)),
            Text(one.value_text),
            clear_text(one.clear, one.clear_error),
            _result(one),
            _suggestion_words(one, reason=reasons),
        )
        for place, one in enumerate(suggestions)
    ]
    table = choice_table((MEASURES[advice.measure][0], "clears", "expected", "suggestion"), rows, marked)
    table.expand, table.columns[-1].ratio = True, 1
    return table


def choice_table(headers: Sequence[str], rows: Sequence[Sequence[Text]], marked: int) -> Table:
    """What could be done instead, row by row: a mark, what speaks for it, and what it is. Columns between the first and
    the last are left out where they would be empty."""
    shown = [place for place in range(1, len(headers)) if any(row[place] for row in rows)]
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=QUIET)
    table.add_column("", width=3, no_wrap=True)
    for place in shown:
        table.add_column(headers[place - 1], justify="right", no_wrap=True)
    table.add_column(headers[-1])
    for number, row in enumerate(rows):
        cells = (row[0], *(row[place] for place in shown), row[-1])
        table.add_row(*cells, style="bold" if number == marked else "")
    return table


def clear_text(chance: float | None, error: float | None) -> Text:
    """The chance to clear the blind."""
    if chance is None:
        return Text("")
    return Text(chance_text(chance, error), style=GREEN if chance >= 0.5 else RED)


def _suggestion_words(one: Suggestion, *, reason: bool) -> Text:
    text = words(one.words)
    if one.then:
        text.append(f", {one.then}", style=QUIET)
    if reason and one.reason:
        text.append("\n").append(words(one.reason, f"not bold {QUIET}"))
    return text


def score_text(score: Score, width: int) -> Group:
    """Whether a play beats the blind, and how it would score, effect by effect."""
    return Group(verdict_text(score), breakdown(score.told, width))


def verdict_text(score: Score) -> Text:
    """Whether a play beats the blind, before anything else."""
    style = GREEN if score.least >= score.needed else ORANGE if score.most >= score.needed else RED
    return Text.assemble((f"{score.hand} {score.verdict}", f"bold {style}"), (f": {score}", QUIET))


def comparison_text(compared: Comparison) -> Text:
    """A choice beside the agent's."""
    style = GREEN if compared.equal or compared.points < 0 else RED
    return Text.assemble("You chose: ", words(compared.words, "bold"), ".\n", words(compared.verdict, style))


def comparison_reasons(compared: Comparison) -> list[RenderableType]:
    return [Text.assemble((f"{who}: ", "bold"), words(reason, "italic")) for who, reason in compared.reasons]


def _result(one: Suggestion) -> Text:
    """In short: the score and its share of what is needed, or the money that is left."""
    if one.score:
        return Text(f"{number_text(one.score.expected)} ({100 * one.score.share:.0f} %)")
    return words(f"{money_text(one.money)} left") if one.money is not None else Text("")
