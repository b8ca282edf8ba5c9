"""``jimbo train sb3 | compare | throughput``: PPO, A2C and DQN of Stable-Baselines3, with masks, on native games."""

from __future__ import annotations

import json
import shlex
from collections.abc import Container, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from jimbo.cli.errors import fail, report_errors
from jimbo.cli.flags import MOST_GAMES, AsJson, OutDir, Settings, Telemetry, Workers, setting, with_default
from jimbo.cli.registering import Register
from jimbo.cli.training import games_table, make_table, tell, training
from jimbo.console import make_console, make_progress
from jimbo.declared import help_lines, named_texts
from jimbo.extras import check_installed
from jimbo.files import check_folder, reason
from jimbo.processes import usable_cores
from jimbo.text import counted, percent_text
from jimbo.training.config import TUNED, HyperparameterConfig, TrainerConfig
from jimbo.training.experiment import read_experiments
from jimbo.training.framework import read_trainer_config
from jimbo.training.metrics import comparison_table
from jimbo.training.performance_analysis import PerformanceAnalyzer

if TYPE_CHECKING:
    from jimbo.train.core.evaluation import PlayerComparison
    from jimbo.training.sb3_trainer import TrainingResult

NEEDED = ("torch", "gymnasium", "stable_baselines3", "sb3_contrib", "tensorboard", "matplotlib", "onnx", "onnxruntime")
_FASTER = (
    "Faster: more n_envs (64 and up), fewer n_epochs with a larger batch_size, higher checkpoint_freq and eval_freq."
)
Preset = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="tuned, campaign, or reference: plain defaults.  [default: tuned, or campaign with its env]",
    ),
]
_GAMES = ", ".join(f"{tuned['n_envs']} for {name}" for name, tuned in TUNED.items())


def sb3(
    out_dir: OutDir,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Settings as YAML or JSON; command-line options override it.")
    ] = None,
    algorithm: Annotated[str | None, setting(TrainerConfig, "algorithm", metavar="NAME")] = None,
    env: Annotated[str | None, setting(TrainerConfig, "env", metavar="NAME")] = None,
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
    telemetry: Telemetry = None,
    register: Register = None,
    as_json: AsJson = False,
) -> None:
    """Train PPO, A2C or DQN of Stable-Baselines3, all with action masks.

    Ctrl-C stops. Run the same command to resume from the last checkpoint; the result is as if it had never stopped.
    """
    if "help" in (option or []):
        typer.echo("\n".join([*help_lines(TrainerConfig), *help_lines(HyperparameterConfig)]))
        raise typer.Exit
    named = {
        "algorithm": algorithm, "env": env, "total_timesteps": timesteps, "n_envs": n_envs, "network": network,
        "seed": seed, "use_curriculum": curriculum, "device": device,
        **({"use_behavioral_cloning": True, "bc_data": [str(path) for path in bc_data]} if bc_data else {}),
    }  # fmt: skip
    settings = _settings(config, preset, {name: value for name, value in named.items() if value is not None}, option)
    game = {name: value for name, value in (("deck", deck), ("stake", stake)) if value is not None}
    with training(out_dir, settings.device, NEEDED, register) as (_, watcher):
        from jimbo.train.core.evaluation import compare_players
        from jimbo.training.sb3_trainer import BEST, START, run_job

        result, played = run_job(settings, out_dir, game=game, watcher=watcher, resume=resume), None
        if eval_games and not game and (out_dir / BEST).is_file():  # other policies play in Stable-Baselines3 only
            players = {"random": None, "start": out_dir / START, "trained": out_dir / BEST}
            played = compare_players(players, out_dir, eval_games, workers or usable_cores(), watcher)
    _show(out_dir, result, played, as_json)


def _settings(path: Path | None, preset: str | None, named: dict[str, Any], option: list[str] | None) -> TrainerConfig:
    try:
        return read_trainer_config(path, preset, {**named_values(option or [], named), **named})
    except ValueError as error:
        fail(str(error))


def named_values(texts: Sequence[str], known: Container[str] = ()) -> dict[str, Any]:
    """Return what was typed as ``NAME=VALUE``: numbers, true, false and lists as JSON has them, all else as text.

    ``known``: names that have been given already.
    """
    found: dict[str, Any] = {}
    texts = [text.removeprefix("hyperparams.") for text in texts]
    for name, value in named_texts(texts, "--set", known).items():
        try:
            found[name] = json.loads(value)
        except (ValueError, RecursionError):
            found[name] = value
    return found


def _show(out: Path, result: TrainingResult, played: PlayerComparison | None, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps({"out_dir": str(out), **result.to_dict(), "judged": played and _played_data(played)}))
    else:
        console = make_console()
        console.print(_learnt(result), crop=False)
        if played:
            title = f"Games played on the same {played.summaries['trained'].games} fresh seeds"
            rows = [(name, summary, played.against.get(name)) for name, summary in played.summaries.items()]
            console.print(games_table(title, "player", "trained: antes more (95 %)", rows), crop=False)
    for sentence in result.warnings:  # once more, below everything else
        typer.echo(sentence, err=True)
    rate = result.total_timesteps / max(result.seconds, 1e-9)
    typer.echo(f"{rate:,.0f} steps a second in all. {_FASTER}", err=True)
    if played:
        tell(out, "best.onnx", shlex.join(["jimbo", "eval", "--model", str(out)]))


def _played_data(played: PlayerComparison) -> dict[str, Any]:
    names = ("mean_ante", "win_rate", "ante1_clear")
    return {
        "games": {
            player: {name: getattr(summary, name) for name in names} for player, summary in played.summaries.items()
        },
        "antes_more_than": {
            player: {"mean": paired.antes.mean, "ci95": paired.antes.ci95, "p": paired.antes.p}
            for player, paired in played.against.items()
        },
    }


