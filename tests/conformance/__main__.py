"""``python -m conformance DIR``: compare the engine with a folder of recorded behaviour."""

import dataclasses
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from conformance import CorpusError, Difference, FileResult, Report, verify_folder
from jimbo.cli.errors import BAD_INPUT, INTERRUPTED, fail, guarded
from jimbo.colours import GOLD, GREEN, QUIET, RED
from jimbo.console import make_console
from jimbo.signals import one_interrupt
from jimbo.text import counted

app = typer.Typer(add_completion=False)
COUNTS = ("cases", "passed", "failed", "excepted")


@app.command()
def verify(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="DIR", help="A folder with rng/, seeds/, scoring/, real_runs/, traces/ or some of them."
        ),
    ],
    every: Annotated[bool, typer.Option("--all", help="List every difference, not only the first of a file.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Compare the engine with recorded behaviour of the game.

    Every file has a bar, the share of its cases that must agree. A case is one value; in a trace it is one step with
    all its values. Steps that are not judged are counted separately: those that the trace itself doubts (skipped) and
    those after a state that the engine cannot be brought into (not reached). The exit code is 0 when all checked files
    meet their bar, 1 when one does not, 2 when something cannot be read; a broken file does not stop the others. Files
    of an unknown kind are listed as not checked.
    """
    report = _run(folder, every)
    if as_json:
        typer.echo(json.dumps(_as_json(report), indent=1))
    else:
        _print(report, make_console())
    for error in report.errors:
        typer.echo(f"jimbo: {error}", err=True)
    raise typer.Exit(BAD_INPUT if report.errors else 0 if report.ok else 1)


def _run(folder: Path, every: bool) -> Report:
    columns = (TextColumn("Checking"), BarColumn(), MofNCompleteColumn(), TextColumn("files"), TimeElapsedColumn())
    console = make_console(stderr=True)
    try:
        shown = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        with one_interrupt(), shown as progress:
            task = progress.add_task("", total=None)
            return verify_folder(
                folder,
                processes=os.cpu_count() or 1,
                every_difference=every,
                on_progress=lambda done, total: progress.update(task, completed=done, total=total),
            )
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    except (CorpusError, ValueError) as error:
        fail(str(error))


def _as_json(report: Report) -> dict[str, object]:
    return {"ok": report.ok, "files": [dataclasses.asdict(file) for file in report.files]}


def _print(report: Report, console: Console) -> None:
    checked = [file for file in report.files if file.checked]
    if values := [file for file in checked if not _has_steps_apart(file)]:
        console.print(_table(values, COUNTS), "")
    if traces := [file for file in checked if _has_steps_apart(file)]:
        console.print(_table(traces, (*COUNTS, "skipped", "not_reached")))
    for file in report.files:
        if file.first_difference:
            # In full, however long it is: this is what someone will look for.
            console.print(_differences(file, file.first_difference), soft_wrap=True)
    if not checked:
        return
    unknown = [file.file for file in report.files if not file.checked and not file.error]
    if unknown:
        console.print(Text.assemble(("\nNot checked: ", f"bold {GOLD}"), ", ".join(unknown)), soft_wrap=True)
    console.print(_summary(report), soft_wrap=True)


def _has_steps_apart(file: FileResult) -> bool:
    return bool(file.skipped or file.not_reached)


def _table(files: Sequence[FileResult], names: Sequence[str]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    table.add_column("file", overflow="fold")
    for name in names:
        table.add_column(name.replace("_", " "), justify="right")
    table.add_column("")
    for file in files:
        table.add_row(file.file, *(f"{getattr(file, name):,}" for name in names), _verdict(file))
    return table


def _verdict(file: FileResult) -> Text:
    if file.bar == 0:
        return Text("no bar", style=QUIET)
    return Text("ok", style=GREEN) if file.meets_bar else Text("FAIL", style=f"bold {RED}")


def _differences(file: FileResult, first: Difference) -> Text:
    """The first one and how many more there are, or all of them if they were asked for."""
    judged = file.passed + file.failed
    if file.bar is None:
        passed = f"{file.passed:,} of {counted(judged, 'case')} pass before the file breaks off"
    else:
        passed = f"{file.passed / judged:.2%} pass, the bar is {file.bar:.0%}"
    more = file.difference_count - 1
    title = f"All {file.difference_count:,} differences" if file.differences and more else "First difference"
    text = Text().append(f"\n{file.file}: {passed}. {title}:\n", style="bold")
    text.append(Text("\n").join(map(_difference, file.differences or [first])))
    if more and not file.differences:
        text.append(f"  and {more:,} more (--all lists them)\n")
    return text


def _difference(one: Difference) -> Text:
    text = Text()
    for name, value in (("path", one.path), ("expected", repr(one.expected)), ("found", repr(one.found))):
        text.append(f"  {name:<9}", style=QUIET).append(f"{value}\n")
    return text


def _summary(report: Report) -> Text:
    checked = [file for file in report.files if file.checked]
    below = sum(not file.meets_bar for file in checked)
    cases, passed = sum(file.cases for file in checked), sum(file.passed for file in checked)
    verdict = f"below their bar: {below} of {len(checked)} files" if below else "every checked file meets its bar"
    text = Text(f"\n{passed:,} of {cases:,} cases pass; ")
    text.append(verdict, style=f"bold {RED}" if below else f"bold {GREEN}")
    text.append(f"; files not checked: {len(report.files) - len(checked)}.")
    return text


if __name__ == "__main__":
    guarded(app)
