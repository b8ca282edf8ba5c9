"""The games of Jimbo's PPO: a native batch that the network plays and learns from, and games for its evaluation."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jimbo.engine import LAST_ANTE, Batch, BatchArrays, BatchSnapshot
from jimbo.env.wrappers import AnteLimit
from jimbo.models.outputs import BLINDS_AHEAD
from jimbo.seeds.seed_sets import train_seeds
from jimbo.train.ppo_model import ActorCritic, Decisions, Outlook, Workbench, opinions
from jimbo.train.settings import Curriculum, RlSettings

Array = NDArray[Any]
EVALUATION_SEEDS = "rl-judge"


@dataclass(frozen=True, slots=True)
class Turn:
    """The result of one decision in each game, ``[rows]`` each."""

    rewards: Array
    ended: Array
    """Won or lost."""
    lost_sight: Array
    """Stopped by the engine, which shows nothing more of it."""
    cut: Array
    """Cut off by us: the run could have continued."""
    won: Array
    ante: Array
    beaten: Array
    """Blinds."""


class Games:
    """``rows`` games; each that ends is followed by another at once."""

    def __init__(self, settings: RlSettings, threads: int) -> None:
        self._settings = settings
        self.batch = _batch(settings, settings.rows, threads, autoreset="same_step")
        self.seen = _bound(self.batch)
        self.batch.seed(np.random.SeedSequence(settings.seed).generate_state(settings.rows, np.uint64).tolist())
        self.batch.reset()
        rule = settings.curriculum
        self.limit = AnteLimit(**asdict(rule or Curriculum(initial_max_ante=LAST_ANTE)))
        self._blinds = np.zeros(settings.rows, np.int64)
        self._sums: dict[str, float] = defaultdict(float)

    def step(self, actions: Array) -> Turn:
        """Make one decision in each game; games that are cut off still show their last state, until ``deal``."""
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
        """Start new games where ``rows`` is true."""
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
            self.limit.count(int(won.sum() + beyond.sum()), len(stats))

    def report(self) -> dict[str, float]:
        """Return the number of games that ended since the last report, and their means if there are any."""
        sums, self._sums = self._sums, defaultdict(float)
        games = sums.pop("games", 0.0)
        illegal = sums.pop("illegal", 0.0)
        names = {"wins": "win_rate", "ante": "mean_ante", "blinds": "mean_blinds", "return": "mean_return"}
        means = {names.get(name, f"mean_{name}"): value / games for name, value in sums.items()} if games else {}
        return {"games": games, "illegal": illegal, "max_ante": float(self.limit.max_ante), **means}

    # --- Files --------------------------------------------------------------------------------------------------------

    def save(self) -> str:
        """Return the state of all games as JSON."""
        rows = [((run or b"").decode(), *rest) for run, *rest in self.batch.snapshot().rows.__getstate__()]
        limit = [self.limit.max_ante, self.limit.episodes, self.limit.successes]
        return json.dumps({"rows": rows, "blinds": self._blinds.tolist(), "limit": limit})

    def load(self, text: str) -> None:
        """Return to a saved state; ValueError for anything else."""
        now = self.batch.snapshot()
        rows = type(now.rows).__new__(type(now.rows))
        try:
            data = json.loads(text)
            rows.__setstate__([_snapshot_row(row) for row in data["rows"]])
            self.batch.restore(BatchSnapshot(rows, {}, now.options))
            self._blinds = np.array(data["blinds"], np.int64)
            self.limit.max_ante, self.limit.episodes, self.limit.successes = data["limit"]
        except (TypeError, KeyError, ValueError, RuntimeError) as error:
            raise ValueError(f"its games cannot be read ({error})") from None


def _snapshot_row(row: list[Any]) -> tuple[Any, ...]:
    """JSON has lists where the engine has tuples."""
    run, selected, numbers, start, random, seeds, next_seed, terminated, truncated = row
    return run.encode(), selected, tuple(numbers), tuple(start), random, seeds, next_seed, terminated, truncated


def _batch(settings: RlSettings, rows: int, threads: int, **more: Any) -> Batch:
    return Batch(
        rows,
        encoding="candidates",
        deck=settings.deck,
        stake=settings.stake,
        threads=threads,
        candidates=settings.candidates,
        weights=settings.rewards,
        **more,
    )


def _bound(batch: Batch) -> BatchArrays:
    seen = BatchArrays.for_batch(batch)
    batch.bind(**seen.as_arguments())
    return seen


# --- A network that plays ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class PlayedBatch:
    """The decisions of one update, ``[horizon * rows]`` each, and what they led to."""

    decisions: Decisions
    actions: Array
    log_probs: Array
    """Of the actions, when they were taken."""
    values: Array
    """What the critic expected."""
    advantages: Array
    returns: Array
    """What the critic should have expected."""
    outlook: Outlook


def choose(logits: Array, random: np.random.Generator) -> tuple[Array, Array]:
    """Draw a candidate for each row by the probabilities of the logits; return it and the log of its probability."""
    shares = logits - logits.max(axis=1, keepdims=True)
    shares -= np.log(np.exp(shares).sum(axis=1, keepdims=True))
    noise = -np.log(random.standard_exponential(shares.shape, np.float32) + 1e-20)
    chosen = (shares + noise).argmax(axis=1).astype(np.int32)
    return chosen, shares[np.arange(len(shares)), chosen]


def collect(
    model: ActorCritic,
    games: Games,
    settings: RlSettings,
    random: np.random.Generator,
    bench: Workbench,
) -> PlayedBatch:
    """Play; where a game is cut off, the critic says what would have come after."""
    everywhere = np.ones(settings.rows, np.bool_)
    shape = (settings.horizon, settings.rows)
    actions, log_probs, values = np.zeros(shape, np.int64), np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    worth = np.zeros(shape, np.float32)
    decisions: list[Decisions] = []
    turns: list[Turn] = []
    cuts: list[Outlook | None] = []
    for number in range(settings.horizon):
        decisions.append(Decisions.shown(games.seen, everywhere, bench.device))
        logits, values[number], _ = opinions(model, decisions[-1], bench)
        actions[number], log_probs[number] = choose(logits, random)
        turn, cut = games.step(actions[number].astype(np.int32)), None
        if turn.cut.any():
            _, worth[number, turn.cut], cut = opinions(
                model, Decisions.shown(games.seen, turn.cut, bench.device), bench
            )
            games.deal(turn.cut)
        turns.append(turn)
        cuts.append(cut)
    _, last, outlook = opinions(model, Decisions.shown(games.seen, everywhere, bench.device), bench)
    gains = _gains(turns, values, worth, last, settings)
    return PlayedBatch(
        decisions=Decisions.joined(decisions),
        actions=actions.reshape(-1),
        log_probs=log_probs.reshape(-1),
        values=values.reshape(-1),
        advantages=((gains - gains.mean()) / (gains.std() + 1e-8)).reshape(-1),
        returns=(gains + values).reshape(-1),
        outlook=outlooks(turns, cuts, outlook),
    )


def _gains(turns: list[Turn], values: Array, worth: Array, last: Array, settings: RlSettings) -> Array:
    """Return advantages. ``worth``: of games where they were cut off; ``last``: of all after the last turn."""
    ended, cut, lost_sight = (
        np.stack([getattr(turn, name) for turn in turns]) for name in ("ended", "cut", "lost_sight")
    )
    after = np.concatenate([values[1:], last[None]])
    after = np.where(cut, worth, np.where(ended, 0, after))
    after = np.where(lost_sight, values, after)  # what is shown no more is taken to be worth what it was just before
    rewards = np.stack([turn.rewards for turn in turns])
    return advantages(rewards, values, after, ~(ended | cut | lost_sight), settings.gamma, settings.gae_lambda)


def advantages(rewards: Array, values: Array, after: Array, goes_on: Array, gamma: float, gae_lambda: float) -> Array:
    """Generalised advantage estimation, ``[turns, rows]``.

    ``after``: what the critic expects after each decision: 0 where the game was won or lost, the value of the last
    state where it was cut off. ``goes_on``: whether the next turn belongs to the same game.
    """
    surprise = rewards + gamma * after - values
    gains = np.zeros_like(surprise)
    running = np.zeros_like(surprise[0])
    for turn in reversed(range(len(surprise))):
        running = surprise[turn] + gamma * gae_lambda * goes_on[turn] * running
        gains[turn] = running
    return gains


def _put(into: Outlook, rows: Array, values: Outlook) -> None:
    for part, value in zip(into, values, strict=True):
        part[rows] = value


def outlooks(turns: list[Turn], cuts: list[Outlook | None], last: Outlook) -> Outlook:
    """Return what the heads should expect at each decision, ``[turns * rows]``.

    Few games end between two updates, and those that do are the short ones: learning from them alone would be learning
    to expect the worst. So what is not known yet is what the network itself expects where the decisions end: ``cuts``
    of games cut off there, ``last`` of all games after the last turn.
    """
    found = []
    after = Outlook(*(part.copy() for part in last))
    for turn, cut in zip(reversed(turns), reversed(cuts), strict=True):
        if cut is not None:
            _put(after, turn.cut, cut)
        _put(after, turn.ended, _ends(turn))
        after = Outlook(after.win, *_earlier(after, turn.beaten), after.ante)
        found.append(after)
        after = Outlook(*(part.copy() for part in after))
    return Outlook(*(np.concatenate(parts[::-1]) for parts in zip(*found, strict=True)))


def _ends(turn: Turn) -> Outlook:
    won = turn.won[turn.ended].astype(np.float32)
    nothing = np.zeros((len(won), BLINDS_AHEAD), np.float32)
    antes = np.eye(LAST_ANTE, dtype=np.float32)[np.clip(turn.ante[turn.ended], 1, LAST_ANTE) - 1]
    return Outlook(won, nothing, nothing + (1 - won[:, None]), antes)


def _earlier(after: Outlook, beaten: Array) -> tuple[Array, Array]:
    """Return the blinds ahead of a decision: those that it beat, and then those that were ahead after it."""
    ahead = np.concatenate([np.ones_like(after.clear), after.clear], axis=1)
    known = np.concatenate([np.ones_like(after.clear), after.clear_known], axis=1)
    places = BLINDS_AHEAD - np.minimum(beaten, BLINDS_AHEAD)[:, None] + np.arange(BLINDS_AHEAD)
    return np.take_along_axis(ahead, places, axis=1), np.take_along_axis(known, places, axis=1)


def evaluate(model: ActorCritic, settings: RlSettings, bench: Workbench) -> dict[str, float]:
    """Return means over ``eval_games`` games to their end, without the curriculum, always on the same seeds.

    Nobody else uses these seeds.
    """
    count = settings.eval_games
    batch = _batch(settings, count, bench.threads, autoreset="disabled", max_steps=settings.max_steps)
    seen = _bound(batch)
    batch.seed_lists([[seed] for seed in islice(train_seeds(EVALUATION_SEEDS), count)])
    batch.reset()
    running = np.ones(count, np.bool_)
    actions = np.zeros(count, np.int32)
    results = seen.stats.copy()
    while running.any():
        logits = opinions(model, Decisions.shown(seen, running, bench.device), bench)[0]
        actions[running] = logits.argmax(axis=1)
        batch.step(actions)
        results[running] = seen.stats[running]
        running &= ~(seen.terminated | seen.truncated)
    won, ante = results["won"], results["ante"].astype(np.float64)
    return {
        "games": count,
        "mean_ante": float(ante.mean()),
        "win_rate": float(won.mean()),
        "mean_blinds": float(results["blinds"].mean()),
        "mean_return": float(results["return"].mean(dtype=np.float64)),
        "mean_length": float(results["length"].mean()),
        # A win clears the last ante, too.
        "antes_cleared": float((ante - 1 + won).mean()),
    }
