"""Jokers whose own number grows, shrinks, starts again or is used up."""

from rules.scene import (
    Pick,
    Row,
    Scene,
    cash_out,
    discard,
    open_booster,
    pick,
    play,
    reroll,
    row,
    rows_test,
    scores,
    select_blind,
    sell,
    skip_pack,
    use,
)

STRAIGHT = "5S 6H 7D 8C 9S"  # 30 + 35 chips, X 4
TWO_PAIR = "7S 7H 4S 4H"  # 20 + 22, X 2

WITH_HANDS = [
    scores("j_ride_the_bus", "7S", 12, 1 + 1, expect={"count": 1}),
    scores("j_ride_the_bus:count=5", "7S", 12, 1 + 6, expect={"count": 6}),
    scores("j_ride_the_bus:count=5", "KS", 15, 1, expect={"count": 0}),
    scores("j_ride_the_bus:count=5", "AS KD", 16, 1 + 6, expect={"count": 6}),  # the King does not score
    scores("j_blueprint j_ride_the_bus", "7S", 12, 1 + 2, expect={"counts": [0, 1]}),
    scores("j_ride_the_bus:count=5,debuffed", "KS", 15, 1, expect={"count": 5}),
    scores("j_green_joker", "KS", 15, 1 + 1, expect={"count": 1}),
    scores("j_blueprint j_green_joker:count=3", "KS", 15, 1 + 8, expect={"counts": [0, 4]}),
    scores("j_runner", STRAIGHT, 65 + 15, 4, expect={"count": 15}),
    scores("j_runner:count=30", "KS", 15 + 30, 1, expect={"count": 30}),
    scores("j_blueprint j_runner", STRAIGHT, 65 + 30, 4, expect={"counts": [0, 15]}),
    scores("j_square", TWO_PAIR, 42 + 4, 2, expect={"count": 4}),
    scores("j_square:count=8", "KS", 15 + 8, 1, expect={"count": 8}),
    scores("j_square", "KS 2H 3D 4C", 15 + 4, 1, expect={"count": 4}),  # four played, one scores
    scores("j_blueprint j_square", TWO_PAIR, 42 + 8, 2, expect={"counts": [0, 4]}),
    scores("j_trousers", TWO_PAIR, 42, 2 + 2, expect={"count": 2}),
    scores("j_trousers:count=4", "7S 7H 7D 4S 4H", 69, 4 + 6, expect={"count": 6}),
    scores("j_trousers:count=4", "KS", 15, 1 + 4, expect={"count": 4}),
    scores("j_blueprint j_trousers", TWO_PAIR, 42, 2 + 4, expect={"counts": [0, 2]}),
    scores("j_vampire", "KS/bonus KH/mult", 30, 2 * 1.2, expect={"x_mult": 1.2, "discarded": "KS KH"}),
    scores("j_vampire:x_mult=1.5", "KS", 15, 1.5, expect={"x_mult": 1.5}),
    scores("j_vampire", "KS/bonus! KH", 20, 2, expect={"x_mult": 1, "discarded": "KS/bonus! KH"}),
    scores("j_vampire", "KS 2H/bonus", 15, 1, expect={"x_mult": 1, "discarded": "KS 2H/bonus"}),  # not scoring
    scores("j_blueprint j_vampire", "KS/bonus", 15, 1.1 * 1.1, expect={"x_mults": [1, 1.1]}),
    scores("j_obelisk", "KS", 15, 1.2, played={"Pair": 3}, expect={"x_mult": 1.2}),
    scores("j_obelisk:x_mult=1.6", "KS KH", 30, 2, played={"Pair": 3}, expect={"x_mult": 1}),
    scores("j_obelisk", "KS", 15, 1.2, played={"Pair": 4, "High Card": 3}, expect={"x_mult": 1.2}),  # drawing level
    scores("j_obelisk:x_mult=1.6", "KS", 15, 1, played={"Pair": 3, "High Card": 3}, expect={"x_mult": 1}),
    scores("j_ice_cream", "KS", 15 + 100, 1, expect={"count": 95}),
    scores("j_ice_cream:count=5", "KS", 15 + 5, 1, expect={"jokers": []}),
    scores("j_blueprint j_ice_cream", "KS", 15 + 200, 1, expect={"counts": [0, 95]}),
    scores("j_ice_cream:debuffed", "KS", 15, 1, expect={"count": 100}),
]

