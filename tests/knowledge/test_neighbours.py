"""The small file of the package, and the graph as files for others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jimbo.engine.catalog import JOKERS
from jimbo.knowledge.export import literal, read_tables, write_cypher, write_parquet
from jimbo.knowledge.neighbours import GraphSource, additions, nearest_stake, neighbours, write_neighbours
from jimbo.knowledge.stores import opened, write_file
from knowledge.small_graph import ODD_NAMES, STAKE, small_tables

SOURCE = GraphSource(stake=STAKE, games=100, trials=50, agent="expert effort=0.02", rules="abc")
PAIRS = {
    "j_joker+j_half": [0.8, 0.6, 0.9, "", 40, 30],
    "j_joker+j_baron": [0.5, 0.2, 0.7, "Kings", 20, 10],
    "j_half+j_baron": [0.4, 0.3, 0.5, "", 20, 10],
    "j_joker+j_mime": [-0.7, -0.9, -0.5, "", 20, 10],
    "j_joker+j_stencil": [-0.2, -0.3, -0.1, "", 20, 10],
}


@pytest.fixture
def own(tmp_path: Path) -> Path:
    write_neighbours(tmp_path / "own.json", [SOURCE], {STAKE: PAIRS})
    return tmp_path / "own.json"


def test_neighbours_are_the_strongest_first_with_their_source(own: Path) -> None:
    found = neighbours("j_joker", STAKE, path=own)
    assert [(one.key, one.strength, one.deck) for one in found] == [("j_half", 0.8, ""), ("j_baron", 0.5, "Kings")]
    assert (found[0].name, found[0].with_name, found[0].low, found[0].high) == ("Half Joker", "Joker", 0.6, 0.9)
    assert found[0].source == SOURCE
    assert [one.key for one in neighbours("j_joker", STAKE, harmful=True, path=own)] == ["j_mime", "j_stencil"]
    assert [one.key for one in neighbours("j_half", STAKE, limit=1, path=own)] == ["j_joker"]
    assert neighbours("j_perkeo", STAKE, path=own) == ()


def test_additions_add_up_within_the_budget(own: Path) -> None:
    found = additions(["j_joker", "j_half"], 8, STAKE, path=own)
    assert [(one.key, one.value, [partner.with_key for partner in one.partners]) for one in found] == [
        ("j_baron", pytest.approx(0.9), ["j_joker", "j_half"])
    ]
    assert additions(["j_joker", "j_half"], JOKERS["j_baron"].cost - 1, STAKE, path=own) == ()
    assert additions([], 100, STAKE, path=own) == ()


def test_the_nearest_stake_stands_in_and_says_so(own: Path, tmp_path: Path) -> None:
    assert nearest_stake("stake_gold", own) == STAKE
    assert neighbours("j_joker", "stake_gold", path=own)[0].source.stake == STAKE
    assert neighbours("j_joker", "stake_gold", path=tmp_path / "none.json") == ()
    assert additions(["j_joker"], 100, "stake_gold", path=tmp_path / "none.json") == ()


def test_other_files_are_refused(own: Path) -> None:
    for change, said in (
        ({"schema": "other"}, "is not of the schema"),
        ({"pairs": {STAKE: {"j_joker": [1, 1, 1, "", 1, 1]}}}, "names a pair that cannot be"),
        ({"pairs": {STAKE: {"j_joker+j_none": [1, 1, 1, "", 1, 1]}}}, "names a pair that cannot be"),
        ({"pairs": {STAKE: {"j_joker+j_half": [1]}}}, "names a pair that cannot be"),
    ):
        path = own.with_name(f"{abs(hash(said + str(change)))}.json")
        path.write_text(json.dumps({**json.loads(own.read_text()), **change}))
        with pytest.raises(ValueError, match=said):
            neighbours("j_joker", STAKE, path=path)


def test_a_graph_becomes_files_and_the_files_a_graph(tmp_path: Path) -> None:
    pytest.importorskip("ladybug")
    import ladybug

    from jimbo.knowledge.schema import typed_ddl

    path = tmp_path / "graph.lbug"
    write_file(path, small_tables())
    with opened(str(path)) as graph:
        tables = read_tables(graph)
        write_cypher(tmp_path / "graph.cypher", tables)
        written = write_parquet(tmp_path / "parquet", tables)
    statements = (tmp_path / "graph.cypher").read_text().split("\n")[:-1]
    assert all(statement.endswith(";") for statement in statements), "one in each line, whatever is in a name"
    database = ladybug.Database(str(tmp_path / "again.lbug"))
    connection = ladybug.Connection(database)
    for statement in typed_ddl():
        connection.execute(statement)
    for statement in statements:
        if not statement.startswith("CREATE CONSTRAINT"):
            connection.execute(statement)
    names = connection.execute("MATCH (j:Joker) RETURN j.key, j.name").get_all()
    assert {key: name for key, name in names if key in ODD_NAMES} == ODD_NAMES
    connection.close()
    database.close()
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = parquet.read_table(next(one for one in written if one.name == "Joker.parquet")).to_pylist()
    assert {row["key"]: row["name"] for row in rows if row["key"] in ODD_NAMES} == ODD_NAMES


@pytest.mark.parametrize(
    ("value", "text"),
    [(True, "true"), (3, "3"), (0.5, "0.5"), ("a'b\"\n", '"a\'b\\"\\n"'), ([1.0, "x"], '[1.0, "x"]')],
)
def test_values_as_cypher_spells_them(value: object, text: str) -> None:
    assert literal(value) == text


def test_what_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="has no form in Cypher"):
        literal(float("nan"))
