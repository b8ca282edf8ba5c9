"""Traces, which are projections of records, and the schema page."""

import json
import random
from pathlib import Path

import pytest

from jimbo.backends import SimBackend
from jimbo.data import Decision, Header, Record, check_trace, state_hashes, trace_lines, trace_of
from schema_page import markdown

PAGE = Path(__file__).parents[2] / "docs" / "schemas.md"
HEADER = Header(seed="TRACE1", deck="b_magic", stake="stake_black", agent="random")


def recorded(steps: int) -> Record:
    backend = SimBackend()
    state = backend.reset(deck=HEADER.deck, stake=HEADER.stake, seed=HEADER.seed)
    choice = random.Random(7)
    decisions = []
    for _ in range(steps):
        actions = [action for action in state.legal_actions(with_moves=True) if action.kind not in ("play", "discard")]
        decisions.append(Decision(choice.choice(actions)))
        state = backend.apply(decisions[-1].action).state
    return Record(HEADER, tuple(decisions))


def traced(steps: int, snapshot_every: int = 0) -> list[str]:
    return trace_lines(trace_of(recorded(steps), SimBackend(), snapshot_every=snapshot_every)).splitlines()


def test_a_trace_replays_to_the_same_run() -> None:
    lines = traced(60, snapshot_every=10)
    backend = SimBackend()
    check_trace(lines, backend)
    hashes = state_hashes(backend.full_state())
    last = json.loads(lines[-1])
    assert {name: last[name] for name in hashes} == hashes
    snapshots = [json.loads(line)["canonical_state_snapshot"] for line in lines if "canonical_state_snapshot" in line]
    assert len(snapshots) == 6
    assert snapshots[-1] == backend.full_state()


def test_what_a_step_of_a_trace_says() -> None:
    start, first, *_ = map(json.loads, traced(5))
    assert (start["type"], start["seed"], start["deck"], start["stake"]) == (
        "start",
        "TRACE1",
        "b_magic",
        "stake_black",
    )
    assert (first["type"], first["step_id"], first["phase"], first["done"]) == ("step", 0, "blind_select", False)
    assert first["action"]["schema_version"] == "action_v1"


def test_a_changed_trace_is_noticed() -> None:
    lines = traced(20)
    record = json.loads(lines[8])
    record["state_hash_full"] = "0" * 64
    lines[8] = json.dumps(record)
    with pytest.raises(ValueError, match="line 9 of the trace: the replay differs: state_hash_full"):
        check_trace(lines, SimBackend())


def test_a_trace_needs_its_start() -> None:
    with pytest.raises(ValueError, match="line 1 of the trace: a trace_v1 trace begins with the start of a run"):
        check_trace(traced(3)[1:], SimBackend())


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "the trace is empty"),
        (["[]"], "line 1 of the trace: it is not an object"),
        (["", "{"], "line 2 of the trace: "),
        (['{"type":"start","schema_version":"trace_v1"}'], "line 1 of the trace lacks the field 'schema_hash'"),
    ],
)
def test_a_line_that_does_not_fit_is_refused_with_a_sentence(lines: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check_trace(lines, SimBackend())


def test_the_schema_page_is_up_to_date() -> None:
    assert PAGE.read_text() == markdown(), "run: python tools/schema_page.py > docs/schemas.md"
