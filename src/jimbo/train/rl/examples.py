"""Decisions on which an exported network must say what the network says."""

from __future__ import annotations

import numpy as np

from jimbo.data.samples import Samples
from jimbo.engine import Batch, BatchArrays, observation_dtype
from jimbo.train.rl.settings import RlSettings

_ROWS, _TURNS, _EVERY = 64, 40, 5


def examples(settings: RlSettings) -> Samples:
    """Some that come up when anything allowed is played."""
    batch = Batch(
        _ROWS,
        encoding="candidates",
        deck=settings.deck,
        stake=settings.stake,
        autoreset="same_step",
        candidates=settings.candidates,
    )
    seen = BatchArrays.for_batch(batch)
    batch.bind(**seen.as_arguments())
    batch.reset()
    actions = np.zeros(_ROWS, np.int32)
    observations, ids, rows, masks = [], [], [], []
    for turn in range(_TURNS):
        batch.sample(actions, turn)
        batch.step(actions)
        if turn % _EVERY == 0:
            observations.append(seen.observations.view(np.uint8).copy())
            ids.append(seen.candidate_ids[seen.masks].astype(np.uint8))
            rows.append(seen.candidate_rows[seen.masks])
            masks.append(seen.masks.sum(axis=1))
    counts = np.concatenate(masks)
    n, listed = len(counts), int(counts.sum())
    return Samples(
        observations=np.concatenate(observations).view(observation_dtype()),
        starts=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        candidate_ids=np.concatenate(ids),
        candidate_rows=np.concatenate(rows),
        values=np.full(listed, np.nan, np.float32),
        chosen=np.zeros(n, np.int16),
        measures=np.zeros(n, np.uint8),
        phases=np.zeros(n, np.uint8),
        games=np.zeros(n, np.int32),
        steps=np.zeros(n, np.int32),
        blinds=np.zeros(n, np.int16),
        rewards=np.zeros(n, np.float32),
        played=(),
    )
