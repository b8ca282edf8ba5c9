"""Runs of clients in files."""

import subprocess
import sys
from pathlib import Path

import pytest
from mcp import StdioServerParameters

from jimbo.agents import make_agent
from jimbo.data import read_record
from jimbo.data.record_files import RecordFile, RecordStopped
from jimbo.serve.mcp import RunLimits, Runs, make_server
from jimbo.serve.mcp.records import keeping
from jimbo.serve.mcp.runs import simulated
from serve.mcp.talking import Talk, talk


async def lose(talk: Talk) -> None:
    seen = await talk("new_run", seed="ALEEB", stake="gold")
    while not seen["over"]:
        action = "next" if seen["phase"] != "selecting_hand" else "play 1"
        seen = await talk("act", run=seen["run"], token=seen["token"], action=action)


async def begin(talk: Talk) -> None:
    seen = await talk("new_run", seed="TESTSEED", deck="blue")
    await talk("act", run="r1", token=seen["token"], action="next")


def test_a_recorded_run_can_be_replayed(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "runs"
    server = make_server(Runs(simulated, lambda: make_agent("greedy"), RunLimits(), keep=keeping(folder)))
    talk(server, lose)
    (path,) = folder.iterdir()
    assert path.name.endswith("-r1.jsonl")
    record = read_record(path)
    assert record.header.agent == "mcp"
    assert record.header.stake == "stake_gold"
    assert record.end is not None
    assert (record.end.result, record.end.steps) == ("loss", len(record.decisions))
    shown = subprocess.run(
        [sys.executable, "-m", "jimbo", "replay", str(path)], capture_output=True, text=True, check=False
    )
    assert shown.returncode == 0
    assert shown.stderr.startswith(f"Confirmed: all actions ({len(record.decisions)}) are legal")


def test_a_run_that_is_left_has_an_end_too(tmp_path: Path) -> None:
    command = ["-m", "jimbo", "mcp", "--record", str(tmp_path)]
    talk(StdioServerParameters(command=sys.executable, args=command), begin)
    (path,) = tmp_path.iterdir()
    end = read_record(path).end
    assert end is not None
    assert (end.result, end.steps) == ("open", 1)


def test_a_file_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    keep = keeping(tmp_path / "file")
    runs = Runs(simulated, lambda: make_agent("greedy"), RunLimits(), keep=keep)

    async def ask(talk: Talk) -> str:
        return await talk.refusal("new_run")

    assert "cannot be written" in talk(make_server(runs), ask)


def test_a_full_disk_stops_the_record_and_not_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise RecordStopped("No space left on device")

    async def play(talk: Talk) -> None:
        seen = await talk("new_run", seed="ALEEB")
        seen = await talk("act", run="r1", token=seen["token"], action="next")
        assert seen["phase"] == "selecting_hand"
        assert seen["view"][-1].startswith("warning: The record ")
        assert seen["view"][-1].endswith(" holds only part of the run: No space left on device.")
        await talk("act", run="r1", token=seen["token"], action="discard 1")

    monkeypatch.setattr(RecordFile, "add", full)
    talk(make_server(Runs(simulated, lambda: make_agent("greedy"), RunLimits(), keep=keeping(tmp_path))), play)
