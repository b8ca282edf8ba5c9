"""Networks compared by games on the seeds for measuring: what they learnt shows in how they play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from jimbo.eval.runner import Evaluation, Settings, evaluate
from jimbo.eval.statistics import Paired, compare
from jimbo.eval.store import Store
from jimbo.eval.summary import Summary, summarize
from jimbo.seeds.seed_sets import SeedSet, fresh_seeds, seed_set
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
        seeds = seed_set(None, games)
        done = evaluate_player(model / "best.onnx", seeds, folder / GAMES / model.name, workers, name, watcher)
        against = compare(done.episodes, first.episodes) if first else None
        found.append(NetworkGames(name, summarize(done.episodes), against))
        first = first or done
    return found


@dataclass(frozen=True, slots=True)
class PlayerComparison:
    """How several players did on the same seeds, and how the last of them compares with each of the others."""

    summaries: dict[str, Summary]
    against: dict[str, Paired]


def compare_players(
    players: Mapping[str, Path | None], folder: Path, games: int, workers: int, watcher: Watcher
) -> PlayerComparison:
    """Let ONNX files, or random play for None, play the same fresh seeds; the games are kept in ``folder/games``."""
    seeds = fresh_seeds(games)
    episodes = {}
    for name, network in players.items():
        home = folder / GAMES / f"{name}_{seeds.hash}"
        episodes[name] = evaluate_player(network, seeds, home, workers, name, watcher).episodes
        watcher.say(f"{games} games played by {name}.")
    *others, last = episodes
    return PlayerComparison(
        {name: summarize(rows) for name, rows in episodes.items()},
        {name: compare(episodes[last], episodes[name]) for name in others},
    )


def evaluate_player(
    network: Path | None, seeds: SeedSet, home: Path, workers: int, name: str, watcher: Watcher
) -> Evaluation:
    """Let an ONNX file play these seeds, or random play if there is none; the games are kept in ``home``."""
    agent, options = ("random", {}) if network is None else ("network", {"model": str(network)})
    settings = Settings(agent=agent, options=options, seeds=seeds)
    with Store(home) as store:
        count = len(store.rows(settings.to_data()))
        watcher.progress(f"Playing, {name}", count, len(seeds.seeds), "games")

        def show(_: object) -> None:
            nonlocal count
            count += 1
            watcher.progress(f"Playing, {name}", count, len(seeds.seeds), "games")

        found = evaluate(settings, workers=workers, store=store, progress=show)
    if found.stopped:
        raise KeyboardInterrupt
    if found.trouble:
        raise ValueError(found.trouble)
    return found
