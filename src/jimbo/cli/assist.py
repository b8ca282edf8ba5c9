"""``jimbo assist``, an agent at the player's side, and ``jimbo advise``, what to do in one state."""

import io
import json
import secrets
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from jimbo.agents import Agent
from jimbo.agents.registry import options_help
from jimbo.backends.real import RealBackend
from jimbo.backends.saved import SaveBackend
from jimbo.backends.sim import SimBackend
from jimbo.cli.agent_flags import advising_agent, agent_failures
from jimbo.cli.commands import explicit_flags
from jimbo.cli.errors import fail
from jimbo.cli.flags import (
    REAL,
    AdvisingAgent,
    AgentOption,
    At,
    Backend,
    Challenge,
    Deck,
    Effort,
    Load,
    Model,
    Record,
    Seed,
    Stake,
    Telemetry,
    TopK,
    check_backend,
)
from jimbo.cli.real_game import LOG, BaseUrl, action_log
from jimbo.cli.recording import OF_A_NEW_RUN, loaded, recorded
from jimbo.console import make_console
from jimbo.data.game_files import LoadedGame, read_game
from jimbo.data.record import Header, header_at
from jimbo.data.record_files import new_header
from jimbo.files import read_lines
from jimbo.rollout.events import game_observers
from jimbo.rollout.games import RestrictedAgent
from jimbo.rollout.loop import MAX_STEPS, Rollout
from jimbo.serve.assistant import Adviser, LessonLog, Session, advice_data
from jimbo.serve.game import BadInput, RunInPlay
from jimbo.serve.terminal.advice import advice_text
from jimbo.serve.terminal.assist import Assistance, LessonLines, answers, surprise_words
from jimbo.serve.terminal.decision import DELAY, MAX_DELAY, header_text, show_end
from jimbo.signals import one_interrupt
from jimbo.wire.client import URL, Client, Sent
from jimbo.wire.errors import WireError

epilog = options_help
STOPPED = 1
LOOK_EVERY = 0.5
"""Seconds between two looks at a game that somebody plays."""
ACT_EVERY, ACT_AT_LEAST_EVERY = 2.0, 0.5
"""Seconds between two actions in the real game: usually, and at least."""
_HIDDEN = "This agent must see what is hidden, and {} does not hold it. Choose another."
_REAL_GAME = "Real game"
_OF_THE_REAL_GAME = ("base_url", "arm", "log")
_NOT_OF_A_SAVE = ("backend", *OF_A_NEW_RUN, "load", "at", *_OF_THE_REAL_GAME, "execute", "record")


@dataclass(frozen=True, slots=True)
class Wanted:
    """How the assistant is to work."""

    topk: int
    once: bool
    execute: bool
    as_json: bool
    interval: float | None
    record: Path | None
    arm: bool = False
    teach: bool = False

    @property
    def screen(self) -> bool:
        """On a terminal it fills the screen."""
        on_terminal = make_console().is_terminal and sys.stdin.isatty()
        return on_terminal and not (self.as_json or self.once or self.execute)


