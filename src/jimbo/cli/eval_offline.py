"""``jimbo eval --offline``: a network against recorded games."""

import json
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from jimbo.cli.agent_flags import network_file
from jimbo.cli.errors import INTERRUPTED, fail
from jimbo.console import make_console
from jimbo.data.samples import Samples, check_named_once, read_samples
from jimbo.eval.folders import OFFLINE, REPORT
from jimbo.eval.offline import Offline, offline, offline_data
from jimbo.eval.store import write_json
from jimbo.files import reason, write_text
from jimbo.models.runtime import OnnxPolicy, load_policy
from jimbo.report import html, terminal
from jimbo.report.offline import offline_report
from jimbo.run_folder import RunFolder
from jimbo.signals import one_interrupt


def eval_offline(model: Path | None, datasets: Sequence[Path], out: Path | None, as_json: bool) -> None:
    """Evaluate a network on recorded games, show the result, and keep it in the folder."""
    with ExitStack() as locks, one_interrupt():
        try:
            _check(datasets)
            policy = load_policy(network_file(model) if model else None)
            if out:
                locks.enter_context(RunFolder(out, mark=OFFLINE))
            result = _judged(policy, read_samples(datasets))
            data = offline_data(result, policy.path, datasets)
        except (ValueError, ImportError) as error:
            fail(str(error))
        except KeyboardInterrupt:
            typer.echo("Stopped. Nothing was written.", err=True)
            raise typer.Exit(INTERRUPTED) from None
        report = offline_report(result, str(model or policy.path.name))
        if as_json:
            typer.echo(json.dumps(data))
        else:
            make_console().print(terminal(report), crop=False)
        if out:
            _keep(out, data, html(report))


def _check(datasets: Sequence[Path]) -> None:
    if not datasets:
        raise ValueError("--offline is about recorded games: name them with --dataset FILE.")
    check_named_once(datasets)


def _judged(policy: OnnxPolicy, samples: Samples) -> Offline:
    console = make_console(stderr=True)
    columns = (
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} decisions"),
        BarColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=len(samples))
        return offline(policy, samples, lambda more: progress.update(task, advance=more), foresees=policy.foresees)


def _keep(out: Path, data: dict[str, object], page: str) -> None:
    try:
        write_json(out / OFFLINE, data)
        write_text(out / REPORT, page)
    except OSError as error:
        fail(f"The result cannot be written to {out}: {reason(error)}.")
    typer.echo(f"Kept in {out}.", err=True)
