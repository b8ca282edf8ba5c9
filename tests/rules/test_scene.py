"""The tools of this folder themselves: cards are written as read, and rolls must be used up exactly."""

import pytest

from rules.rolls import Rolls
from rules.scene import Live, Scene, play, row, scores
from rules.tokens import card_json, card_token

LUCKY_HAND = {"hand": "KS/lucky", "jokers": ["j_misprint"]}


@pytest.mark.parametrize("token", ["KH", "TS/glass*poly#Red+10!", "2C/stone*neg", "9D#Purple^@&"])
def test_a_card_is_written_as_it_was_read(token: str) -> None:
    assert card_token(card_json(token)) == token


def test_a_scene_is_as_it_was_written() -> None:
    live = Live(
        Scene(
            jokers=["j_wee:count=16,e_foil", "j_egg:debuffed"],
            hand="KS/glass 2H!",
            deck_cards="3C 4D",
            consumables=["c_pluto"],
            money=7,
            hands=2,
        )
    )
    assert (live.hand, live.deck, live.money, live.hands) == ("KS/glass 2H!", "3C 4D", 7, 2)
    assert (live.jokers, live.counts, live.editions) == (["j_wee", "j_egg"], [16, 0], ["e_foil", "e_base"])
    assert (live.debuffed, live.consumables) == ([False, True], ["c_pluto"])


def played_with(rolls: Rolls) -> Live:
    return Live(Scene(**LUCKY_HAND, rolls=rolls)).play("KS")


def test_rolls_come_out_as_demanded() -> None:
    live = played_with({"lucky_mult": [True], "lucky_money": [True], "misprint": [17]})
    live.check_rolls()
    assert (live.mult, live.money) == (1 + 20 + 17, 24)


@pytest.mark.parametrize(
    ("rolls", "complaint"),
    [
        ({"lucky_mult": [True, False], "lucky_money": [True], "misprint": [17]}, "lucky_mult was drawn from 1 times"),
        ({"lucky_mult": [True], "lucky_money": [True]}, "no roll was declared for have moved: misprint"),
        ({"lucky_mult": [True], "lucky_money": [True], "misprint": 1, "glass": [True]}, "glass was drawn from 0 times"),
    ],
)
def test_rolls_must_be_used_up_exactly(rolls: Rolls, complaint: str) -> None:
    with pytest.raises(AssertionError, match=complaint):
        played_with(rolls).check_rolls()


def test_a_row_fails_on_a_wrong_value() -> None:
    with pytest.raises(AssertionError):
        scores("j_joker", "KS", 15, 4).check()


def test_a_row_fails_when_the_action_is_allowed_after_all() -> None:
    with pytest.raises(pytest.fail.Exception):
        row("", "", Scene(hand="KS"), play("KS"), refused="money").check()
