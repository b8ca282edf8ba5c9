"""A matrix of decks and stakes for people: a table in the terminal, and a page with a heat map."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from jimbo.colours import CYAN, QUIET, RED
from jimbo.data import versions
from jimbo.engine.catalog import BLINDS, DECKS, STAKES
from jimbo.eval.diagnosis import diagnose
from jimbo.eval.matrix import Cell, Matrix, Place
from jimbo.eval.pages import card, document
from jimbo.eval.report import agent_label, mean_text, share_text
from jimbo.eval.summary import complete
from jimbo.eval.text_tables import UNKNOWN, TextTable, wide
from jimbo.text import counted, percent_text

Link = Callable[[Place], str]
"""Where the report of a cell is."""

_COLD, _HOT = (240, 238, 231), (31, 111, 139)
"""Colours of 0 and 100 %."""
_TEXT_TURNS = 0.55
_TERMS = (
    "In brackets: 95 % intervals. Fatal chance: the chance to clear that the agent gave itself on entering the blind "
    "that was lost; the median."
)
_INTERVALS = "Share of runs won, with Wilson's 95 % interval below it. All cells are played on the same seeds."


def matrix_report(result: Matrix) -> Group:
    """Decks below each other, stakes side by side; it fits into 80 columns with all of them."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=QUIET)
    table.add_column("won", no_wrap=True)
    for stake in result.stakes:
        table.add_column(_short(STAKES[stake].name), justify="right", no_wrap=True)
    for deck in result.decks:
        table.add_row(_short(DECKS[deck].name), *(_shown(result.at(deck, stake)) for stake in result.stakes))
    parts: list[RenderableType] = [Text(_heading(result), style=f"bold {CYAN}"), table, Text(_INTERVALS, style=QUIET)]
    return Group(*parts, *(Text(note, style=RED) for note in _notes(result)))


def _heading(result: Matrix) -> str:
    settings = result.settings
    seeds = settings.seeds
    return (
        f"{agent_label(settings)}, {counted(len(seeds.seeds), 'seed')} of {seeds.name} v{seeds.version} ({seeds.hash})"
    )


def _short(name: str) -> str:
    """``Red`` for the Red Deck, ``White`` for the White Stake."""
    return name.removesuffix(" Deck").removesuffix(" Stake")


def _shown(cell: Cell | None) -> Text:
    if cell is None:
        return Text("")
    low, high = cell.summary.ci95
    return Text.assemble(f"{100 * cell.summary.win_rate:.1f}", (f"\n{100 * low:.0f}-{100 * high:.0f}", QUIET))


def _notes(result: Matrix) -> Iterator[str]:
    """What is wrong with the numbers, if anything is."""
    for cell in result.cells:
        name, summary = _name(cell), cell.summary
        if not complete(cell.evaluation):
            yield f"{name}: only {summary.games} of {len(cell.evaluation.settings.seeds.seeds)} runs were played."
        if summary.errors:
            yield f"{name}: the agent failed in {counted(summary.errors, 'run')}."


def _name(cell: Cell) -> str:
    deck, stake = cell.place
    return f"{DECKS[deck].name} · {STAKES[stake].name}"


# --- The page ---------------------------------------------------------------------------------------------------------


def matrix_page(result: Matrix, link: Link) -> str:
    heading = f"{agent_label(result.settings)}: decks and stakes"
    about = f"{_heading(result)} · {versions()['engine']}"
    body = [
        f"<h1>{escape(heading)}</h1><p>{escape(about)}</p>",
        *(f'<p class="note">{escape(note)}</p>' for note in _notes(result)),
        card("Runs won", f"{_INTERVALS} A click opens the report of a cell.", _heat_map(result, link)),
        card("All cells", _TERMS, wide(cell_table(result))),
    ]
    return document(heading, "".join(body))


def _heat_map(result: Matrix, link: Link) -> str:
    style = "padding: 8px 14px; text-align: center; border: 2px solid #fff"
    heads = "".join(f'<th style="{style}">{escape(_short(STAKES[stake].name))}</th>' for stake in result.stakes)
    lines = []
    for deck in result.decks:
        cells = "".join(_heat(result.at(deck, stake), link, style) for stake in result.stakes)
        name = f'<th style="vertical-align: middle">{escape(DECKS[deck].name)}</th>'
        lines.append(f"<tr>{name}{cells}</tr>")
    table = f"<table><thead><tr><th></th>{heads}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
    return f'<div class="wide">{table}</div>'


def _heat(cell: Cell | None, link: Link, style: str) -> str:
    if cell is None:
        return f'<td style="{style}"></td>'
    share, (low, high) = cell.summary.win_rate, cell.summary.ci95
    back = "#" + "".join(f"{round(cold + share * (hot - cold)):02x}" for cold, hot in zip(_COLD, _HOT, strict=True))
    ink = "#fff" if share > _TEXT_TURNS else "#26303a"
    text = f"{_name(cell)}: {cell.summary.wins} of {counted(cell.summary.games, 'run')} won"
    inside = f"<b>{percent_text(share)}</b><br><small>{100 * low:.0f} to {100 * high:.0f}</small>"
    anchor = f'<a href="{escape(link(cell.place))}" style="color: {ink}; text-decoration: none">{inside}</a>'
    return f'<td title="{escape(text)}" style="{style}; background: {back}">{anchor}</td>'


def cell_table(result: Matrix) -> TextTable:
    heads = ("cell", "runs", "won", "ante 1 cleared", "mean ante", "fatal chance", "ms per decision", "lost to most")
    return TextTable(heads, [list(_line(cell)) for cell in result.cells])


def _line(cell: Cell) -> Iterator[str]:
    summary = cell.summary
    yield _name(cell)
    yield f"{summary.games}"
    yield share_text(summary.win_rate, summary.ci95)
    yield share_text(summary.ante1_clear, summary.ante1_clear_ci95)
    yield mean_text(summary.mean_ante, summary.mean_ante_ci95)
    found = diagnose(cell.evaluation.episodes)
    yield percent_text(found.deaths.clear[1]) if found and found.deaths.clear else UNKNOWN
    yield f"{summary.ms_per_decision:.2f}"
    yield ", ".join(f"{BLINDS[key].name} {count}" for key, count in list(summary.deaths.items())[:3])
