"""A stored run that could not be played on is refused, and the refusal names the field."""

import json
import math
import re
from collections.abc import Callable
from typing import Any

import pytest

from jimbo.engine import Action, Run

Json = dict[str, Any]


def in_blind_select() -> Run:
    return Run(seed="STORED")


def in_round() -> Run:
    run = in_blind_select()
    run.debug_add_joker("j_joker")
    run.debug_add_consumable("c_fool")
    run.step(Action("select_blind"))
    return run


def in_shop() -> Run:
    run = in_round()
    run.chips = run.target
    run.step(Action("play", cards=[0]))
    run.step(Action("cash_out"))
    return run


def in_pack() -> Run:
    run = in_shop()
    run.dollars = 50
    run.step(Action("open_booster"))
    return run


def lost() -> Run:
    run = in_round()
    run.hands_left = 1
    run.step(Action("play", cards=[0]))
    return run


RUNS = {run.__name__: run for run in (in_blind_select, in_round, in_shop, in_pack, lost)}


def put(state: Json, path: str, value: Any) -> None:
    """Sets one field; numbers in the path are places of a list."""
    *groups, name = (int(part) if part.isdecimal() else part for part in path.split("."))
    place: Any = state
    for group in groups:
        place = place[group]
    assert not isinstance(name, str) or name in place or name == "bonus"  # written only where there is one
    place[name] = value


@pytest.mark.parametrize(
    "seed", ["AAAAAAA-0", "two words", "ÄÖ€🃏", '"\\', "lower", "0123456789abcdefghijklmnopqrstuv"]
)
def test_any_seed_comes_back(seed: str) -> None:
    run = Run(seed=seed)
    text = run.to_json()
    for again in (Run.from_json(text), Run.from_json(json.dumps(json.loads(text))), Run.load(run.save())):
        assert (again.seed, again.to_json()) == (seed, text)
    assert seed in repr(run)


@pytest.mark.parametrize("escape", ["\\ud800", "\\udc00", "\\ud800\\u0041", "\\ud800x", "\\u12", "\\u-123"])
def test_halves_of_characters_are_refused(escape: str) -> None:
    text = in_blind_select().to_json().replace("STORED", escape)
    with pytest.raises(ValueError, match="not valid JSON at character"):
        Run.from_json(text)


@pytest.mark.parametrize("voucher", ["v_overstock_norm", "v_overstock_plus"])
def test_a_shop_never_has_more_slots_than_it_can_show(voucher: str) -> None:
    """One slot more than there is room for was waited for for ever."""
    state = json.loads(in_shop().to_json())
    put(state, "round.shop_slots", 8)
    put(state, "economy.money", 100)
    run = Run.from_json(json.dumps(state))
    run.debug_redeem(voucher)
    run.step(Action("reroll"))
    assert len(run.public_state().shop) == run.public_state().shop_slots == 8
    assert Run.from_json(run.to_json()).to_json() == run.to_json()


@pytest.mark.parametrize("make", RUNS.values(), ids=RUNS)
def test_what_play_leads_to_is_read(make: Callable[[], Run]) -> None:
    text = make().to_json()
    assert Run.from_json(text).to_json() == text


