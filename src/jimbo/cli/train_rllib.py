"""``jimbo train rllib``: PPO of Ray RLlib, on one machine or a cluster."""

from __future__ import annotations

import shlex
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jimbo.cli.errors import report_errors
from jimbo.files import check_place
from jimbo.text import counted
from jimbo.train.rllib.history import LOG

if TYPE_CHECKING:
    from jimbo.train.rllib.checkpoints import About
    from jimbo.train.rllib.config import RllibConfig
    from jimbo.train.rllib.watching import Watcher

OUT = Path("checkpoints")
STOPPED = "A checkpoint is saved; --checkpoint resumes from it."

Config = Annotated[
    str | None, typer.Option(metavar="FILE", help="Settings: a YAML file, or one of the package by name.")
]
Checkpoint = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Resume from a checkpoint, or from the folder of a training.")
]
Iterations = Annotated[
    int, typer.Option(min=0, metavar="N", help="Total iterations, including those of the checkpoint.")
]
Frequency = Annotated[int, typer.Option(min=1, metavar="N", help="Iterations between two checkpoints.")]
Target = Annotated[float | None, typer.Option(metavar="R", help="End when an evaluation has this mean return.")]
Evaluate = Annotated[bool, typer.Option("--evaluate", help="Do not train: evaluate the checkpoint.")]
Episodes = Annotated[int, typer.Option(min=1, max=1000, metavar="N", help="Games of --evaluate.")]
Tune = Annotated[bool, typer.Option("--tune", help="Tune hyperparameters: 10 short trainings with Ray Tune.")]
Memory = Annotated[float, typer.Option(min=0.5, metavar="GB", help="Memory limit of the training on this machine.")]
LogFile = Annotated[Path | None, typer.Option(metavar="FILE", help=f"JSON lines; default: {LOG} in the folder.")]
Experiment = Annotated[
    str | None, typer.Option(metavar="NAME", help="Name of the run and of its folder in checkpoints/.")
]
Track = Annotated[
    bool, typer.Option("--track", help="Log to Weights & Biases; without a key the run is stored offline in a folder.")
]
OutDir = Annotated[
    Path | None, typer.Option("--out", "--out-dir", metavar="DIR", help="Write everything here; default: checkpoints.")
]
Address = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS", help="Ray cluster: HOST:PORT, auto or local. Default: one that runs here, or local."
    ),
]


def rllib(
    config: Config = None,
    checkpoint: Checkpoint = None,
    iterations: Iterations = 1000,
    checkpoint_freq: Frequency = 10,
    target_reward: Target = None,
    evaluate: Evaluate = False,
    eval_episodes: Episodes = 100,
    tune: Tune = False,
    memory: Memory = 8.0,
    log_file: LogFile = None,
    experiment: Experiment = None,
    track: Track = False,
    out_dir: OutDir = None,
    address: Address = None,
) -> None:
    """Train PPO with Ray RLlib, on one machine or a cluster; see docs/scale.md.

    Ctrl-C stops and saves a checkpoint; --checkpoint resumes from it.
    """
    with report_errors(STOPPED):
        settings, start = _settings(config, checkpoint)
        out = _folder(out_dir, experiment, start)
        if evaluate:
            _let_play(start, eval_episodes)
            return
        from jimbo.rollout.ray_cluster import ray_cluster
        from jimbo.train.rllib.watching import weights_and_biases

        if track:
            weights_and_biases()
        if log_file:
            check_place(log_file)
        prepared()
        with ray_cluster(address, memory) as ray:
            if tune:
                _tune(settings, out, iterations)
                return
            from jimbo.cli.train_rllib_shown import Shown
            from jimbo.train.rllib.job import Orders, run_training

            orders = Orders(
                iterations=iterations,
                checkpoint_freq=checkpoint_freq,
                target_reward=target_reward,
                memory_gb=memory,
            )
            named = (experiment or out.name) if track else None
            more = partial(_watchers, out, log_file, named, settings)
            with Shown() as shown:
                standing = run_training(ray, settings, out, orders, shown, start=start, more=more)
    _tell(out, standing, settings)


def _settings(config: str | None, checkpoint: Path | None) -> tuple[RllibConfig, About | None]:
    """What is trained: as the config says, or as the checkpoint was; notices are told at once."""
    from jimbo.train.rllib.checkpoints import read_about
    from jimbo.train.rllib.config import DEFAULT, load_config

    start = read_about(checkpoint) if checkpoint else None
    if start and config is None:
        return start.config, start
    settings, notices = load_config(config or DEFAULT)
    for notice in notices:
        typer.echo(f"Note: {notice}", err=True)
    return settings, start


def _folder(out_dir: Path | None, experiment: str | None, start: About | None) -> Path:
    if experiment is not None and not (experiment.replace("-", "").replace("_", "").replace(".", "").isalnum()):
        raise ValueError("--experiment must be a name of letters, digits, dots, - and _")
    if out_dir:
        return out_dir
    if start:
        return start.path.parent
    return OUT / experiment if experiment else OUT


def prepared() -> None:
    """Says how many threads torch may use, before it is imported."""
    from jimbo.extras import check_installed
    from jimbo.train.core.machine import prepare

    check_installed(("ray", "torch"), "rllib")
    prepare("cpu")


def _watchers(out: Path, log_file: Path | None, experiment: str | None, settings: RllibConfig) -> list[Watcher]:
    """Those that write: with the name of an experiment also Weights & Biases."""
    from jimbo.train.rllib.watching import LogFile, TensorBoard, Tracker

    tracker = [Tracker(out, experiment, settings.to_data())] if experiment else []
    return [LogFile(log_file or out / LOG), TensorBoard(out), *tracker]


def _let_play(start: About | None, episodes: int) -> None:
    if start is None:
        raise ValueError("--evaluate needs a checkpoint: say --checkpoint DIR")
    prepared()
    from jimbo.cli.train_rllib_shown import show_judged
    from jimbo.seeds.seed_sets import seed_set
    from jimbo.train.rllib.evaluation import judge
    from jimbo.train.rllib.export import load_module

    seeds = seed_set(None, episodes)
    show_judged(judge(load_module(start), start.config.env_config, seeds.seeds), seeds.name)


def _tune(settings: RllibConfig, out: Path, iterations: int) -> None:
    from jimbo.cli.train_rllib_shown import show_trials
    from jimbo.train.rllib.tune import SAMPLES, look_for_settings

    def ended(count: int, reward: float | None) -> None:
        how = "failed" if reward is None else f"return {reward:.3f}"
        typer.echo(f"Training {count} of {SAMPLES}: {how}", err=True)

    show_trials(look_for_settings(settings, out, iterations, ended=ended), out)


def _tell(out: Path, standing: Any, settings: RllibConfig) -> None:
    done = (counted(standing.iteration, "iteration"), counted(standing.timesteps, "decision"))
    typer.echo(f"{', '.join(done)}, {counted(standing.episodes, 'game')}: {out}")
    if settings.model.exports:
        trial = shlex.join(["jimbo", "eval", "--model", str(out)])
        typer.echo(f"Best network: iteration {standing.best_iteration}. Let it play: {trial}", err=True)
