"""``jimbo train rllib | rllib-export | rllib-analyze``: PPO of Ray RLlib, on one machine or a cluster."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jimbo.cli.errors import report_errors
from jimbo.cli.flags import AsJson, Telemetry
from jimbo.cli.registering import Register, check_register, register_result
from jimbo.cli.training import make_table, watched
from jimbo.console import make_console
from jimbo.files import check_place, reason, write_text
from jimbo.text import counted, percent_text
from jimbo.train.core.log import LOG, LogFile
from jimbo.train.core.watching import TrainingBar
from jimbo.train.rllib.log import TensorBoardLog, WandbLog, weights_and_biases

if TYPE_CHECKING:
    from jimbo.train.core.watching import Watcher
    from jimbo.train.rllib.checkpoints import Checkpoint
    from jimbo.train.rllib.config import RllibConfig
    from jimbo.train.rllib.evaluation import GamesPlayed

OUT = Path("checkpoints")
_STOPPED = "A checkpoint is saved; --checkpoint resumes from it."
_SUFFIXES = (".pt", ".onnx", ".safetensors", ".json")
_From = Annotated[Path, typer.Option(metavar="DIR", help="A checkpoint, or the folder of a training (its best one).")]


# --- Training ---------------------------------------------------------------------------------------------------------


def rllib(
    config: Annotated[
        str | None, typer.Option(metavar="FILE", help="Settings: a YAML file, or one of the package by name.")
    ] = None,
    env: Annotated[
        str | None, typer.Option(metavar="NAME", help="run: every action; campaign: the engine plays hands.")
    ] = None,
    checkpoint: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Resume from a checkpoint, or from the folder of a training.")
    ] = None,
    iterations: Annotated[
        int, typer.Option(min=0, metavar="N", help="Total iterations, including those of the checkpoint.")
    ] = 1000,
    checkpoint_freq: Annotated[int, typer.Option(min=1, metavar="N", help="Iterations between two checkpoints.")] = 10,
    target_reward: Annotated[
        float | None, typer.Option(metavar="R", help="End when an evaluation has this mean return.")
    ] = None,
    evaluate: Annotated[bool, typer.Option("--evaluate", help="Do not train: evaluate the checkpoint.")] = False,
    eval_episodes: Annotated[int, typer.Option(min=1, max=1000, metavar="N", help="Games of --evaluate.")] = 100,
    tune: Annotated[
        bool, typer.Option("--tune", help="Tune hyperparameters: 10 short trainings with Ray Tune.")
    ] = False,
    memory: Annotated[
        float, typer.Option(min=0.5, metavar="GB", help="Memory limit of the training on this machine.")
    ] = 8.0,
    log_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help=f"JSON lines; default: {LOG} in the folder.")
    ] = None,
    experiment: Annotated[
        str | None, typer.Option(metavar="NAME", help="Name of the run and of its folder in checkpoints/.")
    ] = None,
    track: Annotated[
        bool,
        typer.Option("--track", help="Log to Weights & Biases; without a key the run is stored offline in a folder."),
    ] = False,
    out_dir: Annotated[
        Path | None,
        typer.Option("--out", "--out-dir", metavar="DIR", help="Write everything here; default: checkpoints."),
    ] = None,
    address: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS", help="Ray cluster: HOST:PORT, auto or local. Default: one that runs here, or local."
        ),
    ] = None,
    telemetry: Telemetry = None,
    register: Register = None,
) -> None:
    """Train PPO with Ray RLlib, on one machine or a cluster; see docs/scale.md.

    Ctrl-C stops and saves a checkpoint; --checkpoint resumes from it.
    """
    with report_errors(_STOPPED):
        settings, start = _settings(config or ("campaign" if env == "campaign" else None), checkpoint)
        settings = _of_env(settings, env)
        out = _folder(out_dir, experiment, start)
        check_register(register, out)
        if evaluate:
            if start is None:
                raise ValueError("--evaluate needs a checkpoint: say --checkpoint DIR")
            _prepare()
            _show_games(*_evaluated(start, eval_episodes))
            return
        from jimbo.rollout.ray_cluster import ray_cluster

        if track:
            weights_and_biases()
        if log_file:
            check_place(log_file)
        _prepare()
        with ray_cluster(address, memory) as ray:
            if tune:
                _tune(settings, out, iterations)
                return
            from jimbo.train.rllib.job import TrainingLimits, run_training

            limits = TrainingLimits(
                iterations=iterations,
                checkpoint_freq=checkpoint_freq,
                target_reward=target_reward,
                memory_gb=memory,
            )
            logs = partial(_logs, out, log_file, (experiment or out.name) if track else None, settings)
            with closing(watched(TrainingBar())) as bar:
                standing = run_training(ray, settings, out, limits, bar, start=start, logs=logs)
    done = (counted(standing.iteration, "iteration"), counted(standing.timesteps, "decision"))
    typer.echo(f"{', '.join(done)}, {counted(standing.episodes, 'game')}: {out}")
    if settings.exports:
        typer.echo(f"Best network: iteration {standing.best_iteration}. {_trial(out)}", err=True)
        register_result(register, out)


def _settings(config: str | None, checkpoint: Path | None) -> tuple[RllibConfig, Checkpoint | None]:
    """Return what is trained: as the config says, or as the checkpoint was. Notices are printed at once."""
    from jimbo.train.rllib.checkpoints import read_checkpoint
    from jimbo.train.rllib.config import DEFAULT, load_config

    start = read_checkpoint(checkpoint) if checkpoint else None
    if start and config is None:
        return start.config, start
    settings, notices = load_config(config or DEFAULT)
    for notice in notices:
        typer.echo(f"Note: {notice}", err=True)
    return settings, start


def _of_env(settings: RllibConfig, env: str | None) -> RllibConfig:
    named: dict[str, Any] = {} if env is None else {"env": env}
    return replace(settings, env_config=replace(settings.env_config, **named))


def _folder(out_dir: Path | None, experiment: str | None, start: Checkpoint | None) -> Path:
    if experiment is not None and not (experiment.replace("-", "").replace("_", "").replace(".", "").isalnum()):
        raise ValueError("--experiment must be a name of letters, digits, dots, - and _")
    if out_dir:
        return out_dir
    if start:
        return start.path.parent
    return OUT / experiment if experiment else OUT


def _prepare() -> None:
    """Set the threads of torch before it is imported; ImportError names the extra where a package is missing."""
    from jimbo.extras import check_installed
    from jimbo.train.core.machine import prepare

    check_installed(("ray", "torch"), "rllib")
    prepare("cpu")


def _logs(out: Path, log_file: Path | None, experiment: str | None, settings: RllibConfig) -> list[Watcher]:
    """Return watchers that write; with the name of an experiment also to Weights & Biases."""
    wandb = [WandbLog(out, experiment, settings.to_data())] if experiment else []
    return [LogFile(log_file or out / LOG), TensorBoardLog(out), *wandb]


def _tune(settings: RllibConfig, out: Path, iterations: int) -> None:
    from jimbo.train.rllib.job import TUNED, tune_settings

    def ended(count: int, reward: float | None) -> None:
        how = "failed" if reward is None else f"return {reward:.3f}"
        typer.echo(f"Training {count} of {TUNED}: {how}", err=True)

    _show_trials(tune_settings(settings, out, iterations, TUNED, ended), out)


def _show_trials(trials: Sequence[Mapping[str, Any]], out: Path) -> None:
    rows = [{"reward": trial["reward"], "win_rate": trial["win_rate"], **trial["values"]} for trial in trials]
    table = make_table(f"{len(trials)} short trainings, the best first", *rows[0], names=0)
    for row in rows:
        table.add_row(*(f"{value:.3g}" if isinstance(value, float) else str(value) for value in row.values()))
    make_console().print(table, crop=False)
    typer.echo(f"The best settings are in {out / 'best_config.yaml'}: use them with --config.", err=True)


def _trial(model: Path) -> str:
    return f"Let it play: {shlex.join(['jimbo', 'eval', '--model', str(model)])}"


# --- What a checkpoint can do -----------------------------------------------------------------------------------------


def export(
    checkpoint: _From = OUT,
    output: Annotated[
        Path, typer.Option(metavar="FILE", help="Where to write: three files, .onnx, .safetensors and .json.")
    ] = Path("production_model"),
) -> None:
    """Export a checkpoint as a network that plays without Ray: ONNX and safetensors."""
    with report_errors(_STOPPED):
        from jimbo.train.rllib.checkpoints import read_checkpoint

        stem = output.with_suffix("") if output.suffix in _SUFFIXES else output
        network = stem.with_name(f"{stem.name}.onnx")
        check_place(network)
        _prepare()
        found = read_checkpoint(checkpoint)
        from jimbo.train.rllib.balatro_net import export_module, load_module

        standing = found.standing
        training = {"iteration": standing.iteration, "timesteps": standing.timesteps, "episodes": standing.episodes}
        difference = export_module(load_module(found), stem, found.config, training)
    typer.echo(f"Written: {network}, {stem.name}.safetensors, {stem.name}.json")
    typer.echo(f"It differs from the checkpoint by at most {difference:.1e}. {_trial(network)}", err=True)


def analyze(
    checkpoint: _From = OUT,
    log_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The log of the training; default: the one in its folder.")
    ] = None,
    games: Annotated[int, typer.Option(min=1, max=1000, metavar="N", help="Games that the checkpoint plays.")] = 100,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The report; default: report.html in the folder.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Report on a training: curves, win rate, games per hour, memory, and the network's choices in each phase."""
    with report_errors(_STOPPED):
        from jimbo.train.rllib.checkpoints import read_checkpoint
        from jimbo.train.rllib.report import benchmark, page, read_history

        _prepare()
        found = read_checkpoint(checkpoint)
        target = html or found.path.parent / "report.html"
        check_place(target)
        history = read_history(log_file or found.path.parent / LOG)
        played, seeds = _evaluated(found, games)
        try:
            write_text(target, page(found, history, played, seeds))
        except OSError as error:
            raise ValueError(f"{target} cannot be written: {reason(error)}.") from None
    measured = benchmark(history)
    if as_json:
        typer.echo(json.dumps(_data(played, measured, target)))
        return
    _show_games(played, seeds)
    table = make_table("Measured while it trained", "", "target", "here")
    for line in measured:
        table.add_row(*line)
    make_console().print(table, crop=False)
    typer.echo(f"Report: {target}")


