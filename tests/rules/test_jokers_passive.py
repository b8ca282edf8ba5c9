"""Jokers that act by being owned: hand size, hands, discards, odds, a second life. What they give goes with them."""

from rules.scene import OWN, Row, Scene, buy, play, row, rows_test, scores, select_blind, sell


def owned(*jokers: str, **scene) -> Scene:
    return Scene(jokers=jokers, phase="blind_select", **scene)


def numbers(hand_size: int, hands: int, discards: int) -> dict[str, int]:
    """What a round starts with."""
    return {
        "round.hand_size": hand_size,
        "round.hands_per_round": hands,
        "round.discards_per_round": discards,
    }


# A Red Deck has hand size 8, 4 hands and 4 discards.
GIVEN = [
    row("juggler", "j_juggler", owned("j_juggler"), select_blind, hand_size=9, at=numbers(9, 4, 4)),
    row("drunkard", "j_drunkard", owned("j_drunkard"), select_blind, discards=5, at=numbers(8, 4, 5)),
    row("merry andy", "j_merry_andy", owned("j_merry_andy"), select_blind, discards=7, at=numbers(7, 4, 7)),
    row("troubadour", "j_troubadour", owned("j_troubadour"), select_blind, hands=3, at=numbers(10, 3, 4)),
    row("stuntman", "j_stuntman", owned("j_stuntman"), select_blind, at=numbers(6, 4, 4)),
    row("turtle bean", "j_turtle_bean", owned("j_turtle_bean"), select_blind, at=numbers(13, 4, 4)),
    row("copies give nothing", "j_juggler j_blueprint", owned("j_blueprint", "j_juggler"), select_blind, hand_size=9),
]

TAKEN_BACK = [
    row("juggler sold", "j_juggler", owned("j_juggler"), sell(0), at=numbers(8, 4, 4)),
    row("drunkard sold", "j_drunkard", owned("j_drunkard"), sell(0), at=numbers(8, 4, 4)),
    row("merry andy sold", "j_merry_andy", owned("j_merry_andy"), sell(0), at=numbers(8, 4, 4)),
    row("troubadour sold", "j_troubadour", owned("j_troubadour"), sell(0), at=numbers(8, 4, 4)),
    row("stuntman sold", "j_stuntman", owned("j_stuntman"), sell(0), at=numbers(8, 4, 4)),
    row("turtle bean sold", "j_turtle_bean", owned("j_turtle_bean:count=5"), sell(0), at=numbers(8, 4, 4)),
    row("drunkard sold in a round", "j_drunkard", Scene(jokers=["j_drunkard"], hand="KS"), sell(0), discards=4),
]

DEBUFFED = [
    row(
        "debuffed ones give nothing",
        "pitfall:debuff-toggles-passives j_juggler j_drunkard j_merry_andy j_troubadour j_stuntman j_turtle_bean",
        owned(
            "j_juggler:debuffed",
            "j_drunkard:debuffed",
            "j_merry_andy:debuffed",
            "j_troubadour:debuffed",
            "j_stuntman:debuffed",
            "j_turtle_bean:debuffed",
        ),
        select_blind,
        hands=4,
        discards=4,
        at=numbers(8, 4, 4),
    ),
    row(
        "a debuffed one takes nothing along when sold",
        "pitfall:debuff-toggles-passives j_juggler",
        owned("j_juggler:debuffed"),
        sell(0),
        hand_size=8,
    ),
    row(
        "crimson heart takes a passive away",
        "pitfall:debuff-toggles-passives j_juggler",
        owned("j_juggler", blind="bl_final_heart", rolls={"crimson_heart": 1}),
        select_blind,
        debuffed=[True],
        hand_size=8,
    ),
    row(
        "and it comes back after the round",
        "pitfall:debuff-toggles-passives j_juggler",
        owned("j_juggler", blind="bl_final_heart", deck_cards="KS KH", rolls={"crimson_heart": 1}),
        select_blind,
        lambda live: setattr(live.run, "chips", 1e9),
        play("KS"),
        debuffed=[False],
        hand_size=9,
    ),
    row(
        "a joker that perishes takes its hand size along",
        "pitfall:debuff-toggles-passives pitfall:perishable j_juggler",
        Scene(jokers=["j_juggler:perishable,perish_left=1"], hand="KS", target=1),
        play("KS"),
        debuffed=[True],
        hand_size=8,
    ),
]

