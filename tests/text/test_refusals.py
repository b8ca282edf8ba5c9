"""Why actions are not allowed, in words."""

import pytest

from jimbo.engine import Action, Refusal
from jimbo.text import refusal_words
from rules.scene import Scene

SHOP = Scene(
    phase="shop",
    money=1,
    shop=["j_joker", "AH/steel", "c_magician:free", "j_egg:free"],
    shop_vouchers=["v_grabber"],
    boosters=["p_arcana_normal_1"],
    jokers=["j_egg:eternal", "j_egg", "j_egg", "j_egg", "j_egg"],
)
PACK = Scene(phase="pack_opening", pack="p_arcana_normal_1", pack_cards=["c_magician", "c_hermit"], hand="AH KS 2H")
HAND = Scene(hand="AH KS@ 2H 3H 4H 5H 6H", consumables=["c_magician", "c_pluto", "c_death"], discards=0)


@pytest.mark.parametrize(
    ("scene", "action", "refusal", "words"),
    [
        (SHOP, Action("play", cards=[0]), Refusal.wrong_phase, "That is not possible in the shop."),
        (SHOP, Action("buy", 0), Refusal.not_enough_money, "Joker: it costs $2, you have $1."),
        (SHOP, Action("buy", 3), Refusal.no_room, "Egg: no free slot for it."),
        (SHOP, Action("buy", 9), Refusal.no_such_place, "There is no card at this place."),
        (SHOP, Action("redeem"), Refusal.not_enough_money, "Grabber: it costs $10, you have $1."),
        (SHOP, Action("open_booster"), Refusal.not_enough_money, "Arcana Pack: it costs $4, you have $1."),
        (SHOP, Action("reroll"), Refusal.not_enough_money, "Reroll: it costs $5, you have $1."),
        (SHOP, Action("buy_and_use", 3), Refusal.cannot_be_used_now, "Egg: it cannot be used now."),
        (
            SHOP,
            Action("buy_and_use", 2),
            Refusal.wrong_number_of_targets,
            "The Magician: it needs 1 to 2 cards from the hand, written after its number, and no hand has been dealt.",
        ),
        (SHOP, Action("sell_joker", 0), Refusal.eternal, "Egg: an eternal joker cannot be sold."),
        (
            Scene(phase="shop", money=-3),
            Action("reroll"),
            Refusal.not_enough_money,
            "Reroll: it costs $5, you have -$3.",
        ),
        (
            PACK,
            Action("pick", 0),
            Refusal.wrong_number_of_targets,
            "The Magician: it needs 1 to 2 cards from the hand, written after its number.",
        ),
        (
            PACK,
            Action("pick", 1, cards=[0]),
            Refusal.wrong_number_of_targets,
            "The Hermit: it takes no cards from the hand.",
        ),
        (
            HAND,
            Action("use", 2, cards=[1]),
            Refusal.wrong_number_of_targets,
            "Death: it needs 2 cards from the hand, written after its number.",
        ),
        (HAND, Action("play"), Refusal.no_cards_selected, "Select at least one card of the hand."),
        (
            HAND,
            Action("play", cards=range(6)),
            Refusal.too_many_cards,
            "Select at most five cards of the hand; you chose 6.",
        ),
        (
            HAND,
            Action("play", cards=[0]),
            Refusal.forced_card_missing,
            "Cerulean Bell's card must be among the selected ones.",
        ),
        (HAND, Action("discard", cards=[1]), Refusal.no_discards_left, "No discards are left."),
        (HAND, Action("move_card", 1, 1), Refusal.nothing_to_do, "It would change nothing."),
        (
            Scene(phase="game_over", state={"flags.end": "lost"}),
            Action("cash_out"),
            Refusal.wrong_phase,
            "That is not possible now that the run is over.",
        ),
    ],
)
def test_refusals_have_words(scene: Scene, action: Action, refusal: Refusal, words: str) -> None:
    state = scene.build().public_state()
    assert state.refusal(action) == refusal
    assert refusal_words(action, refusal, state) == words


@pytest.mark.parametrize("refusal", list(Refusal), ids=str)
@pytest.mark.parametrize("action", [Action("reroll"), Action("play"), Action("sell_joker", 1), Action("buy", 0)])
def test_every_refusal_is_a_sentence(action: Action, refusal: Refusal) -> None:
    words = refusal_words(action, refusal, SHOP.build().public_state())
    assert words[0].isupper()
    assert words.endswith(".")
    assert not words.endswith("..")
