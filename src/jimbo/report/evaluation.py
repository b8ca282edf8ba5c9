"""Evaluations for people: one agent, two compared, several strategies, one agent on several decks and stakes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from jimbo.data.record import versions
from jimbo.engine import BLINDS_PER_ANTE, LAST_ANTE
from jimbo.engine.catalog import BLINDS, DECKS, JOKERS, STAKES
from jimbo.eval.comparison import Ablation, Cell, Compared, Matrix, Place
from jimbo.eval.diagnosis import diagnose, quartiles
from jimbo.eval.recommendation import Recommendation
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
    UNKNOWN,
    BarChart,
    CommandText,
    Document,
    Folded,
    Headline,
    HeatCell,
    HeatMap,
    Section,
    TextTable,
    mean_text,
    plot,
    share_text,
)
from jimbo.report.svg import Drawing, Point
from jimbo.text import counted, game_text, money_text, number_text, percent_text

Rows = Sequence[Episode]
RESULTS = {"win": "won", "loss": "lost", "open": "no end"}
_DEATHS_SHOWN = 12
_SURE = 0.05

NUMBERS: dict[str, Callable[[Summary], str]] = {
    "games": lambda summary: f"{summary.games}",
    "won": lambda summary: f"{summary.wins}",
    "win rate": lambda summary: share_text(summary.win_rate, summary.ci95),
    "ante 1 cleared": lambda summary: share_text(summary.ante1_clear, summary.ante1_clear_ci95),
    "mean ante": lambda summary: mean_text(summary.mean_ante, summary.mean_ante_ci95),
    "median ante": lambda summary: f"{summary.median_ante:g}",
    "mean round": lambda summary: mean_text(summary.mean_round, summary.mean_round_ci95),
    "median round": lambda summary: f"{summary.median_round:g}",
    "blinds passed of 24": lambda summary: f"{summary.mean_blinds:.2f}",
    "best hand": lambda summary: number_text(summary.best_hand),
    "seconds per game": lambda summary: f"{summary.s_per_game:.2f}",
    "ms per decision": lambda summary: f"{summary.ms_per_decision:.2f}",
    "  during blinds": lambda summary: f"{summary.hand_ms:.2f}",
    "  elsewhere": lambda summary: f"{summary.macro_ms:.2f}",
}
"""What a summary says, by the name that tables give it."""
_STRENGTH = ("win rate", "ante 1 cleared", "mean ante")


def _texts(summary: Summary, names: Iterable[str]) -> list[str]:
    return [NUMBERS[name](summary) for name in names]


# --- One agent, or two on the same seeds ------------------------------------------------------------------------------


def evaluation_report(*evaluations: Evaluation) -> Document:
    """The report of one agent, or of two on the same seeds."""
    rows = [evaluation.episodes for evaluation in evaluations]
    names = [agent_label(evaluation.settings) for evaluation in evaluations]
    summaries = list(map(summarize, rows))
    found = [diagnose(each) for each in rows]
    known = [result for result in found if result]
    paired = [_paired(evaluations)] if len(evaluations) > 1 else []
    numbers = _numbers(names, summaries)
    settings = evaluations[0].settings
    seeds = settings.seeds
    return Document(
        " against ".join(names),
        f"{game_text(settings.deck, settings.stake, settings.challenge)} · {counted(len(seeds.seeds), 'seed')} of "
        f"{seeds.name}, version {seeds.version} ({seeds.hash})",
        versions()["engine"],
        tuple(_notes(evaluations)),
        list(map(_headline, names, summaries)),
        [
            *(replace(section, where="page") for section in paired),
            replace(numbers, where="terminal"),
            plot("How far runs get", "Share of runs that got past each blind, with 95 % intervals.", _survival(rows)),
            plot("Antes", "Of the runs that reached an ante, the share that beat its boss.", _ante_rates(rows)),
            plot("Score over target", "At the end of each blind: median and quartiles.", _scores(rows)),
            plot("Money", "At the start of each blind: median and quartiles.", _money(rows)),
            plot("Lost to", "The blinds in which runs ended.", _deaths(names, summaries)),
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


def _notes(evaluations: Sequence[Evaluation]) -> Iterator[str]:
    """What is wrong with the numbers, if anything is, and how to see it."""
    for evaluation in evaluations:
        name = agent_label(evaluation.settings)
        yield from _unplayed(name, evaluation)
        failed = [row for row in evaluation.episodes if row.error is not None]
        if failed:
            yield f"{name} failed in {counted(len(failed), 'run')}, first on seed {failed[0].seed}: {failed[0].error}"
            yield watch_command(evaluation.settings, failed[0])
        stuck = [row for row in evaluation.episodes if row.failure_reason == "step_limit"]
        if stuck:
            yield f"{name} did not finish {counted(len(stuck), 'run')}, first on seed {stuck[0].seed}."
            yield watch_command(evaluation.settings, stuck[0])


def _unplayed(name: str, evaluation: Evaluation) -> Iterator[str]:
    if not complete(evaluation):
        seeds = len(evaluation.settings.seeds.seeds)
        yield f"{name}: only {len(evaluation.episodes)} of {seeds} runs were played."


def _numbers(names: Sequence[str], summaries: Sequence[Summary]) -> Section:
    lines = [(name, *map(text, summaries)) for name, text in NUMBERS.items()]
    strong = [list(NUMBERS).index("win rate")]
    return Section("Numbers", parts=[TextTable(["", *names], lines, left=True, strong=strong)], half=True)


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
    yield f"{RESULTS[row.result]} in ante {row.ante_reached}"
    yield f"{row.round}"
    yield BLINDS[row.death_blind].name if row.death_blind else row.failure_reason
    last = row.score_by_round[-1] if row.score_by_round else None
    chance = last.entry.clear if last and last.entry else None
    yield percent_text(chance) if row.death_blind and chance is not None else ""
    yield f"{number_text(last.score)} / {number_text(last.target)}" if last else ""
    yield money_text(row.final_money)
    yield f"{number_text(row.best_hand)} {row.best_hand_name}"
    yield CommandText(watch_command(settings, row))
    yield ", ".join(JOKERS[key].name for key in row.jokers)


# --- Plots, each with a curve for every agent -------------------------------------------------------------------------


def _survival(agents: Sequence[Rows]) -> Drawing:
    """Draw the share of runs that got past each blind, with Wilson's interval."""

    def points(rows: Rows) -> Iterator[Point]:
        for number in range(ALL_BLINDS + 1):
            past = sum(row.blinds_passed >= number for row in rows)
            where = f"past {blind_name(number)}: {past} of {len(rows)}" if number else "start"
            yield Point(number, past / len(rows), *wilson(past, len(rows)), where)
            if not past:
                break

    return svg.curves([list(points(rows)) for rows in agents], blind_axis(0), svg.share_axis("runs still alive"))


