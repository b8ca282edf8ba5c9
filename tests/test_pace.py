"""How fast runs go: lines as they are written, rates as they are read, files that are something else."""

import json
import os
from pathlib import Path

import pytest

from jimbo import pace
from jimbo.pace import PACE, Pace, pace_file, read_pace
from jimbo.system import memory_mb


def line(at: float, began: float = 100.0, memory: float | None = 50.0, part: str = "", **done: int) -> str:
    named = {"part": part} if part else {}
    return json.dumps({**named, "began": began, "at": at, "memory_mb": memory, "done": done})


def test_what_was_done_is_written_while_it_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "_SHORTEST", 0.0)
    monkeypatch.setattr(pace, "_SLOWER", 0.0)
    path = tmp_path / "new" / PACE
    with Pace(path) as found:
        found.add(games=1, decisions=40)
        found.add(games=2)
        seen = [json.loads(text)["done"] for text in path.read_text().splitlines()]
        assert seen == [{}, {"games": 1, "decisions": 40}, {"games": 3, "decisions": 40}]
    (*_, last) = map(json.loads, path.read_text().splitlines())
    assert last["done"] == {"games": 3, "decisions": 40}
    assert last["at"] >= last["began"]


def test_many_notes_make_few_lines(tmp_path: Path) -> None:
    with Pace(tmp_path / PACE) as found:
        for _ in range(10_000):
            found.add(steps=1)
    assert len((tmp_path / PACE).read_text().splitlines()) < 5
    assert read_pace((tmp_path / PACE).read_text()).done["steps"] == 10_000


def test_without_a_place_and_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (None, tmp_path / "file" / PACE):
        with Pace(path) as found:
            found.add(games=1)
    assert pace_file(Path("a/games.jsonl")) == Path("a/.games.jsonl.pace")


def test_rates_are_those_between_two_lines() -> None:
    found = read_pace("\n".join([line(100), line(110, games=5, steps=200), line(130, games=5, steps=260, memory=70.0)]))
    assert [row["x"] for row in found.rows] == [0, pytest.approx(1 / 6), 0.5]
    assert found.rows[1] == {
        "x": pytest.approx(1 / 6),
        "memory (MB)": 50.0,
        "games per hour": 1800,
        "steps per second": 20,
    }
    assert found.rows[2]["steps per second"] == 3
    assert found.rows[2]["games per hour"] == 0
    assert found.done == {"games": 5, "steps": 260, "seconds": 30}


def test_a_pause_does_not_count_and_a_resumed_run_goes_on() -> None:
    later = [line(1000, 1000), line(1010, 1000, games=7)]
    found = read_pace("\n".join([line(100), line(110, games=5), *later]))
    assert [60 * row["x"] for row in found.rows] == [0, 10, 10, 20]
    assert found.rows[-1]["games per hour"] == 2520
    assert found.done == {"games": 12, "seconds": 20}


def test_several_writers_of_one_run() -> None:
    lines = [line(100), line(104, 104, part="trainer"), line(110, games=5), line(114, 104, part="trainer", steps=50)]
    found = read_pace("\n".join(lines))
    assert found.rows[-1]["steps per second"] == 5
    assert found.rows[-1]["memory of the trainer (MB)"] == 50.0
    assert found.done == {"games": 5, "steps": 50, "seconds": 14}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no json",
        "[]",
        '{"began": 1}',
        line(1, memory=None).replace("100.0", "true"),
        line(5).replace("50.0", '"x"'),
        line(5).replace("{}", '{"games": 1e300}'),
        line(5).replace("{}", "[1]"),
        line(5).replace("5,", "NaN,"),
    ],
)
def test_lines_that_are_none_are_left_out(text: str) -> None:
    assert read_pace(text).rows == []
    assert len(read_pace(f"{line(100)}\n{text}\n{line(101, games=1)}").rows) == 2


def test_the_memory_of_this_process() -> None:
    found = memory_mb(os.getpid())
    if found is None:
        pytest.skip("this system does not tell it")
    assert 5 < found < 100_000
