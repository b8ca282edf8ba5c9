"""The one reader of files that hold a game: a run, a state, or what comes near; told apart by what they hold."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jimbo.backends.sim import SimBackend
from jimbo.data.record import Decision, Header, Record, public_hash, versions
from jimbo.data.record_files import SAVED_RUN, holds_run, read_record
from jimbo.engine import PublicState, Run
from jimbo.files import read_bytes, reading


@dataclass(frozen=True, slots=True)
class Game:
    """A game as a file has it, at one of its decisions."""

    state: PublicState
    name: str
    """Of the file, for sentences."""
    run: Run | None = None
    """The run itself; None where only what its player sees is known."""
    start: Run | None = None
    """The run where its decisions begin."""
    decisions: Sequence[Decision] = ()
    """What led from there to the state."""
    player: str = ""
    """Who took them."""
    notes: tuple[str, ...] = ()
    """Sentences on what cannot be as it was."""
    held: bytes = field(default=b"", repr=False)
    """What the file holds, where going on with the game may replace it."""

    def backend(self, nonce: int = 0, *, reveal: bool = False) -> SimBackend:
        """Return the simulator where the decisions begin; or in a world that looks the same, drawn by the nonce."""
        backend = SimBackend(reveal=reveal)
        backend.load((self.start or self.state.imagine(nonce)).save())
        return backend


def read_game(path: Path, at: int | None = None) -> Game:
    """Read a game after ``at`` of its decisions, or its last; ValueError with a sentence for a file without one."""
    with reading(path):
        data = read_bytes(path)
    if data.startswith(SAVED_RUN):
        try:
            run = Run.load(data)
        except ValueError as error:
            raise ValueError(f"{path} cannot be resumed: {error}.") from None
        return Game(run.public_state(), str(path), run, run, held=data)
    if not holds_run(data):
        raise ValueError(f"{path} is not a saved run.")
    return _played(str(path), read_record(path), at, data)


def first_run(header: Header) -> Run:
    """The run of a record where it begins."""
    if header.start is not None:
        return Run.from_json(json.dumps(header.start))
    deck = None if header.challenge else header.deck
    return Run(deck=deck, stake=header.stake, seed=header.seed, challenge=header.challenge)


def _played(name: str, record: Record, at: int | None, data: bytes) -> Game:
    start, decisions = first_run(record.header), record.decisions
    if at is not None and at > len(decisions):
        raise ValueError(f"{name} has {len(decisions)} decisions, so --at takes 0 to {len(decisions)}, not {at}.")
    whole = at is None or at == len(decisions)
    run = start.clone()
    for number, decision in enumerate(decisions[:at]):
        if refusal := run.refusal(decision.action):
            there = "" if dict(record.header.versions) == versions() else " It was recorded by another version."
            raise ValueError(
                f"{name}, decision {number + 1}, is not allowed: {refusal.sentence}.{there} --at {number} goes on "
                "before it."
            )
        run.step(decision.action)
    state = run.public_state()
    notes: tuple[str, ...] = ()
    if whole and record.end and record.end.public_hash != public_hash(state):
        notes = (f"{name} was recorded where the run went another way; it goes on as it goes here.",)
    own = whole and record.header.agent == PLAYER
    return Game(state, name, run, start, decisions[:at], record.header.agent, notes, data if own else b"")


PLAYER = "player"
"""The agent of a record whose decisions somebody took."""
