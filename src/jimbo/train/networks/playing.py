"""Students at the table: what they learnt shows in the games they play."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from jimbo.eval.runner import Evaluation, Settings, evaluate
from jimbo.eval.statistics import Paired, compare
from jimbo.eval.store import Store
from jimbo.eval.summary import Summary, summarize
from jimbo.seeds.seed_sets import seed_set

GAMES = "games"


@dataclass(frozen=True, slots=True)
class Played:
    """The games of one network."""

    name: str
    summary: Summary
    against_first: Paired | None
    """How it compares with the first, on the same seeds; None for the first itself."""


def played(
    students: Mapping[str, Path], folder: Path, games: int, workers: int, progress: Callable[[str, int, int], None]
) -> list[Played]:
    """Lets the networks of several folders play the same seeds for measuring, kept in ``folder/games``.

    ``progress`` is told who plays, how many games are done, and of how many.
    """
    found: list[Played] = []
    first: Evaluation | None = None
    for name, model in students.items() if games else ():
        done = _evaluated(model, folder / GAMES / model.name, games, workers, partial(progress, name))
        against = compare(done.episodes, first.episodes) if first else None
        found.append(Played(name, summarize(done.episodes), against))
        first = first or done
    return found


def _evaluated(model: Path, home: Path, games: int, workers: int, progress: Callable[[int, int], None]) -> Evaluation:
    settings = Settings(agent="network", options={"model": str(model / "best.onnx")}, seeds=seed_set(None, games))
    with Store(home) as store:
        count = len(store.rows(settings.to_data()))
        progress(count, games)

        def show(_: object) -> None:
            nonlocal count
            count += 1
            progress(count, games)

        found = evaluate(settings, workers=workers, store=store, progress=show)
    if found.stopped:
        raise KeyboardInterrupt
    if found.trouble:
        raise ValueError(found.trouble)
    return found
