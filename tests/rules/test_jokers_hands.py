"""Jokers that ask what the played hand is: its type, its size, its suits, when it is played."""

from rules.scene import Row, Scene, play, row, rows_test, scores

PAIR = "KS KH"  # 10 + 20 chips, X 2
THREE = "7S 7H 7D"  # 30 + 21, X 3
FOUR = "7S 7H 7D 7C"  # 60 + 28, X 7
TWO_PAIR = "7S 7H 4S 4H"  # 20 + 22, X 2
FULL_HOUSE = "7S 7H 7D 4S 4H"  # 40 + 29, X 4
STRAIGHT = "5S 6H 7D 8C 9S"  # 30 + 35, X 4
FLUSH = "2S 4S 6S 8S TS"  # 35 + 30, X 4
STRAIGHT_FLUSH = "5S 6S 7S 8S 9S"  # 100 + 35, X 8

CONTAINS = [
    scores("j_jolly", PAIR, 30, 2 + 8),
    scores("j_jolly", FULL_HOUSE, 69, 4 + 8),
    scores("j_jolly", FOUR, 88, 7 + 8),
    scores("j_jolly", "KS", 15, 1),
    scores("j_zany", THREE, 51, 3 + 12),
    scores("j_zany", FOUR, 88, 7 + 12),
    scores("j_zany", TWO_PAIR, 42, 2),
    scores("j_mad", TWO_PAIR, 42, 2 + 10),
    scores("j_mad", FULL_HOUSE, 69, 4 + 10),
    scores("j_mad", FOUR, 88, 7),
    scores("j_crazy", STRAIGHT, 65, 4 + 12),
    scores("j_crazy", STRAIGHT_FLUSH, 135, 8 + 12),
    scores("j_crazy", FLUSH, 65, 4),
    scores("j_droll", FLUSH, 65, 4 + 10),
    scores("j_droll", STRAIGHT_FLUSH, 135, 8 + 10),
    scores("j_droll", STRAIGHT, 65, 4),
    scores("j_sly", PAIR, 30 + 50, 2),
    scores("j_sly", STRAIGHT, 65, 4),
    scores("j_wily", THREE, 51 + 100, 3),
    scores("j_wily", PAIR, 30, 2),
    scores("j_clever", TWO_PAIR, 42 + 80, 2),
    scores("j_clever", FULL_HOUSE, 69 + 80, 4),
    scores("j_clever", THREE, 51, 3),
    scores("j_devious", STRAIGHT, 65 + 100, 4),
    scores("j_devious", FLUSH, 65, 4),
    scores("j_crafty", FLUSH, 65 + 80, 4),
    scores("j_crafty", STRAIGHT, 65, 4),
    scores("j_duo", PAIR, 30, 2 * 2),
    scores("j_duo", "KS", 15, 1),
    scores("j_trio", THREE, 51, 3 * 3),
    scores("j_trio", FULL_HOUSE, 69, 4 * 3),
    scores("j_family", FOUR, 88, 7 * 4),
    scores("j_family", FULL_HOUSE, 69, 4),
    scores("j_order", STRAIGHT, 65, 4 * 3),
    scores("j_order", STRAIGHT_FLUSH, 135, 8 * 3),
    scores("j_tribe", FLUSH, 65, 4 * 2),
    scores("j_tribe", STRAIGHT, 65, 4),
]

SIZE = [
    scores("j_half", THREE, 51, 3 + 20),
    scores("j_half", "KS", 15, 1 + 20),
    scores("j_half", "7S 7H 7D 2C", 51, 3),  # four played, though three score
]

COUNTERS = [
    scores("j_supernova", PAIR, 30, 2 + 5, played={"Pair": 4}),  # this play is the fifth
    scores("j_supernova", "KS", 15, 1 + 1, played={"Pair": 4}),
    scores("j_card_sharp", PAIR, 30, 2 * 3, state={"hands.Pair.played_this_round": 1}),
    scores("j_card_sharp", PAIR, 30, 2, played={"Pair": 4}),  # in earlier rounds only
    scores("j_space", PAIR, 25 + 20, 3, rolls={"space": [True]}, expect={"levels": {"Pair": 2}}),
    scores("j_space", PAIR, 30, 2, rolls={"space": [False]}, expect={"levels": {"Pair": 1}}),
    # Two chances: level 3, 40 x 4.
    scores("j_blueprint j_space", PAIR, 40 + 20, 4, rolls={"space": [True, True]}, expect={"levels": {"Pair": 3}}),
    scores("j_space:debuffed", PAIR, 30, 2),
]