def _ante_rates(agents: Sequence[Rows]) -> Drawing:
    """Draw the share that got past an ante, of the runs that reached it."""

    def points(rows: Rows) -> Iterator[Point]:
        for ante in range(1, LAST_ANTE + 1):
            reached = sum(row.blinds_passed >= (ante - 1) * BLINDS_PER_ANTE for row in rows)
            past = sum(row.blinds_passed >= ante * BLINDS_PER_ANTE for row in rows)
            if reached >= min(FEWEST, len(rows)):
                yield Point(ante, past / reached, *wilson(past, reached), f"{past} of {reached}")

    return svg.columns([list(points(rows)) for rows in agents], ANTES, svg.share_axis("cleared when reached"))


def _deaths(names: Sequence[str], summaries: Sequence[Summary]) -> BarChart | str:
    """Which blinds runs are lost to, most first and the rest together."""
    counts = [summary.deaths for summary in summaries]
    keys = {key for count in counts for key in count}
    if not keys:
        return "No run was lost in a blind."
    ranked = sorted(keys, key=lambda key: (-sum(count.get(key, 0) for count in counts), key))
    groups = {BLINDS[key].name: [key] for key in ranked[:_DEATHS_SHOWN]}
    if rest := ranked[_DEATHS_SHOWN:]:
        groups[counted(len(rest), "other")] = rest
    values = [[sum(count.get(key, 0) for key in group) for group in groups.values()] for count in counts]
    texts = [
        [f"{value} · {percent_text(value / summary.games)}" for value in row]
        for row, summary in zip(values, summaries, strict=True)
    ]
    return BarChart(list(groups), values, texts, names if len(names) > 1 else ("",))


def _money(agents: Sequence[Rows]) -> Drawing:
    """Draw the money at the start of each blind: median and quartiles of the runs that played it."""
    series = [_quartiles(rows, lambda row, i: row.money_by_round[i], lambda value: f"${value:.0f}") for rows in agents]
    highest = max((point.high for points in series for point in points), default=1.0)
    return svg.curves(series, blind_axis(1), svg.number_axis(highest, "money", sign="$"))


def _scores(agents: Sequence[Rows]) -> Drawing:
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


# --- Several strategies -----------------------------------------------------------------------------------------------


def ablation_report(result: Ablation, advice: Sequence[Recommendation] = ()) -> Document:
    """Several strategies on the same seeds: how well each does, how it differs from the first, what to do with it."""
    settings, games = result.settings, result.rows[0].summary.games
    where = game_text(settings.deck, settings.stake, settings.challenge)
    recommended = [recommendation_table(advice)] if advice else []
    parts = ([level_table(result)], [gap_table(result)], recommended, ablation_remarks(result))
    title = f"{where}, {counted(games, 'seed')} of {settings.seeds.name}"
    return Document(title, sections=[Section("", parts=each) for each in parts if each])


def recommendation_report(result: Ablation, advice: Sequence[Recommendation]) -> Document:
    """What to do with each strategy."""
    games, first = result.rows[0].summary.games, result.rows[0].strategy.name
    return Document(
        f"Compared with {first}, on {counted(games, 'seed')}",
        sections=[Section("", parts=[recommendation_table(advice)])],
    )


