"""Batches that play, for tests; in a module of its own, which new processes can import."""

from typing import Any

import numpy as np

from jimbo.engine import Action, Batch, BatchArrays, BatchSnapshot, Run, action_dtype


class Played:
    """A batch that takes random actions; ``steps`` tells all that it writes."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self.actions = np.zeros(batch.n, action_dtype() if batch.encoding == "actions" else np.int32)

    def steps(self, count: int) -> list[dict[str, bytes]]:
        told = []
        for number in range(count):
            self.batch.sample(self.actions, number)
            self.batch.step(self.actions)
            told.append(self.shown())
            over = self.batch.arrays["terminated"] | self.batch.arrays["truncated"]
            if over.all():
                self.batch.reset()
        return told

    def shown(self) -> dict[str, bytes]:
        return {name: array.tobytes() for name, array in self.batch.arrays.items()}


def played(encoding: str, mode: str, **options: Any) -> Played:
    """A batch in the middle of its episodes, some of them over."""
    weights = {"score": 1.0, "money": 0.5, "potential": 2.0}
    batch = Batch(
        5, encoding=encoding, autoreset=mode, candidates=16, max_steps=40, weights=weights, **options
    )  # fmt: skip
    batch.bind(**BatchArrays.for_batch(batch).as_arguments())
    batch.seed_lists([["A", "B"], ["C"], ["D", "E", "F"], ["G"], ["H"]])
    batch.set_start(2, deck="plasma", stake="gold")
    batch.reset()
    at = Played(batch)
    at.steps(57)
    return at


def played_on(run: Run, at: Played, snapshot: BatchSnapshot) -> tuple[Run, list[dict[str, bytes]], BatchSnapshot]:
    run.step(Action("reroll"))
    told = at.steps(5)
    at.batch.restore(snapshot)
    return run, told, at.batch.snapshot()
