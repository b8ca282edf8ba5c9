"""The same runs in other ways, and agents that are not the same."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from jimbo.agents import Decision, make_agent
from jimbo.cli.main import app
from jimbo.deploy import audit
from jimbo.deploy.audit import AuditPlan, again, batches, by_interpreter, by_threads, by_workers, compared
from jimbo.engine import PublicState

SEEDS = ("AUDIT1", "AUDIT2")


def plan(agent: str = "fast", **more: Any) -> AuditPlan:
    given = {"agent": agent, "deck": "b_red", "stake": "stake_white", "seeds": SEEDS, "max_steps": 60} | more
    return AuditPlan(**given)


def idle() -> None:
    """Nobody watches."""


@pytest.mark.parametrize("agent", ["fast", "random"])
def test_every_way_is_the_same(agent: str) -> None:
    asked = plan(agent)
    first = list(again(asked, idle))
    steps = sum(len(run) - 1 for run in first)
    assert steps >= 10
    for way in (again, by_workers(2), by_threads(2), by_interpreter(sys.executable)):
        found = compared("way", asked, first, way(asked, idle))
        assert (found.passed, found.games, found.steps) == (True, 2, steps), found


@pytest.mark.parametrize("agent", ["fast", "greedy"])
def test_the_wire_is_the_same(agent: str) -> None:
    asked = plan(agent, max_steps=400)
    first = list(audit.within_the_mod(asked, idle))
    found = compared("wire", asked, first, audit.over_the_wire(asked, idle))
    assert found.passed, found


def test_the_first_difference_is_told_by_its_path() -> None:
    """An agent that looks at a clock, here at how often it was made."""
    made = 0

    class Fickle:
        name, clairvoyant = "fickle", False

        def __init__(self) -> None:
            nonlocal made
            made += 1
            self._greedy, self._late, self._steps = make_agent("greedy"), made > 1, 0

        def reset(self, nonce: int) -> None:
            self._steps = 0

        def act(self, state: PublicState) -> Decision:
            self._steps += 1
            decision = self._greedy.act(state)
            if self._late and self._steps > 3 and state.phase == "selecting_hand":
                return Decision(next(a for a in state.legal_actions() if a.kind == "play" and a != decision.action))
            return decision

    asked = plan("greedy", seeds=SEEDS[:1])
    first, other = ([audit.played(asked, 0, Fickle())] for _ in range(2))
    found = compared("again", asked, first, other)
    assert found.difference is not None
    assert found.difference.seed == "AUDIT1"
    assert found.difference.step == 4
    assert found.difference.path.startswith("$.action")
    assert found.difference.one != found.difference.other


def test_batches_of_one_thread_and_of_several() -> None:
    assert batches(3).passed


def test_a_batch_that_is_not_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    turn = audit._BatchGames.turn

    def other(self: Any) -> None:
        turn(self)
        if self._turns == 5 and self._threads == 2:
            self._seen.masks[7] = ~self._seen.masks[7]

    start = audit._BatchGames.__init__

    def begin(self: Any, threads: int) -> None:
        start(self, threads)
        self._threads = threads

    monkeypatch.setattr(audit._BatchGames, "__init__", begin)
    monkeypatch.setattr(audit._BatchGames, "turn", other)
    found = batches(2).difference
    assert found is not None
    assert (found.step, found.path) == (5, "$.masks[7]")


def test_an_interpreter_without_jimbo(tmp_path: Path) -> None:
    stub = tmp_path / "python"
    stub.write_text("#!/bin/sh\necho No module named jimbo >&2\nexit 1\n")
    stub.chmod(0o755)
    first = list(again(plan(), idle))
    found = compared("other", plan(), first, by_interpreter(str(stub))(plan(), idle))
    assert not found.passed
    assert found.trouble.endswith("ended with code 1: No module named jimbo")
    found = compared("other", plan(), first, by_interpreter(str(tmp_path / "none"))(plan(), idle))
    assert "cannot be started" in found.trouble


def test_an_interpreter_that_says_too_little(tmp_path: Path) -> None:
    stub = tmp_path / "python"
    stub.write_text("#!/bin/sh\ncat > /dev/null\n")
    stub.chmod(0o755)
    found = compared("other", plan(), list(again(plan(), idle)), by_interpreter(str(stub))(plan(), idle))
    assert found.trouble == "only 0 of 2 games came back"


def test_the_command(tmp_path: Path) -> None:
    words = ["audit", "--agent", "fast", "--games", "1", "--max-steps", "80", "--out", str(tmp_path / "out"), "--json"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["audit_pass"]
    assert [one["name"] for one in told["compared"]] == [
        "run 2", "2 workers", "2 threads", "the wire", "batch of 2 threads"
    ]  # fmt: skip
    assert json.loads((tmp_path / "out" / "determinism_report.json").read_text()) == told
    assert "the same" in (tmp_path / "out" / "determinism_report.md").read_text()


CHANCE = """
import os
class Chance:
    def act(self, state):
        actions = state.legal_actions()
        return actions[os.urandom(1)[0] % len(actions)]
"""


def test_the_command_with_an_agent_of_chance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"chance_{os.getpid()}"
    (tmp_path / f"{name}.py").write_text(CHANCE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    words = ["audit", "--agent", f"{name}:Chance", "--games", "1", "--no-wire", "--max-steps", "60"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 1
    assert "the first difference is in step" in " ".join(done.output.split())
    assert np.char.count(done.output, "different") >= 1
