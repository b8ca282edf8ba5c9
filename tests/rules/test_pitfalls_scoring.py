"""Rules of scoring, and of jokers at the ends of a round, that simulators get wrong (see pitfalls.py)."""

from rules.scene import Pick, Row, Scene, cash_out, discard, play, row, rows_test, scores, select_blind, use

ORDER = [
    row(
        "cards score in hand order, not in the order of selection",
        "pitfall:hand-order",
        Scene(jokers=["j_photograph"], hand="KS/mult KH/glass", rolls={"glass": [False]}),
        play([1, 0]),
        mult=(2 + 4) * 2 * 2,  # the left King first: +4, X2 for the photograph; then Glass X2
    ),
    row(
        "the right card first",
        "pitfall:hand-order",
        Scene(jokers=["j_photograph"], hand="KH/glass KS/mult", rolls={"glass": [False]}),
        play([0, 1]),
        mult=2 * 2 * 2 + 4,
    ),
]

COUNTERS = [
    row(
        "a blocked hand counts as played",
        "pitfall:play-counters",
        Scene(blind="bl_psychic", hand="KS KH 2D", played={"Pair": 2}),
        play("KS KH"),
        blocked=True,
        score=0,
        played={"Pair": 3},
        at={"hands.Pair.played_this_round": 1, "memory.hands_played": 1},
    ),
    row(
        "a second hand is counted once more",
        "pitfall:play-counters",
        Scene(hand="KS KH 2D 2C", deck_cards=""),
        play("KS KH"),
        play("2D 2C"),
        played={"Pair": 2, "High Card": 0},
        at={"memory.hands_played": 2},
    ),
    row(
        "the round's count rises after scoring: DNA still sees the first hand",
        "pitfall:round-counter",
        Scene(jokers=["j_dna"], hand="KS 2D", deck_cards=""),
        play("KS"),
        hand="2D KS",
        at={"round.hands_played": 1},
    ),
    scores("j_supernova", "KS", 15, 1 + 3, played={"High Card": 2}, covers="pitfall:counters-read"),
    scores(
        "j_card_sharp",
        "KS",
        15,
        3,
        state={"hands.High Card.played_this_round": 1},
        covers="pitfall:counters-read",
    ),
    # The third High Card draws level with Pair: not the most played.
    scores("j_obelisk", "KS", 15, 1.2, played={"High Card": 2, "Pair": 3}, covers="pitfall:counters-read"),
    scores("j_ride_the_bus:count=2", "2S", 7, 1 + 3, covers="pitfall:counters-read"),
    scores(
        "j_loyalty_card:count=7",
        "KS",
        15,
        4,
        memory={"hands_played": 12},
        covers="pitfall:loyalty-from-creation",
    ),
]

