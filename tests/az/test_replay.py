"""The replay store, in a file and on a server: what is written is drawn again, and nothing is lost."""

from __future__ import annotations

import sqlite3
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from az.made_rows import GAME, row, rows
from jimbo.az.replay import Replay, RowIndex, open_replay
from jimbo.az.schema import TABLES, TRANSITIONS, SchemaError, StoreError


@pytest.fixture
def random() -> np.random.Generator:
    return np.random.default_rng(7)


def test_rows_come_back_as_they_were(place: str, random: np.random.Generator) -> None:
    with open_replay(place, create=True) as replay:
        written = rows(8)
        replay.add(written)
        assert replay.count() == replay.count("made") == 8
        assert replay.count("other") == 0
        assert set(replay.sample(8, "made", random)) <= set(written)


def test_rows_added_twice_are_there_once(place: str) -> None:
    with open_replay(place, create=True) as replay:
        replay.add(rows(4))
        replay.add(rows(8))
        assert replay.count() == 8


def test_a_batch_that_fails_leaves_nothing(place: str) -> None:
    with open_replay(place, create=True) as replay:
        with pytest.raises(StoreError, match=r"(?i)null"):
            replay.add([*rows(4), row(5, observation=None)])
        assert replay.count() == 0


def test_games_describe_themselves(place: str) -> None:
    with open_replay(place, create=True) as replay:
        assert replay.get_metadata("made") is None
        replay.describe(GAME._replace(num_actions=9))
        replay.describe(GAME)
        replay.describe(GAME._replace(env_id="another"))
        assert replay.get_metadata("made") == GAME
        assert [game.env_id for game in replay.list_metadata()] == ["another", "made"]


def test_every_row_is_drawn_about_as_often(place: str, random: np.random.Generator) -> None:
    with open_replay(place, create=True) as replay:
        replay.add(rows(40, env_id="other", first=1000))
        replay.add(rows(20))
        replay.add(rows(40, env_id="other", first=2000))
        drawn = [row.timestamp for _ in range(100) for row in replay.sample(20, "made", random)]
        counts = np.bincount(np.array(drawn) - 1_700_000_000, minlength=20)
        assert len(counts) == 20
        assert counts.min() > 60
        assert counts.max() < 150


def test_a_batch_has_observations_policies_and_values(place: str, random: np.random.Generator) -> None:
    with open_replay(place, create=True) as replay:
        replay.add(rows(8))
        batch = replay.sample_batch(8, GAME, random)
        assert batch is not None
        assert batch.observations.shape == (8, 5)
        assert (batch.observations == batch.observations[:, :1]).all()
        assert batch.policies.tolist() == [[0.5, 0.25, 0.25]] * 8
        assert batch.outcomes.tolist() == [1.0] * 8
        assert batch.values.tolist() == [0.25] * 8


def test_there_is_no_batch_where_rows_are_too_few(place: str, random: np.random.Generator) -> None:
    with open_replay(place, create=True) as replay:
        replay.add(rows(7))
        assert replay.sample_batch(8, GAME, random) is None
        whole = replay.sample_batch(7, GAME, random)
        assert whole is not None
        assert whole.outcomes.shape == (7,)


def test_moves_stand_for_policies_and_searches_for_outcomes(place: str, random: np.random.Generator) -> None:
    with open_replay(place, create=True) as replay:
        replay.add(rows(3, policy_probs=None, game_outcome=None))
        replay.add(rows(3, first=3, policy_probs=b"short"))
        batch = replay.sample_batch(6, GAME, random)
        assert batch is not None
        moves = batch.observations[:, 0].astype(int) % 3
        assert (batch.policies == np.eye(3)[moves]).all()
        assert (batch.outcomes == np.where(batch.observations[:, 0] < 3, 0.25, 1.0)).all()


