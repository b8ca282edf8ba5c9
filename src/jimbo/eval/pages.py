"""HTML pages that need nothing else: no script, no other file, no network."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

_STYLE = """
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
.note { color: #b3261e }
summary { cursor: pointer }
details p { margin-top: 8px }
code { display: block; max-width: 250px; overflow: hidden; text-overflow: ellipsis; user-select: all; cursor: copy }
code { -webkit-user-select: all }
"""


class Html(str):
    """A text that is HTML already."""


def document(title: str, body: str) -> str:
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    head = f"<head>{head}<style>{_STYLE}</style></head>"
    return f'<!doctype html>\n<html lang="en">{head}<body><main>{body}</main></body></html>\n'


def card(title: str, text: str, content: str) -> str:
    """A plot or a table under a title."""
    return f'<section class="card"><h2>{escape(title)}</h2><p>{escape(text)}</p>{content}</section>'


def table(heads: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    body = "".join(
        f"<tr><th>{escape(line[0])}</th>{''.join(f'<td>{_cell(text)}</td>' for text in line[1:])}</tr>"
        for line in lines
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(text: str) -> str:
    return text if isinstance(text, Html) else escape(text)
