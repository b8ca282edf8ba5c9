"""Runs read from gamestates: what is told, what is parsed, and what must not come out."""

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jimbo.engine import Action, PublicState, Run
from jimbo.engine.catalog import JOKERS
from jimbo.text.cards import front
from jimbo.wire.codec.follow import Follower
from jimbo.wire.codec.marks import COUNTING, GROWING, in_english, permanent_bonus, set_numbers, targets_in
from jimbo.wire.gamestate import differences
from jimbo.wire.tooltips import joker_text
from serve.balatrobot.game import SHARED, Game, Json, needs_recordings

STATES = ("01_blind_select_seed1", "02_selecting_hand_seed1", "03_game_over_seed1", "04_shop_seed2507")


def recorded(name: str, kind: str = "vanilla_v1") -> Json:
    state: Json = json.loads((SHARED / "states" / f"{name}.{kind}.json").read_text())
    return state


def read(state: Json) -> PublicState:
    return Follower(state).public_state()


# --- Recorded states --------------------------------------------------------------------------------------------------


@needs_recordings
def test_a_recorded_run_is_followed_from_its_start() -> None:
    follower = Follower(recorded("01_blind_select_seed1"))
    run = Run(seed="1")
    assert follower.exact
    assert follower.public_state() == run.public_state()
    events = follower.took(Action("select_blind"), recorded("02_selecting_hand_seed1"))
    assert [event.kind for event in events] == [event.kind for event in run.step(Action("select_blind"))]
    assert follower.differences == ()
    assert follower.public_state() == run.public_state()


@needs_recordings
@pytest.mark.parametrize("name", STATES)
def test_unknown_fields_change_nothing(name: str) -> None:
    assert read(recorded(name, "raw")) == read(recorded(name))


@needs_recordings
def test_a_recorded_shop() -> None:
    state = read(recorded("04_shop_seed2507"))
    assert [(offer.joker, offer.price) for offer in state.shop] == [("j_drunkard", 4), ("j_blue_joker", 5)]
    assert [(offer.key, offer.price) for offer in state.shop_vouchers] == [("v_hone", 10)]
    assert [(offer.key, offer.price) for offer in state.shop_boosters] == [
        ("p_buffoon_normal_1", 4),
        ("p_arcana_jumbo_2", 6),
    ]
    assert (state.phase, state.dollars, state.on_deck, state.boss) == ("shop", 10, "big", "bl_pillar")
    assert (state.hands_left, state.discards_left, state.reroll_price, state.voucher) == (4, 4, 5, "v_hone")
    assert len(state.unseen) == 52
    assert {tag.key for tag in state.skip_tags} == {"tag_economy", "tag_skip"}


@needs_recordings
def test_a_recorded_end() -> None:
    state = read(recorded("03_game_over_seed1"))
    assert (state.over, state.won, state.end) == (True, False, "lost")
    assert [front(card) for card in state.hand] == ["H_2", "C_2", "D_2"]
    assert len(state.unseen) == 29
    assert len(state.discarded) == 52 - 29 - 3


# --- What is told badly -----------------------------------------------------------------------------------------------


@pytest.fixture
def game(tmp_path: Path) -> Game:
    game = Game(tmp_path, seed="READ1")
    game.call("select")
    return game


@pytest.mark.parametrize(
    ("state", "ante", "flag", "won"),
    [
        ("GAME_OVER", 8, True, False),  # the game raises the flag when the last boss's round ends, even if it is lost
        ("GAME_OVER", 9, True, True),
        ("SELECTING_HAND", 9, True, True),
        ("SELECTING_HAND", 3, False, False),
    ],
)
def test_the_false_flag_of_a_win(game: Game, state: str, ante: int, flag: bool, won: bool) -> None:
    told = {**game.call("gamestate"), "state": state, "ante_num": ante, "won": flag}
    assert read(told).won is won


def test_empty_objects_may_be_lists_or_absent(game: Game) -> None:
    told = game.call("gamestate")
    assert told["used_vouchers"] == []
    assert told["hand"]["cards"][0]["modifier"] == []
    as_objects, absent = copy.deepcopy(told), copy.deepcopy(told)
    as_objects["used_vouchers"] = {}
    del absent["used_vouchers"]
    for card in as_objects["hand"]["cards"]:
        card |= {"modifier": {}, "state": {}}
    for card in absent["hand"]["cards"]:
        del card["modifier"], card["state"], card["cost"]
    assert read(as_objects) == read(absent) == read(told)


