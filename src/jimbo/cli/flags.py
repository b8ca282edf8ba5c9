"""Options that several commands share: one spelling and one sentence of help for each idea.

The first spelling of an option is the one that help shows. The others are older; they still work.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING
from pathlib import Path
from typing import Annotated, Any

import typer

from jimbo.declared import LARGEST, fields_of
from jimbo.files import reason, sentence

MOST_GAMES = 1_000_000
"""In one command: their seeds are listed first, which takes a while."""
MOST_WORKERS = 1024
MOST_THREADS = 1024
MOST_SECONDS = 1_000_000
"""Eleven days. Clocks and locks do not take much larger numbers."""

# --- What the shell can complete --------------------------------------------------------------------------------------
# Everything is imported when it is asked for: the shell asks for the names of verbs and options far more often.

Completion = tuple[str, str]
"""What is typed, and what is shown next to it."""


def complete_agents(incomplete: str) -> list[Completion]:
    from jimbo.agents.registry import agent_names

    return _starting(incomplete, ((name, "") for name in agent_names()))


def complete_seed_sets(incomplete: str) -> list[Completion]:
    from jimbo.seeds.seed_sets import seed_set_names

    return _starting(incomplete, ((name, "") for name in seed_set_names()))


def complete_decks(incomplete: str) -> list[Completion]:
    from jimbo.engine.catalog import DECKS

    return _keys(incomplete, {key: fact.name for key, fact in DECKS.items() if key != "b_challenge"}, "b_")


def complete_stakes(incomplete: str) -> list[Completion]:
    from jimbo.engine.catalog import STAKES

    return _keys(incomplete, {key: fact.name for key, fact in STAKES.items()}, "stake_")


def complete_challenges(incomplete: str) -> list[Completion]:
    from jimbo.engine.catalog import CHALLENGES

    return _keys(incomplete, {key: fact.name for key, fact in CHALLENGES.items()}, "c_", "_1")


def complete_items(incomplete: str) -> list[Completion]:
    """What can be searched for in seeds."""
    from jimbo.seeds.never import SOUGHT, why_never_sought

    return _starting(incomplete, ((key, fact.name) for key, fact in SOUGHT.items() if not why_never_sought(key)))


def _keys(incomplete: str, names: Mapping[str, str], prefix: str, suffix: str = "") -> list[Completion]:
    """Complete keys in their short form, unless somebody has begun the long one."""
    if incomplete.startswith(prefix):
        return _starting(incomplete, names.items())
    return _starting(incomplete, ((key.removeprefix(prefix).removesuffix(suffix), name) for key, name in names.items()))


def _starting(incomplete: str, values: Iterable[Completion]) -> list[Completion]:
    return [value for value in values if value[0].startswith(incomplete)]


# --- Who plays --------------------------------------------------------------------------------------------------------

AGENT = typer.Option(
    metavar="NAME",
    help="The agent, such as greedy, or package.module:Class; jimbo agents lists them.",
    autocompletion=complete_agents,
)
AgentName = Annotated[str, AGENT]
AdvisingAgent = Annotated[
    str | None,
    typer.Option(
        "--agent",
        metavar="NAME",
        help="The agent that suggests; default: expert. jimbo agents lists them.",
        autocompletion=complete_agents,
    ),
]
Model = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="A network to play: an .onnx file, or the folder of a training (its best epoch)."
    ),
]
AgentOption = Annotated[
    list[str] | None,
    typer.Option("--set", "--option", metavar="NAME=VALUE", help="An option of the agent; repeatable."),
]
Effort = Annotated[
    float | None,
    typer.Option(metavar="FACTOR", help="The agent's option effort: how much work goes into a decision; default 1."),
]
BudgetMs = Annotated[
    float | None,
    typer.Option(
        metavar="MS", help="The agent's option budget_ms: what decisions may take in the mean, in place of --effort."
    ),
]
Nonce = Annotated[
    int,
    typer.Option(
        "--nonce", "--agent-number", min=0, max=LARGEST, metavar="N", help="Seed of the agent's own random choices."
    ),
]
TopK = Annotated[int, typer.Option("--topk", min=1, max=9, metavar="N", help="How many suggestions are shown.")]

SIM, REAL = "sim", "real"
Backend = Annotated[
    str, typer.Option(metavar="NAME", help="Where runs are played: sim, the simulator, or real, the game itself.")
]


def check_backend(name: str, workers: int | None = None) -> None:
    """Raise ValueError for an unknown backend, and for workers where games are spread over addresses."""
    if name not in (SIM, REAL):
        raise ValueError(f'There is no backend "{name}". Choose sim, the simulator, or real.')
    if name == REAL and workers is not None:
        raise ValueError(
            "--backend real plays one game at a time at each address, and --workers means nothing there: leave it out, "
            "and name several games with --base-urls or start them with --launch-instances."
        )


# --- Which games ------------------------------------------------------------------------------------------------------

STAKE = typer.Option(
    metavar="NAME",
    help="white, red, green, black, blue, purple, orange or gold.",
    autocompletion=complete_stakes,
)
Stake = Annotated[str, STAKE]
Deck = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="The deck, such as red, or its key b_red; default: red.", autocompletion=complete_decks
    ),
]
Challenge = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="A challenge in place of a deck, such as omelette, or its key c_omelette_1.",
        autocompletion=complete_challenges,
    ),
]
Seed = Annotated[str | None, typer.Option(metavar="SEED", help="The seed, such as 7LB2WVPK; default: a random one.")]
SeedSetName = Annotated[
    str | None,
    typer.Option(
        "--seed-set",
        metavar="NAME",
        help="dev-100, dev-1000 or fresh; default: the smallest that has N seeds.",
        autocompletion=complete_seed_sets,
    ),
]
SeedCount = Annotated[
    int | None,
    typer.Option(
        "--games",
        "--seeds",
        "--episodes",
        min=1,
        max=MOST_GAMES,
        metavar="N",
        help="Games: the first N seeds of the set; default: all.",
    ),
]


def games_flag(help: str, *older: str) -> Any:
    """Return the option that says how many games are played."""
    return typer.Option("--games", *older, min=1, max=MOST_GAMES, metavar="N", help=help)


# --- How work is done -------------------------------------------------------------------------------------------------

RngSeed = Annotated[
    int,
    typer.Option(
        "--rng-seed", "--seed", min=0, max=LARGEST, metavar="N", help="Random seed for weights, batches and games."
    ),
]
Workers = Annotated[
    int | None, typer.Option(min=1, max=MOST_WORKERS, metavar="N", help="Worker processes; default: all cores.")
]
Threads = Annotated[
    int | None,
    typer.Option(
        min=1, max=MOST_THREADS, metavar="N", help="Threads; default: all cores. Results do not depend on it."
    ),
]
Timeout = Annotated[
    float | None,
    typer.Option(
        min=0.1,
        max=MOST_SECONDS,
        metavar="SECONDS",
        help="Give up a game that takes longer; with --backend real, an answer of the game that does (default 30).",
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="Any setting by its name; `--set help` lists them."),
]
Config = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Settings as YAML; command-line options override it.")
]

# --- What comes out ---------------------------------------------------------------------------------------------------

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
OutDir = Annotated[
    Path,
    typer.Option(
        "--out", "--out-dir", metavar="DIR", help="Write everything here; run the same command again to resume."
    ),
]
Load = Annotated[
    str | None,
    typer.Option(
        metavar="GAME",
        help="Go on with a saved run, a record, a trace, a state, a save of the game, or a typed position.",
    ),
]
At = Annotated[
    int | None, typer.Option(min=0, metavar="N", help="After so many steps of a run; default the last state.")
]
Record = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Record the run in this file, for jimbo replay and review.", dir_okay=False),
]

# --- Who watches ------------------------------------------------------------------------------------------------------


def _command(context: typer.Context) -> str:
    """Return the command as it is called: ``jimbo train bc``."""
    words = []
    place: Any = context
    while place.parent is not None:
        words.append(place.info_name)
        place = place.parent
    return " ".join(["jimbo", *reversed(words)])


def _watched(context: typer.Context, urls: list[str] | None) -> list[str] | None:
    """Send the program's events until the command ends; a sentence says what was lost."""
    if context.resilient_parsing:
        return urls
    from jimbo.telemetry.program import begin, events_url

    wanted = urls or (events_url() or "").splitlines()
    if not wanted:
        return urls
    try:
        end = begin(wanted, _command(context))
    except (ValueError, ImportError) as error:
        typer.echo(f"jimbo: {sentence(str(error))}", err=True)
        raise typer.Exit(2) from None
    except OSError as error:
        typer.echo(f"jimbo: {error.filename or wanted[0]}: {reason(error)}", err=True)
        raise typer.Exit(2) from None

    @context.call_on_close
    def tell_losses() -> None:
        if lost := end():
            typer.echo(f"jimbo: {lost}", err=True)

    return urls


Telemetry = Annotated[
    list[str] | None,
    typer.Option(
        "--telemetry",
        "--events",
        metavar="URL|FILE",
        callback=_watched,
        help="Tell what happens: to a file such as telemetry.jsonl, a database, Prometheus (docs/telemetry.md), or an "
        "event aggregator at ws://127.0.0.1:8765/events (jimbo events serve); repeatable.",
    ),
]

# --- Options that are fields of settings ------------------------------------------------------------------------------


def setting(kind: type[Any], name: str, *flags: str, default: Any = None, **options: Any) -> Any:
    """Return an option for a field of declared settings: its help, and the default that holds if no file says more."""
    entry = next(entry for entry in fields_of(kind) if entry.name == name)
    help, shown = entry.metadata["limits"].help, entry.default if default is None else default
    return typer.Option(*flags, help=with_default(f"{help[:1].upper()}{help[1:]}.", shown), **options)


def with_default(help: str, value: object) -> str:
    """Return the help of an option whose default comes from elsewhere; none is named if there is none."""
    if value in (None, "", MISSING):
        return help
    return f"{help}  [default: {str(value).lower() if isinstance(value, bool) else value}]"
