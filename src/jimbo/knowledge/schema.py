"""The tables of the graph: nodes and edges with the types of their properties, and how a database learns of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

VERSION = "jimbo_graph_v1"
TEXT, WHOLE, NUMBER, FLAG, NUMBERS = "STRING", "INT64", "DOUBLE", "BOOLEAN", "DOUBLE[]"
KEY = "key"
"""The property by which a node is found; no two nodes of a table share it."""

_SOURCE = {"stake": TEXT, "games": WHOLE, "trials": WHOLE, "agent": TEXT, "rules": TEXT}
"""Where a number comes from: games that showed it, trials of the value, who played, and the signature of the rules."""
_INTERVAL = {"low": NUMBER, "high": NUMBER, "confidence": NUMBER, "doubtful": FLAG}
_PAIR = {"effect": NUMBER, **_INTERVAL, "usual": NUMBER, "deck": TEXT, **_SOURCE}

NODES: Mapping[str, Mapping[str, str]] = {
    "Joker": {
        KEY: TEXT, "name": TEXT, "rarity": TEXT, "cost": WHOLE, "base_mult": NUMBER, "base_chips": NUMBER,
        "description": TEXT, "scaling_type": TEXT, "times_purchased": WHOLE, "total_score_contribution": NUMBER,
        "embedding": NUMBERS,
    },
    "PlayingCard": {
        KEY: TEXT, "name": TEXT, "suit": TEXT, "rank": TEXT, "enhancement": TEXT, "seal": TEXT, "base_chips": WHOLE,
    },
    "HandType": {
        KEY: TEXT, "name": TEXT, "base_chips": NUMBER, "base_mult": NUMBER, "level": WHOLE, "plays": WHOLE,
    },
    "Strategy": {
        KEY: TEXT, "name": TEXT, "hand": TEXT, "win_rate": NUMBER, "avg_score": NUMBER, "games_played": WHOLE,
        "ante_reached": NUMBER, "stake": TEXT,
    },
    "DeckArchetype": {
        KEY: TEXT, "name": TEXT, "viability_score": NUMBER, **_INTERVAL, **_SOURCE,
    },
    "GameSession": {
        KEY: TEXT, "session_id": TEXT, "timestamp": TEXT, "final_ante": WHOLE, "final_score": NUMBER, "won": FLAG,
        "seed": TEXT, "stake": TEXT,
    },
    "SchemaMetadata": {
        KEY: TEXT, "version": TEXT, "stake": TEXT, "games": WHOLE, "won": WHOLE, "trials": WHOLE, "agent": TEXT,
        "settings": TEXT, "deck": TEXT, "rules": TEXT, "built": TEXT, "usual": NUMBER, "corrections": NUMBER,
    },
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class EdgeTable:
    source: str
    target: str
    properties: Mapping[str, str] = field(default_factory=dict)


EDGES: Mapping[str, EdgeTable] = {
    "SYNERGIZES_WITH": EdgeTable(
        "Joker", "Joker",
        {"strength": NUMBER, "win_rate": NUMBER, "synergy_type": TEXT, **_PAIR, "naive_strength": NUMBER,
         "cluster": WHOLE},
    ),
    "COUNTERS": EdgeTable("Joker", "Joker", {"severity": NUMBER, "win_rate": NUMBER, **_PAIR}),
    "REQUIRES_CARD": EdgeTable(
        "Joker", "PlayingCard",
        {"condition": TEXT, "quantity": WHOLE, "optimal_quantity": WHOLE, "strength": NUMBER, "effect": NUMBER,
         **_INTERVAL, **_SOURCE},
    ),
    "ENABLES_STRATEGY": EdgeTable(
        "Joker", "Strategy", {"importance": NUMBER, "effect": NUMBER, **_INTERVAL, **_SOURCE}
    ),
    "LEADS_TO": EdgeTable("Strategy", "Strategy", {"transition_rate": NUMBER, "games": WHOLE, "stake": TEXT}),
    "USED_JOKER": EdgeTable("GameSession", "Joker"),
}  # fmt: skip


@dataclass(slots=True)
class Tables:
    """All nodes and edges. Edges name their ends by ``source`` and ``target``."""

    nodes: dict[str, list[dict[str, Any]]] = field(default_factory=lambda: {name: [] for name in NODES})
    edges: dict[str, list[dict[str, Any]]] = field(default_factory=lambda: {name: [] for name in EDGES})

    def sizes(self) -> dict[str, int]:
        return {name: len(rows) for name, rows in (self.nodes | self.edges).items()}


def typed_ddl() -> Iterator[str]:
    """For databases that want their tables declared."""
    for name, columns in NODES.items():
        typed = ", ".join(f"{column} {kind}" for column, kind in columns.items())
        yield f"CREATE NODE TABLE {name}({typed}, PRIMARY KEY({KEY}))"
    for name, table in EDGES.items():
        typed = "".join(f", {column} {kind}" for column, kind in table.properties.items())
        yield f"CREATE REL TABLE {name}(FROM {table.source} TO {table.target}{typed})"


def unique_ddl() -> Iterator[tuple[str, ...]]:
    """For servers without declared tables: no two nodes with one key. Each in the ways of Neo4j and of Memgraph."""
    for name in NODES:
        yield (
            f"CREATE CONSTRAINT {name.lower()}_{KEY} IF NOT EXISTS FOR (n:{name}) REQUIRE n.{KEY} IS UNIQUE",
            f"CREATE CONSTRAINT ON (n:{name}) ASSERT n.{KEY} IS UNIQUE",
        )


def node_statement(name: str) -> str:
    """Creates the nodes of a table from the parameter ``rows``."""
    values = ", ".join(f"{column}: row.{column}" for column in NODES[name])
    return f"UNWIND $rows AS row CREATE (:{name} {{{values}}})"


def edge_statement(name: str) -> str:
    table = EDGES[name]
    values = ", ".join(f"{column}: row.{column}" for column in table.properties)
    return (
        f"UNWIND $rows AS row MATCH (a:{table.source} {{{KEY}: row.source}}), (b:{table.target} {{{KEY}: row.target}}) "
        f"CREATE (a)-[:{name}{f' {{{values}}}' if values else ''}]->(b)"
    )
