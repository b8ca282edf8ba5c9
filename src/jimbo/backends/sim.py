"""The simulator as a backend."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from jimbo.backends.protocol import Applied
from jimbo.engine import Action, PublicState, Run
from jimbo.files import sentence
from jimbo.seeds.starts import random_start


class RevealedState(PublicState):
    """Hides nothing: for an agent that cheats, so that the worth of cheating is known."""

    def __init__(self, run: Run) -> None:
        super().__init__(run.public_state())
        self._run = run.clone()

    def __repr__(self) -> str:
        return super().__repr__().replace("PublicState", "RevealedState")

    def imagine(self, nonce: int) -> Run:
        """The run itself, whatever the nonce."""
        return self._run.clone()


class SimBackend:
    """Plays runs of the exact simulator. ``reveal`` gives out states that hide nothing."""

    def __init__(self, *, reveal: bool = False) -> None:
        self._run: Run | None = None
        self._reveal = reveal

    def __repr__(self) -> str:
        return f"<SimBackend with {self._run}>" if self._run else "<SimBackend without a run>"

    def reset(
        self, *, deck: str | None = None, stake: str = "white", seed: str | None = None, challenge: str | None = None
    ) -> PublicState:
        self._run = Run(deck=deck, stake=stake, seed=seed or random_start(), challenge=challenge)
        return self.state()

    def begin(self, start: Mapping[str, Any]) -> PublicState:
        """Goes on from a whole state (state_v1); ValueError with a sentence for anything else."""
        try:
            self._run = Run.from_json(json.dumps(start))
        except ValueError as error:
            raise ValueError(sentence(f"No run can begin in this state: {error}")) from None
        return self.state()

    @property
    def _current(self) -> Run:
        if self._run is None:
            raise RuntimeError("no run has been started: call reset() first")
        return self._run

    @property
    def seed(self) -> str:
        return self._current.seed

    def state(self) -> PublicState:
        return RevealedState(self._current) if self._reveal else self._current.public_state()

    def cannot(self, action: Action) -> None:
        """None: the simulator can do whatever the rules allow."""

    def apply(self, action: Action) -> Applied:
        events = self._current.step(action)
        return Applied(self.state(), events)

    def full_state(self) -> Mapping[str, Any]:
        return self._current.to_data()

    def save(self) -> bytes:
        """The run as bytes, to be resumed by ``load``."""
        return self._current.save()

    def load(self, data: bytes) -> PublicState:
        """Goes on with a saved run; ValueError with a sentence for bytes that are not one."""
        self._run = Run.load(data)
        return self.state()

    def close(self) -> None:
        self._run = None
