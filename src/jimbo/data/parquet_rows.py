"""The rows of a Parquet file as arrays, checked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jimbo.data.columns import GAME_ATTRIBUTES, candidate_shape, columns
from jimbo.data.game_rows import PLAIN, TAKEN, Rows
from jimbo.data.limits import candidate_limits, observation_limits
from jimbo.data.results import RESULTS
from jimbo.data.samples import MEASURES, PHASES, BadData, Game, Samples
from jimbo.engine import observation_dtype
from jimbo.extras import require

pa = require("pyarrow", "data")

_MAY_BE_NULL = ("challenge", "win")
SAMPLED = [column.name for column in columns() if column.name not in (*PLAIN, *TAKEN, "return", "done")]
"""The columns that samples are made of."""


def rows_of(path: Path, table: Any, first: int) -> Rows:
    """An Arrow table as decisions; BadData names the row that does not fit, ``first`` being the number of the first."""
    samples = samples_of(path, table, first)
    _check_derived(table, samples, _Check(path, first))
    plain = {name: table[name].to_pylist() for name in (*PLAIN, *TAKEN)}
    return Rows(samples, {**plain, "cards": [bytes(cards) for cards in plain["cards"]]})


def _check_derived(table: Any, samples: Samples, check: _Check) -> None:
    """What learners do not read, but others may."""
    check.none(_numbers(table, "return") != samples.returns(), "return is not the sum of the rewards from here on")
    check.none(np.asarray(table["done"]) != samples.done(), "done does not say where the game ended")
    win = np.asarray(table["win"].fill_null(0.0))
    check.none(~((win >= 0) & (win <= 1)), "win must be a chance between 0 and 1, or null")


def samples_of(path: Path, table: Any, first: int) -> Samples:
    """The same for what learners need."""
    table = table.combine_chunks()
    check = _Check(path, first)
    _check_columns(table, check)
    firsts, games = _games(table, check)
    ids, numbers = candidate_shape()
    id_bytes, id_starts = _bytes(table["candidate_ids"])
    row_bytes, row_starts = _bytes(table["candidate_rows"])
    values = table["candidate_values"].chunk(0)
    starts = np.asarray(values.offsets).astype(np.int64)
    check.none(np.diff(starts) * ids != np.diff(id_starts), "candidate_ids do not fit candidate_values")
    check.none(np.diff(starts) * 4 * numbers != np.diff(row_starts), "candidate_rows do not fit candidate_values")
    samples = Samples(
        observations=_observations(table["observation"].chunk(0)),
        starts=starts - starts[0],
        candidate_ids=id_bytes.reshape(-1, ids),
        candidate_rows=row_bytes.view(np.float32).reshape(-1, numbers),
        values=np.asarray(values.flatten()),
        chosen=_numbers(table, "chosen"),
        measures=_places(table, "measure", MEASURES, check),
        phases=_places(table, "phase", PHASES, check),
        games=games,
        steps=_numbers(table, "step"),
        blinds=_numbers(table, "blinds"),
        rewards=_numbers(table, "reward"),
        played=tuple(_game(row) for row in table.select(list(GAME_ATTRIBUTES)).take(firsts).to_pylist()),
    )
    _check_numbers(samples, check)
    return samples


@dataclass(frozen=True, slots=True)
class _Check:
    path: Path
    first: int

    def none(self, wrong: NDArray[np.bool_], what: str) -> None:
        """BadData for the first row that is wrong."""
        if wrong.any():
            raise BadData(f"{self.path}, row {self.first + int(np.argmax(wrong))}: {what}.")


def arrow_type(name: str) -> Any:
    """Of a column; the names that other programs give to the items of lists do not matter."""
    if name.startswith("list"):
        return pa.list_(arrow_type(name.removeprefix("list<item: ").removesuffix(">")))
    if name.startswith("fixed_size_binary"):
        return pa.binary(int(name.partition("[")[2].rstrip("]")))
    return pa.type_for_alias(name)


def _check_columns(table: Any, check: _Check) -> None:
    for column in columns():
        if column.name not in table.schema.names:
            continue  # it was not asked for
        if table.schema.field(column.name).type != arrow_type(column.type):
            raise BadData(f"{check.path}: the column {column.name} must be of the type {column.type}.")
        if column.name not in _MAY_BE_NULL:
            check.none(np.asarray(table[column.name].is_null()), f"{column.name} is missing")


def _check_numbers(samples: Samples, check: _Check) -> None:
    counts = np.diff(samples.starts)
    check.none((samples.chosen < -1) | (samples.chosen >= counts), "chosen is none of the candidates")
    check.none(~np.isfinite(samples.rewards), "reward is not a number")
    results = np.array([game.result in RESULTS for game in samples.played])
    check.none(~results[samples.games], f"result must be one of {', '.join(RESULTS)}")
    bad = np.asarray(~np.isfinite(samples.candidate_rows).all(axis=1))
    owners = np.repeat(np.arange(len(samples)), counts)

    def none_of_candidates(wrong: NDArray[np.bool_], what: str) -> None:
        check.none(np.isin(np.arange(len(samples)), owners[wrong]), what)

    none_of_candidates(bad, "candidate_rows hold what is not a number")
    unknown = np.asarray((samples.candidate_ids > candidate_limits()).any(axis=1))
    none_of_candidates(unknown, "candidate_ids hold unknown ids")
    none_of_candidates(np.asarray(np.isinf(samples.values)), "candidate_values hold what is not finite")
    totals = np.array([game.blinds for game in samples.played])[samples.games]
    check.none((samples.blinds < 0) | (samples.blinds > totals), "blinds must lie between 0 and blinds_total")
    places, limits = observation_limits()
    seen = samples.observations.view(np.uint8).reshape(len(samples), -1)
    check.none(np.asarray((seen[:, places] > limits).any(axis=1)), "observation holds unknown ids")


def _games(table: Any, check: _Check) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The first row of each game, and the game of each row: steps count from 1 without a gap."""
    steps, numbers = _numbers(table, "step"), _numbers(table, "game")
    follows = (steps[1:] == steps[:-1] + 1) & (numbers[1:] == numbers[:-1])
    begins = np.concatenate([[True], ~follows])
    check.none(begins & (steps != 1), "it does not follow the row before, nor begin a game")
    ends = np.concatenate([~follows, [True]])
    check.none(ends & (steps != _numbers(table, "steps")), "the game is not whole")
    return np.flatnonzero(begins), (np.cumsum(begins) - 1).astype(np.int32)


