"""``add`` and ``set``."""

from typing import Any

import pytest

from jimbo.engine.catalog import BOOSTERS, CONSUMABLES, JOKERS, VOUCHERS
from serve.balatrobot.game import Game


def test_every_joker_and_consumable_can_be_added(game: Game) -> None:
    game.call("select")
    for key in (*JOKERS, *CONSUMABLES):
        area = "jokers" if key in JOKERS else "consumables"
        state = game.call("add", key=key, **({} if area == "jokers" else {"edition": "NEGATIVE"}))
        card = state[area]["cards"][-1]
        assert card["key"] == key
        assert card["value"]["effect"]
        game.call("sell", **{area[:-1]: state[area]["count"] - 1})


def test_every_voucher_and_pack_can_be_put_on_sale(shop: Game) -> None:
    for key in VOUCHERS:
        state = shop.call("add", key=key)
        assert state["vouchers"]["cards"][-1]["key"] == key
        shop.call("set", shop=True)
    for _ in range(2):
        shop.call("buy", pack=0)
        shop.call("pack", skip=True)
    for key in BOOSTERS:
        state = shop.call("add", key=key)
        assert [card["key"] for card in state["packs"]["cards"]] == [key]
        assert shop.call("buy", pack=0)["state"] == "SMODS_BOOSTER_OPENED"
        shop.call("pack", skip=True)


def test_a_card_is_added_at_the_end_of_the_hand(game: Game) -> None:
    game.call("select")
    state = game.call("add", key="H_A", seal="PURPLE", edition="HOLO", enhancement="GLASS")
    assert state["hand"]["count"] == 9
    card = state["hand"]["cards"][8]
    assert card["key"] == "H_A"
    assert card["modifier"] == {"seal": "PURPLE", "edition": "HOLO", "enhancement": "GLASS"}
    assert (state["cards"]["count"], state["cards"]["limit"]) == (44, 53)


def test_stickers(game: Game) -> None:
    game.call("select")
    card = game.call("add", key="j_joker", edition="NEGATIVE", perishable=3, rental=True)["jokers"]["cards"][0]
    assert card["modifier"] == {"edition": "NEGATIVE", "perishable": 3, "rental": True}
    assert card["cost"] == {"buy": 1, "sell": 1}
    assert game.call("add", key="j_joker", eternal=True)["jokers"]["cards"][1]["modifier"] == {"eternal": True}


@pytest.mark.parametrize(
    ("params", "message"),
    [
        (
            {"key": "x_unknown"},
            "Invalid card key format. Expected: joker (j_*), consumable (c_*), voucher (v_*), pack (p_*), "
            "or playing card (SUIT_RANK)",
        ),
        ({"key": "j_NON_EXTING_JOKER"}, "Failed to add card: j_NON_EXTING_JOKER"),
        ({"key": "c_none"}, "Failed to add card: c_none"),
        ({"key": "j_joker", "seal": "RED"}, "Seal can only be applied to playing cards"),
        ({"key": "H_A", "seal": "WHITE"}, "Invalid seal value. Expected: RED, BLUE, GOLD, or PURPLE"),
        ({"key": "c_fool", "edition": "HOLO"}, "Consumables can only have NEGATIVE edition"),
        ({"key": "j_joker", "enhancement": "BONUS"}, "Enhancement can only be applied to playing cards"),
        ({"key": "H_A", "eternal": True}, "Eternal can only be applied to jokers"),
        ({"key": "H_A", "perishable": 1}, "Perishable can only be applied to jokers"),
        ({"key": "j_joker", "perishable": 0}, "Perishable must be a positive integer (>= 1)"),
        ({"key": "H_A", "rental": True}, "Rental can only be applied to jokers"),
    ],
)
def test_bad_additions(game: Game, params: dict[str, Any], message: str) -> None:
    before = game.call("select")
    assert game.refused("add", **params) == ("BAD_REQUEST", message)
    assert game.call("gamestate") == before


