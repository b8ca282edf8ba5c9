"""Which differences of a trace each rule accounts for, and which it does not."""

from typing import Any

import pytest

from conformance.exceptions import load_rules
from conformance.report import Case
from conformance.trace_rules import RULES, explain
from conformance.trace_taken import Taken

Json = dict[str, Any]


def test_the_reviewed_exceptions_name_every_rule() -> None:
    assert {rule.name for rule in load_rules()} >= RULES.keys()


def state(**fields: Any) -> Json:
    """As much of one as the rules look at."""
    plain = {"phase": "selecting_hand", "blind": None, "won": False, "dollars": 4, "free_rerolls": 0, "tags": []}
    plain |= {"hand_size": 8, "hands_played": 0, "chips": 0, "reroll": 5}
    lists: Json = {name: [] for name in ("hand", "deck", "jokers", "cons", "shop")}
    return plain | lists | {"last": None, "pack": None, "rng": {}} | fields


def joker(key: str, uid: int = 1, **fields: Any) -> Json:
    return {"k": key, "id": uid, "sell": 2} | fields


BLOCKED = {"last": {"hand": "Pair", "blocked": True}}
WALL = {"blind": {"key": "bl_wall", "target": 1200}}
HEAD = {"blind": {"key": "bl_head"}}
PACK = {"pack": {"cards": [{"k": "c_fool"}]}}
ICE = [joker("j_ice_cream", ab={"extra.chips": 90})]
TWO_JOKERS = [joker("j_joker", 1), joker("j_mime", 2, db=1)]
PARKING = {"jokers": [joker("j_reserved_parking")], "hand": ["KS#Red", "KD", "2C"]}
ROLLED = 0.4711030363676
ROLLED_AGAIN = 0.9467822081611


def taken(t: str, before: Json, after: Json, found: Json, undiscounted: Json | None = None, **action: Any) -> Taken:
    return Taken({"t": t, **action}, state(**before), state(**after), state(**found), undiscounted)


