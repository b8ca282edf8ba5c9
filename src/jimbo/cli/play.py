"""``jimbo play``, ``jimbo watch`` and ``jimbo replay``: runs played by a person or an agent, or recorded."""

import secrets
from dataclasses import replace
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from jimbo.agents import Agent
from jimbo.agents.registry import options_help
from jimbo.backends.replayed import ReplayBackend
from jimbo.backends.sim import SimBackend
from jimbo.cli.agent_flags import agent_failures, agent_from_flags
from jimbo.cli.commands import explicit_flags
from jimbo.cli.errors import fail
from jimbo.cli.flags import AgentName, AgentOption, At, BudgetMs, Challenge, Deck, Effort, Load, Record, Seed, Stake
from jimbo.cli.recording import loaded, recorded
from jimbo.console import make_console
from jimbo.data.game_files import steps_of
from jimbo.data.record import BadRecord, Header, header_at, versions
from jimbo.data.record import Record as RecordedRun
from jimbo.data.record_files import new_header
from jimbo.declared import LARGEST
from jimbo.rollout.loop import AgentFailed, Rollout
from jimbo.serve.game import RunInPlay, resumed
from jimbo.serve.terminal.decision import DELAY, Show
from jimbo.serve.terminal.play import LinePlay, NotSaved
from jimbo.signals import one_interrupt

NOT_CONFIRMED = 1
Delay = Annotated[float | None, typer.Option(metavar="SECONDS", help=f"Pause after a decision; default {DELAY:g}.")]
OnEnter = Annotated[bool, typer.Option("--step", help="Wait for Enter after each decision.")]
AsLines = Annotated[bool, typer.Option("--json", help="Print the run as JSON lines and nothing else.")]


def play(
    context: typer.Context,
    seed: Seed = None,
    deck: Deck = None,
    stake: Stake = "white",
    challenge: Challenge = None,
    load: Load = None,
    at: At = None,
) -> None:
    """Play a run by typing numbers and letters; ? lists what you can do.

    Any number of steps can be undone. Ctrl-C leaves at any time and saves the run.
    """
    try:
        if file := loaded(load, at, explicit_flags(context)):
            game = resumed(file, nonce=secrets.randbits(32))
        else:
            backend = SimBackend()
            Rollout(backend).start_as(new_header("player", {}, seed, deck, stake, challenge))
            game = RunInPlay(backend)
    except ValueError as error:
        fail(str(error))
    with one_interrupt():
        try:
            LinePlay(game, make_console()).play()
        except NotSaved as error:
            fail(str(error))


# --- watch ------------------------------------------------------------------------------------------------------------


def watch(
    context: typer.Context,
    agent: AgentName,
    seed: Seed = None,
    deck: Deck = None,
    stake: Stake = "white",
    challenge: Challenge = None,
    load: Load = None,
    at: At = None,
    delay: Delay = None,
    on_enter: OnEnter = False,
    until_ante: Annotated[int | None, typer.Option(min=2, metavar="N", help="Stop when this ante begins.")] = None,
    record: Record = None,
    nonce: Annotated[
        int, typer.Option(min=0, max=LARGEST, metavar="N", help="Seed of the agent's own random choices.")
    ] = 0,
    effort: Effort = None,
    budget_ms: BudgetMs = None,
    option: AgentOption = None,
    as_json: AsLines = False,
) -> None:
    """Watch an agent play a run, with what it considered and why it chose as it did.

    Without a terminal the output is plain text without pauses. Ctrl-C leaves at any time.
    """
    try:
        show = Show(as_json=as_json, delay=delay, on_enter=on_enter)
        player, options = agent_from_flags(agent, option, effort, budget_ms)
        if game := loaded(load, at, explicit_flags(context)):
            header = header_at(game.world(nonce), player.name, options, nonce)
        else:
            header = new_header(player.name, options, seed, deck, stake, challenge, nonce)
    except (ValueError, ImportError) as error:
        fail(str(error))
    with one_interrupt(), agent_failures(player.name):
        _watch(player, header, until_ante, show, record)


