"""``jimbo az``: learning by self-play. Actors and a trainer that meet in a store and a folder, and a loop over both.

Every command has a flag for each of its declared settings.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from jimbo.az.schema import SchemaError
from jimbo.az.settings import ActorConfig, AzSettings, EvaluatorConfig, LoopConfig, TrainConfig, read_settings
from jimbo.cli.az_loop import loop
from jimbo.cli.commands import Verbs
from jimbo.cli.errors import fail
from jimbo.cli.flags import AsJson, Telemetry
from jimbo.cli.settings_flags import describe, keyword, options_of
from jimbo.declared import fields_of
from jimbo.extras import check_installed
from jimbo.files import read_text, sentence
from jimbo.league.players import registered_file
from jimbo.signals import one_interrupt

T = TypeVar("T", bound=AzSettings)
_FORMAT = "%(asctime)s %(message)s"
_PLAY = (("onnxruntime",), "models")
_TRAIN = (("torch", "onnx"), "train")
_LOOP = (("torch", "onnx", "onnxruntime"), "train")
"""Packages that a command needs, and the extra that brings them."""
_Config = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        envvar="JIMBO_AZ_CONFIG",
        help="Settings as YAML; options and environment variables override them.",
    ),
]


def command_of(
    kind: type[T], needs: tuple[tuple[str, ...], str], run: Callable[[T, bool], None], about: str
) -> Callable[..., None]:
    """Return a command with a flag for each field: ``run`` takes the settings, and whether JSON is wanted."""

    def command(*, config: Path | None, as_json: bool, telemetry: list[str] | None = None, **given: Any) -> None:
        try:
            check_installed(*needs)
            plain = {name: registered_file(value) if isinstance(value, str) else value for name, value in given.items()}
            told = {name: value for name, value in plain.items() if value is not None}
            settings = read_settings(kind, told, os.environ, config)
        except (ValueError, ImportError) as error:
            fail(str(error))
        run(settings, as_json)

    command.__doc__ = about
    options = options_of(kind, [entry.name for entry in fields_of(kind)])
    parameters = {name: keyword(name, hint) for name, hint in options.items()}
    parameters |= {"config": keyword("config", _Config), "as_json": keyword("as_json", AsJson, False)}
    if kind in (LoopConfig, TrainConfig):  # the others are their parts, and have logs
        parameters["telemetry"] = keyword("telemetry", Telemetry)
    describe(command, parameters)
    return command


def _actor(settings: ActorConfig, as_json: bool) -> None:
    logging.basicConfig(level=settings.log_level, format=_FORMAT)
    from jimbo.az.actor import run_actor

    raise typer.Exit(run_actor(settings))


def _train(settings: TrainConfig, as_json: bool) -> None:
    logging.basicConfig(level=settings.log_level, format=_FORMAT)
    from jimbo.az.trainer import run_trainer

    code = run_trainer(settings)
    if as_json and Path(settings.stats).is_file():
        typer.echo(json.dumps(json.loads(read_text(Path(settings.stats)))))
    raise typer.Exit(code)


def _evaluate(settings: EvaluatorConfig, as_json: bool) -> None:
    logging.basicConfig(level=settings.log_level, format=_FORMAT)
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


app = Verbs(help="Learn by self-play: actors, a trainer, an evaluator, a loop.", no_args_is_help=True)
app.command("actor")(
    command_of(
        ActorConfig, _PLAY, _actor, "Play against itself with the newest model, and write the games to the store."
    )
)
app.command("train")(command_of(TrainConfig, _TRAIN, _train, "Train on the games in the store, and write models."))
app.command("evaluate")(
    command_of(EvaluatorConfig, _PLAY, _evaluate, "Let a model play against random play, another model or a solver.")
)
app.command("loop")(
    command_of(
        LoopConfig, _LOOP, loop, "Actors, training and gate, iteration after iteration. Run the same command to resume."
    )
)