def assist(
    context: typer.Context,
    agent: AdvisingAgent = None,
    model: Model = None,
    backend: Backend = "sim",
    seed: Seed = None,
    deck: Deck = None,
    stake: Stake = "white",
    challenge: Challenge = None,
    load: Load = None,
    at: At = None,
    topk: TopK = 3,
    once: Annotated[bool, typer.Option("--once", help="Print the suggestions for the present state, and end.")] = False,
    execute: Annotated[
        bool, typer.Option("--execute", help="Carry out the first suggestion, again and again; with --once, once.")
    ] = False,
    interval: Annotated[
        float | None,
        typer.Option(metavar="SEC", help=f"Pause after a step that is carried out; default {DELAY:g} on a terminal."),
    ] = None,
    record: Record = None,
    effort: Effort = None,
    option: AgentOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON lines instead of a screen or text.")] = False,
    telemetry: Telemetry = None,
    teach: Annotated[
        bool, typer.Option("--teach", help="You choose first; then it says what it would have done, and why.")
    ] = False,
    save: Annotated[
        str | None,
        typer.Option(
            metavar="[PLACE]",
            help="Follow the game's own save as you play, without a mod: a file or a folder, or the game's own folder.",
            rich_help_panel=_REAL_GAME,
        ),
    ] = None,
    base_url: BaseUrl = None,
    arm: Annotated[
        bool,
        typer.Option(
            "--arm", help="With --backend real: allow --execute, or your keys, to play.", rich_help_panel=_REAL_GAME
        ),
    ] = False,
    log: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help=f"Where each action that is sent is written down; default {LOG}.",
            rich_help_panel=_REAL_GAME,
        ),
    ] = None,
) -> None:
    """Play with an agent at your side: it suggests, you accept, refuse or do something else.

    On a terminal it fills the screen, and ? lists the keys; elsewhere each line of input gets a line of JSON.
    With --backend real it follows the game that is open there, suggests as you play, and plays only if armed.
    With --save it does so by the file that the game saves to, and only looks. With --teach it is your teacher.
    """
    _refuse_mixture(backend, explicit_flags(context))
    wanted = Wanted(topk, once, execute, as_json, interval, record, arm, teach)
    try:
        _check(wanted, backend, save is not None)
        player, options = advising_agent(agent, model, option, effort)
        game = loaded(load, at, explicit_flags(context))
        if game and player.clairvoyant and not game.run:
            raise ValueError(_HIDDEN.format("what is loaded"))
        header = new_header(player.name, options, seed, deck, stake, challenge)
        world = game.world(secrets.randbits(32)) if game else None
        if world:
            header = header_at(world, player.name, options)
    except (ValueError, ImportError) as error:
        fail(str(error))
    with one_interrupt(), agent_failures(player.name):
        if save is not None:
            _assist_save(Path(save) if save else None, player, header, wanted)
        elif backend == REAL:
            url = URL if base_url is None else base_url
            with action_log(log or LOG, url) if execute or arm else nullcontext() as sent:
                _assist_real(url, sent, player, header, wanted)
        else:
            sim = SimBackend(reveal=player.clairvoyant)
            Rollout(sim).start_as(header)
            _assist(sim, player, header, wanted, game)


assist.bare = {"--save": ""}  # type: ignore[attr-defined]


def _refuse_mixture(backend: str, flags: dict[str, str]) -> None:
    """Options of one world mean nothing in the other."""
    if "save" in flags and (wrong := [flags[name] for name in _NOT_OF_A_SAVE if name in flags]):
        fail(
            f"--save follows the run that the game saves, and only looks: {wrong[0]} means nothing there. Leave it out."
        )
    if backend == REAL and (wrong := [flags[name] for name in (*OF_A_NEW_RUN, "load", "at") if name in flags]):
        other = "another" if wrong[0] in ("--load", "--at") else "a new"
        fail(f"{wrong[0]} is about {other} run, and --backend real continues the one that is open. Leave it out.")
    if backend != REAL and (wrong := [flags[name] for name in _OF_THE_REAL_GAME if name in flags]):
        fail(f"{wrong[0]} is about the real game: add --backend real.")


