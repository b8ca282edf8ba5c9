"""The games of a training: where they begin, playing them piece by piece, and judging by games on fixed seeds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np

from jimbo.engine.value import PlayedGames, Positions, ValueNet, ValuePlay, ValueStart, play_games
from jimbo.seeds.seed_sets import train_seeds
from jimbo.train.value.positions import joined
from jimbo.train.value.settings import ValueSettings

JUDGE_SEEDS = "value-judge"
WHITE = "stake_white"
_PIECE = 32
"""Games of a thread at a time: few enough to be stopped between, many enough to keep all threads busy."""

Told = Callable[[int], None]
"""Is told how many games are over."""


def starts_of(settings: ValueSettings, generation: int) -> list[ValueStart]:
    """Where the games of a generation begin: decided by the seed and the number of the generation alone."""
    count = settings.stage(generation).games
    random = np.random.default_rng([settings.seed, generation])
    seeds = islice(train_seeds(f"value-{settings.seed}-{generation}"), count)
    decks, stakes = _drawn(settings.decks, count, random), _drawn(settings.stakes, count, random)
    nonces = random.integers(0, 2**63, count).tolist()
    explores = (random.random(count) < settings.exploring).tolist()
    return [ValueStart(*start) for start in zip(seeds, decks, stakes, nonces, explores, strict=True)]


def _drawn(weights: Mapping[str, float], count: int, random: np.random.Generator) -> list[str]:
    shares = np.array(list(weights.values()))
    return [list(weights)[i] for i in random.choice(len(weights), count, p=shares / shares.sum())]


def play_generation(
    net: ValueNet, settings: ValueSettings, generation: int, threads: int, told: Told
) -> tuple[dict[str, Any], Positions]:
    """How the games went, those without exploration at White by themselves, and positions to learn from."""
    stage, starts = settings.stage(generation), starts_of(settings, generation)
    play = ValuePlay(
        rollouts=stage.rollouts,
        finalists=stage.finalists,
        worlds=stage.worlds,
        random_moves=stage.random_moves,
        bias=stage.taste,
        recorded=settings.kept,
        recorded_worlds=settings.kept_worlds,
        second_chances=settings.second_chances,
    )
    played = _play(net, starts, play, threads, told)
    plain = np.array([start.stake == WHITE and not start.explores for start in starts])
    return {"played": len(starts), "plain": summary(played, plain)}, played.positions


def judge(net: ValueNet, settings: ValueSettings, threads: int, told: Told) -> dict[str, Any]:
    """White Stake and Red Deck, without exploring, always on the same seeds, which nobody else uses."""
    seeds = islice(train_seeds(JUDGE_SEEDS), settings.judge_games)
    starts = [ValueStart(seed, "b_red", WHITE, number, False) for number, seed in enumerate(seeds)]
    played = _play(net, starts, ValuePlay(rollouts=settings.judge_rollouts, finalists=4, worlds=2), threads, told)
    return summary(played, np.ones(len(starts), np.bool_))


def summary(played: PlayedGames, which: Any) -> dict[str, Any]:
    if not which.any():
        return {"games": 0}
    return {
        "games": int(which.sum()),
        "win_rate": float(played.won[which].mean()),
        "mean_ante": float(played.ante[which].mean()),
        "mean_round": float(played.round[which].mean()),
    }


def _play(net: ValueNet, starts: Sequence[ValueStart], play: ValuePlay, threads: int, told: Told) -> PlayedGames:
    piece, parts = _PIECE * threads, []
    for first in range(0, len(starts), piece):
        parts.append(play_games(net, starts[first : first + piece], play, threads))
        told(min(first + piece, len(starts)))
    names = [name for name in PlayedGames._fields if name != "positions"]
    columns: dict[str, Any] = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
    return PlayedGames(**columns, positions=joined([part.positions for part in parts]))
