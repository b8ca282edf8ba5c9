"""What a seed holds, on the page."""

import pytest
from starlette.testclient import TestClient

from jimbo.seeds import explore


def test_a_seed_holds_what_the_command_tells(client: TestClient) -> None:
    told = client.get("/api/seeds", params={"seed": "testseed"}).json()
    report = explore("TESTSEED")
    assert (told["seed"], told["game"], len(told["antes"])) == ("TESTSEED", "Red Deck · White Stake", len(report.antes))
    for shown, ante in zip(told["antes"], report.antes, strict=True):
        assert (shown["boss"]["name"], shown["voucher"]["name"]) == (ante.boss.name, ante.voucher.name)
        for card, exact in zip(shown["shop"], ante.shop, strict=True):
            assert exact.name in card["name"]
        assert [pack["name"] for pack in shown["packs"]] == [pack.name for pack in ante.packs]


@pytest.mark.parametrize(
    "asked", [{}, {"seed": "A", "deck": "none"}, {"seed": "A", "stake": "wood"}, {"seed": "A" * 99}, {"seed": "\x01"}]
)
def test_what_is_no_seed_is_said(client: TestClient, asked: dict[str, str]) -> None:
    answer = client.get("/api/seeds", params=asked)
    assert answer.status_code == 400
    assert answer.json()["error"].endswith(".")
