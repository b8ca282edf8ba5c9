"""What cards and jokers carry: 8 enhancements, 4 editions and base, 4 seals, 3 stickers."""

from typing import Any

from rules.scene import Pick, Row, Scene, buy, cash_out, discard, play, redeem, row, rows_test, scores, sell, use


def plays(cards: str, chips: float, mult: float, covers: str, **more: Any) -> Row:
    """A hand played without jokers; "KS KH | 2D" holds the third card."""
    return scores(more.pop("jokers", ""), cards, chips, mult, covers=covers, **more)


def wins(note: str, covers: str, cards: str, **more: Any) -> Row:
    """The same with a hand that ends the round; `more` holds what Scene takes, and `expect`."""
    expect = more.pop("expect")
    played, _, held = cards.partition("|")
    scene = Scene(hand=f"{played} {held}", target=1, **more)
    return Row(f"{note}: {cards}", covers, scene, [play(range(len(played.split())))], expect)


# --- Enhancements -----------------------------------------------------------------------------------------------------

NO_LUCK = {"lucky_mult": [False], "lucky_money": [False]}
ENHANCEMENTS = [
    plays("KS/bonus", 5 + 40, 1, "m_bonus"),
    plays("KS/bonus! KH", 10 + 10, 2, "m_bonus"),
    plays("KS | KH/bonus", 15, 1, "m_bonus"),  # held, it does nothing
    plays("KS/mult", 15, 1 + 4, "m_mult"),
    plays("KS/mult KH/mult", 30, 2 + 8, "m_mult"),
    plays("KS/mult! KH", 20, 2, "m_mult"),
    plays("2S/wild 5H 7H 9H JH", 35 + 33, 4, "m_wild", expect={"hand_type": "Flush"}),
    plays("2S/wild! 5H 7H 9H JH", 5 + 10, 1, "m_wild", expect={"hand_type": "High Card"}),  # debuffed: Spades
    plays("2S 5H/wild! 7S 9S JS", 5 + 10, 1, "m_wild", expect={"hand_type": "High Card"}),
    plays("2S/wild! 5S 7S 9S JS", 35 + 31, 4, "m_wild", expect={"hand_type": "Flush"}),  # of its own suit still
    plays("KS/glass", 15, 2, "m_glass", rolls={"glass": [False]}, expect={"discarded": "KS/glass"}),
    plays("KS/glass", 15, 2, "m_glass", rolls={"glass": [True]}, expect={"discarded": ""}),
    plays("KS/glass KH/glass", 30, 8, "m_glass", rolls={"glass": [True, False]}, expect={"discarded": "KH/glass"}),
    plays("KS/glass KH 2D/glass", 30, 4, "m_glass", rolls={"glass": [False]}),  # the 2 did not score
    plays("KS/glass! KH", 20, 2, "m_glass", expect={"discarded": "KS/glass! KH"}),
    # One roll for a card that scored twice.
    plays(
        "KS/glass#Red", 25, 4, "m_glass seal_red pitfall:glass-once", rolls={"glass": [True]}, expect={"discarded": ""}
    ),
    plays("KS/glass", 15, 2, "m_glass", jokers="j_oops", rolls={"glass": [(0.25, 0.5)]}, expect={"discarded": ""}),
    plays("KS | KH/steel", 15, 1.5, "m_steel"),
    plays("KS | KH/steel KC/steel", 15, 2.25, "m_steel"),
    plays("KS | KH/steel#Red", 15, 2.25, "m_steel seal_red"),
    plays("KS | KH/steel!", 15, 1, "m_steel"),
    plays("KS/steel", 15, 1, "m_steel"),  # played, it does nothing
    plays("KS/stone", 5 + 50, 1, "m_stone pitfall:stone", expect={"hand_type": "High Card"}),
    plays("KS KH/stone", 5 + 10 + 50, 1, "m_stone pitfall:stone", expect={"hand_type": "High Card"}),  # no Pair
    plays("KS KH 2D/stone", 10 + 20 + 50, 2, "m_stone pitfall:stone"),  # always scores
    plays("2S 5S 7S 9S JS/stone", 5 + 9 + 50, 1, "m_stone pitfall:stone", expect={"hand_type": "High Card"}),  # no suit
    plays("KS/stone+5", 5 + 55, 1, "m_stone"),  # Hiker's chips
    wins("m_gold pays $3 when held", "m_gold", "KS | KH/gold KC/gold", money=4, expect={"money": 10}),
    wins("m_gold pays again with Red Seal", "m_gold seal_red", "KS | KH/gold#Red", money=4, expect={"money": 10}),
    wins("m_gold pays nothing when played", "m_gold", "KS/gold | KH", money=4, expect={"money": 4}),
    wins("m_gold pays nothing debuffed", "m_gold", "KS | KH/gold!", blind="bl_head", money=4, expect={"money": 4}),
    plays("KS | KH/gold", 15, 1, "m_gold", expect={"money": 4}),  # only at the end of the round
    plays("KS/lucky", 15, 1, "m_lucky", rolls=NO_LUCK, expect={"money": 4}),
    plays("KS/lucky", 15, 1 + 20, "m_lucky", rolls={"lucky_mult": [True], "lucky_money": [False]}, expect={"money": 4}),
    plays("KS/lucky", 15, 1, "m_lucky", rolls={"lucky_mult": [False], "lucky_money": [True]}, expect={"money": 24}),
    plays("KS/lucky", 15, 21, "m_lucky", rolls={"lucky_mult": [True], "lucky_money": [True]}, expect={"money": 24}),
    plays(
        "KS/lucky#Red",  # rolled again each time
        25,
        1 + 20,
        "m_lucky seal_red",
        rolls={"lucky_mult": [False, True], "lucky_money": [True, False]},
        expect={"money": 24},
    ),
    plays("KS/lucky! KH", 20, 2, "m_lucky"),
    plays("KS KH | 2D/lucky", 30, 2, "m_lucky"),
]

