"""Files of rows as tables of DuckDB, in memory.

They are read once: DuckDB lets nobody else read a database of its own while somebody writes to it, and files of lines
can be read by anybody at any time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jimbo.extras import require
from jimbo.telemetry.row_sink import SUFFIX
from jimbo.telemetry.tables import COLUMNS, TABLES, ColumnKind

EXTRA = "analytics"
PARQUET, DAILY_SUFFIX = ".parquet", ".daily.parquet"
DAILY = "daily"
"""The table of days that were rolled up."""
SQL_KINDS: dict[ColumnKind, str] = {
    "tag": "VARCHAR",
    "text": "VARCHAR",
    "whole": "BIGINT",
    "number": "DOUBLE",
    "flag": "BOOLEAN",
}
DAILY_COLUMNS = {
    "day": "DATE",
    "of_table": "VARCHAR",
    "program": "VARCHAR",
    "agent": "VARCHAR",
    "label": "VARCHAR",
    "measure": "VARCHAR",
    "rows": "BIGINT",
    "total": "DOUBLE",
    "mean": "DOUBLE",
    "smallest": "DOUBLE",
    "largest": "DOUBLE",
    "p50": "DOUBLE",
    "p95": "DOUBLE",
}
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


class NoTelemetry(ValueError):
    """A file or folder without rows that can be read."""


@dataclass(slots=True)
class RowFiles:
    """The files of an archive, by their kind."""

    lines: list[Path] = field(default_factory=list)
    parquet: list[Path] = field(default_factory=list)
    daily: list[Path] = field(default_factory=list)


def wide_columns() -> dict[str, str]:
    """Return the columns of all tables together, as a line of a file may have them, with their types."""
    found = {"table": "VARCHAR", "timestamp": "BIGINT"}
    for shapes in COLUMNS.values():
        found |= {name: SQL_KINDS[shape] for name, shape in shapes.items()}
    return found


def day_files(folder: Path, suffix: str) -> list[Path]:
    """Return the files of a folder that are named by a day, in order."""
    return sorted(
        path for path in folder.glob(f"*{suffix}") if _DAY.fullmatch(path.name.removesuffix(suffix)) and path.is_file()
    )


def row_files(paths: Sequence[Path]) -> RowFiles:
    """Return the files that some paths stand for; NoTelemetry for a path where there is nothing."""
    found = RowFiles()
    for path in paths:
        if path.is_dir():
            lines = day_files(path, SUFFIX)
            days = {line.name.removesuffix(SUFFIX) for line in lines}
            kept = [file for file in day_files(path, PARQUET) if file.name.removesuffix(PARQUET) not in days]
            daily = [file for file in day_files(path, DAILY_SUFFIX) if file.name.removesuffix(DAILY_SUFFIX) not in days]
            if not (lines or kept or daily):
                raise NoTelemetry(f"{path} holds no telemetry: no file such as 2026-01-31{SUFFIX}")
            found.lines += lines
            found.parquet += kept
            found.daily += daily
        elif not path.is_file():
            raise NoTelemetry(f"There is no file or folder {path}")
        elif path.name.endswith(DAILY_SUFFIX):
            found.daily.append(path)
        else:
            (found.parquet if path.suffix == PARQUET else found.lines).append(path)
    return found


class Archive:
    """The rows of some files and folders: a table for each of ``TABLES``, and ``daily``. NoTelemetry, MissingPackage.

    ``timestamp`` is a time in UTC, to the microsecond.
    """

    def __init__(self, paths: Sequence[Path], since: int = 0, *, sealed: bool = True) -> None:
        """``since``: nanoseconds since 1970; what is older is left out. One that is not ``sealed`` can write files, and
        has all rows in a table ``wide``, too."""
        self._duckdb = require("duckdb", EXTRA)
        files = row_files(paths)
        self.connection: Any = self._duckdb.connect(config={"autoload_known_extensions": False})
        self.unread = 0
        """Lines that are no rows, such as one that a killed program has not finished."""
        try:
            self._load(files, since)
        except self._duckdb.Error as error:
            raise NoTelemetry(f"{', '.join(map(str, paths))} cannot be read: {first_line(error)}") from None
        if not sealed:
            return
        self.connection.execute("DROP TABLE wide")  # from here on, questions reach the other tables and nothing else
        self.connection.execute("SET enable_external_access = false")
        self.connection.execute("SET lock_configuration = true")

    def _load(self, files: RowFiles, since: int) -> None:
        run = self.connection.execute
        wide = wide_columns()
        listed = ", ".join(f'"{name}" {kind}' for name, kind in wide.items())
        run(f"CREATE TABLE wide ({listed})")
        names = ", ".join(f'"{name}"' for name in wide)
        if files.lines:
            text = ", ".join(f"'{name}': '{kind}'" for name, kind in wide.items())
            run(
                f"INSERT INTO wide SELECT {names} FROM read_json($1, format = 'newline_delimited', "
                f"ignore_errors = true, columns = {{{text}}}, maximum_object_size = 1048576)",
                [_plain(files.lines)],
            )
        known = ", ".join(f"'{name}'" for name in TABLES)
        good = f'"timestamp" IS NOT NULL AND "table" IN ({known})'
        self.unread = run(f"SELECT count(*) FROM wide WHERE NOT coalesce({good}, false)").fetchone()[0]
        total = run("SELECT count(*) FROM wide").fetchone()[0]
        if files.lines and total and self.unread == total:
            raise NoTelemetry(
                f"{files.lines[0]} holds no rows of telemetry. They are written by --telemetry; a file that an "
                "aggregator keeps holds events"
            )
        for path in files.parquet:
            run(f"INSERT INTO wide BY NAME SELECT {names} FROM read_parquet($1)", [_plain([path])])
        for name, shapes in COLUMNS.items():
            shown = ", ".join(f'"{column}"' for column in shapes)
            run(
                f'CREATE TABLE {name} AS SELECT make_timestamp("timestamp" // 1000) AS "timestamp", {shown} FROM wide '
                f'WHERE {good} AND "table" = \'{name}\' AND "timestamp" >= $1 ORDER BY "timestamp"',
                [since],
            )
        run(f"DELETE FROM wide WHERE NOT coalesce({good}, false)")
        listed = ", ".join(f'"{name}" {kind}' for name, kind in DAILY_COLUMNS.items())
        run(f"CREATE TABLE {DAILY} ({listed})")
        names = ", ".join(f'"{name}"' for name in DAILY_COLUMNS)
        for path in files.daily:
            run(f"INSERT INTO {DAILY} BY NAME SELECT {names} FROM read_parquet($1)", [_plain([path])])

    def ask(self, sql: str, values: Sequence[Any] = ()) -> tuple[list[str], list[tuple[Any, ...]]]:
        """Return the names of the columns of an answer, and its rows; ValueError with what DuckDB says."""
        try:
            found = self.connection.execute(sql, list(values))
            return [column[0] for column in found.description or ()], found.fetchall()
        except self._duckdb.Error as error:
            raise ValueError(f"DuckDB does not understand that: {first_line(error)}") from None

    def counts(self) -> dict[str, int]:
        """Return how many rows each table has."""
        return {name: self.ask(f"SELECT count(*) FROM {name}")[1][0][0] for name in (*TABLES, DAILY)}

    def close(self) -> None:
        self.connection.close()


def first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0].rstrip(".")


def _plain(paths: Sequence[Path]) -> list[str]:
    """Paths that mean these files and nothing else: signs of patterns stand for themselves."""
    return [re.sub(r"[\[*?]", lambda sign: f"[{sign[0]}]", str(path.absolute())) for path in paths]
