"""Actions in words."""

import pytest

from jimbo.engine import Action, ActionKind
from jimbo.text import action_words
from jimbo.text.actions import _WORDS
from rules.scene import Scene

HAND = Scene(
    jokers=["j_egg", {"key": "j_joker", "face_down": True}], hand="AH KS^ 2H", consumables=["c_pluto", "c_magician"]
)
CHOICE = Scene(phase="blind_select")
SHOP = Scene(
    phase="shop",
    shop=["j_joker", "AH/steel#Red", "c_magician"],
    shop_vouchers=["v_grabber"],
    boosters=["p_arcana_normal_1"],
)
PACK = Scene(phase="pack_opening", pack="p_arcana_normal_1", pack_cards=["c_magician"], hand="AH KS 2H")


@pytest.mark.parametrize(
    ("scene", "action", "words"),
    [
        (CHOICE, Action("select_blind"), "play Small Blind"),
        (CHOICE, Action("skip_blind"), "skip Small Blind for the Charm Tag"),
        (CHOICE, Action("reroll_boss"), "reroll the boss"),
        (HAND, Action("play", cards=[0, 1]), "play A♥ and a face-down card"),
        (HAND, Action("discard", cards=[2]), "discard 2♥"),
        (Scene(phase="round_eval"), Action("cash_out"), "cash out $0"),
        (SHOP, Action("buy", 0), "buy Joker for $2"),
        (SHOP, Action("buy", 1), "buy Steel A♥ Red Seal for $1"),
        (SHOP, Action("buy_and_use", 2), "buy The Magician for $3 and use it"),
        (SHOP, Action("redeem"), "redeem Grabber for $10"),
        (SHOP, Action("open_booster"), "open Arcana Pack for $4"),
        (SHOP, Action("reroll"), "reroll for $5"),
        (SHOP, Action("leave_shop"), "leave the shop"),
        (PACK, Action("pick", cards=[0, 2]), "take The Magician on A♥ 2♥"),
        (PACK, Action("skip_pack"), "take nothing more from the pack"),
        (HAND, Action("use", 1, cards=[2]), "use The Magician on 2♥"),
        (HAND, Action("sell_joker", 0), "sell Egg for $2"),
        (HAND, Action("sell_joker", 1), "sell a face-down joker"),
        (HAND, Action("sell_consumable", 0), "sell Pluto for $1"),
        (HAND, Action("move_joker", 1, 0), "move a face-down joker to place 1"),
        (HAND, Action("move_consumable", 0, 1), "move Pluto to place 2"),
        (HAND, Action("move_card", 1, 2), "move a face-down card to place 3"),
        (HAND, Action("sort_hand_by_rank"), "sort the hand by rank"),
        (HAND, Action("sort_hand_by_suit"), "sort the hand by suit"),
        # Only possible later.
        (HAND, Action("buy", 3), "buy"),
        (HAND, Action("play", cards=[0, 7]), "play A♥ ?"),
    ],
)
def test_actions_have_words(scene: Scene, action: Action, words: str) -> None:
    assert action_words(action, scene.build().public_state()) == words


def test_no_kind_is_without_words() -> None:
    assert set(_WORDS) == set(ActionKind)
