"""How the training of a value goes, on the terminal: a bar for what is being done, and a line for each generation."""

from __future__ import annotations

from types import TracebackType

from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from jimbo.console import make_console
from jimbo.text import percent_text
from jimbo.train.value.watching import ValueProgress, ValueWatcher


class ValueBars(ValueWatcher):
    """Use it in a ``with`` statement."""

    def __init__(self) -> None:
        self._console = make_console(stderr=True)
        self._bars = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=24),
            TextColumn("{task.completed:,.0f} of {task.total:,.0f} {task.fields[what]}", markup=False),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=self._console,
            transient=True,
            redirect_stdout=False,
            disable=not self._console.is_terminal,
        )
        self._task: TaskID | None = None
        self._doing = ""
        self._generation, self._generations = 1, 1

    def __enter__(self) -> ValueBars:
        self._bars.start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _where: TracebackType | None
    ) -> None:
        self._bars.stop()

    def began(self, progress: ValueProgress, generations: int) -> None:
        self._generation, self._generations = progress.generation + 1, generations
        if progress.generation:
            self._console.print(f"Going on after generation {progress.generation}.", highlight=False)

    def playing(self, games: int, of: int) -> None:
        self._reach("playing", games, of, "games")

    def learning(self, steps: int, of: int) -> None:
        self._reach("learning", steps, of, "steps")

    def judging(self, games: int, of: int) -> None:
        self._reach("evaluating", games, of, "games")

    def ended(self, progress: ValueProgress) -> None:
        row = progress.history[-1]
        judged = row["judged"]
        best = ", the best so far" if progress.best_generation == progress.generation else ""
        self._console.print(
            f"Generation {progress.generation}, {progress.games:,} games so far: evaluated on {judged['games']:,} "
            f"games, won {percent_text(judged['win_rate'])}, mean ante {judged['mean_ante']:.2f} "
            f"({row['seconds']:.0f} s){best}",
            highlight=False,
            soft_wrap=True,
        )
        self._generation = progress.generation + 1

    def _reach(self, doing: str, done: int, of: int, what: str) -> None:
        title = f"Generation {self._generation} of {self._generations}: {doing}"
        if self._task is None or self._doing != title:
            if self._task is not None:
                self._bars.remove_task(self._task)
            self._task = self._bars.add_task(title, total=of, what=what)
            self._doing = title
        self._bars.update(self._task, completed=done)
