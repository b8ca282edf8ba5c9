"""Files of records: whole lines, taken up again, and read."""

from pathlib import Path

import pytest

from jimbo.backends import SimBackend
from jimbo.data import BadRecord, Considered, Decision, Header, RecordFile, RecordStopped, Snapshot, read_record
from jimbo.engine import Action
from jimbo.rollout import Recorder, Rollout

HEADER = Header(seed="RECORD1", deck="b_red", stake="stake_white", agent="greedy", options={"a": 1}, nonce=3)
SELECT = Decision(Action("select_blind"), explanation="it comes first")
PLAY = Decision(
    Action("play", cards=[0, 1]),
    (
        Considered(Action("play", cards=[0, 1]), 12.0, "Pair", 0.5, 0.1, chosen=True),
        Considered(Action("discard", cards=[2]), 1.0, ""),
    ),
    seconds=0.25,
    measure="clear",
)


def written(path: Path, *, ended: bool = True, snapshot_every: int = 0) -> Rollout:
    with RecordFile.create(path, HEADER) as file:
        rollout = Rollout(SimBackend(), [Recorder(file, snapshot_every=snapshot_every)])
        rollout.start_as(HEADER)
        rollout.take(SELECT)
        rollout.take(PLAY)
        if ended:
            file.end(rollout.ending())
    return rollout


def test_a_record_comes_back(tmp_path: Path) -> None:
    rollout = written(tmp_path / "run.jsonl")
    record = read_record(tmp_path / "run.jsonl")
    assert record.header == HEADER
    assert record.decisions == (SELECT, PLAY)
    assert record.decisions[1].seconds == 0.25
    assert record.snapshots == ()
    assert record.end == rollout.ending()
    assert record.end is not None
    assert (record.end.result, record.end.steps) == ("open", 2)


def test_snapshots_are_what_the_player_saw(tmp_path: Path) -> None:
    rollout = written(tmp_path / "run.jsonl", snapshot_every=2)
    start, last = read_record(tmp_path / "run.jsonl").snapshots
    assert (start.step, start.state["phase"]) == (0, "blind_select")
    assert rollout.state is not None
    assert last == Snapshot(2, rollout.state.to_data())


def test_no_file_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text("mine")
    with pytest.raises(FileExistsError):
        RecordFile.create(path, HEADER)
    assert path.read_text() == "mine"


@pytest.mark.parametrize("cut", [0, 1, 5])
def test_a_record_is_taken_up_again(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "run.jsonl"
    rollout = written(path, ended=False)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) - cut])
    record, file = RecordFile.resume(path)
    left = 1 if cut > 1 else 2  # without its end a line is cut; without its newline it is whole
    assert record.decisions == (SELECT, PLAY)[:left]
    with file:
        again = Rollout(SimBackend())
        again.start_as(record.header)
        list(again.replay(record.decisions))
        if left == 1:
            again.take(PLAY)
            file.add(again.steps, PLAY)
        file.end(again.ending())
    assert read_record(path).end == rollout.ending()
    assert path.read_bytes().startswith(data)


def test_a_whole_record_has_nothing_to_resume(tmp_path: Path) -> None:
    written(tmp_path / "run.jsonl")
    with pytest.raises(BadRecord, match="holds a whole run already"):
        RecordFile.resume(tmp_path / "run.jsonl")


def test_a_full_disk_stops_the_record_with_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    with RecordFile.create(path, HEADER) as file:
        file._file.close()
        file._file = open("/dev/full", "wb", buffering=0)  # type: ignore[assignment] # noqa: SIM115
        with pytest.raises(RecordStopped, match="No space left on device"):
            file.add(1, SELECT)


@pytest.mark.parametrize(
    ("number", "line", "message"),
    [
        (1, "{}", "line 1, .* header of the schema jimbo_record_v2"),
        (1, '{"schema": "jimbo_record_v1"}', "line 1, .* header of the schema jimbo_record_v2"),
        (2, "[]", "line 2, is not a line of a recorded run: .* is not an object"),
        (2, "{", "line 2, .* it is not JSON"),
        (2, '{"step": 1}', "line 2, .* measure is missing"),
        (3, '{"end": {"result": "win"}}', "line 3, .* end"),
        (3, '{"snapshot": {"step": 1}}', "line 3, .* snapshot"),
    ],
)
def test_the_broken_line_is_named(tmp_path: Path, number: int, line: str, message: str) -> None:
    path = tmp_path / "run.jsonl"
    written(path)
    lines = path.read_text().splitlines()
    lines[number - 1] = line
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(BadRecord, match=message):
        read_record(path)


def test_nothing_follows_the_end(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    written(path)
    path.write_text(path.read_text() + path.read_text().splitlines()[1] + "\n")
    with pytest.raises(BadRecord, match=r"line 5, .* nothing may follow the end"):
        read_record(path)
