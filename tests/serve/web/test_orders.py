"""Better orders of jokers and cards: told, taken step by step, undone; and what is no order."""

from typing import Any

import pytest
from starlette.testclient import TestClient

TEXT = "hand: Kd 10h 10c 9h As 8c; jokers: Cavendish, Jolly Joker, Misprint; blind: Big Blind"


@pytest.fixture
def game(client: TestClient) -> str:
    return f"/api/games/{client.post('/api/board/play', json={'text': TEXT}).json()['id']}"


def test_better_orders_are_told_and_taken(client: TestClient, game: str) -> None:
    pair = {"cards": [1, 2]}
    board = client.get(game).json()["board"]
    (order,) = client.post(f"{game}/orders", json=pair).json()["orders"]
    assert order["what"] == "jokers"
    before = client.post(f"{game}/weigh", json=pair).json()["score"]["expected"]
    after = client.post(f"{game}/order", json={**order, "step": 0}).json()
    assert [one["name"] for one in after["board"]["jokers"]] == [board["jokers"][at]["name"] for at in order["places"]]
    assert after["board"]["jokers"][-1]["name"] == "Cavendish"
    now = client.post(f"{game}/weigh", json=pair).json()["score"]["expected"]
    assert now == order["expected"] != before
    assert client.post(f"{game}/orders", json=pair).json()["orders"] == []
    undone = client.post(f"{game}/undo", json={"steps": after["steps"]}).json()
    assert undone["board"]["jokers"] == board["jokers"]


@pytest.mark.parametrize("cards", [[], [0, 1, 2, 3, 4, 5], [40]])
def test_what_cannot_be_played_has_no_better_order(client: TestClient, game: str, cards: list[int]) -> None:
    assert client.post(f"{game}/orders", json={"cards": cards}).json() == {"orders": []}


@pytest.mark.parametrize(
    "wrong",
    [
        {"what": "jokers", "places": [0, 0]},
        {"what": "hats", "places": []},
        {"what": "cards", "places": [99]},
        {"what": "jokers", "places": [-1]},
        {"what": "jokers", "places": "012"},
        {},
    ],
)
def test_what_is_no_order(client: TestClient, game: str, wrong: dict[str, Any]) -> None:
    answer = client.post(f"{game}/order", json=wrong)
    assert answer.status_code == 400
    assert client.get(game).json()["steps"] == 0


def test_what_was_meant_for_an_earlier_state_is_not_done(client: TestClient, game: str) -> None:
    assert client.post(f"{game}/order", json={"what": "jokers", "places": [2, 1, 0], "step": 7}).status_code == 409