EVERYWHERE = "pitfall:suit-and-face-everywhere"
SUIT_AND_FACE = [
    # Pareidolia makes the 2 a face card.
    scores("j_ride_the_bus:count=5 j_pareidolia", "2S", 7, 1, covers=EVERYWHERE, expect={"count": 0}),
    scores("j_photograph j_pareidolia", "2S", 7, 2, covers=EVERYWHERE),
    scores("j_reserved_parking j_pareidolia", "KS | 2H", 15, 1, covers=EVERYWHERE, rolls={"parking": [True]}),
    row(
        "canio and Pareidolia",
        EVERYWHERE,
        Scene(jokers=["j_caino", "j_pareidolia"], hand="2S 3S", consumables=["c_hanged_man"]),
        use("c_hanged_man", "2S 3S"),
        x_mult=3.0,
    ),
    row(
        "faceless and Pareidolia",
        EVERYWHERE,
        Scene(jokers=["j_faceless", "j_pareidolia"], hand="2S 3S 4S"),
        discard("2S 3S 4S"),
        money=9,
    ),
    row(
        "castle and Smeared",
        EVERYWHERE,
        Scene(jokers=["j_castle", "j_smeared"], hand="2D 3H 4S", targets={"castle_suit": "H"}),
        discard("2D 3H 4S"),
        count=6,
    ),
    row(
        "The Plant and Pareidolia",
        EVERYWHERE,
        Scene(jokers=["j_pareidolia"], phase="blind_select", blind="bl_plant", deck_cards="2S KS"),
        select_blind,
        hand="KS! 2S!",
    ),
    row(
        "The Goad and Smeared",
        EVERYWHERE,
        Scene(jokers=["j_smeared"], phase="blind_select", blind="bl_goad", deck_cards="2C KS 3H"),
        select_blind,
        hand="KS! 3H 2C!",
    ),
    # With Smeared two red and two black cards are all four suits.
    scores("j_flower_pot j_smeared", "2S 2S 2H 2H", 60 + 8, 7 * 3, covers=EVERYWHERE),
    scores("j_flower_pot j_splash", "KS 2H 3D 4C", 5 + 19, 3, covers=EVERYWHERE),
    scores("j_blackboard", "KS | 2S 3C", 15, 3, covers=f"{EVERYWHERE} j_blackboard"),
    scores("j_blackboard", "KS | 2S 3H", 15, 1, covers="j_blackboard"),
    scores("j_blackboard", "KS | 3H/wild", 15, 3, covers=f"{EVERYWHERE} j_blackboard"),
    scores("j_blackboard", "KS | 2S/stone", 15, 1, covers=f"{EVERYWHERE} j_blackboard"),
    scores("j_blueprint j_blackboard", "KS | 2S", 15, 9, covers="j_blackboard j_blueprint"),
    scores("j_blackboard:debuffed", "KS | 2S", 15, 1, covers="j_blackboard"),
    scores("j_blackboard", "KS", 15, 3, covers="pitfall:blackboard-empty j_blackboard"),
    row(
        "a Wild card is debuffed by every suit boss, Stone by none",
        "pitfall:wild-and-suit-bosses",
        Scene(phase="blind_select", blind="bl_club", deck_cards="KH/wild QC JC/stone TH"),
        select_blind,
        hand="KH/wild! QC! TH JC/stone",
    ),
    row(
        "the same under The Window",
        "pitfall:wild-and-suit-bosses",
        Scene(phase="blind_select", blind="bl_window", deck_cards="KH/wild QD JD/stone TH"),
        select_blind,
        hand="KH/wild! QD! TH JD/stone",
    ),
]

SHAPES = [
    # Spades 2 3 4 9 are the flush, 2 3 4 5 the straight; all five score.
    scores(
        "j_four_fingers",
        "9S 5H 4S 3S 2S",
        100 + 23,
        8,
        covers="pitfall:four-fingers-union",
        expect={"hand_type": "Straight Flush"},
    ),
    scores(
        "j_shortcut",
        "AS KH JD 9C 7S",
        30 + 11 + 10 + 10 + 9 + 7,
        4,
        covers="pitfall:shortcut-gaps",
        expect={"hand_type": "Straight"},
    ),
    scores(
        "j_shortcut",
        "9S 7H 5D 3C AS",
        30 + 9 + 7 + 5 + 3 + 11,
        4,
        covers="pitfall:shortcut-gaps",
        expect={"hand_type": "Straight"},
    ),
    scores(
        "j_shortcut", "QS KH AD 2C 3S", 5 + 11, 1, covers="pitfall:shortcut-gaps", expect={"hand_type": "High Card"}
    ),  # no wrap
    scores("", "AS 2H 3D 4C 5S", 55, 4, covers="pitfall:shortcut-gaps", expect={"hand_type": "Straight"}),
    scores("", "AS KH QD JC TS", 81, 4, covers="pitfall:shortcut-gaps", expect={"hand_type": "Straight"}),
]

MONEY = [
    # $4, and $3 by the Gold Seal: $7, so 14 chips.
    scores("j_bull", "KS#Gold", 15 + 14, 1, covers="pitfall:money-while-scoring pitfall:gold-seal-and-card"),
    scores("j_bootstraps j_rough_gem", "KD", 15, 1 + 2, covers="pitfall:money-while-scoring"),
    scores(
        "j_bull",
        "KS/lucky",
        15 + 48,
        1,
        covers="pitfall:money-while-scoring",
        rolls={"lucky_mult": [False], "lucky_money": [True]},
    ),
    scores("j_business j_bull", "KS", 15 + 12, 1, covers="pitfall:money-while-scoring", rolls={"business": [True]}),
]

VAMPIRE = [
    # Neither the +30 chips nor the Glass X2 score, and nothing breaks.
    scores("j_vampire", "KS/bonus KH/glass", 30, 2 * 1.2, covers="pitfall:vampire-strips-first j_vampire"),
    # A Stone card has become a plain King.
    scores("j_vampire", "KS/stone", 5 + 10, 1.1, covers="pitfall:vampire-strips-first j_vampire"),
    # Midas to the left makes gold that Vampire eats.
    scores(
        "j_midas_mask j_vampire",
        "KS",
        15,
        1.1,
        covers="pitfall:vampire-strips-first",
        expect={"discarded": "KS"},
    ),
]

