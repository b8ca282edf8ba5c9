"""``jimbo safe-run``: a command that cannot outlive its time."""

import json
import re
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from jimbo.cli.errors import fail, report_errors
from jimbo.cli.flags import MOST_SECONDS, AsJson
from jimbo.deploy.safe_run import SafeRun, SafeRunResult
from jimbo.text import counted


def safe_run(
    command: Annotated[list[str], typer.Argument(metavar="COMMAND", help="What is run, after --, with its options.")],
    timeout_sec: Annotated[
        float,
        typer.Option(
            min=0.1, max=MOST_SECONDS, metavar="SECONDS", help="How long it may take; then all of it is ended."
        ),
    ] = 600.0,
    log_dir: Annotated[Path, typer.Option(metavar="DIR", help="Where its output and the result are kept.")] = Path(
        ".safe_run/logs"
    ),
    heartbeat_sec: Annotated[
        float,
        typer.Option(min=0.1, max=MOST_SECONDS, metavar="SECONDS", help="Time between two lines on how it stands."),
    ] = 30.0,
    tail_lines: Annotated[
        int, typer.Option(min=0, max=10_000, metavar="N", help="Last lines of its output in the result.")
    ] = 100,
    summary_json: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The result, instead of a file beside the log.")
    ] = None,
    no_echo: Annotated[bool, typer.Option("--no-echo", help="Do not show its output, only keep it.")] = False,
    as_json: AsJson = False,
) -> None:
    """Run a command, and end it with all that it has started when it takes too long.

    For example: jimbo safe-run --timeout-sec 60 -- make test

    The exit code is the command's own, 124 if it took too long, 127 if it could not be started. Whatever it leaves
    running ends with it.
    """
    name = re.sub(r"[^\w.-]", "_", Path(command[0]).name)[:40]
    stem = log_dir / f"{datetime.now(UTC):%Y%m%d-%H%M%S-%f}-{name}"
    log = stem.with_name(f"{stem.name}.log")
    run = SafeRun(
        command=command,
        timeout=timeout_sec,
        log=log,
        result=summary_json or stem.with_name(f"{stem.name}.json"),
        heartbeat=heartbeat_sec,
        tail=tail_lines,
        echo=None if no_echo or as_json else sys.stdout.buffer,
    )
    with report_errors():
        result = run.run(_beat)
    if as_json:
        typer.echo(json.dumps(asdict(result)))
    if result.status == "not_started":
        fail(f"{command[0]} cannot be started: {result.error}", result.exit_code or 1)
    if result.status != "ended" or result.ended_by_force:
        typer.echo(f"jimbo: {_end(result)} Its output is in {log}.", err=True)
    raise typer.Exit(result.exit_code or 0)


def _beat(result: SafeRunResult) -> None:
    if result.heartbeats > 1:  # the first comes at the start
        passed, of = f"{result.duration_sec:.0f}", f"{result.timeout_sec:g} s"
        typer.echo(f"jimbo: still running, {passed} of {of}, {result.log_bytes:,} bytes of output", err=True)


def _end(result: SafeRunResult) -> str:
    ended = counted(result.ended_by_force, "process was", "processes were")
    if result.timed_out:
        return f"It took more than {result.timeout_sec:g} s; {ended} ended."
    if result.status == "interrupted":
        return f"Stopped; {ended} ended."
    return f"It left something running; {ended} ended."
