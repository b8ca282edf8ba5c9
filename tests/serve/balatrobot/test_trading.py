"""The shop, packs, selling and using."""

from pathlib import Path
from typing import Any

import pytest

from jimbo.engine.catalog import JOKERS
from serve.balatrobot.game import Game

MAX_JOKERS = 32
WORTH = (("j_abstract", "e_base"), ("j_stencil", "e_base"), ("j_swashbuckler", "e_base"))


def test_buying_moves_a_card_and_money(shop: Game) -> None:
    before = shop.call("gamestate")
    after = shop.call("buy", card=0)
    assert after["shop"]["count"] == 1
    assert after["jokers"]["cards"][0]["key"] == before["shop"]["cards"][0]["key"]
    assert after["money"] == 1000 - before["shop"]["cards"][0]["cost"]["buy"]
    redeemed = shop.call("buy", voucher=0)
    assert redeemed["vouchers"] == {"count": 0, "limit": 1, "highlighted_limit": 1, "cards": []}
    assert redeemed["used_vouchers"] == {before["vouchers"]["cards"][0]["key"]: ""}


def test_a_pack_is_opened_in_the_shop(shop: Game) -> None:
    state = shop.call("buy", pack=0)
    assert state["state"] == "SMODS_BOOSTER_OPENED"
    assert state["packs"]["count"] == 1
    assert state["pack"]["count"] == state["pack"]["limit"] == 2
    assert shop.call("pack", card=0)["state"] == "SHOP"


def test_a_pack_can_be_skipped(shop: Game) -> None:
    shop.call("buy", pack=1)
    state = shop.call("pack", skip=True)
    assert state["state"] == "SHOP"
    assert "pack" not in state


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({}, "Invalid arguments. You must provide one of: card, voucher, pack"),
        ({"card": 0, "pack": 0}, "Invalid arguments. Cannot provide more than one of: card, voucher, or pack"),
        ({"card": 2}, "Card index out of range. Index: 2, Available cards: 2"),
        ({"card": -1}, "Card index out of range. Index: -1, Available cards: 2"),
        ({"voucher": 1}, "Voucher index out of range. Index: 1, Available: 1"),
        ({"pack": 9}, "Pack index out of range. Index: 9, Available: 2"),
    ],
)
def test_bad_purchases(shop: Game, params: dict[str, int], message: str) -> None:
    assert shop.refused("buy", **params) == ("BAD_REQUEST", message)


def test_what_costs_too_much(shop: Game) -> None:
    shop.call("set", money=0)
    price = shop.call("gamestate")["shop"]["cards"][0]["cost"]["buy"]
    assert shop.refused("buy", card=0) == (
        "BAD_REQUEST",
        f"Card is not affordable. Cost: {price}, Available money: 0",
    )
    assert shop.refused("reroll") == ("NOT_ALLOWED", "Not enough dollars to reroll. Available: 0, Required: 5")
    shop.call("add", key="j_credit_card")
    assert shop.call("buy", card=0)["money"] == -price


def test_sold_out(shop: Game) -> None:
    for _ in range(2):
        shop.call("buy", card=0)
        shop.call("buy", pack=0)
        shop.call("pack", skip=True)
    shop.call("buy", voucher=0)
    messages = {kind: shop.refused("buy", **{kind: 0})[1] for kind in ("card", "voucher", "pack")}
    assert messages == {
        "card": "No jokers/consumables/cards in the shop. Use `reroll` to restock the shop.",
        "voucher": "No vouchers to redeem. Defeat boss blind to restock.",
        "pack": "No packs to open. Use `next_round` to advance to the next blind and restock the shop.",
    }


def test_full_slots(shop: Game) -> None:
    for _ in range(5):
        shop.call("add", key="j_joker")
    for _ in range(2):
        shop.call("add", key="c_pluto")
    assert shop.refused("buy", card=0) == (
        "BAD_REQUEST",
        "Cannot purchase joker card, joker slots are full. Current: 5, Limit: 5. "
        "Sell a joker using `sell` to free a slot.",
    )
    assert shop.refused("buy", card=1) == (
        "BAD_REQUEST",
        "Cannot purchase consumable card, consumable slots are full. Current: 2, Limit: 2. "
        "Use `use` to activate a consumable or `sell` to remove one.",
    )
    shop.call("buy", pack=0)
    assert shop.refused("pack", card=0) == (
        "NOT_ALLOWED",
        "Cannot select joker, joker slots are full. Current: 5, Limit: 5. Sell a joker using `sell` to free a slot.",
    )


