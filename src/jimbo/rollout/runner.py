"""Rollouts: many games written to a file. The same command resumes one that was stopped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from jimbo.agents import Agent
from jimbo.data.columns import DecisionRows, GameRows
from jimbo.data.record import outcome_of
from jimbo.data.record_v1 import GameLines
from jimbo.data.samples import Game
from jimbo.engine import PublicState, batch_schema_hash
from jimbo.rollout.farm import Spread, play_games
from jimbo.rollout.games import EndedGame, GameBuffer, GameId, GamePlayer, GamesSpec, GivenUp
from jimbo.rollout.loop import Moment
from jimbo.rollout.output import SCHEMA, JsonlSink, ParquetSink, Sink, claimed
from jimbo.rollout.pool import worker_number
from jimbo.seeds.seed_sets import rollout_seeds

SEED_PREFIX = "AAAAAAA"


@dataclass(frozen=True, slots=True, kw_only=True)
class RolloutPlan(GamesSpec):
    """The games of a rollout, and what is kept of them."""

    games: int
    format: str
    """``jsonl`` or ``parquet``."""
    seed: str | None = None
    """The seed of every game, if there is only one."""
    seed_prefix: str = SEED_PREFIX
    """The name of the list of seeds otherwise."""
    include_obs_raw: bool = False

    def game_seeds(self) -> Sequence[str]:
        """None of a list is in a set for measuring, and none is there twice."""
        return (self.seed,) * self.games if self.seed else tuple(islice(rollout_seeds(self.seed_prefix), self.games))

    def make_buffer(self, player: Agent, url: str | None) -> GameBuffer:
        if self.format == "parquet":
            return RecordBuffer(GameRows())
        return RecordBuffer(GameLines(include_obs_raw=self.include_obs_raw, instance=worker_number(), url=url))

    def to_data(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "agent": self.agent,
            "options": dict(self.options),
            "deck": self.deck,
            "stake": self.stake,
            "challenge": self.challenge,
            **({"seed": self.seed} if self.seed else {"seed_prefix": self.seed_prefix}),
            "games": self.games,
            "max_steps": self.max_steps,
            "format": self.format,
            "include_obs_raw": self.include_obs_raw,
            **self.backend_data(),
            "schema_hash": batch_schema_hash(),
            **self.source_data(),
        }


class RecordBuffer(GameBuffer):
    """Keeps the decisions of games in the form in which they are written: rows of columns, or lines of RecordV1."""

    def __init__(self, games: GameRows | GameLines) -> None:
        self.games = games

    def __len__(self) -> int:
        return len(self.games)

    def started(self, state: PublicState) -> None:
        self.games.drop()

    def happened(self, moment: Moment) -> None:
        self.games.add(moment.before, moment.decision, outcome_of(moment.before, moment.after))

    def ended(self, ended: EndedGame) -> Game | GivenUp:
        if ended.failure:
            return ended.given_up(ended.failure)
        game = ended.game(self.games.beaten)
        self.games.end(game)
        return game

    def gathered(self) -> DecisionRows | list[str] | None:
        return self.games.gathered()

    def clear(self) -> None:
        self.games.clear()


@dataclass(slots=True)
class RolloutResult:
    """How a rollout ended."""

    plan: RolloutPlan
    kept: int = 0
    """Games that were there before."""
    played: int = 0
    given_up: list[GivenUp] = field(default_factory=list)
    stopped: bool = False
    """By Ctrl-C."""
    trouble: str = ""
    """Why it could not go on, as a sentence."""


def roll_out(
    plan: RolloutPlan,
    out: Path,
    *,
    workers: int = 1,
    restart: bool = False,
    timeout: float | None = None,
    spread: Spread | None = None,
    begun: Callable[[int], None] = lambda kept: None,
    progress: Callable[[Game | GivenUp], None] = lambda end: None,
) -> RolloutResult:
    """Plays every game of the plan that the file does not hold yet; ValueError if the file is of other settings.

    The options are those of ``farm.play_games``. ``begun`` is called with the number of games that are there.
    """
    result = RolloutResult(plan)

    def ended(_: GameId, end: Game | GivenUp) -> None:
        if isinstance(end, GivenUp):
            result.given_up.append(end)
        else:
            result.played += 1
        progress(end)

    settings = plan.to_data()
    sink: Sink = ParquetSink(out, settings) if plan.format == "parquet" else JsonlSink(out)
    with claimed(out, settings), closing(sink):
        done = sink.done()
        missing = [(0, number) for number in range(plan.games) if number not in done]
        result.kept = plan.games - len(missing)
        begun(result.kept)
        stop = play_games(
            GamePlayer([plan]), missing, sink, ended, workers=workers, restart=restart, timeout=timeout, spread=spread
        )
    result.stopped, result.trouble = stop.stopped, stop.trouble
    return result