def test_what_is_not_of_the_game_is_named(game: Game) -> None:
    told = game.call("gamestate")
    with pytest.raises(ValueError, match='the deck "MODDED" is unknown: it may come from another mod'):
        Follower({**told, "deck": "MODDED"})
    told["jokers"]["cards"] = [{"id": 999, "key": "j_modded", "set": "JOKER", "label": "?", "value": {"effect": ""}}]
    with pytest.raises(ValueError, match='"j_modded" is unknown'):
        Follower(told)
    with pytest.raises(ValueError, match="in the state SPLASH, in which nothing can be decided"):
        Follower({**game.call("gamestate"), "state": "SPLASH"})


def test_the_words_of_version_2(tmp_path: Path) -> None:
    game = Game(tmp_path, seed="READ2", deck="GHOST", stake="GOLD")
    game.call("select")
    game.call("add", key="H_A", seal="RED", edition="HOLO", enhancement="GLASS")
    told = game.call("gamestate")
    assert read(as_version_2(told)) == read(told)
    held = {**as_version_2(told), "tags": [{"key": "tag_juggle", "name": "Juggle Tag", "effect": ""}]}
    assert [tag.key for tag in read(held).tags] == ["tag_juggle"]


def as_version_2(state: Json) -> Json:
    """Keys of the game in place of the mod's words."""
    keys = {"RED": "Red", "HOLO": "e_holo", "GLASS": "m_glass"}
    state = copy.deepcopy(state)
    state |= {"deck": "b_ghost", "stake": "stake_gold", "paused": False}
    for area in ("hand", "cards"):
        for card in state[area]["cards"]:
            if card["modifier"]:
                card["modifier"] = {name: keys[word] for name, word in card["modifier"].items()}
    for blind in state["blinds"].values():
        name, effect = blind.pop("tag_name"), blind.pop("tag_effect")
        blind["tag"] = {"name": name, "effect": effect} if name else []
    return state


# --- Numbers that stand in texts --------------------------------------------------------------------------------------


def test_the_number_of_every_joker_is_read_from_its_text() -> None:
    for key in sorted(COUNTING | GROWING):
        run = Run(seed="TEXT")
        run.debug_add_joker(key)
        data = run.to_data()
        joker = data["jokers"][0]
        if key in COUNTING:
            joker["count"] = 2 if key == "j_invisible" else 7
        if key in GROWING:
            joker["x_mult"] = 2.75
        shown = Run.from_json(json.dumps(data)).public_state().jokers[0]
        blank = {"joker_id": key, "count": 0, "x_mult": 1.0}
        set_numbers(blank, joker_text(shown, 1, 52), run_hands=0)
        assert (blank["count"], blank["x_mult"]) == (joker["count"], joker["x_mult"]), key


def test_jokers_with_a_number_are_known() -> None:
    """Those whose number is not told by their text need it from elsewhere."""
    for key in JOKERS:
        run = Run(seed="TEXT")
        run.debug_add_joker(key)
        joker = run.to_data()["jokers"][0]
        joker["count"] = 1
        try:
            data = run.to_data()
            data["jokers"][0]["count"] = 1
            Run.from_json(json.dumps(data))
            counts = True
        except ValueError:
            counts = False
        assert counts == (key in COUNTING | {"j_todo_list", "j_loyalty_card"}), key


@pytest.mark.parametrize("to_go", range(6))
def test_loyalty_cards(to_go: int) -> None:
    text = f"X4 Mult every 6 hands played {f'{to_go} remaining' if to_go else 'Active!'}"
    run = Run(seed="TEXT")
    run.debug_add_joker("j_loyalty_card")
    data = run.to_data()
    data["memory"]["hands_played"] = 11
    set_numbers(data["jokers"][0], text, run_hands=11)
    shown = Run.from_json(json.dumps(data)).public_state().jokers[0].shown
    assert [part.number for part in shown] == [to_go]


@pytest.mark.parametrize(
    ("key", "text", "found"),
    [
        ("j_idol", "Each played Queen of Clubs gives X2 Mult", {"idol_rank": "Q", "idol_suit": "C"}),
        ("j_mail", "Earn $5 for each discarded 10, rank changes", {"mail_rank": "10"}),
        ("j_ancient", "Each played card with Spade suit gives X1.5", {"ancient_suit": "S"}),
        ("j_castle", "+3 Chips per discarded Heart card (Currently +9 Chips)", {"castle_suit": "H"}),
        ("j_joker", "+4 Mult", {}),
    ],
)
def test_targets(key: str, text: str, found: dict[str, str]) -> None:
    assert targets_in(key, text) == found


