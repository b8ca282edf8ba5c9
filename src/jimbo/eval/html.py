"""An evaluation as one HTML page that needs nothing else: no script, no other file, no network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from jimbo.data import versions
from jimbo.engine.catalog import BLINDS, JOKERS
from jimbo.eval import diagnosis_page, plots
from jimbo.eval.commands import watch_command
from jimbo.eval.diagnosis import diagnose
from jimbo.eval.pages import Html, card, document, table
from jimbo.eval.report import agent_label, notes, number_rows, paired_cells, paired_rows
from jimbo.eval.rows import Episode
from jimbo.eval.runner import Evaluation, Settings
from jimbo.eval.statistics import compare
from jimbo.eval.summary import summarize
from jimbo.eval.svg import COLOURS
from jimbo.text import counted, game_text, money_text, number_text, percent_text

_RESULTS = {"win": "won", "loss": "lost", "open": "no end"}


def page(*evaluations: Evaluation) -> str:
    """The report of one agent, or of two on the same seeds."""
    rows = [evaluation.episodes for evaluation in evaluations]
    names = [agent_label(evaluation.settings) for evaluation in evaluations]
    title = " against ".join(names)
    found = [result for evaluation in evaluations if (result := diagnose(evaluation.episodes))]
    body = "".join(
        [
            f"<h1>{escape(title)}</h1>{_about(evaluations[0])}",
            *(f'<p class="note">{escape(note)}</p>' for note in notes(evaluations)),
            f'<div class="big">{"".join(map(_headline, evaluations, COLOURS))}</div>',
            _paired(evaluations) if len(evaluations) > 1 else "",
            '<div class="plots">',
            card(
                "How far runs get",
                "Share of runs that got past each blind, with 95 % intervals.",
                plots.survival(*rows),
            ),
            card("Antes", "Of the runs that reached an ante, the share that beat its boss.", plots.ante_rates(*rows)),
            card("Score over target", "At the end of each blind: median and quartiles.", plots.scores(*rows)),
            card("Money", "At the start of each blind: median and quartiles.", plots.money(*rows)),
            card("Lost to", "The blinds in which runs ended.", plots.deaths(*rows)),
            *(diagnosis_page.plot_cards(found) if len(found) == len(evaluations) else ()),
            f'<section class="card"><h2>Numbers</h2>{_numbers(evaluations)}</section>',
            "</div>",
            f'<div style="margin-top: 16px">{"".join(map(_diagnosis, evaluations))}</div>',
            *(_runs(evaluation) for evaluation in evaluations),
        ]
    )
    return document(title, body)


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


def _numbers(evaluations: Sequence[Evaluation]) -> str:
    names = [agent_label(evaluation.settings) for evaluation in evaluations]
    columns = [list(number_rows(summarize(evaluation.episodes))) for evaluation in evaluations]
    lines = ([row[0][0], *(value for _, value in row)] for row in zip(*columns, strict=True))
    return table(["", *names], lines)


def _paired(evaluations: Sequence[Evaluation]) -> str:
    first, second = (agent_label(evaluation.settings) for evaluation in evaluations)
    paired = compare(evaluations[0].episodes, evaluations[1].episodes)
    lines = [[name, *paired_cells(gap)] for name, gap in paired_rows(paired)]
    heads = ["", "difference", "95 % interval", "more", "fewer", "equal", "p (two-sided)"]
    title = f"{first} minus {second}, seed by seed"
    equal = counted(paired.games, "equal seed")
    text = f"On {equal}. Interval and p are of one score test: for wins, McNemar's and Tango's."
    return card(title, text, table(heads, lines))


def _diagnosis(evaluation: Evaluation) -> str:
    found = diagnose(evaluation.episodes)
    return diagnosis_page.tables(found, agent_label(evaluation.settings)) if found else ""


def _runs(evaluation: Evaluation) -> str:
    heads = (
        "seed",
        "result",
        "round",
        "lost to",
        "entered at",
        "score / target",
        "money",
        "best hand",
        "to watch it",
        "last jokers",
    )
    name = escape(agent_label(evaluation.settings))
    runs = table(heads, (list(_run(evaluation.settings, row)) for row in evaluation.episodes))
    return (
        f'<section class="card" style="margin-top: 16px"><details><summary>All runs of {name}</summary>'
        f"<p>One click selects the whole command that shows a run.</p>"
        f'<div class="wide">{runs}</div></details></section>'
    )


def _run(settings: Settings, row: Episode) -> Iterator[str]:
    yield row.seed
    yield f"{_RESULTS[row.result]} in ante {row.ante_reached}"
    yield f"{row.round}"
    yield BLINDS[row.death_blind].name if row.death_blind else row.failure_reason
    last = row.score_by_round[-1] if row.score_by_round else None
    chance = last.entry.clear if last and last.entry else None
    yield percent_text(chance) if row.death_blind and chance is not None else ""
    yield f"{number_text(last.score)} / {number_text(last.target)}" if last else ""
    yield money_text(row.final_money)
    yield f"{number_text(row.best_hand)} {row.best_hand_name}"
    command = escape(watch_command(settings, row))
    yield Html(f'<code title="{command}">{command}</code>')
    yield ", ".join(JOKERS[key].name for key in row.jokers)
