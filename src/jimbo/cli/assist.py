"""``jimbo assist``: an agent at the player's side."""

import io
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from jimbo.agents import Agent
from jimbo.agents.registry import options_help
from jimbo.backends import SimBackend
from jimbo.cli.agent_flags import advising_agent, failure_sentence
from jimbo.cli.assist_real import LOG, assist_real
from jimbo.cli.commands import explicit_flags
from jimbo.cli.errors import AGENT_FAILED, fail
from jimbo.cli.flags import (
    REAL,
    AdvisingAgent,
    AgentOption,
    Backend,
    Challenge,
    Deck,
    Effort,
    Model,
    Seed,
    Stake,
    TopK,
    check_backend,
)
from jimbo.cli.real_game import BaseUrl
from jimbo.cli.recording import Reached, opened_record
from jimbo.console import make_console
from jimbo.data import Header, RecordFile, RecordStopped
from jimbo.files import read_lines
from jimbo.rollout import MAX_STEPS, AgentFailed, Recorder
from jimbo.seeds import deck_and_challenge, random_start, stake_key, typed_seed
from jimbo.serve.assistant import Session
from jimbo.serve.game import Game
from jimbo.serve.terminal.decision import header_text
from jimbo.serve.terminal.following import follow, tell_end
from jimbo.serve.terminal.lines import answers
from jimbo.serve.terminal.show import DELAY, MAX_DELAY
from jimbo.signals import one_interrupt

epilog = options_help
_REAL_GAME = "Real game"
_OF_A_NEW_RUN = ("seed", "deck", "stake", "challenge")
_OF_THE_REAL_GAME = ("base_url", "arm", "log")


@dataclass(frozen=True, slots=True)
class Wanted:
    """How the assistant is to work."""

    topk: int
    once: bool
    execute: bool
    as_json: bool
    interval: float | None


def assist(
    context: typer.Context,
    agent: AdvisingAgent = None,
    model: Model = None,
    backend: Backend = "sim",
    seed: Seed = None,
    deck: Deck = None,
    stake: Stake = "white",
    challenge: Challenge = None,
    topk: TopK = 3,
    once: Annotated[bool, typer.Option("--once", help="Print the suggestions for the present state, and end.")] = False,
    execute: Annotated[
        bool, typer.Option("--execute", help="Carry out the first suggestion, again and again; with --once, once.")
    ] = False,
    interval: Annotated[
        float | None,
        typer.Option(metavar="SEC", help=f"Pause after a step that is carried out; default {DELAY:g} on a terminal."),
    ] = None,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Record the run in this file, for jimbo replay.", dir_okay=False)
    ] = None,
    effort: Effort = None,
    option: AgentOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON lines instead of a screen or text.")] = False,
    base_url: BaseUrl = None,
    arm: Annotated[
        bool,
        typer.Option("--arm", help="With --backend real: allow --execute to play.", rich_help_panel=_REAL_GAME),
    ] = False,
    log: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help=f"Where each action that --execute sends is written down; default {LOG}.",
            rich_help_panel=_REAL_GAME,
        ),
    ] = None,
) -> None:
    """Play with an agent at your side: it suggests, you accept, refuse or do something else.

    On a terminal it fills the screen, and ? lists the keys; elsewhere each line of input gets a line of JSON.
    With --backend real it follows the game that is open there, suggests as you play, and plays only if armed.
    """
    _refuse_mixture(backend, explicit_flags(context))
    try:
        check_backend(backend)
        _check_interval(interval)
        player, options = advising_agent(agent, model, option, effort)
        header = _header(player, options, seed, deck, stake, challenge)
    except (ValueError, ImportError) as error:
        fail(str(error))
    if backend == REAL:
        with one_interrupt():
            assist_real(
                player,
                options,
                url=base_url,
                topk=topk,
                once=once,
                execute=execute,
                arm=arm,
                interval=interval,
                log=log,
                record=record,
                as_json=as_json,
            )
        return
    wanted = Wanted(topk=topk, once=once, execute=execute, as_json=as_json, interval=interval)
    with opened_record(record, header) as file, one_interrupt():
        try:
            _assist(player, header, wanted, file)
        except RecordStopped as stopped:
            fail(f"{record} cannot be written: {stopped}. It holds the run so far.")
        except AgentFailed as error:
            typer.echo(f"jimbo: {failure_sentence(error, player.name)}", err=True)
            raise typer.Exit(AGENT_FAILED) from None


def _refuse_mixture(backend: str, flags: dict[str, str]) -> None:
    """Options of one world mean nothing in the other."""
    if backend == REAL and (wrong := [flags[name] for name in _OF_A_NEW_RUN if name in flags]):
        fail(f"{wrong[0]} is about a new run, and --backend real continues the one that is open. Leave it out.")
    if backend != REAL and (wrong := [flags[name] for name in _OF_THE_REAL_GAME if name in flags]):
        fail(f"{wrong[0]} is about the real game: add --backend real.")


def _check_interval(interval: float | None) -> None:
    """ValueError with a sentence."""
    if interval is not None and not 0 <= interval <= MAX_DELAY:
        raise ValueError(f"--interval takes seconds, a number from 0 to {MAX_DELAY:g}, not {interval:g}.")


def _header(
    player: Agent, options: dict[str, Any], seed: str | None, deck: str | None, stake: str, challenge: str | None
) -> Header:
    deck_played, challenge_played = deck_and_challenge(deck, challenge)
    return Header(
        seed=random_start() if seed is None else typed_seed(seed),
        deck=deck_played,
        stake=stake_key(stake),
        challenge=challenge_played,
        agent=player.name,
        options=options,
    )


def _assist(player: Agent, header: Header, wanted: Wanted, file: RecordFile | None) -> None:
    """Whatever ends it, the record gets its end."""
    backend = SimBackend(reveal=player.clairvoyant)
    backend.reset(deck=header.deck, stake=header.stake, seed=header.seed, challenge=header.challenge)
    reached = Reached(backend, Recorder(file)) if file else None
    game = Game(backend, [reached] if reached else [], recorded=file is not None)
    session = Session(game, player, topk=wanted.topk, nonce=header.nonce)
    try:
        _show(session, header, wanted)
    finally:
        if file and reached:
            file.end(reached.ending())


def _show(session: Session, header: Header, wanted: Wanted) -> None:
    console = make_console()
    interactive = console.is_terminal and sys.stdin.isatty() and not wanted.as_json
    pause = wanted.interval if wanted.interval is not None else DELAY if interactive else 0.0
    if wanted.once or wanted.execute:
        if not wanted.as_json:
            console.print(header_text(header))
        steps = 0 if not wanted.execute else 1 if wanted.once else MAX_STEPS
        follow(session, console, as_json=wanted.as_json, interval=pause, steps=steps)
        if not wanted.once:
            tell_end(session, console, as_json=wanted.as_json)
    elif interactive:
        _fill_the_screen(session, pause)
        tell_end(session, console, as_json=False)
    else:
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")  # bytes that are not text are not a command either
        for line in answers(session, read_lines(sys.stdin, "Standard input")):
            typer.echo(line)
            sys.stdout.flush()  # whoever asks waits for it


def _fill_the_screen(session: Session, pause: float) -> None:
    try:
        from jimbo.serve.tui import run_app
    except ImportError as error:
        fail(f"{error}. Or choose --once, --execute or --json, which need nothing more.")
    run_app(session, pause)