BLOCKED = [
    row(
        "ice cream melts after a blocked hand",
        "pitfall:after-effects-when-blocked j_ice_cream",
        Scene(jokers=["j_ice_cream"], blind="bl_psychic", hand="KS KH"),
        play("KS KH"),
        score=0,
        count=95,
    ),
    row(
        "seltzer is used by a blocked hand",
        "pitfall:after-effects-when-blocked j_selzer",
        Scene(jokers=["j_selzer"], blind="bl_psychic", hand="KS KH"),
        play("KS KH"),
        score=0,
        count=9,
    ),
    row(
        "green joker does not grow by a blocked hand",
        "pitfall:after-effects-when-blocked j_green_joker",
        Scene(jokers=["j_green_joker"], blind="bl_psychic", hand="KS KH"),
        play("KS KH"),
        count=0,
    ),
]

HELD = [
    # Both 3s are lowest; the last one counts, and that is debuffed.
    scores("j_raised_fist", "KS | 3H 3D!", 15, 1, covers="pitfall:raised-fist-last"),
    scores("j_raised_fist", "KS | 3H! 3D", 15, 1 + 6, covers="pitfall:raised-fist-last"),
    # Only the last one is retriggered by its Red Seal.
    scores("j_raised_fist", "KS | 3H#Red 3D", 15, 1 + 6, covers="pitfall:raised-fist-last"),
    scores("j_raised_fist", "KS | 3H 3D#Red", 15, 1 + 12, covers="pitfall:raised-fist-last"),
]

JOKERS = [
    scores("j_brainstorm j_joker", "KS", 15, 1 + 4, covers="pitfall:brainstorm-leftmost"),
    scores("j_blueprint j_brainstorm", "KS", 15, 1, covers="pitfall:copy-loop"),
    scores("j_stencil j_egg:debuffed", "KS", 15, 4, covers="pitfall:debuffed-jokers-count"),
    scores("j_baseball j_hack:debuffed", "KS", 15, 1.5, covers="pitfall:debuffed-jokers-count"),
    scores("j_swashbuckler j_baron:debuffed", "KS", 15, 1 + 4, covers="pitfall:debuffed-jokers-count"),
]

STONE = "pitfall:stone"
STONES = [
    scores("", "KS KH 2D/stone", 10 + 20 + 50, 2, covers=STONE),
    scores("", "KS/stone KH/stone", 5 + 100, 1, covers=STONE, expect={"hand_type": "High Card"}),
    scores("j_scary_face", "KS/stone", 5 + 50, 1, covers=STONE),
    scores("j_triboulet", "KS/stone", 5 + 50, 1, covers=STONE),
    scores("", "2S 4S 6S 8S TS/stone", 5 + 8 + 50, 1, covers=STONE, expect={"hand_type": "High Card"}),
    # The ace outranks the King; of two equal ranks there is a pair.
    scores("", "2S KH AD 9C", 5 + 11, 1, covers="pitfall:high-card-tie"),
    # A Stone card is never the high card.
    scores("", "AS/stone 3H", 5 + 50 + 3, 1, covers="pitfall:high-card-tie"),
]

CHANCE = [
    # Both effects of one trigger: X0.25 once. (1 + 20) * 1.25.
    scores(
        "j_lucky_cat",
        "KS/lucky",
        15,
        26.25,
        covers="pitfall:lucky-cat-once",
        rolls={"lucky_mult": [True], "lucky_money": [True]},
        expect={"x_mult": 1.25, "money": 24},
    ),
    # A retriggered card counts once for each trigger.
    scores(
        "j_lucky_cat",
        "KS/lucky#Red",
        25,
        41 * 1.5,
        covers="pitfall:lucky-cat-once",
        rolls={"lucky_mult": [True, True], "lucky_money": [False, False]},
        expect={"x_mult": 1.5},
    ),
]

