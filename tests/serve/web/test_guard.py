"""Who may call the page."""

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from jimbo.serve.web.app import make_app
from jimbo.serve.web.guard import COOKIE
from serve.web.serving import HOST, LOCAL, settings_for

TOKEN = "a-token-of-this-test"


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8340", "localhost.evil.example", "127.0.0.1.evil.example", "192.168.1.5"]
)
@pytest.mark.parametrize("path", ["/", "/api/about", "/static/style.css", "/health", "/api/games/x/events"])
def test_a_foreign_host_is_refused(client: TestClient, host: str, path: str) -> None:
    """As after DNS rebinding: the domain of a foreign page leads here."""
    answer = client.get(path, headers={"host": host})
    assert answer.status_code == 403
    assert "is not an address of this server" in answer.text


@pytest.mark.parametrize("host", [HOST, "localhost:8340", "localhost", "[::1]:8340", "127.0.0.1:9999"])
def test_own_addresses_are_served(client: TestClient, host: str) -> None:
    assert client.get("/api/about", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "http://127.0.0.1:9999", "null", "http://localhost:8340"])
def test_a_page_of_another_origin_is_refused(client: TestClient, origin: str) -> None:
    """Its posts, and what it reads: also a page that another server of this machine shows."""
    for answer in (
        client.post("/api/games", json={}, headers={"origin": origin}),
        client.get("/api/games", headers={"origin": origin}),
        client.options("/api/games", headers={"origin": origin, "access-control-request-method": "POST"}),
    ):
        assert answer.status_code == 403
        assert "access-control-allow-origin" not in answer.headers
    assert client.get("/api/games").json()["games"] == []


def test_the_page_itself_may_post(client: TestClient) -> None:
    assert client.post("/api/games", json={}, headers={"origin": LOCAL}).status_code == 201


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_a_form_of_another_page_is_not_read(client: TestClient, kind: str) -> None:
    """A browser sends these without asking first, and leaves the Origin out in some cases."""
    answer = client.post("/api/games", content='{"seed": "A"}', headers={"content-type": kind})
    assert answer.status_code == 400
    assert answer.json()["error"] == "Send JSON, with the content type application/json."


@pytest.mark.parametrize(
    ("site", "mode", "status"),
    [
        ("cross-site", "no-cors", 403),
        ("same-site", "cors", 403),
        ("cross-site", "navigate", 200),
        ("same-origin", "cors", 200),
        ("none", "navigate", 200),
    ],
)
def test_a_link_from_elsewhere_is_fine_and_a_picture_is_not(
    client: TestClient, site: str, mode: str, status: int
) -> None:
    answer = client.get("/", headers={"sec-fetch-site": site, "sec-fetch-mode": mode})
    assert answer.status_code == status


@pytest.mark.parametrize("headers", [{"origin": "https://evil.example"}, {"host": "evil.example"}])
def test_a_socket_of_another_page_is_refused(client: TestClient, headers: dict[str, str]) -> None:
    with (
        pytest.raises(WebSocketDisconnect) as closed,
        client.websocket_connect(f"ws://{HOST}/api/events", headers=headers),
    ):
        pass
    assert closed.value.code == 1008


def test_a_host_that_is_there_twice_is_refused(client: TestClient) -> None:
    answer = client.get("/", headers=[("host", HOST), ("host", "evil.example")])
    assert answer.status_code == 403


@pytest.mark.parametrize("path", ["/", "/play/some-game", "/training", "/static/js/main.js", "/api/about", "/no"])
def test_every_answer_says_what_a_browser_may_load(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    assert headers["content-security-policy"].startswith("default-src 'self'; script-src 'self' 'sha256-")
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"


# --- With a token -----------------------------------------------------------------------------------------------------


@pytest.fixture
def guarded(tmp_path: Path) -> TestClient:
    settings = settings_for(tmp_path, host="0.0.0.0", token=TOKEN)
    return TestClient(make_app(settings), base_url="http://192.168.1.5:8340", follow_redirects=False)


@pytest.mark.parametrize("path", ["/", "/api/games", "/static/js/main.js", "/health", "/?token=wrong", "/?token="])
def test_elsewhere_nothing_is_served_without_the_token(guarded: TestClient, path: str) -> None:
    answer = guarded.get(path)
    assert answer.status_code == 401
    assert "open the address that jimbo web printed" in answer.text


def test_the_token_becomes_a_cookie_and_leaves_the_address(guarded: TestClient) -> None:
    answer = guarded.get("/play", params={"token": TOKEN})
    assert (answer.status_code, answer.headers["location"]) == (303, "/play")
    assert "HttpOnly; SameSite=Strict" in answer.headers["set-cookie"]
    assert guarded.get("/api/about").status_code == 200  # the client keeps the cookie
    guarded.cookies.clear()
    assert guarded.get("/api/about", headers={"cookie": f"{COOKIE}=wrong"}).status_code == 401


def test_a_redirect_stays_here(guarded: TestClient) -> None:
    answer = guarded.get("//evil.example/", params={"token": TOKEN})
    assert answer.headers["location"].startswith("/evil.example") or answer.headers["location"] == "/"


def test_programs_send_the_token_as_a_header(guarded: TestClient) -> None:
    assert guarded.get("/health", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 200


def test_a_post_with_the_token_in_the_address_is_refused(guarded: TestClient) -> None:
    assert guarded.post(f"/api/games?token={TOKEN}", json={}).status_code == 401


# --- Files ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static//etc/passwd", "/static/..%2f..%2fapp.py", "/static"]
)
def test_only_the_files_of_the_page_are_served(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert b"import" not in answer.content


def test_an_error_tells_no_path(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_self: Any) -> Any:
        raise RuntimeError("/secret/place")

    monkeypatch.setattr("jimbo.serve.web.games.PageGames.listed", broken)
    with TestClient(client.app, base_url=LOCAL, raise_server_exceptions=False) as careless:
        answer = careless.get("/api/games")
    assert answer.status_code == 500
    assert "/secret/place" not in answer.text
