"""Pieces that the verbs of ``jimbo train`` share: options, tables, and how a training begins and ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from jimbo.cli.errors import fail, report_errors
from jimbo.cli.registering import check_register, register_result
from jimbo.extras import check_installed
from jimbo.telemetry.program import events_url, source_of
from jimbo.text import percent_text
from jimbo.train.core.events import TrainingEvents
from jimbo.train.core.watching import TrainingBar, Watcher, Watchers

if TYPE_CHECKING:
    from jimbo.eval.statistics import Paired
    from jimbo.eval.summary import Summary

Device = Annotated[str, typer.Option(help="auto, cpu, cuda or mps.")]
NEEDED = ("torch", "safetensors", "onnx", "onnxruntime", "matplotlib", "tensorboard")


@contextmanager
def training(
    out_dir: Path, device: str, needed: Sequence[str] = NEEDED, register: str | None = None
) -> Iterator[tuple[Any, Watcher]]:
    """Give a training its torch.device and a bar; end it with a sentence if it fails or is stopped.

    Import what needs torch within. A training that comes to its end is registered, if that is wanted.
    """
    try:
        check_installed(needed, "train")
        check_register(register, out_dir)
    except (ImportError, ValueError) as error:
        fail(str(error))
    with report_errors(out_dir), closing(watched(TrainingBar())) as bar:
        from jimbo.train.core.machine import prepare

        yield prepare(device), bar
    register_result(register, out_dir)


def watched(watcher: Watcher) -> Watcher:
    """Return a watcher that also tells an aggregator of events, if anybody wants to know."""
    source = source_of(events_url())
    return Watchers(watcher, TrainingEvents(source)) if source else watcher


def make_table(title: str, *headings: str, names: int = 1) -> Table:
    """Return a table of results; its first columns, ``names`` of them, are text and the others numbers."""
    table = Table(title=title, title_justify="left", box=None, show_header=bool(headings))
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="left" if place < names else "right")
    return table


def games_table(title: str, who: str, more: str, rows: Iterable[tuple[str, Summary, Paired | None]]) -> Table:
    """Return a table of players on the same seeds; ``more`` heads the antes by which they differ."""
    table = make_table(title, who, "won", "ante 1 cleared", "mean ante", more)
    for name, summary, paired in rows:
        shares = percent_text(summary.win_rate), percent_text(summary.ante1_clear)
        table.add_row(name, *shares, f"{summary.mean_ante:.2f}", _antes_more(paired))
    return table


def _antes_more(paired: Paired | None) -> str:
    if paired is None:
        return ""
    mean, ci95 = paired.antes.mean, paired.antes.ci95
    return f"{mean:+.2f}" + (f" ({ci95[0]:+.2f} to {ci95[1]:+.2f})" if ci95 else "")


def tell(out_dir: Path, best: str, trial: str) -> None:
    """Say where everything is and what to try next."""
    typer.echo(f"Kept in {out_dir}: {best} plays, training.png shows the training. Let it play: {trial}", err=True)
