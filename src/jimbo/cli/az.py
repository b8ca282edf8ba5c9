"""``jimbo az``: learning by self-play. Actors and a trainer that meet in a store and a folder, and a loop over both."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import typer

from jimbo.az.schema import SchemaError
from jimbo.az.settings import ActorConfig, EvaluatorConfig, LoopConfig, TrainConfig, read_settings
from jimbo.cli.az_loop import loop
from jimbo.cli.az_options import Given, command_of
from jimbo.cli.commands import Verbs
from jimbo.cli.errors import fail
from jimbo.extras import check_installed
from jimbo.files import read_text, sentence
from jimbo.signals import one_interrupt

T = TypeVar("T")
_FORMAT = "%(asctime)s %(message)s"


def _actor(given: Given, config: Path | None, as_json: bool) -> None:
    settings = _told(lambda: read_settings(ActorConfig, given, os.environ, config), ("onnxruntime",), "models")
    _log(settings.log_level)
    from jimbo.az.actor import run_actor

    raise typer.Exit(run_actor(settings))


def _train(given: Given, config: Path | None, as_json: bool) -> None:
    settings = _told(lambda: read_settings(TrainConfig, given, os.environ, config), ("torch", "onnx"), "train")
    _log(settings.log_level)
    from jimbo.az.trainer import run_trainer

    code = run_trainer(settings)
    if as_json and Path(settings.stats).is_file():
        typer.echo(json.dumps(json.loads(read_text(Path(settings.stats)))))
    raise typer.Exit(code)


def _evaluate(given: Given, config: Path | None, as_json: bool) -> None:
    settings = _told(lambda: read_settings(EvaluatorConfig, given, os.environ, config), ("onnxruntime",), "models")
    _log(settings.log_level)
    from jimbo.az.evaluator import evaluate
    from jimbo.models.checkpoint import BadModel

    try:
        with one_interrupt():
            found = evaluate(settings, typer.echo if settings.verbose and not as_json else None)
    except (BadModel, SchemaError) as error:
        typer.echo(f"jimbo: {sentence(str(error))}", err=True)
        raise typer.Exit(1) from None
    except ValueError as error:
        fail(str(error))
    typer.echo(json.dumps(found.data()) if as_json else found.text())


def _told(read: Callable[[], T], needed: tuple[str, ...], extra: str) -> T:
    try:
        check_installed(needed, extra)
        return read()
    except (ValueError, ImportError) as error:
        fail(str(error))


def _log(level: str) -> None:
    logging.basicConfig(level=level, format=_FORMAT)


app = Verbs(help="Learn by self-play: actors, a trainer, an evaluator, a loop.", no_args_is_help=True)
app.command("actor")(
    command_of(ActorConfig, _actor, "Play against itself with the newest model, and write the games to the store.")
)
app.command("train")(command_of(TrainConfig, _train, "Train on the games in the store, and write models."))
app.command("evaluate")(
    command_of(EvaluatorConfig, _evaluate, "Let a model play against random play, another model or a solver.")
)
app.command("loop")(
    command_of(
        LoopConfig, loop, "Actors, training and gate, iteration after iteration. Run the same command to resume."
    )
)
