"""``jimbo train rl``: a network learns from the games it plays itself."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from jimbo.cli.errors import fail, report_errors
from jimbo.cli.flags import AsJson, Config, OutDir, Settings, Threads, setting
from jimbo.cli.train_rl_progress import RlBars
from jimbo.cli.training import Device
from jimbo.console import make_console
from jimbo.declared import fields_of, from_text, help_lines, named_texts
from jimbo.extras import check_installed
from jimbo.files import loads, read_text
from jimbo.processes import usable_cores
from jimbo.text import percent_text
from jimbo.train.rl.settings import Curriculum, RlSettings, read_settings

_OWN = ("config", "out_dir", "option", "reward", "curriculum", "device", "threads", "as_json")
_NEEDED = ("torch", "safetensors", "onnx", "onnxruntime", "matplotlib", "tensorboard")


def rl(
    out_dir: OutDir,
    config: Config = None,
    init: Annotated[
        str | None, typer.Option(metavar="DIR", help="Start from the best network of a training: bc, pv, rl...")
    ] = None,
    size: Annotated[str | None, setting(RlSettings, "size")] = None,
    steps: Annotated[int | None, setting(RlSettings, "steps", metavar="N")] = None,
    rows: Annotated[int | None, setting(RlSettings, "rows", metavar="N")] = None,
    horizon: Annotated[int | None, setting(RlSettings, "horizon", metavar="N")] = None,
    epochs: Annotated[int | None, setting(RlSettings, "epochs", metavar="N")] = None,
    minibatch: Annotated[int | None, setting(RlSettings, "minibatch", metavar="N")] = None,
    lr: Annotated[float | None, setting(RlSettings, "lr", metavar="RATE")] = None,
    entropy: Annotated[float | None, setting(RlSettings, "entropy")] = None,
    gamma: Annotated[float | None, setting(RlSettings, "gamma")] = None,
    candidates: Annotated[int | None, setting(RlSettings, "candidates", metavar="N")] = None,
    reward: Annotated[
        list[str] | None,
        typer.Option(metavar="TERM=WEIGHT", help="Weight of a reward term; repeatable. Terms not named get none."),
    ] = None,
    curriculum: Annotated[
        bool | None, typer.Option("--curriculum/--no-curriculum", help="Short runs first, longer ones with success.")
    ] = None,
    deck: Annotated[str | None, setting(RlSettings, "deck")] = None,
    stake: Annotated[str | None, setting(RlSettings, "stake")] = None,
    seed: Annotated[int | None, setting(RlSettings, "seed", "--rng-seed", "--seed")] = None,
    option: Settings = None,
    threads: Threads = None,
    device: Device = "auto",
    as_json: AsJson = False,
) -> None:
    """Train Jimbo's PPO on its own games, from scratch or from a network trained on records.

    Ctrl-C stops. Run the same command to resume from the last update; the result is as if it had never stopped. With
    --init, learning rate and entropy coefficient have lower defaults.
    """
    named = {name: value for name, value in locals().items() if name not in _OWN and value is not None}
    try:
        check_installed(_NEEDED, "train")
    except ImportError as error:
        fail(str(error))
    settings = _settings(config, named, option or [], reward or [], curriculum)
    with report_errors(out_dir), RlBars() as bars:
        from jimbo.train.core.machine import prepare

        torch_device = prepare(device)
        from jimbo.train.rl.job import SUMMARY, run_rl

        run_rl(settings, out_dir, device=torch_device, threads=threads or usable_cores(), watcher=bars)
    _show(out_dir, loads(read_text(out_dir / SUMMARY)), as_json)


def _settings(
    config: Path | None, named: dict[str, Any], options: list[str], rewards: list[str], curriculum: bool | None
) -> RlSettings:
    if "help" in options:
        typer.echo("\n".join(help_lines(RlSettings)))
        raise typer.Exit
    known = {entry.name for entry in fields_of(RlSettings)}
    try:
        for name, text in named_texts(options, "--set", named).items():
            named[name] = from_text(RlSettings, name, text) if name in known else text
        if rewards:
            named["rewards"] = {name: _weight(text) for name, text in named_texts(rewards, "--reward").items()}
        if curriculum is not None:
            named["curriculum"] = Curriculum() if curriculum else None
        return read_settings(config, named)
    except ValueError as error:
        fail(str(error))


def _weight(text: str) -> float | str:
    """What is not a number is left for the settings to refuse."""
    try:
        return float(text)
    except ValueError:
        return text


def _show(out: Path, summary: dict[str, Any], as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps({"out_dir": str(out), **summary}))
    else:
        make_console().print(_table(summary), crop=False)
    trial = shlex.join(["jimbo", "eval", "--model", str(out)])
    typer.echo(f"Kept in {out}: best.onnx plays, training.png shows the training. Let it play: {trial}", err=True)


def _table(summary: dict[str, Any]) -> Table:
    best = summary["best"]
    title = f"{summary['steps']:,} decisions in {summary['games']:,} games, {summary['steps_per_s']:,.0f} a second"
    table = Table(title=title, title_justify="left", box=None)
    for heading in (f"evaluated on {best['games']:,} games", "mean ante", "won", "blinds beaten"):
        table.add_column(heading, justify="left" if heading.startswith("evaluated") else "right")
    for name, row in (
        ("start", summary["start"]),
        (f"best (update {best['update']})", best),
        ("last", summary["last"]),
    ):
        table.add_row(name, f"{row['mean_ante']:.2f}", percent_text(row["win_rate"]), f"{row['mean_blinds']:.1f}")
    return table
