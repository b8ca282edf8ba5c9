"""Observers that keep games in the form in which they are written."""

from __future__ import annotations

from typing import Any

from jimbo.data.game_rows import GameRows, Rows
from jimbo.data.results import outcome_of
from jimbo.data.samples import Game
from jimbo.engine import PublicState
from jimbo.rollout.loop import Moment, Observer


class Gatherer(Observer):
    """Takes one game after another. What a game that has not ended left behind goes when the next one starts."""

    @property
    def beaten(self) -> int:
        """Blinds so far in the present game."""
        raise NotImplementedError

    def __len__(self) -> int:
        """Decisions of games that have ended."""
        raise NotImplementedError

    def ended(self, game: Game) -> None:
        """The present game is over, and is to be kept."""
        raise NotImplementedError

    def gathered(self) -> Any:
        """What is to be written of the games that have ended since the last ``clear``; None where there are none."""
        raise NotImplementedError

    def clear(self) -> None:
        """Begins anew."""
        raise NotImplementedError


class Collector(Gatherer):
    """Gathers decisions in columns; the arrays that it gives last until ``clear``."""

    def __init__(self) -> None:
        self._rows = GameRows()

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def beaten(self) -> int:
        return self._rows.beaten

    def started(self, state: PublicState) -> None:
        self._rows.drop()

    def happened(self, moment: Moment) -> None:
        self._rows.add(moment.before, moment.decision, outcome_of(moment.before, moment.after))

    def ended(self, game: Game) -> None:
        self._rows.end(game)

    def gathered(self) -> Rows | None:
        self._rows.drop()
        return self._rows.rows() if len(self) else None

    def clear(self) -> None:
        self._rows.clear()
