"""An evaluation as tables for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from jimbo.colours import CYAN, GREEN, QUIET, RED
from jimbo.engine.catalog import BLINDS
from jimbo.eval.commands import watch_command
from jimbo.eval.diagnosis import diagnose
from jimbo.eval.diagnosis_tables import ENTERED, FORESEEN, ante_table, remarks, win_table
from jimbo.eval.runner import Evaluation, Settings
from jimbo.eval.statistics import Difference, Interval, Paired, compare
from jimbo.eval.summary import Summary, complete, summarize
from jimbo.eval.text_tables import in_terminal
from jimbo.text import counted, game_text, number_text, percent_text

_DEATHS_SHOWN = 12
_BARS = 26
_SURE = 0.05


def report(*evaluations: Evaluation) -> Group:
    """The numbers of one agent, or of two on the same seeds, side by side."""
    summaries = [summarize(evaluation.episodes) for evaluation in evaluations]
    parts: list[RenderableType] = [_heading(evaluations[0].settings), _numbers(evaluations, summaries)]
    parts += [Text(""), _deaths(evaluations, summaries)]
    parts += [part for evaluation in evaluations for part in _diagnosis(evaluation, alone=len(evaluations) == 1)]
    if len(evaluations) > 1:
        parts += [Text(""), _paired(evaluations, compare(evaluations[0].episodes, evaluations[1].episodes))]
    # Commands are copied from the terminal as they are, so no note is broken into lines here.
    parts += [Text(note, style=RED, no_wrap=True, overflow="ignore") for note in notes(evaluations)]
    return Group(*parts)


def agent_label(settings: Settings) -> str:
    """The agent with its options: ``expert effort=2``."""
    return " ".join([settings.agent, *(f"{name}={value}" for name, value in settings.options.items())])


def _heading(settings: Settings) -> Text:
    seeds = settings.seeds
    return Text.assemble(
        (game_text(settings.deck, settings.stake, settings.challenge), "bold"),
        (f"   {counted(len(seeds.seeds), 'seed')}, {seeds.name} v{seeds.version} ({seeds.hash})", QUIET),
    )


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


def share_text(share: float, ci95: Interval) -> str:
    """``64.7 %  (61.7 to 67.6)``."""
    return f"{percent_text(share)}  ({100 * ci95[0]:.1f} to {100 * ci95[1]:.1f})"


def mean_text(mean: float, ci95: Interval) -> str:
    return f"{mean:.2f}  ({ci95[0]:.2f} to {ci95[1]:.2f})"


def _numbers(evaluations: Sequence[Evaluation], summaries: Sequence[Summary]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style=f"bold {CYAN}")
    table.add_column("", style=QUIET, no_wrap=True)
    for evaluation in evaluations:
        table.add_column(agent_label(evaluation.settings))
    for rows in zip(*map(number_rows, summaries), strict=True):
        table.add_row(rows[0][0], *(value for _, value in rows), style="bold" if rows[0][0] == "win rate" else "")
    return table


def _deaths(evaluations: Sequence[Evaluation], summaries: Sequence[Summary]) -> RenderableType:
    totals = {key: sum(summary.deaths.get(key, 0) for summary in summaries) for s in summaries for key in s.deaths}
    if not totals:
        return Text("No run was lost in a blind.", style=GREEN)
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style=QUIET)
    table.add_column("lost to", no_wrap=True)
    for evaluation in evaluations:
        table.add_column(agent_label(evaluation.settings) if len(evaluations) > 1 else "")
    ranked = sorted(totals, key=lambda key: -totals[key])
    width = _BARS // len(summaries)
    highest = max(count for summary in summaries for count in summary.deaths.values())
    for key in ranked[:_DEATHS_SHOWN]:
        bars = (_bar(summary.deaths.get(key, 0), highest, summary.games, width) for summary in summaries)
        table.add_row(BLINDS[key].name, *bars)
    if rest := ranked[_DEATHS_SHOWN:]:
        counts = (sum(summary.deaths.get(key, 0) for key in rest) for summary in summaries)
        table.add_row(counted(len(rest), "other"), *(f"{count:>4}" for count in counts), style=QUIET)
    return table


def _bar(count: int, highest: int, games: int, width: int) -> Text:
    length = -(-width * count // highest)
    share = f"{percent_text(count / games):>7} "
    return Text.assemble(f"{count:>4} ", (share, QUIET), ("█" * length, RED))


def _diagnosis(evaluation: Evaluation, *, alone: bool) -> Iterator[RenderableType]:
    found = diagnose(evaluation.episodes)
    if found is None:
        return
    whose = "" if alone else f"{agent_label(evaluation.settings)}: "
    titled = {ENTERED: ante_table(found), FORESEEN: win_table(found)}
    for title, made in titled.items():
        if made:
            yield Group(Text(""), Text(f"{whose}{title}", style=f"bold {CYAN}"), in_terminal(made))
    yield from (Text(remark, style=QUIET) for remark in remarks(found))


def _paired(evaluations: Sequence[Evaluation], paired: Paired) -> Group:
    first, second = (agent_label(evaluation.settings) for evaluation in evaluations)
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style=QUIET)
    for name in ("", "difference", "95 %", "more", "fewer", "equal", "p"):
        table.add_column(name, justify="left" if not name else "right", no_wrap=True)
    for name, gap in paired_rows(paired):
        table.add_row(name, *paired_cells(gap), style="bold" if gap.p < _SURE else "")
    return Group(
        Text(f"{first} minus {second}, on {counted(paired.games, 'shared seed')}", style=f"bold {CYAN}"), table
    )


def paired_rows(paired: Paired) -> Iterator[tuple[str, Difference]]:
    """What is compared, with its name."""
    yield "wins", paired.wins
    yield "antes", paired.antes
    yield "rounds", paired.rounds
    yield "blinds passed", paired.blinds


def paired_cells(gap: Difference) -> tuple[str, ...]:
    interval = f"{gap.ci95[0]:+.3f} to {gap.ci95[1]:+.3f}" if gap.ci95 else "unknown"
    p = "< 0.0001" if gap.p < 0.0001 else f"{gap.p:.4f}"
    return f"{gap.mean:+.3f}", interval, f"{gap.better}", f"{gap.worse}", f"{gap.equal}", p


def notes(evaluations: Sequence[Evaluation]) -> Iterator[str]:
    """What is wrong with the numbers, if anything is, and how to see it."""
    for evaluation in evaluations:
        name, summary = agent_label(evaluation.settings), summarize(evaluation.episodes)
        if not complete(evaluation):
            yield f"{name}: only {summary.games} of {len(evaluation.settings.seeds.seeds)} runs were played."
        failed = [row for row in evaluation.episodes if row.error is not None]
        if failed:
            yield f"{name} failed in {counted(len(failed), 'run')}, first on seed {failed[0].seed}: {failed[0].error}"
            yield watch_command(evaluation.settings, failed[0])
        stuck = [row for row in evaluation.episodes if row.failure_reason == "step_limit"]
        if stuck:
            yield f"{name} did not finish {counted(len(stuck), 'run')}, first on seed {stuck[0].seed}."
            yield watch_command(evaluation.settings, stuck[0])
