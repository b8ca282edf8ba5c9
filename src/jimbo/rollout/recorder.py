"""Keeps a run in a file as it goes on."""

from __future__ import annotations

from jimbo.data import RecordFile, Snapshot
from jimbo.engine import PublicState
from jimbo.rollout.loop import Moment, Observer


class Recorder(Observer):
    """Writes every decision at once, and what the player saw every few decisions, if asked to."""

    def __init__(self, file: RecordFile, *, snapshot_every: int = 0) -> None:
        self._file = file
        self._every = snapshot_every

    def started(self, state: PublicState) -> None:
        self._keep(0, state)

    def happened(self, moment: Moment) -> None:
        self._file.add(moment.step, moment.decision)
        self._keep(moment.step, moment.after)

    def _keep(self, step: int, state: PublicState) -> None:
        if self._every and step % self._every == 0:
            self._file.snapshot(Snapshot(step, state.to_data()))