OOPS = "pitfall:oops-doubles"
DOUBLED = [
    scores(
        "j_oops", "KS/lucky", 15, 1, covers=OOPS, rolls={"lucky_mult": [(0.4, 1)], "lucky_money": [(1 / 15, 2 / 15)]}
    ),
    scores("j_oops", "KS/glass", 15, 2, covers=OOPS, rolls={"glass": [(0.25, 0.5)]}, expect={"discarded": ""}),
    scores("j_oops j_bloodstone", "KH", 15, 1.5, covers=OOPS, rolls={"bloodstone": [(0.5, 1)]}),
    scores("j_oops j_business", "KH", 15, 1, covers=OOPS, rolls={"business": [(0.5, 1)]}, expect={"money": 6}),
    scores(
        "j_oops j_reserved_parking", "2S | KH", 7, 1, covers=OOPS, rolls={"parking": [(0.5, 1)]}, expect={"money": 5}
    ),
    scores("j_oops j_space", "KS", 25, 2, covers=OOPS, rolls={"space": [(0.25, 0.5)]}),
    scores(
        "j_oops j_8_ball",
        "8S",
        13,
        1,
        covers=OOPS,
        rolls={"8ball": [(0.25, 0.5)], "Tarot8ba1": ["c_sun"]},
        expect={"consumables": ["c_sun"]},
    ),
    row(
        "gros michel: 2 in 6",
        OOPS,
        Scene(jokers=["j_oops", "j_gros_michel"], hand="KS", target=1, rolls={"gros_michel": [(1 / 6, 1 / 3)]}),
        play("KS"),
        jokers=["j_oops"],
    ),
    row(
        "cavendish: 2 in 1000",
        OOPS,
        Scene(jokers=["j_oops", "j_cavendish"], hand="KS", target=1, rolls={"cavendish": [(0.001, 0.002)]}),
        play("KS"),
        jokers=["j_oops"],
    ),
    row(
        "hallucination: always",
        OOPS,
        Scene(
            jokers=["j_oops", "j_hallucination"],
            phase="shop",
            boosters=["p_standard_normal_1"],
            money=9,
            rolls={"halu1": [(0.5, 1)], "Tarothal1": ["c_sun"]},
        ),
        lambda live: live.open(),
        consumables=["c_sun"],
    ),
    row(
        "Wheel of Fortune: 2 in 4",
        OOPS,
        Scene(
            jokers=["j_oops"],
            consumables=["c_wheel_of_fortune"],
            hand="KS",
            rolls={"wheel_of_fortune": [(0.25, 0.5), Pick(0, of=1), (0.0, 0.5)]},
        ),
        use("c_wheel_of_fortune"),
        editions=["e_foil"],
    ),
    row(
        "The Wheel: 2 in 7",
        OOPS,
        Scene(
            jokers=["j_oops"],
            phase="blind_select",
            blind="bl_wheel",
            deck_cards="KS",
            rolls={"wheel": [(1 / 7, 2 / 7)]},
        ),
        select_blind,
        hand="KS^",
    ),
]

FINAL = [
    # Pair at level 1: (2 + 4) by the Joker, then X1.5 for each Mercury.
    scores(
        "j_joker",
        "KS KH",
        30,
        (2 + 4) * 1.5 * 1.5,
        covers="pitfall:observatory",
        vouchers=["v_observatory"],
        consumables=["c_mercury", "c_mercury"],
    ),
    scores("", "KS KH", 30, 2, covers="pitfall:observatory", vouchers=["v_observatory"], consumables=["c_pluto"]),
    # 35 chips become floor(17.5 + 0.5) = 18; mult 4 becomes 2.
    scores("", "2C 4C 6C 8C TC", 18 + 30, 2, covers="pitfall:flint", blind="bl_flint"),
    # High Card: 5 becomes 3, mult 1 stays 1.
    scores("", "KS", 3 + 10, 1, covers="pitfall:flint", blind="bl_flint"),
    # (30 + 2) / 2 = 16; (15 + 1 + 4) / 2 = 10.
    scores("", "KS KH", 16, 16, covers="pitfall:plasma", deck="b_plasma", expect={"score": 256}),
    scores("j_joker", "KS", 10, 10, covers="pitfall:plasma", deck="b_plasma", expect={"score": 100}),
    # (16 + 1) / 2 = 8.5, cut to 8.
    scores("", "AS", 8, 8, covers="pitfall:plasma", deck="b_plasma", expect={"score": 64}),
    # 15 x 1.5 = 22.5, cut to 22.
    scores("j_baron", "QS | KH", 15, 1.5, covers="pitfall:score-floor", expect={"score": 22, "total": 22}),
    row(
        "huge scores are doubles",
        "pitfall:score-floor",
        Scene(hand="KS", levels={"High Card": 100_000_000}, chips=1e300, target=1e308),
        play("KS"),
        chips=1_000_000_005,  # 5 + 10 x 99,999,999, and the King
        mult=100_000_000,
        total=1e300,
    ),
]

