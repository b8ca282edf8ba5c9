"""``jimbo league``: from the first champion to a rollback, in the simulator and over the wire."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from jimbo.cli.main import app
from jimbo.league import Registry
from jimbo.wire.client import Client
from serve.balatrobot.running import running
from wire.test_launching import free_ports

TINY = "name: tiny\ngames: {h1: 20, pairs: 40}\nguards: {time_ratio: null, bucket: null, boss: null}\n"


@pytest.fixture(autouse=True)
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Registry:
    monkeypatch.setenv("JIMBO_REGISTRY", str(tmp_path / "registry"))
    (tmp_path / "tiny.yaml").write_text(TINY)
    return Registry(tmp_path / "registry")


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The real game, which is our own server here and has nothing to wait for."""
    init = Client.__init__
    monkeypatch.setattr(Client, "__init__", lambda self, url, **more: init(self, url, **{**more, "settle": 0.0}))
    with running(tmp_path / "saves") as (port,):
        yield f"http://127.0.0.1:{port}"


def jimbo(*words: str) -> Result:
    return CliRunner().invoke(app, list(words), env={"COLUMNS": "100"})


def added(name: str, *words: str) -> None:
    assert jimbo("registry", "add", name, *words).exit_code == 0


def test_from_the_first_champion_to_a_rollback(tmp_path: Path, registry: Registry) -> None:
    assert "There is no champion yet." in jimbo("league", "status").stdout
    added("plain", "--agent", "greedy")
    added("clever", "--agent", "fast", "--set", "rollouts=2")
    first = jimbo("league", "promote", "plain")
    assert first.exit_code == 0, first.output
    assert first.stdout.startswith("promote: plain\n")
    early = jimbo("league", "promote", "clever", "--json")
    assert (early.exit_code, json.loads(early.stdout)["final_decision"]) == (1, "hold_for_more_data")
    fight = ("league", "challenge", "clever", "--gate", str(tmp_path / "tiny.yaml"), "--workers", "1")
    won = jimbo(*fight, "--json")
    assert (won.exit_code, json.loads(won.stdout)["verdict"]) == (0, "promote"), won.output
    assert json.loads(jimbo(*fight, "--json").stdout) == json.loads(won.stdout)
    canary = jimbo("league", "canary", "clever", "--games", "2", "--workers", "1", "--json", "--time-ratio", "1000")
    assert canary.exit_code == 0, canary.output
    assert json.loads(canary.stdout)["games"] == 2
    assert "E " in canary.stderr
    status = json.loads(jimbo("league", "status", "--json").stdout)
    assert {one["name"]: one["status"] for one in status["entries"]} == {"plain": "champion", "clever": "canary"}
    up = jimbo("league", "promote", "clever", "--out", str(tmp_path / "out"))
    assert up.exit_code == 0, up.output
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"champion_decision.json", "champion_decision.md"}
    shown = jimbo("league", "status").stdout
    for part in ("champion", "clever", "previous", "plain", "retired", "Tests of this champion: 0"):
        assert part in shown
    back = jimbo("league", "rollback", "--why", "a feeling", "--json")
    assert (back.exit_code, json.loads(back.stdout)["reason"]) == (0, "a feeling")
    assert registry.resolve("champion").name == "plain"
    assert registry.verify() == []


def test_a_canary_that_fails_is_rolled_back(registry: Registry) -> None:
    added("plain", "--agent", "greedy")
    added("broken", "--agent", "league.faulty_agents:Illegal")
    jimbo("league", "promote", "plain")
    done = jimbo("league", "canary", "broken", "--games", "4", "--workers", "1")
    assert done.exit_code == 1, done.output
    assert "canary: it chose what is not allowed in decision" in done.stdout
    assert "canary" not in registry.aliases()
    assert jimbo("league", "promote", "broken").exit_code == 1


