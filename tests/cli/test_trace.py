"""``jimbo trace``."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from jimbo.agents.baselines import GreedyAgent
from jimbo.backends import SimBackend
from jimbo.cli import trace
from jimbo.cli.main import app
from jimbo.data import check_trace
from jimbo.parity.trace import read_trace
from parity.other_games import OtherMoney, served
from serve.balatrobot.running import called, running

runner = CliRunner()


def run(*words: object) -> tuple[int, str, str]:
    result = runner.invoke(app, ["trace", *map(str, words)])
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("trace") / "a.jsonl.gz"
    code, told, _ = run("record", "--agent", "greedy", "--seed", "2507", "--max-steps", 25, "--out", path)
    assert code == 0
    assert "25 steps of seed 2507" in told
    return path


def test_a_full_disk_is_named() -> None:
    code, _, told = run("record", "--agent", "greedy", "--seed", "2507", "--max-steps", 2, "--out", "/dev/full")
    assert (code, told) == (2, "jimbo: /dev/full: No space left on device.\n")


def test_any_seed_is_recorded_as_it_is(tmp_path: Path) -> None:
    seed, one, other = "Test_1 [/b]", tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    _, told, _ = run("record", "--agent", "greedy", "--seed", seed, "--max-steps", 3, "--out", one)
    assert f"3 steps of seed {seed}" in told
    assert run("replay", one, "--out", other)[0] == 0
    assert f"seed {seed})" in run("diff", one, other)[1]
    assert read_trace(other).start["seed"] == seed


def test_record_replay_diff(recorded: Path, tmp_path: Path) -> None:
    """The second world is a server that somebody else started."""
    again = tmp_path / "b.jsonl"
    with running(tmp_path) as (port,):
        assert run("replay", recorded, "--base-url", f"http://127.0.0.1:{port}", "--out", again)[0] == 0
    assert "(scope p0_hand_score_observed_core, seed 2507)" in run("diff", recorded, again, "--scope", "P0")[1]
    for scope in ("full", "texts", "p8_rng"):
        assert run("diff", recorded, again, "--scope", scope) == (
            0,
            f"No difference in 25 steps (scope {scope}, seed 2507).\n",
            "",
        )


def test_a_difference_is_told_with_all_that_repeats_it(recorded: Path, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in gzip.decompress(recorded.read_bytes()).splitlines()]
    for line in lines[4:]:
        line["state"]["money"] += 1
    other = tmp_path / "b.jsonl"
    other.write_text("\n".join(map(json.dumps, lines)))
    code, told, _ = run("diff", recorded, other, "--scope", "economy_core", "--fail-fast", "--out", tmp_path / "out")
    assert code == 1
    assert "First difference at step 4" in told
    assert "  $.money\n" in told
    assert f"  {recorded}: " in told
    assert f"  {other}: " in told
    assert "seed 2507, deck b_red, stake stake_white" in told
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    assert (report["equal"], len(report["differences"])) == (False, 1)
    first, second = (json.loads((tmp_path / "out" / name).read_text()) for name in ("a.json", "b.json"))
    assert second["compared"]["money"] == first["compared"]["money"] + 1
    code, told, _ = run("diff", recorded, other, "--scope", "economy_core", "--json")
    assert (code, len(json.loads(told)["differences"])) == (1, 22)


def test_a_trace_of_the_simulator_can_be_trace_v1(recorded: Path, tmp_path: Path) -> None:
    """Played again, every hash is the same; the actions are those that went over the wire."""
    out = tmp_path / "a.jsonl.gz"
    words = ("--agent", "greedy", "--seed", "2507", "--max-steps", 25, "--format", "trace_v1")
    code, told, _ = run("record", *words, "--out", out)
    assert (code, told) == (0, f"{out}: 25 steps of seed 2507 at the simulator.\n")
    lines = gzip.decompress(out.read_bytes()).decode().splitlines()
    assert len(lines) == 26
    assert {json.loads(line)["schema_version"] for line in lines} == {"trace_v1"}
    last = check_trace(lines, SimBackend())
    assert last.dollars == read_trace(recorded).last["money"]
    code, _, errors = run("diff", recorded, out)
    assert (code, "the start of one (wire_trace_v1), but of trace_v1." in errors) == (2, True)


def test_a_game_that_goes_another_way_is_kept_in_trace_v1_as_far_as_it_did_not(tmp_path: Path) -> None:
    out = tmp_path / "a.jsonl"
    words = ("--agent", "greedy", "--seed", "2507", "--max-steps", 25, "--format", "trace_v1", "--out", out)
    with served(OtherMoney) as game:
        code, told, errors = run("record", *words, "--base-url", game.url)
    assert code == 2
    assert "the game went another way than the simulator" in errors
    assert "Leave out --format trace_v1" in errors
    assert told.endswith(f"at {game.url}.\n")
    lines = out.read_text().splitlines()
    assert len(lines) > 1
    check_trace(lines, SimBackend())


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "it is empty"),
        (b"{}", "its first line is not the start of one"),
        (b"[]", "line 1 is not an object"),
        (b"{", "line 1 cannot be read"),
        (b"\x1f\x8b\x08broken", "it is damaged"),
        (b"\xff", "it is damaged"),
        (b'{"schema_version":"wire_trace_v1"}', "a field of line 1 is missing or wrong"),
    ],
)
def test_what_is_not_a_trace(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "x"
    path.write_bytes(data)
    code, told, errors = run("diff", path, path)
    assert (code, told) == (2, "")
    assert message in errors


def test_bad_input(recorded: Path, tmp_path: Path) -> None:
    assert "No such file" in run("diff", tmp_path / "none", recorded)[2]
    assert 'There is no scope "x"' in run("diff", recorded, recorded, "--scope", "x")[2]
    code, _, errors = run("replay", recorded, "--base-url", "http://127.0.0.1:9", "--out", tmp_path / "b")
    assert code == 2
    assert "http://127.0.0.1:9" in errors
    assert not (tmp_path / "b").exists()
    assert run("record", "--agent", "nobody", "--out", tmp_path / "c")[0] == 2


@pytest.mark.parametrize(("error", "code"), [(KeyboardInterrupt(), 130), (RuntimeError("lost"), 1)])
def test_what_was_recorded_until_an_error_is_kept(
    error: BaseException, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    act, taken = GreedyAgent.act, []

    def acts(self: GreedyAgent, state: Any) -> Any:
        taken.append(state)
        if len(taken) > 5:
            raise error
        return act(self, state)

    monkeypatch.setattr(GreedyAgent, "act", acts)
    out = tmp_path / "folder" / "a.jsonl"
    assert run("record", "--agent", "greedy", "--seed", "2507", "--out", out)[0] == code
    assert len(read_trace(out).steps) == 5


def test_a_place_where_nothing_can_be_written_is_told_before_the_play(
    recorded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trace, "_server", lambda url: pytest.fail("it was played"))
    (tmp_path / "file").write_text("")
    for out, why in ((tmp_path / "file" / "a", "Not a directory"), (tmp_path, "Is a directory")):
        for command in (("record",), ("replay", recorded)):
            code, _, errors = run(*command, "--out", out)
            assert (code, why in errors) == (2, True)


def test_a_run_that_is_being_played_is_ended_only_when_told(recorded: Path, tmp_path: Path) -> None:
    with running(tmp_path) as (port,):
        url = ("--base-url", f"http://127.0.0.1:{port}", "--out", tmp_path / "b.jsonl")
        short = ("record", "--agent", "greedy", "--max-steps", 1)
        called(port, "start", deck="RED", stake="WHITE", seed="MINE")
        for words in (short, ("replay", recorded)):
            code, _, told = run(*words, *url)
            assert (code, "A run is being played" in told, "--end-run" in told) == (2, True, True)
            assert called(port, "gamestate")["seed"] == "MINE"
        assert run(*short, *url, "--end-run")[0] == 0
        assert called(port, "gamestate")["seed"] != "MINE"
