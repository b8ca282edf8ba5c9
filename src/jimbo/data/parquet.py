"""Files of decisions in columns (Parquet): one row for each decision, see ``columns``.

Whole arrays go in and out without a copy of their numbers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jimbo.data.columns import GAME_ATTRIBUTES, candidate_shape, columns
from jimbo.data.config_file import unfinished
from jimbo.data.game_rows import Rows
from jimbo.data.parquet_rows import SAMPLED, arrow_type, rows_of, samples_of
from jimbo.data.samples import MEASURES, PHASES, BadData, Samples
from jimbo.data.versions import versions
from jimbo.engine import batch_schema_hash
from jimbo.extras import require
from jimbo.files import loads, reason

pa = require("pyarrow", "data")
pq = require("pyarrow.parquet", "data")

SCHEMA = "jimbo_decisions_v1"
_METADATA = ("schema", "schema_hash", "versions", "config")
_OPTIONS = {
    "compression": "zstd",
    "compression_level": 1,
    "use_compliant_nested_type": False,
    "write_page_checksum": True,
}
_ARRAYS = ("observation", "candidate_ids", "candidate_rows", "candidate_values")


@dataclass(frozen=True, slots=True)
class Facts:
    """What a file says about itself."""

    versions: Mapping[str, str]
    config: Mapping[str, Any]
    """The settings of the rollout."""


# --- Writing ----------------------------------------------------------------------------------------------------------


def arrow_schema(config: Mapping[str, Any]) -> Any:
    """The columns, with what a file says about itself."""
    about = {"schema": SCHEMA, "schema_hash": batch_schema_hash()}
    about |= {"versions": json.dumps(dict(versions())), "config": json.dumps(dict(config))}
    fields = [pa.field(column.name, arrow_type(column.type)) for column in columns()]
    return pa.schema(fields, {f"jimbo.{name}": text for name, text in about.items()})


def writer(path: Path, config: Mapping[str, Any]) -> Any:
    """A file to which tables are written."""
    texts = [column.name for column in columns() if column.type == "string"]
    plain = [column.name for column in columns() if column.name not in _ARRAYS]
    return pq.ParquetWriter(path, arrow_schema(config), use_dictionary=texts, write_statistics=plain, **_OPTIONS)


def table_of(rows: Rows, config: Mapping[str, Any]) -> Any:
    """Decisions as an Arrow table."""
    samples, places = rows.samples, rows.samples.games
    schema = arrow_schema(config)
    plain = {**rows.plain, "cards": None}
    values = {name: pa.array(told, schema.field(name).type) for name, told in plain.items() if told is not None}
    for name, attribute in GAME_ATTRIBUTES.items():
        of_games = pa.array([getattr(game, attribute) for game in samples.played], schema.field(name).type)
        values[name] = of_games.take(pa.array(places))
    values |= {
        "step": pa.array(samples.steps),
        "phase": pa.array(PHASES, pa.string()).take(pa.array(samples.phases)),
        "measure": pa.array(MEASURES, pa.string()).take(pa.array(samples.measures)),
        "blinds": pa.array(samples.blinds),
        "chosen": pa.array(samples.chosen),
        "reward": pa.array(samples.rewards),
        "return": pa.array(samples.returns()),
        "done": pa.array(samples.done()),
        "cards": _lists([len(cards) for cards in rows.plain["cards"]], b"".join(rows.plain["cards"])),
    }
    return pa.table([values.get(name) or _array(samples, name) for name in schema.names], schema=schema)


def _array(samples: Samples, name: str) -> Any:
    """Of those columns that hold arrays."""
    ids, numbers = candidate_shape()
    if name == "observation":
        seen = np.ascontiguousarray(samples.observations)
        kind = pa.binary(seen.dtype.itemsize)
        return pa.Array.from_buffers(kind, len(seen), [None, pa.py_buffer(seen.view(np.uint8))])
    if name == "candidate_values":
        offsets = pa.array(samples.starts.astype(np.int32))
        return pa.ListArray.from_arrays(offsets, pa.array(np.ascontiguousarray(samples.values)))
    data: NDArray[Any] = samples.candidate_ids if name == "candidate_ids" else samples.candidate_rows
    size = ids if name == "candidate_ids" else 4 * numbers
    places = pa.py_buffer((samples.starts * size).astype(np.int32))
    return pa.Array.from_buffers(pa.binary(), len(samples), [None, places, pa.py_buffer(np.ascontiguousarray(data))])


def _lists(sizes: list[int], data: bytes) -> Any:
    offsets = np.cumsum([0, *sizes], dtype=np.int32)
    return pa.ListArray.from_arrays(pa.array(offsets), pa.array(np.frombuffer(data, np.uint8)))


# --- Reading ----------------------------------------------------------------------------------------------------------


def read_parquet(path: Path) -> Samples:
    """BadData with a sentence for any other file, and for one of another schema, naming the row where it is one."""
    parts = [samples_of(path, table, first) for first, table in _tables(path, SAMPLED)]
    return Samples.joined(parts)


def iter_parquet(path: Path) -> Iterator[Rows]:
    """The same with everything that is told, some games at a time."""
    for first, table in _tables(path):
        yield rows_of(path, table, first)


def facts_of(path: Path) -> Facts:
    """What a file says about itself."""
    with opened(path) as file:
        return check_facts(path, file)


def _tables(path: Path, names: list[str] | None = None) -> Iterator[tuple[int, Any]]:
    """Whole games, some at a time, each with the number of their first row, from 1.

    Groups of rows of our own files end where games do; those of files that other programs rewrote need not.
    """
    first, rest = 1, None
    with opened(path) as file:
        check_facts(path, file)
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


def opened(path: Path) -> Any:
    """A Parquet file; BadData for anything else."""
    try:
        return pq.ParquetFile(path, page_checksum_verification=True)
    except OSError as error:
        if isinstance(error, FileNotFoundError) and (advice := unfinished(path)):
            raise BadData(advice) from None
        what = reason(error) if error.errno else "it is truncated or not a Parquet file"
        raise BadData(f"{path} cannot be read: {what}.") from None
    except ValueError:
        raise BadData(f"{path} cannot be read: it is truncated or not a Parquet file.") from None


def check_facts(path: Path, file: Any) -> Facts:
    """What a file says about itself; BadData unless it holds decisions as this version describes them."""
    about = {name: (file.schema_arrow.metadata or {}).get(f"jimbo.{name}".encode(), b"").decode() for name in _METADATA}
    if about["schema"] != SCHEMA:
        raise BadData(f"{path} holds no decisions: it is a Parquet file without the schema {SCHEMA}.")
    if about["schema_hash"] != batch_schema_hash():
        raise BadData(
            f"{path} was written with other observations or candidates (schema_hash {about['schema_hash']}, here "
            f"{batch_schema_hash()}). Record it again with jimbo rollout."
        )
    if missing := [column.name for column in columns() if column.name not in file.schema_arrow.names]:
        raise BadData(f"{path} lacks the column {missing[0]}.")
    return Facts(versions=_about(path, about, "versions"), config=_about(path, about, "config"))


def _about(path: Path, about: Mapping[str, str], name: str) -> dict[str, Any]:
    try:
        told = loads(about[name])
    except ValueError:
        told = None
    if not isinstance(told, dict):
        raise BadData(f"{path} cannot be used: its metadata jimbo.{name} is not a JSON object.")
    return told
