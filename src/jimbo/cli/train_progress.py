"""How a training goes, on the terminal: one line for what is being done, and one for each epoch that is done."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from rich.progress import TaskID

from jimbo.console import make_console, make_progress
from jimbo.text import counted, percent_text
from jimbo.train.networks.watching import Progress as Done
from jimbo.train.networks.watching import Watcher


class Bars(Watcher):
    """For all methods; use it in a ``with`` statement."""

    def __init__(self) -> None:
        self._console = make_console(stderr=True)
        self._bars = make_progress(self._console, "{task.completed:.0f} of {task.total:.0f} {task.fields[what]}")
        self._task: TaskID | None = None
        self._title = ""
        self._loss = 0.0

    def __enter__(self) -> Bars:
        self._bars.start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _where: TracebackType | None
    ) -> None:
        self._bars.stop()

    # --- What is told -------------------------------------------------------------------------------------------------

    def reading(self, paths: Sequence[Path]) -> None:
        self._begin(f"{self._title}Reading", 1, counted(len(paths), "file"))

    def began(self, progress: Done, steps: int) -> None:
        self._begin(f"{self._title}Learning", steps, "steps", progress.step)
        if progress.step:
            self._console.print(f"Going on after epoch {progress.epoch}.")

    def stepped(self, loss: float) -> None:
        self._loss = 0.98 * self._loss + 0.02 * loss if self._loss else loss
        if self._task is not None:
            self._bars.update(self._task, advance=1, description=f"{self._title}Learning, loss {self._loss:.3f}")

    def epoch_ended(self, progress: Done) -> None:
        row = progress.history[-1]
        judged = row["val"]
        best = ", the best so far" if progress.best_epoch == progress.epoch else ""
        self._console.print(
            f"{self._title}Epoch {row['epoch']}: loss {row['train']['loss']:.3f}; on other games choice "
            f"{judged['policy']:.3f}, agrees in {percent_text(judged['top1'])}{best}",
            highlight=False,
        )

    def exporting(self) -> None:
        self._begin(f"{self._title}Writing ONNX", 1, "files")

    def round_began(self, number: int, rounds: int) -> None:
        self._title = f"Round {number} of {rounds}: "

    def collected(self, games: int, of: int) -> None:
        self._reach(f"{self._title}Playing and being corrected", games, of, "games")

    def asked(self, decisions: int, of: int) -> None:
        self._reach("Asking the teachers", decisions, of, "decisions")

    def playing(self, name: str, games: int, of: int) -> None:
        self._reach(f"Playing, {name}", games, of, "games")

    # --- Bars ---------------------------------------------------------------------------------------------------------

    def _begin(self, title: str, total: int, what: str, done: int = 0) -> None:
        if self._task is not None:
            self._bars.remove_task(self._task)
        self._task = self._bars.add_task(title, total=total, completed=done, what=what)
        self._shown = title

    def _reach(self, title: str, done: int, total: int, what: str) -> None:
        if self._task is None or self._shown != title:
            self._begin(title, total, what)
        assert self._task is not None
        self._bars.update(self._task, completed=done)