TURTLE_BEAN = [
    row(
        "turtle bean shrinks the live hand size",
        "j_turtle_bean pitfall:turtle-bean-live",
        Scene(jokers=["j_turtle_bean"], hand="KS", target=1),
        play("KS"),
        count=4,
        hand_size=12,
    ),
    row(
        "turtle bean goes with the last card",
        "j_turtle_bean",
        Scene(jokers=["j_turtle_bean:count=1"], hand="KS", target=1, hand_size=9),
        play("KS"),
        jokers=[],
        hand_size=8,
    ),
    row(
        "turtle bean is not shrunk by a copy",
        "j_turtle_bean j_brainstorm",
        Scene(jokers=["j_turtle_bean", "j_brainstorm"], hand="KS", target=1),
        play("KS"),
        counts=[4, 0],
        hand_size=12,
    ),
]

# Lucky: 1 in 5 and 1 in 15 become 2 in 5 and 2 in 15.
ODDS = [
    scores("j_oops", "KS/lucky", 15, 21, rolls={"lucky_mult": [(0.2, 0.4)], "lucky_money": [(0.14, 1)]}),
    scores("j_oops", "KS/lucky", 15, 1, rolls={"lucky_mult": [(0.41, 1)], "lucky_money": [(0.14, 1)]}),
    scores("j_oops j_oops", "KS/lucky", 15, 21, rolls={"lucky_mult": [(0.4, 0.8)], "lucky_money": [(0.27, 1)]}),
    scores("j_oops:debuffed", "KS/lucky", 15, 1, rolls={"lucky_mult": [(0.2, 0.4)], "lucky_money": [(0.14, 1)]}),
    scores("j_blueprint j_oops", "KS/lucky", 15, 1, rolls={"lucky_mult": [(0.4, 0.8)], "lucky_money": [(0.14, 1)]}),
]

BONES = [
    row(
        "mr. bones saves with a quarter",
        "j_mr_bones pitfall:bones",
        Scene(jokers=["j_mr_bones", "j_egg"], hand="KS", hands=1, target=60),
        play("KS"),
        phase="round_eval",
        jokers=["j_egg"],
        payout={"blind": 0},
    ),
    row(
        "mr. bones does not save with less",
        "j_mr_bones pitfall:bones",
        Scene(jokers=["j_mr_bones"], hand="KS", hands=1, target=61),
        play("KS"),
        phase="game_over",
        jokers=["j_mr_bones"],
    ),
    row(
        "mr. bones is not spent on a win",
        "j_mr_bones pitfall:bones",
        Scene(jokers=["j_mr_bones"], hand="KS", hands=1, target=15),
        play("KS"),
        phase="round_eval",
        jokers=["j_mr_bones"],
        payout={"blind": 3},
    ),
    row(
        "a debuffed mr. bones",
        "j_mr_bones",
        Scene(jokers=["j_mr_bones:debuffed"], hand="KS", hands=1, target=60),
        play("KS"),
        phase="game_over",
    ),
    row(
        "only one of two is spent",
        "j_mr_bones",
        Scene(jokers=["j_mr_bones", "j_mr_bones"], hand="KS", hands=1, target=60),
        play("KS"),
        jokers=["j_mr_bones"],
    ),
]

MORE = [
    row(
        "juggler bought in the shop",
        "j_juggler",
        Scene(phase="shop", shop=["j_juggler"], money=4),
        buy("j_juggler"),
        hand_size=9,
        money=0,
    ),
    row(
        "the blind's own target stands",
        "j_mr_bones",
        Scene(jokers=["j_mr_bones"], hand="KS", hands=1, target=OWN),
        play("KS"),
        phase="game_over",  # 15 of 300
    ),
]

ROWS: list[Row] = [*GIVEN, *TAKEN_BACK, *DEBUFFED, *TURTLE_BEAN, *ODDS, *BONES, *MORE]
test_rows = rows_test(ROWS)
