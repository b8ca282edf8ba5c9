"""Every kind of file that holds a run, and files that hold none."""

import gzip
import json
import random
from pathlib import Path
from typing import Any

import pytest

from conformance.recordings import whole_recording
from jimbo.agents import make_agent
from jimbo.backends.sim import SimBackend
from jimbo.data.record_files import read_record
from jimbo.data.trace import trace_lines, trace_of
from jimbo.engine import Action, PublicState
from jimbo.files import LARGEST
from jimbo.parity.playing import record, simulator
from jimbo.parity.trace import write_trace
from jimbo.rollout.runner import RolloutPlan, roll_out
from jimbo.serve.review import NotARun, PlayedRun, read_run
from serve.review.conftest import Played, lines


def taken(run: PlayedRun) -> list[Action | None]:
    return [one.action for one in run.positions[:-1]]


def seen(run: PlayedRun) -> list[PublicState]:
    return [one.state for one in run.positions]


# --- What is read -----------------------------------------------------------------------------------------------------


def test_a_record(fast: Played) -> None:
    run = read_run(fast.path)
    assert (taken(run), seen(run), run.player, run.exact) == (fast.actions, fast.states, "fast", True)
    assert run.notes == ()


def test_a_record_that_was_cut(fast: Played, tmp_path: Path) -> None:
    cut = tmp_path / "cut.jsonl"
    cut.write_text(fast.path.read_text()[:-4000])
    run = read_run(cut)
    assert 0 < run.decisions < len(fast.actions)
    assert run.end == fast.states[run.decisions]


def test_a_record_of_another_world_is_taken_as_its_states_tell_it(tmp_path: Path) -> None:
    path = Played(tmp_path / "run.jsonl", "fast", "SNAPS", most=12, snapshot_every=1).path
    told = [json.loads(line) for line in path.read_text().splitlines()]
    for line in told:
        if "snapshot" in line:
            line["snapshot"]["state"]["dollars"] += 1
    run = read_run(lines(tmp_path / "other.jsonl", told))
    assert not run.exact
    assert run.end.dollars == read_run(path).end.dollars + 1
    assert "drawn anew" in run.notes[0]
    assert run.saved_at(3).header.start


