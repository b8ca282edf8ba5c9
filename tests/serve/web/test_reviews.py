"""Reviews: of runs that are kept and of files that are sent, as they are made, and what is refused."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from jimbo.serve.review import Judge, explained, read_run, review_data, review_run
from jimbo.serve.review.document import cost_words
from jimbo.serve.review.telling import better_words
from jimbo.serve.web.app import make_app
from jimbo.serve.web.board import action_data
from jimbo.serve.web.reviews import MOST_BYTES
from serve.web.serving import LOCAL, Stream, serving, settings_for
from serve.web.test_fuzz import QUIET, check

JUDGE = Judge("expert", {"effort": 0.02}, 0.02)
SENT = {"content-type": "application/octet-stream"}


def played(client: Any, steps: int = 14) -> str:
    """Play the first cards of a run badly, so that something is given up; the game's id."""
    id = str(client.post("/api/games", json={"seed": "ALEEB"}).json()["id"])
    for _ in range(steps):
        options = client.get(f"/api/games/{id}").json()["options"]
        kinds = ("select_blind", "play", "cash_out", "leave_shop")
        name = next((one for one in kinds if one in options), None)
        if name is None:
            break
        action = options[name]["action"]
        client.post(f"/api/games/{id}/act", json={"action": {**action, "cards": [7] if name == "play" else []}})
    return id


@pytest.fixture
def record(client: TestClient) -> bytes:
    return client.get(f"/api/games/{played(client)}/record").content


def test_a_run_is_reviewed_as_by_the_command(tmp_path: Path, client: TestClient, record: bytes) -> None:
    with serving(settings_for(tmp_path, judge=JUDGE)) as url:
        id = client.post("/api/reviews?name=my%20run.jsonl", content=record, headers=SENT).json()["id"]
        assert id.startswith("my-run-")
        rows: list[Any] = []
        with Stream(url, f"/api/reviews/{id}/events") as events:
            while True:
                _, name, view = events.next()
                assert name == "view"
                rows[view["first"] :] = view["rows"]
                if view["done"]:
                    break
        (tmp_path / "run.jsonl").write_bytes(record)
        review = review_run(read_run(tmp_path / "run.jsonl"), JUDGE)
        assert [row["step"] for row in rows] == [one.step for one in review.decisions]
        assert [row["win"] for row in rows] == [one.win for one in review.decisions]
        worst = explained(review)
        assert [one["step"] for one in view["worst"]] == [told.one.step for told in worst]
        assert view["worst"], "such a run gives something up"
        with Stream(url, f"/api/reviews/{id}/json") as saved:
            assert json.loads(saved.answer.read()) == review_data(review, worst)
        with Stream(url, f"/api/reviews/{id}/html") as saved:
            page = saved.answer.read().decode()
        assert "<h1>Review of a run</h1>" in page
        assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


def test_runs_that_are_kept_are_listed_with_files(client: TestClient, record: bytes) -> None:
    sent = client.post("/api/reviews?name=other", content=gzip.compress(record), headers=SENT).json()["id"]
    listed = client.get("/api/reviews").json()
    assert [one["decisions"] for one in listed["runs"]] == [len(record.splitlines()) - 2]
    assert [(one["id"], one["name"]) for one in listed["files"]] == [(sent, "other")]


def test_a_position_is_drawn_weighed_and_chosen_again(tmp_path: Path, record: bytes) -> None:
    with TestClient(make_app(settings_for(tmp_path, judge=JUDGE)), base_url=LOCAL) as client:
        id = client.post("/api/reviews", content=record, headers=SENT).json()["id"]
        base = f"/api/reviews/{id}"
        look = client.post(f"{base}/look", json={"step": 2, "cards": [7]}).json()
        assert look["board"]["phase"] == "selecting_hand"
        assert look["score"]["hand"] == "High Card"
        move = {"kind": "move_card", "index": 7, "to": 0, "cards": []}
        moved = client.post(f"{base}/look", json={"step": 2, "moves": [move]}).json()
        assert moved["board"]["hand"][0]["id"] == look["board"]["hand"][7]["id"]
        (tmp_path / "run.jsonl").write_bytes(record)
        worst = review_run(read_run(tmp_path / "run.jsonl"), JUDGE).worst()[0]
        assert worst.action
        chosen = {"step": worst.step, "action": action_data(worst.action)}
        told = client.post(f"{base}/choose", json=chosen).json()
        assert not told["good"]
        assert told["verdict"] == f"It gives up {cost_words(worst)}."
        assert told["better"] == better_words(worst)