def test_what_belongs_elsewhere(game: Game, shop: Game) -> None:
    game.call("select")
    assert game.refused("add", key="v_hone") == ("INVALID_STATE", "Vouchers can only be added in SHOP state")
    assert game.refused("add", key="p_arcana_normal_1") == ("INVALID_STATE", "Packs can only be added in SHOP state")
    assert shop.refused("add", key="H_A") == (
        "INVALID_STATE",
        "Playing cards can only be added in SELECTING_HAND state",
    )
    assert shop.refused("add", key="v_hone", edition="FOIL") == (
        "BAD_REQUEST",
        "Edition cannot be applied to vouchers",
    )
    assert shop.refused("add", key="p_arcana_normal_1") == (
        "NOT_ALLOWED",
        "Cannot add pack, shop booster slots are full",
    )


def test_too_much_for_the_simulator(game: Game) -> None:
    game.call("select")
    for _ in range(32):
        game.call("add", key="j_joker", edition="NEGATIVE")
    assert game.refused("add", key="j_joker")[0] == "INTERNAL_ERROR"
    assert game.refused("set", money=10**30)[0] == "INTERNAL_ERROR"
    assert game.call("gamestate")["jokers"]["count"] == 32


def test_values_are_set(game: Game) -> None:
    game.call("select")
    state = game.call("set", money=100, chips=50, ante=5, round=7, hands=10, discards=9)
    assert (state["money"], state["ante_num"], state["round_num"]) == (100, 5, 7)
    there = {name: state["round"][name] for name in ("chips", "hands_left", "discards_left")}
    assert there == {"chips": 50, "hands_left": 10, "discards_left": 9}


@pytest.mark.parametrize("name", ["money", "chips", "ante", "round", "hands", "discards"])
def test_nothing_is_set_below_zero(game: Game, name: str) -> None:
    game.call("select")
    assert game.refused("set", **{name: -1}) == (
        "BAD_REQUEST",
        f"{name.capitalize()} must be a positive integer",
    )


def test_what_came_before_a_refusal_stays(game: Game) -> None:
    assert game.refused("set", money=77, chips=-1)[1] == "Chips must be a positive integer"
    assert game.call("gamestate")["money"] == 77


def test_a_score_above_the_target_ends_the_round_with_the_next_hand_only(game: Game) -> None:
    game.call("select")
    game.call("set", chips=1_000_000)
    assert game.refused("rearrange", hand=[1, 0, 2, 3, 4, 5, 6, 6])[1] == "Duplicate index in hand: 6"
    for method, params in (
        ("rearrange", {"hand": [7, 0, 3, 1, 2, 6, 5, 4]}),
        ("add", {"key": "j_joker"}),
        ("add", {"key": "c_pluto"}),
        ("use", {"consumable": 0}),
        ("sell", {"joker": 0}),
        ("discard", {"cards": [0, 1]}),
    ):
        state = game.call(method, **params)
        assert (state["state"], state["round"]["chips"]) == ("SELECTING_HAND", 1_000_000), method
    assert game.call("play", cards=[0])["state"] == "ROUND_EVAL"


def test_bad_sets(game: Game) -> None:
    assert game.refused("set") == ("BAD_REQUEST", "Must provide at least one field to set")
    assert game.refused("set", shop=True) == ("NOT_ALLOWED", "Can re-stock shop only in SHOP state")
    game.call("menu")
    assert game.refused("set") == ("INVALID_STATE", "Can only set during an active run")


def test_a_shop_is_stocked_anew(shop: Game) -> None:
    before = shop.call("gamestate")
    shop.call("buy", pack=0)
    shop.call("pack", skip=True)
    after = shop.call("set", shop=True)
    assert [after[area]["count"] for area in ("shop", "vouchers", "packs")] == [2, 1, 2]
    for area in ("shop", "vouchers", "packs"):
        assert after[area] != before[area]
        ids = [card["id"] for card in after[area]["cards"]]
        assert len({*ids}) == len(ids)


def test_numbers_that_nothing_can_hold_are_refused(game: Game) -> None:
    game.call("select")
    name, message = game.refused("add", key="j_egg", perishable=10**20)
    assert (name, "more than the simulator can hold" in message) == ("INTERNAL_ERROR", True)
    assert game.call("gamestate")["jokers"]["count"] == 0
