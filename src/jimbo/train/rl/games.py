"""The games that a network plays while it learns: a native batch, cut off by the curriculum, counted as they end."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jimbo.engine import LAST_ANTE, Batch, BatchArrays, BatchSnapshot
from jimbo.train.rl.settings import Curriculum, RlSettings

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Limit:
    """Where the curriculum stands."""

    max_ante: int
    episodes: int = 0
    """Since it was last looked at."""
    successes: int = 0

    def counted(self, episodes: int, successes: int, rule: Curriculum) -> Limit:
        episodes, successes = self.episodes + episodes, self.successes + successes
        if episodes < rule.eval_interval:
            return Limit(self.max_ante, episodes, successes)
        rises = successes >= rule.success_threshold * episodes
        return Limit(min(LAST_ANTE, self.max_ante + rule.ante_increment * rises))


class Games:
    """``rows`` games; those that end are followed by others at once."""

    def __init__(self, settings: RlSettings, threads: int) -> None:
        self._settings = settings
        self.batch = Batch(
            settings.rows,
            encoding="candidates",
            deck=settings.deck,
            stake=settings.stake,
            threads=threads,
            autoreset="same_step",
            candidates=settings.candidates,
            weights=settings.rewards,
        )
        self.seen = BatchArrays.for_batch(self.batch)
        self.batch.bind(**self.seen.as_arguments())
        self.batch.seed(np.random.SeedSequence(settings.seed).generate_state(settings.rows, np.uint64).tolist())
        self.batch.reset()
        rule = settings.curriculum
        self.limit = Limit(rule.initial_max_ante if rule else LAST_ANTE)
        self._blinds = np.zeros(settings.rows, np.int64)
        self._sums: dict[str, float] = defaultdict(float)

    def step(self, actions: Array) -> Turn:
        """One decision in each; games that are cut off still show where they stood, until ``deal``."""
        self.batch.step(actions)
        seen, stats = self.seen, self.seen.stats
        over = stats["finished"]
        # Beyond the last ante there is only the win, which ends a game by itself.
        beyond = (seen.observations["ante"] > self.limit.max_ante) & (self.limit.max_ante < LAST_ANTE)
        cut = ~over & (beyond | (stats["length"] >= self._settings.max_steps))
        beaten = np.clip(stats["blinds"] - self._blinds, 0, None)
        self._count(over | cut, cut & beyond)
        self._blinds = np.where(over | cut, 0, stats["blinds"]).astype(np.int64)
        return Turn(
            rewards=seen.rewards.copy(),
            ended=seen.terminated.copy(),
            lost_sight=seen.truncated & ~seen.terminated,
            cut=cut,
            won=over & stats["won"],
            ante=stats["ante"].astype(np.int64),
            beaten=beaten.astype(np.int64),
        )

    def deal(self, rows: Array) -> None:
        """New games where ``rows`` says so."""
        self.batch.reset(rows)

    def _count(self, done: Array, beyond: Array) -> None:
        stats = self.seen.stats[done]
        won = stats["won"]
        found = {
            "games": len(stats),
            "wins": won.sum(),
            "ante": stats["ante"].sum(),
            "blinds": stats["blinds"].sum(),
            "return": stats["return"].sum(dtype=np.float64),
            "length": stats["length"].sum(),
            "illegal": stats["illegal"].sum(),
        }
        for name, value in found.items():
            self._sums[name] += float(value)
        if self._settings.curriculum and len(stats):
            successes = int(won.sum() + beyond.sum())
            self.limit = self.limit.counted(len(stats), successes, self._settings.curriculum)

    def report(self) -> dict[str, float]:
        """Of the games that ended since the last report: how many, and their means; nothing where none ended."""
        sums, self._sums = self._sums, defaultdict(float)
        games = sums.pop("games", 0.0)
        illegal = sums.pop("illegal", 0.0)
        names = {"wins": "win_rate", "ante": "mean_ante", "blinds": "mean_blinds", "return": "mean_return"}
        means = {names.get(name, f"mean_{name}"): value / games for name, value in sums.items()} if games else {}
        return {"games": games, "illegal": illegal, "max_ante": float(self.limit.max_ante), **means}

    # --- Files --------------------------------------------------------------------------------------------------------

    def save(self) -> str:
        """Where all games stand, as JSON."""
        rows = [((run or b"").decode(), *rest) for run, *rest in self.batch.snapshot().rows.__getstate__()]
        limit = [self.limit.max_ante, self.limit.episodes, self.limit.successes]
        return json.dumps({"rows": rows, "blinds": self._blinds.tolist(), "limit": limit})

    def load(self, text: str) -> None:
        """Goes back to what was saved; ValueError for anything else."""
        data = json.loads(text)
        now = self.batch.snapshot()
        rows = type(now.rows).__new__(type(now.rows))
        try:
            rows.__setstate__([_parts(row) for row in data["rows"]])
            self.batch.restore(BatchSnapshot(rows, {}, now.options))
            self._blinds = np.array(data["blinds"], np.int64)
            self.limit = Limit(*data["limit"])
        except (TypeError, KeyError, RuntimeError) as error:
            raise ValueError(f"its games cannot be read ({error})") from None


def _parts(row: list[Any]) -> tuple[Any, ...]:
    """JSON has lists where the engine has tuples."""
    run, selected, numbers, start, random, seeds, next_seed, terminated, truncated = row
    return run.encode(), selected, tuple(numbers), tuple(start), random, seeds, next_seed, terminated, truncated


@dataclass(frozen=True, slots=True)
class Turn:
    """What came of one decision in each game, ``[rows]`` each."""

    rewards: Array
    ended: Array
    """Won or lost."""
    lost_sight: Array
    """Stopped by the engine, which shows nothing more of it."""
    cut: Array
    """Cut off by us: the run could have gone on."""
    won: Array
    ante: Array
    beaten: Array
    """Blinds."""
