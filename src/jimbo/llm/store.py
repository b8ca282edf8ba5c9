"""The file that all processes of a user share: which requests were sent, what they cost, and what was answered.

A slot of the rate and the most that a request can cost are taken before it is sent, in one transaction, so that the
limits hold whatever happens to it, to this process or to others.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from jimbo import system
from jimbo.files import check_place, reason

_OURS = 0x4A494D42
"""By which a file is known as such a store."""
_PATIENCE = 5.0
"""Seconds to wait for another process that writes."""
DAY = 86_400.0
_TABLES = """
CREATE TABLE IF NOT EXISTS requests (id INTEGER PRIMARY KEY, at REAL NOT NULL, dollars REAL NOT NULL);
CREATE INDEX IF NOT EXISTS requests_at ON requests (at);
CREATE TABLE IF NOT EXISTS bucket (id INTEGER PRIMARY KEY CHECK (id = 0), tokens REAL NOT NULL, at REAL NOT NULL);
CREATE TABLE IF NOT EXISTS answers (
    key TEXT PRIMARY KEY, place TEXT NOT NULL, features TEXT NOT NULL, pattern TEXT NOT NULL, choice TEXT NOT NULL,
    reason TEXT NOT NULL, input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL, dollars REAL NOT NULL,
    at REAL NOT NULL, used REAL NOT NULL, uses INTEGER NOT NULL, beaten INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS answers_place ON answers (place, at);
CREATE INDEX IF NOT EXISTS answers_pattern ON answers (pattern, at);
CREATE INDEX IF NOT EXISTS answers_used ON answers (used);
"""


class StoreFailed(Exception):
    """The file cannot be read or written, as a sentence. Without it no limit could be kept, so nothing is asked."""


class CallStore:
    """An SQLite file, opened when it is first used, by each process for itself."""

    def __init__(self, path: Path | None = None, clock: Callable[[], float] = time.time) -> None:
        """ValueError where there can be no such file, or is another. ``clock``: seconds that processes agree on."""
        self.path = path or system.state_folder() / "llm.sqlite"
        self.clock = clock
        self._open: tuple[int, sqlite3.Connection] | None = None
        try:
            check_place(self.path)
            is_other = self.path.exists() and not _is_database(self.path)
        except OSError as error:
            raise ValueError(f"{self.path} cannot be used: {reason(error)}") from None
        if is_other:
            raise ValueError(f"{self.path} holds something else than limits and answers: name another file as store")

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Everything in it happens, or nothing; one process at a time."""
        try:
            connection = self._connection()
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")
        except (sqlite3.Error, OSError) as error:
            raise StoreFailed(f"{self.path} cannot be used: {error}.") from None

    def _connection(self) -> sqlite3.Connection:
        if self._open is None or self._open[0] != os.getpid():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self.path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
            _check_ours(connection)
            connection.executescript(_TABLES)
            self._open = (os.getpid(), connection)
        return self._open[1]


def _is_database(path: Path) -> bool:
    """SQLite takes a short file of others for an empty one of its own."""
    with path.open("rb") as file:
        return file.read(16) in (b"", b"SQLite format 3\0")


def _check_ours(connection: sqlite3.Connection) -> None:
    """Mark a new file, and refuse the database of another program."""
    (mark,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
    if mark != _OURS and tables:
        connection.close()
        raise sqlite3.DatabaseError("it is the database of another program")
    connection.execute(f"PRAGMA application_id = {_OURS}")


@dataclass(frozen=True, slots=True)
class Slot:
    """A request that may be sent."""

    number: int
    dollars: float
    """The most that it can cost, which counts as spent until it is settled."""


@dataclass(frozen=True, slots=True)
class RequestHeld:
    """Why no request may be sent now."""

    why: str
    wait: float | None
    """Seconds until one may; None where waiting does not help."""


class CallLimits:
    """So many requests an hour, and so much money."""

    def __init__(self, store: CallStore, per_hour: int, budget: float, window: float | None = DAY) -> None:
        """``budget``: dollars in any ``window`` seconds, or in all that the store knows of."""
        self.store, self._per_hour, self.budget, self._window = store, per_hour, budget, window
        self.capacity = max(10.0, per_hour / 10)
        """Requests that may be sent at once after a pause."""

    def take(self, dollars: float) -> Slot | RequestHeld:
        """A slot, and the most that the request can cost. StoreFailed where that cannot be noted."""
        with self.store.transaction() as connection:
            now = self.store.clock()
            spent = self._spent(connection, now)
            if spent + dollars > self.budget:
                when = "in all" if self._window is None else f"in {self._window / 3600:g} hours"
                return RequestHeld(
                    f"The limit of ${self.budget:,.4g} {when} leaves no room for a request of up to ${dollars:.4f}: "
                    f"${spent:.4f} are spent or set aside ({self.store.path}). Raise the option budget to go on.",
                    None,
                )
            tokens = self._tokens(connection, now)
            if tokens < 1:
                wait = (1 - tokens) * 3600 / self._per_hour
                return RequestHeld(f"No more than {self._per_hour} requests an hour are allowed.", wait)
            connection.execute("INSERT OR REPLACE INTO bucket VALUES (0, ?, ?)", (tokens - 1, now))
            number = connection.execute("INSERT INTO requests (at, dollars) VALUES (?, ?)", (now, dollars)).lastrowid
        return Slot(number or 0, dollars)

    def settle(self, slot: Slot, dollars: float) -> None:
        """Note what a request has really cost. Its slot stays taken."""
        with self.store.transaction() as connection:
            connection.execute("UPDATE requests SET dollars = ? WHERE id = ?", (dollars, slot.number))

    def spent(self) -> float:
        with self.store.transaction() as connection:
            return self._spent(connection, self.store.clock())

    def left(self) -> int:
        """Requests that could be sent now, if the money lasts."""
        with self.store.transaction() as connection:
            return int(self._tokens(connection, self.store.clock()))

    def _spent(self, connection: sqlite3.Connection, now: float) -> float:
        since = float("-inf") if self._window is None else now - self._window
        (spent,) = connection.execute("SELECT TOTAL(dollars) FROM requests WHERE at > ?", (since,)).fetchone()
        return float(spent)

    def _tokens(self, connection: sqlite3.Connection, now: float) -> float:
        row = connection.execute("SELECT tokens, at FROM bucket").fetchone()
        if row is None:
            return self.capacity
        passed = max(0.0, now - row[1])  # a clock may be set back
        return float(min(self.capacity, row[0] + passed * self._per_hour / 3600))
