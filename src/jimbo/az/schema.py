"""The tables of a replay store, the same for SQLite and PostgreSQL, their version, and their rows as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

VERSION = 1
"""Rises whenever a table changes. A store without a version has what version 1 has, or is refused."""
TRANSITIONS, METADATA, VERSIONS = "transitions", "game_metadata", "replay_schema"
INDICES = ("timestamp", "episode_id", "env_id")
Array = NDArray[Any]
LEARNT = ("action", "observation", "policy_probs", "mcts_value", "game_outcome")
"""The columns that rows must have."""


class StoreError(ValueError):
    """A store that cannot be used, or not now; the sentence says why."""


class SchemaError(StoreError):
    """A store that is not one of this version; the sentence names the table and the column."""


class NoStore(SchemaError):
    """A database in which no store was made yet."""


class TableColumn(NamedTuple):
    name: str
    kind: str
    """text, bytes, number or whole."""
    more: str = ""


TABLES = {
    TRANSITIONS: (
        TableColumn("id", "text", "PRIMARY KEY"),
        TableColumn("env_id", "text", "NOT NULL"),
        TableColumn("episode_id", "text", "NOT NULL"),
        TableColumn("step_number", "whole", "NOT NULL"),
        TableColumn("state", "bytes", "NOT NULL"),
        TableColumn("action", "bytes", "NOT NULL"),
        TableColumn("next_state", "bytes", "NOT NULL"),
        TableColumn("observation", "bytes", "NOT NULL"),
        TableColumn("next_observation", "bytes", "NOT NULL"),
        TableColumn("reward", "number", "NOT NULL"),
        TableColumn("done", "whole", "NOT NULL"),
        TableColumn("timestamp", "whole", "NOT NULL"),
        TableColumn("policy_probs", "bytes"),
        TableColumn("mcts_value", "number"),
        TableColumn("game_outcome", "number"),
        TableColumn("created_at", "time", "DEFAULT CURRENT_TIMESTAMP"),
    ),
    METADATA: (
        TableColumn("env_id", "text", "PRIMARY KEY"),
        TableColumn("display_name", "text", "NOT NULL"),
        TableColumn("board_width", "whole", "NOT NULL"),
        TableColumn("board_height", "whole", "NOT NULL"),
        TableColumn("num_actions", "whole", "NOT NULL"),
        TableColumn("obs_size", "whole", "NOT NULL"),
        TableColumn("legal_mask_offset", "whole", "NOT NULL"),
        TableColumn("player_count", "whole", "NOT NULL"),
        TableColumn("updated_at", "whole", "NOT NULL"),
    ),
}


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


class MoveBatch(NamedTuple):
    observations: Array
    """float32[B, obs_size]"""
    policies: Array
    """float32[B, num_actions]"""
    outcomes: Array
    """float32[B]: of the games, seen by who moved."""
    values: Array
    """float32[B]: what the search thought of the positions."""


def batch_of(rows: Sequence[tuple[Any, ...]], game: GameMetadata, place: str) -> MoveBatch:
    actions, observations, policies, values, outcomes = zip(*rows, strict=True)
    if wrong := [len(data) for data in observations if len(data) != 4 * game.obs_size]:
        raise SchemaError(
            f"{place}: an observation has {wrong[0]} bytes, but those of {game.env_id} have {4 * game.obs_size}"
        )
    seen = np.frombuffer(b"".join(observations), "<f4").reshape(len(rows), game.obs_size)
    pairs = zip(policies, actions, strict=True)
    wanted = np.stack([_policy(policy, action, game.num_actions) for policy, action in pairs])
    thought = [value if value is not None else outcome or 0.0 for value, outcome in zip(values, outcomes, strict=True)]
    ended = [outcome if outcome is not None else value for value, outcome in zip(thought, outcomes, strict=True)]
    return MoveBatch(np.array(seen, np.float32), wanted, np.array(ended, np.float32), np.array(thought, np.float32))


def _policy(policy: bytes | None, action: bytes, count: int) -> Array:
    """What the search thought of the moves or, where that is not known, the move that was made."""
    if policy is not None and len(policy) == 4 * count:
        return np.frombuffer(policy, "<f4")
    made = np.zeros(count, np.float32)
    made[int.from_bytes(action, "little") % count] = 1.0
    return made
