"""``jimbo train``: what can be learnt from games, one verb per method."""

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from jimbo.agents.expert_v1 import load_config
from jimbo.cli.errors import INTERRUPTED, fail
from jimbo.cli.starts import Workers
from jimbo.console import make_console, spinner
from jimbo.files import reason, write_text
from jimbo.signals import one_interrupt
from jimbo.text import counted
from jimbo.train.expert_constants import (
    Fit,
    Game,
    GameFolder,
    Origin,
    Plan,
    constants_text,
    fit,
    play_games,
    report_data,
    result,
)

CONSTANTS = "constants.yaml"
REPORT = "report.json"


def expert_v1(
    out: Annotated[
        Path,
        typer.Option(
            metavar="DIR",
            help="Keep games and constants here; run the same command to resume, or with more --games to add some.",
        ),
    ],
    games: Annotated[int, typer.Option(min=10, max=1_000_000, metavar="N", help="Games to play and to fit to.")] = 2000,
    effort: Annotated[
        float,
        typer.Option(
            metavar="FACTOR",
            help="How much work goes into a decision; the constants will be for a player of that effort.",
        ),
    ] = 1.0,
    workers: Workers = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Fit the constants of expert-v1 again: play varied games, fit, write the constants.

    It plays on seeds for training with its constants varied at random. DIR/constants.yaml is for
    --option config=FILE; DIR/report.json says what was fitted, how precisely, and what was kept. Ctrl-C keeps all
    games.
    """
    with one_interrupt():
        try:
            plan = Plan(games, effort)
            with GameFolder(out) as folder:
                origin = Origin.of(_command(plan, out), plan, played := _play(plan, folder, workers))
                found = _fit(played)
                _write(out, found, origin)
        except ValueError as error:
            fail(str(error))
        except KeyboardInterrupt:
            typer.echo(f"Stopped. The games are saved in {out}. Run the same command to resume.", err=True)
            raise typer.Exit(INTERRUPTED) from None
    if as_json:
        typer.echo(json.dumps(report_data(found, origin)))
    else:
        make_console().print(result(found, origin), crop=False)
    trial = shlex.join(
        ["jimbo", "eval", "--agent", "expert-v1", "--option", f"config={out / CONSTANTS}", "--vs", "expert-v1"]
    )
    typer.echo(f"Kept in {out}; {REPORT} has every number. To try them: {trial}", err=True)


def _play(plan: Plan, folder: GameFolder, workers: int | None) -> list[Game]:
    """All games of the plan; KeyboardInterrupt if it was stopped."""
    kept = folder.open(plan)
    with _progress() as progress:
        played = play_games(plan, folder, kept, workers=workers, progress=_shown(progress, plan, kept))
    if played.stopped:
        raise KeyboardInterrupt
    if played.trouble:
        fail(f"{played.trouble} The games are saved. Run the same command to resume.")
    return played.games


def _shown(progress: Progress, plan: Plan, kept: list[Game]) -> Callable[[Game], None]:
    wins = sum(game.end.result == "win" for game in kept)
    task = progress.add_task("Playing", total=plan.games, completed=len(kept), wins=wins)

    def show(game: Game) -> None:
        nonlocal wins
        wins += game.end.result == "win"
        progress.update(task, advance=1, wins=wins)

    return show


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text(f"{60 * task.speed:.1f} games/min" if task.speed else "")


def _progress() -> Progress:
    console = make_console(stderr=True)
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.completed:.0f} of {task.total:.0f} games, {task.fields[wins]} won"),
        _Rate(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=console, transient=True, redirect_stdout=False, disable=not console.is_terminal)


def _fit(games: list[Game]) -> Fit:
    console = make_console(stderr=True)
    columns = (spinner(console), TextColumn(f"Fitting to {counted(len(games), 'game')}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        progress.add_task("")
        return fit(games, load_config())


def _write(out: Path, found: Fit, origin: Origin) -> None:
    try:
        write_text(out / REPORT, json.dumps(report_data(found, origin), indent=2) + "\n")
        write_text(out / CONSTANTS, constants_text(found, origin))
    except OSError as error:
        raise ValueError(f"The constants cannot be written to {out}: {reason(error)}.") from None


def _command(plan: Plan, out: Path) -> str:
    options = ["--games", str(plan.games), "--effort", f"{plan.effort:g}", "--out", str(out)]
    return shlex.join(["jimbo", "train", "expert-v1", *options])
