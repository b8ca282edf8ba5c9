"""The page beside the real game, played against our own server: it looks, and acts only where it is armed."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from jimbo.backends.real import RealBackend
from jimbo.serve.web.app import make_app
from jimbo.wire.client import Client
from serve.balatrobot.running import running
from serve.web.serving import LOCAL, settings_for

GAME = "/api/games/real"
PLAY = {"action": {"kind": "select_blind", "index": 0, "to": 0, "cards": []}}


def joined(port: int) -> tuple[RealBackend, Client]:
    """A backend that has joined a run, and somebody else's hand on it."""
    hand = Client(f"http://127.0.0.1:{port}")
    hand.start("RED", "WHITE", "REAL1")
    backend = RealBackend(Client(f"http://127.0.0.1:{port}"))
    backend.join()
    return backend, hand


def until(view: Callable[[], Any], reached: Callable[[Any], bool]) -> Any:
    for _ in range(400):
        if reached(found := view()):
            return found
        time.sleep(0.02)
    raise AssertionError(found)


def test_it_follows_what_somebody_plays_and_does_nothing_itself(tmp_path: Path) -> None:
    with running(tmp_path) as (port,):
        backend, hand = joined(port)
        with TestClient(make_app(settings_for(tmp_path, real=backend)), base_url=LOCAL) as client:
            assert client.get("/api/games").json()["real"] == "real"
            view = client.get(GAME).json()
            assert (view["real"], view["can_act"], view["board"]["place"]) == (True, False, "Choose a blind")
            for path, body in (("act", PLAY), ("accept", {})):
                error = client.post(f"{GAME}/{path}", json=body).json()["error"]
                assert error.startswith("Nothing was done: this game takes no steps from here until it is armed")
            assert "--arm" in client.post(f"{GAME}/auto", json={"on": True}).json()["error"]
            assert hand.gamestate()["state"] == "BLIND_SELECT"
            client.post(f"{GAME}/mode", json={"mode": "always"})
            hand.select()
            look = lambda: client.get(GAME).json()  # noqa: E731
            view = until(
                look, lambda one: one["board"]["place"] == "Small Blind" and one["advice"]["status"] == "ready"
            )
            assert view["advice"]["suggestions"][0]["words"].startswith(("play", "discard"))
            score = client.post(f"{GAME}/weigh", json={"cards": [0]}).json()["score"]
            assert score["hand"] == "High Card"


def test_armed_it_plays_and_every_action_is_told_first(tmp_path: Path) -> None:
    sent: list[str] = []
    with running(tmp_path) as (port,):
        backend, hand = joined(port)
        backend.client._sent = lambda method, _params: sent.append(method)
        with TestClient(make_app(settings_for(tmp_path, real=backend, armed=True)), base_url=LOCAL) as client:
            view = client.post(f"{GAME}/act", json=PLAY).json()
            assert view["board"]["place"] == "Small Blind"
            assert hand.gamestate()["state"] == "SELECTING_HAND"
            client.post(f"{GAME}/accept", json={})
            assert sent[0] == "select"
            assert len(sent) > 1
            assert "cannot be undone" in client.post(f"{GAME}/undo", json={}).json()["error"]
            made = client.post(f"{GAME}/branch", json={"deal": "anew"})
            assert made.status_code == 201
            assert "anew" in client.post(f"{GAME}/branch", json={"deal": "same"}).json()["error"]


def test_a_game_that_goes_away_is_told_and_the_page_stays(tmp_path: Path) -> None:
    with running(tmp_path) as (port,):
        backend, _ = joined(port)
        app = make_app(settings_for(tmp_path, real=backend))
        client = TestClient(app, base_url=LOCAL).__enter__()
    try:
        view = until(lambda: client.get(GAME).json(), lambda one: one["trouble"])
        assert f"127.0.0.1:{port}" in view["trouble"]
        assert client.get("/health").status_code == 200
    finally:
        client.__exit__(None, None, None)
