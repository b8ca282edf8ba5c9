"""Games in which what jokers do together is known, because it was put there.

Weak runs want those jokers; strong runs hold others that do nothing, and long runs find late ones.
"""

from __future__ import annotations

import numpy as np

from jimbo.knowledge.moments import Moments

JOKERS, BLINDS = 14, 12
PLANTED = {(0, 1): 1.0, (2, 3): 0.9, (4, 5): 0.8, (1, 6): 0.9}
"""What these pairs add to the log odds of clearing each blind."""
HARMFUL = {(0, 7): -1.0}
EARLY, LATE = (8, 9), (10, 11, 12, 13)
"""Jokers that only the first or only the last blinds offer. Whoever holds one of each has lived long, and no more."""
_ALONE = np.array([0.3, 0.2, -0.2, 0.1, 0.4, 0.0, 0.2, 0.3, 0.1, 0.5, 0, 0, 0, 0])


def planted_games(count: int, seed: int = 0) -> Moments:
    """The value knows the power of a run and what each joker does alone, but nothing of pairs, and is too sure."""
    random = np.random.default_rng(seed)
    games, moments = [], []
    for game in range(count):
        held: list[int] = []
        power = float(random.normal())
        score, blind, rows = 0.0, 0, []
        while blind < BLINDS:
            usual = range(7) if random.random() < _sigmoid(-2 * power) else (7, *EARLY) if blind < 3 else (7,)
            offered = LATE if blind >= 9 else tuple(usual)
            wanted = int(random.choice(offered))
            if wanted not in held and random.random() < 0.6:
                held.append(wanted)
            if len(held) > 5:
                held.pop(int(random.integers(len(held) - 1)))
            rows.append((game, blind, sorted(held), power))
            if random.random() > _sigmoid(_strength(held, blind, power, together=True)):
                break
            blind += 1
            score = 300 * 4.0**blind
        games.append((blind == BLINDS, score, sorted({item for row in rows for item in row[2]})))
        moments += rows
    return _as_moments(games, moments)


def _strength(held: list[int], blind: int, power: float, *, together: bool) -> float:
    sum_alone = float(_ALONE[held].sum())
    pairs = {**PLANTED, **HARMFUL}
    both = sum(gain for (a, b), gain in pairs.items() if a in held and b in held)
    return 1.6 - 0.05 * blind + 1.5 * power + 0.5 * sum_alone + (both if together else 0.0)


def _value(held: list[int], blind: int, power: float) -> float:
    log_chance = sum(np.log(_sigmoid(_strength(held, later, power, together=False))) for later in range(blind, BLINDS))
    chance = float(np.exp(log_chance))
    return 1.2 * float(np.log(chance / (1 - chance)))


def _sigmoid(x: float) -> float:
    return float(1 / (1 + np.exp(-x)))


def _as_moments(games: list, moments: list) -> Moments:
    def lists(values: list) -> np.ndarray:
        made = np.empty(len(values), object)
        made[:] = [np.array(value, np.int64) for value in values]
        return made

    count = len(games)
    return Moments(
        stake=np.array(["stake_white"] * count, object),
        won=np.array([won for won, _, _ in games]),
        score=np.array([score for _, score, _ in games]),
        ante=np.full(count, 8, np.int16),
        seed=np.array([f"S{number}" for number in range(count)], object),
        used=lists([used for _, _, used in games]),
        game=np.array([game for game, *_ in moments]),
        blind=np.array([blind for _, blind, *_ in moments], np.int16),
        dollars=np.full(len(moments), 10),
        value=np.array([_value(held, blind, power) for _, blind, held, power in moments]),
        hand=np.zeros(len(moments), np.int16),
        held=lists([held for _, _, held, _ in moments]),
    )
