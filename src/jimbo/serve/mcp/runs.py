"""Runs that clients hold by a handle, and the tokens by which a write names the state that it is meant for."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Any

from jimbo.agents import Agent
from jimbo.backends.protocol import Backend
from jimbo.backends.real import RealBackend
from jimbo.backends.sim import SimBackend
from jimbo.data.position import read_position
from jimbo.data.record import public_hash
from jimbo.declared import Declared, declared
from jimbo.engine import Action, PublicState
from jimbo.rollout.events import game_observers
from jimbo.rollout.games import RestrictedAgent
from jimbo.rollout.loop import MAX_STEPS, Moment
from jimbo.seeds.starts import deck_and_challenge, stake_key, typed_seed
from jimbo.serve.assistant.session import LogLine, Session
from jimbo.serve.game import BadInput, RunInPlay
from jimbo.serve.mcp.answers import in_one_line
from jimbo.serve.mcp.records import Kept
from jimbo.serve.mcp.view import brief, possible, where
from jimbo.serve.review.played import PlayedRun, played_run
from jimbo.text import Told, counted
from jimbo.wire.client import Client

TOLD = 12
"""Steps that a refused write is told of at most."""
_HASHED = 6


@dataclass(frozen=True, slots=True)
class NewRun:
    """What a client asks for; empty words stand for what the backend chooses."""

    deck: str = ""
    stake: str = ""
    seed: str = ""
    challenge: str = ""
    position: str = ""
    """In place of all others: the run begins as this says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLimits(Declared):
    """How much clients may hold."""

    runs: int = declared(32, "runs that are held at a time", min=1, max=10_000)
    idle_minutes: float = declared(120.0, "minutes without a call after which a run is dropped", min=0.01, max=100_000)


def simulated(asked: NewRun) -> SimBackend:
    """Begin a run in the simulator; ValueError with a sentence for a name or a seed that there is not."""
    if asked.position:
        if asked != NewRun(position=asked.position):
            raise BadInput("A position says all that there is to say. Leave deck, stake, seed and challenge out.")
        sim = SimBackend()
        sim.load(read_position(asked.position).imagine(secrets.randbits(63)).save())
        return sim
    deck, challenge = deck_and_challenge(asked.deck or None, asked.challenge or None)
    sim = SimBackend()
    seed = typed_seed(asked.seed) if asked.seed else None
    sim.reset(deck=deck, stake=stake_key(asked.stake or "white"), seed=seed, challenge=challenge)
    return sim


def joining(url: str) -> Callable[[NewRun], RealBackend]:
    """Return what joins the run that is open in the game at an address."""

    def join(asked: NewRun) -> RealBackend:
        if asked != NewRun():
            raise BadInput("The run that is open in the game is joined as it is. Leave everything out.")
        backend = RealBackend(Client(url))
        backend.join()
        return backend

    return join


class HeldRun:
    """A run, its log, and the token of its present state. One call at a time."""

    def __init__(
        self,
        handle: str,
        backend: Backend,
        player: Agent,
        agents: Callable[[], Agent],
        *,
        armed: bool,
        asked: NewRun,
        kept: Kept | None = None,
    ) -> None:
        """``asked`` is what the client has chosen; ``kept`` the file that the run is recorded in."""
        self.handle = handle
        self.lock = threading.Lock()
        self._kept = kept
        watching = game_observers(agent="mcp", seed=lambda: str(getattr(backend, "seed", "")))
        observers = [*([kept] if kept else ()), *watching]
        self.session = Session(RunInPlay(backend, observers, armed=armed), player, topk=1)
        self._backend, self._asked, self._agents = backend, asked, agents
        self.armed = armed
        """Whether steps may be taken from here."""
        self._past: list[tuple[PublicState, Action | None]] = []

    @property
    def seed(self) -> str:
        """The seed, where the client has chosen it, and for anybody when the run has ended; else empty."""
        if self._asked.position:
            return ""  # there is none that leads there
        return self._asked.seed.strip().upper() or (self.session.game.seed if self.session.ended else "")

    @cached_property
    def trier(self) -> Agent:
        """An agent for states that are only imagined, so that the plans of the player stay its own."""
        return self._agents()

    @property
    def state(self) -> PublicState:
        return self.session.state

    @property
    def token(self) -> str:
        """Names the present state, and how many entries of the log led to it."""
        return f"{len(self.session.log)}-{public_hash(self.state)[:_HASHED]}"

    def look(self) -> PublicState:
        """Return what the player sees now; somebody may have played where the game is another program."""
        seen = self.session.game.look()
        if seen != self.state:
            lines = changes(self.state, seen)
            self._past.append((self.state, None))
            self.session.take_up(seen)
            self.session.log.append(LogLine("player", "somebody played in the game", tuple(lines)))
        return seen

    def warnings(self) -> list[str]:
        """What may be wrong: in the state, where another program plays the game, and with the record."""
        if not isinstance(self._backend, RealBackend):
            return [self._kept.stopped] if self._kept and self._kept.stopped else []
        unread = self._backend.other_language
        found = (f"{one.path} is {one.there}, not {one.here} as foreseen" for one in self._backend.surprises)
        return [*([str(unread)] if unread else []), *found]

    def act(self, token: str, read: Callable[[PublicState], Action]) -> Moment:
        """Take a step that is meant for the state of a token; BadInput says what has changed since, or what is wrong
        with the action."""
        self.look()
        if token != self.token:
            raise BadInput(self._stale(token))
        if not self.armed:
            raise BadInput(
                "Nothing was done: this game takes no steps from here, because the server was started without --arm. "
                "Tell the player what to do."
            )
        if len(self.session.log) >= MAX_STEPS:
            raise BadInput(f"A run takes {MAX_STEPS:,} steps at most, and this one has them. Start another.")
        try:
            moment = self.session.play(read(self.state))
        except BadInput as wrong:
            raise BadInput(f"{wrong} Possible now: {in_one_line(possible(self.state)) or 'nothing'}.") from None
        self._past.append((moment.before, moment.decision.action))
        if self.session.ended:
            self.close()
        return moment

    def played(self) -> PlayedRun:
        """Return the run so far, as its player saw it."""
        state = self.state
        states, actions = [*(before for before, _ in self._past), state], [action for _, action in self._past]
        return played_run(f"run {self.handle}", "", self.seed, None, states, actions)

    def close(self) -> None:
        """End the record, and say that nobody goes on."""
        if not self.session.ended:
            self.session.game.leave()
        if self._kept:
            self._kept.end(self.session.game.ending())

    def _stale(self, token: str) -> str:
        """Say why nothing was done."""
        known, _, _ = token.partition("-")
        log = self.session.log
        if not known.isdecimal() or len(known) > len(f"{MAX_STEPS}") or int(known) >= len(log):
            what = f'"{token[:40]}" is no token of run {self.handle}'
            return f"Nothing was done: {what}. Take the one of its last answer, or look again."
        since = log[int(known) :]
        lines = [line for entry in since[-TOLD:] for line in entry_lines(entry, "- ")]
        left_out = f" (the last {TOLD} of {len(since)})" if len(since) > TOLD else ""
        head = f"Nothing was done: {counted(len(since), 'step')} came after the state of token {token}{left_out}:"
        return "\n".join([head, *lines, f"The token is {self.token} now. Look again, then decide."])


