"""What things are worth to the learnt value, and the page that tells it."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from jimbo.engine.catalog import JOKERS
from jimbo.eval import worths as module
from jimbo.eval.worths import MONEY, Worths, find_worths
from jimbo.report.networks import write_worths


@pytest.fixture(scope="module")
def found() -> Worths:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PER_ANTE", 3)
        return find_worths("stake_white", 2)


def test_gifts_are_asked_about_in_every_ante(found: Worths) -> None:
    assert set(found.jokers) == set(JOKERS)
    assert found.games == 2
    assert list(found.win) == list(range(1, len(found.win) + 1))
    for by_ante in (*found.jokers.values(), *found.hands.values()):
        assert set(by_ante) <= set(found.win)
        assert all(worth.positions <= 3 for worth in by_ante.values())
    assert all(list(by_sum) == list(MONEY) for by_sum in found.money.values())


def test_a_multiplier_is_worth_more_than_nothing_much(found: Worths) -> None:
    """Not luck: of all jokers there is hardly a better one to be given."""
    assert found.jokers["j_cavendish"][1].mean > found.jokers["j_credit_card"][1].mean + 5


def test_money_helps(found: Worths) -> None:
    assert found.money[1][25] > found.money[1][0]


def test_the_same_every_time(found: Worths, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PER_ANTE", 3)
    told: list[tuple[str, int, int]] = []
    again = find_worths("stake_white", 2, lambda *said: told.append(said))
    assert again == found
    assert told[:2] == [("games", 1, 2), ("games", 2, 2)]
    assert told[-1][0] == "positions"
    assert told[-1][1] == told[-1][2]


def test_the_page_has_its_pictures_beside_it(found: Worths, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jimbo.report.networks.FEWEST", 1)
    page, *pictures, numbers = write_worths(tmp_path / "page.md", [found], "jimbo what-wins")
    text = page.read_text()
    assert "jimbo what-wins" in text
    assert {path.name for path in tmp_path.iterdir()} == {
        page.name,
        numbers.name,
        *(picture.name for picture in pictures),
    }
    for picture in pictures:
        assert f"({picture.name})" in text
        ElementTree.parse(picture)
    assert "Cavendish" in (tmp_path / "page-white-jokers.svg").read_text()