def test_the_same_run_is_played_on_from_a_decision(client: TestClient, record: bytes) -> None:
    id = client.post("/api/reviews", content=record, headers=SENT).json()["id"]
    second = json.loads(record.splitlines()[2])["action"]
    made = client.post(f"/api/reviews/{id}/retry", json={"step": 3}).json()["id"]
    view = client.get(f"/api/games/{made}").json()
    assert view["steps"] == 2
    look = client.post(f"/api/reviews/{id}/look", json={"step": 3}).json()
    assert view["board"] == look["board"]
    again = client.get(f"/api/games/{made}/record").content
    assert [json.loads(data.splitlines()[2])["action"] for data in (again, record)] == [second] * 2


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is empty"),
        (b"\x00\xff\x1b[31m", "is not a run"),
        (b"{}", "is not a run"),
        (b"[" * 100_000, "is not a run"),
        (b"\x1f\x8bbroken", "cannot be unpacked"),
        (gzip.compress(bytes(MOST_BYTES + 1)), "cannot be unpacked, or is larger"),
        (b"JIMBO-RUN...", "it holds one state"),
        (b'{"schema": "jimbo_record_v1"}', "bad-"),
        (b'{"deck": "Red Deck", "stake": "White", "seed": "A", "steps": [{"action": 5}]}', "bad-"),
        (b'{"steps": [' + b'{"action": 1},' * 30_000 + b"{}]}", "is too long"),
    ],
)
def test_what_is_no_run_is_a_sentence_and_is_not_kept(
    tmp_path: Path, client: TestClient, data: bytes, said: str
) -> None:
    answer = client.post("/api/reviews?name=../../bad.jsonl", content=data, headers=SENT)
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert said in error
    assert str(tmp_path) not in error
    assert "sent" not in error
    assert client.get("/api/reviews").json()["files"] == []


def test_too_much_is_not_read_and_forms_are_refused(client: TestClient) -> None:
    answer = client.post("/api/reviews", content=bytes(MOST_BYTES + 1), headers=SENT)
    assert answer.json()["error"] == f"More than {MOST_BYTES:,} bytes are not read."
    assert client.post("/api/reviews", content=b"x", headers={"content-type": "text/plain"}).status_code == 400


@QUIET
@given(places=st.lists(st.tuples(st.integers(0, 4000), st.integers(0, 255)), min_size=1, max_size=4))
def test_records_that_are_damaged_anywhere(client: TestClient, places: list[tuple[int, int]]) -> None:
    id = next((one["id"] for one in client.get("/api/games").json()["games"]), None) or played(client, 5)
    data = bytearray(client.get(f"/api/games/{id}/record").content)
    for place, byte in places:
        data[place % len(data)] = byte
    check(client.post("/api/reviews?name=damaged", content=bytes(data), headers=SENT))


@pytest.mark.parametrize("id", ["none", "..%2f..%2fetc%2fpasswd", "a" * 65])
def test_what_is_not_there(client: TestClient, id: str) -> None:
    assert client.get(f"/api/reviews/{id}/events").status_code == 404


@pytest.mark.parametrize(
    "asked",
    [{"step": 0}, {"step": 99_999}, {"step": "1"}, {"step": 1, "moves": 5}, {"step": 1, "moves": [{"kind": "play"}]}],
)
def test_positions_that_there_are_not(client: TestClient, record: bytes, asked: dict[str, Any]) -> None:
    id = client.post("/api/reviews", content=record, headers=SENT).json()["id"]
    for name in ("look", "retry", "choose"):
        if name != "retry" or "moves" not in asked:
            assert client.post(f"/api/reviews/{id}/{name}", json=asked).status_code == 400
