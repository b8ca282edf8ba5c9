"""The report of a training as one HTML page: curves from its log, what was measured, and how the network plays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jimbo.files import loads, read_text, reading
from jimbo.report import html
from jimbo.report.sections import BarChart, Document, Headline, Section, TextTable, plot
from jimbo.report.svg import Drawing, Point, curves, number_axis, share_axis
from jimbo.text import counted, percent_text
from jimbo.train.core.log import EVALUATION
from jimbo.train.core.watching import Row
from jimbo.train.rllib.log import ITERATION

if TYPE_CHECKING:
    from jimbo.train.rllib.checkpoints import Checkpoint
    from jimbo.train.rllib.evaluation import GamesPlayed

_ALWAYS = {"kind": str, "iteration": int, "timesteps_total": int}
"""What each line has."""
_PHASES = {
    "blind_select": "Choosing blinds",
    "selecting_hand": "Playing hands",
    "shop": "In the shop",
    "pack_opening": "Opening packs",
    "round_eval": "After a round",
}
_NUMBERS = (
    ("Speed", "Games an hour.", "games_per_hour", "games/hour", "{:,.0f}"),
    ("Memory", "Of all processes, in GB.", "memory_gb", "GB", "{:.2f}"),
    ("Length", "Decisions of a game.", "episode_len_mean", "decisions", "{:.1f}"),
    ("Entropy", "How open its choices are.", "entropy", "entropy", "{:.2f}"),
)

# --- The log ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class History:
    """Rows in the order in which they were written."""

    iterations: tuple[Row, ...]
    evaluations: tuple[Row, ...]

    def numbers(self, name: str) -> list[tuple[float, float]]:
        """Return decisions made, and the number of that name after them."""
        return [(row["timesteps_total"], row[name]) for row in self.iterations if row.get(name) is not None]


def read_history(path: Path) -> History:
    """Read a log file; ValueError with a sentence if it cannot be used."""
    with reading(path, advice="Say where the log is with --log-file"):
        lines = read_text(path).splitlines()
    rows = [_row(path, number, line) for number, line in enumerate(lines, 1)]
    return History(*(_kept(row for row in rows if row["kind"] == kind) for kind in (ITERATION, EVALUATION)))


def _kept(rows: Iterable[Row]) -> tuple[Row, ...]:
    """Leave out what was done again, by a training that was resumed from an earlier checkpoint."""
    kept: list[Row] = []
    for row in rows:
        while kept and kept[-1]["iteration"] >= row["iteration"]:
            kept.pop()
        kept.append(row)
    return tuple(kept)


def _row(path: Path, number: int, line: str) -> Row:
    try:
        row = loads(line)
    except ValueError as error:
        raise ValueError(f"{path} cannot be used: line {number}: {error}.") from None
    if not isinstance(row, dict) or not all(isinstance(row.get(name), kind) for name, kind in _ALWAYS.items()):
        raise ValueError(f"{path} cannot be used: line {number} is neither an iteration nor an evaluation.")
    return row


def benchmark(history: History) -> list[tuple[str, str, str]]:
    """Return a table: what is measured, its target, and the last value (for memory the highest)."""

    def last(name: str, form: str) -> str:
        known = [value for _, value in history.numbers(name)]
        return form.format(known[-1]) if known else "not measured"

    memory = [value for _, value in history.numbers("memory_gb")]
    return [
        ("games/hour", "> 1,000", last("games_per_hour", "{:,.0f}")),
        ("memory (GB, the highest)", "< 8", f"{max(memory):.1f}" if memory else "not measured"),
        ("mean episode length (decisions)", "", last("episode_len_mean", "{:.1f}")),
        ("win rate in training", "", last("win_rate", "{:.1%}")),
        ("rollout steps/s", "", last("rollout_fps", "{:,.0f}")),
        ("training steps/s", "", last("training_fps", "{:,.0f}")),
        ("total steps/s", "", last("total_fps", "{:,.0f}")),
        ("illegal actions", "0", last("illegal_actions", "{:,.0f}")),
    ]


# --- The page ---------------------------------------------------------------------------------------------------------


def page(checkpoint: Checkpoint, history: History, games: GamesPlayed, seeds: str) -> str:
    config, standing = checkpoint.config, checkpoint.standing
    measured = TextTable(["", "target", "here"], benchmark(history))
    report = Document(
        f"RLlib training {checkpoint.path.parent.name}",
        f"{config.algorithm}, network of size {config.model.size} · checkpoint of iteration "
        f"{standing.iteration} · {standing.timesteps:,} decisions, {counted(standing.episodes, 'game')}",
        headlines=[_headline(games, seeds)],
        sections=[
            *_curves(history),
            Section("Measured", "While it trained.", [measured], half=True),
            *_behaviour(games),
        ],
    )
    return html(report)


def _headline(games: GamesPlayed, seeds: str) -> Headline:
    low, high = games.interval
    won = f"{games.wins} of {counted(len(games.results), 'game')} won on seeds of {seeds}"
    reached = f"ante {games.mean('ante'):.2f} and {games.mean('blinds'):.2f} blinds beaten on average"
    return Headline(
        "The checkpoint plays",
        percent_text(games.win_rate),
        (
            f"{won}, 95 % interval {100 * low:.1f} to {100 * high:.1f} %",
            f"{reached}, {games.mean('length'):.0f} decisions",
        ),
    )


def _curves(history: History) -> Iterable[Section]:
    decisions = number_axis(max((row["timesteps_total"] for row in history.evaluations), default=1), "decisions")
    evaluated = [(row["timesteps_total"], row["reward"]) for row in history.evaluations]
    yield plot(
        "Mean return",
        "While training (red, with chance) and on fixed seeds (blue, without).",
        _plot([history.numbers("episode_reward_mean"), evaluated], "mean return", "{:.3f}".format),
    )
    yield plot(
        "Games won",
        "On fixed seeds, with 95 % intervals.",
        curves([[_with_interval(row) for row in history.evaluations]], decisions, share_axis("share of games")),
    )
    for title, text, name, label, form in _NUMBERS:
        yield plot(title, text, _plot([history.numbers(name)], label, form.format))


def _plot(series: Sequence[Sequence[tuple[float, float]]], label: str, text: Callable[[float], str]) -> Drawing:
    points = [[Point(x, y, y, y, f"{x:,.0f} decisions: {text(y)}") for x, y in one] for one in series]
    highest = max((y for one in series for _, y in one), default=1.0)
    last = max((x for one in series for x, _ in one), default=1.0)
    return curves(points, number_axis(max(last, 1.0), "decisions"), number_axis(highest, label))


def _with_interval(row: Row) -> Point:
    steps, share = row["timesteps_total"], row["win_rate"]
    return Point(steps, share, row["win_rate_low"], row["win_rate_high"], f"{steps:,} decisions: {percent_text(share)}")


def _behaviour(games: GamesPlayed) -> Iterable[Section]:
    for phase, shares in games.behaviour.shares().items():
        labels = [name.replace("_", " ") for name in shares]
        values, texts = [round(1000 * share) for share in shares.values()], list(map(percent_text, shares.values()))
        chart = BarChart(labels, [values], [texts])
        yield plot(_PHASES.get(phase, phase), "What it does there, as shares of its decisions.", chart)