@pytest.mark.parametrize(
    ("params", "name", "message"),
    [
        ({}, "BAD_REQUEST", "Must provide exactly one of: joker or consumable"),
        ({"joker": 0, "consumable": 0}, "BAD_REQUEST", "Can only sell one item at a time"),
        ({"joker": 0}, "NOT_ALLOWED", "No jokers available to sell"),
        ({"consumable": 0}, "NOT_ALLOWED", "No consumables available to sell"),
    ],
)
def test_bad_sales(shop: Game, params: dict[str, int], name: str, message: str) -> None:
    assert shop.refused("sell", **params) == (name, message)


def test_nothing_is_sold_while_a_pack_is_open(shop: Game) -> None:
    shop.call("add", key="j_joker")
    assert shop.call("buy", pack=0)["pack"]["cards"][0]["set"] == "JOKER"
    for params in ({}, {"joker": 0}, {"consumable": 0}):
        assert shop.refused("sell", **params) == (
            "INVALID_STATE",
            "Method 'sell' requires one of these states: SELECTING_HAND, SHOP",
        )


def test_a_shop_that_was_left_stays_without_its_cards(shop: Game) -> None:
    """Until the run ends. The counts are those of what was left there, as recordings of the mod show."""
    before = shop.call("add", key="v_overstock_norm")
    left = shop.call("buy", voucher=1)
    assert (before["shop"]["limit"], left["shop"]["limit"]) == (2, 3)
    shop.call("buy", card=0)
    for state in (shop.call("next_round"), shop.call("select"), shop.call("discard", cards=[0])):
        assert state["shop"] == {"count": 2, "limit": 3, "highlighted_limit": 1, "cards": []}
        assert state["vouchers"] == {"count": 1, "limit": 1, "highlighted_limit": 1, "cards": []}
        assert state["packs"] == {"count": 2, "limit": 2, "highlighted_limit": 1, "cards": []}
    shop.call("set", chips=1_000_000)
    assert shop.call("play", cards=[0])["shop"]["cards"] == []
    assert len(shop.call("cash_out")["shop"]["cards"]) == 3
    shop.call("next_round")
    shop.call("menu")
    assert not {"shop", "vouchers", "packs"} & {*shop.call("start", deck="RED", stake="WHITE")}


def test_a_sale(shop: Game) -> None:
    shop.call("add", key="j_joker")
    assert shop.refused("sell", joker=1) == ("BAD_REQUEST", "Index out of range for joker: 1")
    state = shop.call("sell", joker=0)
    assert (state["jokers"]["count"], state["money"]) == (0, 1001)


# --- Using ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "params", "name", "message"),
    [
        ("c_magician", {"consumable": 1}, "BAD_REQUEST", "Consumable index out of range: 1"),
        (
            "c_magician",
            {"consumable": 0},
            "BAD_REQUEST",
            "Consumable 'The Magician' requires card selection. Provide target cards via the `cards` parameter.",
        ),
        ("c_magician", {"consumable": 0, "cards": [8]}, "BAD_REQUEST", "Card index out of range: 8"),
        (
            "c_magician",
            {"consumable": 0, "cards": [0, 1, 2]},
            "BAD_REQUEST",
            "Consumable 'The Magician' requires at most 2 cards (provided: 3). "
            "Provide fewer cards via the `cards` parameter.",
        ),
        (
            "c_death",
            {"consumable": 0, "cards": [0]},
            "BAD_REQUEST",
            "Consumable 'Death' requires exactly 2 cards (provided: 1). "
            "Provide the correct number of cards via the `cards` parameter.",
        ),
        (
            "c_aura",
            {"consumable": 0, "cards": [0]},
            "NOT_ALLOWED",
            "Consumable 'Aura' cannot be used at this time",
        ),
        ("c_ankh", {"consumable": 0}, "NOT_ALLOWED", "Consumable 'Ankh' cannot be used at this time"),
    ],
)
def test_bad_uses(game: Game, key: str, params: dict[str, Any], name: str, message: str) -> None:
    game.call("select")
    game.call("add", key=key)
    assert game.refused("use", **params) == (name, message)


