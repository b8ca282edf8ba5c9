"""``jimbo quickstart``: games, dataset, training, evaluation and a suggestion, at a small size.

Each of its steps is a heading and the plain commands that it stands for.
"""

from __future__ import annotations

import io
import json
import shlex
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from jimbo.cli.errors import INTERRUPTED, report_errors
from jimbo.cli.flags import AsJson
from jimbo.cli.main import loaded
from jimbo.cli.real_game import check_games, read_urls
from jimbo.colours import CYAN, QUIET
from jimbo.console import make_console
from jimbo.engine import Action, Run
from jimbo.eval.store import SUMMARY
from jimbo.extras import check_installed
from jimbo.files import read_text, write_text
from jimbo.report import TextTable
from jimbo.report.render import rich_table
from jimbo.run_folder import check_empty_or_ours
from jimbo.signals import one_interrupt
from jimbo.text import percent_text

SCHEMA, REAL_SCHEMA = "jimbo_quickstart_v1", "jimbo_quickstart_real_v1"
NETWORK = "network"
_NEEDED = ("pyarrow", "torch", "safetensors", "onnx", "onnxruntime", "matplotlib", "tensorboard")
_FOLDER = Path("jimbo-quickstart")
_SEED = "TESTSEED"
_TUTORIAL = "docs/tutorial.md goes through all of this step by step."


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
        console.print(Text(f"Open the page in a browser: {page(places)}"), soft_wrap=True)


def _urls(texts: list[str] | None) -> list[str]:
    """Return addresses of games that answer; none for the simulator."""
    if texts is None:
        return []
    with report_errors():
        urls = read_urls(texts)
        check_games(urls)
    return urls


def take_steps(planned: Sequence[QuickstartStep], console: Console, as_json: bool) -> dict[str, Any]:
    """Run the steps; return what they found."""
    found: dict[str, Any] = {}
    for number, step in enumerate(planned, start=1):
        _head(console, f"{number} of {len(planned)}: {step.title}")
        console.print(Text(step.why, style=QUIET))
        try:
            with one_interrupt():
                found |= _taken(console, step, as_json)
        except (KeyboardInterrupt, typer.Abort):
            _stop(INTERRUPTED, number, len(planned))
        except typer.Exit as ended:
            _stop(ended.exit_code, number, len(planned))
    return found


def _prepare(places: QuickstartFiles) -> None:
    """Check before anything is played that nothing is missing."""
    with report_errors():
        check_installed(_NEEDED, "train")
        check_empty_or_ours(places.out, places.state.name)
        _write_state(places.state)


def _write_state(path: Path) -> None:
    """Write the state that is asked about: the first hand of a run."""
    if not path.exists():
        run = Run(deck="b_red", stake="white", seed=_SEED)
        run.step(Action("select_blind"))
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, run.public_state().to_json() + "\n")


def _taken(console: Console, step: QuickstartStep, as_json: bool) -> dict[str, Any]:
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


def _printed(command: TypedCommand) -> str:
    text = io.StringIO()
    with redirect_stdout(text):
        _run((*command.args, "--json") if command.result else command.args)
    return text.getvalue()


def _run(args: tuple[str, ...]) -> None:
    """Run a command as if it had been typed."""
    verb, *rest = args
    if code := loaded(verb).main(args=rest, prog_name=f"jimbo {verb}", standalone_mode=False):
        raise typer.Exit(code)


def _stop(code: int, number: int, of: int) -> None:
    fixed = "" if code == INTERRUPTED else " once this is fixed"
    typer.echo(f"The quickstart was stopped at step {number} of {of}; run the same command to resume{fixed}.", err=True)
    raise typer.Exit(code)


# --- The result -------------------------------------------------------------------------------------------------------


def _figures(places: QuickstartFiles, following: Mapping[TypedCommand, str]) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "agents": _agent_rows(places),
        "files": [str(path) for path in places.files()],
        "next": [str(command) for command in following],
    }


def _agent_rows(places: QuickstartFiles) -> list[dict[str, Any]]:
    """Return how well each agent played."""
    rows = json.loads(read_text(places.online / SUMMARY))["rows"]
    wanted = ("games", "ante1_clear", "mean_ante", "wins")
    return [{"agent": row["strategy"], **{name: row[name] for name in wanted}} for row in rows]


