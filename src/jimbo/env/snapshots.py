"""Going back to where an environment stood."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from jimbo.env.rows import Rows, RowsSnapshot
from jimbo.text import counted


@dataclass(frozen=True, slots=True, eq=False)
class EnvSnapshot:
    """Where an environment stood between two steps. It can be kept, pickled and restored in another process."""

    rows: RowsSnapshot
    random: np.random.Generator | None
    """The environment's own generator, which chooses games when no seed was ever given."""
    random_seed: int | None

    def __repr__(self) -> str:
        return f"<EnvSnapshot of {counted(len(self.rows.batch.rows), 'row')}>"


class SnapshotMixin:
    """Snapshots of an environment that plays ``_rows``."""

    _rows: Rows
    _np_random: np.random.Generator | None
    _np_random_seed: int | None

    def snapshot(self) -> EnvSnapshot:
        """Where the environment stands; ``restore`` goes back there any number of times.

        It holds the episodes and all that decides which games follow, not the counters of wrappers.
        """
        return EnvSnapshot(self._rows.snapshot(), copy.deepcopy(self._np_random), self._np_random_seed)

    def restore(self, snapshot: EnvSnapshot) -> tuple[dict[str, Any], dict[str, Any]]:
        """Goes back to a snapshot of this environment, or of one with the same options; gives what ``reset`` gives.

        Everything goes on from there as it did: observations, masks, rewards, statistics and the games that follow.
        """
        self._rows.restore(snapshot.rows)
        self._np_random, self._np_random_seed = copy.deepcopy(snapshot.random), snapshot.random_seed
        return self._shown()

    def _shown(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Observation and info."""
        raise NotImplementedError
