"""``jimbo league``: who is champion, who wants to be, and what decided it."""

import json
import os
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from jimbo.cli.agent_flags import import_from_here
from jimbo.cli.commands import Verbs
from jimbo.cli.errors import fail, report_errors
from jimbo.cli.flags import REAL, AsJson, Backend, Deck, Stake, Workers, check_backend, games_flag, setting
from jimbo.cli.gate import NOT_PROMOTED, GateScreen, show_decision
from jimbo.cli.real_game import RealGame, with_real_game
from jimbo.cli.registry import Folder
from jimbo.console import make_console
from jimbo.eval.store import write_json
from jimbo.league.canary import AB_SKIPPED, SKIPPED, CanarySpec, CanaryState, canary_of, micro_ab, watch
from jimbo.league.champion import (
    ChampionDecision,
    aliased,
    challenge,
    league_data,
    league_folder,
    promote,
    rollback,
)
from jimbo.league.entry import SHOWN_ID
from jimbo.league.registry import CANARY, CHAMPION, PREVIOUS, Registry
from jimbo.league.spec import GatePlace, read_spec
from jimbo.report import Document, Section, TextTable, terminal
from jimbo.rollout.instances import Instances
from jimbo.text import counted

T = TypeVar("T")
app = Verbs(help="Keep a champion, challenge it, and take it back when it disappoints.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(metavar="NAME", help="A name, alias or id of the registry.", show_default=False)]
MaybeName = Annotated[
    str | None,
    typer.Argument(metavar="NAME", help="Who shadows; default: the canary, else the champion.", show_default=False),
]
OutFolder = Annotated[
    Path | None,
    typer.Option("--out", metavar="DIR", help="Where games and decisions are kept; default: in the registry."),
]
GateName = Annotated[str, typer.Option("--gate", metavar="SPEC", help="The gate: a name of jimbo gate list or a file.")]


@app.command("challenge")
def challenge_champion(
    name: Name,
    gate: GateName = "quick",
    out: OutFolder = None,
    folder: Folder = None,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Let a registered agent play against the champion: smoke games, then a gate.

    The same command resumes. The exit code is 0 where the gate says promote; jimbo league promote NAME then makes it
    the champion.
    """
    registry = Registry(folder)
    with report_errors("What was played is kept. Run the same command to resume."):
        entry, spec = registry.resolve(name), read_spec(gate)
        _importable(registry)
        place = out or league_folder(registry, entry)
        with GateScreen(spec) as screen:
            found = challenge(registry, entry, spec, folder=place, workers=workers, progress=screen.show)
        if isinstance(found, str):
            if as_json:
                typer.echo(json.dumps({"verdict": "reject", "reason": f"smoke games: {found}"}))
            fail(f"{entry.name} is rejected in the smoke games: {found}", NOT_PROMOTED)
        show_decision(found, as_json)
    raise typer.Exit(0 if found.verdict == "promote" else NOT_PROMOTED)


@app.command("promote")
def promote_entry(name: Name, out: OutFolder = None, folder: Folder = None, as_json: AsJson = False) -> None:
    """Make a registered agent the champion, if a gate against the present one said promote.

    The first champion needs no gate. The decision is written as champion_decision.json and .md.
    """
    registry = Registry(folder)
    with report_errors():
        decision = promote(registry, registry.resolve(name))
        _tell(registry, decision, out, as_json)
    raise typer.Exit(0 if decision.final == "promote" else NOT_PROMOTED)


@app.command("rollback")
def roll_back(
    why: Annotated[str, typer.Option(metavar="TEXT", help="The reason, for the journal.")] = "by hand",
    out: OutFolder = None,
    folder: Folder = None,
    as_json: AsJson = False,
) -> None:
    """Take the champion back: the one before it plays again."""
    registry = Registry(folder)
    with report_errors():
        _tell(registry, rollback(registry, why), out, as_json)


def _importable(registry: Registry) -> None:
    """Agents that are classes of the current folder are found there."""
    for entry in registry.entries():
        import_from_here(str(entry.spec.get("agent", "")))


def _tell(registry: Registry, decision: ChampionDecision, out: Path | None, as_json: bool) -> None:
    kept = out or league_folder(registry, decision.candidate)
    decision.keep(kept)
    if as_json:
        typer.echo(json.dumps(decision.data))
    else:
        make_console().print(terminal(decision.report()), crop=False)
        typer.echo(f"Kept in {kept}.", err=True)


@app.command("status")
def show_status(folder: Folder = None, as_json: AsJson = False) -> None:
    """Show the champion, the canary and everybody who was ever challenged."""
    with report_errors():
        data = league_data(Registry(folder))
    if as_json:
        typer.echo(json.dumps(data))
        return
    make_console().print(terminal(_status_report(data)), crop=False)


def _status_report(data: dict[str, Any]) -> Document:
    held = [(role, data[role]) for role in (CHAMPION, CANARY, PREVIOUS) if data[role]]
    roles = [[role, one["name"], one["entry"][:SHOWN_ID]] for role, one in held]
    if not roles:
        return Document("There is no champion yet. jimbo league promote NAME makes the first one.")
    rows = [[one["name"], one["entry"][:SHOWN_ID], one["status"], one["why"]] for one in data["entries"]]
    expected = f"{data['expected_false_promotions']:g}"
    tests = f"Tests of this champion: {data['tests_of_champion']}; false promotions to expect of them: {expected}."
    return Document(
        "League",
        sections=[
            Section("", parts=(TextTable(("role", "name", "entry"), roles, left=True), tests)),
            Section("Entries", parts=(TextTable(("name", "entry", "status", "why"), rows, left=True),)),
        ],
    )


# --- Canary -----------------------------------------------------------------------------------------------------------


@app.command("canary")
@with_real_game
def run_canary(
    real: RealGame,
    name: MaybeName = None,
    games: Annotated[int | None, games_flag("So many more games; default: until it is stopped.")] = None,
    margin: Annotated[float | None, setting(CanarySpec, "margin", metavar="POINTS")] = None,
    alpha: Annotated[float | None, setting(CanarySpec, "alpha", metavar="X")] = None,
    time_ratio: Annotated[float | None, setting(CanarySpec, "time_ratio", metavar="X")] = None,
    deck: Deck = None,
    stake: Stake = "white",
    backend: Backend = "sim",
    workers: Workers = None,
    out: OutFolder = None,
    folder: Folder = None,
    as_json: AsJson = False,
) -> None:
    """Let a challenger shadow the champion, and roll it back automatically when it disappoints.

    The champion plays, in the simulator or at the real game; the challenger is asked at every decision, and plays the
    same seeds in the simulator. Without a canary, a champion is watched against the one before it. Run it again to
    go on; the exit code is 1 after a rollback.
    """
    registry = Registry(folder)
    with report_errors("What was played is kept. Run the same command to go on."):
        check_backend(backend, workers)
        watched, reference = canary_of(registry, registry.resolve(name) if name else None)
        _importable(registry)
        place = GatePlace(deck=deck or "b_red", stake=stake)
        limits = {"margin": margin, "alpha": alpha, "time_ratio": time_ratio}
        spec = CanarySpec(place=place, **{name: value for name, value in limits.items() if value is not None})
        kept = out or league_folder(registry, watched) / f"canary-{reference.id[:SHOWN_ID]}-{backend}"

        def play(spread: Instances | None) -> tuple[CanaryState, ChampionDecision | None]:
            return watch(
                registry,
                watched,
                reference,
                spec,
                kept,
                games=games,
                workers=workers or os.cpu_count() or 1,
                spread=spread,
                progress=lambda state: typer.echo(state.line, err=True),
            )

        state, decision = _at_the_game(real, backend, kept / SKIPPED, play)
        if as_json:
            typer.echo(json.dumps(state.data))
        elif decision:
            make_console().print(terminal(decision.report()), crop=False)
        typer.echo(f"Kept in {kept}.", err=True)
    raise typer.Exit(NOT_PROMOTED if decision else 0)


@app.command("micro-ab")
@with_real_game
def run_micro_ab(
    name: Name,
    real: RealGame,
    games: Annotated[int, games_flag("Games of each agent.")] = 3,
    deck: Deck = None,
    stake: Stake = "white",
    out: OutFolder = None,
    folder: Folder = None,
    as_json: AsJson = False,
) -> None:
    """Play a few games of a challenger and of the champion at the real game, on the same seeds.

    Where no game answers, real_ab_skip.json says so. The exit code is 1 if the challenger fails or chooses what is not
    allowed.
    """
    registry = Registry(folder)
    with report_errors("What was played is kept. Run the same command to resume."):
        entry, champion = registry.resolve(name), aliased(registry, CHAMPION)
        if champion is None:
            raise ValueError(f"There is no champion yet. jimbo league promote {entry.name} makes it the first one.")
        if champion.id == entry.id:
            raise ValueError(f"{entry.name} is the champion already.")
        kept = out or league_folder(registry, entry) / f"real-ab-{champion.id[:SHOWN_ID]}"
        _importable(registry)
        place = GatePlace(deck=deck or "b_red", stake=stake)

        def play(spread: Instances | None) -> dict[str, Any]:
            return micro_ab(registry, entry, champion, place, games=games, folder=kept, spread=spread)

        data = _at_the_game(real, REAL, kept / AB_SKIPPED, play)
        if as_json:
            typer.echo(json.dumps(data))
        else:
            won = f"{entry.name} won {data['challenger_wins']}, {champion.name} {data['champion_wins']}"
            typer.echo(f"{won} of {counted(data['games'], 'game')} each.")
        typer.echo(f"Kept in {kept}.", err=True)
        if data["trouble"]:
            fail(data["trouble"])
        if data["faults"]:
            fail(f"{entry.name} does not play as it should: {data['faults'][0]}", NOT_PROMOTED)


def _at_the_game(real: RealGame, backend: str, skip: Path, play: Callable[[Instances | None], T]) -> T:
    """What ``play`` returns; where no real game answers, a file that says so, and the end of the command."""
    with ExitStack() as held:
        _ = real.count  # ValueError for an address that is none
        try:
            places = held.enter_context(real.places(backend))
        except ValueError as error:
            if backend != REAL:
                raise
            skip.parent.mkdir(parents=True, exist_ok=True)
            write_json(skip, {"status": "SKIP", "reason": str(error)})
            typer.echo(f"Skipped. {error} {skip} says so.", err=True)
            raise typer.Exit from None
        skip.unlink(missing_ok=True)
        return play(Instances(places) if places else None)
