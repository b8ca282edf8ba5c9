"""The board editor: what widgets show and change, what is scored, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from jimbo.data.position import position_text, read_position
from jimbo.serve.assistant.scoring import score_selection
from jimbo.text import number_text
from serve.web.test_fuzz import JSON, QUIET, check

TEXT = "hand: As Kd(steel) 10h 10c 9h; jokers: Baron (foil, eternal), Ride the Bus (mult 12, perishable 3)"


def shown(client: TestClient, **asked: Any) -> Any:
    answer = client.post("/api/board", json={"text": TEXT, **asked})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_widgets_have_every_mark_and_send_it_back(client: TestClient) -> None:
    view = shown(client)
    baron, bus = view["widgets"]["jokers"]
    assert (baron["edition"], baron["flags"]) == ("foil", ["eternal"])
    assert (bus["numbers"], bus["perishable"]) == ([{"unit": "mult", "value": "12"}], "3")
    for part in ("jokers", "hand"):
        assert shown(client, change={"part": part, "value": view["widgets"][part]})["text"] == view["text"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"part": "jokers", "value": [{"name": "Joker", "flags": ["muted"]}]}, "jokers: Joker (muted)"),
        ({"part": "hand", "value": [{"name": "2s", "seal": "red seal"}]}, "hand: 2s(red seal)"),
        ({"part": "blind", "value": "The Psychic"}, "blind: The Psychic"),
        ({"part": "levels", "hand": "Pair", "value": "4"}, "levels: Pair 4"),
        ({"part": "money", "value": "77"}, "money: 77"),
        ({"part": "vouchers", "value": [{"name": "Overstock"}]}, "vouchers: Overstock"),
    ],
)
def test_changes(client: TestClient, change: dict[str, Any], said: str) -> None:
    view = shown(client, change=change)
    assert said in view["text"]
    assert view["text"] == position_text(read_position(view["text"]))


def test_a_hand_that_is_put_away_leaves_the_rest(client: TestClient) -> None:
    view = shown(client, text=f"{TEXT}; scored: 100; ante: 3", change={"part": "hand", "value": []})
    assert view["board"]["phase"] == "blind_select"
    assert "jokers: Baron" in view["text"]
    assert view["chances"] is None


def test_what_is_scored_is_what_the_assistant_scores(client: TestClient) -> None:
    play = shown(client, cards=[2, 3])["chances"]["play"]
    scored = score_selection(read_position(TEXT), (2, 3))
    assert (play["mean"], play["quantiles"]) == (number_text(scored.mean), [])
    lucky = shown(client, text=f"{TEXT}, Misprint", cards=[2, 3])["chances"]["play"]
    scored = score_selection(read_position(f"{TEXT}, Misprint"), (2, 3))
    assert [one["value"] for one in lucky["quantiles"]] == list(scored.quantiles)


def test_the_best_play_and_a_better_order(client: TestClient) -> None:
    text = "hand: As Ad 9h 8c; jokers: The Duo, Joker"
    found = shown(client, text=text, cards=[0, 1])["chances"]
    assert found["is_best"]
    (order,) = found["orders"]
    assert order["words"] == "Joker, The Duo"


def test_a_mistake_is_said_with_its_place(client: TestClient) -> None:
    answer = client.post("/api/board", json={"text": "hand: As; jokers: Barron"})
    assert answer.status_code == 400
    told = answer.json()
    assert "Did you mean Baron?" in told["error"]
    assert "hand: As; jokers: Barron"[told["start"] : told["end"]] == "Barron"


def test_it_is_advised_on_and_played(client: TestClient) -> None:
    advice = client.post("/api/board/advice", json={"text": TEXT}).json()
    assert advice["agent"] == "greedy"
    assert advice["suggestions"][0]["words"].startswith("play ")
    game = client.post("/api/board/play", json={"text": TEXT}).json()["id"]
    board = client.get(f"/api/games/{game}").json()["board"]
    assert [card["name"] for card in board["hand"]] == [card["name"] for card in shown(client)["board"]["hand"]]
    text = client.get(f"/api/games/{game}/position").json()["text"]
    assert text == position_text(read_position(TEXT))


def test_a_state_that_cannot_be_typed_is_a_sentence(client: TestClient) -> None:
    game = client.post("/api/games", json={"seed": "ALEEB"}).json()["id"]
    for kind, cards in (("select_blind", []), ("play", [0]), ("play", [0]), ("play", [0]), ("play", [0])):
        client.post(f"/api/games/{game}/act", json={"action": {"kind": kind, "index": 0, "to": 0, "cards": cards}})
    answer = client.get(f"/api/games/{game}/position")
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("Only a hand, a shop or the choice of a blind")


@QUIET
@given(change=st.dictionaries(st.sampled_from(("part", "value", "hand")), JSON, max_size=3), text=st.text(max_size=60))
def test_whatever_is_sent_is_answered(client: TestClient, change: Any, text: str) -> None:
    check(client.post("/api/board", json={"text": text}))
    check(client.post("/api/board", json={"text": TEXT, "change": change}))


@QUIET
@given(
    part=st.sampled_from(("hand", "jokers", "levels", "money", "shop", "deck")),
    item=st.dictionaries(st.sampled_from(("name", "flags", "others", "numbers", "edition", "perishable")), JSON),
)
def test_whatever_items_are_sent(client: TestClient, part: str, item: Any) -> None:
    check(client.post("/api/board", json={"text": TEXT, "change": {"part": part, "value": [item], "hand": "Pair"}}))
