"""``jimbo quickstart``: games, dataset, training, evaluation and a suggestion, at a small size."""

from __future__ import annotations

import io
import json
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from jimbo.cli.errors import INTERRUPTED, fail
from jimbo.cli.flags import AsJson
from jimbo.cli.main import loaded
from jimbo.cli.quickstart_steps import (
    Command,
    Places,
    Sizes,
    Step,
    next_real_steps,
    next_steps,
    places_in,
    real_steps,
    steps,
)
from jimbo.cli.real_game import check_games, read_urls
from jimbo.colours import CYAN, QUIET
from jimbo.console import make_console
from jimbo.engine import Action, Run
from jimbo.eval.store import SUMMARY
from jimbo.extras import check_installed
from jimbo.files import read_text, reason, write_text
from jimbo.run_folder import check_empty_or_ours
from jimbo.signals import one_interrupt
from jimbo.text import percent_text

SCHEMA, REAL_SCHEMA = "jimbo_quickstart_v1", "jimbo_quickstart_real_v1"
_NEEDED = ("pyarrow", "torch", "safetensors", "onnx", "onnxruntime", "matplotlib", "tensorboard")
_FOLDER = Path("jimbo-quickstart")
_SEED = "TESTSEED"
_TUTORIAL = "docs/tutorial.md goes through all of this step by step."


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
    console, sizes, begun = make_console(stderr=as_json), Sizes(), time.monotonic()
    urls = _urls(base_urls)
    places = places_in(out, "jsonl" if urls else "parquet")
    _prepare(places)
    planned = real_steps(places, urls) if urls else steps(places, sizes)
    following = next_real_steps(places, urls) if urls else next_steps(places, sizes)
    found = take_steps(planned, console, as_json)
    seconds = time.monotonic() - begun
    if as_json:
        about = {"schema": REAL_SCHEMA} if urls else _figures(places, following)
        commands = [str(command) for step in planned for command in step.commands]
        told = {"out": str(places.out), "seconds": round(seconds, 1), "commands": commands}
        typer.echo(json.dumps({**about, **told, **found}))
    elif urls:
        _head(console, f"Done in {seconds:.0f} seconds: the real game can be played, recorded and used for training.")
        _commands(console, following)
    else:
        _head(console, f"Done in {seconds:.0f} seconds")
        console.print(_agents(places))
        _head(console, "Files")
        _pairs(console, [(str(path), what) for path, what in places.files().items()])
        _head(console, "What to try next")
        _commands(console, following)
        console.print(Text(f"\n{_TUTORIAL}"))


def _urls(texts: list[str] | None) -> list[str]:
    """Return addresses of games that answer; none for the simulator."""
    if texts is None:
        return []
    try:
        urls = read_urls(texts)
        check_games(urls)
    except ValueError as error:
        fail(str(error))
    return urls


def take_steps(planned: Sequence[Step], console: Console, as_json: bool) -> dict[str, Any]:
    """Run the steps; return what they found."""
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
    """Check before anything is played that nothing is missing."""
    try:
        check_installed(_NEEDED, "train")
        check_empty_or_ours(places.out, places.state.name)
        _write_state(places.state)
    except (ImportError, ValueError) as error:
        fail(str(error))
    except OSError as error:
        fail(f"{places.state} cannot be written: {reason(error)}. Choose another --out.")


def _write_state(path: Path) -> None:
    """Write the state that is asked about: the first hand of a run."""
    if not path.exists():
        run = Run(deck="b_red", stake="white", seed=_SEED)
        run.step(Action("select_blind"))
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, run.public_state().to_json() + "\n")


def _taken(console: Console, step: Step, as_json: bool) -> dict[str, Any]:
    """Run the commands of a step; they print for themselves, or their JSON becomes part of ours."""
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
    """Run a command as if it had been typed."""
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


# --- The result -------------------------------------------------------------------------------------------------------


def _figures(places: Places, following: Mapping[Command, str]) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "agents": _agent_rows(places),
        "files": [str(path) for path in places.files()],
        "next": [str(command) for command in following],
    }


def _agent_rows(places: Places) -> list[dict[str, Any]]:
    """Return how well each agent played."""
    rows = json.loads(read_text(places.online / SUMMARY))["rows"]
    wanted = ("games", "ante1_clear", "mean_ante", "wins")
    return [{"agent": row["strategy"], **{name: row[name] for name in wanted}} for row in rows]


def _agents(places: Places) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style=QUIET)
    table.add_column("agent")
    for name in ("games", "ante 1 cleared", "mean ante", "won"):
        table.add_column(name, justify="right")
    for row in _agent_rows(places):
        figures = (f"{row['games']}", percent_text(row["ante1_clear"]), f"{row['mean_ante']:.2f}", f"{row['wins']}")
        table.add_row(row["agent"], *figures)
    return table


def _head(console: Console, text: str) -> None:
    console.print(Text(f"\n{text}", style=f"bold {CYAN}"))


def _commands(console: Console, commands: Mapping[Command, str]) -> None:
    for command, what in commands.items():
        console.print(Text(what, style=QUIET))
        console.print(Text(f"  {command}"), soft_wrap=True)  # it is copied as it is, so it is not broken into lines


def _pairs(console: Console, pairs: Sequence[tuple[str, str]]) -> None:
    width = max(len(name) for name, _ in pairs)
    for name, what in pairs:
        console.print(Text.assemble(f"{name:<{width}}  ", (what, QUIET)), soft_wrap=True)
