"""An evaluation for people, and the comparison of two: their numbers, their plots, and every run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from jimbo.data import versions
from jimbo.engine import BLINDS_PER_ANTE, LAST_ANTE
from jimbo.engine.catalog import BLINDS, JOKERS
from jimbo.eval.diagnosis import diagnose, quartiles
from jimbo.eval.rows import ALL_BLINDS, Episode
from jimbo.eval.runner import Evaluation, Settings
from jimbo.eval.statistics import Difference, compare, wilson
from jimbo.eval.summary import Summary, agent_label, complete, summarize, watch_command
from jimbo.report import svg
from jimbo.report.diagnosis import (
    ANTES,
    FEWEST,
    blind_axis,
    blind_name,
    diagnosis_plots,
    diagnosis_section,
    power_curves,
)
from jimbo.report.sections import (
    BarChart,
    Command,
    Document,
    Folded,
    Headline,
    Section,
    TextTable,
    mean_text,
    plot,
    share_text,
)
from jimbo.report.svg import Drawing, Point
from jimbo.text import counted, game_text, money_text, number_text, percent_text

Rows = Sequence[Episode]
_RESULTS = {"win": "won", "loss": "lost", "open": "no end"}
_DEATHS_SHOWN = 12
_SURE = 0.05


def evaluation_report(*evaluations: Evaluation) -> Document:
    """The report of one agent, or of two on the same seeds."""
    rows = [evaluation.episodes for evaluation in evaluations]
    names = [agent_label(evaluation.settings) for evaluation in evaluations]
    found = [diagnose(each) for each in rows]
    known = [result for result in found if result]
    paired = [_paired(evaluations)] if len(evaluations) > 1 else []
    numbers = _numbers(names, list(map(summarize, rows)))
    settings = evaluations[0].settings
    seeds = settings.seeds
    return Document(
        " against ".join(names),
        f"{game_text(settings.deck, settings.stake, settings.challenge)} · {counted(len(seeds.seeds), 'seed')} of "
        f"{seeds.name}, version {seeds.version} ({seeds.hash})",
        versions()["engine"],
        tuple(notes(evaluations)),
        [_headline(name, summarize(each)) for name, each in zip(names, rows, strict=True)],
        [
            *(replace(section, where="page") for section in paired),
            replace(numbers, where="terminal"),
            plot("How far runs get", "Share of runs that got past each blind, with 95 % intervals.", survival(*rows)),
            plot("Antes", "Of the runs that reached an ante, the share that beat its boss.", ante_rates(*rows)),
            plot("Score over target", "At the end of each blind: median and quartiles.", scores(*rows)),
            plot("Money", "At the start of each blind: median and quartiles.", money(*rows)),
            plot("Lost to", "The blinds in which runs ended.", deaths(names, rows)),
            *(diagnosis_plots(known) if len(known) == len(found) else ()),
            replace(numbers, where="page"),
            *(diagnosis_section(result, name) for name, result in zip(names, found, strict=True) if result),
            *(replace(section, where="terminal") for section in paired),
            *map(_runs, evaluations),
        ],
    )


def _headline(name: str, summary: Summary) -> Headline:
    low, high = summary.ci95
    won = f"{summary.wins} of {counted(summary.games, 'run')} won, 95 % interval {100 * low:.1f} to {100 * high:.1f} %"
    reached = f"ante {summary.mean_ante:.2f} and round {summary.mean_round:.2f} on average"
    return Headline(name, percent_text(summary.win_rate), (won, reached))


def notes(evaluations: Sequence[Evaluation]) -> Iterator[str]:
    """What is wrong with the numbers, if anything is, and how to see it."""
    for evaluation in evaluations:
        name, games = agent_label(evaluation.settings), len(evaluation.episodes)
        if not complete(evaluation):
            yield f"{name}: only {games} of {len(evaluation.settings.seeds.seeds)} runs were played."
        failed = [row for row in evaluation.episodes if row.error is not None]
        if failed:
            yield f"{name} failed in {counted(len(failed), 'run')}, first on seed {failed[0].seed}: {failed[0].error}"
            yield watch_command(evaluation.settings, failed[0])
        stuck = [row for row in evaluation.episodes if row.failure_reason == "step_limit"]
        if stuck:
            yield f"{name} did not finish {counted(len(stuck), 'run')}, first on seed {stuck[0].seed}."
            yield watch_command(evaluation.settings, stuck[0])


# --- Tables -----------------------------------------------------------------------------------------------------------


def _numbers(names: Sequence[str], summaries: Sequence[Summary]) -> Section:
    columns = [list(number_rows(summary)) for summary in summaries]
    lines = [(row[0][0], *(value for _, value in row)) for row in zip(*columns, strict=True)]
    strong = [place for place, line in enumerate(lines) if line[0] == "win rate"]
    return Section("Numbers", parts=[TextTable(["", *names], lines, left=True, strong=strong)], half=True)


def number_rows(summary: Summary) -> Iterator[tuple[str, str]]:
    """The lines of the table: what, and how much."""
    yield "games", f"{summary.games}"
    yield "won", f"{summary.wins}"
    yield "win rate", share_text(summary.win_rate, summary.ci95)
    yield "ante 1 cleared", share_text(summary.ante1_clear, summary.ante1_clear_ci95)
    yield "mean ante", mean_text(summary.mean_ante, summary.mean_ante_ci95)
    yield "median ante", f"{summary.median_ante:g}"
    yield "mean round", mean_text(summary.mean_round, summary.mean_round_ci95)
    yield "median round", f"{summary.median_round:g}"
    yield "blinds passed of 24", f"{summary.mean_blinds:.2f}"
    yield "best hand", number_text(summary.best_hand)
    yield "seconds per game", f"{summary.s_per_game:.2f}"
    yield "ms per decision", f"{summary.ms_per_decision:.2f}"
    yield "  during blinds", f"{summary.hand_ms:.2f}"
    yield "  elsewhere", f"{summary.macro_ms:.2f}"


def _paired(evaluations: Sequence[Evaluation]) -> Section:
    first, second = (agent_label(evaluation.settings) for evaluation in evaluations)
    paired = compare(evaluations[0].episodes, evaluations[1].episodes)
    gaps = {"wins": paired.wins, "antes": paired.antes, "rounds": paired.rounds, "blinds passed": paired.blinds}
    lines = [(name, *_gap_cells(gap)) for name, gap in gaps.items()]
    heads = ("", "difference", "95 %", "more", "fewer", "equal", "p")
    strong = [place for place, gap in enumerate(gaps.values()) if gap.p < _SURE]
    return Section(
        f"{first} minus {second}, on {counted(paired.games, 'shared seed')}",
        "Seed by seed. Interval and two-sided p are of one score test: for wins, McNemar's and Tango's.",
        [TextTable(heads, lines, strong=strong)],
    )


def _gap_cells(gap: Difference) -> tuple[str, ...]:
    interval = f"{gap.ci95[0]:+.3f} to {gap.ci95[1]:+.3f}" if gap.ci95 else "unknown"
    p = "< 0.0001" if gap.p < 0.0001 else f"{gap.p:.4f}"
    return f"{gap.mean:+.3f}", interval, f"{gap.better}", f"{gap.worse}", f"{gap.equal}", p


def _runs(evaluation: Evaluation) -> Section:
    heads = (
        *("seed", "result", "round", "lost to", "entered at", "score / target", "money", "best hand"),
        *("to watch it", "last jokers"),
    )
    runs = TextTable(heads, [list(_run(evaluation.settings, row)) for row in evaluation.episodes])
    text = "One click selects the whole command that shows a run."
    return Section("", parts=[Folded(f"All runs of {agent_label(evaluation.settings)}", [text, runs])], where="page")


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
    yield Command(watch_command(settings, row))
    yield ", ".join(JOKERS[key].name for key in row.jokers)


# --- Plots ------------------------------------------------------------------------------------------------------------


def survival(*agents: Rows) -> Drawing:
    """Draw the share of runs that got past each blind, with Wilson's interval."""

    def points(rows: Rows) -> list[Point]:
        passed = [row.blinds_passed for row in rows]
        result = []
        for number in range(ALL_BLINDS + 1):
            past = sum(blinds >= number for blinds in passed)
            where = f"past {blind_name(number)}: {past} of {len(rows)}" if number else "start"
            result.append(Point(number, past / len(rows), *wilson(past, len(rows)), where))
            if not past:
                break
        return result

    return svg.curves([points(rows) for rows in agents], blind_axis(0), svg.share_axis("runs still alive"))