def _game(row: dict[str, Any]) -> Game:
    return Game(**{GAME_ATTRIBUTES[name]: value for name, value in row.items()})


def _numbers(table: Any, name: str) -> NDArray[Any]:
    return np.asarray(table[name])


def _places(table: Any, name: str, known: tuple[str, ...], check: _Check) -> NDArray[np.uint8]:
    texts = table[name].chunk(0).dictionary_encode()
    places = np.array([known.index(text) if text in known else len(known) for text in texts.dictionary.to_pylist()])
    found: NDArray[np.int64] = places[np.asarray(texts.indices)]
    check.none(found == len(known), f"{name} must be one of {', '.join(known)}")
    return found.astype(np.uint8)


def _bytes(column: Any) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """All the bytes of a binary column, and where those of each row begin."""
    chunk = column.chunk(0)
    _, offsets, data = chunk.buffers()
    starts = np.frombuffer(offsets, np.int32)[chunk.offset : chunk.offset + len(chunk) + 1].astype(np.int64)
    return np.frombuffer(data, np.uint8)[starts[0] : starts[-1]], starts


def _observations(chunk: Any) -> NDArray[np.void]:
    kind = observation_dtype()
    return np.frombuffer(chunk.buffers()[1], kind)[chunk.offset : chunk.offset + len(chunk)]
