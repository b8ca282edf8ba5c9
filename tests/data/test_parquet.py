"""Files of decisions in columns: what they say, and what is refused."""

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from data.playing import lines_of, rolled_out
from jimbo.cli.main import app
from jimbo.data import parquet
from jimbo.data.columns import columns
from jimbo.data.dataset import summarize, validate
from jimbo.data.parquet import facts_of
from jimbo.data.samples import BadData, read_samples

Change = Callable[[pa.Table], pa.Table]


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("parquet") / "games.parquet"
    rolled_out(path)
    rolled_out(path.with_name("games.jsonl"))
    return path


def test_the_columns_are_those_that_are_listed(games: Path) -> None:
    schema = pq.read_schema(games)
    assert [(field.name, str(field.type)) for field in schema] == [(c.name, c.type) for c in columns()]


def test_columns_tell_what_lines_tell(games: Path) -> None:
    rows, lines = pq.read_table(games).to_pylist(), lines_of(games.with_name("games.jsonl"))
    assert len(rows) == len(lines)
    for row, line in zip(rows, lines, strict=True):
        for name in ("seed", "deck", "stake", "challenge", "nonce", "result", "final_ante", "final_round", "steps"):
            assert row[name] == line[name]
        for name in ("blinds", "blinds_total", "measure", "win", "explanation", "done", "return", "reward"):
            assert row[name] == line[name]
        assert (row["game"], row["step"], row["agent"]) == (line["episode_id"], line["step_id"], line["policy"])
        parts = {"kind": row["action"], "index": row["index"], "to": row["to"], "cards": row["cards"]}
        assert parts == line["action"]
        context = line["features"]["context_values"]
        assert (row["dollars"], row["hands_left"]) == (context["money"], context["hands_left"])
        assert (row["chips"], row["ante"], row["round"]) == (
            context["round_chips"],
            context["ante_num"],
            context["round_num"],
        )
    ends = [row for row in rows if row["done"]]
    assert len(ends) == 3
    assert all(row["return"] == row["reward"] for row in ends)


def test_a_file_tells_how_it_was_made(games: Path) -> None:
    facts = facts_of(games)
    assert facts.config["agent"] == "greedy"
    assert facts.config["seed_prefix"] == "AAAAAAA"
    assert facts.versions["jimbo"]


# --- Bad files --------------------------------------------------------------------------------------------------------


def with_column(name: str, change: Callable[[list[Any]], object]) -> Change:
    def changed(table: pa.Table) -> pa.Table:
        values = table[name].to_pylist()
        change(values)
        field = table.schema.field(name)
        return table.set_column(table.schema.get_field_index(name), field, pa.array(values, field.type))

    return changed


def put(place: int, value: Any) -> Callable[[list[Any]], object]:
    return lambda values: values.__setitem__(place, value)


def put_all(place: int, byte: int) -> Callable[[list[Any]], object]:
    return lambda values: values.__setitem__(place, bytes([byte]) * len(values[place]))


def infinite(place: int) -> Callable[[list[Any]], object]:
    return lambda values: values.__setitem__(place, [float("inf")] * len(values[place]))


def with_metadata(**texts: str) -> Change:
    return lambda table: table.replace_schema_metadata(
        {**table.schema.metadata, **{f"jimbo.{name}".encode(): text for name, text in texts.items()}}
    )