# --- Other languages --------------------------------------------------------------------------------------------------


def in_chinese(card: Json) -> Json:
    """As the game with Chinese texts shows these."""
    told = {
        "j_constellation": "每使用一张行星牌 小丑获得X0.1倍率 (当前为X1.2倍率)",
        "j_todo_list": "如果出牌牌型为同花 获得$4 每回合结束时 牌型都会改变",
    }
    base = f"+{11 if card['value'].get('rank') == 'A' else 9}筹码"
    return {**card, "value": {**card["value"], "effect": told.get(card["key"], base)}}


@needs_recordings
@pytest.mark.parametrize("tick", ["002500", "004000", "006000"])
def test_what_a_recorded_game_in_chinese_keeps_back_is_named(tick: str) -> None:
    state = recorded(f"real_zh_tick-{tick}", "raw")
    assert not in_english(state)
    assert Follower(state).unread == ("j_todo_list",)


@needs_recordings
def test_a_recorded_menu_has_no_language() -> None:
    assert in_english(recorded("real_zh_tick-000050", "raw"))
    assert in_english(recorded("04_shop_seed2507"))


def test_numbers_do_not_need_a_language(game: Game) -> None:
    game.call("add", key="j_constellation")
    game.call("add", key="j_todo_list")
    told = game.call("gamestate")
    told["jokers"]["cards"] = [in_chinese(card) for card in told["jokers"]["cards"]]
    follower = Follower(told)
    assert follower.run.to_data()["jokers"][0]["x_mult"] == 1.2
    assert follower.unread == ("j_todo_list",)


@pytest.mark.parametrize(
    ("mark", "english", "chinese", "bonus"),
    [
        ({}, "+9 chips", "+9筹码", 0),
        ({}, "+9 chips +15 extra chips", "+9筹码 +15额外筹码", 15),
        ({"enhancement": "BONUS"}, "+9 chips +30 extra chips", "+9筹码 +30额外筹码", 0),
        ({"enhancement": "BONUS"}, "+9 chips +35 extra chips", "+9筹码 +35额外筹码", 5),
        ({"enhancement": "MULT"}, "+9 chips +4 Mult", "+9筹码 +4倍率", 0),
        ({"enhancement": "MULT"}, "+9 chips +4 Mult +5 extra chips", "+9筹码 +4倍率 +5额外筹码", 5),
        ({"enhancement": "STONE"}, "+50 Chips no rank or suit", "+50筹码 无点数无花色", 0),
        ({"enhancement": "STONE"}, "+50 Chips no rank or suit +5 extra chips", "+50筹码 无点数无花色 +5额外筹码", 5),
        (
            {"enhancement": "LUCKY"},
            "+9 chips 1 in 5 chance for +20 Mult 1 in 15 chance to win $20",
            "+9筹码 1/5几率获得+20倍率 1/15几率赢得$20",
            0,
        ),
    ],
)
def test_what_hiker_added_is_read_in_any_language(mark: Json, english: str, chinese: str, bonus: int) -> None:
    card = {"key": "C_9", "set": "ENHANCED" if mark else "DEFAULT", "modifier": mark}
    assert [permanent_bonus({**card, "value": {"effect": text}}) for text in (english, chinese)] == [bonus, bonus]


def test_what_cannot_be_read_of_a_card_stays_as_it_was(game: Game) -> None:
    follower = Follower(game.call("gamestate"))
    data = follower.run.to_data()
    data["zones"]["hand"][0]["bonus"] = 15
    follower.run = Run.from_json(json.dumps(data))
    told = game.call("gamestate")
    told["hand"]["cards"][0]["value"]["effect"] = "+9筹码 +15额外筹码 +10倍率"
    follower.look(told)
    assert follower.run.to_data()["zones"]["hand"][0]["bonus"] == 15


# --- What must not come out -------------------------------------------------------------------------------------------


def played(game: Game, steps: int, seed: int) -> Iterator[Json]:
    """States of a game of plays and discards, against bosses that turn cards over."""
    chance = random.Random(seed)
    state = game.call("gamestate")
    for _ in range(steps):
        if state["state"] != "SELECTING_HAND":
            return
        yield state
        places = chance.sample(range(len(state["hand"]["cards"])), 3)
        discards = state["round"]["discards_left"]
        state = game.call("discard" if discards else "play", cards=places)