def test_the_window_holds_the_newest_rows(
    place: str, random: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jimbo.az.replay._LOOK_AGAIN", 0.0)
    with open_replay(place, create=True) as replay:
        replay.add(rows(50))
        assert {row.timestamp for row in replay.sample(10, "made", random, window=10)} <= {
            1_700_000_000 + number for number in range(40, 50)
        }
        replay.add(rows(5, env_id="other", first=900))
        assert replay.cleanup(10, "made") == 40
        assert replay.cleanup(10, "made") == 0
        assert (replay.count("made"), replay.count("other")) == (10, 5)
        assert len(replay.sample(10, "made", random)) == 10
        assert replay.clear("made") == 10
        assert replay.sample(1, "made", random) == []
        assert replay.count("other") == 5
        replay.add(rows(4))
        assert len(replay.sample(4, "made", random)) == 4


def test_rows_removed_by_another_are_not_drawn(place: str, random: np.random.Generator) -> None:
    with open_replay(place, create=True) as replay, open_replay(place) as other:
        replay.add(rows(50))
        assert replay.rows_known("made") == 50
        other.cleanup(10, "made")
        assert min(row.timestamp for row in replay.sample(10, "made", random)) >= 1_700_000_040
        assert replay.sample(11, "made", random) == []


def test_what_came_since_a_mark_is_counted(place: str) -> None:
    with open_replay(place, create=True) as replay:
        assert replay.newest() == 0
        replay.add(rows(8))
        mark = replay.newest()
        replay.add(rows(4, first=8))
        replay.add(rows(4, first=900, env_id="other"))
        written = replay.written_since(mark, "made")
        assert (written.rows, written.episodes) == (4, 1)
        assert replay.written_since(replay.newest(), "made")[1:] == (0, 0)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"no\.db"):
        open_replay(str(tmp_path / "no.db"))
    assert not (tmp_path / "no.db").exists()


@pytest.mark.parametrize("column", [column.name for column in TABLES[TRANSITIONS]])
def test_a_missing_column_is_named(tmp_path: Path, column: str) -> None:
    path = tmp_path / "old.db"
    kinds = {"text": "TEXT", "bytes": "BLOB", "number": "REAL", "whole": "INTEGER", "time": "TEXT"}
    columns = ", ".join(f"{c.name} {kinds[c.kind]}" for c in TABLES[TRANSITIONS] if c.name != column)
    with sqlite3.connect(path) as connection:
        connection.execute(f"CREATE TABLE transitions ({columns})")
    for create in (False, True):
        with pytest.raises(SchemaError, match=f"no column {column}$"):
            open_replay(str(path), create=create)


def test_a_server_that_cannot_be_reached_is_named_without_its_password() -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(StoreError, match=r"^jimbo on 127\.0\.0\.1:1 cannot be used: .*refused") as found:
        open_replay("postgresql://player:secret@127.0.0.1:1/jimbo")
    assert "secret" not in str(found.value)
    assert str(found.value).endswith("choose another --db")


def test_a_column_of_another_type_is_named(tmp_path: Path) -> None:
    with open_replay(str(tmp_path / "replay.db"), create=True) as replay:
        (sql,) = replay._rows("SELECT sql FROM sqlite_master WHERE name = 'transitions'")[0]
    with sqlite3.connect(tmp_path / "other.db") as connection:
        connection.execute(sql.replace("reward REAL", "reward TEXT"))
    with pytest.raises(SchemaError, match="reward of transitions is TEXT, not REAL"):
        open_replay(str(tmp_path / "other.db"))


def test_other_files_and_newer_stores_are_refused(place: str, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "notes.db") as connection:
        connection.execute("CREATE TABLE notes (text TEXT)")
    with pytest.raises(SchemaError, match="no table transitions"):
        open_replay(str(tmp_path / "notes.db"))
    with open_replay(place, create=True) as replay:
        replay._write(lambda cursor: cursor.execute("INSERT INTO replay_schema (version) VALUES (99)"))
    with pytest.raises(SchemaError, match="newer version"):
        open_replay(place)


