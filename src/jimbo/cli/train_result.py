"""What a training leaves behind, on the terminal."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.table import Table

from jimbo.console import make_console
from jimbo.text import percent_text
from jimbo.train.networks.watching import Progress

if TYPE_CHECKING:
    from jimbo.train.networks.playing import Played

_LOSSES = {
    "policy": "cross-entropy of the choice",
    "win": "log loss of P(win)",
    "clear": "log loss of P(clear), six blinds ahead",
    "ante": "log loss of the final ante",
}


def show(out: Path, progress: Progress, games: Sequence[Played], as_json: bool) -> None:
    best = progress.history[progress.best_epoch - 1]
    if as_json:
        typer.echo(json.dumps({"out_dir": str(out), "best": best, "games": [asdict(one) for one in games]}))
    else:
        console = make_console()
        console.print(_learnt(progress, best), crop=False)
        if games:
            console.print(_played(games), crop=False)
    trial = shlex.join(["jimbo", "eval", "--model", str(out)])
    typer.echo(f"Kept in {out}: best.onnx plays, training.png shows the training. Let it play: {trial}", err=True)


def _learnt(progress: Progress, best: Mapping[str, Any]) -> Table:
    title = f"The best of {progress.epoch} epochs: number {progress.best_epoch}"
    table = Table(title=title, title_justify="left", box=None, show_header=False)
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


def _played(games: Sequence[Played]) -> Table:
    table = Table(title=f"Games played on the same {games[0].summary.games} seeds", title_justify="left", box=None)
    for heading in ("network", "won", "ante 1 cleared", "mean ante", "antes more than the first"):
        table.add_column(heading, justify="left" if heading == "network" else "right")
    for one in games:
        summary = one.summary
        table.add_row(
            one.name,
            percent_text(summary.win_rate),
            percent_text(summary.ante1_clear),
            f"{summary.mean_ante:.2f}",
            _difference(one),
        )
    return table


def _difference(one: Played) -> str:
    if one.against_first is None:
        return ""
    antes = one.against_first.antes
    between = f" ({antes.ci95[0]:+.2f} to {antes.ci95[1]:+.2f})" if antes.ci95 else ""
    return f"{antes.mean:+.2f}{between}"
