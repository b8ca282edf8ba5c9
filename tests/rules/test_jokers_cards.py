"""Jokers that act on single cards: scored ones, by suit, rank or enhancement, held ones, and retriggers."""

from rules.scene import Row, Scene, discard, play, row, rows_test, scores

SCORED_SUITS = [
    scores("j_greedy_joker", "KD KS", 30, 2 + 3),
    scores("j_lusty_joker", "KH KS", 30, 2 + 3),
    scores("j_wrathful_joker", "KS KH", 30, 2 + 3),
    scores("j_gluttenous_joker", "KC KH", 30, 2 + 3),
    scores("j_greedy_joker", "KD KD#Red", 40, 2 + 9),  # a Red Seal card is scored twice
    scores("j_greedy_joker", "KS/wild KH", 30, 2 + 3),
    scores("j_greedy_joker", "KD! KS", 20, 2),  # debuffed
    scores("j_greedy_joker", "KD/stone", 5 + 50, 1),  # Stone has no suit
    scores("j_greedy_joker:debuffed", "KD KS", 30, 2),
    scores("j_blueprint j_greedy_joker", "KD KS", 30, 2 + 6),
    scores("j_arrowhead", "KS KH", 30 + 50, 2),
    scores("j_onyx_agate", "KC KH", 30, 2 + 7),
    scores("j_rough_gem", "KD KS", 30, 2, expect={"money": 5}),
    scores("j_blueprint j_rough_gem", "KD KS", 30, 2, expect={"money": 6}),
    scores("j_bloodstone", "KH KH KS", 30 + 30, 3 * 1.5, rolls={"bloodstone": [True, False]}),
    scores("j_blueprint j_bloodstone", "KH", 15, 1.5 * 1.5, rolls={"bloodstone": [True, True]}),
    scores("j_ancient", "KH KS", 30, 2 * 1.5, targets={"ancient_suit": "H"}),
    scores("j_ancient", "KH KH", 30, 2 * 1.5 * 1.5, targets={"ancient_suit": "H"}),
    scores("j_idol", "KH KS", 30, 2 * 2, targets={"idol_rank": "K", "idol_suit": "H"}),
    scores("j_idol", "KD KS", 30, 2, targets={"idol_rank": "K", "idol_suit": "H"}),
    scores("j_idol", "QH QS", 30, 2, targets={"idol_rank": "K", "idol_suit": "H"}),
]

SCORED_RANKS = [
    scores("j_fibonacci", "AS AH", 32, 2 + 16),
    scores("j_fibonacci", "8S 8H", 26, 2 + 16),
    scores("j_fibonacci", "5S 5H 3D 3C 2S", 20 + 16, 2 + 32),  # the 2 does not score
    scores("j_fibonacci", "7S 7H", 24, 2),
    scores("j_even_steven", "TS TH", 30, 2 + 8),
    scores("j_even_steven", "AS AH", 32, 2),
    scores("j_even_steven", "QS QH", 30, 2),  # face cards are neither even nor odd
    scores("j_odd_todd", "9S 9H", 28 + 62, 2),
    scores("j_odd_todd", "AS", 16 + 31, 1),
    scores("j_odd_todd", "KS", 15, 1),
    scores("j_scholar", "AS", 16 + 20, 1 + 4),
    scores("j_scholar", "KS", 15, 1),
    scores("j_walkie_talkie", "TS TH", 30 + 20, 2 + 8),
    scores("j_walkie_talkie", "4S", 9 + 10, 1 + 4),
    scores("j_triboulet", "KS KH", 30, 2 * 4),
    scores("j_triboulet", "QS QH", 30, 2 * 4),
    scores("j_triboulet", "JS JH", 30, 2),
    scores("j_blueprint j_triboulet", "KS", 15, 4),
    scores("j_wee", "2S 2H", 14 + 16, 2, expect={"count": 16}),
    scores("j_wee:count=24", "KS", 15 + 24, 1, expect={"count": 24}),
    scores("j_wee", "2S#Red", 9 + 16, 1, expect={"count": 16}),
    # The copy adds the chips but does not let them grow.
    scores("j_blueprint j_wee", "2S", 7 + 8 + 8, 1, expect={"counts": [0, 8]}),
    scores("j_hiker", "KS", 15, 1, expect={"discarded": "KS+5"}),
    scores("j_hiker", "KS+5", 20, 1, expect={"discarded": "KS+10"}),
    scores("j_hiker", "KS#Red", 15 + 15, 1, expect={"discarded": "KS#Red+10"}),  # the second time with 5 more
    scores("j_hiker:debuffed", "KS", 15, 1, expect={"discarded": "KS"}),
]

