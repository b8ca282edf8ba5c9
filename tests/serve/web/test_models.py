"""The registry on the page: entries, lineage, statuses, gates, champions; and one that is damaged."""

from pathlib import Path

from starlette.testclient import TestClient

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
    assert {"name": "agent", "value": "greedy"} in plain["card"]
    assert [(one["name"], one["why"]) for one in told["champions"]] == [("plain", "it is the first champion")]
    assert told["gates"] == []


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
