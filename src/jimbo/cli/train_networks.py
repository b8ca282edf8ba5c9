"""``jimbo train bc | pv | dagger | distill``: networks from recorded games."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from jimbo.cli.agent_flags import contestant, network_file
from jimbo.cli.flags import MOST_GAMES, AsJson, OutDir, Telemetry, Workers
from jimbo.cli.registering import Register
from jimbo.cli.settings_flags import with_settings
from jimbo.cli.training import Device, games_table, make_table, tell, training
from jimbo.console import make_console
from jimbo.processes import usable_cores
from jimbo.text import percent_text
from jimbo.train.core.watching import Progress
from jimbo.train.settings import TrainSettings

if TYPE_CHECKING:
    from jimbo.train.core.evaluation import NetworkGames

Data = Annotated[
    list[Path],
    typer.Option("--data", "--train-jsonl", metavar="FILE", help="Recorded games, .parquet or .jsonl; repeatable."),
]
Val = Annotated[
    list[Path] | None,
    typer.Option(
        "--val", "--val-jsonl", metavar="FILE", help="Recorded games for validation; default: a tenth of --data."
    ),
]
EvalGames = Annotated[
    int, typer.Option(min=0, max=MOST_GAMES, metavar="N", help="Games for the final evaluation, on evaluation seeds.")
]
_BC = ("size", "epochs", "batch_size", "lr", "weight_decay", "dropout", "softness", "curriculum", "patience", "seed")
_PV = (*_BC[:-3], "value_weight", *_BC[-3:])
_DISTILL: Mapping[str, Any] = {"size": "tiny", "lr": 4e-3, "dropout": 0.0}
_LOSSES = {
    "policy": "cross-entropy of the choice",
    "win": "log loss of P(win)",
    "clear": "log loss of P(clear), six blinds ahead",
    "ante": "log loss of the final ante",
}


@with_settings(TrainSettings, _BC, fixed={"method": "bc"})
def bc(
    data: Data,
    out_dir: OutDir,
    val: Val = None,
    *,
    settings: TrainSettings,
    device: Device = "auto",
    telemetry: Telemetry = None,
    register: Register = None,
    as_json: AsJson = False,
) -> None:
    """Behaviour cloning: train a network to choose as the recorded player did.

    Ctrl-C stops. Run the same command to resume from the last complete epoch.
    """
    _train(settings, data, val, out_dir, device, register, as_json)


@with_settings(TrainSettings, _PV, fixed={"method": "pv"})
def pv(
    data: Data,
    out_dir: OutDir,
    val: Val = None,
    *,
    settings: TrainSettings,
    device: Device = "auto",
    telemetry: Telemetry = None,
    register: Register = None,
    as_json: AsJson = False,
) -> None:
    """Policy and value: behaviour cloning, and predicting the outcome: P(win), P(clear), the final ante.

    Ctrl-C stops. Run the same command to resume from the last complete epoch.
    """
    _train(settings, data, val, out_dir, device, register, as_json)


def _train(
    settings: TrainSettings,
    data: list[Path],
    val: list[Path] | None,
    out_dir: Path,
    device: str,
    register: str | None,
    as_json: bool,
) -> None:
    with training(out_dir, device, register=register) as (torch_device, watcher):
        from jimbo.train.supervised import run_files

        progress = run_files(data, val or [], settings, out_dir, device=torch_device, watcher=watcher)
    _show(out_dir, progress, (), as_json)


@with_settings(TrainSettings, [name for name in _PV if name != "softness"], base=_DISTILL, fixed={"method": "distill"})
def distill(
    data: Data,
    out_dir: OutDir,
    teacher: Annotated[
        list[Path] | None,
        typer.Option(metavar="MODEL", help="A teacher network; several are averaged. Default: the recorded search."),
    ] = None,
    val: Val = None,
    *,
    settings: TrainSettings,
    device: Device = "auto",
    eval_games: EvalGames = 100,
    workers: Workers = None,
    telemetry: Telemetry = None,
    register: Register = None,
    as_json: AsJson = False,
) -> None:
    """Distillation: train a small network on the outputs of larger ones or of the recorded search, then evaluate it.

    Ctrl-C stops. Run the same command to resume from the last complete epoch.
    """
    with training(out_dir, device, register=register) as (torch_device, watcher):
        from jimbo.train.core.evaluation import play_networks
        from jimbo.train.distill import run_distill

        progress = run_distill(
            data,
            val or [],
            settings,
            list(map(network_file, teacher or [])),
            out_dir,
            device=torch_device,
            watcher=watcher,
        )
        games = play_networks({"student": out_dir}, out_dir, eval_games, workers or usable_cores(), watcher)
    _show(out_dir, progress, games, as_json)


@with_settings(TrainSettings, [name for name in _PV if name != "patience"], fixed={"method": "dagger"})
def dagger(
    data: Data,
    out_dir: OutDir,
    rounds: Annotated[int, typer.Option(min=1, max=10_000, help="Rounds of play and correction.")] = 2,
    games: Annotated[int, typer.Option(min=1, max=MOST_GAMES, metavar="N", help="Games per round.")] = 200,
    teacher: Annotated[
        str, typer.Option(metavar="NAME", help="The agent that labels the student's decisions.")
    ] = "expert",
    teacher_set: Annotated[
        list[str] | None,
        typer.Option("--teacher-set", "--option", metavar="NAME=VALUE", help="An option of the teacher; repeatable."),
    ] = None,
    effort: Annotated[
        float | None,
        typer.Option(metavar="FACTOR", help="The teacher's option effort: how much work goes into a decision."),
    ] = None,
    val: Val = None,
    *,
    settings: TrainSettings,
    device: Device = "auto",
    eval_games: EvalGames = 100,
    workers: Workers = None,
    telemetry: Telemetry = None,
    register: Register = None,
    as_json: AsJson = False,
) -> None:
    """DAgger: the student plays, the teacher corrects it where it is unsure, and it is trained on all of that.

    It starts from a behaviour clone of the recorded player. At the end the students of all rounds are evaluated on the
    same seeds. Ctrl-C stops. Run the same command to resume from the last complete game or epoch.
    """
    with training(out_dir, device, register=register) as (torch_device, watcher):
        from jimbo.train.core.evaluation import play_networks
        from jimbo.train.dagger import DaggerPlan, run_dagger

        plan = DaggerPlan(rounds, games, *contestant(teacher, teacher_set, effort))
        cores = workers or usable_cores()
        progress = run_dagger(
            data, val or [], settings, plan, out_dir, device=torch_device, workers=cores, watcher=watcher
        )
        students = {f"round {number}": out_dir / f"round_{number}" for number in range(rounds + 1)}
        played = play_networks(students, out_dir, eval_games, cores, watcher)
    _show(out_dir, progress, played, as_json)


# --- What came of it --------------------------------------------------------------------------------------------------


def _show(out: Path, progress: Progress, games: Sequence[NetworkGames], as_json: bool) -> None:
    if as_json:
        best = {"best": progress.best_row, "games": [asdict(one) for one in games]}
        typer.echo(json.dumps({"out_dir": str(out), **best}))
    else:
        console = make_console()
        console.print(_learnt(progress), crop=False)
        if games:
            title = f"Games played on the same {games[0].summary.games} seeds"
            rows = [(one.name, one.summary, one.against_first) for one in games]
            console.print(games_table(title, "network", "antes more than the first", rows), crop=False)
    tell(out, "best.onnx", shlex.join(["jimbo", "eval", "--model", str(out)]))


def _learnt(progress: Progress) -> Table:
    best, title = progress.best_row, f"The best of {progress.done} epochs: number {progress.best_at}"
    table = make_table(title)
    judged = best["val"]
    table.add_row("agrees with the recorded choice", percent_text(judged["top1"]))
    table.add_row("  has it among its first three", percent_text(judged["top3"]))
    for name, share in judged.items():
        if name.startswith("top1/"):
            table.add_row(f"  in the phase {name.removeprefix('top1/')}", percent_text(share))
    for name, words in _LOSSES.items():
        if name in best["train"]:
            table.add_row(words, f"{judged[name]:.3f}")
    return table
