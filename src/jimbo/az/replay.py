"""The replay store: actors add games, the trainer draws moves from it.

Rows are drawn by their numbers, which are kept in memory (8 bytes a row): the database never sorts nor counts.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar

import numpy as np

from jimbo.az.schema import (
    BUSY_SECONDS,
    LEARNT,
    METADATA,
    TABLES,
    TRANSITIONS,
    Database,
    MoveBatch,
    StoredMove,
    StoreError,
    batch_of,
    check_table,
    check_version,
    database_of,
    statements,
)
from jimbo.engine.az import GameSpec, game_spec

log = logging.getLogger(__name__)
_LOOK_AGAIN = 1.0
"""Seconds."""
T = TypeVar("T")
_AT_ONCE = 500
"""Rows asked for, or removed, in one statement."""
_TRY_AGAIN = 0.2
"""Seconds."""
_WRITTEN = StoredMove._fields


class RowIndex:
    """Numbers of rows in their order; new ones are added, those that leave the window are forgotten."""

    def __init__(self, numbers_after: Callable[[int], list[int]], newest: Callable[[], int]) -> None:
        self._numbers_after, self._newest = numbers_after, newest
        self._numbers = np.zeros(0, np.int64)
        self._looked = -float("inf")
        self._window = 0

    def __len__(self) -> int:
        return min(len(self._numbers), self._window or len(self._numbers))

    def refresh(self, window: int) -> None:
        self._window = window
        now = time.monotonic()
        if now - self._looked < _LOOK_AGAIN:
            return
        last = int(self._numbers[-1]) if len(self._numbers) else 0
        if self._newest() < last:
            self.rebuild()  # the store was emptied, and counts from the beginning again
            return
        self._looked = now
        if fresh := self._numbers_after(last):
            kept = self._numbers[-window:] if window else self._numbers
            self._numbers = np.concatenate([kept, np.array(fresh, np.int64)])

    def rebuild(self) -> None:
        self._looked = time.monotonic()
        self._numbers = np.array(self._numbers_after(0), np.int64)

    def draw(self, count: int, random: np.random.Generator) -> list[int]:
        """Draw with repetition, each as likely as any other."""
        places = random.integers(len(self._numbers) - len(self), len(self._numbers), count)
        drawn: list[int] = self._numbers[places].tolist()
        return drawn


class Written(NamedTuple):
    """What was written since a mark."""

    mark: int
    rows: int
    episodes: int


class Replay:
    """A store, open. Use it in a ``with`` statement."""

    def __init__(self, database: Database, *, create: bool, busy_seconds: float = BUSY_SECONDS) -> None:
        self._database, self._busy = database, busy_seconds
        self._indices: dict[str, RowIndex] = {}
        self._random = np.random.default_rng()
        with self._in_words():
            self._connection = database.connect()
        try:
            with self._in_words():
                self._open(create)
        except BaseException:
            self._connection.close()
            raise

    def _open(self, create: bool) -> None:
        check_version(self._database, self._connection)
        if create and not all(self._columns(table) for table in TABLES):
            if self._columns(TRANSITIONS):
                self._check()  # nothing is added next to a table of another shape
            with self._database.writing(self._connection) as cursor:
                for statement in statements(self._database):
                    cursor.execute(statement)
        self._check()

    def _check(self) -> None:
        check_table(self._database, TRANSITIONS, self._columns(TRANSITIONS))
        described = self._columns(METADATA)
        self._describes = bool(described)
        if described:
            check_table(self._database, METADATA, described)

    def _columns(self, table: str) -> dict[str, str]:
        """Return the type of each column; nothing where there is no such table."""
        return self._database.columns(self._connection, table)

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        try:
            yield
        except self._database.errors as error:
            said = " ".join(str(error).split()).rstrip(".")
            raise StoreError(f"{self._database.name} cannot be used: {said}: mend it, or choose another --db") from None

    def __enter__(self) -> Replay:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._connection.close()

    # --- Writing ------------------------------------------------------------------------------------------------------

    def add(self, rows: Sequence[StoredMove]) -> None:
        """Add all rows or none; a row that is already there stays as it is."""
        sql = f"INSERT INTO {TRANSITIONS} ({', '.join(_WRITTEN)}) VALUES ({self._marks(len(_WRITTEN))})"
        self._write(lambda cursor: cursor.executemany(f"{sql} ON CONFLICT (id) DO NOTHING", rows))

    def describe(self, game: GameSpec) -> None:
        """Write what a game is like, in place of an earlier description."""
        names = (*GameSpec._fields, "updated_at")
        anew = ", ".join(f"{name} = excluded.{name}" for name in names[1:])
        sql = f"INSERT INTO {METADATA} ({', '.join(names)}) VALUES ({self._marks(len(names))})"
        row = (*game, int(time.time()))
        self._write(lambda cursor: cursor.execute(f"{sql} ON CONFLICT (env_id) DO UPDATE SET {anew}", row))

    def clear(self, env_id: str) -> int:
        """Remove all moves of a game; return how many there were."""
        return self._remove(env_id, None)

    def cleanup(self, window: int, env_id: str) -> int:
        """Remove all but the newest moves of a game; return how many were removed."""
        key, mark = self._database.key, self._database.mark
        found = self._rows(
            f"SELECT {key} FROM {TRANSITIONS} WHERE env_id = {mark} ORDER BY {key} DESC LIMIT 1 OFFSET {mark}",
            (env_id, window),
        )
        return self._remove(env_id, found[0][0]) if found else 0

    def _remove(self, env_id: str, last: int | None) -> int:
        """Remove a little at a time, so that writers need not wait long."""
        key, mark = self._database.key, self._database.mark
        older = f" AND {key} <= {mark}" if last is not None else ""
        some = f"SELECT {key} FROM {TRANSITIONS} WHERE env_id = {mark}{older} ORDER BY {key} LIMIT {_AT_ONCE}"
        values = (env_id,) if last is None else (env_id, last)
        sql = f"DELETE FROM {TRANSITIONS} WHERE {key} IN ({some})"
        removed = 0
        while True:
            count: int = self._write(lambda cursor: cursor.execute(sql, values).rowcount)
            removed += count
            if count < _AT_ONCE:
                return removed

    def _write(self, work: Callable[[Any], T]) -> T:
        """Do the work in one transaction."""

        def written() -> T:
            with self._database.writing(self._connection) as cursor:
                return work(cursor)

        return self._insist(written)

    def _insist(self, work: Callable[[], T]) -> T:
        """Try again after a lost connection, until the time for waiting is over."""
        end = time.monotonic() + self._busy
        with self._in_words():
            while True:
                try:
                    return work()
                except self._database.lost:
                    if time.monotonic() > end:
                        raise
                    time.sleep(_TRY_AGAIN)
                    self._connect_again()

    def _connect_again(self) -> None:
        self._connection.close()
        try:
            self._connection = self._database.connect()
        except self._database.lost:
            return  # the old one, closed, says so when it is used

    # --- Reading ------------------------------------------------------------------------------------------------------

    def count(self, env_id: str | None = None) -> int:
        where, values = (f" WHERE env_id = {self._database.mark}", (env_id,)) if env_id else ("", ())
        return int(self._rows(f"SELECT COUNT(*) FROM {TRANSITIONS}{where}", values)[0][0])

    def get_metadata(self, env_id: str) -> GameSpec | None:
        return next((game for game in self.list_metadata() if game.env_id == env_id), None)

    def game(self, env_id: str) -> GameSpec:
        """Return a game as the store describes it or, where it does not, as it is known here."""
        described = self.get_metadata(env_id)
        if described is None:
            log.warning("The store does not describe %s: what is built in is used.", env_id)
        return described or game_spec(env_id)

    def list_metadata(self) -> list[GameSpec]:
        if not self._describes:
            return []
        names = ", ".join(GameSpec._fields)
        return [GameSpec(*row) for row in self._rows(f"SELECT {names} FROM {METADATA} ORDER BY env_id")]

    def newest(self) -> int:
        """A mark: the number of the newest row."""
        return int(self._rows(f"SELECT COALESCE(MAX({self._database.key}), 0) FROM {TRANSITIONS}")[0][0])

    def written_since(self, mark: int, env_id: str) -> Written:
        key, sign = self._database.key, self._database.mark
        sql = f"SELECT COUNT(*), COALESCE(SUM(done), 0), MAX({key}) FROM {TRANSITIONS} WHERE {key} > {sign}"
        rows, episodes, newest = self._rows(f"{sql} AND env_id = {sign}", (mark, env_id))[0]
        return Written(mark if newest is None else int(newest), int(rows), int(episodes))

    def rows_known(self, env_id: str, window: int = 0) -> int:
        """How many rows can be drawn from."""
        return len(self._index(env_id, window))

    def sample(
        self, batch_size: int, env_id: str, random: np.random.Generator | None = None, window: int = 0
    ) -> list[StoredMove]:
        """Moves drawn at random, each as likely as any other; an empty list where there are fewer."""
        return [StoredMove(*row) for row in self._drawn(_WRITTEN, batch_size, env_id, random, window)]

    def sample_batch(
        self, batch_size: int, game: GameSpec, random: np.random.Generator | None = None, window: int = 0
    ) -> MoveBatch | None:
        """Moves drawn at random, as arrays; None where there are fewer."""
        rows = self._drawn(LEARNT, batch_size, game.env_id, random, window)
        return batch_of(rows, game, self._database.name) if rows else None

    def _drawn(
        self, columns: Sequence[str], batch_size: int, env_id: str, random: np.random.Generator | None, window: int
    ) -> list[tuple[Any, ...]]:
        index = self._index(env_id, window)
        found: list[tuple[Any, ...]] = []
        while len(index) >= batch_size and len(found) < batch_size:
            wanted = index.draw(batch_size - len(found), random or self._random)
            rows = self._by_number(columns, wanted)
            found += [rows[number] for number in wanted if number in rows]
            if len(rows) < len(set(wanted)):
                index.rebuild()  # some were removed since they were listed
        return found if len(found) == batch_size else []

    def _by_number(self, columns: Sequence[str], numbers: list[int]) -> dict[int, tuple[Any, ...]]:
        base = f"SELECT {self._database.key}, {', '.join(columns)} FROM {TRANSITIONS} WHERE {self._database.key}"
        ordered = sorted(set(numbers))
        found = {}
        for first in range(0, len(ordered), _AT_ONCE):
            some = ordered[first : first + _AT_ONCE]
            found.update({row[0]: row[1:] for row in self._rows(f"{base} IN ({self._marks(len(some))})", some)})
        return found

    def _index(self, env_id: str, window: int) -> RowIndex:
        if env_id not in self._indices:
            self._indices[env_id] = RowIndex(lambda after: self._numbers_after(env_id, after), self.newest)
        self._indices[env_id].refresh(window)
        return self._indices[env_id]

    def _numbers_after(self, env_id: str, after: int) -> list[int]:
        key, mark = self._database.key, self._database.mark
        sql = f"SELECT {key} FROM {TRANSITIONS} WHERE env_id = {mark} AND {key} > {mark} ORDER BY {key}"
        return [row[0] for row in self._rows(sql, (env_id, after))]

    def _rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        rows: list[tuple[Any, ...]] = self._insist(lambda: self._connection.execute(sql, values).fetchall())
        return rows

    def _marks(self, count: int) -> str:
        return ", ".join([self._database.mark] * count)


def open_replay(store: str, *, create: bool = False, busy_seconds: float = BUSY_SECONDS) -> Replay:
    """Open a file or a URL; FileNotFoundError where there is nothing, SchemaError where it does not fit."""
    database = database_of(store, create=create, busy_seconds=busy_seconds)
    return Replay(database, create=create, busy_seconds=busy_seconds)