SECRET = [
    row(
        "a levelled secret hand is not visible: To Do List has nine hands to choose from",
        "pitfall:secret-hand-visible",
        Scene(
            phase="shop",
            shop=["j_todo_list"],
            money=9,
            consumables=["c_planet_x"],
            rolls={"to_do": [Pick(8, of=9)]},
        ),
        use("c_planet_x"),
        lambda live: live.buy("j_todo_list"),
        levels={"Five of a Kind": 2},
        count=0,  # High Card is the last of nine
    ),
    row(
        "a played one is: ten hands",
        "pitfall:secret-hand-visible",
        Scene(
            phase="shop",
            shop=["j_todo_list"],
            money=9,
            played={"Five of a Kind": 1},
            rolls={"to_do": [Pick(0, of=10)]},
        ),
        lambda live: live.buy("j_todo_list"),
        count=9,  # Five of a Kind is the first
    ),
]

MATADOR = "pitfall:matador j_matador"
MATADORS = [
    # Nothing for The Tooth and The Hook (a working hypothesis).
    scores("j_matador", "KS | 2H", 15, 1, covers=MATADOR, blind="bl_tooth", expect={"money": 4 - 1}),
    scores("j_matador", "KS | 2H", 15, 1, covers=MATADOR, blind="bl_hook", rolls={"hook": 1}, expect={"money": 4}),
    scores("j_matador", "KS KH", 25, 1, covers=MATADOR, blind="bl_flint", expect={"money": 12}),
    scores("j_matador", "KS KH", 30, 2, covers=MATADOR, blind="bl_arm", levels={"Pair": 2}, expect={"money": 12}),
    scores("j_matador", "KS KH", 30, 2, covers=MATADOR, blind="bl_arm", expect={"money": 4}),  # level 1 stays
    scores("j_matador", "KS KH", 30, 2, covers=MATADOR, blind="bl_mouth", expect={"money": 4}),
]

ROUND_START = [
    row(
        "the boss acts before jokers: The Needle leaves one hand, then Burglar adds three",
        "pitfall:blind-start-order",
        Scene(jokers=["j_burglar"], phase="blind_select", blind="bl_needle"),
        select_blind,
        hands=1 + 3,
        discards=0,
    ),
    row(
        "jokers act before the deck is shuffled and dealt",
        "pitfall:blind-start-order pitfall:marble-into-deck",
        Scene(jokers=["j_marble"], phase="blind_select", deck_cards="2S 3S", rolls={"marb_fr": ["S_K"], "nr1": 1}),
        select_blind,
        hand="3S 2S KS/stone",
        deck="",
    ),
    row(
        "a card made under a boss is debuffed by it",
        "pitfall:blind-start-order",
        Scene(
            jokers=["j_certificate"],
            phase="blind_select",
            blind="bl_head",
            deck_cards="2S",
            rolls={"cert_fr": ["H_9"], "certsl": [(0.8, 1)]},
        ),
        select_blind,
        hand="9H#Red! 2S",
    ),
]

