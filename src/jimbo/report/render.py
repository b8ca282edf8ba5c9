"""A report in the terminal, as Markdown, and as one HTML page that loads nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from jimbo.colours import CYAN, QUIET, RED
from jimbo.report.sections import (
    BarChart,
    CommandText,
    Document,
    Folded,
    Headline,
    HeatCell,
    HeatMap,
    Html,
    Part,
    Section,
    TextTable,
)
from jimbo.report.svg import COLOURS, GRID, INK, MUTED, Drawing, rows

_BARS = 26
_COLD, _HOT = (240, 238, 231), (31, 111, 139)
"""Colours of 0 and 100 % in a heat map."""
_TEXT_TURNS = 0.55
_STYLE = (
    """
body { margin: 0; background: #f4f3ef; color: #26303a }
body { font: 15px/1.45 system-ui, "Segoe UI", "DejaVu Sans", sans-serif }
main { max-width: 1200px; margin: 0 auto; padding: 28px 20px 60px }
h1 { font-size: 25px; margin: 0 }
h2 { font-size: 16px; margin: 0 0 2px }
p { margin: 2px 0 12px; color: #68737e }
.big { display: flex; flex-wrap: wrap; gap: 16px; margin: 20px 0 }
.card { background: #fff; border: 1px solid #e3e1da; border-radius: 8px; padding: 16px 18px; margin-bottom: 16px }
.big .card { flex: 1; margin: 0; min-width: 250px; border-top: 4px solid var(--of) }
.big b { font-size: 34px; display: block; line-height: 1.2 }
.plots { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 16px; align-items: start }
.plots { margin-bottom: 16px }
@media (max-width: 900px) { .plots { grid-template-columns: minmax(0, 1fr) } }
.plots .card { margin: 0 }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
td, th { text-align: left; padding: 3px 22px 3px 0; font-weight: normal; vertical-align: top }
th { color: #68737e }
thead th { border-bottom: 1px solid #e3e1da }
i { display: inline-block; width: 11px; height: 11px; border-radius: 2px; margin-right: 6px }
.wide { overflow-x: auto }
.wide table { font-size: 13px; white-space: nowrap }
.wide td, .wide th { padding-right: 13px }
.heat td, .heat thead th { padding: 8px 14px; text-align: center; border: 2px solid #fff }
.heat th { vertical-align: middle }
.heat a { text-decoration: none }
.note { color: #b3261e }
summary { cursor: pointer }
details p { margin-top: 8px }
code { display: block; max-width: 250px; overflow: hidden; text-overflow: ellipsis; user-select: all; cursor: copy }
code { -webkit-user-select: all }
.wide .wraps { white-space: normal }
.wraps td { max-width: 340px }
tr:has(:target) { background: #fff3c4 }
:root { color-scheme: light dark }
@media (prefers-color-scheme: dark) {
  body { background: #15191d; color: #dce2e8 }
  .card { background: #1e242a; border-color: #39424b }
  p, th { color: #9ba7b3 }
  thead th { border-color: #39424b }
  .heat td, .heat thead th { border-color: #1e242a }
  .note { color: #ff8f85 }
  a { color: #8ab8f0 }
  tr:has(:target) { background: #4a4020 }
  svg [fill="INK"] { fill: #dce2e8 }
  svg [stroke="INK"] { stroke: #dce2e8 }
  svg [fill="MUTED"] { fill: #9ba7b3 }
  svg [stroke="GRID"] { stroke: #39424b }
}
""".replace("INK", INK)
    .replace("MUTED", MUTED)
    .replace("GRID", GRID)
)

# --- The terminal -----------------------------------------------------------------------------------------------------


def terminal(report: Document) -> Group:
    """Return the report for a rich console."""
    parts: list[RenderableType] = [Text(report.title, style="bold")] if report.title else []
    parts += [Text(report.about, style=QUIET)] if report.about else []
    for section in report.sections:
        if section.where != "page":
            parts += _titled(section.title, section.parts)
    # Commands are copied from the terminal as they are, so no note is broken into lines here.
    parts += [Text(note, style=RED, no_wrap=True, overflow="ignore") for note in report.notes]
    return Group(*parts)


def _titled(title: str, parts: Sequence[Part]) -> Iterator[RenderableType]:
    yield Text("")
    if title:
        yield Text(title, style=f"bold {CYAN}")
    for part in parts:
        match part:
            case TextTable():
                yield rich_table(part.narrowed())
            case BarChart():
                yield _bars(part)
            case HeatMap():
                yield _heat_table(part)
            case Folded(in_terminal=True):
                yield from _titled(part.title, part.parts)
            case str() if not isinstance(part, Drawing):
                yield Text(part, style=QUIET)


def _empty_table(*, headed: bool = True) -> Table:
    return Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=QUIET, show_header=headed)


def rich_table(made: TextTable) -> Table:
    """Return a table for a rich console; the first column names the lines."""
    shown = _empty_table(headed=any(made.heads))
    for place, head in enumerate(made.heads):
        if made.left:
            shown.add_column(head, overflow="fold")
        else:
            shown.add_column(head, justify="right" if place else "left", no_wrap=place > 0)
    for place, line in enumerate(made.lines):
        shown.add_row(*line, style="bold" if place in made.strong else "")
    return shown


def _bars(chart: BarChart) -> Table:
    shown = _empty_table()
    shown.add_column("", no_wrap=True)
    for name in chart.names:
        shown.add_column(name)
    width, highest = _BARS // len(chart.series), max((max(values, default=0) for values in chart.series), default=0)
    room = [max((len(text) for text in texts), default=0) for texts in chart.texts]
    for place, label in enumerate(chart.labels):
        cells = (
            Text.assemble((f"{texts[place]:>{wide}} ", QUIET), ("█" * -(-width * values[place] // (highest or 1)), RED))
            for values, texts, wide in zip(chart.series, chart.texts, room, strict=True)
        )
        shown.add_row(label, *cells)
    return shown


def _heat_table(made: HeatMap) -> Table:
    shown = _empty_table()
    shown.add_column(made.corner, no_wrap=True)
    for head in made.heads:
        shown.add_column(head, justify="right", no_wrap=True)
    for label, cells in zip(made.labels, made.cells, strict=True):
        shown.add_row(label, *map(_heat_text, cells))
    return shown


def _heat_text(cell: HeatCell | None) -> Text:
    if cell is None:
        return Text("")
    low, high = cell.interval
    return Text.assemble(f"{100 * cell.share:.1f}", (f"\n{100 * low:.0f}-{100 * high:.0f}", QUIET))


# --- Markdown ---------------------------------------------------------------------------------------------------------


def markdown(report: Document) -> str:
    """Return the tables and remarks as Markdown."""
    blocks = [f"# {report.title}"]
    for section in report.sections:
        blocks += [f"## {section.title}"] if section.title else []
        blocks += [_markdown_table(part) for part in section.parts if isinstance(part, TextTable)]
        blocks += filter(None, [" ".join(part for part in section.parts if isinstance(part, str))])
    return "\n\n".join(blocks) + "\n"


def _markdown_table(made: TextTable) -> str:
    lines = (made.heads, ["---"] * len(made.heads), *made.lines)
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


# --- The page ---------------------------------------------------------------------------------------------------------


def html(report: Document) -> str:
    """Return the report as a page."""
    about = " · ".join(filter(None, (report.about, report.made_with)))
    parts = [f"<h1>{escape(report.title)}</h1><p>{escape(about)}</p>"]
    parts += [f'<p class="note">{escape(note)}</p>' for note in report.notes]
    if report.headlines:
        parts.append(f'<div class="big">{"".join(map(_headline, report.headlines, COLOURS))}</div>')
    shown = (section for section in report.sections if section.where != "terminal")
    for half, sections in groupby(shown, lambda section: section.half):
        cards = "".join(map(_card, sections))
        parts.append(f'<div class="plots">{cards}</div>' if half else cards)
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    head = f"<head>{head}<title>{escape(report.title)}</title><style>{_STYLE}</style></head>"
    script = f"<script>{report.script}</script>" if report.script else ""
    return f'<!doctype html>\n<html lang="en">{head}<body><main>{"".join(parts)}</main>{script}</body></html>\n'


def _headline(headline: Headline, colour: str) -> str:
    label = f'<i style="background: {colour}"></i>{escape(headline.label)}<b>{escape(headline.value)}</b>'
    text = "<br>".join(map(escape, headline.text))
    return f'<section class="card" style="--of: {colour}">{label}{text}</section>'


def _card(section: Section) -> str:
    title = f"<h2>{escape(section.title)}</h2>" if section.title else ""
    text = f"<p>{escape(section.text)}</p>" if section.text else ""
    return f'<section class="card">{title}{text}{_parts(section.parts, wide=not section.half)}</section>'


def _parts(parts: Sequence[Part], *, wide: bool = True) -> str:
    return "".join(_part(part, wide) for part in parts)


def _part(part: Part, wide: bool) -> str:
    match part:
        case TextTable():
            made = _html_table(part.heads, part.lines, "wraps" if part.wraps else "")
            return f'<div class="wide">{made}</div>' if wide else made
        case BarChart():
            return rows(part.labels, part.series, part.texts)
        case HeatMap():
            lines = [[label, *cells] for label, cells in zip(part.labels, part.cells, strict=True)]
            return f'<div class="wide heat">{_html_table(["", *part.heads], lines)}</div>'
        case Folded():
            return f"<details><summary>{escape(part.title)}</summary>{_parts(part.parts)}</details>"
        case Drawing():
            return part
        case _:
            return f"<p>{escape(part)}</p>"


def _html_table(heads: Iterable[str], lines: Iterable[Sequence[str | HeatCell | None]], kind: str = "") -> str:
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    body = "".join(f"<tr><th>{_name(name)}</th>{''.join(map(_cell, cells))}</tr>" for name, *cells in lines)
    return f"<table{f' class={kind}' if kind else ''}><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _name(name: str | HeatCell | None) -> str:
    return name if isinstance(name, Html) else escape(str(name))


def _cell(cell: str | HeatCell | None) -> str:
    match cell:
        case HeatCell():
            return _html_heat_cell(cell)
        case Html():
            return f"<td>{cell}</td>"
        case CommandText():
            return f'<td><code title="{escape(cell)}">{escape(cell)}</code></td>'
        case _:
            return f"<td>{escape(cell or '')}</td>"


def _html_heat_cell(cell: HeatCell) -> str:
    share, (low, high) = cell.share, cell.interval
    back = "#" + "".join(f"{round(cold + share * (hot - cold)):02x}" for cold, hot in zip(_COLD, _HOT, strict=True))
    ink = "#fff" if share > _TEXT_TURNS else "#26303a"
    inside = f"<b>{100 * share:.1f} %</b><br><small>{100 * low:.0f} to {100 * high:.0f}</small>"
    anchor = f'<a href="{escape(cell.link)}" style="color: {ink}">{inside}</a>'
    return f'<td title="{escape(cell.hint)}" style="background: {back}">{anchor}</td>'