@pytest.mark.parametrize(
    ("make", "path", "value", "message"),
    [
        (in_round, "round.ante", 101, "state.round.ante: a number from -100 to 100 is needed"),
        (in_round, "round.ante", 1.5, "state.round.ante: the number does not fit"),
        (in_round, "round.discards_left", -1, "state.round.discards_left: a number from 0 to 1000 is needed"),
        (in_round, "round.hands_left", 0, "state.round.hands_left: a round goes on only with a hand left"),
        (in_round, "round.hand_size", 5000, "state.round.hand_size: a number from -1000 to 1000 is needed"),
        (in_shop, "round.shop_slots", 9, "state.round.shop_slots: a number from 0 to 8 is needed"),
        (in_round, "round.boss", "bl_big", "state.round.boss: a boss blind is needed"),
        (in_round, "round.blind.key", "bl_hook", "state.round.blind.key: is not the kind of blind that on_deck names"),
        (in_round, "round.blind.active", False, "state.round.blind.active: must be true in the phase selecting_hand"),
        (in_shop, "round.blind.active", True, "state.round.blind.active: must be true in the phase selecting_hand"),
        (in_round, "round.blind.target", -1, "state.round.blind.target: must not be negative"),
        (in_round, "round.blind.target", "nan", "state.round.blind.target: a number is needed"),
        (in_round, "round.blind.target", None, "state.round.blind.target: a number is needed"),
        (in_round, "score.chips", -1, "state.score.chips: must not be negative"),
        (in_round, "score.chips", "nan", "state.score.chips: a number is needed"),
        (in_round, "score.chips", "-inf", "state.score.chips: a number is needed"),
        (in_round, "score.chips", "12", "state.score.chips: a number is needed"),
        (in_round, "score.chips", True, "state.score.chips: a number is needed"),
        (in_round, "score.chips", [1], "state.score.chips: a number is needed"),
        (in_round, "score.last_chips", "nan", "state.score.last_chips: a number is needed"),
        (in_round, "score.last_mult", "nan", "state.score.last_mult: a number is needed"),
        (in_round, "score.last_mult", -2, "state.score.last_mult: must not be negative"),
        (in_round, "score.last_score", "nan", "state.score.last_score: a number is needed"),
        (in_round, "jokers.0.x_mult", "nan", "state.jokers[0].x_mult: a finite number from 0 is needed"),
        (in_round, "jokers.0.count", "nan", "state.jokers[0].count: the number does not fit"),
        (in_round, "economy.money", "inf", "state.economy.money: the number does not fit"),
        (in_round, "flags.won", 1, "state.flags.won: true or false is needed"),
        (in_round, "jokers", {}, "state.jokers: a list is needed"),
        (in_round, "jokers.0", "j_joker", "state.jokers[0]: an object is needed"),
        (in_round, "jokers.0.joker_id", "j_nobody", 'state.jokers[0].joker_id: "j_nobody" is not known'),
        (in_round, "zones.hand.2", 5, "state.zones.hand[2]: an object is needed"),
        (in_round, "zones.hand.2.key", "H_1", "state.zones.hand[2].key: no such playing card"),
        (in_round, "zones.hand.2.bonus", -1, "state.zones.hand[2].bonus: the number does not fit"),
        (in_round, "zones.hand.2.modifier", "m_glass", "state.zones.hand[2].modifier: a list is needed"),
        (
            in_round,
            "zones.hand.2.modifier",
            ["Gold"],
            'state.zones.hand[2].modifier: "Gold" is not a modifier of a card',
        ),
        (in_round, "zones.hand.2.modifier", ["m_glass", "m_steel"], "modifier: a card has only one enhancement"),
        (in_round, "zones.hand.2.modifier", ["e_foil", "e_holo"], "modifier: a card has only one edition"),
        (in_round, "zones.hand.2.modifier", ["seal_red", "seal_red"], "modifier: a card has only one seal"),
        (in_round, "zones.hand.2.state", ["happy"], 'state.zones.hand[2].state: "happy" is not a state of a card'),
        (in_round, "vouchers", ["v_blank", "v_blank"], 'state.vouchers: "v_blank" appears twice'),
        (in_round, "memory.used_planets", ["c_fool"], "state.memory.used_planets: only planets are counted"),
        (in_round, "memory.last_used", "c_soul", "state.memory.last_used: a tarot or planet is needed"),
        (in_round, "economy.money", 2_000_000_000, "state.economy.money: a number from -100000000 to 100000000"),
        (in_round, "economy.payout.tags", 1_000_000_000, "state.economy.payout.tags: a number from"),
        (in_round, "jokers.0.count", -1_000_000_000, "state.jokers[0].count: this joker has no number"),
        (in_round, "jokers.0.x_mult", "inf", "state.jokers[0].x_mult: a finite number from 0 is needed"),
        (in_round, "jokers.0.x_mult", 1.5, "state.jokers[0].x_mult: this joker has no multiplier of its own"),
        (in_round, "jokers.0.perish_left", 6, "state.jokers[0].perish_left: a number from 0 to 5 is needed"),
        (in_round, "jokers.0.uid", 0, "state.jokers: uid 0 must lie between 0 and memory.next_id"),
        (in_round, "zones.hand.0.uid", 9999, "state.zones: uid 9999 must lie between 0 and memory.next_id"),
        (in_round, "memory.next_id", 10, "must lie between 0 and memory.next_id"),
        (in_round, "zones.hand", [], "state.zones.hand: a round goes on only with a card in hand"),
        (in_round, "hands.Pair.level", 0, "state.hands.Pair.level: a number from 1 to 100000000 is needed"),
        (in_round, "hands.Pair.level", 2.5, "state.hands.Pair.level: the number does not fit"),
        (in_round, "hands.Pair.level", "two", "state.hands.Pair.level: a number is needed"),
        (in_round, "memory.ectoplasms", 30_000, "state.memory.ectoplasms: a number from 0 to 1000 is needed"),
        (in_round, "phase", "shop", "state.zones.hand: must be empty outside of a round"),
        (in_round, "phase", "pack_opening", "state.round.blind.active: must be true in the phase selecting_hand"),
        (in_blind_select, "phase", "pack_opening", "state.pack.cards: an open pack has 1 to 3 cards"),
        (in_blind_select, "phase", "game_over", "state.flags.end: must be none until the phase is game_over"),
        (in_blind_select, "flags.end", "lost", "state.flags.end: must be none until the phase is game_over"),
        (in_blind_select, "challenge", "c_omelette_1", "state.challenge: b_challenge and a challenge need each other"),
        (in_shop, "phase", "blind_select", "state.shop: must be empty outside of a shop"),
        (in_pack, "phase", "shop", "state.pack: must be empty unless the phase is pack_opening"),
        (in_pack, "pack.picks_left", 0, "state.pack.picks_left: a number from 1 to 1 is needed"),
        (in_pack, "pack.picks_left", 5, "state.pack.picks_left: a number from 1 to 1 is needed"),
        (in_pack, "pack.opened_from", "round_eval", "state.pack.opened_from: a pack is opened from the shop"),
        (in_round, "rng.mode", "replay", 'state.rng.mode: only "native" can be read'),
        (in_round, "rng.streams", {"boss": 2}, "state.rng.boss: a state must lie between 0 and 1"),
        (
            in_round,
            "rng.streams",
            {"nr1": 0.5, "nr4": 0.5},
            "state.rng.streams: a stream appears twice, or there are more",
        ),
    ],
)
def test_what_play_cannot_lead_to_is_refused(make: Callable[[], Run], path: str, value: Any, message: str) -> None:
    state = json.loads(make().to_json())
    put(state, path, value)
    with pytest.raises(ValueError, match=r"^state\.") as refused:
        Run.from_json(json.dumps(state))
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("make", "path"),
    [
        (in_round, "colour"), (in_round, "round.colour"), (in_round, "round.blind.colour"),
        (in_round, "jokers[0].colour"), (in_round, "consumables[0].colour"), (in_round, "zones.colour"),
        (in_round, "zones.hand[7].colour"), (in_shop, "shop.cards[1].colour"), (in_shop, "shop.cards[1].offer.colour"),
        (in_shop, "shop.cards[0].offer.card.colour"), (in_shop, "shop.vouchers[0].colour"), (in_pack, "pack.colour"),
        (in_pack, "pack.cards[0].colour"), (in_round, "hands.colour"), (in_round, "hands.Pair.colour"),
        (in_round, "round.skip_tags.small.colour"), (in_round, "memory.colour"), (in_round, "rng.colour"),
    ],
)  # fmt: skip
def test_an_unknown_field_is_refused_with_its_path(make: Callable[[], Run], path: str) -> None:
    run = make()
    state = json.loads(run.to_json())
    parts = path.replace("[", ".").replace("]", "").split(".")
    *groups, name = (int(part) if part.isdecimal() else part for part in parts)
    place: Any = state
    for group in groups:
        place = place[group]
    place[name] = 1
    text = json.dumps(state)
    saved = run.save().split(b"\n")[0] + b"\n" + text.encode()
    for read in (lambda: Run.from_json(text), lambda: Run.load(saved)):
        with pytest.raises(ValueError, match=rf"^{re.escape('state.' + path)}: the field is unknown$"):
            read()