COVERED: dict[str, tuple[Taken, list[Case], list[Case]]] = {
    "blocked_hand_runs_after_effects": (
        taken("play", {}, BLOCKED | {"jokers": ICE}, BLOCKED),
        [Case("jokers[0].ab.extra.chips", 90, 85), Case("jokers[0].ab.extra.chips", None, 95)],
        [Case("jokers[0].ab.extra.chips", 90, 80), Case("jokers[0].sell", 90, 85), Case("chips", 90, 85)],
    ),
    "a_won_run_stays_won": (
        taken("play", {"won": True}, {"phase": "game_over"}, {"phase": "game_over"}),
        [Case("won", False, True)],
        [Case("dollars", 1, 2)],
    ),
    "debuffed_chaos_gives_no_reroll": (
        taken("select", {"jokers": [joker("j_chaos", db=1)]}, {"free_rerolls": 1}, {}),
        [Case("free_rerolls", 1, 0), Case("reroll", 0, 5)],
        [Case("reroll", 3, 5), Case("dollars", 1, 0)],
    ),
    "waiting_boss_tag_is_used": (
        taken(
            "leave", {"tags": ["tag_boss", "tag_d_six"]}, {"tags": ["tag_boss", "tag_d_six"]}, {"tags": ["tag_d_six"]}
        ),
        [Case("choices.Boss", "bl_eye", "bl_ox"), Case("rng.boss", 0.1, 0.2), Case("tags[1]", "tag_d_six", None)],
        [Case("choices.tags[0]", 1, 2), Case("rng.Tag1", 0.1, 0.2), Case("jokers[0].sell", 2, 1)],
    ),
    "gift_card_is_not_copied": (
        taken("play", {"jokers": [joker("j_gift"), joker("j_blueprint")]}, {"phase": "round_eval"}, {}),
        [Case("jokers[1].sell", 4, 3), Case("jokers[0].ab.extra_value", 1, None), Case("cons[0].sell", 3, 2)],
        [Case("jokers[1].sell", 5, 3), Case("jokers[1].sell", 3, 4), Case("dollars", 4, 3)],
    ),
    "parking_retriggers_only_on_success": (
        taken("play", PARKING, {"rng": {"parking": ROLLED_AGAIN}}, {"rng": {"parking": ROLLED}}, i=[2]),
        [Case("rng.parking", ROLLED_AGAIN, ROLLED), Case("dollars", 3, 2)],
        [Case("dollars", 4, 2), Case("rng.lucky_mult", ROLLED_AGAIN, ROLLED), Case("chips", 3, 2)],
    ),
    "injected_discount_acts_on_all_prices": (
        taken("buy", {"shop": [{"k": "j_joker", "cost": 5}]}, {}, {}, {"jokers": [{"sell": 5}]}, n=0),
        [Case("jokers[0].sell", 5, 3), Case("dollars", -1, 0)],
        [Case("jokers[0].sell", 4, 3), Case("jokers[0].ed", 5, 3), Case("dollars", -2, 0), Case("reroll", 5, 3)],
    ),
    "debuffed_jokers_are_chosen_from_too": (
        taken(
            "use",
            {"jokers": TWO_JOKERS, "cons": [{"k": "c_ectoplasm"}]},
            {"jokers": [TWO_JOKERS[0] | {"ed": "neg"}, TWO_JOKERS[1]]},
            {"jokers": [TWO_JOKERS[0], TWO_JOKERS[1] | {"ed": "neg"}]},
            n=0,
        ),
        [Case("jokers[0].ed", "neg", None), Case("jokers[1].ed", None, "neg"), Case("jokers[1].sell", 2, 4)],
        [Case("jokers[0].ab.mult", 1, 2), Case("hand_size", 7, 8)],
    ),
    "debuffs_are_looked_at_at_once": (
        taken("use", HEAD | {"cons": [{"k": "c_world"}]}, {}, {}, n=0, i=[1]),
        [Case("hand[1]", "AS~35!", "AS~35"), Case("deck[0]", "AS", "AS!")],
        [Case("hand[1]", "AS~35!", "KS~35"), Case("jokers[1]", "AS!", "AS"), Case("hand[2]", None, "AS")],
    ),
    "only_draws_sort_the_hand": (
        taken(
            "pick",
            PACK | {"deck": ["3C"], "hand": ["2C", "KS"]},
            {"hand": ["KS", "2C"], "deck": ["9H", "9S", "3C"]},
            {"hand": ["2C", "KS"], "deck": ["9S", "9H", "3C"]},
            n=0,
        ),
        [Case("hand[0]", "KS", "2C"), Case("deck[1]", "9S", "9H")],
        [Case("jokers[0]", 1, 2), Case("discard_n", 1, 2)],
    ),
    "nothing_is_drawn_at_the_end_of_a_pack": (
        taken(
            "pick",
            {"pack": {"cards": [{"k": "c_grim"}]}, "hand": ["KS"], "deck": ["3C", "2C"]},
            {"deck": ["AS", "2C", "KS", "3C"]},
            {"deck": ["KS", "AS", "3C", "2C"]},
            n=0,
        ),
        [Case("deck[0]", "AS", "KS"), Case("deck[3]", "3C", "2C")],
        [Case("hand[0]", "2C", "KS"), Case("dollars", 20, 0)],
    ),
    "a_larger_hand_draws_at_once": (
        taken(
            "sell",
            {"hand_size": 6, "hand": ["KS"], "deck": ["2C", "3C", "4C"]},
            {"hand": ["KS"], "deck": ["2C", "3C", "4C"], "hand_size": 8},
            {"hand": ["KS", "4C", "3C"], "deck": ["2C"], "hand_size": 8},
            n=0,
        ),
        [Case("hand[1]", None, "4C"), Case("deck[2]", "4C", None)],
        [Case("hand_size", 7, 8), Case("jokers[0].k", 1, 2)],
    ),
    "copy_by_dna_is_held": (
        taken("play", {"jokers": [joker("j_dna")], "hand": ["KS/steel"]}, {}, {}, i=[0]),
        [Case("chips", 456, 684), Case("last.mult", 6, 9), Case("last.total", 456, 684)],
        [Case("dollars", 6, 9), Case("jokers[0].sell", 2, 3)],
    ),
    "vampire_bares_a_suit": (
        taken("play", HEAD | {"jokers": [joker("j_vampire")], "hand": ["2S", "KH/stone"]}, {}, {}, i=[0, 1]),
        [Case("chips", 456, 684), Case("last.chips", 87, 77)],
        [Case("dollars", 6, 9), Case("jokers[0].ab.x_mult", 1.1, 1.2)],
    ),
    "targets_hold_the_forced_card": (
        taken("use", {"cons": [{"k": "c_devil"}], "hand": ["2S@", "KH"]}, {}, {}, n=0, i=[1]),
        [Case("action", "allowed", "Cerulean Bell's card must be among the selected ones")],
        [Case("chips", 1, 2)],
    ),
    "jokers_are_asked_before_things_happen": (
        taken("select", {"jokers": [joker("j_riff_raff"), joker("j_madness", 2)]}, {}, {}),
        [Case("jokers[1].k", "j_egg", "j_joker"), Case("rng.Joker1rif1", 0.1, 0.2), Case("rng.madness", 0.1, 0.2)],
        [Case("rng.nr1", 0.1, 0.2), Case("dollars", 1, 2)],
    ),
    "a_lowered_target_is_reached_at_once": (
        taken("sell", WALL, {"blind": {"key": "bl_wall", "target": 600}, "chips": 600}, {"phase": "round_eval"}),
        [Case("phase", "selecting_hand", "round_eval"), Case("dollars", 1, 6)],
        [],
    ),
    "an_emptied_hand_is_drawn_anew": (
        taken("use", {"cons": [{"k": "c_immolate"}], "deck": ["KS"]}, {"phase": "game_over"}, {"hand": ["KS"]}, n=0),
        [Case("phase", "game_over", "selecting_hand"), Case("hand[0]", None, "KS")],
        [],
    ),
    "negative_consumable_keeps_its_slot": (
        taken("use", {"cons": [{"k": "c_emperor", "ed": "neg"}]}, {}, {}, n=0),
        [Case("cons[1].k", None, "c_sun"), Case("rng.Tarotemp3", 0.1, 0.2)],
        [Case("rng.Tarotar13", 0.1, 0.2), Case("dollars", 1, 2)],
    ),
    "matador_rests_at_hook_and_tooth": (
        taken("play", {"blind": {"key": "bl_tooth"}, "jokers": [joker("j_matador")]}, {}, {}, i=[0]),
        [Case("dollars", 18, 10)],
        [Case("dollars", 17, 10), Case("dollars", 10, 18), Case("dollars", 26, 10), Case("chips", 18, 10)],
    ),
    "the_ox_empties_the_purse_at_once": (
        taken("play", {"blind": {"key": "bl_ox"}, "jokers": [joker("j_vagabond")]}, {}, {}, i=[0]),
        [Case("cons[0].k", None, "c_sun"), Case("rng.Tarotvag6", None, 0.2)],
        [Case("dollars", 1, 0)],
    ),
    "hallucination_acts_in_packs_of_tags": (
        taken("skip", {"jokers": [joker("j_hallucination")]}, {}, {"phase": "pack_opening"}),
        [Case("cons[0].k", None, "c_sun"), Case("rng.halu1", None, 0.2), Case("rng.Tarothal1", None, 0.2)],
        [Case("rng.Tarotar11", 0.1, 0.2), Case("pack.left", 1, 2)],
    ),
    "equal_cards_lie_by_the_suit_they_were_created_with": (
        taken("discard", {}, {"hand": ["KS", "8D~7", "8D"]}, {"hand": ["KS", "8D", "8D~7"]}, i=[0]),
        [Case("hand[1]", "8D~7", "8D"), Case("hand[2]", "8D", "8D~7")],
        [Case("hand[1]", "8D~7", "8D!"), Case("hand[1]", "8D~9", "8D"), Case("chips", 1, 0)],
    ),
    "marble_puts_its_stone_under_the_pile": (
        taken(
            "select",
            {"jokers": [joker("j_marble")], "deck": ["2C", "3C", "4C"]},
            {"hand": ["4C", "KS~60/stone"], "deck": ["3C", "2C"]},
            {"hand": ["4C", "2C^"], "deck": ["KS~60/stone", "3C"]},
        ),
        [Case("hand[1]", "KS~60/stone", "2C^"), Case("deck[0]", "3C", "KS~60/stone")],
        [Case("rng.nr1", 0.1, 0.2), Case("chips", 1, 0)],
    ),
    "reroll_vouchers_cut_the_present_price": (
        taken("voucher", {"reroll": 1}, {}, {}, n=0),
        [Case("reroll", 1, 0)],
        [Case("reroll", 2, 1), Case("dollars", 1, 0)],
    ),
}


