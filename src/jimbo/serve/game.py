"""A game in progress: the steps go through the one episode loop, and can be undone."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from jimbo.backends.protocol import Backend, RewindableBackend
from jimbo.data.record import Decision, Ending
from jimbo.engine import Action, PublicState
from jimbo.files import sentence
from jimbo.rollout.loop import Moment, Observer, Rollout
from jimbo.text import Told, refusal_words, tell, tell_jokers


class BadInput(ValueError):
    """A sentence that says what is wrong with what somebody asked for."""


class RunInPlay:
    """A run on any backend, from the state that the backend is in."""

    def __init__(
        self, backend: Backend, observers: Iterable[Observer] = (), *, armed: bool = False, recorded: bool = False
    ) -> None:
        """``recorded``: a file keeps every step, so none can be undone. ``armed`` is the player's explicit word that
        steps may be carried out; a backend with a true attribute ``needs_arming`` takes none without it."""
        self._backend = backend
        self._recorded = recorded
        self._rewindable = backend if isinstance(backend, RewindableBackend) else None
        self._locked = bool(getattr(backend, "needs_arming", False)) and not armed
        self._rollout = Rollout(backend, observers)
        self._past: list[bytes] = []
        self.state = self._rollout.go_on(backend.state())
        """What the player sees now."""

    @property
    def seed(self) -> str:
        """The seed of the run; empty where the backend cannot tell."""
        return str(getattr(self._backend, "seed", ""))

    @property
    def steps(self) -> int:
        """Taken since the start, or since a step was undone."""
        return self._rollout.steps

    def look(self) -> PublicState:
        """Return the state, asked anew where somebody else may have moved: by a backend with a method ``look``."""
        look: Callable[[], PublicState] | None = getattr(self._backend, "look", None)
        return look() if look else self.state

    def take_up(self, state: PublicState) -> None:
        """Continue from a state that somebody else has reached."""
        self._past.clear()
        self.state = self._rollout.go_on(state)

    def take(self, decision: Decision, processor_seconds: float = 0.0) -> Moment:
        """Take a step; BadInput if the rules forbid it, or if nobody has allowed it: nothing has changed then."""
        check(decision.action, self.state)
        if self._locked:
            unarmed = "this game takes no steps from here until it is armed (--arm)"
            raise BadInput(sentence(f"Nothing was done: {self._backend.cannot(decision.action) or unarmed}"))
        past = self._rewindable.save() if self._rewindable else b""
        moment = self._rollout.take(decision, processor_seconds)
        self._past.append(past)
        self.state = moment.after
        return moment

    @property
    def undoable(self) -> int:
        """Steps that can be undone."""
        return len(self._past)

    def undo(self, steps: int) -> int:
        """Return how many steps were undone."""
        if self._recorded:
            raise BadInput("A run that is recorded cannot be undone.")
        if self._rewindable is None:
            raise BadInput("Steps of this game cannot be undone.")
        possible = min(steps, len(self._past))
        if possible == 0:
            raise BadInput("There is nothing to undo.")
        self.state = self._rollout.go_on(self._rewindable.load(self._past[-possible]))
        del self._past[-possible:]
        return possible

    def ending(self) -> Ending:
        """Return how the run stands."""
        return self._rollout.ending()


def check(action: Action, state: PublicState) -> None:
    """Raise BadInput if the rules forbid an action."""
    if refusal := state.refusal(action):
        raise BadInput(refusal_words(action, refusal, state))


def told(moment: Moment) -> list[Told]:
    """Say in words what a step brought."""
    return tell(moment.events, moment.before, moment.after) + tell_jokers(moment.before, moment.after)
