"""``jimbo bench``: how fast the engine, a network, the environments and the real game are on this machine."""

import json
import os
import platform
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from jimbo import __version__, system
from jimbo.cli.agent_flags import network_file
from jimbo.cli.commands import Group, Verbs
from jimbo.cli.errors import fail, report_errors
from jimbo.cli.flags import AsJson
from jimbo.console import make_console, make_progress
from jimbo.engine.bench import FIGURES, REPEATS, STATE_BYTES, Rates, measure, signature
from jimbo.extras import check_installed
from jimbo.files import add_line, reason
from jimbo.report import TextTable
from jimbo.report.render import rich_table
from jimbo.text import counted

ROOT = Path(__file__).resolve().parents[3]
HISTORY = ROOT / "benchmarks" / "history.jsonl"
DEFAULT_MODEL = "default"
STEPS = len(FIGURES) + 3  # and threads, draws, signature


class _Bench(Group):
    default = "engine"


app = Verbs(cls=_Bench, help="Measure how fast the engine, a network, the environments and the real game are here.")
Model = Annotated[
    str, typer.Argument(metavar="[MODEL]", help="An .onnx file, the folder of a training, or default: the package's.")
]


@app.command()
def engine(
    as_json: AsJson = False,
    threads: Annotated[
        int, typer.Option(min=2, max=1024, metavar="N", help="Threads to compare with a single one.")
    ] = 2,
    record: Annotated[bool, typer.Option("--record", help="Append the figures to benchmarks/history.jsonl.")] = False,
    of_model: Annotated[str | None, typer.Option("--model", hidden=True)] = None,
) -> None:
    """Measure the engine, and print the signature of its rules.

    Each figure is the median of several repeats in wall-clock time; processor time is shown beside it and says more on
    a machine that others use as well. The signature is a hash over fixed random runs: a change that only makes the
    engine faster leaves it as it is.
    """
    if of_model is not None:
        model(of_model, as_json)
        return
    if record and not HISTORY.parent.is_dir():
        fail(f"--record needs a checkout of the project: there is not a folder {HISTORY.parent}.")
    load = system.load()
    report = _run(threads)
    report["machine"]["load"] = load
    if as_json:
        typer.echo(json.dumps(report, indent=1))
    else:
        _print(report, make_console())
    if record:
        _record(report)


@app.command()
def model(model: Model = DEFAULT_MODEL, as_json: AsJson = False) -> None:
    """Measure a network: one decision alone, and decisions of many games at once, on one core."""
    from jimbo.models.runtime import REPEATS as TIMES  # only where a network is asked for
    from jimbo.models.runtime import ROWS, load_policy, measure_policy

    with report_errors():
        policy = load_policy(None if model == DEFAULT_MODEL else network_file(Path(model)))
    speed = measure_policy(policy)
    if as_json:
        typer.echo(json.dumps({"model": str(policy.path), "hash": policy.hash, **asdict(speed)}))
        return
    typer.echo(f"{policy.path.name}, on one core, processor time, medians of {TIMES}:")
    typer.echo(f"{speed.one_ms:.2f} ms for a decision in a single game,")
    typer.echo(f"{speed.batch_per_s:,.0f} decisions a second in {ROWS} games at once.")


@app.command()
def env(as_json: AsJson = False) -> None:
    """Measure the environments: steps per second of processor time, on one thread."""
    with report_errors():
        check_installed(("gymnasium",), "env")
    from jimbo.env.speed import measured

    rates = {}
    for what, steps in measured():
        rates[what] = round(steps)
        if not as_json:
            typer.echo(f"{what:<56}{steps:>12,.0f} steps/s")
    if as_json:
        typer.echo(json.dumps(rates))


app.lazy_command("real", "jimbo.cli.bench_real:bench_real")
app.lazy_command("sweep", "jimbo.cli.bench_real:sweep")
app.lazy_command("train", "jimbo.cli.train_sb3:throughput")


def _record(report: dict[str, Any]) -> None:
    """Last, so that figures which cannot be recorded are at least shown."""
    line = json.dumps({"date": datetime.now(UTC).isoformat(timespec="seconds"), **report})
    try:
        with HISTORY.open("ab", buffering=0) as file:
            add_line(file, line)
    except OSError as error:
        fail(f"{HISTORY} cannot be written: {reason(error)}.")


def _run(threads: int) -> dict[str, Any]:
    with report_errors(), make_progress(make_console(stderr=True), "{task.fields[now]}") as progress:
        task = progress.add_task("Measuring", total=STEPS, completed=-1, now="")
        rates = measure(threads, on_progress=lambda what: progress.update(task, now=what, advance=1))
        progress.update(task, now="signature", advance=1)
        return _report(rates, threads, signature())


def _report(rates: Rates, threads: int, rules: str) -> dict[str, Any]:
    return {
        **_rounded(rates.wall),
        "state_bytes": STATE_BYTES,
        "signature": rules,
        "cpu": _rounded(rates.cpu),
        "threads": threads,
        "repeats": REPEATS,
        "machine": {"cpu": _cpu_model(), "cores": os.cpu_count()},
        "commit": system.checkout_commit(),
        "version": __version__,
    }


def _rounded(figures: dict[str, float]) -> dict[str, float]:
    return {key: float(f"{value:.4g}") for key, value in figures.items()}


def _cpu_model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, platform.processor() or platform.machine())


def _print(report: dict[str, Any], console: Console) -> None:
    rates = [(each.meaning, f"{report[each.key]:,.0f}", f"{report['cpu'][each.key]:,.0f}") for each in FIGURES]
    console.print(rich_table(TextTable(("per second", "wall", "processor"), rates)))
    console.print(
        f"\nOne random draw takes {report['draw_ns']:.1f} ns ({report['cpu']['draw_ns']:.1f} ns of processor time). "
        f"{report['threads']} threads play {report['thread_speedup']:.2f} times as fast as one. "
        f"A run is {report['state_bytes']:,} bytes.",
        highlight=False,
    )
    machine = report["machine"]
    console.print(
        f"Signature {report['signature']}, commit {report['commit']}, version {report['version']}; "
        f"{machine['cpu']}, {counted(machine['cores'] or 1, 'core')}, load {machine['load']} before; "
        f"medians of {report['repeats']}.",
        highlight=False,
    )