class Runs:
    """The runs of all clients. ``begin`` starts one, or joins the one that is played elsewhere."""

    def __init__(
        self,
        begin: Callable[[NewRun], Backend],
        agents: Callable[[], Agent],
        limits: RunLimits,
        *,
        armed: bool = True,
        joins: bool = False,
        keep: Callable[[str, Any], Kept] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``joins``: there is one run, which is played elsewhere, and ``armed`` whether steps may be taken in it.
        ``keep`` records a run, by its handle and backend."""
        self._begin, self._agents, self._limits, self._armed, self._clock = begin, agents, limits, armed, clock
        self._keep, self.joins = keep, joins
        self._held: dict[str, HeldRun] = {}
        self._called: dict[str, float] = {}
        self._numbers = count(1)
        self._lock = threading.Lock()

    def start(self, asked: NewRun) -> HeldRun:
        """Hold one more run. BadInput where no more are held; what the backend raises where it cannot begin."""
        with self._lock:
            self._drop_idle()
            if not self.joins:
                self._make_room()
            backend = self._begin(asked)
            if self.joins:
                self._drop([*self._held])  # one game, one run
            handle = f"r{next(self._numbers)}"
            player = RestrictedAgent(self._agents(), backend) if self.joins else self._agents()
            kept = self._keep(handle, backend) if self._keep else None
            run = HeldRun(handle, backend, player, self._agents, armed=self._armed, asked=asked, kept=kept)
            self._held[handle], self._called[handle] = run, self._clock()
            return run

    @contextmanager
    def use(self, handle: str, records: Sequence[str] = ()) -> Iterator[HeldRun]:
        """Give a run to one caller at a time; BadInput for one that is not held, which names what else there is."""
        with self._lock:
            self._drop_idle()
            run = self._held.get(handle)
            if run is None:
                held = f" Held are: {', '.join(list(self._held)[-TOLD:])}." if self._held else ""
                held += f" Records are: {', '.join(records)}." if records else ""
                idle = f"a run without a call for {self._limits.idle_minutes:g} minutes is dropped"
                raise BadInput(f'There is no run "{handle[:40]}"; {idle}.{held} new_run starts one.')
            self._called[handle] = self._clock()
        with run.lock:
            yield run

    def _drop_idle(self) -> None:
        before = self._clock() - 60 * self._limits.idle_minutes
        self._drop([handle for handle, called in self._called.items() if called < before])

    def _make_room(self) -> None:
        """Drop the run that ended longest ago, where there is no room."""
        if len(self._held) < self._limits.runs:
            return
        ended = [handle for handle, run in self._held.items() if run.session.ended]
        if not ended:
            most = counted(self._limits.runs, "run")
            raise BadInput(
                f"{most} are held already and none has ended. Play one of them: {', '.join(list(self._held)[-TOLD:])}."
            )
        self._drop([min(ended, key=self._called.__getitem__)])

    def _drop(self, handles: Sequence[str]) -> None:
        for handle in handles:
            self._held.pop(handle).close()
            del self._called[handle]

    def close(self) -> None:
        """Drop all, so that records have their ends."""
        with self._lock:
            self._drop([*self._held])


# --- Words ------------------------------------------------------------------------------------------------------------


def entry_lines(entry: LogLine, mark: str) -> list[str]:
    """A step after a mark, and what it brought."""
    return [f"{mark}{entry.words}", *(f"{' ' * len(mark)}{line}" for line in news(entry.told))]


def news(told: Sequence[Told]) -> list[str]:
    """What happened, without the single chips and mult of a hand; ``score`` tells those."""
    return [str(line) for line in told if line.totals is None or line.score is not None or line.kind == "hand"]


def changes(before: PublicState, after: PublicState) -> list[Told]:
    """What a player sees otherwise than before."""
    old, new = _labelled(before), _labelled(after)
    return [
        Told("changed", label, f"now {new[label]}" if label in new else "gone")
        for label in dict.fromkeys((*new, *old))
        if old.get(label) != new.get(label)
    ]


def _labelled(state: PublicState) -> dict[str, str]:
    lines = (line.partition(": ") for line in [f"place: {where(state)}", *brief(state)])
    return {label: text for label, _, text in lines}
