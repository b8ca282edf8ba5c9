"""An evaluation as one HTML page that needs nothing else: no script, no other file, no network."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from jimbo.data import versions
from jimbo.engine.catalog import BLINDS, JOKERS
from jimbo.eval import plots
from jimbo.eval.commands import watch_command
from jimbo.eval.report import agent_label, notes, number_rows, paired_cells
from jimbo.eval.rows import Episode
from jimbo.eval.runner import Evaluation, Settings
from jimbo.eval.statistics import compare
from jimbo.eval.summary import summarize
from jimbo.eval.svg import COLOURS
from jimbo.text import counted, game_text, money_text, number_text, percent_text

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
.note { color: #b3261e }
summary { cursor: pointer }
details p { margin-top: 8px }
code { display: block; max-width: 250px; overflow: hidden; text-overflow: ellipsis; user-select: all; cursor: copy }
code { -webkit-user-select: all }
"""
_RESULTS = {"win": "won", "loss": "lost", "stuck": "no end"}


class _Html(str):
    """A text that is HTML already."""


def page(*evaluations: Evaluation) -> str:
    """The report of one agent, or of two on the same seeds."""
    rows = [evaluation.episodes for evaluation in evaluations]
    names = [agent_label(evaluation.settings) for evaluation in evaluations]
    title = " against ".join(names)
    body = "".join(
        [
            f"<h1>{escape(title)}</h1>{_about(evaluations[0])}",
            *(f'<p class="note">{escape(note)}</p>' for note in notes(evaluations)),
            f'<div class="big">{"".join(map(_headline, evaluations, COLOURS))}</div>',
            _paired(evaluations) if len(evaluations) > 1 else "",
            '<div class="plots">',
            _plot(
                "How far runs get",
                "Share of runs that got past each blind, with 95 % intervals.",
                plots.survival(*rows),
            ),
            _plot("Antes", "Of the runs that reached an ante, the share that beat its boss.", plots.ante_rates(*rows)),
            _plot("Score over target", "At the end of each blind: median and quartiles.", plots.scores(*rows)),
            _plot("Money", "At the start of each blind: median and quartiles.", plots.money(*rows)),
            _plot("Lost to", "The blinds in which runs ended.", plots.deaths(*rows)),
            f'<section class="card"><h2>Numbers</h2>{_numbers(evaluations)}</section>',
            "</div>",
            *(_runs(evaluation) for evaluation in evaluations),
        ]
    )
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    head = f"<head>{head}<style>{_STYLE}</style></head>"
    return f'<!doctype html>\n<html lang="en">{head}<body><main>{body}</main></body></html>\n'


def _about(evaluation: Evaluation) -> str:
    settings = evaluation.settings
    seeds = settings.seeds
    return (
        f"<p>{escape(game_text(settings.deck, settings.stake, settings.challenge))} · "
        f"{counted(len(seeds.seeds), 'seed')} of {escape(seeds.name)}, version {seeds.version} ({seeds.hash}) · "
        f"{escape(versions()['engine'])}</p>"
    )


def _headline(evaluation: Evaluation, colour: str) -> str:
    summary = summarize(evaluation.episodes)
    low, high = summary.ci95
    return (
        f'<section class="card" style="--of: {colour}">{_swatch(colour)}{escape(agent_label(evaluation.settings))}'
        f"<b>{percent_text(summary.win_rate)}</b>{summary.wins} of {counted(summary.games, 'run')} won, "
        f"95 % interval {100 * low:.1f} to {100 * high:.1f} %<br>"
        f"ante {summary.mean_ante:.2f} and round {summary.mean_round:.2f} on average</section>"
    )


def _swatch(colour: str) -> str:
    return f'<i style="background: {colour}"></i>'


def _plot(title: str, text: str, drawing: str) -> str:
    return f'<section class="card"><h2>{escape(title)}</h2><p>{escape(text)}</p>{drawing}</section>'


def _numbers(evaluations: Sequence[Evaluation]) -> str:
    names = [agent_label(evaluation.settings) for evaluation in evaluations]
    columns = [list(number_rows(summarize(evaluation.episodes))) for evaluation in evaluations]
    lines = ([row[0][0], *(value for _, value in row)] for row in zip(*columns, strict=True))
    return _table(["", *names], lines)


def _paired(evaluations: Sequence[Evaluation]) -> str:
    first, second = (agent_label(evaluation.settings) for evaluation in evaluations)
    paired = compare(evaluations[0].episodes, evaluations[1].episodes)
    lines = [
        [name, *paired_cells(gap)]
        for name, gap in (("wins", paired.wins), ("rounds", paired.rounds), ("blinds passed", paired.blinds))
    ]
    heads = ["", "difference", "95 % interval", "more", "fewer", "equal", "p (two-sided)"]
    title = f"{first} minus {second}, seed by seed"
    equal = counted(paired.games, "equal seed")
    text = f"On {equal}. Interval and p are of one score test: for wins, McNemar's and Tango's."
    return _plot(title, text, _table(heads, lines))


def _table(heads: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    body = "".join(
        f"<tr><th>{escape(line[0])}</th>{''.join(f'<td>{_cell(text)}</td>' for text in line[1:])}</tr>"
        for line in lines
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(text: str) -> str:
    return text if isinstance(text, _Html) else escape(text)


def _runs(evaluation: Evaluation) -> str:
    heads = ("seed", "result", "round", "lost to", "score / target", "money", "best hand", "to watch it", "last jokers")
    name = escape(agent_label(evaluation.settings))
    table = _table(heads, (list(_run(evaluation.settings, row)) for row in evaluation.episodes))
    return (
        f'<section class="card" style="margin-top: 16px"><details><summary>All runs of {name}</summary>'
        f"<p>One click selects the whole command that shows a run.</p>"
        f'<div class="wide">{table}</div></details></section>'
    )


def _run(settings: Settings, row: Episode) -> Iterator[str]:
    yield row.seed
    yield f"{_RESULTS[row.result]} in ante {row.ante_reached}"
    yield f"{row.round}"
    yield BLINDS[row.death_blind].name if row.death_blind else row.failure_reason
    last = row.score_by_round[-1] if row.score_by_round else None
    yield f"{number_text(last.score)} / {number_text(last.target)}" if last else ""
    yield money_text(row.final_money)
    yield f"{number_text(row.best_hand)} {row.best_hand_name}"
    command = escape(watch_command(settings, row))
    yield _Html(f'<code title="{command}">{command}</code>')
    yield ", ".join(JOKERS[key].name for key in row.jokers)
