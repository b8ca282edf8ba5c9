"""What a served game holds: its run, and the little that the wire shows and the run does not remember."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from jimbo.data.record import Decision
from jimbo.engine import Action, ActionKind, PublicState, Run
from jimbo.rollout.events import game_observers
from jimbo.rollout.loop import Moment
from jimbo.serve.balatrobot.rpc import not_allowed
from jimbo.wire.codec.write import Memory
from jimbo.wire.gamestate import MENU, STATES


class GameTable:
    """One run at a time; none in the menu. ``seen`` is its public state, kept until something changes it."""

    def __init__(self) -> None:
        self.run: Run | None = None
        self.memory = Memory()
        self.told: str | None = None
        """The state as it was last written, until something changes it."""
        self._seen: PublicState | None = None
        self._next_id = 1
        self._observers = game_observers(seed=lambda: self.playing.seed)
        self._steps = 0

    @property
    def state(self) -> str:
        return STATES[self.run.phase] if self.run else MENU

    @property
    def playing(self) -> Run:
        """The run of a state in which there is one."""
        if self.run is None:
            raise RuntimeError("no run has been started")
        return self.run

    @property
    def seen(self) -> PublicState:
        if self._seen is None:
            self._seen = self.playing.public_state()
        return self._seen

    def put(self, run: Run | None, skipped: set[str]) -> None:
        """Start another run, or none."""
        if self._observers and self.run is not None and not (self.seen.over or self.seen.won):
            for observer in self._observers:
                observer.left(self.seen, self._steps, "")
        self.run, self.memory = run, Memory(self.memory.first_id + self._next_id - 1, skipped)
        self.changed()
        self._steps = 0
        for observer in self._observers if run is not None else ():
            observer.started(self.seen)

    def changed(self) -> None:
        """To be called after every change of the run."""
        self._seen = self.told = None
        if self.run is None:
            self._next_id = 1
            return
        self.memory.number_goods(self.seen)
        self._next_id = self.seen.next_id

    def step(self, kind: ActionKind | str, index: int = 0, to: int = 0, cards: Sequence[int] = ()) -> None:
        """Take an action; what the rules forbid is refused in their words."""
        action, before = Action(kind, index, to, cards), self.seen
        refusal = self.playing.refusal(action)
        if refusal is not None:
            raise not_allowed(f"{refusal.sentence[0].upper()}{refusal.sentence[1:]}")
        if kind == ActionKind.play:
            events = self.playing.step(action)
        else:
            with score_aside(self.playing):
                events = self.playing.step(action)
        self.memory.took(kind, index, before, self.playing.on_deck)
        self.changed()
        self._steps += 1
        for observer in self._observers:
            observer.happened(Moment(self._steps, before, Decision(action), events, self.seen))


@contextmanager
def score_aside(run: Run) -> Iterator[None]:
    """Keep a round from ending: the game looks at the score only after a hand, and ``set`` may have put it above the
    target before."""
    score = run.chips
    reached = run.phase == "selecting_hand" and score >= run.target
    if reached:
        run.chips = 0
    try:
        yield
    finally:
        if reached:
            run.chips = score
