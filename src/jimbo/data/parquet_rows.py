"""The rows of a Parquet file as arrays, checked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jimbo.data.columns import candidate_shape, columns
from jimbo.data.game_rows import PLAIN, TAKEN, Rows
from jimbo.data.samples import MEASURES, PHASES, BadData, Game, Samples
from jimbo.engine import observation_dtype

_MAY_BE_NULL = ("challenge", "win")


def rows_of(path: Path, table: Any) -> Rows:
    """An Arrow table in one chunk as decisions; BadData names the row that does not fit."""
    for column in columns():
        if str(table.schema.field(column.name).type) != column.type:
            raise BadData(f"{path}: the column {column.name} must be of the type {column.type}.")
        if column.name not in _MAY_BE_NULL:
            _check(path, np.asarray(table[column.name].is_null()), f"{column.name} is missing")
    firsts, games = _games(path, table)
    ids, numbers = candidate_shape()
    id_bytes, id_starts = _bytes(table["candidate_ids"])
    row_bytes, row_starts = _bytes(table["candidate_rows"])
    values = table["candidate_values"].chunk(0)
    starts = np.asarray(values.offsets).astype(np.int64)
    _check(path, np.diff(starts) * ids != np.diff(id_starts), "candidate_ids do not fit candidate_values")
    _check(path, np.diff(starts) * 4 * numbers != np.diff(row_starts), "candidate_rows do not fit candidate_values")
    samples = Samples(
        observations=_observations(table["observation"].chunk(0)),
        starts=starts - starts[0],
        candidate_ids=id_bytes.reshape(-1, ids),
        candidate_rows=row_bytes.view(np.float32).reshape(-1, numbers),
        values=np.asarray(values.flatten()),
        chosen=_numbers(table, "chosen"),
        measures=_places(path, table, "measure", MEASURES),
        phases=_places(path, table, "phase", PHASES),
        games=games,
        steps=_numbers(table, "step"),
        blinds=_numbers(table, "blinds"),
        rewards=_numbers(table, "reward"),
        played=tuple(_game(row) for row in table.take(firsts).to_pylist()),
    )
    _check_numbers(path, samples)
    plain = {name: table[name].to_pylist() for name in (*PLAIN, *TAKEN)}
    return Rows(samples, {**plain, "cards": [bytes(cards) for cards in plain["cards"]]})


def _check(path: Path, wrong: NDArray[np.bool_], what: str) -> None:
    if wrong.any():
        raise BadData(f"{path}, row {int(np.argmax(wrong)) + 1}: {what}.")


def _check_numbers(path: Path, samples: Samples) -> None:
    counts = np.diff(samples.starts)
    _check(path, (samples.chosen < -1) | (samples.chosen >= counts), "chosen is none of the candidates")
    _check(path, ~np.isfinite(samples.rewards), "reward is not a number")
    bad = ~np.isfinite(samples.candidate_rows).all(axis=1)
    if bad.any():
        row = int(np.searchsorted(samples.starts, np.argmax(bad), side="right"))
        raise BadData(f"{path}, row {row}: candidate_rows hold what is not a number.")


def _games(path: Path, table: Any) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The first row of each game, and the game of each row: steps count from 1 without a gap."""
    steps, numbers = _numbers(table, "step"), _numbers(table, "game")
    follows = (steps[1:] == steps[:-1] + 1) & (numbers[1:] == numbers[:-1])
    begins = np.concatenate([[True], ~follows])
    _check(path, begins & (steps != 1), "a game does not go on from the row before")
    return np.flatnonzero(begins), (np.cumsum(begins) - 1).astype(np.int32)


def _game(row: dict[str, Any]) -> Game:
    same = ("seed", "deck", "stake", "agent", "nonce", "result", "steps", "challenge")
    return Game(
        **{name: row[name] for name in same},
        ante=row["final_ante"],
        round=row["final_round"],
        blinds=row["blinds_total"],
        number=row["game"],
    )


def _numbers(table: Any, name: str) -> NDArray[Any]:
    return np.asarray(table[name])


def _places(path: Path, table: Any, name: str, known: tuple[str, ...]) -> NDArray[np.uint8]:
    texts = table[name].dictionary_encode().chunk(0)
    places = np.array([known.index(text) if text in known else len(known) for text in texts.dictionary.to_pylist()])
    found: NDArray[np.int64] = places[np.asarray(texts.indices)]
    _check(path, found == len(known), f"{name} must be one of {', '.join(known)}")
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
