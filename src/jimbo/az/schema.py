"""The tables of a replay store, the same for SQLite and PostgreSQL, and their version."""

from __future__ import annotations

from typing import NamedTuple

VERSION = 1
"""Rises whenever a table changes. A store without a version has what version 1 has, or is refused."""
TRANSITIONS, METADATA, VERSIONS = "transitions", "game_metadata", "replay_schema"


class StoreError(ValueError):
    """A store that cannot be used, or not now; the sentence says why."""


class SchemaError(StoreError):
    """A store that is not one of this version; the sentence names the table and the column."""


class NoStore(SchemaError):
    """A database in which no store was made yet."""


class Column(NamedTuple):
    name: str
    kind: str
    """text, bytes, number or whole."""
    more: str = ""


TABLES = {
    TRANSITIONS: (
        Column("id", "text", "PRIMARY KEY"),
        Column("env_id", "text", "NOT NULL"),
        Column("episode_id", "text", "NOT NULL"),
        Column("step_number", "whole", "NOT NULL"),
        Column("state", "bytes", "NOT NULL"),
        Column("action", "bytes", "NOT NULL"),
        Column("next_state", "bytes", "NOT NULL"),
        Column("observation", "bytes", "NOT NULL"),
        Column("next_observation", "bytes", "NOT NULL"),
        Column("reward", "number", "NOT NULL"),
        Column("done", "whole", "NOT NULL"),
        Column("timestamp", "whole", "NOT NULL"),
        Column("policy_probs", "bytes"),
        Column("mcts_value", "number"),
        Column("game_outcome", "number"),
        Column("created_at", "time", "DEFAULT CURRENT_TIMESTAMP"),
    ),
    METADATA: (
        Column("env_id", "text", "PRIMARY KEY"),
        Column("display_name", "text", "NOT NULL"),
        Column("board_width", "whole", "NOT NULL"),
        Column("board_height", "whole", "NOT NULL"),
        Column("num_actions", "whole", "NOT NULL"),
        Column("obs_size", "whole", "NOT NULL"),
        Column("legal_mask_offset", "whole", "NOT NULL"),
        Column("player_count", "whole", "NOT NULL"),
        Column("updated_at", "whole", "NOT NULL"),
    ),
}
INDICES = ("timestamp", "episode_id", "env_id")


class Transition(NamedTuple):
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
    """float32[num_actions]: what the search thought of the moves."""
    mcts_value: float | None
    game_outcome: float | None
    """+1, 0 or -1, seen by who moved."""


class GameMetadata(NamedTuple):
    """A game, as a store describes it."""

    env_id: str
    display_name: str
    board_width: int
    board_height: int
    num_actions: int
    obs_size: int
    legal_mask_offset: int
    """Where in the observation it begins to say which moves are legal."""
    player_count: int


def statements(kinds: dict[str, str], key: str) -> list[str]:
    """What makes the tables. ``kinds``: the database's types; ``key``: a column that counts rows, if it needs one."""
    made = []
    for table, columns in TABLES.items():
        lines = [f"{column.name} {kinds[column.kind]} {column.more}".strip() for column in columns]
        lines += [key] if key and table == TRANSITIONS else []
        made.append(f"CREATE TABLE IF NOT EXISTS {table} ({', '.join(lines)})")
    made += [f"CREATE INDEX IF NOT EXISTS idx_{TRANSITIONS}_{name} ON {TRANSITIONS} ({name})" for name in INDICES]
    made.append(f"CREATE TABLE IF NOT EXISTS {VERSIONS} (version {kinds['whole']} PRIMARY KEY)")
    made.append(f"INSERT INTO {VERSIONS} (version) VALUES ({VERSION}) ON CONFLICT DO NOTHING")
    return made


def check(place: str, table: str, found: dict[str, str], kinds: dict[str, str]) -> None:
    """SchemaError if a table lacks a column, or has one of another type. ``found``: types by column."""
    if not found:
        raise NoStore(f"{place} has no table {table}: it is not a replay store")
    for column in TABLES[table]:
        if column.name not in found:
            raise SchemaError(f"{place}: the table {table} has no column {column.name}")
        wanted, there = kinds[column.kind], found[column.name]
        if column.kind != "time" and there.upper() != wanted.upper():
            raise SchemaError(f"{place}: the column {column.name} of {table} is {there or 'untyped'}, not {wanted}")


def check_version(place: str, versions: list[int]) -> None:
    if versions and max(versions) > VERSION:
        raise SchemaError(f"{place} was made by a newer version (schema {max(versions)}, here {VERSION}): update Jimbo")