NAN_ROWS = np.full(24, np.nan, np.float32).tobytes()
BROKEN: dict[str, tuple[Change, str]] = {
    "schema": (with_metadata(schema="other"), "holds no decisions"),
    "hash": (with_metadata(schema_hash="0123"), r"other observations or candidates \(schema_hash 0123, here \w+\)\."),
    "empty": (lambda table: table.slice(0, 0), "is empty: it holds no decision"),
    "column": (lambda table: table.drop_columns(["chosen"]), "lacks the column chosen"),
    "type": (
        lambda table: table.set_column(
            table.schema.get_field_index("reward"), "reward", table["reward"].cast("double")
        ),
        "the column reward must be of the type float",
    ),
    "reward": (with_column("reward", put(4, float("nan"))), "row 5: reward is not a number"),
    "null": (with_column("seed", put(2, None)), "row 3: seed is missing"),
    "chosen": (with_column("chosen", put(6, 64)), "row 7: chosen is none of the candidates"),
    "phase": (with_column("phase", put(1, "lunch")), "row 2: phase must be one of blind_select"),
    "result": (
        with_column("result", lambda values: values.__setitem__(slice(None), ["tie"] * len(values))),
        "row 1: result",
    ),
    "numbers": (
        with_column("candidate_rows", lambda values: values.__setitem__(3, NAN_ROWS + values[3][96:])),
        "row 4: candidate_rows hold what is not a number",
    ),
    "ids": (with_column("candidate_ids", put(0, b"12")), "row 1: candidate_ids do not fit"),
    "short": (with_column("candidate_rows", put(0, b"")), "row 1: candidate_rows do not fit"),
    "gap": (lambda table: pa.concat_tables([table.slice(0, 3), table.slice(4)]), "row 4: it does not follow"),
    "cut": (lambda table: table.slice(0, 5), "row 5: the game is not whole"),
    "unknown ids": (with_column("candidate_ids", put_all(2, 255)), "row 3: candidate_ids hold unknown ids"),
    "unknown things": (with_column("observation", put_all(2, 255)), "row 3: observation holds unknown ids"),
    "infinite": (with_column("candidate_values", infinite(5)), "row 6: candidate_values hold what is not fin"),
    "blinds": (with_column("blinds", put(1, 500)), "row 2: blinds must lie between 0 and blinds_total"),
    "versions": (with_metadata(versions="3"), r"its metadata jimbo\.versions is not a JSON object"),
    "config": (with_metadata(config="{"), r"its metadata jimbo\.config is not a JSON object"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_files_are_refused_by_their_row(name: str, games: Path, tmp_path: Path) -> None:
    change, sentence = BROKEN[name]
    path = tmp_path / "broken.parquet"
    pq.write_table(change(pq.read_table(games)), path, use_compliant_nested_type=False)
    with pytest.raises(BadData, match=rf"^{path}.*{sentence}"):
        read_samples([path])


@pytest.mark.parametrize("size", [0, 3, 1000, -100])
def test_files_that_are_cut_off_are_refused(size: int, games: Path, tmp_path: Path) -> None:
    path = tmp_path / "cut.parquet"
    path.write_bytes(games.read_bytes()[:size])
    with pytest.raises(BadData, match=r"cut\.parquet cannot be read: it is truncated or not a Parquet file\."):
        read_samples([path])


def test_a_broken_part_is_told_by_its_first_row(games: Path, tmp_path: Path) -> None:
    data = bytearray(games.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 2000] = bytes(2000)
    path = tmp_path / "rotten.parquet"
    path.write_bytes(data)
    with pytest.raises(BadData, match=r"rotten\.parquet, from row 1 on, cannot be read: "):
        read_samples([path])


def test_a_page_that_changed_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One bit of an observation; without compression nothing else would notice."""
    monkeypatch.setattr(parquet, "_OPTIONS", {**parquet._OPTIONS, "compression": "none", "compression_level": None})
    path = tmp_path / "bit.parquet"
    rolled_out(path)
    data = bytearray(path.read_bytes())
    place = data.find(pq.read_table(path)["observation"][2].as_py())
    assert place > 0
    data[place + 100] ^= 1
    path.write_bytes(data)
    with pytest.raises(BadData, match=r"bit\.parquet, from row 1 on, cannot be read: .*CRC"):
        read_samples([path])


def test_a_rollout_that_was_stopped_is_told_with_the_command_that_finishes_it(tmp_path: Path) -> None:
    path = tmp_path / "my games.parquet"
    rolled_out(path, games=5, agent="expert", options={"effort": 0.01, "solver": False}, stake="stake_gold")
    parts = path.with_name("my games.parquet.parts")
    parts.mkdir()
    path.rename(parts / "000001.parquet")
    commands = set()
    for read in (lambda: read_samples([path]), lambda: validate(path), lambda: summarize(path)):
        with pytest.raises(BadData) as raised:
            read()
        before, _, command = str(raised.value).partition(" Finish it with: ")
        assert before.startswith(f"{path} is not finished: its games are in {parts}; a smaller --games ends it")
        commands.add(command)
    (command,) = commands
    done = CliRunner().invoke(app, [*shlex.split(command)[1:], "--games", "2"])
    assert done.exit_code == 0, done.stderr
    assert len(read_samples([path]).played) == 5
    done = CliRunner().invoke(app, shlex.split(command)[1:])
    assert "(5 games there before)" in done.stdout


LIES: dict[str, tuple[Change, str]] = {
    "action": (with_column("action", put(0, "cash_out")), "row 1: the action is not allowed"),
    "reward": (with_column("reward", put(4, 7.0)), "row 1: return is not the sum of the rewards from here on"),
    "return": (with_column("return", put(4, float("nan"))), "row 5: return is not the sum of the rewards"),
    "done": (with_column("done", put(4, True)), "row 5: done does not say where the game ended"),
    "win": (with_column("win", put(4, 2.0)), "row 5: win must be a chance between 0 and 1"),
    "dollars": (with_column("dollars", put(4, 9999)), "row 5: dollars is not as in the game, played again"),
    "observation": (with_column("observation", lambda v: v.__setitem__(2, v[3])), "row 3: observations is not as in"),
    "seed": (with_column("seed", lambda v: v.__setitem__(slice(None), ["OTHER"] * len(v))), "row "),
    "ante": (with_column("final_ante", lambda v: v.__setitem__(slice(None), [5] * len(v))), "final_ante is 5, but"),
}


@pytest.mark.parametrize("name", LIES)
def test_files_that_lie_are_found_by_playing_again(name: str, games: Path, tmp_path: Path) -> None:
    change, sentence = LIES[name]
    path = tmp_path / "lies.parquet"
    pq.write_table(change(pq.read_table(games)), path, use_compliant_nested_type=False)
    with pytest.raises(BadData, match=rf"^{path}.*{sentence}"):
        validate(path)
    assert validate(games) == len(read_samples([games]))


def test_files_that_others_rewrote_are_read(games: Path, tmp_path: Path) -> None:
    """With other names for the items of lists, and groups of rows that end within games."""
    path = tmp_path / "rewritten.parquet"
    pq.write_table(pq.read_table(games), path, row_group_size=7)
    assert str(pq.read_schema(path).field("cards").type) == "list<element: uint8>"
    one, other = read_samples([games]), read_samples([path])
    assert one.played == other.played
    assert one.observations.tobytes() == other.observations.tobytes()
    assert np.array_equal(one.starts, other.starts)
    assert validate(path) == len(one)