# --- Editions ---------------------------------------------------------------------------------------------------------

EDITIONS = [
    plays("KS", 15, 1, "e_base", jokers="j_egg"),
    plays("KS*foil", 15 + 50, 1, "e_foil"),
    plays("KS*holo", 15, 1 + 10, "e_holo"),
    plays("KS*poly", 15, 1.5, "e_polychrome"),
    plays("KS*foil! KH", 20, 2, "e_foil"),
    plays("KS | KH*holo", 15, 1, "e_holo"),  # held, it does nothing
    plays("KS/mult*poly", 15, (1 + 4) * 1.5, "e_polychrome m_mult"),  # after the card's own
    plays("KS", 15 + 50, 1, "e_foil", jokers="j_egg:e_foil"),
    plays("KS", 15, 1 + 10, "e_holo", jokers="j_egg:e_holo"),
    plays("KS", 15, 1.5, "e_polychrome", jokers="j_egg:e_polychrome"),
    plays("KS", 15, (1 + 4) * 1.5, "e_polychrome", jokers="j_joker:e_polychrome"),  # after the joker
    plays("KS", 15, (1 + 10) * 3, "e_holo", jokers="j_ramen:x_mult=3.0,e_holo"),  # before the joker
    plays("KS", 15, 1, "e_foil", jokers="j_egg:e_foil,debuffed"),
    row(
        "e_negative: a joker brings its slot",
        "e_negative",
        Scene(phase="shop", shop=["j_hack:e_negative"], money=20, jokers=["j_joker"] * 5),
        buy("j_hack"),
        jokers=["j_joker"] * 5 + ["j_hack"],
        money=20 - (6 + 5),
    ),
    row(
        "e_negative: a base joker needs a slot",
        "e_base",
        Scene(phase="shop", shop=["j_hack"], money=20, jokers=["j_joker"] * 5),
        buy("j_hack"),
        refused="no free slot",
    ),
    row(
        "e_negative: selling it takes the slot along",
        "e_negative",
        Scene(phase="shop", shop=["j_hack"], money=20, jokers=[*["j_joker"] * 5, "j_egg:e_negative"]),
        sell("j_egg"),
        buy("j_hack"),
        refused="no free slot",
    ),
    row(
        "e_negative: a consumable brings its slot",
        "e_negative",
        Scene(phase="shop", shop=["c_fool"], money=20, consumables=["c_moon", "c_sun:e_negative"]),
        buy("c_fool"),
        consumables=["c_moon", "c_sun", "c_fool"],
    ),
]