def _check(wanted: Wanted, backend: str, save: bool) -> None:
    """ValueError with a sentence."""
    check_backend(backend)
    if wanted.teach and (save or backend == REAL):
        raise ValueError("--teach is about a run that is played here: leave --save and --backend real out.")
    if wanted.teach and (wanted.once or wanted.execute):
        raise ValueError("--teach leaves the choices to you: leave --once and --execute out.")
    interval = wanted.interval
    if interval is not None and not 0 <= interval <= MAX_DELAY:
        raise ValueError(f"--interval takes seconds, a number from 0 to {MAX_DELAY:g}, not {interval:g}.")
    if backend != REAL:
        return
    if wanted.execute and not wanted.arm:
        raise ValueError("--execute plays the game that is open there: add --arm to say that you want that.")
    if wanted.arm and not (wanted.execute or wanted.screen):
        raise ValueError("--arm allows --execute and the keys of the screen to play, and does nothing without either.")
    if wanted.arm and interval is not None and interval < ACT_AT_LEAST_EVERY:
        least = f"{ACT_AT_LEAST_EVERY:g} with --backend real, so that you can stop it."
        raise ValueError(f"--interval must be at least {least}")
    if wanted.record and not wanted.arm:
        raise ValueError("--record keeps what is carried out: add --execute, and --arm.")


# --- In both worlds ---------------------------------------------------------------------------------------------------


def _assist(
    backend: SimBackend | RealBackend | SaveBackend,
    player: Agent,
    header: Header,
    wanted: Wanted,
    game: LoadedGame | None = None,
) -> None:
    """Assist in the run of a backend. Only --execute, which has been armed, carries out steps in the real game."""
    real = backend if isinstance(backend, RealBackend) else None
    elsewhere = not isinstance(backend, SimBackend)
    console, armed = make_console(), wanted.execute or wanted.arm
    pause = wanted.interval
    if pause is None:
        local = DELAY if wanted.screen else 0.0
        pause = (ACT_EVERY if armed else LOOK_EVERY) if elsewhere else local
    with ExitStack() as left, recorded(wanted.record, header, backend, snapshot_every=1 if real else 0) as reached:
        watching = game_observers(agent=player.name, seed=lambda: str(getattr(backend, "seed", "")))
        playing = RunInPlay(backend, [reached, *watching], armed=armed, recorded=wanted.record is not None, after=game)
        left.callback(playing.leave)
        lesson = LessonLog() if wanted.teach else None
        session = Session(playing, player, topk=wanted.topk, nonce=header.nonce, lesson=lesson)
        warnings = partial(_warnings, backend)
        assistance = Assistance(session, console, as_json=wanted.as_json, real=real, warnings=warnings)
        if wanted.once or wanted.execute:
            if not elsewhere and not wanted.as_json:
                console.print(header_text(header))
            assistance.carry_out(0 if not wanted.execute else 1 if wanted.once else MAX_STEPS, pause)
        elif wanted.screen:
            told = None if isinstance(backend, SimBackend) else partial(_on_screen, backend)
            _fill_the_screen(session, pause, told, armed=armed)
        elif elsewhere:
            assistance.follow(pause, endless=not real)
        else:
            with _kept(playing):
                if lesson and not wanted.as_json:
                    LessonLines(session, console).play(read_lines(sys.stdin, "Standard input"))
                else:
                    _answer_lines(session)
        if not wanted.once and (real or wanted.screen or wanted.execute):
            show_end(playing.ending(), console, as_json=wanted.as_json)
        if lesson and not wanted.as_json:
            console.print(lesson.summary)


def _on_screen(backend: RealBackend | SaveBackend) -> tuple[str, ...]:
    """What the screen says of the present state."""
    found = backend.surprises if isinstance(backend, RealBackend) else ()
    return (
        *_warnings(backend),
        *([f"The game went another way than foreseen: {surprise_words(found)}."] if found else []),
    )


def _warnings(backend: SimBackend | RealBackend | SaveBackend) -> tuple[str, ...]:
    if isinstance(backend, SaveBackend):
        return backend.notes
    unread = backend.other_language if isinstance(backend, RealBackend) else None
    return (str(unread),) if unread else ()


