"""``jimbo train rl``: a network learns from the games it plays itself."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from jimbo.cli import train_options as given
from jimbo.cli.errors import fail
from jimbo.cli.train_ends import ends_well
from jimbo.cli.train_rl_progress import RlBars
from jimbo.console import make_console
from jimbo.declared import described, fields_of, from_text, named_texts
from jimbo.extras import check_installed
from jimbo.files import loads, read_text
from jimbo.processes import usable_cores
from jimbo.text import percent_text
from jimbo.train.rl.settings import Curriculum, RlSettings, read_settings

_OWN = ("config", "out_dir", "option", "reward", "curriculum", "device", "threads", "as_json")
_NEEDED = ("torch", "safetensors", "onnx", "onnxruntime", "matplotlib", "tensorboard")


def rl(
    out_dir: given.OutDir,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Settings as YAML; options given here count more.")
    ] = None,
    init: Annotated[
        str | None, typer.Option(metavar="DIR", help="Begin with the best network of a training: bc, pv, rl...")
    ] = None,
    size: Annotated[str | None, typer.Option(help="Of the network: tiny, small or base.")] = None,
    steps: Annotated[int | None, typer.Option(metavar="N", help="Decisions in all.")] = None,
    rows: Annotated[int | None, typer.Option(metavar="N", help="Games side by side.")] = None,
    horizon: Annotated[int | None, typer.Option(metavar="N", help="Decisions of each between two updates.")] = None,
    epochs: Annotated[int | None, typer.Option(metavar="N", help="Times that an update goes through them.")] = None,
    minibatch: Annotated[int | None, typer.Option(metavar="N", help="Decisions of a step of the optimizer.")] = None,
    lr: Annotated[float | None, typer.Option(metavar="RATE", help="The highest learning rate.")] = None,
    entropy: Annotated[float | None, typer.Option(help="What keeping choices open is worth at first.")] = None,
    gamma: Annotated[float | None, typer.Option(help="What a reward is worth one decision earlier.")] = None,
    candidates: Annotated[int | None, typer.Option(metavar="N", help="Whole actions listed at most.")] = None,
    reward: Annotated[
        list[str] | None, typer.Option(metavar="TERM=WEIGHT", help="What is paid for; repeatable. Replaces the rest.")
    ] = None,
    curriculum: Annotated[
        bool | None, typer.Option("--curriculum/--no-curriculum", help="Short runs first, longer ones with success.")
    ] = None,
    deck: Annotated[str | None, typer.Option(help="Key or name of the deck.")] = None,
    stake: Annotated[str | None, typer.Option(help="Key or name of the stake.")] = None,
    seed: Annotated[int | None, typer.Option(help="Of the weights, the games and the order.")] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Any setting by its name; `--set help` lists them."),
    ] = None,
    threads: Annotated[
        int | None, typer.Option(min=1, max=1024, help="Default: all cores. They change no result.")
    ] = None,
    device: given.Device = "auto",
    as_json: given.AsJson = False,
) -> None:
    """The own learner: PPO on native games, from nothing or from a network that has learnt from records.

    Ctrl-C stops; the same command goes on from the last update, and ends as if it had never stopped.
    """
    named = {name: value for name, value in locals().items() if name not in _OWN and value is not None}
    try:
        check_installed(_NEEDED, "train")
    except ImportError as error:
        fail(str(error))
    settings = _settings(config, named, option or [], reward or [], curriculum)
    with ends_well(out_dir), RlBars() as bars:
        from jimbo.train.networks.machine import prepare

        torch_device = prepare(device)
        from jimbo.train.rl.job import SUMMARY, run_rl

        run_rl(settings, out_dir, device=torch_device, threads=threads or usable_cores(), watcher=bars)
    _show(out_dir, loads(read_text(out_dir / SUMMARY)), as_json)


def _settings(
    config: Path | None, named: dict[str, Any], options: list[str], rewards: list[str], curriculum: bool | None
) -> RlSettings:
    if "help" in options:
        typer.echo("\n".join(described(RlSettings)))
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
    typer.echo(f"Kept in {out}: best.onnx plays, training.png shows how it learnt. Let it play: {trial}", err=True)


def _table(summary: dict[str, Any]) -> Table:
    best = summary["best"]
    title = f"{summary['steps']:,} decisions in {summary['games']:,} games, {summary['steps_per_s']:,.0f} a second"
    table = Table(title=title, title_justify="left", box=None)
    for heading in (f"judged on {best['games']:,} games", "mean ante", "won", "blinds beaten"):
        table.add_column(heading, justify="left" if heading.startswith("judged") else "right")
    for name, row in (
        ("start", summary["start"]),
        (f"best (update {best['update']})", best),
        ("last", summary["last"]),
    ):
        table.add_row(name, f"{row['mean_ante']:.2f}", percent_text(row["win_rate"]), f"{row['mean_blinds']:.1f}")
    return table