OWN_NUMBER = [
    scores("j_popcorn", "KS", 15, 1 + 20),
    scores("j_ramen", "KS", 15, 2),
    scores("j_campfire:x_mult=1.75", "KS", 15, 1.75),
    scores("j_constellation:x_mult=1.3", "KS", 15, 1.3),
    scores("j_hologram:x_mult=1.25", "KS", 15, 1.25),
    scores("j_flash:count=6", "KS", 15, 1 + 6),
    scores("j_red_card:count=6", "KS", 15, 1 + 6),
    scores("j_castle:count=9", "KS", 15 + 9, 1),
    scores("j_glass:x_mult=1.75", "KS", 15, 1.75),
    scores("j_hit_the_road:x_mult=2.5", "KS", 15, 2.5),
    scores("j_caino:x_mult=3.0", "KS", 15, 3),
    scores("j_yorick:x_mult=2.0", "KS", 15, 2),
    scores("j_madness:x_mult=1.5", "KS", 15, 1.5),
    scores("j_ceremonial:count=8", "KS", 15, 1 + 8),
    scores("j_blueprint j_hologram:x_mult=1.5", "KS", 15, 1.5 * 1.5),
]

DISCARDS = [
    row(
        "green joker loses one a discard, not one a card",
        "j_green_joker",
        Scene(jokers=["j_green_joker:count=3"], hand="KS KH 2D"),
        discard("KS KH 2D"),
        count=2,
    ),
    row(
        "green joker stops at nothing",
        "j_green_joker",
        Scene(jokers=["j_green_joker"], hand="KS"),
        discard("KS"),
        count=0,
    ),
    row(
        "castle grows by cards of its suit",
        "j_castle",
        Scene(jokers=["j_castle"], hand="2H 3H 4S 5S/wild", targets={"castle_suit": "H"}),
        discard("2H 3H 4S 5S/wild"),
        count=9,
    ),
    row(
        "castle: a debuffed card and a copy do not count",
        "j_castle j_blueprint",
        Scene(jokers=["j_blueprint", "j_castle"], hand="2H 3H!", targets={"castle_suit": "H"}),
        discard("2H 3H!"),
        counts=[0, 3],
    ),
    row(
        "castle's suit changes at round end",
        "j_castle",
        Scene(
            jokers=["j_castle:count=9"],
            hand="KH",
            deck_cards="2C 9D",
            target=1,
            targets={"castle_suit": "H"},
            rolls={"cas1": [Pick(1, of=3)]},  # of 2C, 9D, KH by creation
        ),
        play("KH"),
        count=9,
        at={"targets.castle_suit": "D"},
    ),
    row(
        "hit the road grows by Jacks",
        "j_hit_the_road",
        Scene(jokers=["j_hit_the_road"], hand="JS JH QD JC!"),
        discard("JS JH QD JC!"),
        x_mult=2.0,
    ),
    row(
        "hit the road starts again at round end",
        "j_hit_the_road",
        Scene(jokers=["j_hit_the_road:x_mult=2.5"], hand="KS", target=1),
        play("KS"),
        mult=2.5,
        x_mult=1.0,
    ),
    row(
        "ramen loses X0.01 a card",
        "j_ramen",
        Scene(jokers=["j_ramen"], hand="KS KH 2D"),
        discard("KS KH 2D"),
        x_mult=2.0 - 0.01 - 0.01 - 0.01,
    ),
    row(
        "ramen is eaten in the middle of a discard",
        "j_ramen",
        Scene(jokers=["j_ramen:x_mult=1.02"], hand="KS KH 2D"),
        discard("KS KH 2D"),
        jokers=[],
    ),
    row(
        "a copied ramen loses once",
        "j_ramen j_blueprint",
        Scene(jokers=["j_blueprint", "j_ramen"], hand="KS KH"),
        discard("KS"),
        play("KH"),
        mult=(2.0 - 0.01) * (2.0 - 0.01),
    ),
    row(
        "yorick counts down",
        "j_yorick",
        Scene(jokers=["j_yorick"], hand="KS KH 2D"),
        discard("KS KH 2D"),
        count=20,
        x_mult=1.0,
    ),
    row(
        "yorick gains X1 with the 23rd card and begins again",
        "j_yorick",
        Scene(jokers=["j_yorick:count=2"], hand="KS KH 2D"),
        discard("KS KH 2D"),
        count=22,
        x_mult=2.0,
    ),
]