def test_a_rollout(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    plan = RolloutPlan(agent="greedy", options={}, games=2, format="jsonl", deck="b_red", stake="stake_white")
    roll_out(plan, out, workers=1)
    first, second = read_run(out), read_run(out, 2)
    assert first.seed != second.seed
    assert first.player == "greedy"
    assert first.end.over
    assert second.end.over
    with pytest.raises(NotARun, match="has no game 3\\. Choose another with --game"):
        read_run(out, 3)


def test_a_trace(fast: Played, tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    path.write_text(trace_lines(trace_of(read_record(fast.path), SimBackend())))
    run = read_run(path)
    assert (taken(run), seen(run), run.notes) == (fast.actions, fast.states, ())
    told = [json.loads(line) for line in path.read_text().splitlines()]
    told[-1]["state_hash_full"] = "0" * 64
    assert "ends otherwise" in read_run(lines(path, told)).notes[0]


def test_a_trace_of_the_wire_packed(tmp_path: Path) -> None:
    path = tmp_path / "wire.jsonl.gz"
    with simulator() as server:
        trace = record(server, make_agent("fast"), "b_red", "stake_white", "WIRE1", max_steps=60)
    write_trace(path, trace)
    run = read_run(path)
    assert run.exact
    assert run.seed == "WIRE1"
    done = [decision.action for decision in trace.decisions]
    bought = [action.kind for action in done].count("buy_and_use")  # two calls of the mod
    assert run.decisions == len(done) + bought
    assert [one.kind for one in taken(run)[:20] if one] == [action.kind for action in done[:20]]


def test_a_recording_of_the_real_game(tmp_path: Path) -> None:
    path = tmp_path / "recording.json"
    recording = whole_recording("RECORDED")
    path.write_text(json.dumps(recording))
    run = read_run(path)
    assert run.decisions == len(recording["steps"]) - 1
    assert run.exact


@pytest.mark.parametrize("form", ["plain", "answers", "without cash-outs", "one list", "indented"])
def test_a_log_of_gamestates(fast: Played, tmp_path: Path, form: str) -> None:
    states: list[Any] = fast.gamestates[:60]
    path = tmp_path / "gamestates.jsonl"
    if form == "answers":
        states = [{"jsonrpc": "2.0", "id": 1, "result": state} for state in states]
    elif form == "without cash-outs":
        states = [state for state in states if state["state"] != "ROUND_EVAL"]
    if form in ("one list", "indented"):
        path.write_text(json.dumps(states, indent=1 if form == "indented" else None))
    else:
        lines(path, states)
    run = read_run(path)
    assert run.exact
    assert run.decisions >= 58
    assert seen(run) == fast.states[:60] or form == "without cash-outs"
    same = [one == other for one, other in zip(taken(run), fast.actions, strict=False)]
    assert sum(same) >= 58  # cards thrown in with a last play leave no trace in a log


def test_a_log_without_its_seed_leaves_out_what_cannot_be_told(fast: Played, tmp_path: Path) -> None:
    states = [{name: value for name, value in state.items() if name != "seed"} for state in fast.gamestates]
    run = read_run(lines(tmp_path / "log.jsonl", states))
    known = [(one, other) for one, other in zip(taken(run), fast.actions, strict=True) if one]
    assert all(one == other for one, other in known)
    assert len(known) > 0.8 * len(fast.actions)
    assert not run.exact
    assert "cannot be told" in run.notes[0]
    assert "--retry draws it anew" in run.notes[1]


# --- What is refused --------------------------------------------------------------------------------------------------

DEEP = "[" * 100_000
HEADER = '{"schema": "jimbo_record_v2", "seed": "A", "deck": "b_red", "stake": "stake_white", "agent": "x"}\n'
FILES: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "is empty"),
    "text": (b"hello\nworld\n", "is not a run: it is not JSON"),
    "other JSON": (b'{"a": 1}\n', "is not a run. It takes a run"),
    "list": (b"[1, 2]\n", "is not a run"),
    "binary": (bytes(range(256)), "is not a run"),
    "deep": (DEEP.encode(), "is not a run"),
    "saved": (b"JIMBO-RUN 1 ...", "is an older saved run: it holds one state"),
    "columns": (b"PAR1....", "jimbo data convert"),
    "cut gzip": (gzip.compress(b"x" * 1000)[:20], "is damaged"),
    "bomb": (gzip.compress(b"0" * (LARGEST + 10)), "cannot be read"),
    "no decision": (HEADER.encode(), "without a decision"),
    "steps": (
        b'{"deck": "RED", "stake": "WHITE", "seed": "1", "steps": [{"action": {"type": "fly"}}]}',
        'no action "fly"',
    ),
    "steps of numbers": (b'{"deck": "RED", "stake": "WHITE", "seed": "1", "steps": [7]}', "wrong type"),
    "odd deck": (
        b'{"deck": "PINK", "stake": "WHITE", "seed": "1", "steps": []}',
        "is not a recording that can be read",
    ),
    "menu": (b'{"state": "MENU", "round_num": 0, "ante_num": 0, "money": 0}\n', "no state of a run"),
    "trace": (b'{"schema_version": "trace_v1", "type": "start"}\n', "it lacks the field 'seed'"),
    "infinite": (
        b'{"state": "SHOP", "round_num": 1, "ante_num": 1e999, "money": 0, "deck": "RED", "stake": "WHITE"}',
        "cannot be reviewed",
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_other_files_are_refused_with_a_sentence(tmp_path: Path, name: str) -> None:
    path = tmp_path / "file"
    data, says = FILES[name]
    path.write_bytes(data)
    with pytest.raises(NotARun) as told:
        read_run(path)
    text = str(told.value)
    assert says in text
    assert str(path) in text
    assert "\n" not in text
    assert "Error" not in text


def test_a_file_that_is_too_large_or_missing_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "large"
    with path.open("wb") as file:
        file.truncate(LARGEST + 1)
    for name in (path, tmp_path / "missing", tmp_path):
        with pytest.raises(NotARun, match="cannot be read"):
            read_run(name)
    with pytest.raises(NotARun, match="holds one run"):
        read_run(lines(tmp_path / "log", [{"state": "MENU", "round_num": 0, "ante_num": 0, "money": 0}]), 2)


def test_a_hand_of_most_of_the_deck_is_no_trouble(fast: Played, tmp_path: Path) -> None:
    """Of 47 cards there are millions of choices."""
    before = json.loads(json.dumps(next(state for state in fast.gamestates if state["state"] == "SELECTING_HAND")))
    before["hand"]["cards"] += before["cards"]["cards"][:39]
    before["cards"]["cards"] = before["cards"]["cards"][39:]
    del before["seed"]
    after = json.loads(json.dumps(before))
    after["round"]["hands_left"] -= 1
    after["hand"]["cards"] = after["hand"]["cards"][5:]
    assert read_run(lines(tmp_path / "log.jsonl", [before, after])).decisions == 1


ODD: tuple[Any, ...] = (None, -1, 1e308, "x", [], {}, 2**63, True, "\ud800")


def test_damaged_files_are_read_or_refused(fast: Played, tmp_path: Path) -> None:
    random_ = random.Random(7)
    logs = [fast.gamestates[:5], [json.loads(line) for line in fast.path.read_text().splitlines()[:12]]]
    refused = 0
    for number in range(80):
        told = json.loads(json.dumps(logs[number % 2]))
        _spoil(told, random_)
        try:
            run = read_run(lines(tmp_path / "odd.jsonl", told))
        except NotARun:
            refused += 1
        else:
            assert run.decisions >= 1
    assert 10 < refused < 80


def _spoil(value: Any, random_: random.Random) -> None:
    """Puts something odd in the place of one value somewhere below."""
    while True:
        places = list(value) if isinstance(value, dict) else list(range(len(value)))
        place = random_.choice(places)
        below = value[place]
        if not isinstance(below, dict | list) or not below or random_.random() < 0.1:
            value[place] = random_.choice(ODD)
            return
        value = below