SHAPES = [
    scores("j_four_fingers", "5S 6H 7D 8C", 30 + 26, 4, expect={"hand_type": "Straight"}),
    scores("j_four_fingers", "2S 4S 6S 8S", 35 + 20, 4, expect={"hand_type": "Flush"}),
    scores("j_four_fingers", "2S 4S 6S 8S TH", 35 + 20, 4),  # the Heart does not score
    scores("j_four_fingers", "5S 6H 7D", 5 + 7, 1, expect={"hand_type": "High Card"}),
    scores("j_four_fingers:debuffed", "5S 6H 7D 8C", 5 + 8, 1, expect={"hand_type": "High Card"}),
    # Copying it gives nothing: three cards are not a straight.
    scores("j_blueprint j_four_fingers", "5S 6H 7D", 5 + 7, 1),
    scores("j_shortcut", "TS 8H 6D 5C 3S", 30 + 32, 4, expect={"hand_type": "Straight"}),
    scores("j_shortcut", "TS 8H 6D 5C 2S", 5 + 10, 1, expect={"hand_type": "High Card"}),  # 5 to 2 is two ranks
    scores("j_shortcut:debuffed", "TS 8H 6D 5C 3S", 5 + 10, 1),
    scores("j_splash", "KS KH 2D 3C", 10 + 20 + 5, 2),
    scores("j_splash:debuffed", "KS KH 2D 3C", 30, 2),
    scores("j_smeared", "2S 4C 6S 8C TS", 65, 4, expect={"hand_type": "Flush"}),
    scores("j_smeared", "2H 4D 6H 8D TS", 5 + 10, 1),
    scores("j_smeared j_greedy_joker", PAIR, 30, 2 + 3),  # the King of Hearts counts as a Diamond
    scores("j_smeared:debuffed", "2S 4C 6S 8C TS", 5 + 10, 1),
    scores("j_pareidolia j_scary_face", "2S", 5 + 2 + 30, 1),
    scores("j_pareidolia:debuffed j_scary_face", "2S", 5 + 2, 1),
]

SUITS = [
    scores("j_flower_pot", "2S 2H 2D 2C", 60 + 8, 7 * 3),
    scores("j_flower_pot", "2S 2H 2D", 30 + 6, 3),
    scores("j_flower_pot", "KS KH 2D 3C", 30, 2),  # Diamond and Club do not score
    scores("j_flower_pot", "2S 2H 2D 2D/wild", 60 + 8, 7 * 3),  # the Wild card is the Club
    scores("j_flower_pot j_splash", "KS KH 2D 3C", 30 + 5, 2 * 3),
    scores("j_seeing_double", "KC KH", 30, 2 * 2),
    scores("j_seeing_double", "KC KC", 30, 2),
    scores("j_seeing_double", "KS KH", 30, 2),
    scores("j_seeing_double", "KC 2H", 5 + 10, 1),  # the Heart does not score
    scores("j_seeing_double", "KH KH/wild", 30, 2 * 2),  # the Wild card is the Club
]

WHEN = [
    scores("j_acrobat", PAIR, 30, 2 * 3, hands=1),
    scores("j_acrobat", PAIR, 30, 2, hands=2),
    scores("j_matador", PAIR, 10 + 10, 2, blind="bl_goad", expect={"money": 4 + 8}),  # the debuffed Spade scores
    scores("j_matador", "KH KD", 30, 2, blind="bl_goad", expect={"money": 4}),
    scores("j_matador", PAIR, 0, 0, blind="bl_psychic", expect={"money": 4 + 8, "blocked": True}),
    scores("j_matador", PAIR, 30, 2, expect={"money": 4}),  # no boss
    scores("j_blueprint j_matador", PAIR, 20, 2, blind="bl_goad", expect={"money": 4 + 16}),
    scores("j_matador:debuffed", PAIR, 20, 2, blind="bl_goad", expect={"money": 4}),
]

MORE = [
    row(
        "card sharp on the second hand of a round",
        "j_card_sharp",
        Scene(jokers=["j_card_sharp"], hand="KS KH 7D 7C", deck_cards=""),
        play("KS KH"),
        play("7D 7C"),
        chips=10 + 14,
        mult=2 * 3,
    ),
    row(
        "card sharp forgets at the next round",
        "j_card_sharp",
        Scene(
            jokers=["j_card_sharp"],
            phase="blind_select",
            deck_cards="KS KH",
            state={"hands.Pair.played_this_round": 1},
        ),
        lambda live: live.act("select_blind"),
        play("KS KH"),
        mult=2,
    ),
]

ROWS: list[Row] = [*CONTAINS, *SIZE, *COUNTERS, *SHAPES, *SUITS, *WHEN, *MORE]
test_rows = rows_test(ROWS)
