"""The registry on the page: entries, lineage, statuses, gates, champions; and one that is damaged."""

from pathlib import Path
from typing import Any

from starlette.testclient import TestClient
from typer.testing import CliRunner

from jimbo.cli.main import app as command
from jimbo.league.champion import promote
from jimbo.league.registry import Registry
from jimbo.serve.web.app import make_app
from serve.web.serving import LOCAL, settings_for


def made(folder: Path) -> Registry:
    registry = Registry(folder / "registry")
    data = folder / "games.bin"
    data.write_bytes(b"x" * 1500)
    games = registry.add("games", kind="dataset", spec={"games": 3}, files={"games.bin": data})
    spec = {"agent": "greedy", "options": {}, "files": {}}
    first = registry.add("plain", kind="agent", spec=spec, files={}, parents=[games])
    promote(registry, first)
    return registry


def test_entries_with_what_they_come_from(tmp_path: Path) -> None:
    registry = made(tmp_path)
    with TestClient(make_app(settings_for(tmp_path, registry=registry.folder)), base_url=LOCAL) as client:
        told = client.get("/api/models").json()
    plain, games = told["entries"]
    assert [one["name"] for one in plain["parents"]] == ["games"]
    assert (plain["status"], plain["aliases"], plain["why"]) == ("champion", ["champion"], "it is the first champion")
    assert (games["size"], games["files"]) == ("1.5 kB", [{"name": "games.bin", "size": "1,500 bytes"}])
    assert {"name": "agent", "value": "greedy"} in plain["made"]
    assert games["made"] == [{"name": "games", "value": "3"}]
    assert [(one["name"], one["why"]) for one in told["champions"]] == [("plain", "it is the first champion")]
    assert told["gates"] == []


def test_decks_and_stakes_of_all_evaluations(tmp_path: Path) -> None:
    registry = Registry(tmp_path / "registry")

    def keep(name: str, wins: int, games: int, **plan: Any) -> None:
        spec = {"settings": {"agent": "expert", "options": {"model": "/home/me/secret/best.onnx"}, **plan}}
        registry.add(name, kind="evaluation", spec=spec, files={}, about={"results": {"wins": wins, "games": games}})

    keep("small", 9, 10, deck="b_red", stake="stake_white")
    keep("large", 60, 100, deck="b_red", stake="stake_white")
    keep("gold", 1, 4, deck="b_blue", stake="stake_gold")
    keep("odd", 5, 4, deck="b_blue", stake="stake_white")
    keep("odder", 1, 4, deck="b_none", stake="stake_white")
    settings = settings_for(tmp_path, registry=registry.folder)
    line = ["eval", "--agent", "greedy", "--games", "12", "--deck", "b_blue", "--out", str(tmp_path / "runs" / "eval")]
    assert CliRunner().invoke(command, [*line, "--json"]).exit_code == 0
    with TestClient(make_app(settings), base_url=LOCAL) as client:
        answer = client.get("/api/models/matrix")
    assert "secret" not in answer.text
    expert, greedy = answer.json()["players"]
    assert expert["player"] == "expert model=best.onnx"
    red, blue = expert["cells"]
    assert (red["won"], red["interval"], red["games"]) == ("60.0 %", "50.2 to 69.1", "100 games")
    assert red["source"].startswith("large, ")
    assert red["source"].endswith("1 smaller evaluation left out")
    assert (blue["deck"], blue["stake"], blue["share"]) == ("b_blue", "stake_gold", 0.25)
    assert [(cell["deck"], cell["source"]) for cell in greedy["cells"]] == [("b_blue", "eval")]


def test_an_empty_registry(tmp_path: Path) -> None:
    with TestClient(make_app(settings_for(tmp_path, registry=tmp_path / "none")), base_url=LOCAL) as client:
        assert client.get("/api/models").json() == {"entries": [], "champions": [], "gates": []}


def test_a_damaged_registry_is_named_without_its_place(tmp_path: Path) -> None:
    registry = made(tmp_path)
    journal = registry.folder / "journal.jsonl"
    journal.write_bytes(journal.read_bytes().replace(b"plain", b"plane"))
    with TestClient(make_app(settings_for(tmp_path, registry=registry.folder)), base_url=LOCAL) as client:
        answer = client.get("/api/models")
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("The registry cannot be read: journal.jsonl, line ")
    assert str(tmp_path) not in answer.text
