"""A recorded run as a backend: it goes on as it went, and says where the engine and the record disagree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from jimbo.backends.protocol import Applied
from jimbo.backends.sim import SimBackend
from jimbo.engine import Action, PublicState
from jimbo.wire.gamestate import ValueDifference, differences


class ReplayDiverged(ValueError):
    """Something else was done in the record."""


class ReplayBackend:
    """Plays the actions of a record again, in the engine, and compares the states that the record kept."""

    def __init__(
        self,
        *,
        deck: str,
        stake: str,
        seed: str,
        challenge: str | None = None,
        actions: Sequence[Action],
        states: Mapping[int, Mapping[str, Any]] | None = None,
    ) -> None:
        """``states`` are public states (public_v1) by the number of actions before them."""
        self._start = {"deck": deck, "stake": stake, "seed": seed, "challenge": challenge}
        self._actions, self._states = tuple(actions), states or {}
        self._sim = SimBackend()
        self._step = 0
        self.differences: list[tuple[int, ValueDifference]] = []
        """So far: the step, and what is not the same there."""

    def __repr__(self) -> str:
        return f"<ReplayBackend at {self._step} of {len(self._actions)} actions>"

    @property
    def next_action(self) -> Action | None:
        """What was done here; None at the end."""
        return self._actions[self._step] if self._step < len(self._actions) else None

    def reset(
        self, *, deck: str | None = None, stake: str = "white", seed: str | None = None, challenge: str | None = None
    ) -> PublicState:
        """From the start of the record; there is only that run, so ReplayDiverged if another seed is asked for."""
        if seed is not None and seed != self._start["seed"]:
            raise ReplayDiverged(f"The record is of the seed {self._start['seed']}, not {seed}.")
        self._step, self.differences = 0, []
        self._sim.reset(**self._start)  # type: ignore[arg-type]
        return self._compared()

    def begin(self, start: Mapping[str, Any]) -> PublicState:
        """From the start of a record that begins in the middle of a run."""
        self._step, self.differences = 0, []
        self._sim.begin(start)
        return self._compared()

    def state(self) -> PublicState:
        return self._sim.state()

    def cannot(self, action: Action) -> str | None:
        return None if action == self.next_action else "the record goes on with another action"

    def apply(self, action: Action) -> Applied:
        """Only the action of the record; ReplayDiverged for another, and nothing changes."""
        if self.next_action is None:
            raise ReplayDiverged(f"The record ends after {len(self._actions)} actions.")
        if action != self.next_action:
            raise ReplayDiverged(f"Action {self._step + 1} of the record is {self.next_action}, not {action}.")
        _, events = self._sim.apply(action)
        self._step += 1
        return Applied(self._compared(), events)

    def full_state(self) -> Mapping[str, Any]:
        return self._sim.full_state()

    def close(self) -> None:
        self._sim.close()

    def _compared(self) -> PublicState:
        state = self._sim.state()
        self.differences += [(self._step, found) for found in self._found(state)]
        return state

    def _found(self, state: PublicState) -> Iterator[ValueDifference]:
        if (kept := self._states.get(self._step)) is not None:
            yield from differences(state.to_data(), dict(kept))
