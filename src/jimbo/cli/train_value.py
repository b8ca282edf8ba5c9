"""``jimbo train value``: a value of builds learns from the games that it plays itself."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from jimbo.cli.errors import fail, report_errors
from jimbo.cli.flags import AsJson, OutDir, Settings, Threads, setting
from jimbo.cli.train_value_progress import ValueBars
from jimbo.cli.training import Device
from jimbo.console import make_console
from jimbo.declared import fields_of, from_text, help_lines, named_texts
from jimbo.extras import check_installed
from jimbo.processes import usable_cores
from jimbo.text import percent_text
from jimbo.train.value.settings import Stage, ValueSettings, read_settings

if TYPE_CHECKING:
    from jimbo.train.value.watching import ValueProgress

_NEEDED = ("torch", "safetensors", "matplotlib")


def value(
    out_dir: OutDir,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Settings as YAML, with the plan of generations.")
    ] = None,
    generations: Annotated[int | None, setting(ValueSettings, "generations", metavar="N")] = None,
    seconds: Annotated[
        float | None, typer.Option(min=0, metavar="S", help="Start no new generation after S seconds.")
    ] = None,
    init: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Start from these weights, a .safetensors file; set its widths and a slow plan, too."
        ),
    ] = None,
    seed: Annotated[int | None, setting(ValueSettings, "seed", "--rng-seed", "--seed")] = None,
    option: Settings = None,
    threads: Threads = None,
    device: Device = "auto",
    as_json: AsJson = False,
) -> None:
    """Train the value of the agents expert and fast: play, learn from the results of the runs, and play again.

    Each generation is evaluated by games on evaluation seeds. Ctrl-C stops. Run the same command to resume after the
    last complete generation, or with a larger --generations to continue.
    """
    named: dict[str, Any] = {"generations": generations, "init": init, "seed": seed}
    settings = _settings(config, {name: item for name, item in named.items() if item is not None}, option or [])
    try:
        check_installed(_NEEDED, "train")
    except ImportError as error:
        fail(str(error))
    with report_errors(out_dir), ValueBars() as bars:
        from jimbo.train.core.machine import prepare

        torch_device = prepare(device)
        from jimbo.train.value.job import run_value

        progress = run_value(
            settings, out_dir, device=torch_device, threads=threads or usable_cores(), watcher=bars, seconds=seconds
        )
    _show(out_dir, progress, as_json)


def _settings(config: Path | None, named: dict[str, Any], options: list[str]) -> ValueSettings:
    if "help" in options:
        typer.echo("\n".join([*help_lines(ValueSettings), "", "of each generation in plan:", *help_lines(Stage)]))
        raise typer.Exit
    known = {entry.name for entry in fields_of(ValueSettings)}
    try:
        for name, text in named_texts(options, "--set", named).items():
            named[name] = from_text(ValueSettings, name, text) if name in known else text
        return read_settings(config, named)
    except ValueError as error:
        fail(str(error))


def _show(out: Path, progress: ValueProgress, as_json: bool) -> None:
    if as_json:
        told = {
            "generations": progress.generation,
            "games": progress.games,
            "best_generation": progress.best_generation,
        }
        typer.echo(json.dumps({"out_dir": str(out), **told, "history": list(progress.history)}))
    elif progress.history:
        make_console().print(_table(progress), crop=False)
    weights = out / "best.safetensors"
    # As the value learnt: with fewer rollouts, hands are not played for the run.
    options = ["--set", f"model={weights}", "--set", "rollouts=40"]
    trial = shlex.join(["jimbo", "eval", "--agent", "fast", *options, "--vs", "fast", "--vs-set", "rollouts=40"])
    typer.echo(f"Kept in {out}: best.safetensors plays, training.png shows the training. Try it: {trial}", err=True)


def _table(progress: ValueProgress) -> Table:
    judged = progress.history[-1]["judged"]
    table = Table(title=f"Evaluated on {judged['games']:,} games each", title_justify="left", box=None)
    for heading in ("generation", "games so far", "won", "mean ante", "mean round"):
        table.add_column(heading, justify="right")
    for row in progress.history:
        mark = " *" if row["generation"] == progress.best_generation else ""
        seen = row["judged"]
        table.add_row(
            f"{row['generation']}{mark}",
            f"{row['games']:,}",
            percent_text(seen["win_rate"]),
            f"{seen['mean_ante']:.2f}",
            f"{seen['mean_round']:.1f}",
        )
    return table
