"""Commands at the real game, which is our own server here: started by them, or running already."""

import json
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from jimbo.agents.baselines import GreedyAgent
from jimbo.cli.main import app, loaded
from jimbo.cli.quickstart import next_real_steps, places_in, real_steps
from jimbo.data import read_record
from jimbo.rollout.instances import Elsewhere
from jimbo.wire.client import Client
from serve.balatrobot.game import SHARED, needs_recordings
from serve.balatrobot.running import running
from wire.faulty import faulty
from wire.scripted import result, scripted
from wire.test_launching import STAND_IN, free_ports

FAST = ("--agent", "expert", "--effort", "0.001")


def jimbo(*words: str) -> Result:
    return CliRunner().invoke(app, list(words), env={"COLUMNS": "200"})


@pytest.fixture(autouse=True)
def _settled_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own server has nothing to wait for."""
    init = Client.__init__
    monkeypatch.setattr(Client, "__init__", lambda self, url, **more: init(self, url, **{**more, "settle": 0.0}))


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the logs of started games go."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    with running(tmp_path / "saves") as (port,):
        yield f"http://127.0.0.1:{port}"


# --- The whole chain --------------------------------------------------------------------------------------------------


def test_launched_played_recorded_and_replayed(tmp_path: Path) -> None:
    """Every state that came over the wire is compared with the one that the simulator shows."""
    out, port = tmp_path / "games.jsonl", free_ports()
    command = f"{sys.executable} {STAND_IN} game"
    done = jimbo(
        *("rollout", "--backend", "real", "--launch-instances", "1", "--launcher", "direct"),
        *("--balatrobot-cmd", command, "--base-port", str(port), *FAST),
        *("--deck", "ghost", "--stake", "gold", "--episodes", "2", "--max-steps-per-episode", "25", "--out", str(out)),
    )
    assert done.exit_code == 0, done.output
    assert not Elsewhere(f"http://127.0.0.1:{port}").answers()
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert {line["base_url"] for line in lines} == {f"http://127.0.0.1:{port}"}
    assert all("obs_raw" in line for line in lines)
    checked = jimbo("data", "validate", str(out))
    assert checked.stdout == f"validated_records={len(lines)}\n"
    assert (tmp_path / "state" / "jimbo" / "games" / f"{port}.log").is_file()


@pytest.mark.parametrize("flag", [("--launch-instances",), ("--launch-instances", "2")])
def test_games_are_started_at_the_addresses_that_are_named(tmp_path: Path, flag: tuple[str, ...]) -> None:
    """Without a number, a game for each address."""
    out, ports = tmp_path / "games.jsonl", [free_ports(), free_ports()]
    urls = [f"http://127.0.0.1:{port}" for port in ports]
    done = jimbo(
        *("rollout", "--backend", "real", *flag, "--launcher", "direct"),
        *("--balatrobot-cmd", f"{sys.executable} {STAND_IN} game", "--base-urls", ",".join(urls)),
        *("--agent", "greedy", "--episodes", "4", "--max-steps-per-episode", "9", "--restart-on-fail"),
        *("--out", str(out)),
    )
    assert done.exit_code == 0, done.output
    played = {json.loads(line)["base_url"] for line in out.read_text().splitlines()}
    assert played <= {*urls}
    logs = [path.name for path in (tmp_path / "state" / "jimbo" / "games").iterdir()]
    assert sorted(logs) == sorted(f"{port}.log" for port in ports)
    assert not any(Elsewhere(url).answers() for url in urls)


def test_a_state_that_is_not_as_in_the_simulator_is_found(tmp_path: Path, url: str) -> None:
    out = tmp_path / "games.jsonl"
    words = ("--agent", "greedy", "--episodes", "1", "--max-steps-per-episode", "5")
    assert jimbo("rollout", "--backend", "real", "--base-url", url, *words, "--out", str(out)).exit_code == 0
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    lines[3]["obs_raw"]["dollars"] += 1
    out.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    checked = jimbo("data", "validate", str(out))
    assert (checked.exit_code, "line 4: obs_raw is not what the game shows there" in checked.stderr) == (2, True)


def test_ctrl_c_keeps_the_games_and_stops_what_was_started(tmp_path: Path) -> None:
    out, port = tmp_path / "games.jsonl", free_ports()
    command = [sys.executable, "-m", "jimbo", "rollout", "--backend", "real", "--launch-instances", "1"]
    command += ["--launcher", "direct", "--balatrobot-cmd", f"{sys.executable} {STAND_IN} game"]
    command += ["--base-port", str(port), "--agent", "greedy", "--episodes", "500", "--out", str(out)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        while not (out.exists() and out.stat().st_size):
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130, said
    assert "The same command continues." in said
    assert not Elsewhere(f"http://127.0.0.1:{port}").answers()
    assert jimbo("data", "validate", str(out)).exit_code == 0


@pytest.mark.slow
@pytest.mark.parametrize("stake", ["white", "gold"])
def test_the_whole_chain_over_all_decks(tmp_path: Path, stake: str) -> None:
    decks = "red blue yellow green black magic nebula ghost abandoned checkered zodiac painted anaglyph plasma erratic"
    with running(tmp_path / "saves", instances=2) as ports:
        urls = ",".join(f"http://127.0.0.1:{port}" for port in ports)
        for deck in decks.split():
            out = tmp_path / f"{deck}.jsonl"
            words = ("--deck", deck, "--stake", stake, "--agent", "expert", "--effort", "0.05", "--episodes", "1")
            done = jimbo("rollout", "--backend", "real", "--base-urls", urls, *words, "--out", str(out))
            assert done.exit_code == 0, done.output
            checked = jimbo("data", "validate", str(out))
            assert checked.exit_code == 0, checked.output


def test_columns_of_the_real_game(tmp_path: Path, url: str) -> None:
    out = tmp_path / "games.parquet"
    words = ("--agent", "greedy", "--episodes", "2", "--max-steps-per-episode", "9", "--timeout-sec", "20")
    done = jimbo("rollout", "--backend", "real", "--base-url", url, *words, "--out", str(out))
    assert done.exit_code == 0, done.output
    assert jimbo("data", "validate", str(out)).exit_code == 0


def test_eval_plays_at_the_real_game(tmp_path: Path, url: str) -> None:
    out, words = tmp_path / "rows", ("eval", "--agent", "greedy", "--episodes", "3")
    real = jimbo(*words, "--backend", "real", "--base-url", url, "--out", str(out), "--json")
    assert real.exit_code == 0, real.output
    rows = ("wins", "mean_ante", "mean_round")
    told, sim = json.loads(real.stdout), json.loads(jimbo(*words, "--json").stdout)
    assert {name: told[name] for name in rows if name in told} == {name: sim[name] for name in rows if name in sim}
    mixed = jimbo(*words, "--out", str(out))
    assert mixed.exit_code == 2


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (("--workers", "2"), "start them with --launch-instances"),
        (("--base-urls", "http://127.0.0.1:9,localhost:9"), "names a game twice"),
        (("--base-url", ""), '"" is not an address'),
        (("--base-urls", ","), '"," is not an address'),
        (("--base-url", "http://nobody.invalid"), "nobody answers there (there is no such host)"),
    ],
)
def test_what_means_nothing_there_is_refused(given: tuple[str, ...], why: str) -> None:
    done = jimbo("eval", "--agent", "greedy", "--episodes", "2", "--backend", "real", *given)
    assert (done.exit_code, why in " ".join(done.stderr.split())) == (2, True), done.stderr


@needs_recordings
def test_the_assistant_says_what_another_language_keeps_back() -> None:
    state = json.loads((SHARED / "states" / "real_zh_tick-004000.raw.json").read_text())
    with scripted(result(state)) as server:
        done = jimbo("assist", "--backend", "real", "--base-url", server.url, "--once", "--agent", "greedy", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["suggestions"]
    assert "the game's texts are not English, and what they say of To Do List cannot be read" in done.stderr


@needs_recordings
def test_the_assistant_waits_for_a_pack_that_is_being_opened() -> None:
    opening = json.loads((SHARED / "states" / "real_zh_tick-001800.raw.json").read_text())
    mars = {"key": "c_mars", "set": "PLANET", "id": 70, "label": "Mars", "value": {"effect": ""}, "cost": {"buy": 3}}
    opened = {**opening, "pack": {"count": 1, "limit": 1, "cards": [mars]}}
    with scripted(*[result(opening)] * 5, result(opened)) as server:
        done = jimbo("assist", "--backend", "real", "--base-url", server.url, "--once", "--agent", "greedy")
    assert (done.exit_code, "Celestial Pack" in done.stdout) == (0, True), done.output


def test_a_run_that_cannot_be_finished_is_not_the_agents_fault(tmp_path: Path) -> None:
    with faulty(tmp_path, ("elsewhere",), one_in=2) as server:
        words = ("eval", "--agent", "greedy", "--episodes", "2", "--backend", "real", "--base-url", server.url)
        done = jimbo(*words, "--out", str(tmp_path / "rows"))
    assert done.exit_code == 2
    assert "Runs that could not be finished: 2." in done.stderr
    assert "the same command continues" in done.stderr
    with running(tmp_path / "saves") as (port,):
        done = jimbo(*words[:-1], f"http://127.0.0.1:{port}", "--out", str(tmp_path / "rows"))
    assert done.exit_code == 0, done.output


# --- The assistant ----------------------------------------------------------------------------------------------------


def test_it_suggests_and_does_nothing(tmp_path: Path, url: str) -> None:
    assert "No run is being played at" in jimbo("assist", "--backend", "real", "--base-url", url, "--once").stderr
    client = Client(url)
    client.start("RED", "WHITE", "ASSIST")
    before = client.select()
    told = jimbo("assist", "--backend", "real", "--base-url", url, "--once", "--json", "--agent", "greedy")
    assert told.exit_code == 0, told.output
    advice = json.loads(told.stdout)
    assert advice["suggestions"][0]["action"]["action_type"] == "PLAY"
    assert client.gamestate() == before


@pytest.mark.parametrize(("url", "why"), [("", '"" is not an address'), ("http://127.0.0.1:1", "nobody answers there")])
def test_a_place_where_no_game_is(url: str, why: str) -> None:
    done = jimbo("assist", "--backend", "real", "--base-url", url, "--once")
    assert (done.exit_code, why in done.stderr, "Stopped" in done.stderr) == (2, True, False), done.stderr


def test_it_follows_a_game_that_somebody_plays(tmp_path: Path, url: str) -> None:
    client = Client(url)
    client.start("RED", "WHITE", "ASSIST")
    client.select()

    def lose() -> None:
        while client.gamestate()["state"] == "SELECTING_HAND":
            client.play([0])

    somebody = threading.Timer(0.3, lose)
    somebody.start()
    words = ("--agent", "greedy", "--json", "--interval", "0.02")
    told = jimbo("assist", "--backend", "real", "--base-url", url, *words)
    somebody.join()
    assert told.exit_code == 0, told.output
    *advice, end = [json.loads(line) for line in told.stdout.splitlines()]
    assert len(advice) >= 2
    assert end["end"]["result"] == "loss"


def test_armed_it_plays_logs_and_records(tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Client(url).start("RED", "WHITE", "ARMED")
    words = ("--execute", "--arm", "--once", "--agent", "greedy")
    armed = ("assist", "--backend", "real", "--base-url", url, *words)
    for more in (("--record", "a.rec"), ()):
        done = jimbo(*armed, *more)
        assert done.exit_code == 0, done.output
    log = [json.loads(line) for line in (tmp_path / "jimbo-actions.jsonl").read_text().splitlines()]
    assert [entry["method"] for entry in log] == ["select", "play"]
    assert log[0]["url"] == url
    kept = read_record(tmp_path / "a.rec")
    assert (kept.header.seed, len(kept.decisions), len(kept.snapshots)) == ("ARMED", 1, 2)
    assert jimbo("replay", "a.rec", "--json").exit_code == 0
    assert "and this one is under way" in jimbo(*armed, "--record", "b.rec").stderr
    text = (tmp_path / "a.rec").read_text()
    (tmp_path / "odd.rec").write_text(re.sub(r'"dollars": ?4', '"dollars": 5', text))
    odd = jimbo("replay", "odd.rec", "--json")
    assert odd.exit_code == 1
    assert "after decision 0, $.dollars is 5 in the record and 4 in the simulator" in odd.stderr


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda state: {"money": 77}, "$.dollars is 77, not 4"),
        # Which cards come next is told over the wire, and must not be told further.
        (
            lambda state: {"cards": {**state["cards"], "cards": state["cards"]["cards"][::-1]}},
            "what is hidden is otherwise",
        ),
    ],
)
def test_it_stops_at_the_first_surprise(
    tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch, change: Callable[[Any], dict[str, Any]], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    client = Client(url)
    client.start("RED", "WHITE", "ARMED")
    act = Client.act

    def odd(self: Client, method: str, params: object = None) -> dict[str, object]:
        after = act(self, method, params)  # type: ignore[arg-type]
        return {**after, **change(after)} if method == "play" else after

    monkeypatch.setattr(Client, "act", odd)
    words = ("--execute", "--arm", "--interval", "0.5", "--agent", "greedy")
    done = jimbo("assist", "--backend", "real", "--base-url", url, *words)
    assert done.exit_code == 1
    assert "Stopped. " in done.stderr
    assert f"the game went another way than foreseen: {told}" in done.stderr
    assert "$.zones" not in done.stderr
    log = (tmp_path / "jimbo-actions.jsonl").read_text().splitlines()
    assert [json.loads(line)["method"] for line in log] == ["select", "play"]


def test_an_agent_that_fails_is_told_in_a_sentence(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    Client(url).start("RED", "WHITE", "ASSIST")

    def fails(self: GreedyAgent, state: object) -> None:
        raise RuntimeError("no idea")

    monkeypatch.setattr(GreedyAgent, "act", fails)
    done = jimbo("assist", "--backend", "real", "--base-url", url, "--once", "--agent", "greedy")
    assert (done.exit_code, "no idea" in done.stderr, type(done.exception)) == (1, True, SystemExit)


def test_without_a_log_nothing_is_sent(tmp_path: Path, url: str) -> None:
    client = Client(url)
    before = client.start("RED", "WHITE", "ARMED")
    words = ("--execute", "--arm", "--once", "--agent", "greedy", "--log", "/dev/full")
    done = jimbo("assist", "--backend", "real", "--base-url", url, *words)
    assert done.exit_code == 2
    assert "/dev/full cannot be written, so nothing more is sent: No space left on device." in done.stderr
    assert client.gamestate() == before


# --- The quickstart ---------------------------------------------------------------------------------------------------


def test_the_commands_of_the_quickstart_are_commands(tmp_path: Path) -> None:
    places, urls = places_in(tmp_path, "jsonl"), ["http://127.0.0.1:1"]
    commands = [command for step in real_steps(places, urls) for command in step.commands]
    for command in (*commands, *next_real_steps(places, urls)):
        verb, *rest = command.args
        group = loaded(verb)
        (group.commands[rest.pop(0)] if hasattr(group, "commands") else group).make_context(verb, rest)


def test_a_game_that_does_not_answer_is_told_first(tmp_path: Path) -> None:
    done = jimbo("quickstart", "--base-urls", "http://127.0.0.1:9", "--out", str(tmp_path / "q"))
    assert (done.exit_code, (tmp_path / "q").exists()) == (2, False)
    assert "nobody answers there" in done.stderr


@pytest.mark.slow
def test_the_quickstart_at_the_real_game(tmp_path: Path, url: str) -> None:
    done = jimbo("quickstart", "--base-urls", url, "--out", str(tmp_path / "q"), "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert {"dataset", "training", "online", "suggestion"} <= {*told}
    assert jimbo("data", "validate", str(tmp_path / "q" / "games.jsonl")).exit_code == 0
