"""The examples of docs/claude.md run, and what the page says about options is so."""

import re
from pathlib import Path
from typing import Any

import pytest

from jimbo.agents import make_agent
from jimbo.agents.registry import agent_options
from jimbo.backends import SimBackend
from jimbo.data.record import Header
from jimbo.data.record_files import RecordFile
from jimbo.declared import fields_of
from jimbo.rollout.loop import Recorder, Rollout
from llm.stand_in import Service

PAGE = (Path(__file__).parents[2] / "docs" / "claude.md").read_text(encoding="utf-8")
EXPLAINED, PLAYED = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def test_a_game_without_a_service(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("anthropic")
    exec(PLAYED, {})
    assert re.fullmatch(r"(win|loss) 0\.\d+ \d+\n", capsys.readouterr().out)


def test_a_lost_run_is_explained(stand_in: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", stand_in.url)
    header = Header(seed="EXPLAIN", deck="b_red", stake="stake_white", agent="greedy")
    path = tmp_path / "lost.jsonl"
    rollout = Rollout(SimBackend(), [Recorder(RecordFile.create(path, header))])
    rollout.start_as(header)
    for _ in rollout.play(make_agent("greedy"), 0):
        pass
    names: dict[str, Any] = {}
    exec(EXPLAINED, names)
    assert names["explained"](path) == "n"
    stand_in.faults = ["broken"]
    assert names["explained"](path) == "Nobody knows: The service failed with HTTP 500."


def test_options_that_the_page_names_are_there() -> None:
    known = {entry.name for name in ("claude", "llm") for entry in fields_of(agent_options(name))}
    named = set(re.findall(r"`([a-z_]+)=", PAGE)) | set(re.findall(r"--set (\w+)=", PAGE))
    in_table = set(re.findall(r"^\| `[A-Z_]+` \| `(\w+)`", PAGE, re.MULTILINE))
    assert len(named) > 5
    assert named | in_table <= known


def test_figures_fit_each_other() -> None:
    (decisions,) = re.findall(r"\| decisions \| ([\d,]+) \|", PAGE)
    (requests, share) = re.findall(r"\| requests \| (\d+), ([\d.]+) % of the decisions", PAGE)[0]
    assert f"{100 * int(requests) / int(decisions.replace(',', '')):.1f}" == share
    assert float(share) < 5
