"""What the verbs of ``jimbo train`` share: options, the bar on the terminal, and how a training begins and ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Annotated, Any

import typer
from rich.progress import TaskID
from rich.table import Table

from jimbo.cli.errors import fail, report_errors
from jimbo.console import make_console, make_progress
from jimbo.extras import check_installed
from jimbo.train.core.watching import Watcher

Device = Annotated[str, typer.Option(help="auto, cpu, cuda or mps.")]
NEEDED = ("torch", "safetensors", "onnx", "onnxruntime", "matplotlib", "tensorboard")


@contextmanager
def training(out_dir: Path, device: str, needed: Sequence[str] = NEEDED) -> Iterator[tuple[Any, Watcher]]:
    """Give a training its torch.device and a bar; end it with a sentence if it fails or is stopped.

    Import what needs torch within.
    """
    try:
        check_installed(needed, "train")
    except ImportError as error:
        fail(str(error))
    with report_errors(out_dir), TrainingBar() as bar:
        from jimbo.train.core.machine import prepare

        yield prepare(device), bar


class TrainingBar(Watcher):
    """A bar on the error stream for what is being done; lines that stay. Use it in a ``with`` statement."""

    def __init__(self) -> None:
        self._console = make_console(stderr=True)
        told = "{task.completed:,.0f} of {task.total:,.0f} {task.fields[unit]}  {task.fields[note]}"
        self._bars = make_progress(self._console, told, bar_width=20)
        self._task: TaskID | None = None
        self._kind: tuple[str, int] = ("", 0)
        self._done = 0

    def __enter__(self) -> TrainingBar:
        self._bars.start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _where: TracebackType | None
    ) -> None:
        self._bars.stop()

    def progress(self, phase: str, done: int, total: int, unit: str = "", note: str = "") -> None:
        if self._task is None or self._kind != (unit, total) or done < self._done:
            if self._task is not None:
                self._bars.remove_task(self._task)
            self._task = self._bars.add_task(phase, total=total, completed=done, unit=unit, note=note)
        self._kind, self._done = (unit, total), done
        self._bars.update(self._task, description=phase, completed=done, note=note)

    def say(self, sentence: str) -> None:
        self._console.print(sentence, highlight=False, markup=False, soft_wrap=True)


def make_table(title: str, *headings: str, names: int = 1) -> Table:
    """Return a table of results; its first columns, ``names`` of them, are text and the others numbers."""
    table = Table(title=title, title_justify="left", box=None, show_header=bool(headings))
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="left" if place < names else "right")
    return table


def tell(out_dir: Path, best: str, trial: str) -> None:
    """Say where everything is and what to try next."""
    typer.echo(f"Kept in {out_dir}: {best} plays, training.png shows the training. Let it play: {trial}", err=True)