def _agents(places: QuickstartFiles) -> Table:
    lines = [
        (row["agent"], f"{row['games']}", percent_text(row["ante1_clear"]), f"{row['mean_ante']:.2f}", f"{row['wins']}")
        for row in _agent_rows(places)
    ]
    return rich_table(TextTable(("agent", "games", "ante 1 cleared", "mean ante", "won"), lines))


def _head(console: Console, text: str) -> None:
    console.print(Text(f"\n{text}", style=f"bold {CYAN}"))


def _commands(console: Console, commands: Mapping[TypedCommand, str]) -> None:
    for command, what in commands.items():
        console.print(Text(what, style=QUIET))
        console.print(Text(f"  {command}"), soft_wrap=True)  # it is copied as it is, so it is not broken into lines


def _pairs(console: Console, pairs: Sequence[tuple[str, str]]) -> None:
    width = max(len(name) for name, _ in pairs)
    for name, what in pairs:
        console.print(Text.assemble(f"{name:<{width}}  ", (what, QUIET)), soft_wrap=True)


# --- The steps --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sizes:
    """Enough for a network that clearly beats greedy, in little time: an expert game costs most of a second."""

    games: int = 80
    judged: int = 15
    epochs: int = 4
    seeds: int = 50
    effort: float = 0.1


REAL_SIZES = Sizes(games=2, judged=1, epochs=1, seeds=1)
"""Games of the real game take minutes: these show only that all is set up as it should be."""


class TypedCommand(NamedTuple):
    """What would be typed after ``jimbo``."""

    args: tuple[str, ...]
    result: str = ""
    """The name of what it finds in the JSON object; empty for a command without ``--json``."""

    def __str__(self) -> str:
        return shlex.join(["jimbo", *self.args])


class QuickstartStep(NamedTuple):
    title: str
    why: str
    commands: tuple[TypedCommand, ...]


class QuickstartFiles(NamedTuple):
    """Where everything is, in the folder of a quickstart."""

    out: Path
    games: Path
    judged: Path
    network: Path
    offline: Path
    online: Path
    state: Path

    def files(self) -> dict[Path, str]:
        """Return what to look at, with what it is."""
        return {
            self.games: "the games for training",
            self.judged: "the games for validation",
            self.network / "best.onnx": "the network; it plays without torch",
            self.network / "training.png": "the course of the training",
            self.offline / "report.html": "how well it knows the expert's games",
            self.online / "summary.md": "how well it plays",
            self.state: "what the player sees before the first hand",
        }


def places_in(out: Path, ending: str = "parquet") -> QuickstartFiles:
    names = (f"games.{ending}", f"judged.{ending}", NETWORK, "offline", "online", "state.json")
    return QuickstartFiles(out, *(out / name for name in names))


def steps(places: QuickstartFiles, sizes: Sizes) -> Sequence[QuickstartStep]:
    offline = ("--model", str(places.network), "--dataset", str(places.judged), "--out", str(places.offline))
    network = f"{NETWORK}=network model={shlex.quote(str(places.network))}"
    players = (network, "random", "greedy", f"expert effort={sizes.effort:g}")
    return (
        QuickstartStep(
            "Games of the expert",
            "Most games are for training, some on other seeds for validation. The expert plays at low effort here.",
            _rollouts(places, sizes),
        ),
        _data_step(places),
        QuickstartStep(
            "Training",
            "A tiny network learns to choose as the expert did, and to foresee how the game ends.",
            (_train(places, *_learning(places, sizes)),),
        ),
        QuickstartStep(
            "Offline evaluation",
            "Would it choose the same in games that it has not seen? Does it know how they end?",
            (TypedCommand(("eval", "--offline", *offline), "offline"),),
        ),
        QuickstartStep(
            "Online evaluation",
            "The network plays by itself, without search, on the same seeds as the others.",
            (TypedCommand(("ablation", *players, "--games", str(sizes.seeds), "--out", str(places.online)), "online"),),
        ),
        _suggestion_step(places),
    )


