"""``jimbo assist --backend real``: suggestions for a game that is being played, and steps carried out there."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import typer

from jimbo.agents import Agent
from jimbo.backends import RealBackend
from jimbo.cli.agent_flags import failure_sentence
from jimbo.cli.errors import AGENT_FAILED, fail
from jimbo.cli.recording import opened_record
from jimbo.console import make_console
from jimbo.data import Header
from jimbo.engine import PublicState
from jimbo.files import add_line, reason
from jimbo.rollout import MAX_STEPS, AgentFailed, Recorder
from jimbo.serve.terminal.beside import ACT_AT_LEAST_EVERY, ACT_EVERY, LOOK_EVERY, Beside
from jimbo.serve.terminal.following import tell_end
from jimbo.wire.client import URL, Client
from jimbo.wire.errors import WireError

STOPPED = 1
LOG = Path("jimbo-actions.jsonl")


def assist_real(
    player: Agent,
    options: Mapping[str, Any],
    *,
    url: str | None,
    topk: int,
    once: bool,
    execute: bool,
    arm: bool,
    interval: float | None,
    log: Path | None,
    record: Path | None,
    as_json: bool,
) -> None:
    """Ends the command with a sentence where the game, or the wire to it, does anything unforeseen."""
    _check(execute, arm, interval, record)
    place = URL if url is None else url
    with _logged(log or LOG, place) if execute else _plain(place) as client:
        backend = RealBackend(client)
        state = _joined(backend)
        try:
            if record and not backend.whole:
                fail("--record keeps runs from their start, and this one is under way. Leave it out.")
            with opened_record(record, _header(backend, state, player, options)) as file:
                observers = [Recorder(file, snapshot_every=1)] if file else []
                beside = Beside(
                    backend,
                    player,
                    make_console(),
                    topk=topk,
                    nonce=0,
                    as_json=as_json,
                    observers=observers,
                    armed=execute and arm,
                )
                try:
                    if execute:
                        beside.execute(1 if once else MAX_STEPS, ACT_EVERY if interval is None else interval)
                    else:
                        beside.suggest(once=once, interval=LOOK_EVERY if interval is None else interval)
                finally:
                    if file:
                        file.end(beside.session.game.ending())
            if not once:
                tell_end(beside.session, make_console(), as_json=as_json)
        except AgentFailed as error:
            typer.echo(f"jimbo: {failure_sentence(error, player.name)}", err=True)
            raise typer.Exit(AGENT_FAILED) from None
        except ValueError as error:
            fail(str(error))
        except WireError as error:
            typer.echo(f"jimbo: Stopped. {error}", err=True)
            raise typer.Exit(STOPPED) from None


def _joined(backend: RealBackend) -> PublicState:
    try:
        return backend.join()
    except (ValueError, WireError) as error:
        fail(str(error))


def _check(execute: bool, arm: bool, interval: float | None, record: Path | None) -> None:
    if execute and not arm:
        fail("--execute plays the game that is open there: add --arm to say that you want that.")
    if arm and not execute:
        fail("--arm allows --execute, and does nothing alone.")
    if execute and interval is not None and interval < ACT_AT_LEAST_EVERY:
        fail(f"--interval must be at least {ACT_AT_LEAST_EVERY:g} with --backend real, so that you can stop it.")
    if record and not execute:
        fail("--record keeps what is carried out: add --execute, and --arm.")


def _header(backend: RealBackend, state: PublicState, player: Agent, options: Mapping[str, Any]) -> Header:
    return Header(
        seed=backend.seed,
        deck=state.deck,
        stake=state.stake,
        challenge=state.challenge,
        agent=player.name,
        options=options,
    )


@contextmanager
def _plain(url: str) -> Iterator[Client]:
    try:
        yield Client(url)
    except ValueError as error:
        fail(str(error))


@contextmanager
def _logged(path: Path, url: str) -> Iterator[Client]:
    """A client whose actions are written down before they are sent."""
    try:
        file = path.open("ab", buffering=0)
    except OSError as error:
        fail(f"{path} cannot be written: {reason(error)}. Choose another with --log.")
    with file:

        def sent(method: str, params: Mapping[str, Any]) -> None:
            now = datetime.now(UTC).isoformat(timespec="milliseconds")
            add_line(file, json.dumps({"time": now, "url": url, "method": method, "params": dict(params)}))

        try:
            yield Client(url, sent=sent)
        except ValueError as error:
            fail(str(error))
        except OSError as error:
            fail(f"{path} cannot be written, so nothing more is sent: {reason(error)}.")