def _fill_the_screen(
    session: Session, pause: float, warnings: Callable[[], Sequence[str]] | None, *, armed: bool
) -> None:
    """``warnings`` are those of a game that is played elsewhere."""
    try:
        from jimbo.serve.tui import PlayedElsewhere, run_app
    except ImportError as error:
        fail(f"{error}. Or choose --once, --execute or --json, which need nothing more.")
    try:
        run_app(session, pause, PlayedElsewhere(LOOK_EVERY, warnings, armed) if warnings else None)
    except BadInput as wrong:
        fail(f"The run is not saved. {wrong}")
    finally:
        if session.game.path and not session.game.unsaved:
            typer.echo(session.game.where)


@contextmanager
def _kept(game: RunInPlay) -> Iterator[None]:
    """Whatever ends it, the run is saved, as whoever writes the lines cannot be asked."""
    try:
        yield
    finally:
        if game.unsaved:
            try:
                game.save()
            except BadInput as wrong:
                fail(f"The run is not saved. {wrong}")
            typer.echo(game.where, err=True)


def _answer_lines(session: Session) -> None:
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # bytes that are not text are not a command either
    for line in answers(session, read_lines(sys.stdin, "Standard input")):
        typer.echo(line)
        sys.stdout.flush()  # whoever asks waits for it


# --- The real game, and its save --------------------------------------------------------------------------------------


def _assist_real(url: str, sent: Sent | None, player: Agent, header: Header, wanted: Wanted) -> None:
    """Join the run that is open there. The command ends with a sentence where anything unforeseen happens."""
    try:
        backend = RealBackend(Client(url, sent=sent))
        state = backend.join()
        agent = RestrictedAgent(player, backend)
    except (ValueError, WireError) as error:
        fail(str(error))
    if wanted.record and not backend.whole:
        fail("--record keeps runs from their start, and this one is under way. Leave it out.")
    header = replace(header, seed=backend.seed, deck=state.deck, stake=state.stake, challenge=state.challenge)
    try:
        _assist(backend, agent, header, wanted)
    except ValueError as error:
        fail(str(error))
    except WireError as error:
        typer.echo(f"jimbo: Stopped. {error}", err=True)
        raise typer.Exit(STOPPED) from None


def _assist_save(place: Path | None, player: Agent, header: Header, wanted: Wanted) -> None:
    """Follow what the game saves, until Ctrl-C."""
    try:
        if player.clairvoyant:
            raise ValueError(_HIDDEN.format("a save's public part"))
        backend = SaveBackend(place)
    except (ValueError, FileNotFoundError) as error:
        fail(str(error))
    if not (wanted.as_json or wanted.once or wanted.screen):
        typer.echo(f"Following {backend.path}; Ctrl-C ends it.", err=True)
    _assist(backend, player, header, wanted)


# --- advise -----------------------------------------------------------------------------------------------------------


def advise(
    file: Annotated[
        str,
        typer.Argument(metavar="GAME", help="A file with a run or a state, a typed position, or - for standard input."),
    ],
    at: At = None,
    agent: AdvisingAgent = None,
    model: Model = None,
    topk: TopK = 3,
    effort: Effort = None,
    option: AgentOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the advice as JSON (advice_v1).")] = False,
) -> None:
    """Say what to do in a state of the game: that of a file, or a typed position such as "hand: As Kd; jokers: Baron".

    A file can be a saved run, a record, a trace, what jimbo assist --json prints, a state, or a save of the game. What
    is hidden in it is not read.
    """
    try:
        player, _ = advising_agent(agent, model, option, effort)
        if player.clairvoyant:
            raise ValueError(_HIDDEN.format("a public state"))
        game = read_game(file, at)
    except (ValueError, ImportError) as error:
        fail(str(error))
    for note in (*game.notes, *([game.over] if game.over and game.decisions else [])):
        typer.echo(f"jimbo: {note}", err=True)
    with agent_failures(player.name):
        advice = Adviser(player).advise(game.state)
    suggestions = advice.suggestions[:topk]
    if as_json:
        typer.echo(json.dumps(advice_data(advice, suggestions)))
    else:
        console = make_console()
        console.print(advice_text(advice, suggestions, console.width))
