"""Where the graph is kept: in a file, by ladybug, or on a server that speaks Bolt. Both answer the same statements."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, Protocol
from urllib.parse import urlsplit

from jimbo.extras import require
from jimbo.files import check_place, replacing
from jimbo.knowledge.schema import EDGES, NODES, Tables, edge_statement, node_statement, typed_ddl, unique_ddl

SLOW_MS = 50.0
"""Milliseconds from which an answer counts as slow."""
MOST_MS = 1000
_PORT = 7687
_POOL = 20
_AT_ONCE = 2000
"""Rows of one statement; fewer over a network would wait for it too often."""
_SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")
Rows = list[dict[str, Any]]
Progress = Callable[[str, int, int], None]


class BadGraph(ValueError):
    """A graph that is not there or cannot be read; the sentence says what to do."""


class Answer(NamedTuple):
    rows: Rows
    ms: float


class Graph(Protocol):
    """Answers statements of the common part of Cypher. Whatever comes from outside goes in as a parameter."""

    name: str

    def ask(self, statement: str, parameters: Mapping[str, Any]) -> Answer: ...

    def close(self) -> None: ...


@contextmanager
def opened(place: str, *, user: str = "", password: str = "", most_ms: int = MOST_MS) -> Iterator[Graph]:
    """A graph by its file or its address; BadGraph if there is none."""
    graph: Graph = (
        BoltGraph(place, user, password, most_ms) if "://" in place else LadybugGraph(Path(place), most_ms=most_ms)
    )
    try:
        yield graph
    finally:
        graph.close()


# --- In a file --------------------------------------------------------------------------------------------------------


class LadybugGraph:
    """A file, opened for reading."""

    def __init__(self, path: Path, *, most_ms: int = MOST_MS) -> None:
        ladybug = require("ladybug", "graph")
        self.name = str(path)
        if not path.is_file():
            raise BadGraph(f"There is no graph {path}. Make one with jimbo graph build, or name another with --graph.")
        try:
            self._database = ladybug.Database(str(path), read_only=True)
            self._connection = ladybug.Connection(self._database)
        except (RuntimeError, OSError, ValueError, IndexError) as error:
            raise BadGraph(f"{path} is not a graph, or was cut: {_first_line(error)}.") from None
        self._connection.set_query_timeout(most_ms)
        self._most_ms = most_ms

    def ask(self, statement: str, parameters: Mapping[str, Any]) -> Answer:
        began = time.perf_counter()
        try:
            result = self._connection.execute(statement, dict(parameters))
            names = result.get_column_names()
            rows = [dict(zip(names, row, strict=True)) for row in result.get_all()]
        except RuntimeError as error:
            if "nterrupted" in str(error):
                raise BadGraph(
                    f"The graph took more than {self._most_ms} ms. Ask for less, or raise --timeout-ms."
                ) from None
            raise BadGraph(f"{self.name} cannot answer: {_first_line(error)}.") from None
        return Answer(rows, 1000 * (time.perf_counter() - began))

    def close(self) -> None:
        self._connection.close()
        self._database.close()


def write_file(path: Path, tables: Tables, progress: Progress = lambda table, done, of: None) -> None:
    """A new graph beside the place; it takes the place when it is whole, so whatever stops this leaves the old one."""
    ladybug = require("ladybug", "graph")
    check_place(path)
    with replacing(path) as beside:
        try:
            database = ladybug.Database(str(beside))
            connection = ladybug.Connection(database)
            for statement in typed_ddl():
                connection.execute(statement)
            _fill(lambda text, rows: connection.execute(text, {"rows": rows}), tables, progress)
            connection.execute("CHECKPOINT")
            connection.close()
            database.close()
        finally:
            for rest in beside.parent.glob(f"{beside.name}.*"):
                with suppress(OSError):
                    rest.unlink()


def _fill(execute: Callable[[str, Rows], Any], tables: Tables, progress: Progress) -> None:
    of = sum(tables.sizes().values())
    done = 0
    statements = [(name, node_statement(name), tables.nodes[name]) for name in NODES]
    statements += [(name, edge_statement(name), tables.edges[name]) for name in EDGES]
    for name, statement, rows in statements:
        for first in range(0, len(rows), _AT_ONCE):
            execute(statement, rows[first : first + _AT_ONCE])
            done += len(rows[first : first + _AT_ONCE])
            progress(name, done, of)


# --- On a server ------------------------------------------------------------------------------------------------------


class BoltGraph:
    """A server: Memgraph, Neo4j, ArcadeDB or another that speaks Bolt."""

    def __init__(self, url: str, user: str = "", password: str = "", most_ms: int = MOST_MS) -> None:
        self._neo4j = require("neo4j", "graph")
        self.name = _checked_url(url)
        self._most_ms = most_ms
        self._driver = self._neo4j.GraphDatabase.driver(
            self.name,
            auth=(user, password),
            max_connection_pool_size=_POOL,
            connection_timeout=5.0,
            notifications_min_severity="OFF",
        )
        with self._refusals():
            self._driver.verify_connectivity()

    def ask(self, statement: str, parameters: Mapping[str, Any]) -> Answer:
        began = time.perf_counter()
        query = self._neo4j.Query(statement, timeout=self._most_ms / 1000)
        with self._refusals(), self._driver.session(default_access_mode="READ") as session:
            rows = [dict(record) for record in session.run(query, dict(parameters))]
        return Answer(rows, 1000 * (time.perf_counter() - began))

    def server(self) -> str:
        """What the server calls itself."""
        with self._refusals():
            info = self._driver.get_server_info()
        return f"{info.agent}, Bolt {'.'.join(map(str, info.protocol_version))}"

    def write(self, tables: Tables, progress: Progress = lambda table, done, of: None) -> None:
        """Replaces what a graph of ours put there, in one transaction: either all of it or nothing.

        Nodes of other tables are left alone.
        """
        with self._refusals(), self._driver.session() as session:
            for ways in unique_ddl():
                self._first_accepted(session, ways)
            with session.begin_transaction() as transaction:
                for name in NODES:
                    transaction.run(f"MATCH (n:{name}) DETACH DELETE n").consume()
                _fill(lambda text, rows: transaction.run(text, {"rows": rows}).consume(), tables, progress)
                transaction.commit()

    def _first_accepted(self, session: Any, ways: Sequence[str]) -> None:
        """Without a constraint the graph is the same, only slower to load."""
        for way in ways:
            with suppress(self._neo4j.exceptions.Neo4jError):
                session.run(way).consume()
                return

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        errors = self._neo4j.exceptions
        try:
            yield
        except (errors.DriverError, errors.Neo4jError, OSError, ValueError) as error:
            if isinstance(error, BadGraph):
                raise
            raise BadGraph(
                f"The server at {self.name} does not answer: {_first_line(error)}. "
                "Check its address, --user, and that it runs."
            ) from None

    def close(self) -> None:
        self._driver.close()


def _checked_url(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in _SCHEMES or not parts.hostname:
        raise BadGraph(f"{url!r} is not the address of a server: bolt://HOST:{_PORT}, for example.")
    if parts.username or parts.password:
        raise BadGraph("An address holds no password: give --user, and the password in JIMBO_GRAPH_PASSWORD.")
    return url


def _first_line(error: BaseException) -> str:
    return (str(error).strip().partition("\n")[0] or type(error).__name__).rstrip(".")
