"""Runs over the wire as traces: played by an agent, or played again."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from jimbo.agents import Agent
from jimbo.backends.real import RealBackend
from jimbo.data.record import Record
from jimbo.parity.by_hand import Direct, Hand
from jimbo.parity.trace import Trace
from jimbo.rollout.games import RestrictedAgent
from jimbo.rollout.loop import Rollout
from jimbo.serve.balatrobot import ServedGame, Servers
from jimbo.wire.client import SETTLE, Client
from jimbo.wire.errors import Refused, Surprise
from jimbo.wire.gamestate import MENU, STATES, Json

Progress = Callable[[int], None]
"""Called with the number of steps taken."""
Started = Callable[[Trace], None]
"""Called with the trace that will grow, so that an error does not lose it."""


class Server(NamedTuple):
    """Where the game listens, how long it may move after an answer, and who does there what the mod cannot."""

    url: str
    settle: float = SETTLE
    hand: Hand | None = None
    name: str = ""
    """What people know it by, if not by its address."""
    game: ServedGame | None = None
    """The game itself, where it is one of our own in this process."""

    @property
    def source(self) -> str:
        return self.name or self.url


def check_idle(server: Server, remedy: str) -> None:
    """ValueError where a run is being played that would be lost."""
    if Client(server.url).gamestate()["state"] not in (MENU, STATES["game_over"]):
        raise ValueError(f"A run is being played at {server.url}, and this would end it. {remedy}")


@contextmanager
def simulator() -> Iterator[Server]:
    """A server of our own for as long as it is needed. It is at rest when it answers, so nobody waits for it."""
    with tempfile.TemporaryDirectory() as folder:
        servers = Servers("127.0.0.1", 0, 1, Path(folder))
        thread = threading.Thread(target=servers.serve, daemon=True)
        thread.start()
        try:
            game, url = servers.games[0], f"http://127.0.0.1:{servers.ports[0]}"
            yield Server(url, 0.0, Direct(game), "the simulator", game)
        finally:
            servers.stop()
            thread.join()


class _Recorder(Client):
    """Keeps what every action brought."""

    trace: Trace | None = None

    def act(self, method: str, params: Mapping[str, Any] | None = None) -> Json:
        state = super().act(method, params)
        if self.trace:
            self.trace.add(method, params or {}, state)
        return state


def record(
    server: Server,
    agent: Agent,
    deck: str,
    stake: str,
    seed: str | None,
    *,
    nonce: int = 0,
    max_steps: int,
    foreseen: bool = False,
    on_start: Started = lambda trace: None,
    on_progress: Progress = lambda steps: None,
) -> Trace:
    """Lets an agent play a run on a server: the best of what can be done there. Surprise where it must be ``foreseen``
    by the engine, and the game goes another way."""
    backend, rollout, trace = _begun(server, deck, stake, seed)
    trace.agent = agent.name
    on_start(trace)
    _check_foreseen(backend, foreseen)
    for moment in rollout.play(RestrictedAgent(agent, backend), nonce, max_steps=max_steps):
        _check_foreseen(backend, foreseen)
        trace.decisions.append(moment.decision)
        on_progress(moment.step)
    return trace


def record_steps(server: Server, run: Record, *, on_progress: Progress = lambda steps: None) -> Trace:
    """Plays on a server what was done in a run from its start. ValueError for what cannot be played over the wire."""
    header = run.header
    if header.start is not None or header.challenge is not None:
        raise ValueError("A run is compared from its start with a deck: this one begins later, or is a challenge.")
    _, rollout, trace = _begun(server, header.deck, header.stake, header.seed)
    for moment in rollout.replay(run.decisions):
        on_progress(moment.step)
    return trace


def _begun(server: Server, deck: str, stake: str, seed: str | None) -> tuple[RealBackend, Rollout, Trace]:
    """A run at its start, and the trace that all calls go to."""
    recorder = _Recorder(server.url, settle=server.settle)
    backend = RealBackend(recorder)
    rollout = Rollout(backend)
    rollout.start(deck=deck, stake=stake, seed=seed)
    recorder.trace = Trace(deck, stake, backend.seed, server.source, recorder.gamestate())
    return backend, rollout, recorder.trace


def _check_foreseen(backend: RealBackend, foreseen: bool) -> None:
    if foreseen and not backend.whole:
        what = "the game went another way than the simulator, which alone knows all that trace_v1 tells"
        remedy = "What came before is kept. Leave out --format trace_v1 to keep the whole run"
        phase = backend.state().phase
        raise Surprise(what, method="gamestate", url=backend.client.url, state=phase, remedy=remedy)


def replay(
    trace: Trace,
    server: Server,
    *,
    on_start: Started = lambda trace: None,
    on_progress: Progress = lambda steps: None,
) -> Trace:
    """Send the calls of a trace to another server. A refused call is noted, and the next ones are sent all the same."""
    client = Client(server.url, settle=server.settle)
    RealBackend(client).reset(deck=trace.deck, stake=trace.stake, seed=trace.seed)
    played = Trace(trace.deck, trace.stake, trace.seed, server.source, client.gamestate())
    on_start(played)
    for number, step in enumerate(trace.steps, 1):
        try:
            played.add(step["method"], step["params"], client.act(step["method"], step["params"]))
        except Refused as error:
            played.add(step["method"], step["params"], client.gamestate(), type(error).__name__)
        on_progress(number)
    return played
