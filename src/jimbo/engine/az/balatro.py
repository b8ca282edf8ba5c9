"""Balatro as a game of one player: runs as positions, and rows of floats as the arrays that networks are given.

What the player decides are the listed candidates in blind_select, shop and pack_opening, and in a hand while a
consumable could be used in it; all other hands are played by the engine. A row holds the observation, field by field,
then the ids and the numbers of each candidate, then which candidates there are.

A search keeps the run of every position it has looked at, in about nine kilobytes each: 64 games of 100 simulations
need a hundred megabytes or two.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from jimbo.engine import _core
from jimbo.engine.az.games import Array, Position, game_spec
from jimbo.engine.observation import observation_dtype

ENV_ID = "balatro"
BLINDS = 3 * _core.LAST_ANTE


class NetworkArrays(NamedTuple):
    """The arrays that `jimbo.models` takes, ``[n]`` each."""

    observations: Array
    """of `observation_dtype`"""
    candidate_ids: Array
    """``[n, 24, I]`` int16"""
    candidate_rows: Array
    """``[n, 24, F]`` float32"""
    mask: Array
    """``[n, 24]`` bool"""


def network_arrays(rows: Array) -> NetworkArrays:
    """Split ``[n, obs_size]`` rows into arrays."""
    spec = game_spec(ENV_ID)
    n, count = len(rows), spec.num_actions
    observations = np.zeros(n, observation_dtype())
    for name, first, last, shape in _columns():
        observations[name] = rows[:, first:last].reshape(n, *shape)
    start = _columns()[-1][2]
    middle = start + count * _core.CANDIDATE_IDS
    mask = slice(spec.legal_mask_offset, spec.legal_mask_offset + count)
    return NetworkArrays(
        observations,
        rows[:, start:middle].astype(np.int16).reshape(n, count, _core.CANDIDATE_IDS),
        np.ascontiguousarray(rows[:, middle : mask.start]).reshape(n, count, _core.CANDIDATE_NUMBERS),
        rows[:, mask] > 0,
    )


@cache
def _columns() -> list[tuple[str, int, int, tuple[int, ...]]]:
    """Return name, first column, the one after the last, and shape of each field of an observation."""
    columns, at = [], 0
    for name in observation_dtype().names or ():
        shape = observation_dtype()[name].shape
        size = int(np.prod(shape, dtype=int))
        columns.append((name, at, at + size, shape))
        at += size
    return columns


def value_of(win: Array, ante: Array) -> Array:
    """Return a value on the scale of outcomes, from the chance to win and the ante in which the run should end.

    A run that is won is worth 1. One that is lost is worth the blinds it passed, as a share of all, less 1: half of the
    scale is winning, the other half the way there. An ante is lost in its middle blind, on average.
    """
    way = np.clip((3 * (ante - 1) + 1) / BLINDS, 0, 1)
    return (win + np.maximum(win, way) - 1).astype(np.float32)


def position_of_run(run: _core.Run) -> Position:
    """Return a run as a position, at its next decision. Its `state` cannot be taken."""
    return Position.wrapped(ENV_ID, _core.position_of_run(run))


def run_of(position: Position) -> _core.Run:
    """Return a copy of the run of a position."""
    return _core.run_of_position(position.core)


def actions_of(position: Position) -> list[_core.Action]:
    """Return what each action of a position does, in their order."""
    return _core.actions_of_position(position.core)
