"""The two databases a replay store can lie in: how they are opened, and in what their SQL differs."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from jimbo.az.schema import VERSIONS, StoreError
from jimbo.extras import require

BUSY_SECONDS = 30.0
"""How long a writer waits for another."""
_SQLITE_KINDS = {"text": "TEXT", "bytes": "BLOB", "number": "REAL", "whole": "INTEGER", "time": "TEXT"}
_POSTGRES_KINDS = {
    "text": "text",
    "bytes": "bytea",
    "number": "double precision",
    "whole": "bigint",
    "time": "timestamp with time zone",
}


_URL = re.compile(r"([A-Za-z][\w+.-]+:/+)")
"""How a URL begins, also one with too few slashes; one letter alone is a drive of Windows."""


class Database(Protocol):
    place: str
    key: str
    """The column that counts rows in the order in which they were committed."""
    own_key: str
    """Its declaration, where the database has none by itself."""
    mark: str
    """Stands for a value in SQL."""
    kinds: dict[str, str]
    lost: tuple[type[Exception], ...]
    """What a connection raises that has gone."""
    errors: type[Exception]
    """All that it raises."""

    def connect(self) -> Any: ...
    def columns(self, connection: Any, table: str) -> dict[str, str]: ...
    def among(self, count: int) -> str:
        """SQL for "one of these"."""

    def values(self, keys: list[int]) -> tuple[Any, ...]:
        """What stands for the marks of ``among``."""

    def writing(self, connection: Any) -> Any:
        """A transaction: one writer at a time, all of it or nothing."""


class Sqlite:
    """A file. Many read while one writes (WAL); writers wait for one another."""

    key, own_key, mark = "rowid", "", "?"
    kinds = _SQLITE_KINDS
    lost: tuple[type[Exception], ...] = ()
    errors: type[Exception] = sqlite3.Error

    def __init__(self, path: Path, *, create: bool, busy_seconds: float = BUSY_SECONDS) -> None:
        if not create and not path.is_file():
            raise FileNotFoundError(f"There is not a replay store {path}: start an actor, or name another file.")
        self.place, self._path, self._create, self._busy = str(path), path, create, busy_seconds

    def connect(self) -> sqlite3.Connection:
        if self._create:
            self._path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(self._path, timeout=self._busy, isolation_level=None, check_same_thread=False)
        if self._create:
            self._use_log(connection)
        connection.execute("PRAGMA synchronous=NORMAL")  # with WAL: a kill loses nothing that was committed
        return connection

    def _use_log(self, connection: sqlite3.Connection) -> None:
        """Where two processes ask at the same moment, SQLite refuses one of them without waiting."""
        end = time.monotonic() + self._busy
        while True:
            try:
                connection.execute("PRAGMA journal_mode=WAL")
                return
            except sqlite3.OperationalError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)

    def columns(self, connection: sqlite3.Connection, table: str) -> dict[str, str]:
        return {row[1]: row[2] for row in connection.execute(f"PRAGMA table_info({table})")}

    def among(self, count: int) -> str:
        return f"IN ({','.join('?' * count)})"

    def values(self, keys: list[int]) -> tuple[Any, ...]:
        return tuple(keys)

    @contextmanager
    def writing(self, connection: sqlite3.Connection) -> Iterator[Any]:
        connection.execute("BEGIN IMMEDIATE")  # a later lock could be refused after half of the work
        try:
            yield connection.cursor()
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


class Postgres:
    """A server, for actors on several machines."""

    key, own_key, mark = "row_number", "row_number BIGSERIAL UNIQUE", "%s"
    kinds = _POSTGRES_KINDS
    _LOCK = 0x6A696D626F
    """A number of our own: the lock under which one writer commits after another."""

    def __init__(self, url: str) -> None:
        self._psycopg = require("psycopg", "az")
        self.lost: tuple[type[Exception], ...] = (self._psycopg.OperationalError,)
        self.errors: type[Exception] = self._psycopg.Error
        self._url = url
        try:
            told = self._psycopg.conninfo.conninfo_to_dict(url)
        except self._psycopg.Error as error:
            raise StoreError(f"the URL of --db cannot be read: {' '.join(str(error).split())}") from None
        where = ":".join(str(told[name]) for name in ("host", "port") if name in told)
        self.place = str(told.get("dbname", "the database")) + (f" on {where}" if where else "")

    def connect(self) -> Any:
        return self._psycopg.connect(self._url, autocommit=True, connect_timeout=10)

    def columns(self, connection: Any, table: str) -> dict[str, str]:
        found = connection.execute(
            "SELECT column_name, data_type FROM information_schema.columns"
            " WHERE table_schema = current_schema() AND table_name = %s",
            (table,),
        )
        return dict(found.fetchall())

    def among(self, count: int) -> str:
        return "= ANY(%s)"

    def values(self, keys: list[int]) -> tuple[Any, ...]:
        return (keys,)

    @contextmanager
    def writing(self, connection: Any) -> Iterator[Any]:
        """Numbers are given before the commit: without the lock a reader could pass rows that appear later."""
        with connection.transaction(), connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", (self._LOCK,))
            yield cursor


def database_of(place: str, *, create: bool, busy_seconds: float = BUSY_SECONDS) -> Database:
    """By its name: ``postgresql://...`` or a file; FileNotFoundError for a file that is not there."""
    if url := _URL.match(place):
        if url[1] not in ("postgresql://", "postgres://"):
            raise StoreError(f"{url[1]}... is not a replay store: name a file of SQLite, or postgresql://... with --db")
        return Postgres(place)
    return Sqlite(Path(place), create=create, busy_seconds=busy_seconds)


def versions(database: Database, connection: Any) -> list[int]:
    if not database.columns(connection, VERSIONS):
        return []
    return [row[0] for row in connection.execute(f"SELECT version FROM {VERSIONS}").fetchall()]
