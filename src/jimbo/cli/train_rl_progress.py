"""How a training by play goes, on the terminal: a bar with its speed and its games, and a line for each judgement."""

from __future__ import annotations

import time
from types import TracebackType

from rich.progress import TaskID

from jimbo.console import make_console, make_progress
from jimbo.text import counted, percent_text
from jimbo.train.rl.settings import RlSettings
from jimbo.train.rl.watching import RlProgress, RlWatcher

_RECENT = 8
"""Updates over which games are averaged: in one alone only few end."""


class RlBars(RlWatcher):
    """Use it in a ``with`` statement."""

    def __init__(self) -> None:
        self._console = make_console(stderr=True)
        self._bars = make_progress(self._console, "{task.percentage:.0f} %  {task.fields[told]}", bar_width=16)
        self._task: TaskID | None = None
        self._batch = 0
        self._marks: list[tuple[float, int, int]] = []

    def __enter__(self) -> RlBars:
        self._bars.start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _where: TracebackType | None
    ) -> None:
        self._bars.stop()

    def began(self, progress: RlProgress, settings: RlSettings) -> None:
        self._batch = settings.batch
        done, total = progress.update * settings.batch, settings.decisions
        self._task = self._bars.add_task("Playing and learning", total=total, completed=done, told="")
        size = f"{settings.batch:,} decisions (rows {settings.rows:,} x horizon {settings.horizon:,})"
        asked = "" if total == settings.steps else f", where {settings.steps:,} were asked"
        self._console.print(
            f"{counted(settings.updates, 'update')} of {size}: {total:,} decisions in all{asked}.",
            highlight=False,
            soft_wrap=True,
        )
        if done:
            self._console.print(f"Going on after {done:,} decisions.", highlight=False)
        self._marks = [(time.perf_counter(), done, progress.games)]

    def judging(self) -> None:
        self._describe("Evaluating")

    def updated(self, progress: RlProgress) -> None:
        done = progress.update * self._batch
        self._marks = [*self._marks[-_RECENT:], (time.perf_counter(), done, progress.games)]
        self._describe("Playing and learning")
        if self._task is not None:
            self._bars.update(self._task, completed=done, told=self._told(progress))
        judged = progress.history[-1].get("judged")
        if judged:
            best = ", the best so far" if progress.best_update == progress.update else ""
            self._console.print(
                f"{done:>11,} decisions: evaluated on {judged['games']:,} games, mean ante {judged['mean_ante']:.2f}, "
                f"won {percent_text(judged['win_rate'])}{best}",
                highlight=False,
                soft_wrap=True,
            )

    def exporting(self) -> None:
        self._describe("Writing ONNX")

    def _describe(self, title: str) -> None:
        if self._task is not None:
            self._bars.update(self._task, description=title)

    def _told(self, progress: RlProgress) -> str:
        (before, steps, games), (now, all_steps, all_games) = self._marks[0], self._marks[-1]
        seconds = max(1e-9, now - before)
        rows = [row for row in progress.history[-_RECENT:] if row.get("games")]
        played = sum(row["games"] for row in rows) or 1
        ante = sum(row["games"] * row["mean_ante"] for row in rows) / played
        won = sum(row["games"] * row["win_rate"] for row in rows) / played
        last = progress.history[-1]
        return (
            f"{(all_steps - steps) / seconds:,.0f} steps/s, {(all_games - games) / seconds:.1f} games/s, "
            f"ante {ante:.2f}, won {percent_text(won)}, "
            f"entropy {last.get('entropy', 0.0):.2f}, KL {last.get('kl', 0.0):.3f}"
        )