def hidden_otherwise(state: Json, chance: random.Random) -> Json:
    """The same for anybody at the table: other seed, other draw order, other fronts of what lies face down."""
    other = copy.deepcopy(state)
    other["seed"] = "0THER"
    pile, hand = other["cards"]["cards"], other["hand"]["cards"]
    backs = [place for place, card in enumerate(hand) if card["state"] and card["state"].get("hidden")]
    unseen = [*pile, *(hand[place] for place in backs)]
    chance.shuffle(unseen)
    other["cards"]["cards"] = [
        {**card, "state": {**(card["state"] or {}), "hidden": True}} for card in unseen[len(backs) :]
    ]
    for place, card in zip(backs, unseen, strict=False):
        hand[place] = {**card, "state": hand[place]["state"]}
    return other


@pytest.mark.parametrize("boss", ["bl_wheel", "bl_house", "bl_fish"])
def test_what_is_hidden_changes_nothing(tmp_path: Path, boss: str) -> None:
    game = Game(tmp_path, seed="LEAK")
    run = game.served._table.run
    assert run is not None
    for _ in range(2):
        game.call("skip")
    for seal in ("seal_gold", None, "seal_blue"):  # cards that look the same but for a seal, and that nobody expects
        run.debug_add_card("H_A", seal=seal, to="deck")
    run.debug_set_boss(boss)
    state = game.call("select")
    chance, backs = random.Random(1), 0
    for state in played(game, 6, seed=2):
        other = hidden_otherwise(state, chance)
        backs += sum(bool(card["state"]) for card in state["hand"]["cards"])
        assert read(other) == read(state)
        assert read(other).to_json() == read(state).to_json()
    assert backs > 0


def test_neither_the_seed_nor_the_order_is_in_a_public_state(game: Game) -> None:
    told = game.call("gamestate")
    follower = Follower(told)
    text = follower.public_state().to_json()
    assert "READ1" not in text
    order = [card["id"] for card in told["cards"]["cards"]]
    assert order != sorted(order)
    unseen = [card.id for card in follower.public_state().unseen]
    assert unseen == sorted(unseen)


def test_face_down_jokers_show_nothing(tmp_path: Path) -> None:
    game = Game(tmp_path, seed="ACORN")
    run = game.served._table.run
    assert run is not None
    for key in ("j_blueprint", "j_perkeo", "j_egg"):
        run.debug_add_joker(key)
    for _ in range(2):
        game.call("skip")
    run.debug_set_boss("bl_final_acorn")
    told = game.call("select")
    assert all(card["state"]["hidden"] for card in told["jokers"]["cards"])
    state = read(told)
    assert {joker.key for joker in state.jokers} == {None}
    turned = copy.deepcopy(told)
    turned["jokers"]["cards"].reverse()
    assert read(turned) == state


# --- A run that is met in its middle ----------------------------------------------------------------------------------


def test_a_run_that_is_joined_looks_the_same_where_the_wire_tells(tmp_path: Path) -> None:
    game = Game(tmp_path, seed="JOIN7")
    game.to_shop()
    game.call("set", money=50)
    game.call("buy", card=0)
    told = game.call("gamestate")
    run = game.served._table.run
    assert run is not None
    here, there = run.public_state(), read(told)
    names = ("phase", "dollars", "ante", "round", "shop_boosters", "shop_vouchers", "reroll_price", "hands", "blinds")
    for name in (*names, "hand_limit", "joker_room", "consumable_room", "vouchers", "on_deck", "boss", "spendable"):
        assert here.to_data()[name] == there.to_data()[name], name
    assert [joker.key for joker in here.jokers] == [joker.key for joker in there.jokers]
    assert [joker.sell_value for joker in here.jokers] == [joker.sell_value for joker in there.jokers]
    there.imagine(1)


def test_differences_are_told_with_their_path() -> None:
    found = list(differences({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}], "c": None}))
    assert [(one.path, one.here, one.there) for one in found] == [("$.a[1].b", 2, 3)]


def test_a_game_that_goes_another_way_is_taken_at_its_word(game: Game) -> None:
    follower = Follower(game.call("gamestate"))
    state: dict[str, Any] = game.call("play", cards=[0, 1, 2])
    state["money"] += 3
    assert follower.took(Action("play", cards=[0, 1, 2]), state) == []
    assert [one.path for one in follower.differences] == ["$.economy.money"]
    assert follower.public_state().dollars == state["money"]
