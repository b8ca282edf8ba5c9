"""Keeps games as lines of RecordV1."""

from __future__ import annotations

from jimbo.data.record_v1 import GameRecords, line_text
from jimbo.data.results import outcome_of
from jimbo.data.samples import Game
from jimbo.engine import PublicState
from jimbo.rollout.collector import Gatherer
from jimbo.rollout.loop import Moment
from jimbo.rollout.pool import worker_number


class RecordGatherer(Gatherer):
    """Each game is one text of whole lines, made when it has ended."""

    def __init__(self, *, include_obs_raw: bool, url: str | None = None) -> None:
        """``url`` of the game that is played at; None for the simulator."""
        self._include_obs_raw, self._url = include_obs_raw, url
        self._instance = 0
        self._game = GameRecords()
        self.clear()

    def __len__(self) -> int:
        return self._decisions

    @property
    def beaten(self) -> int:
        return self._game.beaten

    def started(self, state: PublicState) -> None:
        self._game = GameRecords(include_obs_raw=self._include_obs_raw)
        self._instance = worker_number()

    def happened(self, moment: Moment) -> None:
        outcome = outcome_of(moment.before, moment.after)
        self._game.add(moment.before, moment.decision, outcome, instance=self._instance, url=self._url)

    def ended(self, game: Game) -> None:
        lines = self._game.ended(game)
        self._texts.append("".join(f"{line_text(line)}\n" for line in lines))
        self._decisions += len(lines)

    def gathered(self) -> list[str] | None:
        return self._texts or None

    def clear(self) -> None:
        self._texts: list[str] = []
        self._decisions = 0