def _learnt(result: TrainingResult) -> Table:
    asked = "" if result.total_timesteps == result.asked_timesteps else f" of {result.asked_timesteps:,}"
    title = f"{result.algorithm}: {result.total_timesteps:,}{asked} steps, {result.updates:,} updates, "
    title += counted(result.episodes, "game")
    table = make_table(title, "steps", "mean ante", "mean reward", "won", "illegal", names=0)
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
    """Return the first, the last and some between."""
    if len(rows) <= shown:
        return rows
    return [rows[round(place * (len(rows) - 1) / (shown - 1))] for place in range(shown)]


# --- Several trainings ------------------------------------------------------------------------------------------------

BenchmarkDir = Annotated[
    Path, typer.Option("--out", "--out-dir", metavar="DIR", help="Write everything into a new folder in here.")
]


def compare(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Experiments as a YAML list.")],
    out_dir: BenchmarkDir = Path("benchmarks"),
    name: Annotated[str, typer.Option(help="Name of the comparison and of its folder.")] = "balatro_benchmark",
    games: Annotated[
        int, typer.Option(min=1, max=MOST_GAMES, metavar="N", help="Evaluation games, the same for all experiments.")
    ] = 100,
    as_json: AsJson = False,
) -> None:
    """Train one experiment after another and compare them on the same games. One that fails does not stop the others.

    An experiment has the fields of ExperimentConfig: name, algorithm, total_timesteps, n_envs, hyperparams_override...
    """
    try:
        experiments = read_experiments(file)
    except ValueError as error:
        fail(str(error))
    _check_folder(out_dir)
    with report_errors(f"Results so far are in {out_dir}; the same command starts over in a new folder."):
        check_installed(NEEDED, "train")
        from jimbo.env.factories import create_balatro_env
        from jimbo.training.experiment import MultiAlgorithmBenchmark

        benchmark = MultiAlgorithmBenchmark(create_balatro_env, name, folder=out_dir, judged_by=games)
        benchmark.add_experiments(experiments)
        for experiment in benchmark.experiments:
            override = {"save_dir": str(benchmark.save_path), "run_name": experiment.name}
            experiment.trainer_override = {**experiment.trainer_override, **override}
        results = benchmark.run_all()
    if as_json:
        data = {"folder": str(benchmark.save_path), "failures": [asdict(one) for one in benchmark.failures]}
        typer.echo(json.dumps({**data, "results": [result.to_dict() for result in results]}))
    elif results:
        make_console().print(comparison_table(results), crop=False)
    for sentence in benchmark.remarks():  # once more, below everything else
        typer.echo(sentence, err=True)
    if benchmark.failures:
        raise typer.Exit(1)


def throughput(
    algorithm: Annotated[str, typer.Option(metavar="NAME", help="PPO, A2C or DQN.")] = "PPO",
    n_envs: Annotated[
        list[int] | None,
        typer.Option(min=1, max=65_536, metavar="N", help="Parallel games; repeatable. Default: 1 to 256."),
    ] = None,
    steps: Annotated[
        int,
        typer.Option(
            min=1, max=1_000_000_000, metavar="N", help="Steps measured for each, rounded up to whole rollouts."
        ),
    ] = 8192,
    preset: Preset = None,
    option: Settings = None,
    out_dir: Annotated[
        Path | None,
        typer.Option(
            "--out", "--out-dir", metavar="DIR", help="Also write throughput.json, .csv, .html and .png here."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure training steps per second for several numbers of parallel games, and where the time goes."""
    config = _settings(None, preset, {"algorithm": algorithm}, option)
    if out_dir:
        _check_folder(out_dir)
    analyzer = PerformanceAnalyzer(f"Training {algorithm}: steps a second")
    with report_errors("Nothing was written; the same command starts over."):
        check_installed(NEEDED, "train")
        from jimbo.training.performance_analysis import SIZES, measure_throughput

        with make_progress(make_console(stderr=True), "{task.completed:.0f} of {task.total:.0f} measured") as bar:
            for count in bar.track(n_envs or SIZES, description=algorithm):
                analyzer.add(**asdict(measure_throughput(config, count, steps)))
        if out_dir:
            analyzer.export_json(out_dir / "throughput.json")
            analyzer.export_csv(out_dir / "throughput.csv")
            analyzer.generate_html_report(out_dir / "throughput.html")
            analyzer.plot_throughput_comparison(out_dir / "throughput.png")
    if as_json:
        typer.echo(json.dumps(analyzer.rows))
    else:
        make_console().print(_table(analyzer), crop=False)


def _check_folder(folder: Path) -> None:
    """End the command if nothing can be written there."""
    try:
        check_folder(folder)
    except ValueError as error:
        fail(str(error))
    except OSError as error:
        fail(f"{folder} cannot be used: {reason(error)}")


def _table(analyzer: PerformanceAnalyzer) -> Table:
    headings = ("games", "steps/s", "steps/CPU-s", "memory", "in games", "learning", "choosing")
    table = make_table(analyzer.title, *headings, names=0)
    for row in analyzer.rows:
        table.add_row(
            str(row["n_envs"]),
            f"{row['steps_per_second']:,.0f}",
            f"{row['cpu_steps_per_second']:,.0f}",
            f"{row['memory_mb']:,.0f} MB",
            percent_text(row["env_share"]),
            percent_text(row["learner_share"]),
            percent_text(max(0.0, 1 - row["env_share"] - row["learner_share"])),
        )
    return table
