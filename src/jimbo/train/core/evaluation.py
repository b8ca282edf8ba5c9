"""Networks compared by games on the seeds for measuring: what they learnt shows in how they play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from jimbo.eval.runner import Evaluation, Settings, evaluate
from jimbo.eval.statistics import Paired, compare
from jimbo.eval.store import Store
from jimbo.eval.summary import Summary, summarize
from jimbo.seeds.seed_sets import seed_set
from jimbo.train.core.watching import Watcher

GAMES = "games"


@dataclass(frozen=True, slots=True)
class NetworkGames:
    """The games of one network."""

    name: str
    summary: Summary
    against_first: Paired | None
    """How it compares with the first, on the same seeds; None for the first itself."""


def play_networks(
    networks: Mapping[str, Path], folder: Path, games: int, workers: int, watcher: Watcher
) -> list[NetworkGames]:
    """Let the networks of several folders play the same seeds, kept in ``folder/games``."""
    found: list[NetworkGames] = []
    first: Evaluation | None = None
    for name, model in networks.items() if games else ():
        done = _evaluated(model, folder / GAMES / model.name, games, workers, name, watcher)
        against = compare(done.episodes, first.episodes) if first else None
        found.append(NetworkGames(name, summarize(done.episodes), against))
        first = first or done
    return found


def _evaluated(model: Path, home: Path, games: int, workers: int, name: str, watcher: Watcher) -> Evaluation:
    settings = Settings(agent="network", options={"model": str(model / "best.onnx")}, seeds=seed_set(None, games))
    with Store(home) as store:
        count = len(store.rows(settings.to_data()))
        watcher.progress(f"Playing, {name}", count, games, "games")

        def show(_: object) -> None:
            nonlocal count
            count += 1
            watcher.progress(f"Playing, {name}", count, games, "games")

        found = evaluate(settings, workers=workers, store=store, progress=show)
    if found.stopped:
        raise KeyboardInterrupt
    if found.trouble:
        raise ValueError(found.trouble)
    return found
