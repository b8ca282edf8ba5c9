"""``jimbo bench real``: how fast the game itself plays by way of its mod."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from jimbo import system
from jimbo.cli.errors import INTERRUPTED, fail
from jimbo.cli.flags import MOST_SECONDS, REAL
from jimbo.cli.real_game import RealGame, with_real_game
from jimbo.console import make_console
from jimbo.rollout import AgentFailed
from jimbo.rollout.throughput import GameSpeed, Mode, TookTooLong, measure
from jimbo.text import counted
from jimbo.wire.errors import WireError

FAILURES = (AgentFailed, TookTooLong, WireError)
Instances = Annotated[
    str | None,
    typer.Option(metavar="N,N,...", help="How many games play at once; default: 1, 2 and so on to all of them."),
]
Timeout = Annotated[
    float,
    typer.Option(min=0.1, max=MOST_SECONDS, metavar="SECONDS", help="For one measurement, after which it fails."),
]
StepsOption = typer.Option("--steps", "--steps-per-instance", min=1, max=1_000_000, help="Steps of each game.")


@with_real_game
def bench_real(
    real: RealGame,
    mode: Annotated[
        Mode, typer.Option(help="A step is a call alone, or all that a learner waits for, with a simple agent.")
    ] = "rl_step",
    steps: Annotated[int, StepsOption] = 100,
    instances: Instances = None,
    timeout: Timeout = 600.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Measure the speed of the game itself: milliseconds per call, and steps per second.

    An open run is abandoned: games of fixed seeds are played, on the Red Deck.
    """
    load = system.load()
    try:
        with real.places(REAL) as places:
            urls = [place.url for place in places or ()]
            measured = _measure_all(urls, read_counts(instances, len(urls)), mode, steps, timeout)
    except (ValueError, *FAILURES) as error:
        fail(str(error))
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    if as_json:
        typer.echo(json.dumps({"urls": urls, "load": load, "measured": [asdict(one) for one in measured]}, indent=1))
    else:
        _print(measured, load, make_console())


def _measure_all(urls: Sequence[str], counts: Sequence[int], mode: Mode, steps: int, timeout: float) -> list[GameSpeed]:
    with progress_of(sum(counts) * steps) as (told, stepped):
        measured = []
        for count in counts:
            told(counted(count, "instance"))
            measured.append(measure(urls[:count], mode, steps, timeout=timeout, on_step=stepped))
        return measured


def read_counts(text: str | None, most: int) -> list[int]:
    """``1,2,4``; without a text, all up to the most. ValueError with a sentence for anything else."""
    if text is None:
        return list(range(1, most + 1))
    words = [word.strip() for word in text.split(",") if word.strip()]
    counts = sorted({int(word) for word in words if word.isascii() and word.isdigit()})
    if len(counts) < len(words) or not counts or counts[0] < 1:
        raise ValueError(f'"{text}" is not a list of numbers of games, each once, such as 1,2,4.')
    if counts[-1] > most:
        raise ValueError(
            f"--instances asks for {counts[-1]} games, and there {'is' if most == 1 else 'are'} {most}. "
            "Name more with --base-urls, or start more with --launch-instances."
        )
    return counts


@contextmanager
def progress_of(steps: int) -> Iterator[tuple[Callable[[str], None], Callable[[], None]]]:
    """Functions that tell what is being measured, and that a step was taken."""
    console = make_console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=steps)
        yield lambda what: progress.update(task, description=what), lambda: progress.advance(task)


def table_of(*columns: str) -> Table:
    """Words at the left, numbers at the right."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for place, column in enumerate(columns):
        table.add_column(column, justify="right" if place else "left")
    return table


def _print(measured: Sequence[GameSpeed], load: float | None, console: Console) -> None:
    last = measured[-1]
    table = table_of("milliseconds", "calls", "mean", "p50", "p95", "p99", "max")
    for method, latency in last.latency.items():
        figures: dict[str, Any] = asdict(latency)
        table.add_row(method, f"{figures.pop('calls'):,}", *(f"{figure:,.2f}" for figure in figures.values()))
    console.print(table)
    each = last.steps // last.instances
    console.print(f"\nCalls of {counted(last.instances, 'instance')}; a step is {last.mode}, {each:,} for each.\n")
    table = table_of("instances", "steps/s", "per instance", "to the first")
    for one in measured:
        ratio = one.steps_s_total / measured[0].steps_s_total
        rates = (f"{one.steps_s_total:,.1f}", f"{one.steps_s_total / one.instances:,.1f}")
        table.add_row(str(one.instances), *rates, f"{ratio:.2f}")
    console.print(table)
    if load is not None:
        console.print(f"\nThe load of this machine was {load:.1f} before.", highlight=False)
