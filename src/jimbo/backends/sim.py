"""The simulator as a backend."""

from __future__ import annotations

from jimbo.backends.public_view import PublicView
from jimbo.engine.run import Action, Run
from jimbo.seeds import random_start


class SimBackend:
    """Plays runs of the exact simulator.

    ``reveal`` gives out views that hide nothing, for an agent that cheats so that the worth of cheating is known.
    """

    def __init__(self, *, reveal: bool = False) -> None:
        self._run: Run | None = None
        self._reveal = reveal

    def __repr__(self) -> str:
        return f"<SimBackend with {self._run}>" if self._run else "<SimBackend without a run>"

    def reset(
        self, *, deck: str | None = None, stake: str = "white", seed: str | None = None, challenge: str | None = None
    ) -> PublicView:
        self._run = Run(deck=deck, stake=stake, seed=seed or random_start(), challenge=challenge)
        return self.view()

    @property
    def run(self) -> Run:
        """The run itself, for recorders and evaluations; never for agents."""
        if self._run is None:
            raise RuntimeError("no run has been started: call reset() first")
        return self._run

    def view(self) -> PublicView:
        return PublicView(self.run, reveal=self._reveal)

    def legal_actions(self) -> list[Action]:
        return self.run.legal_actions()

    def apply(self, action: Action) -> PublicView:
        self.run.step(action)
        return self.view()

    def close(self) -> None:
        self._run = None
