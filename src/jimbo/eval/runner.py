"""Many runs of one agent, over all cores, kept in a folder as they finish."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from jimbo.agents import Agent
from jimbo.eval.episodes import EpisodeBuffer, PlacedRow
from jimbo.eval.rows import Episode
from jimbo.eval.store import Store
from jimbo.pace import PACE
from jimbo.rollout.farm import Spread, play_games
from jimbo.rollout.games import GameBuffer, GameId, GamePlayer, GamesSpec, GivenUp
from jimbo.rollout.output import Sink
from jimbo.rollout.pool import Lost
from jimbo.seeds.seed_sets import SeedSet


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(GamesSpec):
    """Everything that decides how the runs of an evaluation go."""

    seeds: SeedSet

    def game_seeds(self) -> Sequence[str]:
        return self.seeds.seeds

    def make_buffer(self, player: Agent, url: str | None) -> GameBuffer:
        return EpisodeBuffer()

    def record_of(self, row: Episode) -> Path | None:
        """The record of a run, where one is kept beside its row."""
        return None

    def lost(self, game: GameId, seed: str, lost: Lost) -> tuple[Episode | GivenUp, list[PlacedRow] | None]:
        """A run that the real game broke off has no row: that is not the agent's doing."""
        if lost.cause == "real_game":
            return GivenUp(game[1], seed, lost.why), None
        row = self._fallen(game[1], seed, lost)
        return row, [(game, row)]

    def _fallen(self, number: int, seed: str, lost: Lost) -> Episode:
        """The row of a run whose process has died, or was ended for its slowness: lost in the first ante."""
        return Episode(
            episode_id=number,
            agent=self.agent,
            deck=self.deck,
            stake=self.stake,
            challenge=self.challenge,
            seed=seed,
            nonce=self.nonce(number),
            result="open",
            final_ante=1,
            ante_reached=1,
            round=0,
            blinds_cleared=0,
            final_money=0,
            final_chips=0.0,
            failure_reason=lost.cause,
            failure_phase="",
            death_blind="",
            boss_blind_id="",
            steps=0,
            hand_steps=0,
            actions=0,
            seconds=0.0,
            decision_ms=0.0,
            hand_ms=0.0,
            macro_ms=0.0,
            best_hand=0.0,
            best_hand_name="",
            money_by_round=(),
            score_by_round=(),
            jokers=(),
            error=lost.why,
        )

    def to_data(self) -> dict[str, Any]:
        return {
            "agent": self.agent,
            "options": dict(self.options),
            "agent_number": self.agent_number,
            "deck": self.deck,
            "stake": self.stake,
            "challenge": self.challenge,
            "most_steps": self.max_steps,  # the key in evaluations that are kept already
            "seed_set": self.seeds.name,
            "seed_set_version": self.seeds.version,
            "seeds_hash": self.seeds.hash,
            "seeds": list(self.seeds.seeds),
            **self.backend_data(),
            **self.source_data(),
        }


@dataclass(frozen=True, slots=True)
class Evaluation:
    settings: Settings
    episodes: tuple[Episode, ...]
    """Ordered by seed; not all of them if it was stopped."""
    resumed: int = 0
    """How many were there already."""
    stopped: bool = False
    """Whether Ctrl-C ended it."""
    trouble: str = ""
    """Why it could not go on, as a sentence."""

    @staticmethod
    def kept(settings: Settings, rows: Iterable[Episode]) -> Evaluation:
        """An evaluation of rows that were played before, in whatever order."""
        return Evaluation(settings, tuple(sorted(rows, key=lambda row: row.episode_id)))

    def __repr__(self) -> str:
        of = len(self.settings.seeds.seeds)
        return f"<Evaluation of {self.settings.agent}: {len(self.episodes)} of {of} runs>"


def evaluate(
    settings: Settings,
    *,
    workers: int | None = None,
    store: Store | None = None,
    progress: Callable[[Episode], None] | None = None,
    spread: Spread | None = None,
    timeout: float | None = None,
) -> Evaluation:
    """Plays every seed that the store does not hold yet; ValueError if the store is of other settings.

    Ctrl-C ends it early and keeps what is finished; so does a full disk, or worker processes that keep dying.
    ``spread`` plays elsewhere than in this machine's simulator. A run that cannot be finished there has no row: that
    is not the agent's doing. A run that takes more than ``timeout`` seconds is ended and lost; ``spread`` has limits of
    its own.
    """

    def ended(_: int, row: Episode) -> None:
        if progress:
            progress(row)

    (done,) = evaluate_all([settings], workers=workers, stores=[store], progress=ended, spread=spread, timeout=timeout)
    return done


def evaluate_all(
    plans: Sequence[Settings],
    *,
    workers: int | None = None,
    stores: Sequence[Store | None],
    progress: Callable[[int, Episode], None] = lambda place, row: None,
    spread: Spread | None = None,
    timeout: float | None = None,
    order: Sequence[GameId] | None = None,
) -> list[Evaluation]:
    """Several evaluations, one after another, by the same processes; none of those is idle until the last runs.

    ``progress`` is called with the place of the plan and the row of each run that ends; it may raise Enough. ``order``:
    the place of the plan and the place of the seed of each run, in another order than one plan after another.
    """
    sink = _EvaluationSink(plans, stores)
    resumed = list(map(len, sink.rows))
    wanted = order or [(place, index) for place, plan in enumerate(plans) for index in range(len(plan.seeds.seeds))]
    games = [(place, index) for place, index in wanted if index not in sink.rows[place]]
    lost: list[GivenUp] = []

    def ended(game: GameId, end: Episode | GivenUp) -> None:
        if isinstance(end, GivenUp):
            lost.append(end)
        else:
            progress(game[0], end)

    cores = workers or os.cpu_count() or 1
    stop = play_games(
        GamePlayer(plans),
        games,
        sink,
        ended,
        workers=cores if len(games) > 1 else 1,
        spread=spread,
        timeout=timeout,
    )
    unfinished = f"Runs that could not be finished: {len(lost)}. The last: {lost[-1].why}." if lost else ""
    return [
        replace(
            Evaluation.kept(plan, rows.values()),
            resumed=there,
            stopped=stop.stopped,
            trouble=stop.trouble or unfinished,
        )
        for plan, rows, there in zip(plans, sink.rows, resumed, strict=True)
    ]


class _EvaluationSink(Sink):
    """The rows of several evaluations, in their stores where they have any; each is written when its run has ended."""

    def __init__(self, plans: Sequence[Settings], stores: Sequence[Store | None]) -> None:
        self._stores = stores
        self.rows = [
            {row.episode_id: row for row in store.open(plan.to_data())} if store else {}
            for plan, store in zip(plans, stores, strict=True)
        ]

    def pace(self, place: int) -> Path | None:
        store = self._stores[place]
        return store.path(PACE) if store else None

    def add(self, gathered: list[PlacedRow]) -> None:
        for (place, number), row in gathered:
            if store := self._stores[place]:
                store.add(row)
            self.rows[place][number] = row
