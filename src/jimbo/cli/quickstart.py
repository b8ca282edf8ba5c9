"""``jimbo quickstart``: games, dataset, training, evaluation and a suggestion, at a small size."""

from __future__ import annotations

import io
import json
import sys
import time
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from jimbo.cli.errors import INTERRUPTED, fail
from jimbo.cli.flags import AsJson
from jimbo.cli.main import loaded
from jimbo.cli.quickstart_real import real_data, real_steps, show_real
from jimbo.cli.quickstart_result import result_data, show
from jimbo.cli.quickstart_steps import Command, Places, Sizes, Step, steps, write_state
from jimbo.cli.real_game import check_games, read_urls
from jimbo.colours import CYAN, QUIET
from jimbo.console import make_console
from jimbo.extras import check_installed
from jimbo.files import reason
from jimbo.run_folder import check_empty_or_ours
from jimbo.signals import one_interrupt

_NEEDED = ("pyarrow", "torch", "safetensors", "onnx", "onnxruntime", "matplotlib", "tensorboard")
_FOLDER = Path("jimbo-quickstart")


class _Ended(Exception):
    """A command did not come to its end; it has said why."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def quickstart(
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Write everything here; run the same command again to resume.")
    ] = _FOLDER,
    base_urls: Annotated[
        list[str] | None,
        typer.Option(
            "--base-urls",
            "--base-url",
            metavar="URL",
            help="Play at the real game, which runs there.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """From nothing to a network that plays, in minutes: games, dataset, training, evaluation, a suggestion.

    Each step is an ordinary command, and is shown. Ctrl-C stops; run the same command to resume.
    """
    places, console = Places(out), make_console(stderr=as_json)
    begun = time.monotonic()
    urls = _urls(base_urls)
    _prepare(places)
    planned = real_steps(places, urls) if urls else steps(places, Sizes())
    found = take_steps(planned, console, as_json)
    seconds = time.monotonic() - begun
    if as_json:
        data = real_data(places, planned, found, seconds) if urls else result_data(places, Sizes(), found, seconds)
        typer.echo(json.dumps(data))
    elif urls:
        show_real(console, places, urls, seconds)
    else:
        show(console, places, Sizes(), seconds)


def _urls(texts: list[str] | None) -> list[str]:
    """Those of games that answer; none for the simulator."""
    if texts is None:
        return []
    try:
        urls = read_urls(texts)
        check_games(urls)
    except ValueError as error:
        fail(str(error))
    return urls


def take_steps(planned: Sequence[Step], console: Console, as_json: bool) -> dict[str, Any]:
    """What the steps found."""
    found: dict[str, Any] = {}
    for number, step in enumerate(planned, start=1):
        _announce(console, step, f"{number} of {len(planned)}")
        try:
            with one_interrupt():
                found |= _taken(console, step, as_json)
        except (KeyboardInterrupt, typer.Abort):
            _stop(INTERRUPTED, number, len(planned))
        except _Ended as ended:
            _stop(ended.code, number, len(planned))
    return found


def _prepare(places: Places) -> None:
    """What is missing is told before anything is played."""
    try:
        check_installed(_NEEDED, "train")
        check_empty_or_ours(places.out, places.state.name)
        write_state(places.state)
    except (ImportError, ValueError) as error:
        fail(str(error))
    except OSError as error:
        fail(f"{places.state} cannot be written: {reason(error)}. Choose another --out.")


def _taken(console: Console, step: Step, as_json: bool) -> dict[str, Any]:
    """Runs the commands of a step; what they print is theirs, and their JSON is ours."""
    found: dict[str, Any] = {}
    for command in step.commands:
        console.print(Text(f"$ {command}", style=CYAN), soft_wrap=True)
        if as_json:
            printed = _printed(command)
            found |= {command.result: json.loads(printed)} if command.result else {}
        else:
            sys.stdout.flush()
            _run(command.args)
    return found


def _printed(command: Command) -> str:
    text = io.StringIO()
    with redirect_stdout(text):
        _run((*command.args, "--json") if command.result else command.args)
    return text.getvalue()


def _run(args: tuple[str, ...]) -> None:
    """Just as if it had been typed."""
    verb, *rest = args
    if code := loaded(verb).main(args=rest, prog_name=f"jimbo {verb}", standalone_mode=False):
        raise _Ended(code)


def _announce(console: Console, step: Step, place: str) -> None:
    console.print(Text.assemble("\n", (f"{place}: {step.title}", f"bold {CYAN}")))
    console.print(Text(step.why, style=QUIET))


def _stop(code: int, number: int, of: int) -> None:
    advice = (
        "run the same command to resume" if code == INTERRUPTED else "run the same command to resume once this is fixed"
    )
    typer.echo(f"The quickstart was stopped at step {number} of {of}; {advice}.", err=True)
    raise typer.Exit(code)
