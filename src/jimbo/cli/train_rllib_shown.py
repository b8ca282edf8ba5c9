"""How a training with RLlib goes, on the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import typer
from rich.progress import TaskID
from rich.table import Table

from jimbo.console import make_console, make_progress
from jimbo.text import counted, percent_text
from jimbo.train.rllib.watching import Watcher

if TYPE_CHECKING:
    from jimbo.train.rllib.evaluation import Judged


class Shown(Watcher):
    """A bar, and a line for each evaluation; use it in a ``with`` statement."""

    def __init__(self) -> None:
        self._console = make_console(stderr=True)
        self._bars = make_progress(
            self._console, "{task.completed:.0f} of {task.total:.0f} iterations{task.fields[rate]}"
        )
        self._task: TaskID | None = None

    def __enter__(self) -> Shown:
        self._bars.start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _where: TracebackType | None
    ) -> None:
        self._bars.stop()

    def told(self, notice: str) -> None:
        self._console.print(f"Note: {notice}", highlight=False, markup=False)

    def began(self, iteration: int, iterations: int) -> None:
        self._task = self._bars.add_task("Training", total=iterations, completed=iteration, rate="")

    def iterated(self, row: Mapping[str, Any]) -> None:
        if self._task is not None:
            rate = f", {row['games_per_hour']:,.0f} games/hour, {row['memory_gb']:.1f} GB"
            self._bars.update(self._task, completed=row["iteration"], rate=rate)

    def judged(self, row: Mapping[str, Any], best: bool) -> None:
        self._console.print(
            f"Iteration {row['iteration']}: return {row['reward']:.3f}, ante {row['mean_ante']:.2f}, "
            f"won {percent_text(row['win_rate'])} of {row['episodes']} games{'; the best so far' if best else ''}",
            highlight=False,
        )


def show_judged(found: Judged, seeds: str) -> None:
    low, high = found.interval
    title = f"{counted(len(found.results), 'game')} on seeds of {seeds}"
    table = Table(title=title, title_justify="left", box=None, show_header=False)
    table.add_row("won", f"{percent_text(found.win_rate)} (95 % interval {100 * low:.1f} to {100 * high:.1f} %)")
    table.add_row("mean return", f"{found.reward:.3f}")
    table.add_row("mean ante", f"{found.mean('ante'):.2f}")
    table.add_row("blinds beaten", f"{found.mean('blinds'):.2f}")
    table.add_row("decisions", f"{found.mean('length'):.1f}")
    table.add_row("illegal actions", f"{sum(result['illegal'] for result in found.results)}")
    make_console().print(table, crop=False)


def show_benchmark(measured: Sequence[tuple[str, str, str]]) -> None:
    table = Table(title="Measured while it trained", title_justify="left", box=None)
    table.add_column("")
    table.add_column("target", justify="right")
    table.add_column("here", justify="right")
    for line in measured:
        table.add_row(*line)
    make_console().print(table, crop=False)


def show_trials(trials: Sequence[Mapping[str, Any]], out: Path) -> None:
    """The best first."""
    table = Table(title=f"{len(trials)} short trainings, the best first", title_justify="left", box=None)
    names = ["reward", "win_rate", *trials[0]["values"]]
    for name in names:
        table.add_column(name, justify="right")
    for trial in trials:
        values = {"reward": trial["reward"], "win_rate": trial["win_rate"], **trial["values"]}
        table.add_row(*(f"{value:.3g}" if isinstance(value, float) else str(value) for value in values.values()))
    make_console().print(table, crop=False)
    typer.echo(f"The best settings are in {out / 'best_config.yaml'}: use them with --config.", err=True)
