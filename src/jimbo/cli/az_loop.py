"""``jimbo az loop``: a live table while actors, trainer and gate take turns, and the results of its iterations."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.live import Live
from rich.table import Table

from jimbo.az.settings import LoopConfig
from jimbo.cli.errors import AGENT_FAILED, report_errors
from jimbo.cli.training import watched
from jimbo.console import make_console
from jimbo.text import percent_text
from jimbo.train.core.watching import Watcher

if TYPE_CHECKING:
    from jimbo.az.loop import Loop, LoopState

_PHASES = {"play": "playing", "train": "learning", "gate": "evaluating"}
_SHOWN = 12
"""Iterations in the table."""
_AGAIN = 0.5


def loop(settings: LoopConfig, as_json: bool) -> None:
    from jimbo.az.loop import PICTURE, LoopFailed, run_loop
    from jimbo.az.models import BEST

    folder = Path(settings.stats).parent
    try:
        with report_errors(folder), _Screen() as screen:
            state = run_loop(settings, screen.show)
    except LoopFailed as error:
        typer.echo(f"jimbo: {error}", err=True)
        raise typer.Exit(AGENT_FAILED) from None
    if as_json:
        typer.echo(json.dumps({"iterations": state.iteration, "seconds": state.seconds, "history": state.history}))
    else:
        make_console().print(_iterations(state, len(state.history)), crop=False)
    best = Path(settings.model_dir) / BEST
    typer.echo(f"The best model is {best}; {folder / PICTURE} shows how strong each was.", err=True)


class _Screen:
    """A live table on a terminal; a line for each iteration anywhere else."""

    def __init__(self) -> None:
        self._console = make_console(stderr=True)
        self._live = Live(console=self._console, auto_refresh=False, transient=True)
        self._next = 0.0
        self._shown: int | None = None
        self._watcher = watched(Watcher())
        self._told: int | None = None

    def __enter__(self) -> _Screen:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def show(self, now: Loop) -> None:
        self._tell(now)
        if self._console.is_terminal:
            if time.monotonic() >= self._next:
                self._next = time.monotonic() + _AGAIN
                self._live.update(_table(now), refresh=True)
            return
        done = len(now.state.history)
        for row in now.state.history[done if self._shown is None else self._shown :]:
            typer.echo(_line(row), err=True)
        self._shown = done

    def _tell(self, now: Loop) -> None:
        """Tell an aggregator of events about iterations that are new, if anybody wants to know."""
        state = now.state
        self._watcher.progress(
            _PHASES[state.phase], min(now.episodes, now.config.episodes), now.config.episodes, "games"
        )
        for row in state.history[len(state.history) if self._told is None else self._told :]:
            self._watcher.row(row, bool(row["promoted"]))
        self._told = len(state.history)


def _table(now: Loop) -> Table:
    from jimbo.az.stats import read_stats

    state, config = now.state, now.config
    stats = read_stats(Path(config.stats), config.env_id)
    table = Table.grid(padding=(0, 2))
    table.add_row(f"{config.env_id}, iteration {state.iteration + 1} of {config.iterations}", _PHASES[state.phase])
    table.add_row("games", f"{now.episodes:,} of {config.episodes:,}, {now.games_per_s:.1f} a second")
    table.add_row("store", f"{now.rows:,} moves to learn from")
    table.add_row("actors", f"{len(now.crew)}" + (f", {now.crew.deaths} started again" if now.crew.deaths else ""))
    if stats.step:
        goal = (state.iteration + 1) * config.steps
        losses = f"policy {stats.policy_loss:.3f}, value {stats.value_loss:.3f}"
        table.add_row("step", f"{stats.step:,} of {goal:,}, {losses}, lr {stats.learning_rate:.2g}")
    outer = Table.grid()
    outer.add_row(table)
    if state.history:
        outer.add_row(_iterations(state, _SHOWN))
    return outer


def _iterations(state: LoopState, count: int) -> Table:
    table = Table(box=None)
    for heading in ("iteration", "games", "minutes", "beats random", "against best", "optimal moves", ""):
        table.add_column(heading, justify="right")
    for row in state.history[-count:]:
        table.add_row(
            f"{row['iteration'] + 1}",
            f"{row['episodes']:,}",
            f"{row['seconds'] / 60:.1f}",
            *(_share(row[name]) for name in ("random_win_rate", "best_score", "optimal_moves")),
            "new best" if row["promoted"] else "",
        )
    return table


def _share(value: float | None) -> str:
    return "" if value is None else percent_text(value)


def _line(row: Mapping[str, Any]) -> str:
    parts = [f"iteration {row['iteration'] + 1}: {row['episodes']:,} games, {row['seconds'] / 60:.1f} minutes"]
    for name, words in (
        ("random_win_rate", "beats random"),
        ("best_score", "against best"),
        ("optimal_moves", "optimal"),
    ):
        if row[name] is not None:
            parts.append(f"{words} {percent_text(row[name])}")
    return ", ".join(parts + ["new best"] * row["promoted"])
