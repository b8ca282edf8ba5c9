"""A run that was played, whatever wrote it down: each state that the player saw, and what was done there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import NamedTuple

from jimbo.backends.sim import SimBackend
from jimbo.data.game_files import PLAYER, record_between
from jimbo.data.record import Decision, Header, Record
from jimbo.engine import Action, PublicState
from jimbo.rollout.loop import Rollout

_WON = "What follows the win is not reviewed."


class RunPosition(NamedTuple):
    """A state of the run, and what the player did in it."""

    step: int
    """From 1."""
    state: PublicState
    action: Action | None
    """None at the end of the run, and where nobody can tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedRun:
    """A run as the player saw it, up to its end or its win."""

    source: str
    """What it was read from, in words."""
    player: str
    """Empty where nobody can tell."""
    seed: str
    """Empty where nobody can tell."""
    start: Header | None
    """How the simulator begins to go the same way; None where it does not, and so what was hidden is not known."""
    positions: tuple[RunPosition, ...]
    """The last one is where the run was left, lost or won."""
    notes: tuple[str, ...] = ()
    """Sentences on what is to be known of it."""

    @property
    def exact(self) -> bool:
        """The whole run is known, with what was hidden."""
        return self.start is not None

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

    def saved_at(self, step: int) -> Record:
        """Return the run before a decision as ``jimbo play`` saves it, with the steps that led there. Where the
        simulator does not know the run, what is hidden is drawn anew, and it begins there. ValueError if there is no
        such decision."""
        if not 1 <= step <= self.decisions:
            raise ValueError(f"there is no decision {step}: the run has 1 to {self.decisions}")
        if self.start is None:
            there = self.positions[step - 1].state.imagine(step).save()
            return record_between(there, there, (), PLAYER)
        backend = SimBackend()
        rollout, before = Rollout(backend), self.taken()[: step - 1]
        rollout.start_as(self.start)
        start = backend.save()
        for _ in rollout.replay(before):
            pass
        return record_between(start, backend.save(), before, PLAYER)


def played_run(
    source: str,
    player: str,
    seed: str,
    start: Header | None,
    states: Sequence[PublicState],
    actions: Sequence[Action | None],
    notes: Sequence[str] = (),
) -> PlayedRun:
    """Put states and what was done between them together; what follows a win is left out."""
    won = next((place for place, state in enumerate(states) if state.won), None)
    if won is not None and won + 1 < len(states):
        states, actions, notes = states[: won + 1], actions[:won], (*notes, _WON)
    pairs = zip_longest(states, actions[: len(states) - 1])
    positions = tuple(RunPosition(step, state, action) for step, (state, action) in enumerate(pairs, 1))
    return PlayedRun(source=source, player=player, seed=seed, start=start, positions=positions, notes=tuple(notes))


def simulated(
    source: str, player: str, start: Header, actions: Iterable[Action], rollout: Rollout | None = None
) -> PlayedRun:
    """Play actions again in the simulator; BadRecord names the first that is not allowed. ``rollout``: where it is
    played, if somebody else must see how it goes."""
    rollout = rollout or Rollout(SimBackend())
    states, taken = [rollout.start_as(start)], []
    for moment in rollout.replay(map(Decision, actions)):
        states.append(moment.after)
        taken.append(moment.decision.action)
    return played_run(source, player, start.seed, start, states, taken)