def _evaluated(checkpoint: Checkpoint, games: int) -> tuple[GamesPlayed, str]:
    """Let a checkpoint play; return its games and the name of their seeds."""
    from jimbo.seeds.seed_sets import seed_set
    from jimbo.train.rllib.balatro_net import load_module
    from jimbo.train.rllib.evaluation import evaluate

    seeds = seed_set(None, games)
    return evaluate(load_module(checkpoint), checkpoint.config.env_config, seeds.seeds), seeds.name


def _show_games(games: GamesPlayed, seeds: str) -> None:
    low, high = games.interval
    table = make_table(f"{counted(len(games.results), 'game')} on seeds of {seeds}")
    table.add_row("won", f"{percent_text(games.win_rate)} (95 % interval {100 * low:.1f} to {100 * high:.1f} %)")
    table.add_row("mean return", f"{games.reward:.3f}")
    table.add_row("mean ante", f"{games.mean('ante'):.2f}")
    table.add_row("blinds beaten", f"{games.mean('blinds'):.2f}")
    table.add_row("decisions", f"{games.mean('length'):.1f}")
    table.add_row("illegal actions", f"{games.illegal}")
    make_console().print(table, crop=False)


def _data(games: GamesPlayed, measured: Sequence[tuple[str, str, str]], target: Path) -> dict[str, Any]:
    return {
        "games": len(games.results),
        "wins": games.wins,
        "win_rate": games.win_rate,
        "ci95": list(games.interval),
        "mean_return": games.reward,
        "mean_ante": games.mean("ante"),
        "phases": games.behaviour.shares(),
        "measured": {name: value for name, _, value in measured},
        "report": str(target),
    }