def recommendation_table(advice: Sequence[Recommendation]) -> TextTable:
    lines = [(one.strategy, one.verdict.replace("_", " "), "; ".join(one.reasons)) for one in advice]
    return TextTable(("strategy", "recommended", "because"), lines, left=True)


def level_table(result: Ablation) -> TextTable:
    """How well each of them does."""
    lines = [(row.strategy.name, *_texts(row.summary, _STRENGTH)) for row in result.rows]
    return TextTable(("strategy", "won", "ante 1 cleared", "mean ante"), lines, left=True)


def gap_table(result: Ablation) -> TextTable:
    """The differences of all others to the first."""
    lines = [line for row in result.rows if (line := _gap_line(row))]
    return TextTable((f"minus {result.rows[0].strategy.name}", "wins", "mean ante"), lines, left=True)


def _gap_line(row: Compared) -> tuple[str, ...]:
    if not row.vs_first:
        return ()
    wins = _gap_text(row.vs_first.wins, "{:+.1f}", 100, " points")
    return row.strategy.name, wins, _gap_text(row.vs_first.antes, "{:+.2f}")


def _gap_text(gap: Difference, form: str, scale: float = 1.0, unit: str = "") -> str:
    low, high = (form.format(scale * end) for end in gap.ci95 or (0.0, 0.0))
    return f"{form.format(scale * gap.mean)}{unit}{f'  ({low} to {high})' if gap.ci95 else ''}"


def ablation_remarks(result: Ablation) -> list[str]:
    lines = ["In brackets: 95 % intervals. Differences are taken seed by seed."]
    if result.left_out:
        games = counted(result.left_out, "game")
        lines.append(f"Left out: {games} on seeds that not all have played.")
    return lines


# --- Decks and stakes -------------------------------------------------------------------------------------------------

_CELL_TERMS = (
    "In brackets: 95 % intervals. Fatal chance: the chance to clear that the agent gave itself on entering the blind "
    "that was lost; the median."
)
_INTERVALS = "Share of runs won, with Wilson's 95 % interval below it. All cells are played on the same seeds."


def matrix_report(result: Matrix, link: Callable[[Place], str]) -> Document:
    """A heat map, and the numbers of all cells. ``link``: where the report of a cell is. All stakes fit 80 columns."""
    settings = result.settings
    seeds = settings.seeds
    label = agent_label(settings)
    return Document(
        f"{label}: decks and stakes",
        f"{label}, {counted(len(seeds.seeds), 'seed')} of {seeds.name} v{seeds.version} ({seeds.hash})",
        versions()["engine"],
        tuple(note for cell in result.cells for note in _cell_notes(cell)),
        sections=[
            Section("Runs won", "A click opens the report of a cell.", [_heat_map(result, link), _INTERVALS]),
            Section("All cells", _CELL_TERMS, [cell_table(result)], where="page"),
        ],
    )


def _cell_notes(cell: Cell) -> Iterator[str]:
    yield from _unplayed(_cell_name(cell), cell.evaluation)
    if cell.summary.errors:
        yield f"{_cell_name(cell)}: the agent failed in {counted(cell.summary.errors, 'run')}."


def _cell_name(cell: Cell) -> str:
    deck, stake = cell.place
    return f"{DECKS[deck].name} · {STAKES[stake].name}"


def _heat_map(result: Matrix, link: Callable[[Place], str]) -> HeatMap:
    """Decks below each other, stakes side by side."""

    def shown(cell: Cell | None) -> HeatCell | None:
        if cell is None:
            return None
        summary = cell.summary
        hint = f"{_cell_name(cell)}: {summary.wins} of {counted(summary.games, 'run')} won"
        return HeatCell(summary.win_rate, summary.ci95, hint, link(cell.place))

    return HeatMap(
        "won",
        [STAKES[stake].name.removesuffix(" Stake") for stake in result.stakes],
        [DECKS[deck].name.removesuffix(" Deck") for deck in result.decks],
        [[shown(result.at(deck, stake)) for stake in result.stakes] for deck in result.decks],
    )


def cell_table(result: Matrix) -> TextTable:
    heads = ("cell", "runs", "won", "ante 1 cleared", "mean ante", "fatal chance", "ms per decision", "lost to most")
    return TextTable(heads, [_cell_line(cell) for cell in result.cells])


def _cell_line(cell: Cell) -> list[str]:
    found = diagnose(cell.evaluation.episodes)
    fatal = percent_text(found.deaths.clear[1]) if found and found.deaths.clear else UNKNOWN
    games, *strength, speed = _texts(cell.summary, ("games", *_STRENGTH, "ms per decision"))
    lost_to = ", ".join(f"{BLINDS[key].name} {count}" for key, count in list(cell.summary.deaths.items())[:3])
    return [_cell_name(cell), games, *strength, fatal, speed, lost_to]