ROUND_END = [
    row(
        "popcorn loses 4 a round",
        "j_popcorn",
        Scene(jokers=["j_popcorn"], hand="KS", target=1),
        play("KS"),
        mult=21,
        count=16,
    ),
    row(
        "popcorn is gone with the last 4",
        "j_popcorn",
        Scene(jokers=["j_popcorn:count=4"], hand="KS", target=1),
        play("KS"),
        mult=5,
        jokers=[],
    ),
    row(
        "popcorn is not eaten by a lost hand",
        "j_popcorn",
        Scene(jokers=["j_popcorn"], hand="KS KH"),
        play("KS"),
        count=20,
    ),
    row(
        "campfire keeps its heat over a small blind",
        "j_campfire",
        Scene(jokers=["j_campfire:x_mult=1.75"], hand="KS", target=1),
        play("KS"),
        x_mult=1.75,
    ),
    row(
        "campfire starts again after a boss",
        "j_campfire pitfall:campfire-reset",
        Scene(jokers=["j_campfire:x_mult=1.75"], hand="KS", blind="bl_club", target=1),
        play("KS"),
        mult=1.75,
        x_mult=1.0,
    ),
    row(
        "ride the bus goes on over rounds",
        "j_ride_the_bus",
        Scene(jokers=["j_ride_the_bus:count=5"], hand="7S", target=1),
        play("7S"),
        count=6,
    ),
]

USE_AND_SALE = [
    row(
        "campfire gains X0.25 a sold card, jokers and consumables",
        "j_campfire",
        Scene(jokers=["j_campfire", "j_egg"], consumables=["c_pluto"], phase="shop"),
        sell("j_egg"),
        sell("c_pluto"),
        x_mult=1.5,
    ),
    row(
        "a copied campfire grows once",
        "j_campfire j_blueprint",
        Scene(jokers=["j_campfire", "j_brainstorm", "j_egg"], phase="shop"),
        sell("j_egg"),
        x_mults=[1.25, 1.0],
    ),
    row(
        "constellation gains X0.1 a planet",
        "j_constellation",
        Scene(jokers=["j_constellation"], consumables=["c_pluto", "c_hermit"], hand="KS"),
        use("c_hermit"),
        use("c_pluto"),
        play("KS"),
        x_mult=1.1,
        chips=15 + 10,
        mult=2 * 1.1,  # High Card at level 2
    ),
    row(
        "hologram gains X0.25 a card: Cryptid makes two",
        "j_hologram",
        Scene(jokers=["j_hologram"], consumables=["c_cryptid"], hand="KS"),
        use("c_cryptid", "KS"),
        x_mult=1.5,
    ),
    row(
        "hologram gains by a card out of a Standard pack",
        "j_hologram",
        Scene(jokers=["j_hologram"], phase="pack_opening", pack="p_standard_normal_1", pack_cards=["KS/glass"]),
        pick("KS/glass"),
        x_mult=1.25,
    ),
    row(
        "hologram gains by Marble's stone, once through a copy",
        "j_hologram j_marble",
        Scene(
            jokers=["j_hologram", "j_brainstorm", "j_marble"],
            phase="blind_select",
            rolls={"marb_fr": ["S_K"]},
        ),
        select_blind,
        x_mults=[1.25, 1.0, 1.0],
    ),
    row(
        "flash card gains 2 a reroll",
        "j_flash",
        Scene(jokers=["j_flash"], phase="shop", money=20),
        reroll,
        reroll,
        count=4,
        money=20 - 5 - 6,
    ),
    row(
        "a copied flash card grows once",
        "j_flash j_blueprint",
        Scene(jokers=["j_blueprint", "j_flash"], phase="shop", money=20),
        reroll,
        counts=[0, 2],
    ),
    row(
        "red card gains 3 a skipped pack",
        "j_red_card",
        Scene(jokers=["j_red_card"], phase="shop", boosters=["p_standard_normal_1"], money=20),
        open_booster(),
        skip_pack,
        count=3,
    ),
    row(
        "red card gains nothing by a pack that is used",
        "j_red_card",
        Scene(jokers=["j_red_card"], phase="pack_opening", pack="p_celestial_normal_1", pack_cards=["c_pluto"]),
        pick("c_pluto"),
        count=0,
    ),
]