@pytest.mark.parametrize("name", RULES)
def test_what_a_rule_covers(name: str) -> None:
    step, covered, others = COVERED[name]
    for case in covered:
        assert explain(step, case).explained_by == (name,), case
    for case in others:
        assert explain(step, case).explained_by == (), case


NOT_SO = [
    taken("play", {}, {"last": {"blocked": False}, "jokers": ICE}, BLOCKED),
    taken("discard", HEAD, {}, {}),
    taken("use", {"cons": [{"k": "c_world"}]}, {}, {}, n=0, i=[1]),
    taken("play", {}, {"phase": "game_over"}, {"phase": "game_over"}),
    taken("select", {"jokers": [joker("j_chaos")]}, {"free_rerolls": 1}, {}),
    taken("leave", {"tags": ["tag_d_six"]}, {"tags": ["tag_d_six"]}, {"tags": ["tag_d_six"]}),
    taken("play", {"jokers": [joker("j_gift")]}, {"phase": "round_eval"}, {"hand": ["KS"]}),
    taken("play", PARKING, {"rng": {"parking": 0.123}}, {"rng": {"parking": ROLLED}, "hand": ["KS"]}, i=[2]),
    taken("play", PARKING, {"rng": {"parking": ROLLED_AGAIN}}, {"rng": {"parking": ROLLED}, "hand": ["KS"]}, i=[0]),
    taken("buy", {"shop": [{"k": "j_joker", "cost": 5}]}, {}, {}, n=0),
    taken(
        "pick", {"pack": {"cards": [{"k": "c_aura"}]}}, {"deck": ["2C", "KS", "3C"]}, {"deck": ["KS", "3C", "4C"]}, n=0
    ),
    taken("play", {"jokers": [joker("j_dna")], "hands_played": 1, "hand": ["KS/steel"]}, {}, {}, i=[0]),
    taken("play", {"jokers": [joker("j_dna")], "hand": ["KS"]}, {}, {}, i=[0]),
    taken("use", {"blind": {"key": "bl_small"}, "cons": [{"k": "c_world"}]}, {}, {}, n=0, i=[1]),
    taken("select", {"jokers": [joker("j_madness")]}, {"blind": {"key": "bl_final_acorn"}, "free_rerolls": 1}, {}),
    taken("pick", PACK | {"jokers": [joker("j_hallucination")]}, {}, {"phase": "pack_opening"}, n=0),
    taken("play", HEAD | {"jokers": [joker("j_vampire")], "hand": ["KS/stone"]}, {}, {"hand": ["KS"]}, i=[0]),
    taken("use", {"cons": [{"k": "c_emperor"}]}, {}, {"hand": ["KS"]}, n=0),
    taken("sell", WALL, {"blind": {"key": "bl_wall", "target": 601}, "chips": 600}, {"phase": "round_eval"}),
    taken("select", {"jokers": [joker("j_riff_raff")]}, {"free_rerolls": 1}, {}),
]


@pytest.mark.parametrize("step", NOT_SO)
def test_where_no_rule_applies(step: Taken) -> None:
    for _, covered, _ in COVERED.values():
        for case in covered:
            assert explain(step, case).explained_by == (), case


@pytest.mark.parametrize(("area", "items"), [("jokers", "jokers"), ("consumables", "cons")])
def test_what_is_sold_keeps_its_full_value_after_an_injected_discount(area: str, items: str) -> None:
    step = taken("sell", {items: [{"k": "c_hex", "sell": 2}]}, {}, {}, {}, area=area, n=0)
    assert explain(step, Case("dollars", 6, 5)).explained_by == ("injected_discount_acts_on_all_prices",)
    assert explain(step, Case("dollars", 7, 5)).explained_by == ()
