"""Jokers whose strength is counted anew in each hand: constant ones, and those that read the run, deck or jokers."""

from rules.scene import Row, Scene, play, row, rows_test, scores

SIXTEEN_ENHANCED = " ".join(f"{rank}{suit}/mult" for suit in "SH" for rank in "23456789")
FIFTEEN_ENHANCED = SIXTEEN_ENHANCED.removesuffix("/mult")

CONSTANT = [
    scores("j_joker", "KS", 15, 1 + 4),
    scores("j_joker:debuffed", "KS", 15, 1),
    scores("j_blueprint j_joker", "KS", 15, 1 + 8),
    scores("j_gros_michel", "KS", 15, 1 + 15),
    scores("j_cavendish", "KS", 15, 3),
    scores("j_stuntman", "KS", 15 + 250, 1, expect={"hand_size": 6}),
    scores("j_misprint", "KS", 15, 1 + 17, rolls={"misprint": [17]}),
    scores("j_misprint", "KS", 15, 1, rolls={"misprint": [0]}),
    scores("j_misprint", "KS", 15, 1 + 23, rolls={"misprint": [23]}),
    scores("j_blueprint j_misprint", "KS", 15, 1 + 5 + 9, rolls={"misprint": [5, 9]}),
]

ROUND = [
    scores("j_banner", "KS", 15 + 90, 1, discards=3),
    scores("j_banner", "KS", 15, 1, discards=0),
    scores("j_mystic_summit", "KS", 15, 1 + 15, discards=0),
    scores("j_mystic_summit", "KS", 15, 1, discards=1),
    scores("j_bull", "KS", 15 + 14, 1, money=7),
    scores("j_bull", "KS", 15, 1, money=-7),
    scores("j_bootstraps", "KS", 15, 1 + 4, money=14),
    scores("j_bootstraps", "KS", 15, 1, money=4),
    scores("j_fortune_teller", "KS", 15, 1 + 6, memory={"tarots_used": 6}),
    scores("j_throwback", "KS", 15, 1.75, memory={"skips": 3}),
    scores("j_throwback", "KS", 15, 1),
]

# Loyalty Card: `count` is the number of hands the run had when it came. The sixth hand since then counts.
LOYALTY = [
    scores("j_loyalty_card:count=0", "KS", 15, 4, memory={"hands_played": 5}),
    scores("j_loyalty_card:count=0", "KS", 15, 1, memory={"hands_played": 4}),
    scores("j_loyalty_card:count=0", "KS", 15, 1, memory={"hands_played": 6}),
    scores("j_loyalty_card:count=0", "KS", 15, 4, memory={"hands_played": 11}),
    scores("j_loyalty_card:count=3", "KS", 15, 4, memory={"hands_played": 8}),
    scores("j_blueprint j_loyalty_card:count=0", "KS", 15, 16, memory={"hands_played": 5}),
]

DECK = [
    scores("j_blue_joker", "KS | QH", 15 + 100, 1),  # 50 of 52 cards are left
    scores("j_blue_joker", "KS", 15, 1, deck_cards=""),
    scores("j_steel_joker", "KS", 15, 1 + 0.2 * 3, deck_cards="2S/steel 3S/steel", discard_cards="4S/steel"),
    scores("j_steel_joker", "KS", 15, 1, deck_cards="2S"),
    scores("j_stone", "KS", 15 + 50, 1, deck_cards="2S/stone", discard_cards="3S/stone 4S"),
    scores("j_drivers_license", "KS", 15, 3, deck_cards=SIXTEEN_ENHANCED),
    scores("j_drivers_license", "KS", 15, 1, deck_cards=FIFTEEN_ENHANCED),
    scores("j_erosion", "KS", 15, 1 + 4 * 49, deck_cards="2S 3S"),  # 3 of 52 cards
    scores("j_erosion", "KS", 15, 1 + 4 * 37, deck_cards="2S 3S", deck="b_abandoned"),  # 3 of 40 cards
    scores("j_erosion", "KS", 15, 1),
    scores("j_erosion", "KS KS | KS KS", 30, 2),  # more than the deck began with
]

