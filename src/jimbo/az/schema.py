"""The tables of a replay store, their rows, and the two databases they can lie in: SQLite and PostgreSQL."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, get_args, get_type_hints

import numpy as np

from jimbo.engine.az import GameSpec
from jimbo.engine.az.games import Array
from jimbo.extras import require

VERSION = 1
"""Rises whenever a table changes. A store without a version has what version 1 has, or is refused."""
TRANSITIONS, METADATA, VERSIONS = "transitions", "game_metadata", "replay_schema"
INDICES = ("timestamp", "episode_id", "env_id")
LEARNT = ("action", "observation", "policy_probs", "mcts_value", "game_outcome")
"""The columns that rows must have."""


BUSY_SECONDS = 30.0
"""How long a writer waits for another."""
_URL = re.compile(r"([A-Za-z][\w+.-]+:/+)")
"""How a URL begins, also one with too few slashes; one letter alone is a drive of Windows."""


class StoreError(ValueError):
    """A store that cannot be used, or not now; the sentence says why."""


class SchemaError(StoreError):
    """A store that is not one of this version; the sentence names the table and the column."""


class NoStore(SchemaError):
    """A database in which no store was made yet."""


# --- Rows -------------------------------------------------------------------------------------------------------------


class StoredMove(NamedTuple):
    """A move, as it is written; numbers within bytes are little-endian."""

    id: str
    env_id: str
    episode_id: str
    step_number: int
    state: bytes
    action: bytes
    """A whole number of 4 bytes."""
    next_state: bytes
    observation: bytes
    """float32[obs_size]"""
    next_observation: bytes
    reward: float
    done: int
    timestamp: int
    policy_probs: bytes | None
    """float32[num_actions]: the policy of the search."""
    mcts_value: float | None
    game_outcome: float | None
    """The result, from -1 to 1, as the player who moved sees it."""


class MoveBatch(NamedTuple):
    observations: Array
    """float32[B, obs_size]"""
    policies: Array
    """float32[B, num_actions]"""
    outcomes: Array
    """float32[B]: of the games, seen by who moved."""
    values: Array
    """float32[B]: values of the search."""


def batch_of(rows: Sequence[tuple[Any, ...]], game: GameSpec, name: str) -> MoveBatch:
    actions, observations, policies, values, outcomes = zip(*rows, strict=True)
    if wrong := [len(data) for data in observations if len(data) != 4 * game.obs_size]:
        raise SchemaError(
            f"{name}: an observation has {wrong[0]} bytes, but those of {game.env_id} have {4 * game.obs_size}"
        )
    seen = np.frombuffer(b"".join(observations), "<f4").reshape(len(rows), game.obs_size)
    pairs = zip(policies, actions, strict=True)
    wanted = np.stack([_policy(policy, action, game.num_actions) for policy, action in pairs])
    thought = [value if value is not None else outcome or 0.0 for value, outcome in zip(values, outcomes, strict=True)]
    ended = [outcome if outcome is not None else value for value, outcome in zip(thought, outcomes, strict=True)]
    return MoveBatch(np.array(seen, np.float32), wanted, np.array(ended, np.float32), np.array(thought, np.float32))


def _policy(policy: bytes | None, action: bytes, count: int) -> Array:
    """Return the policy of the search or, where that is not known, the move that was made."""
    if policy is not None and len(policy) == 4 * count:
        return np.frombuffer(policy, "<f4")
    made = np.zeros(count, np.float32)
    made[int.from_bytes(action, "little") % count] = 1.0
    return made


# --- Tables -----------------------------------------------------------------------------------------------------------


class TableColumn(NamedTuple):
    name: str
    kind: str
    """text, bytes, number or whole."""
    more: str = ""


_KINDS = {str: "text", bytes: "bytes", float: "number", int: "whole"}


def _columns(row: type[Any], *more: TableColumn) -> tuple[TableColumn, ...]:
    """Return a column for each field of a row; the first one is the key."""
    found: list[TableColumn] = []
    for name, hint in get_type_hints(row).items():
        kind, *optional = get_args(hint) or (hint,)
        found.append(TableColumn(name, _KINDS[kind], "" if optional else "NOT NULL" if found else "PRIMARY KEY"))
    return (*found, *more)


TABLES = {
    TRANSITIONS: _columns(StoredMove, TableColumn("created_at", "time", "DEFAULT CURRENT_TIMESTAMP")),
    METADATA: _columns(GameSpec, TableColumn("updated_at", "whole", "NOT NULL")),
}


def statements(database: Database) -> list[str]:
    """SQL that makes the tables."""
    kinds, key = database.kinds, database.own_key
    made = []
    for table, columns in TABLES.items():
        lines = [f"{column.name} {kinds[column.kind]} {column.more}".strip() for column in columns]
        lines += [key] if key and table == TRANSITIONS else []
        made.append(f"CREATE TABLE IF NOT EXISTS {table} ({', '.join(lines)})")
    made += [f"CREATE INDEX IF NOT EXISTS idx_{TRANSITIONS}_{name} ON {TRANSITIONS} ({name})" for name in INDICES]
    made.append(f"CREATE TABLE IF NOT EXISTS {VERSIONS} (version {kinds['whole']} PRIMARY KEY)")
    made.append(f"INSERT INTO {VERSIONS} (version) VALUES ({VERSION}) ON CONFLICT DO NOTHING")
    return made


def check_table(database: Database, table: str, found: dict[str, str]) -> None:
    """SchemaError if a table lacks a column, or has one of another type. ``found``: types by column."""
    name = database.name
    if not found:
        raise NoStore(f"{name} has no table {table}: it is not a replay store")
    for column in TABLES[table]:
        if column.name not in found:
            raise SchemaError(f"{name}: the table {table} has no column {column.name}")
        wanted, there = database.kinds[column.kind], found[column.name]
        if column.kind != "time" and there.upper() != wanted.upper():
            raise SchemaError(f"{name}: the column {column.name} of {table} is {there or 'untyped'}, not {wanted}")


def check_version(database: Database, connection: Any) -> None:
    if not database.columns(connection, VERSIONS):
        return
    newest = max((row[0] for row in connection.execute(f"SELECT version FROM {VERSIONS}").fetchall()), default=0)
    if newest > VERSION:
        raise SchemaError(
            f"{database.name} was made by a newer version (schema {newest}, here {VERSION}): update Jimbo"
        )


# --- Databases --------------------------------------------------------------------------------------------------------


class Sqlite:
    """A file. Many read while one writes (WAL); writers wait for one another."""

    key, own_key = "rowid", ""
    """The column that counts rows in the order of their commits; its declaration, where it needs one."""
    mark = "?"
    """Stands for a value in SQL."""
    kinds = {"text": "TEXT", "bytes": "BLOB", "number": "REAL", "whole": "INTEGER", "time": "TEXT"}  # noqa: RUF012
    lost: tuple[type[Exception], ...] = ()
    """Errors of a connection that was lost."""
    errors: type[Exception] = sqlite3.Error

    def __init__(self, path: Path, *, create: bool, busy_seconds: float = BUSY_SECONDS) -> None:
        if not create and not path.is_file():
            raise FileNotFoundError(f"There is not a replay store {path}: start an actor, or name another file.")
        self.name, self._path, self._create, self._busy = str(path), path, create, busy_seconds

    def connect(self) -> sqlite3.Connection:
        if self._create:
            self._path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(self._path, timeout=self._busy, isolation_level=None, check_same_thread=False)
        if self._create:
            self._use_log(connection)
        connection.execute("PRAGMA synchronous=NORMAL")  # with WAL: a kill loses nothing that was committed
        return connection

    def _use_log(self, connection: sqlite3.Connection) -> None:
        """Turn on the write-ahead log. SQLite refuses one of two processes that ask at once, without waiting."""
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

    @contextmanager
    def writing(self, connection: sqlite3.Connection) -> Iterator[Any]:
        """A transaction: one writer at a time, all of it or nothing."""
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
    kinds = {  # noqa: RUF012
        "text": "text",
        "bytes": "bytea",
        "number": "double precision",
        "whole": "bigint",
        "time": "timestamp with time zone",
    }
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
        self.name = str(told.get("dbname", "the database")) + (f" on {where}" if where else "")

    def connect(self) -> Any:
        return self._psycopg.connect(self._url, autocommit=True, connect_timeout=10)

    def columns(self, connection: Any, table: str) -> dict[str, str]:
        found = connection.execute(
            "SELECT column_name, data_type FROM information_schema.columns"
            " WHERE table_schema = current_schema() AND table_name = %s",
            (table,),
        )
        return dict(found.fetchall())

    @contextmanager
    def writing(self, connection: Any) -> Iterator[Any]:
        """Numbers are given before the commit: without the lock a reader could pass rows that appear later."""
        with connection.transaction(), connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", (self._LOCK,))
            yield cursor


Database = Sqlite | Postgres


def database_of(store: str, *, create: bool, busy_seconds: float = BUSY_SECONDS) -> Database:
    """Return the database of ``postgresql://...`` or a file; FileNotFoundError for a file that is not there."""
    if url := _URL.match(store):
        if url[1] not in ("postgresql://", "postgres://"):
            raise StoreError(f"{url[1]}... is not a replay store: name a file of SQLite, or postgresql://... with --db")
        return Postgres(store)
    return Sqlite(Path(store), create=create, busy_seconds=busy_seconds)