def test_smoke_games_reject(tmp_path: Path) -> None:
    added("plain", "--agent", "greedy")
    added("broken", "--agent", "league.faulty_agents:NotANumber")
    jimbo("league", "promote", "plain")
    done = jimbo("league", "challenge", "broken", "--gate", str(tmp_path / "tiny.yaml"))
    assert done.exit_code == 1
    assert "broken is rejected in the smoke games: legality: in " in done.stderr
    told = jimbo("league", "challenge", "broken", "--gate", str(tmp_path / "tiny.yaml"), "--json")
    assert (told.exit_code, json.loads(told.stdout)["verdict"]) == (1, "reject")


def test_the_champion_plays_the_real_game_and_the_canary_shadows_it(url: str, tmp_path: Path) -> None:
    added("plain", "--agent", "greedy")
    added("other", "--agent", "expert", "--effort", "0.001")
    jimbo("league", "promote", "plain")
    words = ("--backend", "real", "--base-url", url, "--games", "2", "--time-ratio", "1000")
    done = jimbo("league", "canary", "other", *words, "--out", str(tmp_path / "out"), "--json")
    assert done.exit_code == 0, done.output
    data = json.loads(done.stdout)
    assert (data["status"], data["games"]) == ("PASS", 2)
    assert data["disagreements"] > 0
    assert json.loads((tmp_path / "out" / "shadowed" / "config.json").read_text())["backend"] == "real"
    assert "backend" not in json.loads((tmp_path / "out" / "alone" / "config.json").read_text())


def test_micro_ab_at_the_real_game(url: str, tmp_path: Path) -> None:
    added("plain", "--agent", "greedy")
    added("other", "--agent", "league.faulty_agents:Plain")
    jimbo("league", "promote", "plain")
    words = ("league", "micro-ab", "other", "--games", "2", "--base-url", url, "--out", str(tmp_path / "ab"))
    done = jimbo(*words, "--json")
    assert done.exit_code == 0, done.output
    data = json.loads((tmp_path / "ab" / "real_ab_result.json").read_text())
    assert data == json.loads(done.stdout)
    assert (data["status"], data["games"], data["champion_mean_ante"]) == ("PASS", 2, data["challenger_mean_ante"])


def test_micro_ab_tells_a_challenger_that_fails(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jimbo.league.canary.secrets.token_hex", lambda _: "panel")
    added("plain", "--agent", "greedy")
    added("broken", "--agent", "league.faulty_agents:Illegal")
    jimbo("league", "promote", "plain")
    done = jimbo("league", "micro-ab", "broken", "--games", "4", "--base-url", url, "--out", str(tmp_path / "ab"))
    assert done.exit_code == 1, done.output
    assert "broken does not play as it should: it chose what is not allowed" in done.stderr
    assert json.loads((tmp_path / "ab" / "real_ab_result.json").read_text())["status"] == "FAIL"


@pytest.mark.parametrize(
    ("words", "file"),
    [(("micro-ab", "other"), "real_ab_skip.json"), (("canary", "other", "--backend", "real"), "canary_skip.json")],
)
def test_where_no_game_answers_a_file_says_so(tmp_path: Path, words: tuple[str, ...], file: str) -> None:
    added("plain", "--agent", "greedy")
    added("other", "--agent", "random")
    jimbo("league", "promote", "plain")
    nobody = f"http://127.0.0.1:{free_ports()}"
    done = jimbo("league", *words, "--base-url", nobody, "--out", str(tmp_path / "out"))
    assert done.exit_code == 0, done.output
    skipped = json.loads((tmp_path / "out" / file).read_text())
    assert skipped["status"] == "SKIP"
    assert nobody.removeprefix("http://") in skipped["reason"]
    assert "Skipped." in done.stderr
    wrong = jimbo("league", *words, "--base-url", "http://", "--out", str(tmp_path / "none"))
    assert (wrong.exit_code, (tmp_path / "none").exists()) == (2, False)
