"""``jimbo train bc | pv | dagger | distill``: networks from recorded games."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any

import typer

from jimbo.cli import train_options as given
from jimbo.cli.agent_flags import agent_from_flags
from jimbo.cli.errors import fail, report_errors
from jimbo.cli.flags import MOST_GAMES, AgentOption, AsJson, OutDir, RngSeed, Workers
from jimbo.cli.train_progress import Bars
from jimbo.cli.train_result import show
from jimbo.processes import usable_cores
from jimbo.train.networks.settings import Method, TrainSettings

_DEFAULTS: dict[str, Any] = {entry.name: entry.default for entry in fields(TrainSettings)}


def bc(
    data: given.Data,
    out_dir: OutDir,
    val: given.Val = None,
    size: given.Size = "small",
    epochs: given.Epochs = _DEFAULTS["epochs"],
    batch_size: given.BatchSize = _DEFAULTS["batch_size"],
    lr: given.Lr = _DEFAULTS["lr"],
    weight_decay: given.WeightDecay = _DEFAULTS["weight_decay"],
    dropout: given.Dropout = _DEFAULTS["dropout"],
    softness: given.Softness = _DEFAULTS["softness"],
    patience: given.Patience = _DEFAULTS["patience"],
    seed: RngSeed = _DEFAULTS["seed"],
    device: given.Device = "auto",
    as_json: AsJson = False,
) -> None:
    """Behaviour cloning: train a network to choose as the recorded player did.

    Ctrl-C stops. Run the same command to resume from the last complete epoch.
    """
    settings = _settings("bc", locals())
    _train(settings, data, val, out_dir, device, as_json)


def pv(
    data: given.Data,
    out_dir: OutDir,
    val: given.Val = None,
    size: given.Size = "small",
    epochs: given.Epochs = _DEFAULTS["epochs"],
    batch_size: given.BatchSize = _DEFAULTS["batch_size"],
    lr: given.Lr = _DEFAULTS["lr"],
    weight_decay: given.WeightDecay = _DEFAULTS["weight_decay"],
    dropout: given.Dropout = _DEFAULTS["dropout"],
    softness: given.Softness = _DEFAULTS["softness"],
    value_weight: given.ValueWeight = _DEFAULTS["value_weight"],
    patience: given.Patience = _DEFAULTS["patience"],
    seed: RngSeed = _DEFAULTS["seed"],
    device: given.Device = "auto",
    as_json: AsJson = False,
) -> None:
    """Policy and value: behaviour cloning, and predicting the outcome: P(win), P(clear), the final ante.

    Ctrl-C stops. Run the same command to resume from the last complete epoch.
    """
    settings = _settings("pv", locals())
    _train(settings, data, val, out_dir, device, as_json)


def distill(
    data: given.Data,
    out_dir: OutDir,
    teacher: Annotated[
        list[Path] | None,
        typer.Option(metavar="MODEL", help="A teacher network; several are averaged. Default: the recorded search."),
    ] = None,
    val: given.Val = None,
    size: given.Size = "tiny",
    epochs: given.Epochs = _DEFAULTS["epochs"],
    batch_size: given.BatchSize = _DEFAULTS["batch_size"],
    lr: given.Lr = 4e-3,
    weight_decay: given.WeightDecay = _DEFAULTS["weight_decay"],
    dropout: given.Dropout = 0.0,
    value_weight: given.ValueWeight = _DEFAULTS["value_weight"],
    patience: given.Patience = _DEFAULTS["patience"],
    seed: RngSeed = _DEFAULTS["seed"],
    device: given.Device = "auto",
    eval_games: given.EvalGames = 100,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Distillation: train a small network on the outputs of larger ones or of the recorded search, then evaluate it.

    Ctrl-C stops. Run the same command to resume from the last complete epoch.
    """
    settings = _settings("distill", locals())
    with report_errors(out_dir), Bars() as bars:
        from jimbo.train.networks.machine import prepare

        torch_device = prepare(device)
        from jimbo.train.networks.distill import run_distill
        from jimbo.train.networks.playing import played

        progress = run_distill(data, val or [], settings, teacher or [], out_dir, device=torch_device, watcher=bars)
        games = played({"student": out_dir}, out_dir, eval_games, workers or usable_cores(), bars.playing)
    show(out_dir, progress, games, as_json)


def dagger(
    data: given.Data,
    out_dir: OutDir,
    rounds: Annotated[int, typer.Option(min=1, max=10_000, help="Rounds of play and correction.")] = 2,
    games: Annotated[int, typer.Option(min=1, max=MOST_GAMES, metavar="N", help="Games per round.")] = 200,
    teacher: Annotated[
        str, typer.Option(metavar="NAME", help="The agent that labels the student's decisions.")
    ] = "expert",
    option: AgentOption = None,
    effort: Annotated[
        float | None,
        typer.Option(metavar="FACTOR", help="The teacher's option effort: how much work goes into a decision."),
    ] = None,
    val: given.Val = None,
    size: given.Size = "small",
    epochs: given.Epochs = _DEFAULTS["epochs"],
    batch_size: given.BatchSize = _DEFAULTS["batch_size"],
    lr: given.Lr = _DEFAULTS["lr"],
    weight_decay: given.WeightDecay = _DEFAULTS["weight_decay"],
    dropout: given.Dropout = _DEFAULTS["dropout"],
    softness: given.Softness = _DEFAULTS["softness"],
    value_weight: given.ValueWeight = _DEFAULTS["value_weight"],
    seed: RngSeed = _DEFAULTS["seed"],
    device: given.Device = "auto",
    eval_games: given.EvalGames = 100,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """DAgger: the student plays, the teacher corrects it where it is unsure, and it is trained on all of that.

    It starts from a behaviour clone of the recorded player. At the end the students of all rounds are evaluated on the
    same seeds. Ctrl-C stops. Run the same command to resume from the last complete game or epoch.
    """
    settings = _settings("dagger", locals())
    with report_errors(out_dir), Bars() as bars:
        from jimbo.train.networks.machine import prepare

        torch_device = prepare(device)
        from jimbo.train.networks.dagger import DaggerPlan, run_dagger
        from jimbo.train.networks.playing import played

        plan = DaggerPlan(rounds, games, teacher, agent_from_flags(teacher, option, effort)[1])
        cores = workers or usable_cores()
        progress = run_dagger(
            data, val or [], settings, plan, out_dir, device=torch_device, workers=cores, watcher=bars
        )
        students = {f"round {number}": out_dir / f"round_{number}" for number in range(rounds + 1)}
        record = played(students, out_dir, eval_games, cores, bars.playing)
    show(out_dir, progress, record, as_json)


def _train(
    settings: TrainSettings, data: list[Path], val: list[Path] | None, out_dir: Path, device: str, as_json: bool
) -> None:
    with report_errors(out_dir), Bars() as bars:
        from jimbo.train.networks.machine import prepare

        torch_device = prepare(device)
        from jimbo.train.networks.job import run_files

        progress = run_files(data, val or [], settings, out_dir, device=torch_device, watcher=bars)
    show(out_dir, progress, (), as_json)


def _settings(method: Method, options: dict[str, Any]) -> TrainSettings:
    """Those of the options that are settings of a training."""
    try:
        return TrainSettings(method=method, **{name: value for name, value in options.items() if name in _DEFAULTS})
    except ValueError as error:
        fail(str(error))
