"""Games kept in the form in which they are written: columns, or lines of RecordV1."""

from __future__ import annotations

from jimbo.data.game_rows import GameRows, Rows
from jimbo.data.record_v1 import GameRecords, line_text
from jimbo.data.results import outcome_of
from jimbo.data.samples import Game
from jimbo.engine import PublicState
from jimbo.rollout.games import EndedGame, GameBuffer, GivenUp
from jimbo.rollout.loop import Moment
from jimbo.rollout.pool import worker_number


class ColumnBuffer(GameBuffer):
    """Keeps decisions in columns; the arrays that it gives last until ``clear``."""

    def __init__(self) -> None:
        self.rows = GameRows()

    def __len__(self) -> int:
        return len(self.rows)

    def started(self, state: PublicState) -> None:
        self.rows.drop()

    def happened(self, moment: Moment) -> None:
        self.rows.add(moment.before, moment.decision, outcome_of(moment.before, moment.after))

    def ended(self, ended: EndedGame) -> Game | GivenUp:
        if ended.failure:
            return ended.given_up(ended.failure)
        game = ended.game(self.rows.beaten)
        self.rows.end(game)
        return game

    def gathered(self) -> Rows | None:
        self.rows.drop()
        return self.rows.rows() if len(self) else None

    def clear(self) -> None:
        self.rows.clear()


class JsonlBuffer(GameBuffer):
    """Keeps each game as one text of whole lines, made when it has ended."""

    def __init__(self, *, include_obs_raw: bool, url: str | None = None) -> None:
        """``url`` of the game that is played at; None for the simulator."""
        self._include_obs_raw, self._url = include_obs_raw, url
        self._instance = 0
        self._game = GameRecords()
        self.clear()

    def __len__(self) -> int:
        return self._decisions

    def started(self, state: PublicState) -> None:
        self._game = GameRecords(include_obs_raw=self._include_obs_raw)
        self._instance = worker_number()

    def happened(self, moment: Moment) -> None:
        outcome = outcome_of(moment.before, moment.after)
        self._game.add(moment.before, moment.decision, outcome, instance=self._instance, url=self._url)

    def ended(self, ended: EndedGame) -> Game | GivenUp:
        if ended.failure:
            return ended.given_up(ended.failure)
        game = ended.game(self._game.beaten)
        lines = self._game.ended(game)
        self._texts.append("".join(f"{line_text(line)}\n" for line in lines))
        self._decisions += len(lines)
        return game

    def gathered(self) -> list[str] | None:
        return self._texts or None

    def clear(self) -> None:
        self._texts: list[str] = []
        self._decisions = 0