def test_a_field_that_stands_twice_is_refused() -> None:
    text = in_round().to_json()
    for old, new, path in (
        ('"phase":', '"phase":"shop","phase":', "state.phase"),
        ('"money":4', '"money":4,"money":99', "state.economy.money"),
        ('"joker_id":', '"joker_id":"j_jolly","joker_id":', "state.jokers[0].joker_id"),
    ):
        assert text.count(old) == 1
        with pytest.raises(ValueError, match=re.escape(f"{path}: the field appears twice")):
            Run.from_json(text.replace(old, new))


def test_what_is_derived_may_be_left_out() -> None:
    run = in_round()
    state = json.loads(run.to_json())
    for name in ("mult", "target_chips", "last_hand_type", "last_base_chips", "last_base_mult"):
        del state["score"][name]
    del state["flags"]["done"], state["jokers"][0]["counters"]
    for card in state["zones"]["hand"]:
        del card["rank"], card["suit"]
    assert Run.from_json(json.dumps(state)) == run


def test_scores_may_be_infinite() -> None:
    state = json.loads(in_round().to_json())
    for path in ("round.blind.target", "score.chips", "score.last_chips", "score.last_mult", "score.last_score"):
        put(state, path, "inf")
    run = Run.from_json(json.dumps(state))
    assert (run.target, run.chips) == (math.inf, math.inf)
    assert Run.load(run.save()) == run


