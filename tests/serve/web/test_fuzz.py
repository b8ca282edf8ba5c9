"""Whatever is sent, the answer is a sentence, and the server goes on."""

import random
import string
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=10), inner, max_size=5),
    max_leaves=12,
)
NAMES = ("act", "weigh", "accept", "refuse", "undo", "hint", "mode", "auto", "branch", "orders", "order")
FIELDS = (
    "action",
    "cards",
    "place",
    "steps",
    "mode",
    "on",
    "pause",
    "deal",
    "step",
    "kind",
    "index",
    "to",
    "seed",
    "what",
    "places",
)
OBJECTS = st.dictionaries(
    st.sampled_from(FIELDS), JSON | st.fixed_dictionaries({"kind": JSON, "index": JSON}), max_size=5
)
QUIET = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def game_of(client: TestClient) -> str:
    return f"/api/games/{client.post('/api/games', json={'seed': 'ALEEB'}).json()['id']}"


def check(answer: Any) -> None:
    assert answer.status_code in (200, 201, 400, 404, 409), answer.text
    if answer.status_code >= 400:
        error = answer.json()["error"]
        assert error
        assert "Traceback" not in error


@pytest.mark.parametrize("name", NAMES)
@QUIET
@given(sent=OBJECTS)
def test_objects(client: TestClient, name: str, sent: dict[str, Any]) -> None:
    known = client.get("/api/games").json()["games"]
    game = f"/api/games/{known[0]['id']}" if known else game_of(client)
    check(client.post(f"{game}/{name}", json=sent))
    client.post(f"{game}/auto", json={"on": False})
    assert client.get(game).status_code == 200


@QUIET
@given(sent=st.binary(max_size=300))
def test_bytes(client: TestClient, sent: bytes) -> None:
    headers = {"content-type": "application/json"}
    answer = client.post("/api/games", content=sent, headers=headers)
    check(answer)


@pytest.mark.parametrize(
    "sent",
    [
        b"[" * 50_000,
        b'{"a":' * 9_000,
        b'{"seed": ' + b"9" * 60_000 + b"}",
        b'{"pause": NaN}',
        b"\xff\xfe",
        b'"\\ud800"',
        b"{}" * 2,
    ],
)
def test_json_that_is_too_much(client: TestClient, sent: bytes) -> None:
    answer = client.post("/api/games", content=sent, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("What was sent cannot be used")


def test_a_body_that_never_ends_is_cut(client: TestClient) -> None:
    sent = 0

    def pieces() -> Any:
        nonlocal sent
        for _ in range(1000):
            sent += 1
            yield b" " * 10_000

    answer = client.post("/api/games", content=pieces(), headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["error"]) == (400, "More than 65,536 bytes are not read.")


def test_addresses(client: TestClient) -> None:
    chance = random.Random(5)
    for _ in range(300):
        text = quote("".join(chance.choices(string.printable, k=chance.randrange(1, 30))), safe="/%&=;.")
        path = "/".join(["", chance.choice(["api", "static", "play", "api/games", "api/trainings"]), text])
        assert client.get(path).status_code in (200, 303, 307, 400, 404, 405), path