def test_targets_are_only_there_while_a_hand_is(shop: Game) -> None:
    shop.call("add", key="c_magician")
    assert shop.refused("use", consumable=0, cards=[0]) == (
        "INVALID_STATE",
        "Consumable 'The Magician' requires card selection and can only be used in SELECTING_HAND state.",
    )


def test_an_enhanced_card_is_told(game: Game) -> None:
    game.call("select")
    game.call("add", key="c_chariot")
    card = game.call("use", consumable=0, cards=[0])["hand"]["cards"][0]
    assert (card["set"], card["label"], card["modifier"]) == ("ENHANCED", "Steel Card", {"enhancement": "STEEL"})


def test_a_planet_raises_its_hand(shop: Game) -> None:
    shop.call("add", key="c_pluto")
    hand = shop.call("use", consumable=0)["hands"]["High Card"]
    assert (hand["level"], hand["chips"], hand["mult"]) == (2, 15, 2)


# --- Packs ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def arcana(tmp_path: Path) -> Game:
    """A pack with The Hierophant in front, which takes one card or two."""
    game = Game(tmp_path, seed="QKNXF682")
    game.to_shop()
    game.call("set", money=1000)
    game.call("buy", pack=1)
    return game


def test_a_pack_of_tarots_deals_a_hand(arcana: Game) -> None:
    state = arcana.call("gamestate")
    assert state["hand"]["count"] == 8
    keys = [card["key"] for card in state["hand"]["cards"]]
    moved = arcana.call("rearrange", hand=[7, 6, 5, 4, 3, 2, 1, 0])
    assert [card["key"] for card in moved["hand"]["cards"]] == keys[::-1]
    assert arcana.call("pack", card=0, targets=[0, 1])["state"] == "SHOP"


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({}, "Invalid arguments. You must provide one of: card, skip"),
        ({"card": 0, "skip": True}, "Invalid arguments. Cannot provide both card and skip"),
        ({"card": 7}, "Card index out of range. Index: 7, Available cards: 3"),
        (
            {"card": 0},
            "Card 'c_heirophant' requires 1-2 target card(s). Provided: 0. "
            "Ensure you have the required targets before selecting.",
        ),
        ({"card": 0, "targets": [99]}, "Target card index out of range. Index: 99, Hand size: 8"),
    ],
)
def test_bad_picks(arcana: Game, params: dict[str, Any], message: str) -> None:
    assert arcana.refused("pack", **params) == ("BAD_REQUEST", message)
    assert arcana.call("gamestate")["state"] == "SMODS_BOOSTER_OPENED"


def test_a_mega_pack_is_picked_from_twice(tmp_path: Path) -> None:
    game = Game(tmp_path, seed="VPV32ZTY")
    game.to_shop()
    game.call("set", money=1000)
    game.call("buy", pack=1)
    once = game.call("pack", card=0)
    assert (once["state"], once["pack"]["count"], once["pack"]["limit"]) == ("SMODS_BOOSTER_OPENED", 4, 5)
    assert game.call("pack", card=0)["state"] == "SHOP"


def test_offers_are_told_as_they_are_while_no_joker_more_can_be_held(shop: Game) -> None:
    """The engine has room for 32."""
    for _ in range(MAX_JOKERS - 1):
        shop.call("add", key="j_egg")
    shop.call("add", key="j_cavendish")
    found = {}
    for _ in range(40):
        shop.call("set", money=1000)
        cards = shop.call("reroll")["shop"]["cards"]
        found |= {card["key"]: card for card in cards if card["set"] == "JOKER"}
    assert len(found) > 10
    assert found.keys().isdisjoint({"j_egg", "j_cavendish"})
    assert {key: card["label"] for key, card in found.items()} == {key: JOKERS[key].name for key in found}


def test_what_jokers_would_be_worth_here(shop: Game) -> None:
    """On offer some of them count the jokers, but not themselves."""
    for key in ("j_egg", "j_joker"):
        shop.call("add", key=key)
    run = shop.served._table.playing
    worth = {key: run.joker_on_offer(key, edition).shown[0].number for key, edition in WORTH}
    assert worth == {"j_abstract": 6, "j_stencil": 3, "j_swashbuckler": 3}
    assert run.joker_on_offer("j_stencil", "e_negative").shown[0].number == 3
    assert run.joker_on_offer("j_blueprint").shown[0].copied is None
    assert run.joker_on_offer("j_egg", eternal=True).eternal