def ante_rates(*agents: Rows) -> Drawing:
    """Draw the share that got past an ante, of the runs that reached it."""

    def points(rows: Rows) -> list[Point]:
        passed = [row.blinds_passed for row in rows]
        result = []
        for ante in range(1, LAST_ANTE + 1):
            reached = sum(blinds >= (ante - 1) * BLINDS_PER_ANTE for blinds in passed)
            past = sum(blinds >= ante * BLINDS_PER_ANTE for blinds in passed)
            if reached >= min(FEWEST, len(rows)):
                result.append(Point(ante, past / reached, *wilson(past, reached), f"{past} of {reached}"))
        return result

    return svg.columns([points(rows) for rows in agents], ANTES, svg.share_axis("cleared when reached"))


def deaths(names: Sequence[str], agents: Sequence[Rows]) -> BarChart | str:
    """Which blinds runs are lost to, most first and the rest together."""
    counts = [summarize(rows).deaths for rows in agents]
    keys = {key for count in counts for key in count}
    if not keys:
        return "No run was lost in a blind."
    ranked = sorted(keys, key=lambda key: (-sum(count.get(key, 0) for count in counts), key))
    shown, rest = ranked[:_DEATHS_SHOWN], ranked[_DEATHS_SHOWN:]
    labels = [*(BLINDS[key].name for key in shown), *([counted(len(rest), "other")] if rest else [])]
    groups = [*([key] for key in shown), *([rest] if rest else [])]
    values = [[sum(count.get(key, 0) for key in group) for group in groups] for count in counts]
    texts = [
        [f"{value} · {percent_text(value / len(rows))}" for value in row]
        for row, rows in zip(values, agents, strict=True)
    ]
    return BarChart(labels, values, texts, names if len(names) > 1 else ("",))