DESTRUCTION = [
    row(
        "glass joker gains X0.75 a broken card, from the next hand on",
        "j_glass",
        Scene(jokers=["j_glass"], hand="KS/glass KH/glass 2D", deck_cards="", rolls={"glass": [True, False]}),
        play("KS KH"),
        mult=2 * 2 * 2,
        x_mult=1.75,
        discarded="KH/glass",
    ),
    row(
        "glass joker counts cards destroyed by The Hanged Man",
        "j_glass",
        Scene(jokers=["j_glass"], hand="KS/glass KH/glass 2D", consumables=["c_hanged_man"]),
        use("c_hanged_man", "KS/glass 2D"),
        x_mult=1.75,
    ),
    row(
        "a copied glass joker grows once",
        "j_glass j_blueprint",
        Scene(jokers=["j_blueprint", "j_glass"], hand="KS/glass", rolls={"glass": [True]}),
        play("KS"),
        x_mults=[1.0, 1.75],
    ),
    row(
        "canio gains X1 a destroyed face card",
        "j_caino",
        Scene(jokers=["j_caino"], hand="KS QH 2D", consumables=["c_hanged_man"]),
        use("c_hanged_man", "KS QH"),
        x_mult=3.0,
    ),
    row(
        "canio does not count other cards",
        "j_caino",
        Scene(jokers=["j_caino"], hand="KS QH 2D", consumables=["c_hanged_man"]),
        use("c_hanged_man", "KS 2D"),
        x_mult=2.0,
    ),
    row(
        "canio sees a broken Glass card",
        "j_caino",
        Scene(jokers=["j_caino"], hand="KS/glass", rolls={"glass": [True]}),
        play("KS"),
        mult=2,
        x_mult=2.0,
    ),
    row(
        "canio does not count a debuffed face card",
        "j_caino",
        Scene(jokers=["j_caino"], hand="KS! QH", consumables=["c_hanged_man"]),
        use("c_hanged_man", "KS!"),
        x_mult=1.0,
    ),
]

MORE = [
    row(
        "hologram does not gain by cards of the shop that are only shown",
        "j_hologram",
        Scene(jokers=["j_hologram"], hand="KS", target=1),
        play("KS"),
        cash_out,
        x_mult=1.0,
    ),
]

ROWS: list[Row] = [*WITH_HANDS, *OWN_NUMBER, *DISCARDS, *ROUND_END, *USE_AND_SALE, *DESTRUCTION, *MORE]
test_rows = rows_test(ROWS)
