"""``jimbo train compare`` and ``throughput``: several trainings side by side, and how fast they are."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from jimbo.cli.errors import fail, report_errors
from jimbo.cli.flags import MOST_GAMES, AsJson, Settings
from jimbo.cli.train_sb3 import NEEDED, Preset
from jimbo.console import make_console, make_progress
from jimbo.extras import check_installed
from jimbo.files import check_folder, reason
from jimbo.text import percent_text
from jimbo.training.metrics import comparison_table
from jimbo.training.performance_analysis import PerformanceAnalyzer
from jimbo.training.settings import named_values, read_experiments, read_trainer_config

OutDir = Annotated[
    Path, typer.Option("--out", "--out-dir", metavar="DIR", help="Write everything into a new folder in here.")
]


def compare(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Experiments as a YAML list.")],
    out_dir: OutDir = Path("benchmarks"),
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
        check_folder(out_dir)
    except ValueError as error:
        fail(str(error))
    except OSError as error:
        fail(f"{out_dir} cannot be used: {reason(error)}")
    with report_errors(f"Results so far are in {out_dir}; the same command starts over in a new folder."):
        check_installed(NEEDED, "train")
        from jimbo.env import create_balatro_env
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
    try:
        named = {**named_values(option or []), "algorithm": algorithm}
        config = read_trainer_config(None, preset, named)
        if out_dir:
            check_folder(out_dir)
    except ValueError as error:
        fail(str(error))
    except OSError as error:
        fail(f"{out_dir} cannot be used: {reason(error)}")
    analyzer = PerformanceAnalyzer(f"Training {algorithm}: steps a second")
    with report_errors("Nothing was written; the same command starts over."):
        check_installed(NEEDED, "train")
        from jimbo.training.performance_analysis import SIZES, measure_throughput

        with make_progress(make_console(stderr=True), "{task.completed:.0f} of {task.total:.0f} measured") as bar:
            for count in bar.track(n_envs or SIZES, description=algorithm):
                analyzer.add(**measure_throughput(config, count, steps).to_dict())
        if out_dir:
            analyzer.export_json(out_dir / "throughput.json")
            analyzer.export_csv(out_dir / "throughput.csv")
            analyzer.generate_html_report(out_dir / "throughput.html")
            analyzer.plot_throughput_comparison(out_dir / "throughput.png")
    if as_json:
        typer.echo(json.dumps(analyzer.rows))
    else:
        make_console().print(_table(analyzer), crop=False)


def _table(analyzer: PerformanceAnalyzer) -> Table:
    table = Table(title=analyzer.title, title_justify="left", box=None)
    for heading in ("games", "steps/s", "steps/CPU-s", "memory", "in games", "learning", "choosing"):
        table.add_column(heading, justify="right")
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
