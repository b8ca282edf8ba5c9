"""A graph as files for others: Cypher, Parquet, the small file of neighbours."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jimbo.extras import require
from jimbo.files import check_folder, replacing, write_text
from jimbo.knowledge.neighbours import GraphSource, write_neighbours
from jimbo.knowledge.questions import stakes_of
from jimbo.knowledge.schema import EDGES, KEY, NODES, NUMBER, NUMBERS, TEXT, WHOLE, Tables, unique_ddl
from jimbo.knowledge.stores import Graph

_MOST_SHIPPED = 900
"""Pairs of a stake."""


def read_tables(graph: Graph) -> Tables:
    """Everything that a graph holds."""
    tables = Tables()
    for name, columns in NODES.items():
        values = ", ".join(f"n.{column} AS {column}" for column in columns)
        tables.nodes[name] = graph.ask(f"MATCH (n:{name}) RETURN {values} ORDER BY n.{KEY}", {}).rows
    for name, table in EDGES.items():
        values = "".join(f", r.{column} AS {column}" for column in table.properties)
        ends = f"a.{KEY} AS source, b.{KEY} AS target"
        text = f"MATCH (a:{table.source})-[r:{name}]->(b:{table.target}) RETURN {ends}{values}"
        rows = graph.ask(text, {}).rows
        tables.edges[name] = sorted(rows, key=lambda row: (row["source"], row["target"], str(row.get("stake", ""))))
    return tables


def write_cypher(path: Path, tables: Tables) -> None:
    """Statements that any database which reads Cypher can run, one in each line, constraints first."""
    write_text(path, "".join(f"{statement};\n" for statement in _statements(tables)))


def _statements(tables: Tables) -> Iterator[str]:
    for ways in unique_ddl():
        yield ways[0]
    for name, columns in NODES.items():
        for row in tables.nodes[name]:
            yield f"CREATE (:{name} {_map(row, columns)})"
    for name, table in EDGES.items():
        for row in tables.edges[name]:
            start = f"(a:{table.source} {{{KEY}: {literal(row['source'])}}})"
            end = f"(b:{table.target} {{{KEY}: {literal(row['target'])}}})"
            values = f" {_map(row, table.properties)}" if table.properties else ""
            yield f"MATCH {start}, {end} CREATE (a)-[:{name}{values}]->(b)"


def _map(row: dict[str, Any], columns: Any) -> str:
    return "{" + ", ".join(f"{column}: {literal(row[column])}" for column in columns) + "}"


def literal(value: Any) -> str:
    """A value as Cypher spells it; a text in one line, whatever is in it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} has no form in Cypher")
        return repr(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)  # its escapes are also those of Cypher, but for pairs of \u
    return "[" + ", ".join(map(literal, value)) + "]"


def write_parquet(folder: Path, tables: Tables) -> list[Path]:
    """A file for each table of nodes and of edges; edges name their ends by ``source`` and ``target``."""
    arrow, parquet = require("pyarrow", "data"), require("pyarrow.parquet", "data")
    check_folder(folder)
    folder.mkdir(parents=True, exist_ok=True)
    kinds = {TEXT: arrow.string(), WHOLE: arrow.int64(), NUMBER: arrow.float64(), NUMBERS: arrow.list_(arrow.float64())}
    written = []
    ends = {"source": TEXT, "target": TEXT}
    columns_of = dict(NODES) | {name: {**ends, **table.properties} for name, table in EDGES.items()}
    for name, columns in columns_of.items():
        rows = tables.nodes[name] if name in NODES else tables.edges[name]
        schema = arrow.schema([(column, kinds.get(kind, arrow.bool_())) for column, kind in columns.items()])
        made = arrow.Table.from_pylist([{column: row[column] for column in columns} for row in rows], schema)
        path = folder / f"{name}.parquet"
        with replacing(path) as beside:
            parquet.write_table(made, beside, compression="zstd")
        written.append(path)
    return written


def write_shipped(path: Path, graph: Graph) -> None:
    """The surest pairs of each stake, by what is sure of them, in a file that needs no database."""
    sources, pairs = [], {}
    for about in stakes_of(graph):
        stake = about["stake"]
        agent = " ".join(filter(None, [about["agent"], about["settings"]]))
        sources.append(
            GraphSource(stake=stake, games=about["games"], trials=about["trials"], agent=agent, rules=about["rules"])
        )
        rows: dict[str, tuple[float, list[Any]]] = {}
        for name in ("SYNERGIZES_WITH", "COUNTERS"):
            text = (
                f"MATCH (a:Joker)-[r:{name}]->(b:Joker) WHERE r.stake = $stake AND r.doubtful = false "
                "RETURN a.key AS source, b.key AS target, r.effect AS effect, r.usual AS usual, r.low AS low, "
                "r.high AS high, r.deck AS deck, r.trials AS trials, r.games AS games"
            )
            for row in graph.ask(text, {"stake": stake}).rows:
                strength, low, high = (
                    round(max(-1.0, (row[end] - row["usual"]) / math.log(2)), 2) for end in ("effect", "low", "high")
                )
                sure = low if strength > 0 else -high
                numbers = [min(strength, 1.0), low, high, row["deck"], row["trials"], row["games"]]
                rows[f"{row['source']}+{row['target']}"] = (sure, numbers)
        best = sorted(rows, key=lambda pair: (-rows[pair][0], pair))[:_MOST_SHIPPED]
        pairs[stake] = {pair: rows[pair][1] for pair in sorted(best)}
    write_neighbours(path, sources, pairs)