def _watch(player: Agent, header: Header, until_ante: int | None, show: Show, record: Path | None) -> None:
    backend, failure = SimBackend(reveal=player.clairvoyant), None
    with recorded(record, header, backend) as reached:
        rollout = Rollout(backend, [reached])
        rollout.start_as(header)
        try:
            show.begin(header)
            for moment in rollout.play(player, header.nonce, until_ante=until_ante):
                show.moment(moment)
        except (KeyboardInterrupt, EOFError):
            pass
        except AgentFailed as error:
            failure = error
    if reached.ending:
        show.finish(reached.ending)
    if failure:
        raise failure


watch.epilog = options_help  # type: ignore[attr-defined]


# --- replay -----------------------------------------------------------------------------------------------------------


def replay(
    file: Annotated[str, typer.Argument(help="A saved run, a record or a trace.")],
    at: Annotated[int, typer.Option(min=0, metavar="N", help="Show what comes after so many steps.")] = 0,
    delay: Delay = None,
    on_enter: OnEnter = False,
    as_json: AsLines = False,
) -> None:
    """Show a recorded run and check it: every action must be legal, and the end the same.

    The exit code is 1 if the check fails.
    """
    try:
        show = Show(as_json=as_json, delay=delay, on_enter=on_enter)
        steps = steps_of(file)
        record = steps.record
        if at > len(record.decisions):
            raise ValueError(f"{file} has {len(record.decisions)} steps, so --at takes 0 to {len(record.decisions)}.")
        backend = _backend(record)
        rollout = Rollout(backend)
        rollout.start_as(record.header)
    except ValueError as error:
        fail(str(error))
    show.begin(record.header)
    try:
        for moment in rollout.replay(record.decisions):
            if moment.step > at:
                show.moment(moment)
    except BadRecord as error:
        _refuse(str(error), record)
    except (KeyboardInterrupt, EOFError):
        typer.echo("Left before the end, so the end is not checked.", err=True)
        raise typer.Exit(NOT_CONFIRMED) from None
    end = rollout.ending()
    show.finish(end)
    if backend.differences:
        step, found = backend.differences[0]
        where = f"after decision {step}, {found.path} is {found.there} in the record and {found.here} in the simulator"
        _refuse(f"Of the states that were kept, the first that is not the same: {where}.", record)
    if steps.last_hash:
        if end.state_hash != steps.last_hash:
            _refuse("The run ends in a different state from the one in the trace.", record)
    elif record.end is None:
        _refuse("The record has no end, so the last state cannot be checked.", record)
    # A world that was not the simulator can tell only what its player saw.
    elif (end if record.end.state_hash else replace(end, state_hash=None)) != record.end:
        _refuse("The run ends in a different state from the one recorded.", record)
    state = (end.state_hash or end.public_hash)[:16]
    typer.echo(f"Confirmed: all actions ({end.steps}) are legal and the last state agrees ({state}).", err=True)


def _backend(record: RecordedRun) -> ReplayBackend:
    header = record.header
    return ReplayBackend(
        deck=header.deck,
        stake=header.stake,
        seed=header.seed,
        challenge=header.challenge,
        actions=[decision.action for decision in record.decisions],
        states={snapshot.step: snapshot.state for snapshot in record.snapshots},
    )


def _refuse(message: str, record: RecordedRun) -> NoReturn:
    """Say that the record is not confirmed, and name a reason that is not the file's fault."""
    typer.echo(f"Not confirmed. {message}", err=True)
    if dict(record.header.versions) != versions():
        typer.echo(
            "It was recorded by a different version: " + ", ".join(record.header.versions.values()) + ".", err=True
        )
    raise typer.Exit(NOT_CONFIRMED)