def test_a_target_is_no_number_where_the_game_s_formula_fails() -> None:
    run = in_blind_select()
    run.debug_set_ante(39)
    run.step(Action("select_blind"))
    assert math.isnan(run.target)
    assert Run.load(run.save()) == run
    state = json.loads(run.to_json())
    state["round"]["ante"] = 38
    with pytest.raises(ValueError, match=r"state\.round\.blind\.target: a number is needed"):
        Run.from_json(json.dumps(state))


def test_a_score_is_no_number_only_where_chips_are_capped() -> None:
    run = Run(challenge="Rich get Richer", seed="STORED")
    run.step(Action("select_blind"))
    state = json.loads(run.to_json())
    for name in ("chips", "last_score"):
        put(state, f"score.{name}", "nan")
    read = Run.from_json(json.dumps(state))
    assert math.isnan(read.chips)
    assert Run.load(read.save()) == read


def moved(state: Json, source: str, target: str) -> None:
    state["zones"][target].append(state["zones"][source].pop())


@pytest.mark.parametrize(
    ("make", "source", "target", "message"),
    [
        (in_round, "hand", "played", "state.zones.played: must be empty between two actions"),
        (in_shop, "deck", "hand", "state.zones.hand: must be empty outside of a round"),
        (in_shop, "deck", "discard", "state.zones.discard: must be empty outside of a round"),
    ],
)
def test_cards_lie_only_where_the_phase_has_them(
    make: Callable[[], Run], source: str, target: str, message: str
) -> None:
    state = json.loads(make().to_json())
    moved(state, source, target)
    with pytest.raises(ValueError, match=message):
        Run.from_json(json.dumps(state))


def test_no_card_lies_in_two_places() -> None:
    state = json.loads(in_round().to_json())
    state["zones"]["discard"].append(state["zones"]["hand"][0])
    with pytest.raises(ValueError, match=r"state\.zones: uid \d+ appears twice"):
        Run.from_json(json.dumps(state))


@pytest.mark.parametrize("places", [{"hand": [0, 1]}, {"deck": [0]}])
def test_one_card_in_hand_may_be_forced(places: dict[str, list[int]]) -> None:
    state = json.loads(in_round().to_json())
    for zone, cards in places.items():
        for place in cards:
            state["zones"][zone][place]["state"].append("forced")
    with pytest.raises(ValueError, match="can be forced"):
        Run.from_json(json.dumps(state))


def test_edits_keep_to_the_same_limits() -> None:
    run = in_round()
    with pytest.raises(ValueError, match="2000000000 does not lie between -100000000 and 100000000"):
        run.dollars = 2_000_000_000
    with pytest.raises(ValueError, match="does not lie between -100 and 100"):
        run.debug_set_ante(-101)
    with pytest.raises(ValueError, match="does not lie between -1000 and 1000"):
        run.debug_raise_level("Pair", 1001)
    for name in ("hands_left", "discards_left"):
        with pytest.raises(ValueError, match="-1 does not lie between 0 and 1000"):
            setattr(run, name, -1)
    for chips in (math.nan, -1.0, -math.inf):
        with pytest.raises(ValueError, match="chips must be 0 or more"):
            run.chips = chips
    run.chips = math.inf
    assert Run.load(run.save()).chips == math.inf
    with pytest.raises(ValueError, match="bl_small is not a boss blind"):
        run.debug_set_boss("bl_small")