# --- Seals ------------------------------------------------------------------------------------------------------------

TWO_CONSUMABLES = ["c_moon", "c_sun"]
SEALS = [
    plays("KS#Gold", 15, 1, "seal_gold pitfall:gold-seal-and-card", expect={"money": 7}),
    plays("KS#Gold KH#Gold", 30, 2, "seal_gold", expect={"money": 10}),
    plays("KS KH 2D#Gold", 30, 2, "seal_gold", expect={"money": 4}),  # did not score
    plays("KS#Gold! KH", 20, 2, "seal_gold", expect={"money": 4}),
    plays("KS#Red", 25, 1, "seal_red"),
    plays("KS/mult*foil#Red", 5 + 2 * 60, 1 + 2 * 4, "seal_red"),
    plays("KS#Red KH", 40, 2, "seal_red"),
    plays("KS#Red! KH", 20, 2, "seal_red"),
    plays("KS | QH#Red", 15, 1 + 2 * 13, "seal_red", jokers="j_shoot_the_moon"),
    wins("Gold seal pays nothing when held", "seal_gold", "KS | KH#Gold", money=4, expect={"money": 4}),
    wins(
        "Blue seal gives the planet of the last hand",
        "seal_blue",
        "KS KH | 2D#Blue",
        expect={"consumables": ["c_mercury"]},
    ),
    wins(
        "two Blue seals fill both slots",
        "seal_blue",
        "KS | 2D#Blue 3D#Blue",
        expect={"consumables": ["c_pluto", "c_pluto"]},
    ),
    wins(
        "Blue seal without room",
        "seal_blue",
        "KS | 2D#Blue",
        consumables=TWO_CONSUMABLES,
        expect={"consumables": TWO_CONSUMABLES},
    ),
    wins("Blue seal played", "seal_blue", "KS#Blue | 2D", expect={"consumables": []}),
    wins("Blue seal debuffed", "seal_blue", "KS | 2H#Blue!", blind="bl_head", expect={"consumables": []}),
    row(
        "Blue seal: the last hand counts, not the first",
        "seal_blue pitfall:blue-seal-last-hand",
        Scene(hand="KS KH 2S 2D#Blue", target=70),
        play("KS KH"),
        play("2S"),
        phase="selecting_hand",
        consumables=[],
    ),
    row(
        "Blue seal: the last hand counts",
        "seal_blue pitfall:blue-seal-last-hand",
        Scene(hand="KS KH 2S 2D#Blue", target=65),
        play("KS KH"),
        play("2S"),
        phase="round_eval",
        consumables=["c_pluto"],
    ),
    row(
        "Purple seal makes a tarot when discarded",
        "seal_purple",
        Scene(hand="KS#Purple KH", rolls={"Tarot8ba1": ["c_world"]}),
        discard("KS"),
        consumables=["c_world"],
    ),
    row(
        "two Purple seals make two tarots",
        "seal_purple",
        Scene(hand="KS#Purple KH#Purple", rolls={"Tarot8ba1": ["c_world", "c_sun"]}),
        discard("KS KH"),
        consumables=["c_world", "c_sun"],
    ),
    row(
        "Purple seal without room draws nothing",
        "seal_purple pitfall:no-room-no-draw",
        Scene(hand="KS#Purple KH", consumables=TWO_CONSUMABLES),
        discard("KS"),
        consumables=TWO_CONSUMABLES,
    ),
    row(
        "Purple seal debuffed",
        "seal_purple",
        Scene(hand="KS#Purple! KH", blind="bl_goad"),
        discard("KS"),
        consumables=[],
    ),
    row("Purple seal played", "seal_purple", Scene(hand="KS#Purple KH"), play("KS"), consumables=[]),
    row(
        "Purple seal discarded by The Hook",
        "seal_purple bl_hook pitfall:hook-discards",
        Scene(
            hand="KS 2D#Purple",
            blind="bl_hook",
            rolls={"hook": [Pick(0, of=1)], "Tarot8ba1": ["c_world"]},
        ),
        play("KS"),
        consumables=["c_world"],
    ),
]