SCORED_FACES = [
    scores("j_scary_face", "KS KH", 30 + 60, 2),
    scores("j_scary_face", "TS TH", 30, 2),
    scores("j_smiley", "KS QH", 15, 1 + 5),
    scores("j_smiley", "JS JH", 30, 2 + 10),
    scores("j_photograph", "KS KH", 30, 2 * 2),  # the first only
    scores("j_photograph", "2S 2H KD KC", 20 + 4 + 20, 2 * 2),
    scores("j_photograph", "KS#Red KH", 40, 2 * 4),  # each time the first one scores
    scores("j_photograph", "KS! KH", 20, 2 * 2),  # a debuffed card is not a face card
    scores("j_photograph", "TS", 15, 1),
    scores("j_business", "KS KH", 30, 2, rolls={"business": [True, False]}, expect={"money": 6}),
    scores("j_business", "TS TH", 30, 2, expect={"money": 4}),
    scores("j_blueprint j_business", "KS", 15, 1, rolls={"business": [True, True]}, expect={"money": 8}),
]

ENHANCED = [
    scores("j_ticket", "KS/gold KH", 30, 2, expect={"money": 8}),
    scores("j_ticket", "KS/gold! KH", 20, 2, expect={"money": 4}),
    scores("j_midas_mask", "KS KH 2D", 30, 2, expect={"discarded": "KS/gold KH/gold 2D"}),
    scores("j_midas_mask", "KS/glass 2D", 15, 1, expect={"discarded": "KS/gold 2D"}),  # no Glass left to score or break
    scores("j_midas_mask j_ticket", "KS KH", 30, 2, expect={"money": 12}),
    scores("j_midas_mask:debuffed", "KS KH", 30, 2, expect={"discarded": "KS KH"}),
    scores(
        "j_lucky_cat",
        "KS/lucky",
        15,
        (1 + 20) * 1.25,
        rolls={"lucky_mult": [True], "lucky_money": [False]},
        expect={"x_mult": 1.25},
    ),
    scores(
        "j_lucky_cat:x_mult=1.5",
        "KS/lucky",
        15,
        1.75,
        rolls={"lucky_mult": [False], "lucky_money": [True]},
        expect={"x_mult": 1.75, "money": 24},
    ),
    scores(
        "j_lucky_cat",
        "KS/lucky",
        15,
        1,
        rolls={"lucky_mult": [False], "lucky_money": [False]},
        expect={"x_mult": 1},
    ),
    # A Red Seal rolls twice; the copy multiplies but does not grow.
    scores(
        "j_blueprint j_lucky_cat",
        "KS/lucky#Red",
        25,
        (1 + 40) * 1.5 * 1.5,
        rolls={"lucky_mult": [True, True], "lucky_money": [False, False]},
        expect={"x_mults": [1, 1.5]},
    ),
]

RETRIGGERS = [
    scores("j_hack", "2S 2H", 10 + 8, 2),
    scores("j_hack", "5S 5H", 10 + 20, 2),
    scores("j_hack", "6S 6H", 10 + 12, 2),
    scores("j_blueprint j_hack", "2S 2H", 10 + 12, 2),
    scores("j_dusk", "KS KH", 10 + 40, 2, hands=1),
    scores("j_dusk", "KS KH", 30, 2, hands=2),
    scores("j_sock_and_buskin", "KS KH", 10 + 40, 2),
    scores("j_sock_and_buskin", "TS TH", 30, 2),
    scores("j_sock_and_buskin j_photograph", "KS KH", 50, 2 * 2 * 2),
    scores("j_hanging_chad", "KS KH", 10 + 30 + 10, 2),
    scores("j_hanging_chad", "2D KS KH", 10 + 30 + 10, 2),  # the first that scores
    scores("j_blueprint j_hanging_chad", "KS KH", 10 + 50 + 10, 2),
    scores("j_selzer", "KS KH", 10 + 40, 2, expect={"count": 9}),
    scores("j_selzer:count=1", "KS KH", 10 + 40, 2, expect={"jokers": []}),
    scores("j_blueprint j_selzer", "KS KH", 10 + 60, 2, expect={"counts": [0, 9]}),  # used up once
    scores("j_hanging_chad j_hack j_selzer", "2S#Red", 5 + 2 * 6, 1, expect={"hand_type": "High Card"}),
    scores("j_hack", "2S! 2H", 10 + 4, 2),  # a debuffed card does not score at all
]

