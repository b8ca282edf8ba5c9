"""The games from which a value learns: where they begin, playing them piece by piece, and their positions.

Evaluation is by games on fixed seeds. Nothing here needs torch.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jimbo.engine.value import Choices, PlayedGames, Positions, ValueNet, ValuePlay, ValueStart, input_count, play_games
from jimbo.files import reading, replacing
from jimbo.seeds.seed_sets import train_seeds
from jimbo.train.settings import PolicySettings, ValueSettings

Array = NDArray[Any]
_NAMES = tuple(field.name for field in fields(Positions))
EVALUATION_SEEDS = "value-judge"
WHITE = "stake_white"
_PIECE = 32
"""Games of a thread at a time: few enough to be stopped between, many enough to keep all threads busy."""

Played = Callable[[int], None]
"""Called with the number of games that are over."""


def starts_of(settings: ValueSettings, generation: int) -> list[ValueStart]:
    """Return where the games of a generation begin: the seed and the number of the generation decide it alone."""
    count = settings.stage(generation).games
    random = np.random.default_rng([settings.seed, generation])
    return drawn_starts(f"value-{settings.seed}-{generation}", count, settings, settings.exploring, random)


def drawn_starts(
    seeds: str, count: int, settings: ValueSettings | PolicySettings, exploring: float, random: np.random.Generator
) -> list[ValueStart]:
    """Draw where games begin; ``seeds`` names a set of training seeds."""
    decks, stakes = _drawn(settings.decks, count, random), _drawn(settings.stakes, count, random)
    nonces = random.integers(0, 2**63, count).tolist()
    explores = (random.random(count) < exploring).tolist()
    starts = zip(islice(train_seeds(seeds), count), decks, stakes, nonces, explores, strict=True)
    return [ValueStart(*start) for start in starts]


def _drawn(weights: Mapping[str, float], count: int, random: np.random.Generator) -> list[str]:
    shares = np.array(list(weights.values()))
    return [list(weights)[i] for i in random.choice(len(weights), count, p=shares / shares.sum())]


def play_generation(
    net: ValueNet, settings: ValueSettings, generation: int, threads: int, played: Played
) -> tuple[dict[str, Any], Positions]:
    """Play; return how the games without exploration at White went, and positions to learn from."""
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
    found = play_all(net, starts, play, threads, played)
    plain = np.array([start.stake == WHITE and not start.explores for start in starts])
    return {"played": len(starts), "plain": summary(found, plain)}, found.positions


def evaluate(net: ValueNet, settings: ValueSettings, threads: int, played: Played) -> dict[str, Any]:
    """Play at White Stake with the Red Deck, without exploring, always on the same seeds, which nobody else uses."""
    seeds = islice(train_seeds(EVALUATION_SEEDS), settings.judge_games)
    starts = [ValueStart(seed, "b_red", WHITE, number, False) for number, seed in enumerate(seeds)]
    play = ValuePlay(rollouts=settings.judge_rollouts, finalists=4, worlds=2)
    return summary(play_all(net, starts, play, threads, played), np.ones(len(starts), np.bool_))


def summary(played: PlayedGames, which: Any) -> dict[str, Any]:
    if not which.any():
        return {"games": 0}
    return {
        "games": int(which.sum()),
        "win_rate": float(played.won[which].mean()),
        "mean_ante": float(played.ante[which].mean()),
        "mean_round": float(played.round[which].mean()),
    }


def play_all(net: ValueNet, starts: Sequence[ValueStart], play: ValuePlay, threads: int, played: Played) -> PlayedGames:
    """Play games piece by piece."""
    piece, parts = _PIECE * threads, []
    for first in range(0, len(starts), piece):
        parts.append(play_games(net, starts[first : first + piece], play, threads))
        played(min(first + piece, len(starts)))
    names = [name for name in PlayedGames._fields if name not in ("positions", "choices")]
    columns: dict[str, Any] = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
    positions = joined([part.positions for part in parts])
    return PlayedGames(**columns, positions=positions, choices=joined_choices([part.choices for part in parts]))


# --- Positions --------------------------------------------------------------------------------------------------------


def joined(parts: Sequence[Positions]) -> Positions:
    """Join positions, with games numbered through."""
    arrays = {name: np.concatenate([getattr(part, name) for part in parts]) for name in _NAMES}
    before = np.cumsum([0, *(int(part.game.max(initial=-1)) + 1 for part in parts[:-1])])
    numbers = [part.game + first for part, first in zip(parts, before, strict=True)]
    return Positions(**{**arrays, "game": np.concatenate(numbers).astype(np.int32)})


def joined_choices(parts: Sequence[Choices]) -> Choices:
    """Join choices, with attempts numbered through."""
    arrays = {field.name: np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Choices)}
    before = np.cumsum([0, *(len(part.bosses) for part in parts[:-1])])
    numbers = [part.attempt + first for part, first in zip(parts, before, strict=True)]
    return Choices(**{**arrays, "attempt": np.concatenate(numbers).astype(np.int32)})


def positions_hash(positions: Positions) -> str:
    """Return a hash that tells the data of trainings apart."""
    digest = hashlib.sha256()
    for name in _NAMES:
        digest.update(np.ascontiguousarray(getattr(positions, name)).tobytes())
    return digest.hexdigest()[:16]


def save_positions(path: Path, positions: Positions) -> None:
    with replacing(path) as beside, beside.open("wb") as file:
        np.savez(file, **{name: getattr(positions, name) for name in _NAMES})


def load_positions(path: Path) -> Positions:
    try:
        with reading(path, advice="Choose another --out."), np.load(path, allow_pickle=False) as arrays:
            return Positions(**{name: arrays[name] for name in _NAMES})
    except (ValueError, KeyError, EOFError):
        raise ValueError(f"{path} does not hold positions, or was cut. Choose another --out.") from None


class PositionRows(NamedTuple):
    """Positions to learn from, P of them with at most W inputs each."""

    inputs: Array
    """[P, W] int16; one past the last input where there is none."""
    values: Array
    """[P, W] float16."""
    next: Array
    taken: Array
    cleared: Array
    margin: Array
    dollars: Array
    game: Array


def input_rows(count: Array, index: Array, value: Array) -> tuple[Array, Array]:
    """Return inputs one after another as rows: [P, W] indices, one past the last input where there is none; values."""
    total, width = len(count), int(count.max(initial=0))
    inputs = np.full((total, width), input_count(), np.int16)
    values = np.zeros((total, width), np.float16)
    row = np.repeat(np.arange(total), count)
    place = np.arange(len(index)) - np.repeat(np.cumsum(count) - count, count)
    inputs[row, place], values[row, place] = index, value
    return inputs, values


def rows_of(parts: Sequence[Positions]) -> PositionRows:
    """Return the positions of several generations as rows."""
    positions = joined(parts)
    return PositionRows(
        *input_rows(positions.count, positions.index, positions.value),
        positions.next,
        positions.taken,
        positions.cleared,
        positions.margin.astype(np.float16),
        positions.dollars.astype(np.float16),
        positions.game,
    )
