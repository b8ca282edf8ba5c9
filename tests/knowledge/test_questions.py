"""Questions have the same answers from a file and from a server, and nothing in a name is ever run."""

from __future__ import annotations

import importlib.util
import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jimbo.knowledge.questions import QUESTIONS, ask, stakes_of
from jimbo.knowledge.schema import NODES
from jimbo.knowledge.stores import BadGraph, BoltGraph, Graph, LadybugGraph, opened, write_file
from knowledge.small_graph import ODD_NAMES, STAKE, small_tables

pytest.importorskip("ladybug")
GIVEN: dict[str, dict[str, Any]] = {
    "synergies": {"owned": ["j_a"], "least": 0.7},
    "paths": {"owned": ["j_a"]},
    "best-additions": {"owned": ["j_a", "j_b"], "budget": 8},
    "required-cards": {"owned": ["j_a", "j_b"]},
    "jokers-for-deck": {"cards": ["King", "Heart"]},
    "jokers-for-hand": {"hands": ["Flush"]},
    "clusters": {},
    "triangles": {},
    "anti-synergies": {"owned": ["j_a"]},
    "transitions": {},
}


@pytest.fixture(scope="module")
def in_file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LadybugGraph]:
    path = tmp_path_factory.mktemp("graph") / "it's a graph.lbug"
    write_file(path, small_tables())
    graph = LadybugGraph(path)
    yield graph
    graph.close()


@pytest.fixture(scope="module")
def on_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoltGraph]:
    if importlib.util.find_spec("arcadedb_embedded") is None:
        pytest.skip("arcadedb-embedded is not installed: pip install arcadedb-embedded")
    folder = tmp_path_factory.mktemp("server")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = Path(__file__).with_name("bolt_server.py")
    with (folder / "output").open("w") as log:  # the server makes a folder "log" where it runs
        process = subprocess.Popen(
            [sys.executable, str(server), str(folder), str(port)], stdout=log, stderr=log, cwd=folder
        )
    try:
        graph = _connected(port, process, folder / "output")
        graph.write(small_tables())
        yield graph
        graph.close()
    finally:
        process.kill()  # what it holds is a folder of this test
        process.wait()


def _connected(port: int, process: subprocess.Popen[bytes], log: Path) -> BoltGraph:
    end = time.monotonic() + 240
    while True:
        try:
            graph = BoltGraph(f"bolt://127.0.0.1:{port}", "root", "playwithdata", 60_000)
            graph.ask("RETURN 1 AS one", {})  # it answers before it has a database
            return graph
        except BadGraph:
            if process.poll() is not None or time.monotonic() > end:
                raise AssertionError(log.read_text()[-3000:]) from None
            time.sleep(0.5)


def answers(graph: Graph) -> dict[str, Any]:
    return {name: ask(graph, name, STAKE, given).rows for name, given in GIVEN.items()}


def test_every_question_is_tried() -> None:
    assert list(GIVEN) == list(QUESTIONS)


def test_what_works_with_what_is_owned(in_file: LadybugGraph) -> None:
    found = answers(in_file)
    assert [(row["partner"], row["strength"]) for row in found["synergies"]] == [
        ("Bob", 0.9), ("Cy", 0.8), (ODD_NAMES["j_quote"], 0.75),
    ]  # fmt: skip
    best = found["best-additions"]
    assert [(row["joker"], round(row["value"], 6)) for row in best] == [(ODD_NAMES["j_quote"], 1.6), ("Cy", 1.5)]
    assert sorted(best[0]["works_with"]) == ["Ada", "Bob"]
    assert [row["joker"] for row in ask(in_file, "best-additions", STAKE, {"owned": ["j_a", "j_b"], "budget": 9}).rows][
        :2
    ] == ["Di", ODD_NAMES["j_quote"]]
    assert [row["partner"] for row in found["anti-synergies"]] == ["Ed", ODD_NAMES["j_cypher"]]
    assert [(row["joker"], row["fit"]) for row in found["jokers-for-deck"]] == [("Bob", 0.75), ("Ada", 0.5)]
    assert [row["cards"] for row in found["required-cards"]] == ["Kings", "Hearts", "Kings"]
    assert [row["joker"] for row in found["jokers-for-hand"]] == ["Cy"]
    assert [(row["early"], row["late"], row["rate"]) for row in found["transitions"]] == [("Pair", "Flush", 0.4)]


def test_paths_keep_their_product_above_the_bar_and_never_return(in_file: LadybugGraph) -> None:
    found = ask(in_file, "paths", STAKE, {"owned": ["j_a"], "limit": 100}).rows
    assert {row["hops"] for row in found} == {1, 2, 3}
    assert all(row["product"] >= 0.6 for row in found)
    assert [row["product"] for row in found] == sorted((row["product"] for row in found), reverse=True)
    for row in found:
        way = [row[name] for name in ("start", "first", "second", "goal") if row[name]]
        assert len(set(way)) == len(way) == row["hops"] + 1
    assert ("Ada", "Bob", "Di") in [(row["start"], row["first"], row["goal"]) for row in found]


def test_groups(in_file: LadybugGraph) -> None:
    found = answers(in_file)
    assert {row["cluster"] for row in found["clusters"]} == {0}, "the other one is of another stake"
    assert [row["joker"] for row in found["clusters"]][:2] == ["Bob", "Ada"]
    assert found["clusters"][0]["weight"] == pytest.approx(0.9 + 0.7 + 0.95 + 0.85)
    assert {tuple(row[name] for name in ("first", "second", "third")) for row in found["triangles"]} == {
        ("Ada", "Bob", "Cy"), ("Ada", "Bob", "Di"), ("Ada", "Bob", ODD_NAMES["j_quote"]),
    }  # fmt: skip