# --- Stickers ---------------------------------------------------------------------------------------------------------

STICKERS = [
    row(
        "eternal: cannot be sold",
        "eternal",
        Scene(phase="shop", jokers=["j_egg:eternal"]),
        sell("j_egg"),
        refused="eternal",
    ),
    row(
        "eternal: its place in the row may change",
        "eternal",
        Scene(phase="shop", jokers=["j_egg:eternal", "j_joker"]),
        lambda live: live.move_joker("j_egg", 1),
        jokers=["j_joker", "j_egg"],
    ),
    *(
        row(
            f"perishable: {left} rounds left become {left - 1}",
            "perishable pitfall:perishable",
            Scene(hand="KS", target=1, jokers=[f"j_egg:perishable,perish_left={left}"]),
            play("KS"),
            debuffed=[left == 1],
            at={"jokers.0.perish_left": left - 1},
        )
        for left in (5, 2, 1)
    ),
    row(
        "perishable: after its last round it stays, debuffed",
        "perishable pitfall:perishable",
        Scene(hand="KS", target=1, jokers=["j_joker:debuffed"]),
        play("KS"),
        mult=1,
        debuffed=[True],
        at={"jokers.0.perish_left": 0},
    ),
    row(
        "rental: $3 at the end of each round, before interest",
        "rental",
        Scene(hand="KS", target=1, money=12, jokers=["j_egg:rental"]),
        play("KS"),
        money=9,
        payout={"interest": 1},
    ),
    row(
        "rental: three of them lead into debt",
        "rental",
        Scene(hand="KS", target=1, money=4, jokers=["j_egg:rental", "j_joker:rental", "j_hack:rental"]),
        play("KS"),
        money=4 - 9,
        payout={"interest": 0},
    ),
    row(
        "rental: costs $1 and sells for $1",
        "rental",
        Scene(phase="shop", shop=["j_blueprint:rental,e_foil"], money=1),
        buy("j_blueprint"),
        money=0,
        sell_values=[1],
    ),
    row(
        "rental: costs $1 with every discount too",
        "rental v_clearance_sale",
        Scene(phase="shop", shop=["j_blueprint:rental"], shop_vouchers=["v_clearance_sale"], money=20),
        redeem(),
        prices=[1],
    ),
    row(
        "stickers come along from the shop",
        "eternal rental",
        Scene(phase="shop", shop=["j_egg:eternal,rental"], money=20),
        buy("j_egg"),
        at={"jokers.0.eternal": True, "jokers.0.rental": True, "jokers.0.perishable": False},
    ),
]

# The card itself keeps what it carries, whatever zone it is in.
KEEPING = [
    row(
        "a modified card keeps everything from one round to the next",
        "m_steel e_foil seal_red",
        Scene(hand="KS KH", deck_cards="2D/steel*foil#Red+5", target=1, phase="selecting_hand"),
        play("KS"),
        cash_out,
        full_deck="2D/steel*foil#Red+5 KH KS",
    ),
    row(
        "c_hanged_man takes a card with everything on it",
        "c_hanged_man m_steel",
        Scene(hand="KS/steel*foil#Red 2D", deck_cards="", consumables=["c_hanged_man"]),
        use("c_hanged_man", "KS"),
        full_deck="2D",
    ),
]

ROWS = [*ENHANCEMENTS, *EDITIONS, *SEALS, *STICKERS, *KEEPING]

test_rows = rows_test(ROWS)
