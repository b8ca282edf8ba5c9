"""``jimbo bench real`` and ``sweep``: how fast the game itself plays by way of its mod, and several of them at once."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

import typer
from rich.console import Console

from jimbo import system
from jimbo.cli.errors import fail, report_errors
from jimbo.cli.flags import MOST_SECONDS, REAL
from jimbo.cli.real_game import RealGame, with_real_game
from jimbo.console import make_console, make_progress
from jimbo.files import check_folder, check_place, write_text
from jimbo.report import TextTable
from jimbo.report.render import rich_table
from jimbo.report.sweep import Kind, SweepRow, SweepSummary, as_csv, plot, row_of, summarize
from jimbo.rollout.loop import AgentFailed
from jimbo.rollout.throughput import MODES, GameSpeed, Mode, TookTooLong, measure
from jimbo.text import counted
from jimbo.wire.errors import WireError

FAILURES = (AgentFailed, TookTooLong, WireError)
FAILED, TIMED_OUT = 1, 124
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
    with report_errors("", *FAILURES), real.places(REAL) as places:
        urls = [place.url for place in places or ()]
        counts = _counts(instances, len(urls))
        measured = []
        with _progress(sum(counts) * steps) as (told, stepped):
            for count in counts:
                told(counted(count, "instance"))
                measured.append(measure(urls[:count], mode, steps, timeout=timeout, on_step=stepped))
    if as_json:
        typer.echo(json.dumps({"urls": urls, "load": load, "measured": [asdict(one) for one in measured]}, indent=1))
    else:
        _print(measured, load, make_console())


def _counts(text: str | None, most: int) -> list[int]:
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
def _progress(steps: int) -> Iterator[tuple[Callable[[str], None], Callable[[], None]]]:
    """Functions that tell what is being measured, and that a step was taken."""
    with make_progress(make_console(stderr=True), "") as progress:
        task = progress.add_task("", total=steps)
        yield lambda what: progress.update(task, description=what), lambda: progress.advance(task)


def _print(measured: Sequence[GameSpeed], load: float | None, console: Console) -> None:
    last = measured[-1]
    latencies = [
        (method, f"{one.calls:,}", *(f"{figure:,.2f}" for figure in (one.mean, one.p50, one.p95, one.p99, one.max)))
        for method, one in last.latency.items()
    ]
    console.print(rich_table(TextTable(("milliseconds", "calls", "mean", "p50", "p95", "p99", "max"), latencies)))
    each = last.steps // last.instances
    console.print(f"\nCalls of {counted(last.instances, 'instance')}; a step is {last.mode}, {each:,} for each.\n")
    rates = [
        (
            str(one.instances),
            f"{one.steps_s_total:,.1f}",
            f"{one.steps_s_total / one.instances:,.1f}",
            f"{one.steps_s_total / measured[0].steps_s_total:.2f}",
        )
        for one in measured
    ]
    console.print(rich_table(TextTable(("instances", "steps/s", "per instance", "to the first"), rates)))
    if load is not None:
        console.print(f"\nThe load of this machine was {load:.1f} before.", highlight=False)


# --- The sweep --------------------------------------------------------------------------------------------------------


@with_real_game
def sweep(
    real: RealGame,
    instances: Instances = None,
    repeats: Annotated[int, typer.Option(min=1, max=1000, help="Measurements of each kind.")] = 3,
    mode: Annotated[
        Literal["action_only", "rl_step", "both"],
        typer.Option(help="A step is a call alone, or everything that a learner waits for."),
    ] = "both",
    steps: Annotated[int, StepsOption] = 200,
    port_stride: Annotated[
        int,
        typer.Option(min=0, max=1000, help="With --launch-instances: ports between one number of games and the next."),
    ] = 50,
    timeout: Timeout = 600.0,
    csv_out: Annotated[
        Path, typer.Option(metavar="FILE", help="Every measurement; summary and plot go next to it.")
    ] = Path("sweep.csv"),
    raw_dir: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Also keep all figures of every measurement here, as JSON.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Measure steps per second for several numbers of instances, each several times.

    With --launch-instances each number of games is started by itself, so that no idle game slows the others. Files are
    written after every measurement; one that fails is kept with its code, and the others go on.
    """
    modes = MODES if mode == "both" else (mode,)
    files = _Files(csv_out, raw_dir)
    work = _Work(real, modes, repeats, steps, timeout, port_stride, files)
    if real.launches and real.base_urls:
        fail("jimbo bench sweep starts games at --base-port and the ports after it: leave --base-urls out.")
    with report_errors():
        counts = _counts(instances, real.count)
        files.check()
        work.run(counts)
    _print_sweep(work.rows, files, as_json)
    raise typer.Exit(FAILED if any(row.returncode for row in work.rows) else 0)