def test_a_server_gives_the_same_answers(in_file: LadybugGraph, on_server: BoltGraph) -> None:
    def plain(found: dict[str, Any]) -> str:
        return json.dumps(found, sort_keys=True, default=str)

    here, there = answers(in_file), answers(on_server)
    for name in GIVEN:
        for row in (*here[name], *there[name]):
            for column in ("works_with", "because"):
                if column in row:
                    row[column] = sorted(row[column])
            row.update({key: round(value, 9) for key, value in row.items() if isinstance(value, float)})
        assert plain({name: here[name]}) == plain({name: there[name]}), name
    assert plain({"": stakes_of(in_file)}) == plain({"": stakes_of(on_server)})


def test_odd_names_arrive_as_they_are(in_file: LadybugGraph, on_server: BoltGraph) -> None:
    for graph in (in_file, on_server):
        rows = graph.ask(
            "MATCH (j:Joker) WHERE j.key IN $keys RETURN j.key AS key, j.name AS name", {"keys": [*ODD_NAMES]}
        )
        assert {row["key"]: row["name"] for row in rows.rows} == ODD_NAMES
        for odd in ODD_NAMES.values():
            assert ask(graph, "synergies", STAKE, {"owned": [odd]}).rows == []
            assert ask(graph, "jokers-for-deck", odd, {"cards": [odd]}).rows == []
        assert len(graph.ask("MATCH (n:Joker) RETURN n.key AS key", {}).rows) == 10
        session = graph.ask("MATCH (s:GameSession)-[:USED_JOKER]->(j:Joker) RETURN s.seed AS seed, j.name AS name", {})
        assert session.rows == [{"seed": "A'B\n", "name": ODD_NAMES["j_quote"]}]


def test_a_server_is_written_anew_and_other_nodes_stay(on_server: BoltGraph) -> None:
    with on_server._driver.session() as session:
        session.run("CREATE (:Neighbourly {name: $name})", {"name": "not ours"}).consume()
    on_server.write(small_tables())
    assert len(on_server.ask("MATCH (n:Joker) RETURN n.key AS key", {}).rows) == len(small_tables().nodes["Joker"])
    assert on_server.ask("MATCH (n:Neighbourly) RETURN n.name AS name", {}).rows == [{"name": "not ours"}]
    broken = small_tables()
    broken.edges["COUNTERS"][0]["severity"] = object()
    with pytest.raises((BadGraph, TypeError)):
        on_server.write(broken)
    assert len(on_server.ask("MATCH (n:Joker) RETURN n.key AS key", {}).rows) == 10, "the old graph is whole"


def test_questions_that_lack_something_are_refused_with_a_sentence(in_file: LadybugGraph) -> None:
    for name, given, said in (
        ("nothing", {}, 'There is no question "nothing". Choose one of synergies'),
        ("synergies", {}, "synergies needs --owned."),
        ("best-additions", {"owned": ["j_a"]}, "best-additions needs --budget."),
    ):
        with pytest.raises(ValueError, match=said):
            ask(in_file, name, STAKE, given)


def test_a_place_without_a_graph_is_named(tmp_path: Path) -> None:
    for place, said in (
        (str(tmp_path / "none.lbug"), "There is no graph .*none.lbug. Make one with jimbo graph build"),
        ("http://localhost:7687", "is not the address of a server"),
        ("bolt://me:secret@localhost", "An address holds no password"),
        ("bolt://127.0.0.1:9", "The server at bolt://127.0.0.1:9 does not answer"),
    ):
        with pytest.raises(BadGraph, match=said), opened(place):
            pass
    cut = tmp_path / "cut.lbug"
    cut.write_bytes(b"not a database at all" * 100)
    with pytest.raises(BadGraph, match="is not a graph, or was cut"), opened(str(cut)):
        pass


def test_a_killed_build_leaves_the_old_graph_whole(tmp_path: Path) -> None:
    path = tmp_path / "graph.lbug"
    write_file(path, small_tables())
    before = path.read_bytes()
    program = f"""
import os
from pathlib import Path
from jimbo.knowledge.stores import write_file
from knowledge.small_graph import small_tables
write_file(Path({str(path)!r}), small_tables(), lambda table, done, of: table == "COUNTERS" and os.kill(os.getpid(), 9))
"""
    tests = str(Path(__file__).parents[1])
    killed = subprocess.run([sys.executable, "-c", program], env={"PYTHONPATH": tests}, check=False)
    assert killed.returncode == -9
    assert path.read_bytes() == before
    write_file(path, small_tables())
    with opened(str(path)) as graph:
        assert len(graph.ask("MATCH (n:Joker) RETURN n.key AS key", {}).rows) == len(small_tables().nodes["Joker"])
    assert [one.name for one in tmp_path.iterdir() if not one.name.startswith(".")] == ["graph.lbug"]


def test_every_table_is_read_back(in_file: LadybugGraph) -> None:
    from jimbo.knowledge.export import read_tables

    read, made = read_tables(in_file), small_tables()
    assert read.sizes() == made.sizes()
    for name in NODES:
        assert sorted(read.nodes[name], key=str) == sorted(made.nodes[name], key=str)
