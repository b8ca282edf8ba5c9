"""The report of a training as one HTML page: curves, what was measured, and how the network plays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from jimbo.report import html
from jimbo.report.sections import BarChart, Document, Headline, Section, TextTable, plot
from jimbo.report.svg import Axis, Drawing, Point, curves, number_axis, share_axis
from jimbo.text import counted, percent_text
from jimbo.train.rllib.checkpoints import About
from jimbo.train.rllib.evaluation import Judged
from jimbo.train.rllib.history import History, benchmark

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


def page(about: About, history: History, found: Judged, seeds: str) -> str:
    standing = about.standing
    report = Document(
        f"RLlib training {about.path.parent.name}",
        f"{about.config.algorithm}, network of size {about.config.model.size} · checkpoint of iteration "
        f"{standing.iteration} · {standing.timesteps:,} decisions, {counted(standing.episodes, 'game')}",
        headlines=[_headline(found, seeds)],
        sections=[
            *_curves(history),
            Section(
                "Measured", "While it trained.", [TextTable(["", "target", "here"], benchmark(history))], half=True
            ),
            *_behaviour(found),
        ],
    )
    return html(report)


def _headline(found: Judged, seeds: str) -> Headline:
    low, high = found.interval
    won = f"{found.wins} of {counted(len(found.results), 'game')} won on seeds of {seeds}"
    reached = f"ante {found.mean('ante'):.2f} and {found.mean('blinds'):.2f} blinds beaten on average"
    return Headline(
        "The checkpoint plays",
        percent_text(found.win_rate),
        (
            f"{won}, 95 % interval {100 * low:.1f} to {100 * high:.1f} %",
            f"{reached}, {found.mean('length'):.0f} decisions",
        ),
    )


def _curves(history: History) -> Iterable[Section]:
    judged = [(row["timesteps_total"], row["reward"]) for row in history.evaluations]
    yield plot(
        "Mean return",
        "While training (red, with chance) and on fixed seeds (blue, without).",
        _plot([history.numbers("episode_reward_mean"), judged], "mean return", "{:.3f}".format),
    )
    yield plot(
        "Games won",
        "On fixed seeds, with 95 % intervals.",
        curves([_intervals(history)], _decisions(history), share_axis("share of games")),
    )
    for title, text, name, label, form in _NUMBERS:
        yield plot(title, text, _plot([history.numbers(name)], label, form.format))


def _plot(series: Sequence[Sequence[tuple[float, float]]], label: str, text: Callable[[float], str]) -> Drawing:
    points = [[Point(x, y, y, y, f"{x:,.0f} decisions: {text(y)}") for x, y in one] for one in series]
    highest = max((y for one in series for _, y in one), default=1.0)
    last = max((x for one in series for x, _ in one), default=1.0)
    return curves(points, _axis(last), number_axis(highest, label))


def _intervals(history: History) -> list[Point]:
    return [
        Point(
            row["timesteps_total"],
            row["win_rate"],
            row["win_rate_low"],
            row["win_rate_high"],
            f"{row['timesteps_total']:,} decisions: {percent_text(row['win_rate'])}",
        )
        for row in history.evaluations
    ]


def _decisions(history: History) -> Axis:
    return _axis(max((row["timesteps_total"] for row in history.evaluations), default=1))


def _axis(last: float) -> Axis:
    return number_axis(max(last, 1.0), "decisions")


def _behaviour(found: Judged) -> Iterable[Section]:
    for phase, shares in found.behaviour.shares().items():
        labels = [name.replace("_", " ") for name in shares]
        values, texts = [round(1000 * share) for share in shares.values()], list(map(percent_text, shares.values()))
        chart = BarChart(labels, [values], [texts])
        yield plot(_PHASES.get(phase, phase), "What it does there, as shares of its decisions.", chart)