def test_a_store_without_descriptions_can_be_read(tmp_path: Path, random: np.random.Generator) -> None:
    """As older programs write it: no version, no description of games."""
    with open_replay(str(tmp_path / "replay.db"), create=True) as replay:
        replay.add(rows(4))
        replay._write(lambda cursor: cursor.execute("DROP TABLE replay_schema"))
        replay._write(lambda cursor: cursor.execute("DROP TABLE game_metadata"))
    with open_replay(str(tmp_path / "replay.db")) as replay:
        assert replay.get_metadata("made") is None
        assert len(replay.sample(4, "made", random)) == 4


def test_two_writers_lose_nothing(place: str) -> None:
    open_replay(place, create=True).close()
    longest: list[float] = []

    def write(writer: int) -> None:
        with open_replay(place, create=True, busy_seconds=20) as replay:
            for number in range(40):
                began = time.monotonic()
                replay.add(rows(20, first=100_000 * writer + 20 * number))
                longest.append(time.monotonic() - began)

    threads = [threading.Thread(target=write, args=(writer,)) for writer in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with open_replay(place) as replay:
        assert replay.count("made") == 2 * 40 * 20
    assert max(longest) < 20


def test_a_reader_never_passes_a_row_by(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those that another writer commits while the reader looks."""
    monkeypatch.setattr("jimbo.az.replay._LOOK_AGAIN", 0.0)
    open_replay(place, create=True).close()

    def write(writer: int) -> None:
        with open_replay(place) as replay:
            for number in range(30):
                replay.add(rows(5, first=100_000 * writer + 5 * number))

    threads = [threading.Thread(target=write, args=(writer,)) for writer in range(3)]
    with open_replay(place) as reader:
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            reader.rows_known("made")
        assert reader.rows_known("made") == reader.count("made") == 3 * 30 * 5


def test_a_locked_store_is_not_waited_for_longer_than_said(tmp_path: Path) -> None:
    path = str(tmp_path / "replay.db")
    with open_replay(path, create=True) as replay:
        replay.add(rows(4))
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with open_replay(path, busy_seconds=0.3) as replay:
        began = time.monotonic()
        with pytest.raises(StoreError, match="locked"):
            replay.add(rows(4, first=4))
        assert time.monotonic() - began < 5
        holder.execute("COMMIT")
        replay.add(rows(4, first=4))
        assert replay.count() == 8
    holder.close()


def test_a_connection_that_was_cut_is_made_again(empty_postgres: str) -> None:
    import psycopg

    def cut() -> None:
        with psycopg.connect(empty_postgres, autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")

    with open_replay(empty_postgres, create=True) as replay:
        cut()
        replay.add(rows(4))
        cut()
        assert replay.count() == 4


def test_numbers_in_memory_follow_a_store_that_begins_again() -> None:
    there = list(range(1, 11))
    index = RowIndex(lambda after: [n for n in there if n > after], lambda: max(there, default=0))
    index.refresh(0)
    assert len(index) == 10
    there[:] = [1, 2]
    index._looked = -1.0
    index.refresh(0)
    assert len(index) == 2


def test_the_store_is_a_write_ahead_log_with_a_version(tmp_path: Path) -> None:
    with open_replay(str(tmp_path / "replay.db"), create=True) as replay:
        assert _first(replay, "PRAGMA journal_mode") == "wal"
        assert _first(replay, "SELECT version FROM replay_schema") == 1
        indices = {name for _, name, *_ in replay._rows("PRAGMA index_list(transitions)")}
        assert {f"idx_transitions_{name}" for name in ("timestamp", "episode_id", "env_id")} <= indices


def _first(replay: Replay, sql: str) -> object:
    return replay._rows(sql)[0][0]


@pytest.mark.parametrize(
    "place",
    [
        "mysql://host/jimbo",
        "mysql:/host",
        "sqlite:///replay.db",
        "postgresql:/host/jimbo",
        "postgresql://host:port:9/x",
    ],
)
def test_urls_of_no_store_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    """A file of that name is not made."""
    pytest.importorskip("psycopg")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StoreError, match="--db"):
        open_replay(place, create=True)
    assert not list(tmp_path.iterdir())
