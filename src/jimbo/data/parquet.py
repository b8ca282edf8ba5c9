"""Files of decisions in columns (Parquet): one row for each decision, see ``columns``.

Whole arrays go in and out without a copy of their numbers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jimbo.data.columns import BESIDE, OF_GAMES, Column, DecisionRows, columns
from jimbo.data.config_file import unfinished
from jimbo.data.record import RESULTS, versions
from jimbo.data.samples import OF_CANDIDATES, BadData, Facts, Game, Samples, candidate_widths
from jimbo.engine import batch_schema_hash, candidate_fields, observation_dtype, observation_fields
from jimbo.extras import require
from jimbo.files import json_object, reason

pa = require("pyarrow", "data")
pq = require("pyarrow.parquet", "data")

SCHEMA = "jimbo_decisions_v1"
_OPTIONS = {
    "compression": "zstd",
    "compression_level": 1,
    "use_compliant_nested_type": False,
    "write_page_checksum": True,
}
_ARRAYS = ("observations", *OF_CANDIDATES)
"""The arrays of samples that hold more than a number for each decision."""
_CANDIDATES = {
    "candidate_ids": (np.uint8, candidate_widths()[0]),
    "candidate_rows": (np.float32, candidate_widths()[1]),
}
_OF_SAMPLES = tuple(column for column in columns() if column.array and not column.is_derived)
"""The columns that samples are made of, beside those of games."""


# --- Writing ----------------------------------------------------------------------------------------------------------


def arrow_schema(config: Mapping[str, Any]) -> Any:
    """The columns, with what a file says about itself."""
    about = {"schema": SCHEMA, "schema_hash": batch_schema_hash()}
    about |= {"versions": json.dumps(dict(versions())), "config": json.dumps(dict(config))}
    fields = [pa.field(column.name, _arrow_type(column.type)) for column in columns()]
    return pa.schema(fields, {f"jimbo.{name}": text for name, text in about.items()})


def _arrow_type(name: str) -> Any:
    """The type of a column; the names that other programs give to the items of lists do not matter."""
    if name.startswith("list"):
        return pa.list_(_arrow_type(name.removeprefix("list<item: ").removesuffix(">")))
    if name.startswith("fixed_size_binary"):
        return pa.binary(int(name.partition("[")[2].rstrip("]")))
    return pa.type_for_alias(name)


def writer(path: Path, config: Mapping[str, Any]) -> Any:
    """A file to which tables are written."""
    texts = [column.name for column in columns() if column.type == "string"]
    plain = [column.name for column in columns() if column.array not in _ARRAYS]
    return pq.ParquetWriter(path, arrow_schema(config), use_dictionary=texts, write_statistics=plain, **_OPTIONS)


def put_together(parts: Sequence[Path], target: Path, config: Mapping[str, Any]) -> None:
    """Writes one file with the rows of others."""
    with writer(target, config) as out:
        for path in parts:
            with _opened(path) as (file, _):
                for group in range(file.num_row_groups):
                    out.write_table(file.read_row_group(group))


def table_of(rows: DecisionRows, config: Mapping[str, Any]) -> Any:
    """Decisions as an Arrow table."""
    schema = arrow_schema(config)
    return pa.table([_values(column, rows, schema.field(column.name).type) for column in columns()], schema=schema)


def _values(column: Column, rows: DecisionRows, kind: Any) -> Any:
    samples = rows.samples
    if column.of_game:
        of_games = pa.array([getattr(game, column.attribute) for game in samples.played], kind)
        return of_games.take(pa.array(samples.games))
    if not column.array:
        return pa.array(rows.beside[column.name], kind)
    array = getattr(samples, column.array)
    if column.is_derived:
        return pa.array(array())
    if column.labels:
        return pa.array(column.labels, kind).take(pa.array(array))
    return _array(samples, np.ascontiguousarray(array), kind) if column.array in _ARRAYS else pa.array(array)


def _array(samples: Samples, array: NDArray[Any], kind: Any) -> Any:
    if pa.types.is_list(kind):
        return pa.ListArray.from_arrays(pa.array(samples.starts.astype(np.int32)), pa.array(array))
    offsets = []
    if pa.types.is_binary(kind):  # the rows of the candidates of each decision
        size = array.shape[1] * array.itemsize
        offsets = [pa.py_buffer((samples.starts * size).astype(np.int32))]
    return pa.Array.from_buffers(kind, len(samples), [None, *offsets, pa.py_buffer(array.view(np.uint8))])


# --- Reading ----------------------------------------------------------------------------------------------------------


def samples_of(path: Path) -> Samples:
    """The decisions of a file; BadData for any other file and another schema, naming the row where it is one."""
    names = [column.name for column in (*OF_GAMES, *_OF_SAMPLES)]
    return Samples.joined([_samples(table, _Check(path, first)) for first, table in _tables(path, names)])


def iter_rows(path: Path) -> Iterator[DecisionRows]:
    """All columns of a file, some games at a time."""
    for first, table in _tables(path):
        yield _rows(table, _Check(path, first))


def facts_of(path: Path) -> Facts:
    """What a file says about itself."""
    with _opened(path) as (_, facts):
        return facts


def games_of(path: Path) -> set[int]:
    """The numbers of the games of a file."""
    with _opened(path) as (file, _):
        return set(file.read(columns=["game"])["game"].unique().to_pylist())


@dataclass(frozen=True, slots=True)
class Moves:
    """Actions of a game, in a few bytes each; going through them gives kind, index, to and cards."""

    names: tuple[str, ...]
    kinds: NDArray[np.uint8]
    """Places in ``names``."""
    index: NDArray[np.uint8]
    to: NDArray[np.uint8]
    counts: NDArray[np.uint8]
    """The number of cards of each."""
    cards: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.kinds)

    def __iter__(self) -> Iterator[tuple[str, int, int, list[int]]]:
        cards = iter(self.cards.tolist())
        numbers = (part.tolist() for part in (self.kinds, self.index, self.to, self.counts))
        for kind, index, to, count in zip(*numbers, strict=True):
            yield self.names[kind], index, to, list(islice(cards, count))


class PlayedGame(NamedTuple):
    """A game of a file and what was done in it, enough to play it again."""

    game: Game
    score: float
    """All rewards together."""
    moves: Moves


def iter_played(path: Path) -> Iterator[PlayedGame]:
    """Whole games, without what was seen and considered; BadData for any other file."""
    of_games = [column.name for column in OF_GAMES]
    names = [*of_games, "step", "return", "action", "index", "to", "cards"]
    for first, table in _tables(path, names):
        check = _Check(path, first)
        table = table.combine_chunks()
        _check_columns(table, check)
        starts, _ = _games(table, check)
        rows = table.select([*of_games, "return"]).take(starts).to_pylist()
        kinds = table["action"].chunk(0).dictionary_encode()
        known, kinds = tuple(kinds.dictionary.to_pylist()), np.asarray(kinds.indices).astype(np.uint8)
        index, to = (np.asarray(table[name]) for name in ("index", "to"))
        offsets = np.asarray(table["cards"].chunk(0).offsets)
        cards, offsets = np.asarray(table["cards"].chunk(0).flatten()), offsets - offsets[0]
        counts = np.diff(offsets).astype(np.uint8)
        for row, start in zip(rows, starts.tolist(), strict=True):
            game = Game(**{column.attribute: row[column.name] for column in OF_GAMES})
            own = slice(start, start + game.steps)
            held = cards[offsets[start] : offsets[start + game.steps]].copy()
            moves = Moves(known, kinds[own].copy(), index[own].copy(), to[own].copy(), counts[own].copy(), held)
            yield PlayedGame(game, row["return"], moves)


def _tables(path: Path, names: list[str] | None = None) -> Iterator[tuple[int, Any]]:
    """Whole games, some at a time, each with the number of their first row, from 1.

    Groups of rows of our own files end where games do; those of files that other programs rewrote need not.
    """
    first, rest = 1, None
    with _opened(path) as (file, _):
        for group in range(file.num_row_groups):
            try:
                table = file.read_row_group(group, names)
            except (OSError, ValueError) as error:
                what = str(error).partition("\n")[0].rstrip(".")
                raise BadData(f"{path}, from row {first} on, cannot be read: {what}.") from None
            table = table if rest is None else pa.concat_tables([rest, table])
            ends = np.flatnonzero(np.asarray(table["step"]) == np.asarray(table["steps"]))
            is_last = group == file.num_row_groups - 1
            whole = len(table) if is_last else int(ends[-1]) + 1 if len(ends) else 0
            if whole:
                yield first, table.slice(0, whole)
            first += whole
            rest = table.slice(whole)
    if first == 1:
        raise BadData(f"{path} is empty: it holds no decision.")


@contextmanager
def _opened(path: Path) -> Iterator[tuple[Any, Facts]]:
    """A file of decisions, and what it says about itself; BadData for any other."""
    try:
        file = pq.ParquetFile(path, page_checksum_verification=True)
    except (OSError, ValueError) as error:
        if isinstance(error, FileNotFoundError) and (advice := unfinished(path)):
            raise BadData(advice) from None
        what = "it is truncated or not a Parquet file"
        if isinstance(error, OSError) and error.errno:
            what = reason(error)
        raise BadData(f"{path} cannot be read: {what}.") from None
    with file:
        yield file, _facts(path, file.schema_arrow)


def _facts(path: Path, schema: Any) -> Facts:
    """BadData unless the file holds decisions as this version describes them."""
    about = {name.decode().removeprefix("jimbo."): text.decode() for name, text in (schema.metadata or {}).items()}
    if about.get("schema") != SCHEMA:
        raise BadData(f"{path} holds no decisions: it is a Parquet file without the schema {SCHEMA}.")
    if about.get("schema_hash") != batch_schema_hash():
        raise BadData(
            f"{path} was written with other observations or candidates (schema_hash {about.get('schema_hash')}, here "
            f"{batch_schema_hash()}). Record it again with jimbo rollout."
        )
    if missing := [column.name for column in columns() if column.name not in schema.names]:
        raise BadData(f"{path} lacks the column {missing[0]}.")
    data = {}
    for name in ("versions", "config"):
        try:
            data[name] = json_object(about.get(name, ""))
        except ValueError:
            raise BadData(f"{path} cannot be used: its metadata jimbo.{name} is not a JSON object.") from None
    return Facts(SCHEMA, **data)


# --- Rows -------------------------------------------------------------------------------------------------------------


def _rows(table: Any, check: _Check) -> DecisionRows:
    """An Arrow table as decisions; BadData names the row that does not fit."""
    samples = _samples(table, check)
    _check_derived(table, samples, check)
    return DecisionRows(samples, {column.name: table[column.name].to_pylist() for column in BESIDE})


def _check_derived(table: Any, samples: Samples, check: _Check) -> None:
    """What learners do not read, but others may."""
    check.none(np.asarray(table["return"]) != samples.returns(), "return is not the sum of the rewards from here on")
    check.none(np.asarray(table["done"]) != samples.done(), "done does not say where the game ended")
    win = np.asarray(table["win"].fill_null(0.0))
    check.none(~((win >= 0) & (win <= 1)), "win must be a chance between 0 and 1, or null")


def _samples(table: Any, check: _Check) -> Samples:
    """What learners need of a table."""
    table = table.combine_chunks()
    _check_columns(table, check)
    firsts, games = _games(table, check)
    starts = np.asarray(table["candidate_values"].chunk(0).offsets).astype(np.int64)
    arrays = {column.array: _array_of(column, table, starts, check) for column in _OF_SAMPLES}
    firsts = table.select([column.name for column in OF_GAMES]).take(firsts).to_pylist()
    played = tuple(Game(**{column.attribute: row[column.name] for column in OF_GAMES}) for row in firsts)
    samples = Samples(starts=starts - starts[0], games=games, played=played, **arrays)
    _check_numbers(samples, check)
    return samples


def _array_of(column: Column, table: Any, starts: NDArray[np.int64], check: _Check) -> NDArray[Any]:
    """The array of samples that a column holds; ``starts`` are those of the candidates."""
    if column.labels:
        return _places(table, column.name, column.labels, check)
    if column.array not in _ARRAYS:
        return np.asarray(table[column.name])
    chunk = table[column.name].chunk(0)
    if pa.types.is_list(chunk.type):
        return np.asarray(chunk.flatten())
    if pa.types.is_fixed_size_binary(chunk.type):
        rows = np.frombuffer(chunk.buffers()[1], observation_dtype())
        return rows[chunk.offset : chunk.offset + len(chunk)]
    kind, width = _CANDIDATES[column.name]
    _, offsets, data = chunk.buffers()
    places = np.frombuffer(offsets, np.int32)[chunk.offset : chunk.offset + len(chunk) + 1].astype(np.int64)
    size = width * np.dtype(kind).itemsize
    check.none(np.diff(starts) * size != np.diff(places), f"{column.name} do not fit candidate_values")
    return np.frombuffer(data, np.uint8)[places[0] : places[-1]].view(kind).reshape(-1, width)


@dataclass(frozen=True, slots=True)
class _Check:
    path: Path
    first: int

    def none(self, wrong: NDArray[np.bool_], what: str) -> None:
        """BadData for the first row that is wrong."""
        if wrong.any():
            raise BadData(f"{self.path}, row {self.first + int(np.argmax(wrong))}: {what}.")


def _check_columns(table: Any, check: _Check) -> None:
    for column in columns():
        if column.name not in table.schema.names:
            continue  # it was not asked for
        if table.schema.field(column.name).type != _arrow_type(column.type):
            raise BadData(f"{check.path}: the column {column.name} must be of the type {column.type}.")
        if not column.nullable:
            check.none(np.asarray(table[column.name].is_null()), f"{column.name} is missing")


def _check_numbers(samples: Samples, check: _Check) -> None:
    counts = np.diff(samples.starts)
    owners = np.repeat(np.arange(len(samples)), counts)

    def with_wrong(candidates: Any) -> NDArray[np.bool_]:
        """The decisions with a candidate that is wrong."""
        return np.isin(np.arange(len(samples)), owners[candidates])

    known_results = np.array([game.result in RESULTS for game in samples.played])
    totals = np.array([game.blinds for game in samples.played])[samples.games]
    bad_numbers = ~np.isfinite(samples.candidate_rows).all(axis=1)
    bad_ids = (samples.candidate_ids > candidate_limits()).any(axis=1)
    places, limits = observation_limits()
    seen = samples.observations.view(np.uint8).reshape(len(samples), -1)
    for wrong, what in (
        ((samples.chosen < -1) | (samples.chosen >= counts), "chosen is none of the candidates"),
        (~np.isfinite(samples.rewards), "reward is not a number"),
        (~known_results[samples.games], f"result must be one of {', '.join(RESULTS)}"),
        (with_wrong(bad_numbers), "candidate_rows hold what is not a number"),
        (with_wrong(bad_ids), "candidate_ids hold unknown ids"),
        (with_wrong(np.isinf(samples.values)), "candidate_values hold what is not finite"),
        ((samples.blinds < 0) | (samples.blinds > totals), "blinds must lie between 0 and blinds_total"),
        ((seen[:, places] > limits).any(axis=1), "observation holds unknown ids"),
    ):
        check.none(np.asarray(wrong), what)


def _games(table: Any, check: _Check) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The first row of each game, and the game of each row: steps count from 1 without a gap."""
    steps, numbers = np.asarray(table["step"]), np.asarray(table["game"])
    follows = (steps[1:] == steps[:-1] + 1) & (numbers[1:] == numbers[:-1])
    begins = np.concatenate([[True], ~follows])
    check.none(begins & (steps != 1), "it does not follow the row before, nor begin a game")
    ends = np.concatenate([~follows, [True]])
    check.none(ends & (steps != np.asarray(table["steps"])), "the game is not whole")
    return np.flatnonzero(begins), (np.cumsum(begins) - 1).astype(np.int32)


