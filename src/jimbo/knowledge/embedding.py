"""Numbers that stand for items: those that winning runs hold together are alike.

Two ways are made and measured: how much more often than by chance two items are held together in won runs (PPMI), with
its strongest directions (truncated SVD), and the first layer of the learnt value. The measure is how well each
foretells games that it was not made from.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jimbo.engine.catalog import JOKERS
from jimbo.engine.value import input_groups
from jimbo.knowledge.items import ITEMS
from jimbo.knowledge.moments import Moments
from jimbo.models.value_file import read_value

Array = NDArray[Any]
DIM = 128
_SHARE_HELD_OUT = 0.2
_RIDGE = 10.0
_NEGATIVES = 20_000
_MOST_MOMENTS = 60_000
"""That the ends of games are foretold from; a lot more would only take longer."""
_GROUPS = {"jokers": 0, "vouchers": 1, "consumables": 2}
"""Inputs of the value that say what is held, in the order of ``ITEMS``."""


class Measured(NamedTuple):
    """How well an embedding foretells games that it was not made from."""

    together: float
    """Share of pairs held together in won runs that are more alike than pairs drawn by lot (AUC; a coin: 0.5)."""
    outcome: float
    """Log loss of a logistic regression of the end of games on the mean of the jokers held, with ante and money."""


def ppmi_embedding(moments: Moments, which: Array | None = None, dim: int = DIM) -> Array:
    """[items, dim]: by what won runs hold together; each run counts the same, however long it is."""
    counts = _together(moments, moments.won if which is None else moments.won & which)
    total = counts.sum()
    if total == 0:
        return np.zeros((len(ITEMS), dim), np.float32)
    alone = counts.sum(axis=1)
    expected = alone[:, None] * alone[None, :] / total
    with np.errstate(divide="ignore", invalid="ignore"):
        ppmi = np.where(counts > 0, np.maximum(np.log(counts / expected), 0.0), 0.0)
    return _strongest(ppmi, dim)


def _together(moments: Moments, games: Array) -> Array:
    """How often two items are held at the same moment, each game as one."""
    share = 1.0 / np.maximum(np.bincount(moments.game, minlength=len(moments.won)), 1)
    counts = np.zeros((len(ITEMS), len(ITEMS)))
    for moment in np.flatnonzero(games[moments.game]):
        held = moments.held[moment]
        counts[np.ix_(held, held)] += share[moments.game[moment]]
    np.fill_diagonal(counts, 0.0)
    return counts


def _strongest(table: Array, dim: int) -> Array:
    """Its strongest directions, each scaled by the root of its strength; signs are made the same everywhere."""
    u, s, _ = np.linalg.svd(table, hermitian=True)
    found = u[:, :dim] * np.sqrt(s[:dim])
    signs = np.sign(found[np.abs(found).argmax(axis=0), np.arange(found.shape[1])])
    made = np.zeros((len(table), dim), np.float32)
    made[:, : found.shape[1]] = found * np.where(signs == 0, 1, signs)
    return made


def value_embedding(model: Path | None = None, dim: int = DIM) -> Array:
    """[items, dim]: what the learnt value's first layer makes of each item, in its strongest directions."""
    from jimbo.models.value_file import OWN_FILE

    weights, _ = read_value(model or OWN_FILE)
    groups = {group.name: group for group in input_groups()}
    first = weights["first.weight"]
    rows = np.concatenate([first[groups[name].start : groups[name].start + groups[name].size] for name in _GROUPS])
    rows = rows - rows.mean(axis=0)
    u, s, _ = np.linalg.svd(rows, full_matrices=False)
    found = u[:, :dim] * s[:dim]
    return np.asarray(found / np.abs(found).max(), np.float32)


def compared(moments: Moments, seed: int = 0, model: Path | None = None) -> Mapping[str, Measured]:
    """Both ways, and none for comparison: made from four fifths of the games, measured on the rest."""
    random = np.random.default_rng(seed)
    held_out = random.random(len(moments.won)) < _SHARE_HELD_OUT
    made = {
        "ppmi": ppmi_embedding(moments, ~held_out),
        "value": value_embedding(model),
        "none": np.zeros((len(ITEMS), 1), np.float32),
    }
    return {
        name: Measured(_auc(table, moments, held_out, seed), _log_loss(table, moments, held_out))
        for name, table in made.items()
    }


