"""How fast a network plays, on one core: alone, and many games at once."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

import numpy as np

from jimbo.data.samples import MAX_CANDIDATES
from jimbo.engine import Batch, BatchArrays
from jimbo.models.runtime import Policy

ROWS = 256
"""Games side by side."""
REPEATS = 7
_WARM_UP = 24
_STEPS = 20


@dataclass(frozen=True, slots=True)
class Speed:
    """Processor time, with the game and the listing of candidates; medians of ``REPEATS``."""

    one_ms: float
    """A decision in a single game."""
    batch_per_s: float
    """Decisions in ``ROWS`` games at once."""


def measure_policy(policy: Policy, on_progress: Callable[[], None] = lambda: None) -> Speed:
    one, many = _Games(policy, 1), _Games(policy, ROWS)
    single, batch = [], []
    for _ in range(REPEATS):
        single.append(one.seconds(_STEPS * 4) / (_STEPS * 4))
        batch.append(many.seconds(_STEPS) / (_STEPS * ROWS))
        on_progress()
    return Speed(1000 * median(single), 1 / median(batch))


class _Games:
    """Games that never end: a new one follows each."""

    def __init__(self, policy: Policy, rows: int) -> None:
        self._policy = policy
        self._batch = Batch(rows, encoding="candidates", candidates=MAX_CANDIDATES, autoreset="same_step")
        self._seen = BatchArrays.for_batch(self._batch)
        self._batch.bind(**self._seen.as_arguments())
        self._batch.reset()
        self.seconds(_WARM_UP)  # rows come apart, and the runtime gets ready

    def seconds(self, steps: int) -> float:
        began = time.process_time()
        for _ in range(steps):
            seen = self._seen
            found = self._policy.evaluate(seen.observations, seen.candidate_ids, seen.candidate_rows, seen.masks)
            self._batch.step(found.logits.argmax(axis=1).astype(np.int32))
        return time.process_time() - began
