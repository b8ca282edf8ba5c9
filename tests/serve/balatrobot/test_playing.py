"""Blinds, hands and the order of cards."""

import json
from pathlib import Path
from typing import Any

import pytest

from serve.balatrobot.game import Game


def statuses(state: dict[str, Any]) -> list[str]:
    return [state["blinds"][slot]["status"] for slot in ("small", "big", "boss")]


def test_the_menu_before_and_after_a_run(tmp_path: Path) -> None:
    game = Game(tmp_path)
    assert game.call("gamestate")["state"] == "MENU"
    game.call("start", deck="BLUE", stake="RED", seed="TEST123")
    assert game.call("menu")["state"] == "MENU"
    assert "jokers" not in game.call("gamestate")
    assert game.refused("save", path="a")[1].startswith("Method 'save' requires one of these states: SELECTING_HAND, ")


@pytest.mark.parametrize("seed", ["AAAAAAA-0", "TEST_1", "0123456789", "lower", 'é [b] "x" \\'])
def test_the_server_takes_the_seeds_that_the_game_takes(tmp_path: Path, seed: str) -> None:
    game = Game(tmp_path)
    assert game.call("start", deck="RED", stake="WHITE", seed=seed)["seed"] == seed
    assert game.call("gamestate")["seed"] == seed
    game.call("save", path="odd")
    game.call("menu")
    game.call("load", path="odd")
    assert game.call("gamestate")["seed"] == seed


def test_a_start_without_a_seed_chooses_one(tmp_path: Path) -> None:
    seeds = {Game(tmp_path).call("start", deck="RED", stake="GOLD")["seed"] for _ in range(3)}
    assert len(seeds) == 3


@pytest.mark.parametrize(
    ("params", "message"),
    [
        (
            {"deck": "RED", "stake": "PINK"},
            "Invalid stake enum. Must be one of: WHITE, RED, GREEN, BLACK, BLUE, PURPLE, ORANGE, GOLD. Got: PINK",
        ),
        ({"deck": "CHALLENGE", "stake": "WHITE"}, "Invalid deck enum. Must be one of: RED, BLUE, YELLOW, GREEN, BLACK, "
         "MAGIC, NEBULA, GHOST, ABANDONED, CHECKERED, ZODIAC, PAINTED, ANAGLYPH, PLASMA, ERRATIC. Got: CHALLENGE"),
        ({"deck": "RED", "stake": "WHITE", "seed": "much too long" * 3},
         "a seed of 39 bytes is not valid: a seed has 1 to 32 bytes of UTF-8 without control characters"),
        ({"deck": "RED", "stake": "WHITE", "seed": "two\nlines"},
         'seed "two?lines" is not valid: a seed has 1 to 32 bytes of UTF-8 without control characters'),
    ],
)  # fmt: skip
def test_bad_starts(tmp_path: Path, params: dict[str, str], message: str) -> None:
    game = Game(tmp_path)
    assert game.refused("start", **params) == ("BAD_REQUEST", message)
    assert game.call("gamestate")["state"] == "MENU"


def test_skipped_blinds_are_remembered_until_the_ante_is_over(game: Game) -> None:
    assert statuses(game.call("skip")) == ["SKIPPED", "SELECT", "UPCOMING"]
    assert statuses(game.call("skip")) == ["SKIPPED", "SKIPPED", "SELECT"]
    assert game.refused("skip") == (
        "NOT_ALLOWED",
        "Cannot skip Boss blind. Use `select` to select and play the boss blind.",
    )
    assert statuses(game.call("select")) == ["SKIPPED", "SKIPPED", "CURRENT"]
    game.call("set", chips=1_000_000)
    assert statuses(game.call("play", cards=[0])) == ["SKIPPED", "SKIPPED", "DEFEATED"]
    assert statuses(game.call("cash_out")) == ["UPCOMING"] * 3
    assert statuses(game.call("next_round")) == ["SELECT", "UPCOMING", "UPCOMING"]


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ([], "Must provide at least one card to {}"),
        ([0, 1, 2, 3, 4, 5], "You can only {} 5 cards. Provide fewer card indices."),
        ([8], "Invalid card index: 8"),
        ([-1], "Invalid card index: -1"),
    ],
)
@pytest.mark.parametrize("verb", ["play", "discard"])
def test_bad_choices_of_cards(game: Game, verb: str, cards: list[int], message: str) -> None:
    before = game.call("select")
    assert game.refused(verb, cards=cards) == ("BAD_REQUEST", message.format(verb))
    assert game.call("gamestate") == before


def test_a_card_that_is_clicked_twice_is_put_down_again(game: Game, tmp_path: Path) -> None:
    game.call("select")
    other = Game(tmp_path, seed="TEST123")
    other.call("select")
    assert game.call("play", cards=[0, 1, 0]) == other.call("play", cards=[1])