@dataclass
class _Files:
    detail: Path
    raw: Path | None

    @property
    def summary(self) -> Path:
        return self.detail.with_name(f"{self.detail.stem}_summary.csv")

    @property
    def picture(self) -> Path:
        return self.detail.with_suffix(".svg")

    def check(self) -> None:
        """Before anything is measured: nothing is replaced, and everything can be written."""
        for path in (self.detail, self.summary, self.picture):
            if path.exists():
                raise ValueError(f"{path} is there already. Name another file with --csv-out.")
        for folder in (self.detail.parent, self.raw):
            if folder:
                check_folder(folder)
                folder.mkdir(parents=True, exist_ok=True)
        check_place(self.detail)

    def write(self, rows: Sequence[SweepRow]) -> None:
        summaries = summarize(rows)
        write_text(self.detail, as_csv(SweepRow, rows))
        write_text(self.summary, as_csv(SweepSummary, summaries))
        write_text(self.picture, plot(summaries))

    def keep(self, row: SweepRow, measured: GameSpeed) -> None:
        if self.raw:
            name = f"{row.mode}_{row.instances}_{row.repeat}.json"
            write_text(self.raw / name, json.dumps({**asdict(row), "measured": asdict(measured)}, indent=1))


@dataclass
class _Work:
    real: RealGame
    modes: Sequence[Mode]
    repeats: int
    steps: int
    timeout: float
    stride: int
    files: _Files
    rows: list[SweepRow] = field(default_factory=list)

    def run(self, counts: Sequence[int]) -> None:
        total = sum(counts) * self.steps * len(self.modes) * self.repeats
        with _progress(total) as (told, stepped):
            for place, count in enumerate(counts):
                told(counted(count, "instance"))
                real = self._asked(count, place)
                try:
                    with real.places(REAL) as places:
                        urls = [one.url for one in places or ()][:count]
                        here = real if real.launches else replace(real, base_urls=urls)
                        self._measure(urls, self._command(here, count), stepped)
                except ValueError as error:
                    if not real.launches:
                        raise
                    self._not_started(real, count, error)

    def _asked(self, count: int, place: int) -> RealGame:
        if not self.real.launches:
            return self.real
        port = self.real.base_port + place * self.stride
        return replace(self.real, launch_instances=count, base_port=port)

    def _measure(self, urls: Sequence[str], command: str, stepped: Callable[[], None]) -> None:
        for kind in self._kinds(len(urls)):
            measured, code = None, 0
            try:
                measured = measure(urls, kind.mode, self.steps, timeout=self.timeout, on_step=stepped)
            except FAILURES as error:
                code = TIMED_OUT if isinstance(error, TookTooLong) else FAILED
                typer.echo(f"jimbo: {kind.mode}, {counted(len(urls), 'instance')}: {error}", err=True)
            self._add(kind, measured, urlsplit(urls[0]).port, code, command)

    def _not_started(self, real: RealGame, count: int, error: ValueError) -> None:
        """Failing to start so many instances is a result, too."""
        typer.echo(f"jimbo: {counted(count, 'instance')}: {error}", err=True)
        for kind in self._kinds(count):
            self._add(kind, None, real.base_port, FAILED, self._command(real, count))

    def _kinds(self, count: int) -> Iterator[Kind]:
        return (Kind(mode, count, repeat) for mode in self.modes for repeat in range(1, self.repeats + 1))

    def _add(self, kind: Kind, measured: GameSpeed | None, port: int | None, code: int, command: str) -> None:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        row = row_of(kind, measured, now, port, code, f"{command} --mode {kind.mode}")
        self.rows.append(row)
        self.files.write(self.rows)
        if measured:
            self.files.keep(row, measured)

    def _command(self, real: RealGame, count: int) -> str:
        words = ["jimbo", "bench", "real", "--instances", str(count), "--steps", str(self.steps), *real.words()]
        return shlex.join(words)


def _print_sweep(rows: Sequence[SweepRow], files: _Files, as_json: bool) -> None:
    summaries = summarize(rows)
    if as_json:
        typer.echo(json.dumps({"summary": [asdict(one) for one in summaries]}))
        return
    lines = []
    for one in summaries:
        figures = (one.mean, one.stdev, one.min, one.max)
        shown = ("-" if figure is None else f"{figure:,.1f}" for figure in figures)
        lines.append((one.mode, str(one.instances), str(one.repeats), *shown))
    console = make_console()
    console.print(rich_table(TextTable(("mode", "instances", "repeats", "steps/s", "stdev", "min", "max"), lines)))
    console.print(f"\nWritten: {files.detail}, {files.summary}, {files.picture}.", highlight=False, soft_wrap=True)