HELD = [
    scores("j_baron", "2S | KH KD QS", 7, 1.5 * 1.5),
    scores("j_baron", "KS | QH", 15, 1),  # a played King is not held
    scores("j_baron", "2S | KH!", 7, 1),
    scores("j_blueprint j_baron", "2S | KH", 7, 1.5 * 1.5),
    scores("j_shoot_the_moon", "2S | QH QD KS", 7, 1 + 26),
    scores("j_shoot_the_moon", "QS | KH", 15, 1),
    scores("j_raised_fist", "KS | 9D 3H", 15, 1 + 6),
    scores("j_raised_fist", "KS | AD", 15, 1 + 22),
    scores("j_raised_fist", "KS | QD JH", 15, 1 + 20),
    scores("j_raised_fist", "KS | 9D 3H/stone", 15, 1 + 18),  # a Stone card has no rank
    scores("j_raised_fist", "KS | 9D 3H!", 15, 1),  # the lowest is debuffed
    scores("j_raised_fist", "KS", 15, 1),
    scores("j_blueprint j_raised_fist", "KS | 3H", 15, 1 + 12),
    scores("j_reserved_parking", "2S | KH QD TS", 7, 1, rolls={"parking": [True, False]}, expect={"money": 5}),
    scores("j_reserved_parking", "KS | 2H", 15, 1),
    scores("j_mime", "2S | KH/steel", 7, 1.5 * 1.5),
    scores("j_mime", "2S | KH/steel#Red", 7, 1.5**3),
    scores("j_baron j_mime", "2S | KH", 7, 1.5 * 1.5),
    scores("j_blueprint j_mime j_baron", "2S | KH", 7, 1.5**3),
    scores("j_mime:debuffed j_baron", "2S | KH", 7, 1.5),
    # Retriggered only where something happened: the failed roll is not rolled again.
    scores("j_mime j_reserved_parking", "2S | KH", 7, 1, rolls={"parking": [False]}),
    scores("j_mime j_reserved_parking", "2S | KH", 7, 1, rolls={"parking": [True, True]}, expect={"money": 6}),
]

MORE = [
    row(
        "wee grows before its own turn and stays grown",
        "j_wee",
        Scene(jokers=["j_wee"], hand="2S 2H KD", deck_cards=""),
        play("2S 2H"),
        play("KD"),
        chips=15 + 16,
        count=16,
    ),
    row(
        "ancient joker's suit changes at round end to one of the three others",
        "j_ancient",
        Scene(
            jokers=["j_ancient"],
            hand="KH",
            target=1,
            targets={"ancient_suit": "H", "ancient_drawn": True},
            rolls={"anc1": [(0.34, 0.66)]},  # the second of Spades, Clubs, Diamonds
        ),
        play("KH"),
        at={"targets.ancient_suit": "C"},
    ),
    row(
        "idol's card changes at round end",
        "j_idol",
        Scene(
            jokers=["j_idol"],
            hand="KH",
            deck_cards="2C 9D",
            target=1,
            targets={"idol_rank": "K", "idol_suit": "H"},
            rolls={"idol1": [(0.34, 0.66)]},  # the second of 2C, 9D, KH by creation
        ),
        play("KH"),
        at={"targets.idol_rank": "9", "targets.idol_suit": "D"},
    ),
    row(
        "seltzer lasts ten hands and is not touched by discards",
        "j_selzer",
        Scene(jokers=["j_selzer"], hand="KS KH 2D 3C 4C", deck_cards=""),
        discard("2D"),
        play("KS"),
        play("KH"),
        count=8,
        chips=5 + 20,
    ),
]

ROWS: list[Row] = [*SCORED_SUITS, *SCORED_RANKS, *SCORED_FACES, *ENHANCED, *RETRIGGERS, *HELD, *MORE]
test_rows = rows_test(ROWS)
