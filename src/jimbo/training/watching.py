"""Who is told how a training goes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rich.progress import TaskID

from jimbo.console import make_console, make_progress


class Watcher:
    """Is told, and does nothing."""

    def began(self, done: int, total: int) -> None:
        """Steps that are done already, and in all."""

    def warned(self, sentence: str) -> None:
        """What the result will not show by itself."""

    def stepped(self, done: int) -> None:
        """Steps done so far."""

    def evaluated(self, row: Mapping[str, float], best: bool) -> None:
        """A row of the history, and whether it is the best so far."""

    def ended(self) -> None:
        """Nothing more will come."""

    def kept(self, folder: Path) -> None:
        """Where everything is."""


class Bar(Watcher):
    """A bar on the error stream, and a line of a table for each evaluation."""

    def __init__(self, title: str = "") -> None:
        self._console = make_console(stderr=True)
        self._bar = make_progress(
            self._console, "{task.completed:,.0f} of {task.total:,.0f} steps, {task.fields[rate]}"
        )
        self._title = title
        self._task: TaskID | None = None
        self._headed = False

    def began(self, done: int, total: int) -> None:
        self._bar.start()
        self._task = self._bar.add_task(f"{self._title} Learning".strip(), total=total, completed=done, rate="")
        if self._title:
            self._console.print(self._title, highlight=False, markup=False)
        if done:
            self._console.print(f"Going on after {done:,} steps.", highlight=False)

    def warned(self, sentence: str) -> None:
        self._console.print(sentence, highlight=False, markup=False, soft_wrap=True)

    def stepped(self, done: int) -> None:
        if self._task is not None:
            speed = self._bar.tasks[0].speed
            self._bar.update(self._task, completed=done, rate=f"{speed:,.0f} steps/s" if speed else "")

    def evaluated(self, row: Mapping[str, float], best: bool) -> None:
        if not self._headed:
            heads = f"{'steps':>12} {'seconds':>8} {'mean ante':>10} {'reward':>8} {'won':>6}"
            self._console.print(heads, highlight=False)
            self._headed = True
        mark = "  the best so far" if best else ""
        self._console.print(
            f"{row['timesteps']:>12,} {row['seconds']:>8,.0f} {row['mean_ante']:>10.2f} {row['mean_reward']:>8.3f} "
            f"{row['win_rate']:>6.1%}{mark}",
            highlight=False,
        )

    def ended(self) -> None:
        self._bar.stop()

    def kept(self, folder: Path) -> None:
        self._console.print(kept_in(folder), highlight=False, markup=False, soft_wrap=True)


def kept_in(folder: Path) -> str:
    """A sentence that names a folder and its files."""
    return f"Kept in {folder}: {', '.join(sorted(path.name for path in folder.iterdir()))}."
