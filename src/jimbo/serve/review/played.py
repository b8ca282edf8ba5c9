"""A run that was played, whatever wrote it down: each state that the player saw, and what was done there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any, NamedTuple

from jimbo.backends.sim import SimBackend
from jimbo.data.record import Decision
from jimbo.engine import Action, PublicState
from jimbo.rollout.loop import Rollout

_WON = "What follows the win is not reviewed."


class Position(NamedTuple):
    """A state of the run, and what the player did in it."""

    step: int
    """From 1."""
    state: PublicState
    action: Action | None
    """None at the end of the run, and where nobody can tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """What a run of the simulator begins with."""

    deck: str
    stake: str
    seed: str
    challenge: str | None = None
    state: Mapping[str, Any] | None = None
    """The whole state that it begins with, where that is not what its seed begins with."""

    def rollout(self) -> tuple[SimBackend, Rollout]:
        """Begin the run."""
        backend = SimBackend()
        rollout = Rollout(backend)
        if self.state is not None:
            rollout.go_on(backend.begin(self.state))
            return backend, rollout
        deck = None if self.challenge else self.deck
        rollout.start(deck=deck, stake=self.stake, seed=self.seed, challenge=self.challenge)
        return backend, rollout


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedRun:
    """A run as the player saw it, up to its end or its win."""

    source: str
    """What it was read from, in words."""
    player: str
    """Empty where nobody can tell."""
    start: Start
    positions: tuple[Position, ...]
    """The last one is where the run was left, lost or won."""
    exact: bool
    """The simulator goes the same way, so the whole run is known, with what was hidden."""
    notes: tuple[str, ...] = ()
    """Sentences on what is to be known of it."""

    @property
    def end(self) -> PublicState:
        return self.positions[-1].state

    @property
    def decisions(self) -> int:
        return len(self.positions) - 1

    def noting(self, note: str) -> PlayedRun:
        """Return the same with one more note."""
        return replace(self, notes=(*self.notes, note))

    def taken(self) -> list[Decision]:
        """What was done, to be replayed."""
        return [Decision(one.action) for one in self.positions if one.action]

    def saved_at(self, step: int) -> bytes:
        """Return the run before a decision as ``jimbo play`` saves it. Where the simulator does not know the run, what
        is hidden is drawn anew. ValueError if there is no such decision."""
        if not 1 <= step <= self.decisions:
            raise ValueError(f"there is no decision {step}: the run has 1 to {self.decisions}")
        if not self.exact:
            return self.positions[step - 1].state.imagine(step).save()
        backend, rollout = self.start.rollout()
        for _ in rollout.replay(self.taken()[: step - 1]):
            pass
        return backend.save()


def played_run(
    source: str,
    player: str,
    start: Start,
    states: Sequence[PublicState],
    actions: Sequence[Action | None],
    *,
    exact: bool,
    notes: Sequence[str] = (),
) -> PlayedRun:
    """Put states and what was done between them together; what follows a win is left out."""
    won = next((place for place, state in enumerate(states) if state.won), None)
    if won is not None and won + 1 < len(states):
        states, actions, notes = states[: won + 1], actions[:won], (*notes, _WON)
    pairs = zip_longest(states, actions[: len(states) - 1])
    positions = tuple(Position(step, state, action) for step, (state, action) in enumerate(pairs, 1))
    return PlayedRun(source=source, player=player, start=start, positions=positions, exact=exact, notes=tuple(notes))


def simulated(
    source: str, player: str, start: Start, actions: Iterable[Action], rollout: Rollout | None = None
) -> PlayedRun:
    """Play actions again in the simulator; BadRecord names the first that is not allowed. ``rollout``: of the start,
    where somebody else must see how it goes."""
    rollout = rollout or start.rollout()[1]
    assert rollout.state
    states, taken = [rollout.state], []
    for moment in rollout.replay(map(Decision, actions)):
        states.append(moment.after)
        taken.append(moment.decision.action)
    return played_run(source, player, start, states, taken, exact=True)