ROUND_END = [
    row(
        "held Gold cards pay before the payout: interest on $10",
        "pitfall:held-at-end pitfall:gold-seal-and-card",
        Scene(hand="KS 2H/gold 3H/gold", money=4, target=1),
        play("KS"),
        money=10,
        payout={"interest": 2},
    ),
    row(
        "Red Seal and Mime retrigger them",
        "pitfall:held-at-end j_mime",
        Scene(jokers=["j_mime"], hand="KS 2H/gold#Red", money=0, target=1),
        play("KS"),
        money=9,
    ),
    row(
        "a copied Mime too",
        "pitfall:held-at-end j_mime j_blueprint",
        Scene(jokers=["j_blueprint", "j_mime"], hand="KS 2H/gold", money=0, target=1),
        play("KS"),
        money=9,
    ),
    row(
        "a debuffed Gold card pays nothing",
        "pitfall:held-at-end",
        Scene(hand="KS 2H/gold!", money=0, target=1),
        play("KS"),
        money=0,
    ),
    row(
        "a played Gold card pays nothing, a held Gold Seal neither",
        "pitfall:gold-seal-and-card",
        Scene(hand="KS/gold 2H#Gold", money=0, target=1),
        play("KS"),
        money=0,
    ),
    row(
        "a Blue Seal gives the planet of the last played hand",
        "pitfall:blue-seal-last-hand",
        Scene(hand="KS KH 2H#Blue", target=100, chips=90, played={"High Card": 7}),
        play("KS KH"),
        consumables=["c_mercury"],
    ),
    row(
        "Mime gives two, as far as there is room",
        "pitfall:held-at-end pitfall:blue-seal-last-hand",
        Scene(jokers=["j_mime"], hand="KS 2H#Blue 3H#Blue", target=1),
        play("KS"),
        consumables=["c_pluto", "c_pluto"],
    ),
    row(
        "rent is charged even if the joker dies",
        "pitfall:rent-of-the-dying",
        Scene(jokers=["j_gros_michel:rental"], hand="KS", money=10, target=1, rolls={"gros_michel": [True]}),
        play("KS"),
        jokers=[],
        money=7,
    ),
    row(
        "perishable counts down each round",
        "pitfall:perishable",
        Scene(jokers=["j_joker:perishable"], hand="KS", target=1),
        play("KS"),
        debuffed=[False],
        at={"jokers.0.perish_left": 4},
    ),
    row(
        "and never recovers",
        "pitfall:perishable",
        Scene(jokers=["j_joker:perishable,perish_left=1"], hand="KS", target=1),
        play("KS"),
        cash_out,
        lambda live: live.act("leave_shop"),
        select_blind,
        debuffed=[True],
        at={"jokers.0.perish_left": 0},
    ),
]

HOOK = [
    row(
        "The Hook's discards feed Castle and Yorick, but not Burnt Joker",
        "pitfall:hook-discards j_burnt",
        Scene(
            jokers=["j_castle", "j_yorick", "j_burnt"],
            blind="bl_hook",
            hand="KS 2H 3H 4D",
            deck_cards="",
            targets={"castle_suit": "H"},
            rolls={"hook": [Pick(1, of=3), Pick(1, of=2)]},  # of 4D, 2H, 3H by creation: 2H, then 3H
        ),
        play("KS"),
        counts=[6, 21, 0],
        hand="4D",
        discarded="2H 3H KS",
        levels={"Pair": 1, "High Card": 1},
        discards=4,
    ),
]

NOTICES = "pitfall:destruction-notices"
DESTRUCTION = [
    row(
        "Hanged Man",
        NOTICES,
        Scene(jokers=["j_caino", "j_glass"], hand="KS/glass 2D", consumables=["c_hanged_man"]),
        use("c_hanged_man", "KS/glass"),
        x_mults=[2.0, 1.75],
    ),
    row(
        "Immolate",
        NOTICES,
        Scene(
            jokers=["j_caino", "j_glass"],
            hand="KS/glass QS JS 2D/glass 3D",
            consumables=["c_immolate"],
            rolls={"immolate": 1},
        ),
        use("c_immolate"),
        x_mults=[4.0, 2.5],
        money=24,
    ),
    row(
        "Trading Card",
        NOTICES,
        Scene(jokers=["j_caino", "j_glass", "j_trading"], hand="KS/glass 2D"),
        discard("KS/glass"),
        x_mults=[2.0, 1.75, 1.0],
    ),
    row(
        "Sixth Sense",
        NOTICES,
        Scene(
            jokers=["j_caino", "j_glass", "j_sixth_sense", "j_pareidolia"],
            hand="6S/glass 2D",
            rolls={"Spectralsixth1": ["c_aura"]},
        ),
        play("6S"),
        x_mults=[2.0, 1.75, 1.0, 1.0],
    ),
    row(
        "a broken Glass card",
        NOTICES,
        Scene(jokers=["j_caino", "j_glass"], hand="KS/glass 2D", rolls={"glass": [True]}),
        play("KS"),
        x_mults=[2.0, 1.75],
    ),
]

ROWS: list[Row] = [
    *ORDER,
    *COUNTERS,
    *SUIT_AND_FACE,
    *SHAPES,
    *MONEY,
    *VAMPIRE,
    *BLOCKED,
    *HELD,
    *JOKERS,
    *STONES,
    *CHANCE,
    *DOUBLED,
    *FINAL,
    *SECRET,
    *MATADORS,
    *ROUND_START,
    *ROUND_END,
    *HOOK,
    *DESTRUCTION,
]
test_rows = rows_test(ROWS)
