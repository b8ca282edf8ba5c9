"""The loop of all trainings: a step and its evaluation, the best network kept, everything on disk after each."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from torch import nn
from torch.optim import Optimizer

from jimbo.pace import PACE
from jimbo.run_folder import RunFolder
from jimbo.train.core.curves import Curves, Picture
from jimbo.train.core.pace import TrainingPace
from jimbo.train.core.state import BEST, LAST, METRICS, STATE, TrainingState
from jimbo.train.core.watching import Progress, Row, Watcher, Watchers


class TrainingFailed(ValueError):
    """A training that cannot continue; the sentence says why. The last complete step is on disk."""


class TrainingMethod:
    """What a method of training brings to ``run``. It overrides what it has.

    A step is an epoch, an update or a generation, whatever ``unit`` says. Random numbers depend on the seed and the
    number of the step alone, so that a resumed training ends as one that never stopped.
    """

    unit = "epoch"
    title: str
    config: Mapping[str, Any]
    """Everything that must be the same for a training to be resumed."""
    may_change: tuple[str, ...] = ()
    """Names in ``config`` that may differ, such as ``settings.generations``."""
    total: int
    picture: Picture
    networks: Mapping[str, nn.Module]
    """Those that learn, by name; the optimizer has the weights of the first."""
    optimizer: Optimizer | None = None
    seconds = 0.0
    """Time spent, as the method counts it; kept over a stop."""

    def begin(self, progress: Progress, watcher: Watcher) -> Row | None:
        """Return a row for the state before the first step, if there is one. Called in resumed trainings, too."""
        return None

    def step(self, progress: Progress, watcher: Watcher) -> Row:
        """Learn, and return what is to be known of it."""
        raise NotImplementedError

    def evaluate(self, number: int, watcher: Watcher) -> Row:
        """Return more for the row of a step; nothing if it is not time to evaluate."""
        return {}

    def score(self, row: Row) -> tuple[float, ...] | None:
        """Return what makes one row better than another; None if its networks are not to be kept."""
        raise NotImplementedError

    def is_enough(self, progress: Progress) -> bool:
        """Whether to stop before the last step."""
        return False

    def keep(self, stem: Path, row: Row) -> None:
        """Write the network that plays, in files that begin with ``stem``."""
        raise NotImplementedError

    def line(self, row: Row, progress: Progress) -> str:
        """Return a line about a row for people, or nothing."""
        return ""

    def metrics(self, progress: Progress) -> dict[str, Any]:
        """Return what ``train_metrics.json`` says."""
        return {f"best_{self.unit}": progress.best_at, f"{self.unit}s": list(progress.history)}

    def files(self, progress: Progress) -> Mapping[str, Any]:
        """Return the JSON files about the training by name, written after every evaluation."""
        return {METRICS: self.metrics(progress)}

    def texts(self) -> Mapping[str, str]:
        """Return what else a resumed training needs; ``restore`` gets it back."""
        return {}

    def restore(self, texts: Mapping[str, str]) -> None: ...

    def finish(self, folder: RunFolder, progress: Progress, watcher: Watcher) -> None:
        """Export the networks."""


def run(method: TrainingMethod, folder: RunFolder, watcher: Watcher) -> Progress:
    """Train in a folder; a training of the same settings that was stopped there is resumed."""
    folder.begin(method.config, method.may_change)
    curves = Curves(folder.folder, method.picture, method.title)
    state = TrainingState(method.networks, method.optimizer)
    progress = Progress()
    if found := state.load(folder.folder):
        progress, texts = found
        method.seconds = progress.seconds
        try:
            method.restore(texts)
        except ValueError as error:
            raise ValueError(f"{folder.path(STATE)} cannot be resumed: {error}. Choose another --out.") from None
        watcher.say(f"Resuming after {method.unit} {progress.done}.")

    pace = TrainingPace(folder.path(PACE))
    watcher = Watchers(watcher, pace)

    def note(row: Row, done: int) -> Progress:
        """Keep everything about a step."""
        score = method.score(row)
        best = score is not None and score > progress.best
        now = Progress(
            done=done,
            best=score if score is not None and best else progress.best,
            best_at=done if best else progress.best_at,
            seconds=method.seconds,
            history=(*progress.history, row),
        )
        if score is not None:
            method.keep(folder.path(LAST), row)
        if best:
            method.keep(folder.path(BEST), row)
        state.save(folder.folder, now, method.texts())
        curves.add(row)
        if score is not None:
            for name, data in method.files(now).items():
                folder.write_json(name, data)
            curves.draw(now.history)
        if line := method.line(row, now):
            watcher.say(f"{line}, the best so far" if best else line)
        watcher.row(row, best)
        return now

    try:
        first = method.begin(progress, watcher)
        if first is not None and not progress.history:
            progress = note(first, 0)
        while progress.done < method.total and not method.is_enough(progress):
            number = progress.done + 1
            row = {method.unit: number, **method.step(progress, watcher)}
            progress = note({**row, **method.evaluate(number, watcher)}, number)
        method.finish(folder, progress, watcher)
    finally:
        curves.close()
        pace.close()
    return progress