def money(*agents: Rows) -> Drawing:
    """Draw the money at the start of each blind: median and quartiles of the runs that played it."""
    series = [_quartiles(rows, lambda row, i: row.money_by_round[i], lambda value: f"${value:.0f}") for rows in agents]
    highest = max((point.high for points in series for point in points), default=1.0)
    return svg.curves(series, blind_axis(1), svg.number_axis(highest, "money", sign="$"))


def scores(*agents: Rows) -> Drawing:
    """Draw the score over the target at the end of each blind: median and quartiles."""

    def ratio(row: Episode, i: int) -> float:
        return row.score_by_round[i].score / row.score_by_round[i].target

    series = [_quartiles(rows, ratio, lambda value: f"{value:.2f} times the target") for rows in agents]
    return power_curves(series, "score / target")


def _quartiles(rows: Rows, value: Callable[[Episode, int], float], words: Callable[[float], str]) -> list[Point]:
    by_blind: dict[int, list[float]] = defaultdict(list)
    for row in rows:
        for i, blind in enumerate(row.score_by_round):
            by_blind[blind.number].append(value(row, i))
    points = []
    for number in range(1, ALL_BLINDS + 1):
        here = by_blind[number]
        if len(here) >= min(FEWEST, len(rows)) and (found := quartiles(here)):
            low, middle, high = found
            text = f"{blind_name(number)}: {words(middle)} ({counted(len(here), 'run')})"
            points.append(Point(number, middle, low, high, text))
    return points
