"""``jimbo train rllib-export | rllib-analyze``: what comes after a training with RLlib."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from jimbo.cli.train_rllib import OUT, ends_well, prepared
from jimbo.files import check_place, reason, write_text

_SUFFIXES = (".pt", ".onnx", ".safetensors", ".json")

From = Annotated[Path, typer.Option(metavar="DIR", help="A checkpoint, or the folder of a training (its best one).")]


def export(
    checkpoint: From = OUT,
    output: Annotated[
        Path, typer.Option(metavar="FILE", help="Where to write: three files, .onnx, .safetensors and .json.")
    ] = Path("production_model"),
) -> None:
    """Export a checkpoint as a network that plays without Ray: ONNX and safetensors."""
    with ends_well():
        from jimbo.train.rllib.checkpoints import read_about

        stem = output.with_suffix("") if output.suffix in _SUFFIXES else output
        plays = stem.with_name(f"{stem.name}.onnx")
        check_place(plays)
        prepared()
        about = read_about(checkpoint)
        from jimbo.train.rllib.export import export_module, load_module

        standing = about.standing
        side = {"iteration": standing.iteration, "timesteps": standing.timesteps, "episodes": standing.episodes}
        difference = export_module(load_module(about), stem, about.config, side)
    typer.echo(f"Written: {plays}, {stem.name}.safetensors, {stem.name}.json")
    trial = shlex.join(["jimbo", "eval", "--model", str(plays)])
    typer.echo(f"It differs from the checkpoint by at most {difference:.1e}. Let it play: {trial}", err=True)


def analyze(
    checkpoint: From = OUT,
    log_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The log of the training; default: the one in its folder.")
    ] = None,
    games: Annotated[int, typer.Option(min=1, max=1000, metavar="N", help="Games that the checkpoint plays.")] = 100,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The report; default: report.html in the folder.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Report on a training: curves, win rate, games per hour, memory, and the network's choices in each phase."""
    with ends_well():
        from jimbo.train.rllib.checkpoints import read_about
        from jimbo.train.rllib.history import LOG, benchmark, read_history

        prepared()
        about = read_about(checkpoint)
        target = html or about.path.parent / "report.html"
        check_place(target)
        history = read_history(log_file or about.path.parent / LOG)
        from jimbo.cli.train_rllib_shown import show_benchmark, show_judged
        from jimbo.seeds.seed_sets import seed_set
        from jimbo.train.rllib.evaluation import judge
        from jimbo.train.rllib.export import load_module
        from jimbo.train.rllib.report import page

        seeds = seed_set(None, games)
        found = judge(load_module(about), about.config.env_config, seeds.seeds)
        _write(target, page(about, history, found, seeds.name))
    if as_json:
        typer.echo(json.dumps(_data(found, benchmark(history), target)))
        return
    show_judged(found, seeds.name)
    show_benchmark(benchmark(history))
    typer.echo(f"Report: {target}")


def _write(path: Path, text: str) -> None:
    try:
        write_text(path, text)
    except OSError as error:
        raise ValueError(f"{path} cannot be written: {reason(error)}.") from None


def _data(found: Any, measured: list[tuple[str, str, str]], target: Path) -> dict[str, Any]:
    return {
        "games": len(found.results),
        "wins": found.wins,
        "win_rate": found.win_rate,
        "ci95": list(found.interval),
        "mean_return": found.reward,
        "mean_ante": found.mean("ante"),
        "phases": found.behaviour.shares(),
        "measured": {name: value for name, _, value in measured},
        "report": str(target),
    }