JOKERS = [
    scores("j_abstract j_egg j_golden", "KS", 15, 1 + 9),
    scores("j_abstract j_egg:debuffed", "KS", 15, 1 + 6),
    scores("j_stencil", "KS", 15, 5),  # four empty slots and itself
    scores("j_stencil j_joker", "KS", 15, 4 + 4),
    scores("j_stencil j_stencil", "KS", 15, 5 * 5),  # three empty slots, two Stencils
    scores("j_stencil j_joker:e_negative", "KS", 15, 5 + 4),  # a Negative joker takes no slot
    scores("j_stencil j_egg j_egg j_egg j_egg", "KS", 15, 1),
    scores("j_baseball j_hack j_joker", "KS", 15, 1.5 + 4),  # Hack is Uncommon
    scores("j_hack j_baseball", "KS", 15, 1.5),  # wherever it stands
    scores("j_blueprint j_baseball j_hack", "KS", 15, 1.5 * 1.5),
    # Baron costs 8 and sells for 4, the Egg for 2 + 6.
    scores("j_swashbuckler j_baron j_egg:sell_bonus=6", "KS", 15, 1 + 4 + 8),
    scores("j_swashbuckler", "KS", 15, 1),
    # The copied one leaves itself out: Blueprint sells for 5, Egg for 2; 7 twice.
    scores("j_blueprint j_swashbuckler j_egg", "KS", 15, 1 + 7 + 7),
]

BANANAS = [
    row(
        "gros michel goes bad",
        "j_gros_michel",
        Scene(jokers=["j_gros_michel"], hand="KS", target=1, rolls={"gros_michel": [True]}),
        play("KS"),
        jokers=[],
        at={"memory.gros_michel_extinct": True},
    ),
    row(
        "gros michel keeps",
        "j_gros_michel",
        Scene(jokers=["j_gros_michel"], hand="KS", target=1, rolls={"gros_michel": [False]}),
        play("KS"),
        jokers=["j_gros_michel"],
        at={"memory.gros_michel_extinct": False},
    ),
    row(
        "gros michel is not rolled twice by its copy",
        "j_gros_michel j_blueprint",
        Scene(jokers=["j_blueprint", "j_gros_michel"], hand="KS", target=1, rolls={"gros_michel": [True]}),
        play("KS"),
        jokers=["j_blueprint"],
        mult=1 + 30,
    ),
    row(
        "a debuffed gros michel is not rolled",
        "j_gros_michel",
        Scene(jokers=["j_gros_michel:debuffed"], hand="KS", target=1),
        play("KS"),
        jokers=["j_gros_michel"],
        mult=1,
    ),
    row(
        "cavendish goes bad once in a thousand",
        "j_cavendish",
        Scene(jokers=["j_cavendish"], hand="KS", target=1, rolls={"cavendish": [True]}),
        play("KS"),
        jokers=[],
    ),
    row(
        "cavendish keeps",
        "j_cavendish",
        Scene(jokers=["j_cavendish"], hand="KS", target=1, rolls={"cavendish": [False]}),
        play("KS"),
        jokers=["j_cavendish"],
    ),
]

MORE = [
    row(
        "blue joker counts what is left when the hand scores",
        "j_blue_joker",
        Scene(jokers=["j_blue_joker"], hand="KS KH", deck_cards="2S 3S 4S", hand_size=2),
        play("KS"),
        play("KH"),
        chips=15 + 4,  # one card was drawn after the first hand
    ),
    row(
        "loyalty card counts from its own coming",
        "j_loyalty_card",
        Scene(jokers=["j_loyalty_card"], hand="KS", memory={"hands_played": 5}),
        play("KS"),
        count=0,  # it came when the run had seen no hand
        mult=4,
    ),
]

ROWS: list[Row] = [*CONSTANT, *ROUND, *LOYALTY, *DECK, *JOKERS, *BANANAS, *MORE]
test_rows = rows_test(ROWS)