def _auc(table: Array, moments: Moments, held_out: Array, seed: int) -> float:
    """Held-out pairs of jokers against pairs of jokers drawn as often as each is held, so that fame does not help."""
    random = np.random.default_rng(seed)
    jokers = len(JOKERS)
    counts = np.triu(_together(moments, moments.won & held_out)[:jokers, :jokers], 1)
    first, second = np.nonzero(counts)
    if not len(first):
        return 0.5
    weights = counts[first, second] / counts.sum()
    drawn = random.choice(len(first), _NEGATIVES, p=weights)
    fame = (counts + counts.T).sum(axis=1)
    strangers = random.choice(jokers, (_NEGATIVES, 2), p=fame / fame.sum())
    strangers = strangers[strangers[:, 0] != strangers[:, 1]]
    alike = _alike(table, first[drawn], second[drawn])
    other = np.sort(_alike(table, strangers[:, 0], strangers[:, 1]))
    below, upto = np.searchsorted(other, alike, "left"), np.searchsorted(other, alike, "right")
    return float(((below + upto) / 2).mean() / len(other))


def _alike(table: Array, first: Array, second: Array) -> Array:
    length = np.maximum(np.linalg.norm(table, axis=1), 1e-9)
    unit = table / length[:, None]
    return np.asarray((unit[first] * unit[second]).sum(axis=1))


def _log_loss(table: Array, moments: Moments, held_out: Array) -> float:
    """Return the log loss of games that were held out; every game counts the same."""
    if len(moments.blind) > _MOST_MOMENTS:
        share = _MOST_MOMENTS / len(moments.blind)
        kept = np.random.default_rng(0).random(len(moments.won)) < share
        moments, held_out = moments.of_games(kept), held_out[kept]
    rows = mean_of_held(table, moments)
    rows = rows / max(float(rows.std()), 1e-9)
    blinds = np.eye(int(moments.blind.max()) + 1)[moments.blind]
    stakes = np.unique(moments.stake)
    of_stake = (moments.stake[moments.game][:, None] == stakes[None, :]).astype(float)
    money = np.log1p(np.maximum(moments.dollars, 0))[:, None] / 3
    design = np.concatenate([blinds * of_stake[:, :1], blinds * (1 - of_stake[:, :1]), money, rows], axis=1)
    end = moments.won[moments.game].astype(float)
    weight = 1.0 / np.bincount(moments.game, minlength=len(moments.won))[moments.game]
    learnt, tested = ~held_out[moments.game], held_out[moments.game]
    beta = np.zeros(design.shape[1])
    x, y, w = design[learnt], end[learnt], weight[learnt]
    for _ in range(12):
        chance = 1 / (1 + np.exp(-x @ beta))
        hessian = (x * (w * chance * (1 - chance))[:, None]).T @ x + np.eye(len(beta)) * _RIDGE * 0.1
        beta += np.linalg.solve(hessian, x.T @ (w * (y - chance)) - _RIDGE * 0.1 * beta)
    chance = np.clip(1 / (1 + np.exp(-design[tested] @ beta)), 1e-6, 1 - 1e-6)
    loss = -(end[tested] * np.log(chance) + (1 - end[tested]) * np.log(1 - chance))
    return float(np.average(loss, weights=weight[tested]))


def mean_of_held(table: Array, moments: Moments) -> Array:
    """[M, dim]: the mean over the jokers of each moment; zeros where there is none."""
    sizes = np.array([int((items < len(JOKERS)).sum()) for items in moments.held])
    owned = np.concatenate([items[items < len(JOKERS)] for items in moments.held]) if len(sizes) else np.zeros(0, int)
    sums = np.zeros((len(sizes), table.shape[1]))
    np.add.at(sums, np.repeat(np.arange(len(sizes)), sizes), table[owned])
    mean: Array = sums / np.maximum(sizes, 1)[:, None]
    return mean
