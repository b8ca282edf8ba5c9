"""``jimbo parity``: directed fixtures on a game, compared with the simulator."""

import json
import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Annotated, NoReturn

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from jimbo.cli.errors import INTERRUPTED, fail, report_errors
from jimbo.cli.trace import difference_words, run_progress, write_differences
from jimbo.colours import GOLD, GREEN, RED
from jimbo.console import make_console, make_progress
from jimbo.data.game_files import steps_of
from jimbo.files import check_place, reason
from jimbo.parity.by_hand import Player
from jimbo.parity.fixtures.judging import Result, Status
from jimbo.parity.fixtures.report import Report, compare, write_report
from jimbo.parity.fixtures.table import KINDS, OPEN, chosen
from jimbo.parity.playing import Server, check_idle, record_steps, replay, simulator
from jimbo.parity.trace import StepDifference, trace_differences, write_trace
from jimbo.parity.trace import report as trace_report
from jimbo.signals import one_interrupt
from jimbo.text import counted
from jimbo.wire.client import SETTLE, URL
from jimbo.wire.errors import WireError

DIFFERENT = 1
_COLOURS = {Status.passed: GREEN, Status.failed: RED, Status.not_exercised: GOLD}


def parity(
    base_url: Annotated[str, typer.Option(metavar="URL", help="Where the game listens.")] = URL,
    only: Annotated[
        str,
        typer.Option(metavar="ITEM,...", help=f"Items such as j_hack, or kinds: {', '.join((*KINDS, OPEN))}."),
    ] = "",
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the reports and the file to send go.")] = Path(
        "parity"
    ),
    run: Annotated[
        str | None,
        typer.Option(
            "--run",
            metavar="GAME",
            help="Play the steps of a run instead: one that jimbo play has saved, a record or a trace.",
        ),
    ] = None,
    settle: Annotated[
        float,
        typer.Option(min=0, max=3600, metavar="SECONDS", help="Between two looks at a game that may still be moving."),
    ] = SETTLE,
    by_hand: Annotated[
        bool,
        typer.Option(
            "--by-hand", help="You sit at the game and do what the mod cannot, when asked; these situations come first."
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Set up situations in a game, play them, and compare with the simulator.

    Every joker, consumable, boss, tag, voucher and mark has situations of its own, and so has every open point of the
    rules. The game must be in its main menu, with everything unlocked. The exit code is 1 if something differs, 130 if
    it was interrupted; what was found until then is kept.

    Challenges and rerolled bosses need somebody at the game where the mod is older than version 2: --by-hand.

    With --run, the steps of a run of yours are played in both from its start, and every state is compared.
    """
    if run is not None:
        if only or by_hand:
            fail("--run compares one run, and --only and --by-hand are about situations. Leave them out.")
        _compare_run(run, Server(base_url, settle), out, as_json=as_json)
    if by_hand and not sys.stdin.isatty():
        fail("--by-hand asks you to do things in the game, and nobody is at this terminal. Leave it out.")
    try:
        fixtures = chosen([name.strip() for name in only.split(",") if name.strip()])
        check_place(out / "report.json")
        with one_interrupt(), _progress(len(fixtures)) as (step, say):
            player = Player(say, typed_lines()) if by_hand else None
            report = compare(fixtures, Server(base_url, settle, player), everything=not only, on_result=step)
        path = write_report(out, report)
    except (ValueError, WireError) as error:
        fail(str(error))
    except OSError as error:
        fail(f"{out} cannot be written: {reason(error)}. Choose another with --out.")
    if as_json:
        typer.echo(json.dumps(report.as_json()))
    else:
        _print(report, path, make_console())
    if report.interrupted:
        raise typer.Exit(INTERRUPTED)
    if report.stopped:
        fail(report.stopped)
    raise typer.Exit(DIFFERENT if report.differs else 0)


def _compare_run(source: str, server: Server, out: Path, *, as_json: bool) -> NoReturn:
    """Play the steps of a run in the simulator, then the same calls in the game."""
    with report_errors("", WireError):
        record = steps_of(source).record
        check_idle(server, "Finish it, or go to the main menu.")
        check_place(out / "report.json")
        with simulator() as own, run_progress("Comparing") as steps:
            ours = record_steps(own, record)
            theirs = replay(ours, server, on_progress=steps)
        names = "simulator", server.source
        found = list(trace_differences(ours, theirs, "full"))
        told = trace_report(ours, theirs, names, "full", found)
        write_differences(out, (ours, theirs), "full", told, found)
        for name, trace in (("a.jsonl.gz", ours), ("b.jsonl.gz", theirs)):
            write_trace(out / name, trace)
    typer.echo(json.dumps(told) if as_json else difference_words(ours, names, "full", found))
    raise typer.Exit(DIFFERENT if found else 0)


@contextmanager
def _progress(total: int) -> Iterator[tuple[Callable[[Result], None], Callable[[str], None]]]:
    """What to do with a result, and with a sentence to the player."""
    console = make_console(stderr=True)
    with make_progress(console, "{task.completed:.0f}/{task.total:.0f}") as progress:
        task = progress.add_task("Comparing", total=total)

        def step(result: Result) -> None:
            progress.update(task, advance=1, description=result.fixture.name)

        def say(sentence: str) -> None:
            console.print(f"[bold {GOLD}]By hand:[/] {escape(sentence)}")

        yield step, say


def typed_lines() -> Callable[[], str | None]:
    """The line that was typed since the last question; None if none was. It does not wait, on any system."""
    lines: SimpleQueue[str] = SimpleQueue()

    def read() -> None:
        for line in sys.stdin:
            lines.put(line.strip().lower())

    threading.Thread(target=read, daemon=True).start()

    def said() -> str | None:
        try:
            return lines.get_nowait()
        except Empty:
            return None

    return said


def _print(report: Report, path: Path, console: Console) -> None:
    shown = Table("", *(str(status) for status in Status))
    for kind, counts in report.totals().items():
        cells = (f"[{_COLOURS[status]}]{counts[status]}[/]" if counts[status] else "0" for status in Status)
        shown.add_row(kind, *cells)
    console.print(shown)
    _print_failures(report, console)
    for item in report.items():
        if item.status == Status.not_exercised:
            console.print(f"{item.key} not exercised: {item.why}", markup=False)
    _print_beyond(report, console)
    console.print(f"{path.parent / 'report.html'} has it all; {path} is the file to send us.", markup=False)


def _print_failures(report: Report, console: Console) -> None:
    for result in report.failed:
        found, fixture = result.difference, result.fixture
        if found is None:
            continue
        console.print(
            f"\n{fixture.name} differs at step {found.step}, {found.call}:\n{_sides(report, found)}\n"
            f"  To repeat it: seed {fixture.seed}, {fixture.challenge or fixture.deck}, {fixture.stake}, "
            f"{' '.join(fixture.text.split())}",
            markup=False,
        )


def _print_beyond(report: Report, console: Console) -> None:
    """By path, because what is wrong in one fixture is wrong in many."""
    alike: dict[str, list[tuple[Result, StepDifference]]] = {}
    for result in report.beyond:
        if result.beyond:
            alike.setdefault(re.sub(r"\[\d+\]", "[]", result.beyond.path), []).append((result, result.beyond))
    for results in alike.values():
        first, found = results[0]
        console.print(
            f"\n{counted(len(results), 'fixture')} differ elsewhere than in what they compare; the first is "
            f"{first.fixture.name} at step {found.step}, {found.call}:\n{_sides(report, found)}",
            markup=False,
        )


def _sides(report: Report, found: StepDifference) -> str:
    return f"  {found.path}\n  {report.url}: {json.dumps(found.one)}\n  simulator: {json.dumps(found.other)}"
