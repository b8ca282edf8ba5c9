"""The face that every world shows to agents and evaluations."""

from __future__ import annotations

from typing import Protocol

from jimbo.backends.public_view import PublicView
from jimbo.engine.run import Action


class Backend(Protocol):
    """One run at a time. Agents see the views it gives out, never the run behind them."""

    def reset(
        self, *, deck: str | None = None, stake: str = "white", seed: str | None = None, challenge: str | None = None
    ) -> PublicView:
        """Starts a new run; a backend that cannot choose seeds takes only None. A challenge brings its own deck."""

    def view(self) -> PublicView:
        """What the player sees now."""

    def legal_actions(self) -> list[Action]:
        """Every allowed action except rearranging cards."""

    def apply(self, action: Action) -> PublicView:
        """Takes an action; raises IllegalAction and changes nothing if it is not allowed."""

    def close(self) -> None:
        """Releases what the backend holds."""
