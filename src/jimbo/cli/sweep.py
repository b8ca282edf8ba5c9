"""``jimbo sweep``: how many steps a second more instances of the game bring."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

import typer
from rich.console import Console

from jimbo.cli.bench_real import FAILURES, Instances, StepsOption, Timeout, progress_of, read_counts, table_of
from jimbo.cli.errors import INTERRUPTED, fail
from jimbo.cli.flags import REAL
from jimbo.cli.real_game import RealGame, with_real_game
from jimbo.console import make_console
from jimbo.eval.sweep import Kind, Row, Summary, as_csv, plot, row_of, summarize
from jimbo.files import check_folder, check_place, reason, write_text
from jimbo.rollout.throughput import MODES, GameSpeed, Mode, TookTooLong, measure
from jimbo.text import counted

FAILED, TIMED_OUT = 1, 124


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
    try:
        if real.launches and real.base_urls:
            raise ValueError("jimbo sweep starts games at --base-port and the ports after it: leave --base-urls out.")
        counts = read_counts(instances, real.count)
        files.check()
        work = _Work(real, modes, repeats, steps, timeout, port_stride, files)
        work.run(counts)
    except ValueError as error:
        fail(str(error))
    except OSError as error:
        fail(f"{error.filename}: {reason(error)}")
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    _print(work.rows, files, as_json)
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

    def write(self, rows: Sequence[Row]) -> None:
        summaries = summarize(rows)
        write_text(self.detail, as_csv(Row, rows))
        write_text(self.summary, as_csv(Summary, summaries))
        write_text(self.picture, plot(summaries))

    def keep(self, row: Row, measured: GameSpeed) -> None:
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
    rows: list[Row] = field(default_factory=list)

    def run(self, counts: Sequence[int]) -> None:
        total = sum(counts) * self.steps * len(self.modes) * self.repeats
        with progress_of(total) as (told, stepped):
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


def _print(rows: Sequence[Row], files: _Files, as_json: bool) -> None:
    summaries = summarize(rows)
    if as_json:
        typer.echo(json.dumps({"summary": [asdict(one) for one in summaries]}))
        return
    table = table_of("mode", "instances", "repeats", "steps/s", "stdev", "min", "max")
    for one in summaries:
        figures = (one.mean, one.stdev, one.min, one.max)
        shown = ("-" if figure is None else f"{figure:,.1f}" for figure in figures)
        table.add_row(one.mode, str(one.instances), str(one.repeats), *shown)
    console: Console = make_console()
    console.print(table)
    console.print(f"\nWritten: {files.detail}, {files.summary}, {files.picture}.", highlight=False, soft_wrap=True)
