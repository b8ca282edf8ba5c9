"""When a run that is shown waits."""

import io
import sys

import pytest
from rich.console import Console

from jimbo.agents import Decision
from jimbo.engine import Action, Run
from jimbo.rollout import Moment
from jimbo.serve.terminal import decision
from jimbo.serve.terminal.decision import DELAY, Show


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was waited for, on a terminal with somebody before it."""
    waited: list[str] = []
    terminal = Console(file=io.StringIO(), force_terminal=True, width=80)
    monkeypatch.setattr(decision, "make_console", lambda: terminal)
    monkeypatch.setattr(terminal, "input", lambda prompt: waited.append("Enter"))
    monkeypatch.setattr(decision.time, "sleep", lambda seconds: waited.append(f"{seconds:g} s"))
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    return waited


def shown(**options: object) -> None:
    now = Run(seed="TESTSEED").public_state()
    moment = Moment(1, now, Decision(Action("select_blind")), (), now)
    Show(**{"as_json": False, "delay": None, "on_enter": False, **options}).moment(moment)  # type: ignore[arg-type]


def test_a_decision_stays_for_a_while_or_until_enter(waits: list[str]) -> None:
    shown()
    shown(delay=0.25)
    shown(on_enter=True)
    assert waits == [f"{DELAY:g} s", "0.25 s", "Enter"]


def test_nobody_waits_for_machines(waits: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    shown(as_json=True)
    monkeypatch.setattr(decision, "make_console", lambda: Console(file=io.StringIO(), width=80))
    shown(on_enter=True)
    assert waits == []


def test_without_a_keyboard_there_is_no_enter(waits: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: False, raising=False)
    shown(on_enter=True)
    assert waits == [f"{DELAY:g} s"]
