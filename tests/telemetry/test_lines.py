"""Files of rows: one line for each, days in a folder, many writers, and nothing lost where a disk is full."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from jimbo.telemetry.events import MetricSample
from jimbo.telemetry.row_sink import LinesSink
from jimbo.telemetry.sender import TimedEvent
from jimbo.telemetry.targets import checked_target, sender_to, served

WRITER = """
import sys
from jimbo.telemetry.events import MetricSample
from jimbo.telemetry.targets import sender_to
sender = sender_to(sys.argv[1], name=sys.argv[2])
for number in range(2000):
    sender.tell(MetricSample(name="x", value=number, unit="e" * 400))
sender.close(60)
print(sender.arrived)
"""


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def test_rows_are_lines(tmp_path: Path) -> None:
    sender = sender_to(str(tmp_path / "a.jsonl"), name="me")
    sender.tell(MetricSample(name='new\nline, "quotes" and \u2028', value=2))
    sender.close()
    (row,) = lines(tmp_path / "a.jsonl")
    assert type(row.pop("timestamp")) is int
    assert len(str(row.pop("session_id"))) == 12
    assert row == {"table": "metrics", "program": "me", "name": 'new\nline, "quotes" and \u2028', "value": 2.0}
    assert (tmp_path / "a.jsonl").read_bytes().count(b"\n") == 1


def test_a_line_that_was_not_finished_does_not_spoil_the_next(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"table": "metr')
    sender = sender_to(str(path))
    sender.tell(MetricSample(name="x", value=2))
    sender.close()
    first, second = path.read_text().splitlines()
    assert (first, json.loads(second)["name"]) == ('{"table": "metr', "x")


def test_a_folder_has_a_file_for_each_day(tmp_path: Path) -> None:
    now = [1_795_132_799.0]
    sink = LinesSink(tmp_path, "s", "p", clock=lambda: now[0])
    for number in range(3):
        packed = sink.pack([TimedEvent(now[0], "", MetricSample(name="x", value=number))], last=False)
        assert sink.send(packed) == (1, "")
        now[0] += 86_400 * number + 1
    sink.hang_up()
    days = sorted(path.name for path in tmp_path.iterdir())
    assert days == ["2026-11-19.jsonl", "2026-11-20.jsonl", "2026-11-21.jsonl"]


def test_many_processes_write_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(number)], stdout=subprocess.PIPE, text=True)
        for number in range(4)
    ]
    assert [writer.communicate(timeout=120)[0] for writer in writers] == ["2000\n"] * 4
    found = {(row["program"], row["value"]) for row in lines(path)}
    assert len(found) == 8000


def test_a_disk_that_is_full_for_a_while_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from jimbo.telemetry import row_sink

    write, full = row_sink.add_text, [OSError(28, "No space left on device")] * 2

    def fail_twice(*given: object) -> None:
        if full:
            raise full.pop()
        write(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(row_sink, "add_text", fail_twice)
    sender = sender_to(str(tmp_path / "a.jsonl"))
    sender.tell(MetricSample(name="x", value=1))
    sender.close(10)
    assert (sender.arrived, sender.left, sender.trouble) == (1, 0, "No space left on device")
    assert len(lines(tmp_path / "a.jsonl")) == 1


def test_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert checked_target("a.jsonl") == str(tmp_path / "a.jsonl")
    assert checked_target("new/") == f"{tmp_path}/new/"
    assert checked_target("new") == f"{tmp_path}/new/"  # it is there now
    for url in ("ws://127.0.0.1:8765/events", "ilp+http://[::1]:9000/write?db=a", "ilp+tcp://lab:9009"):
        assert checked_target(url) == url
        assert served(url, "") is None


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("table.csv", '"table.csv" is not a place for telemetry. Name a file table.csv.jsonl, a folder table.csv/, or'),
        ("questdb", '"questdb" is not a place for telemetry. Name a file questdb.jsonl'),
        ("ftp://a", '"ftp://a" is not an address for events. Write one such as telemetry.jsonl,'),
        ("ilp+http://", '"ilp+http://" is not an address for events.'),
        ("ilp+tcp://a:x", '"ilp+tcp://a:x" is not an address for events.'),
        ("ilp+http://me:secret@a", "Passwords and tokens go into JIMBO_EVENTS_TOKEN."),
        ("prometheus://a:99999", '"prometheus://a:99999" is not an address for events.'),
        ("ilp+http://a\nb", "is not an address for events."),
    ],
)
def test_other_texts_are_no_places(text: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=re.escape(sentence)):
        checked_target(text)
