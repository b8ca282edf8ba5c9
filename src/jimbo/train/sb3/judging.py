"""Does it play better than before, and than chance? The trained model, its own start and random play, paired."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from jimbo.eval.runner import Evaluation, Settings, evaluate
from jimbo.eval.statistics import Paired, compare
from jimbo.eval.store import Store
from jimbo.eval.summary import Summary, summarize
from jimbo.seeds.seed_sets import SeedSet, fresh_seeds

GAMES = "games"


@dataclass(frozen=True, slots=True)
class Verdict:
    """How the players did, and how the last of them compares with each of the others."""

    summaries: dict[str, Summary]
    against: dict[str, Paired]


def judge_players(
    players: Mapping[str, Path | None],
    folder: Path,
    games: int,
    workers: int,
    progress: Callable[[str, int, int], None],
    seeds: SeedSet | None = None,
) -> Verdict:
    """All players on the same seeds, fresh ones by default. A player is an ONNX file, or None for random play.

    The games are kept in ``folder/games``.
    """
    played_on = seeds or fresh_seeds(games)
    done = {
        name: _evaluated(
            model, folder / GAMES / f"{name}_{played_on.hash}", played_on, workers, partial(progress, name)
        )
        for name, model in players.items()
    }
    *others, last = done
    return Verdict(
        {name: summarize(one.episodes) for name, one in done.items()},
        {name: compare(done[last].episodes, done[name].episodes) for name in others},
    )


def _evaluated(
    model: Path | None, home: Path, seeds: SeedSet, workers: int, progress: Callable[[int, int], None]
) -> Evaluation:
    options: dict[str, Any] = {} if model is None else {"model": str(model)}
    settings = Settings(agent="random" if model is None else "network", options=options, seeds=seeds)
    count = 0
    progress(0, len(seeds.seeds))

    def show(_: object) -> None:
        nonlocal count
        count += 1
        progress(count, len(seeds.seeds))

    with Store(home) as store:
        found = evaluate(settings, workers=workers, store=store, progress=show)
    if found.stopped:
        raise KeyboardInterrupt
    if found.trouble:
        raise ValueError(found.trouble)
    return found
