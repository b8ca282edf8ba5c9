"""Searches for seeds on the page: odds, processes, files, exports."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from jimbo.seeds.hunt import load_hunt
from jimbo.serve.web.app import make_app
from serve.web.serving import LOCAL, settings_for

RARE = {"has": ["negative perkeo @ 1", "negative blueprint @ 1"]}
USUAL = {"has": ["blueprint"], "limit": 5}


def begun(client: TestClient, asked: dict[str, Any]) -> Any:
    answer = client.post("/api/seeds/searches", json=asked)
    assert answer.status_code == 201, answer.text
    return answer.json()


def state_of(client: TestClient, id: str) -> Any:
    return next(one for one in client.get("/api/seeds/searches").json()["searches"] if one["id"] == id)


def awaited(client: TestClient, id: str, wanted: str) -> Any:
    for _ in range(400):
        if state_of(client, id)["state"] == wanted:
            return client.post(f"/api/seeds/searches/{id}/pause").json()
        time.sleep(0.05)
    raise AssertionError(state_of(client, id))


def test_odds_come_before_the_search(client: TestClient) -> None:
    told = client.post(
        "/api/seeds/odds", json={"has": ["blueprint @ 1", "negative tag @ 2"], "lacks": ["the hook"]}
    ).json()
    assert [one["words"] for one in told["each"]] == ["Blueprint @ 1", "Negative Tag @ 2", "not The Hook"]
    assert told["each"][1]["chance"] == "1 in 12 (exact)"
    assert told["bottleneck"] == 0
    assert 0.001 < told["chance"] < 0.01
    assert "in the mean" in told["expected"]


def test_a_search_runs_to_its_end_and_is_exported(client: TestClient) -> None:
    id = begun(client, USUAL)["id"]
    view = awaited(client, id, "done")
    assert view["found"] == 5
    assert [hit["rerolls"] for hit in view["hits"]] == sorted(hit["rerolls"] for hit in view["hits"])
    table = client.get(f"/api/seeds/searches/{id}/hits.csv")
    assert table.headers["content-type"].startswith("text/csv")
    assert len(table.text.splitlines()) == 6
    assert len(client.get(f"/api/seeds/searches/{id}/hits.json").json()["progress"]["hits"]) == 5
    assert client.get(f"/api/seeds/searches/{id}/hits.exe").status_code == 404
    assert client.post(f"/api/seeds/searches/{id}/remove").status_code == 200
    assert client.get(f"/api/seeds/searches/{id}/hits.csv").status_code == 404


def test_a_search_is_paused_and_goes_on_where_it_was(client: TestClient, tmp_path: Path) -> None:
    id = begun(client, RARE)["id"]
    path = tmp_path / "games" / "searches" / f"{id}.json"
    for _ in range(200):
        if load_hunt(path).progress.searched:
            break
        time.sleep(0.05)
    paused = client.post(f"/api/seeds/searches/{id}/pause").json()
    assert paused["state"] == "paused"
    before = load_hunt(path).progress
    assert client.post(f"/api/seeds/searches/{id}/resume").json()["state"] == "running"
    for _ in range(200):
        if load_hunt(path).progress.searched > before.searched:
            break
        time.sleep(0.05)
    client.post(f"/api/seeds/searches/{id}/pause")
    assert load_hunt(path).progress.searched > before.searched


def test_one_search_runs_at_a_time(client: TestClient) -> None:
    first, second = begun(client, RARE)["id"], begun(client, RARE)["id"]
    assert (state_of(client, first)["state"], state_of(client, second)["state"]) == ("paused", "running")
    client.post(f"/api/seeds/searches/{second}/pause")


def test_another_server_resumes_what_was_left(tmp_path: Path) -> None:
    with TestClient(make_app(settings_for(tmp_path)), base_url=LOCAL) as client:
        id = begun(client, USUAL)["id"]
    path = tmp_path / "games" / "searches" / f"{id}.json"
    data = json.loads(path.read_text())
    data["progress"] |= {"state": "running", "hits": [], "next": "11111111", "searched": 0}  # as a kill leaves it
    path.write_text(json.dumps(data))
    with TestClient(make_app(settings_for(tmp_path)), base_url=LOCAL) as client:
        assert state_of(client, id)["state"] == "paused"
        client.post(f"/api/seeds/searches/{id}/resume")
        assert awaited(client, id, "done")["found"] == 5


def test_a_filter_is_read_and_what_is_left_out_is_named(client: TestClient) -> None:
    must = "must:\n  - joker: Blueprint\n    antes: [1]\n  - luckyMoney: [0]\n"
    text = f"{must}should:\n  - voucher: Telescope\n    score: 5"
    told = client.post("/api/seeds/odds", json={"jaml": text}).json()
    assert told["left_out"][0] == 'must 2 is left out: "luckymoney" does not map.'
    view = awaited(client, begun(client, {"jaml": text, "limit": 30})["id"], "done")
    assert view["scored"]
    scores = [hit["score"] for hit in view["hits"]]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"has": "blueprint"},
        {"has": ["x" * 300]},
        {"has": ["nothing like it"]},
        {"has": ["blueprint"], "by_ante": 99},
        {"has": ["blueprint"], "limit": 10**6},
        {"has": ["blueprint"], "queue": True},
        {"has": ["blueprint"], "deck": 5},
        {"has": ["blueprint"], "start": "no seed!"},
        {"jaml": "must: ["},
        {"jaml": "[" * 50_000},
        {"jaml": "a: &a [x, x]\nb: &b [*a, *a]\nmust: [*b, *b]"},
        {"jaml": "must: 5"},
        {"jaml": 7},
    ],
)
def test_what_cannot_be_searched_for_is_said(client: TestClient, asked: dict[str, Any]) -> None:
    for path in ("odds", "searches"):
        answer = client.post(f"/api/seeds/{path}", json=asked)
        assert answer.status_code == 400, answer.text
        assert answer.json()["error"].endswith(".")
    assert client.get("/api/seeds/searches").json() == {"searches": []}


def test_damaged_files_are_no_searches(client: TestClient, tmp_path: Path) -> None:
    folder = tmp_path / "games" / "searches"
    folder.mkdir(parents=True)
    for number, text in enumerate(
        ("", "{}", "[1", '{"schema": "jimbo_seed_hunt_v1", "asked": {"has": 5}, "progress": {}}')
    ):
        (folder / f"search-{number}.json").write_text(text)
    assert client.get("/api/seeds/searches").json() == {"searches": []}
    answer = client.get("/api/seeds/searches/search-1/events")
    assert answer.status_code == 400
    assert str(tmp_path) not in answer.text
    assert client.get("/api/seeds/searches/..%2f..%2fetc/hits.csv").status_code == 404
