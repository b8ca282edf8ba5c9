"""How well a network plays while it learns: greedily, always on the same seeds, which nobody else uses."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from jimbo.engine import Batch, BatchArrays
from jimbo.seeds.seed_sets import train_seeds
from jimbo.train.rl.settings import RlSettings

if TYPE_CHECKING:
    from jimbo.train.ppo import ActorCritic, Workbench

SEEDS = "rl-judge"


def judge(model: ActorCritic, settings: RlSettings, bench: Workbench) -> dict[str, float]:
    """Means over ``eval_games`` games to their end; the curriculum does not hold here."""
    from jimbo.train.ppo import looked_at, opinions

    count = settings.eval_games
    batch = Batch(
        count,
        encoding="candidates",
        deck=settings.deck,
        stake=settings.stake,
        autoreset="disabled",
        max_steps=settings.max_steps,
        candidates=settings.candidates,
        weights=settings.rewards,
        threads=bench.threads,
    )
    seen = BatchArrays.for_batch(batch)
    batch.bind(**seen.as_arguments())
    batch.seed_lists([[seed] for seed in islice(train_seeds(SEEDS), count)])
    batch.reset()
    running = np.ones(count, np.bool_)
    actions = np.zeros(count, np.int32)
    results = seen.stats.copy()
    while running.any():
        logits = opinions(model, looked_at(seen, running, bench.device), bench)[0]
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