def _places(table: Any, name: str, known: tuple[str, ...], check: _Check) -> NDArray[np.uint8]:
    texts = table[name].chunk(0).dictionary_encode()
    places = np.array([known.index(text) if text in known else len(known) for text in texts.dictionary.to_pylist()])
    found: NDArray[np.int64] = places[np.asarray(texts.indices)]
    check.none(found == len(known), f"{name} must be one of {', '.join(known)}")
    return found.astype(np.uint8)


@cache
def candidate_limits() -> NDArray[np.uint8]:
    """The largest value of each id of a candidate. Networks would look for others where they have nothing."""
    return np.array([min(field.categories - 1, 255) for field in candidate_fields() if field.is_id], np.uint8)


@cache
def observation_limits() -> tuple[NDArray[np.intp], NDArray[np.uint8]]:
    """Which bytes of an observation are ids or lengths of lists, and the largest value of each."""
    places, limits = [], []
    for field in observation_fields():
        if field.dtype == "uint8" and (field.is_id or field.name.startswith("n_")):
            size = int(np.prod(field.shape, dtype=int))
            largest = field.categories - 1 if field.is_id else int(field.high)
            places.append(field.offset + np.arange(size))
            limits.append(np.full(size, min(largest, 255), np.uint8))
    return np.concatenate(places), np.concatenate(limits)