def real_steps(places: QuickstartFiles, urls: Sequence[str], sizes: Sizes = REAL_SIZES) -> Sequence[QuickstartStep]:
    where = ("--backend", "real", "--base-urls", ",".join(urls))
    online = ("--model", str(places.network), "--games", str(sizes.seeds), "--out", str(places.online))
    return (
        QuickstartStep(
            "Games of the expert at the real game",
            "Each decision is sent to the game, and what the game showed is written down.",
            _rollouts(places, sizes, *where),
        ),
        _data_step(places),
        QuickstartStep(
            "Training",
            "A few games are too few for a good network; this shows that training on them works.",
            (_train(places, *_learning(places, sizes), "--val", str(places.judged)),),
        ),
        QuickstartStep(
            "Online evaluation at the real game",
            "The network plays by itself, without search.",
            (TypedCommand(("eval", *where, *online), "online"),),
        ),
        _suggestion_step(places),
    )


def next_steps(places: QuickstartFiles, sizes: Sizes) -> dict[TypedCommand, str]:
    """Return commands that continue from here, with what for."""
    more = places.out / "more.parquet"
    teacher = (*_teacher(sizes)[2:], "--games", "40")
    return {
        TypedCommand(("watch", "--agent", "network", "--set", f"model={places.network}")): "see it play",
        TypedCommand(("assist", "--model", str(places.network))): "play with it at your side",
        TypedCommand(("eval", "--model", str(places.network), "--games", "500")): "measure it more closely",
        TypedCommand(_rollout(more, 1000, sizes)): "more games to learn from",
        TypedCommand(("train", "pv", "--data", str(more), "--out", str(places.out / "small"))): (
            "a larger network learns from them"
        ),
        TypedCommand(("train", "dagger", *_learning(places, sizes), *teacher, "--out", str(places.out / "dagger"))): (
            "the network plays, and the expert corrects it"
        ),
        page(places): "the page: play with an adviser, and the curves of this training",
    }


def page(places: QuickstartFiles) -> TypedCommand:
    """Return the command that opens the page with what was made here."""
    return TypedCommand(("web", "--open", "--runs", str(places.out)))


def next_real_steps(places: QuickstartFiles, urls: Sequence[str]) -> dict[TypedCommand, str]:
    return {
        TypedCommand(("data", "validate", str(places.games))): "would the simulator have shown the same at every step?",
        TypedCommand(("assist", "--backend", "real", "--base-url", urls[0])): "suggestions while you play",
        TypedCommand(("quickstart",)): "the same with many games of the simulator, and a network worth the name",
        page(places): "the page: play with an adviser, and the curves of this training",
    }


def _rollouts(places: QuickstartFiles, sizes: Sizes, *where: str) -> tuple[TypedCommand, TypedCommand]:
    judged = _rollout(places.judged, sizes.judged, sizes, *where, "--seed-prefix", "JUDGED")
    return TypedCommand(_rollout(places.games, sizes.games, sizes, *where)), TypedCommand(judged)


def _rollout(out: Path, games: int, sizes: Sizes, *more: str) -> tuple[str, ...]:
    return ("rollout", *_teacher(sizes), "--games", str(games), *more, "--out", str(out))


def _teacher(sizes: Sizes) -> tuple[str, ...]:
    # Candidates have no moves of jokers and cards, so a network cannot learn them.
    return ("--agent", "expert", "--effort", f"{sizes.effort:g}", "--set", "joker_order=false")


def _data_step(places: QuickstartFiles) -> QuickstartStep:
    return QuickstartStep(
        "What the games hold",
        "Every decision, with what else could have been done and what the expert thought of it.",
        (TypedCommand(("data", "summary", str(places.games)), "dataset"),),
    )


def _train(places: QuickstartFiles, *how: str) -> TypedCommand:
    return TypedCommand(("train", "pv", *how, "--out", str(places.network)), "training")


def _learning(places: QuickstartFiles, sizes: Sizes) -> tuple[str, ...]:
    # Few games give few steps, unless the batches are small.
    return ("--data", str(places.games), "--size", "tiny", "--epochs", str(sizes.epochs), "--batch-size", "64")


def _suggestion_step(places: QuickstartFiles) -> QuickstartStep:
    return QuickstartStep(
        "A suggestion",
        "What would the network do with the first hand of a run?",
        (TypedCommand(("advise", str(places.state), "--model", str(places.network)), "suggestion"),),
    )