def test_no_discards_left(game: Game) -> None:
    game.call("select")
    game.call("set", discards=0)
    assert game.refused("discard", cards=[0]) == (
        "BAD_REQUEST",
        "No discards left. Play cards using `play` instead.",
    )


def test_the_last_card_of_the_pile_is_drawn_next(game: Game) -> None:
    pile = [card["key"] for card in game.call("select")["cards"]["cards"]]
    hand = [card["key"] for card in game.call("discard", cards=[0])["hand"]["cards"]]
    assert pile[-1] in hand


def test_a_new_order_of_the_hand(game: Game) -> None:
    before = [card["key"] for card in game.call("select")["hand"]["cards"]]
    order = [7, 0, 3, 1, 2, 6, 5, 4]
    after = [card["key"] for card in game.call("rearrange", hand=order)["hand"]["cards"]]
    assert after == [before[place] for place in order]


@pytest.mark.parametrize(
    ("params", "name", "message"),
    [
        ({}, "BAD_REQUEST", "Must provide exactly one of: hand, jokers, or consumables"),
        ({"hand": [0], "jokers": [0]}, "BAD_REQUEST", "Can only rearrange one type at a time"),
        ({"hand": [0]}, "BAD_REQUEST", "Must provide exactly 8 indices for hand"),
        ({"hand": [0, 1, 2, 3, 4, 5, 6, 8]}, "BAD_REQUEST", "Index out of range for hand: 8"),
        ({"hand": [0, 1, 2, 3, 4, 5, 6, 6]}, "BAD_REQUEST", "Duplicate index in hand: 6"),
    ],
)
def test_bad_orders(game: Game, params: dict[str, Any], name: str, message: str) -> None:
    game.call("select")
    assert game.refused("rearrange", **params) == (name, message)


def test_the_hand_has_no_order_in_a_pack_without_one(shop: Game) -> None:
    shop.call("buy", pack=0)
    assert shop.refused("rearrange", hand=[0]) == (
        "NOT_ALLOWED",
        "No cards to rearrange. You can only rearrange hand in Arcana and Spectral packs.",
    )


def test_the_hand_has_no_order_in_the_shop(shop: Game) -> None:
    assert shop.refused("rearrange", hand=[]) == (
        "INVALID_STATE",
        "Can only rearrange hand during hand selection",
    )
    for key in ("j_joker", "j_egg", "j_mime"):
        shop.call("add", key=key)
    keys = [card["key"] for card in shop.call("rearrange", jokers=[2, 0, 1])["jokers"]["cards"]]
    assert keys == ["j_mime", "j_joker", "j_egg"]


def test_the_boss_of_the_last_ante_counts_as_won_even_when_it_wins(game: Game) -> None:
    game.call("skip")
    game.call("skip")
    game.call("select")
    state = game.call("set", ante=8, hands=1)
    assert state["won"] is False
    lost = game.call("play", cards=[0])
    assert (lost["state"], lost["won"]) == ("GAME_OVER", True)


def test_a_lost_run_can_only_be_left(game: Game) -> None:
    game.call("select")
    game.call("set", hands=1)
    assert game.call("play", cards=[0])["state"] == "GAME_OVER"
    assert game.refused("start", deck="RED", stake="WHITE")[0] == "INVALID_STATE"
    assert game.call("menu")["state"] == "MENU"


def test_face_down_cards_are_named_but_hidden(tmp_path: Path) -> None:
    """What the mod leaks, the server leaks too."""
    game = Game(tmp_path, seed="1")
    run = game.served._table.playing
    run.debug_set_boss("bl_house")
    game.call("skip")
    game.call("skip")
    cards = game.call("select")["hand"]["cards"]
    assert all(card["state"] == {"hidden": True} and len(card["key"]) == 3 for card in cards)


def test_jokers_turned_over_are_named_but_hidden(tmp_path: Path) -> None:
    game = Game(tmp_path, seed="1")
    run = game.served._table.playing
    run.debug_set_boss("bl_final_acorn")
    for key in ("j_joker", "j_egg", "j_ice_cream"):
        run.debug_add_joker(key)
    game.served._table.changed()
    game.call("skip")
    game.call("skip")
    jokers = game.call("select")["jokers"]["cards"]
    assert {card["key"] for card in jokers} == {"j_joker", "j_egg", "j_ice_cream"}
    assert all(card["state"]["hidden"] for card in jokers)


def test_scores_have_fourteen_digits(game: Game) -> None:
    game.call("select")
    game.served._table.playing.chips = 1.2345678901234567e15
    game.served._table.changed()
    text = game.served.call("gamestate", {})
    assert '"chips":1.2345678901235e+15' in text
    assert json.loads(text)["round"]["chips"] == 1.2345678901235e15


def test_a_score_without_end_is_an_error(game: Game) -> None:
    game.call("select")
    game.served._table.playing.chips = float("inf")
    game.served._table.changed()
    assert game.refused("gamestate") == ("INTERNAL_ERROR", "unexpected number value 'inf'")
