"""``jimbo train rl | value | policy``: what learns from the games that it plays itself."""

from __future__ import annotations

import json
import shlex
from typing import Annotated, Any

import typer
from rich.table import Table

from jimbo.cli.flags import AsJson, OutDir, Telemetry, Threads
from jimbo.cli.registering import Register
from jimbo.cli.settings_flags import with_settings
from jimbo.cli.training import NEEDED, Device, make_table, tell, training
from jimbo.console import make_console
from jimbo.declared import help_lines
from jimbo.files import loads, read_text
from jimbo.processes import usable_cores
from jimbo.text import percent_text
from jimbo.train.core.watching import Progress
from jimbo.train.settings import PolicySettings, RlSettings, Stage, ValueSettings

_RL = (
    "init", "size", "steps", "rows", "horizon", "epochs", "minibatch", "lr", "entropy", "gamma", "candidates",
    "rewards", "curriculum", "deck", "stake", "seed",
)  # fmt: skip
_VALUE = ("generations", "init", "curriculum", "seed")
_POLICY = ("updates", "init", "games", "rollouts", "temperature", "seed")
_VALUE_NEEDED = [name for name in NEEDED if not name.startswith("onnx")]

Seconds = Annotated[
    float | None, typer.Option(min=0, metavar="S", help="Start no new generation or update after S seconds.")
]


@with_settings(RlSettings, _RL)
def rl(
    out_dir: OutDir,
    *,
    settings: RlSettings,
    threads: Threads = None,
    device: Device = "auto",
    telemetry: Telemetry = None,
    register: Register = None,
    as_json: AsJson = False,
) -> None:
    """Train Jimbo's PPO on its own games, from scratch or from a network trained on records.

    Ctrl-C stops. Run the same command to resume from the last update; the result is as if it had never stopped. With
    --init, learning rate and entropy coefficient have lower defaults.
    """
    with training(out_dir, device, register=register) as (torch_device, watcher):
        from jimbo.train.ppo import SUMMARY, run_rl

        run_rl(settings, out_dir, device=torch_device, threads=threads or usable_cores(), watcher=watcher)
    summary = loads(read_text(out_dir / SUMMARY))
    if as_json:
        typer.echo(json.dumps({"out_dir": str(out_dir), **summary}))
    else:
        make_console().print(_evaluations(summary), crop=False)
    tell(out_dir, "best.onnx", shlex.join(["jimbo", "eval", "--model", str(out_dir)]))


def _evaluations(summary: dict[str, Any]) -> Table:
    best = summary["best"]
    title = f"{summary['steps']:,} decisions in {summary['games']:,} games, {summary['steps_per_s']:,.0f} a second"
    table = make_table(title, f"evaluated on {best['games']:,} games", "mean ante", "won", "blinds beaten")
    names = {"start": "start", "best": f"best (update {best['update']})", "last": "last"}
    for name, words in names.items():
        row = summary[name]
        table.add_row(words, f"{row['mean_ante']:.2f}", percent_text(row["win_rate"]), f"{row['mean_blinds']:.1f}")
    return table


@with_settings(ValueSettings, _VALUE, more_help=["", "of each generation in plan:", *help_lines(Stage)])
def value(
    out_dir: OutDir,
    *,
    settings: ValueSettings,
    seconds: Seconds = None,
    threads: Threads = None,
    device: Device = "auto",
    telemetry: Telemetry = None,
    register: Register = None,
    as_json: AsJson = False,
) -> None:
    """Train the value of the agents expert and fast: play, learn from the results of the runs, and play again.

    Each generation is evaluated by games on evaluation seeds. Ctrl-C stops. Run the same command to resume after the
    last complete generation, or with a larger --generations to continue.
    """
    with training(out_dir, device, _VALUE_NEEDED, register) as (torch_device, watcher):
        from jimbo.train.value import run_value

        progress = run_value(
            settings, out_dir, device=torch_device, threads=threads or usable_cores(), watcher=watcher, seconds=seconds
        )
    if as_json:
        typer.echo(json.dumps({"out_dir": str(out_dir), **_result(progress)}))
    elif progress.history:
        make_console().print(_generations(progress), crop=False)
    # As the value learnt: with fewer rollouts, hands are not played for the run.
    options = ["--set", f"model={out_dir / 'best.safetensors'}", "--set", "rollouts=40"]
    trial = ["jimbo", "eval", "--agent", "fast", *options, "--vs", "fast", "--vs-set", "rollouts=40"]
    tell(out_dir, "best.safetensors", shlex.join(trial))


@with_settings(PolicySettings, _POLICY)
def policy(
    out_dir: OutDir,
    *,
    settings: PolicySettings,
    seconds: Seconds = None,
    threads: Threads = None,
    device: Device = "auto",
    telemetry: Telemetry = None,
    register: Register = None,
    as_json: AsJson = False,
) -> None:
    """Train a policy on top of a value: PPO over the options of whole runs, with hands played by the engine.

    Evaluated against the value alone, by the same games. Ctrl-C stops. Run the same command to resume after the last
    complete update, or with a larger --updates to continue.
    """
    with training(out_dir, device, _VALUE_NEEDED, register) as (torch_device, watcher):
        from jimbo.train.policy import run_policy

        progress = run_policy(
            settings, out_dir, device=torch_device, threads=threads or usable_cores(), watcher=watcher, seconds=seconds
        )
    if as_json:
        best = progress.best_row if progress.history else None
        told = {"updates": progress.done, "best_update": progress.best_at, "best": best}
        typer.echo(json.dumps({"out_dir": str(out_dir), **told, "history": list(progress.history)}))
    options = ["--set", f"model={out_dir / 'best.safetensors'}", "--set", f"rollouts={settings.rollouts}"]
    trial = ["jimbo", "eval", "--agent", "fast", *options, "--vs", "fast", "--vs-set", f"rollouts={settings.rollouts}"]
    tell(out_dir, "best.safetensors", shlex.join(trial))


def _result(progress: Progress) -> dict[str, Any]:
    games = progress.history[-1]["games"] if progress.history else 0
    return {
        "generations": progress.done,
        "games": games,
        "best_generation": progress.best_at,
        "history": list(progress.history),
    }


def _generations(progress: Progress) -> Table:
    games = progress.history[-1]["judged"]["games"]
    headings = ("generation", "games so far", "won", "mean ante", "mean round")
    table = make_table(f"Evaluated on {games:,} games each", *headings, names=0)
    for row in progress.history:
        mark = " *" if row["generation"] == progress.best_at else ""
        seen = row["judged"]
        table.add_row(
            f"{row['generation']}{mark}",
            f"{row['games']:,}",
            percent_text(seen["win_rate"]),
            f"{seen['mean_ante']:.2f}",
            f"{seen['mean_round']:.1f}",
        )
    return table
