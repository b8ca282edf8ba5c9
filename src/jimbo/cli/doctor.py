"""``jimbo doctor``: whether this machine has what Jimbo needs."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from jimbo.cli.errors import fail
from jimbo.cli.flags import REAL, SIM, Backend, check_backend
from jimbo.colours import GREEN, QUIET, RED
from jimbo.console import make_console
from jimbo.serve.doctor import Finding, check_all

STYLES = {"ok": GREEN, "not needed": QUIET, "missing": f"bold {RED}"}
BROKEN = 1


def doctor(
    backend: Backend = SIM,
    base_url: Annotated[
        str | None, typer.Option(metavar="URL", help="With --backend real: a game must answer there.")
    ] = None,
    love_path: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The program love, or the game, if it is at no usual place.")
    ] = None,
    lovely_path: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The library of Lovely, if it is at no usual place.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was found as JSON.")] = False,
) -> None:
    """Say whether this machine has what Jimbo needs, and how to fix what is missing.

    The exit code is 1 if something is missing that is needed: for the simulator, or with --backend real for the game
    itself, too.
    """
    try:
        check_backend(backend)
        if base_url and backend != REAL:
            raise ValueError("--base-url is about the real game: add --backend real.")
        findings = check_all(real=backend == REAL, url=base_url, love_path=love_path, lovely_path=lovely_path)
    except ValueError as error:
        fail(str(error))
    missing = [finding.what for finding in findings if finding.status == "missing"]
    if as_json:
        typer.echo(json.dumps({"ok": not missing, "findings": [asdict(finding) for finding in findings]}, indent=1))
    else:
        _print(findings, missing)
    raise typer.Exit(BROKEN if missing else 0)


def _print(findings: Sequence[Finding], missing: Sequence[str]) -> None:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for finding in findings:
        words = Text(finding.found)
        if finding.remedy:
            words.append(f"\n{finding.remedy}", style=RED if finding.status == "missing" else QUIET)
        table.add_row(finding.what, Text(finding.status, style=STYLES[finding.status]), words)
    console = make_console()
    console.print(table)
    told = f"Missing: {', '.join(missing)}." if missing else "Nothing that is needed is missing."
    console.print(f"\n{told}", highlight=False)
