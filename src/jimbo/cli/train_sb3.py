"""``jimbo train sb3``: PPO, A2C or DQN of Stable-Baselines3, with masks, on native games."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from jimbo.cli.errors import fail, report_errors
from jimbo.cli.flags import MOST_GAMES, AsJson, OutDir, Settings, Workers, setting, with_default
from jimbo.console import make_console
from jimbo.declared import help_lines
from jimbo.extras import check_installed
from jimbo.processes import usable_cores
from jimbo.text import counted, percent_text
from jimbo.training.config import TUNED, HyperparameterConfig, TrainerConfig
from jimbo.training.settings import named_values, read_trainer_config
from jimbo.training.watching import Bar

if TYPE_CHECKING:
    from jimbo.training.job import Verdict
    from jimbo.training.sb3_trainer import TrainingResult

NEEDED = ("torch", "gymnasium", "stable_baselines3", "sb3_contrib", "tensorboard", "matplotlib", "onnx", "onnxruntime")
_FASTER = (
    "Faster: more n_envs (64 and up), fewer n_epochs with a larger batch_size, higher checkpoint_freq and eval_freq."
)
Preset = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="tuned, or reference: plain defaults.  [default: tuned]"),
]
_GAMES = ", ".join(f"{tuned['n_envs']} for {name}" for name, tuned in TUNED.items())


def sb3(
    out_dir: OutDir,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Settings as YAML or JSON; command-line options override it.")
    ] = None,
    algorithm: Annotated[str | None, setting(TrainerConfig, "algorithm", metavar="NAME")] = None,
    timesteps: Annotated[int | None, setting(TrainerConfig, "total_timesteps", "--timesteps", metavar="N")] = None,
    n_envs: Annotated[int | None, typer.Option(metavar="N", help=with_default("Parallel games.", _GAMES))] = None,
    preset: Preset = None,
    network: Annotated[str | None, setting(TrainerConfig, "network")] = None,
    curriculum: Annotated[
        bool | None, typer.Option("--curriculum/--no-curriculum", help="Short runs first, longer ones with success.")
    ] = None,
    bc_data: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Start from a behaviour clone of the player of these records."),
    ] = None,
    deck: Annotated[str | None, typer.Option(help="Key or name of the deck; default: Red Deck.")] = None,
    stake: Annotated[str | None, typer.Option(help="Key or name of the stake; default: white.")] = None,
    seed: Annotated[int | None, setting(TrainerConfig, "seed", "--rng-seed", "--seed")] = None,
    option: Settings = None,
    resume: Annotated[bool, typer.Option(help="Resume the training in the folder; --no-resume starts over.")] = True,
    eval_games: Annotated[
        int,
        typer.Option(
            min=0,
            max=MOST_GAMES,
            metavar="N",
            help="Games for the final evaluation on fresh seeds, against random and the start.",
        ),
    ] = 100,
    workers: Workers = None,
    device: Annotated[str | None, setting(TrainerConfig, "device")] = None,
    as_json: AsJson = False,
) -> None:
    """Train PPO, A2C or DQN of Stable-Baselines3, all with action masks.

    Ctrl-C stops. Run the same command to resume from the last checkpoint; the result is as if it had never stopped.
    """
    if "help" in (option or []):
        typer.echo("\n".join([*help_lines(TrainerConfig), *help_lines(HyperparameterConfig)]))
        raise typer.Exit
    named = {
        "algorithm": algorithm, "total_timesteps": timesteps, "n_envs": n_envs, "network": network, "seed": seed,
        "use_curriculum": curriculum, "device": device,
        **({"use_behavioral_cloning": True, "bc_data": [str(path) for path in bc_data]} if bc_data else {}),
    }  # fmt: skip
    settings = _settings(config, preset, {name: value for name, value in named.items() if value is not None}, option)
    game = {name: value for name, value in (("deck", deck), ("stake", stake)) if value is not None}
    with report_errors(out_dir):
        check_installed(NEEDED, "train")
        from jimbo.training.job import run_job

        result = run_job(settings, out_dir, game=game, watcher=Bar(settings.algorithm), resume=resume)
        verdict = _judged(out_dir, eval_games, workers) if eval_games and not game else None
    _show(out_dir, result, verdict, as_json)


def _settings(path: Path | None, preset: str | None, named: dict[str, Any], option: list[str] | None) -> TrainerConfig:
    try:
        return read_trainer_config(path, preset, {**named_values(option or [], named), **named})
    except ValueError as error:
        fail(str(error))


def _judged(out: Path, games: int, workers: int | None) -> Verdict | None:
    """None for a policy that only Stable-Baselines3 can play."""
    from jimbo.training.job import BEST, START, judge_players

    if not (out / BEST).is_file():
        return None
    console = make_console(stderr=True)

    def progress(name: str, done: int, of: int) -> None:
        if done == of:
            console.print(f"{of} games played by {name}.", highlight=False)

    players = {"random": None, "start": out / START, "trained": out / BEST}
    return judge_players(players, out, games, workers or usable_cores(), progress)


def _show(out: Path, result: TrainingResult, verdict: Verdict | None, as_json: bool) -> None:
    if as_json:
        judged = verdict and {
            "games": {name: _numbers(summary) for name, summary in verdict.summaries.items()},
            "antes_more_than": {
                name: {"mean": paired.antes.mean, "ci95": paired.antes.ci95, "p": paired.antes.p}
                for name, paired in verdict.against.items()
            },
        }
        typer.echo(json.dumps({"out_dir": str(out), **result.to_dict(), "judged": judged}))
    else:
        console = make_console()
        console.print(_learnt(result), crop=False)
        if verdict:
            console.print(_played(verdict), crop=False)
    for sentence in result.warnings:  # once more, below everything else
        typer.echo(sentence, err=True)
    rate = result.total_timesteps / max(result.seconds, 1e-9)
    typer.echo(f"{rate:,.0f} steps a second in all. {_FASTER}", err=True)
    if verdict:
        trial = shlex.join(["jimbo", "eval", "--model", str(out)])
        typer.echo(f"Kept in {out}: best.onnx plays, training.png shows the training. Let it play: {trial}", err=True)


def _numbers(summary: Any) -> dict[str, float]:
    return {"mean_ante": summary.mean_ante, "win_rate": summary.win_rate, "ante1_clear": summary.ante1_clear}


def _learnt(result: TrainingResult) -> Table:
    asked = "" if result.total_timesteps == result.asked_timesteps else f" of {result.asked_timesteps:,}"
    title = f"{result.algorithm}: {result.total_timesteps:,}{asked} steps, {result.updates:,} updates, "
    title += counted(result.episodes, "game")
    table = Table(title=title, title_justify="left", box=None)
    for heading in ("steps", "mean ante", "mean reward", "won", "illegal"):
        table.add_column(heading, justify="right")
    for row in _few(result.history):
        table.add_row(
            f"{row['timesteps']:,.0f}",
            f"{row['mean_ante']:.2f}",
            f"{row['mean_reward']:.3f}",
            percent_text(row["win_rate"]),
            f"{row['illegal_actions']:.0f}",
        )
    return table


def _few(rows: list[dict[str, float]], shown: int = 8) -> list[dict[str, float]]:
    """The first, the last and some between."""
    if len(rows) <= shown:
        return rows
    return [rows[round(place * (len(rows) - 1) / (shown - 1))] for place in range(shown)]


def _played(verdict: Verdict) -> Table:
    games = next(iter(verdict.summaries.values())).games
    table = Table(title=f"Games played on the same {games} fresh seeds", title_justify="left", box=None)
    for heading in ("player", "won", "ante 1 cleared", "mean ante", "trained: antes more (95 %)"):
        table.add_column(heading, justify="left" if heading == "player" else "right")
    for name, summary in verdict.summaries.items():
        more = ""
        if name in verdict.against:
            antes = verdict.against[name].antes
            more = f"{antes.mean:+.2f}" + (f" ({antes.ci95[0]:+.2f} to {antes.ci95[1]:+.2f})" if antes.ci95 else "")
        table.add_row(
            name, percent_text(summary.win_rate), percent_text(summary.ante1_clear), f"{summary.mean_ante:.2f}", more
        )
    return table
