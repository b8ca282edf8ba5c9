"""What a seed holds, on the page: labels, lines, routes, and runs of them."""

import json
from typing import Any

import pytest
from starlette.testclient import TestClient

from jimbo.data.game_files import game_in
from jimbo.seeds import explore

TEXTS = ["", "x" * 7000, "beat." * 900, "\x00", "buy99", "take1:99", "💥", "beat9999"]


def shown(client: TestClient, **asked: Any) -> Any:
    answer = client.get("/api/seeds", params=asked)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_seed_holds_what_the_command_tells(client: TestClient) -> None:
    told = shown(client, seed="testseed")
    report = explore("TESTSEED")
    assert (told["seed"], told["game"], len(told["antes"])) == ("TESTSEED", "Red Deck · White Stake", len(report.antes))
    for one, ante in zip(told["antes"], report.antes, strict=True):
        assert (one["boss"]["name"], one["voucher"]["name"]) == (ante.boss.name, ante.voucher.name)
        for card, exact in zip(one["shop"], ante.shop, strict=True):
            assert exact.name in card["name"]
            assert card["label"] in ("certain", "own", "depends")
            assert bool(card["why"]) == (card["label"] != "certain")
        assert [pack["name"] for pack in one["packs"]] == [pack.name for pack in ante.packs]


def test_steps_change_the_rest(client: TestClient) -> None:
    told = shown(client, seed="TESTSEED")
    assert [one["word"] for one in told["now"]["steps"]] == ["beat", "skip"]
    bought = shown(client, seed="TESTSEED", line="beat.beat.buy2")
    assert [one["text"] for one in bought["steps"]][:2] == ["Beat Small Blind", "Beat Big Blind"]
    assert bought["spent"] == "$10, no reroll, no skip"
    assert "Smeared Joker" in bought["now"]["jokers"]
    assert all("Smeared Joker" not in card["name"] for card in bought["antes"][0]["shop"])
    offer = bought["now"]["offers"][0]
    assert set(offer) == {"name", "text", "price", "steps"}


def test_what_later_antes_had_before_is_told(client: TestClient) -> None:
    told = shown(client, seed="TESTSEED", line="skip.skip.beat")
    assert told["antes"][0]["ante"] == 2
    changed = shown(client, seed="TESTSEED", line="beat.beat.redeem1", dollars=50)
    assert (
        any(one["was"] for ante in changed["antes"] for one in [ante["voucher"]] if one) or changed["now"]["vouchers"]
    )


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"seed": "A", "deck": "none"},
        {"seed": "A", "stake": "wood"},
        {"seed": "A" * 99},
        {"seed": "\x01"},
        {"seed": "A", "dollars": "-5"},
        {"seed": "A", "dollars": "1e9"},
        {"seed": "A", "line": "jump"},
        {"seed": "A", "line": "buy1"},
        *({"seed": "A", "line": text} for text in TEXTS[1:]),
    ],
)
def test_what_is_no_seed_is_said(client: TestClient, asked: dict[str, str]) -> None:
    answer = client.get("/api/seeds", params=asked)
    assert answer.status_code == 400 or asked.get("line") == "beat9999"
    if answer.status_code == 400:
        assert answer.json()["error"].endswith(".")


def test_a_route_is_found_in_a_process_of_its_own(client: TestClient) -> None:
    asked = {"seed": "TESTSEED", "wishes": ["smeared joker @ 1", "perkeo"], "by_ante": 3}
    told = client.post("/api/seeds/route", json=asked).json()
    assert told["line"] == "beat.beat.buy2"
    assert [one["name"] for one in told["got"]] == ["Smeared Joker"]
    assert [(one["wish"], one["unseen"]) for one in told["missing"]] == [("Perkeo", True)]
    assert "beaten" in told["assumed"]


@pytest.mark.parametrize(
    "wishes", [None, "blueprint", [1], ["x" * 300], [], ["nonsense"], ["blueprint"] * 40, ["blueprint @ 30"]]
)
def test_bad_wishes_are_said(client: TestClient, wishes: Any) -> None:
    answer = client.post("/api/seeds/route", json={"seed": "TESTSEED", "wishes": wishes})
    assert answer.status_code == 400
    assert answer.json()["error"].endswith(".")


def test_a_line_is_played_and_saved_with_real_hands(client: TestClient) -> None:
    asked = {"seed": "TESTSEED", "line": "beat.beat.buy2"}
    file = client.get("/api/seeds/run", params=asked)
    assert file.headers["content-disposition"] == 'attachment; filename="TESTSEED-line.jsonl"'
    game = game_in(file.content, "the file")
    assert game.run
    assert game.run.joker_keys == ["j_smeared"]
    begun = client.post("/api/seeds/play", json=asked).json()
    assert begun["done"] == begun["of"] == 3
    board = client.get(f"/api/games/{begun['id']}").json()["board"]
    assert [joker["name"] for joker in board["jokers"]] == ["Smeared Joker"]
    plain = client.post("/api/seeds/play", json={"seed": "TESTSEED"}).json()
    assert client.get(f"/api/games/{plain['id']}").json()["board"]["place"] == "Choose a blind"


def test_nothing_but_json_is_posted(client: TestClient) -> None:
    for path in ("route", "play", "odds", "searches"):
        answer = client.post(
            f"/api/seeds/{path}", content=json.dumps({"seed": "A"}), headers={"content-type": "text/plain"}
        )
        assert answer.status_code == 400
