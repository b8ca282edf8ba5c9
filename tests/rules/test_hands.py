"""The 12 poker hands: how they are found, what scores in them, and how they grow.

The columns are: jokers, cards played, hand found, its chips and those of the scoring cards, mult.
"""

from rules.scene import Row, Scene, play, row, rows_test, scores, use


def finds(jokers: str, cards: str, hand: str, base: int, scored: int, mult: int) -> Row:
    """The base and what the scoring cards add are written apart."""
    covers = " ".join([hand.replace(" ", "_"), *(joker.partition(":")[0] for joker in jokers.split())])
    found = {"hand_type": hand, "played": {hand: 1}}
    return scores(jokers, cards, base + scored, mult, covers=covers, expect=found)


PLAIN = [
    finds("", "KS", "High Card", 5, 10, 1),
    finds("", "2S 9H QD 5C 7S", "High Card", 5, 10, 1),  # the Queen alone scores
    finds("", "AS KH", "High Card", 5, 11, 1),  # the ace is high
    finds("", "KS KH", "Pair", 10, 20, 2),
    finds("", "KS 2H KD 5C 7S", "Pair", 10, 20, 2),
    finds("", "KS KH 2D 2C", "Two Pair", 20, 24, 2),
    finds("", "KS 2H KD 2C 7S", "Two Pair", 20, 24, 2),
    finds("", "KS KH KD", "Three of a Kind", 30, 30, 3),
    finds("", "KS KH KD 2C 7S", "Three of a Kind", 30, 30, 3),
    finds("", "5S 6H 7D 8C 9S", "Straight", 30, 35, 4),
    finds("", "9S 6H 8D 5C 7S", "Straight", 30, 35, 4),  # in any order
    finds("", "AS 2H 3D 4C 5S", "Straight", 30, 25, 4),  # ace low
    finds("", "TS JH QD KC AS", "Straight", 30, 51, 4),  # ace high
    finds("", "QS KH AD 2C 3S", "High Card", 5, 11, 1),  # no way round
    finds("", "5S 6H 7D 8C", "High Card", 5, 8, 1),  # four are not enough
    finds("", "2S 5S 7S 9S KS", "Flush", 35, 33, 4),
    finds("", "2S 5S 7S 9S", "High Card", 5, 9, 1),
    finds("", "KS KS 7S 7S 2S", "Flush", 35, 36, 4),  # above Two Pair
    finds("", "KS KH KD 2C 2S", "Full House", 40, 34, 4),
    finds("", "KS KH KD KC", "Four of a Kind", 60, 40, 7),
    finds("", "KS KH KD KC 2S", "Four of a Kind", 60, 40, 7),
    finds("", "KS KS KS KS 2S", "Four of a Kind", 60, 40, 7),  # above a Flush
    finds("", "5S 6S 7S 8S 9S", "Straight Flush", 100, 35, 8),
    finds("", "AS 2S 3S 4S 5S", "Straight Flush", 100, 25, 8),
    finds("", "TS JS QS KS AS", "Straight Flush", 100, 51, 8),  # a Royal Flush is not a hand of its own
    finds("", "KS KH KD KC KS", "Five of a Kind", 120, 50, 12),
    finds("", "KS KS KS 2S 2S", "Flush House", 140, 34, 14),
    finds("", "KS KS KS KS KS", "Flush Five", 160, 50, 16),
]

FOUR_FINGERS = [
    finds("j_four_fingers", "5S 6H 7D 8C", "Straight", 30, 26, 4),
    finds("j_four_fingers", "5S 6H 7D 8C KS", "Straight", 30, 26, 4),  # the King does not score
    finds("j_four_fingers", "5S 6H 7D 8C 9S", "Straight", 30, 35, 4),  # the fifth one does
    finds("j_four_fingers", "5S 6H 7D 8C 8S", "Straight", 30, 34, 4),  # and so does a second 8
    finds("j_four_fingers", "2S 5S 7S 9S", "Flush", 35, 23, 4),
    finds("j_four_fingers", "2S 5S 7S 9S KH", "Flush", 35, 23, 4),
    finds("j_four_fingers", "AS 2H 3D 4C", "Straight", 30, 20, 4),
    finds("j_four_fingers", "KS AH 2D 3C", "High Card", 5, 11, 1),
    finds("j_four_fingers", "5S 6S 7S 8S", "Straight Flush", 100, 26, 8),
    # The flush part 5 6 7 K of Spades and the straight part 5 6 7 8: all five score.
    finds("j_four_fingers", "5S 6S 7S 8H KS", "Straight Flush", 100, 36, 8),
    finds("j_four_fingers", "5S 6H 7D", "High Card", 5, 7, 1),
    finds("j_four_fingers", "KS KH KD 2C 2S", "Full House", 40, 34, 4),
    finds("j_four_fingers:debuffed", "5S 6H 7D 8C", "High Card", 5, 8, 1),
]

SHORTCUT = [
    finds("j_shortcut", "2S 4H 6D 8C TS", "Straight", 30, 30, 4),
    finds("j_shortcut", "5S 6H 7D 8C TS", "Straight", 30, 36, 4),
    finds("j_shortcut", "AS 3H 5D 7C 9S", "Straight", 30, 35, 4),  # ace low
    finds("j_shortcut", "6S 8H TD QC AS", "Straight", 30, 45, 4),  # ace high
    finds("j_shortcut", "5S 6H 7D 8C JS", "High Card", 5, 10, 1),  # two ranks missing
    finds("j_shortcut", "QS AH 3D 5C 7S", "High Card", 5, 11, 1),  # no way round
    finds("j_shortcut", "2S 4S 6S 8S TS", "Straight Flush", 100, 30, 8),
    finds("j_shortcut:debuffed", "2S 4H 6D 8C TS", "High Card", 5, 10, 1),
    finds("j_shortcut j_four_fingers", "2S 4H 6D 8C KS", "Straight", 30, 20, 4),
]

SUITS = [
    finds("j_smeared", "2H 5D 7H 9D JH", "Flush", 35, 33, 4),
    finds("j_smeared", "2S 5C 7S 9C JS", "Flush", 35, 33, 4),
    finds("j_smeared", "2S 5C 7S 9C JH", "High Card", 5, 10, 1),
    finds("j_smeared", "KH KD KH 2D 2H", "Flush House", 140, 34, 14),
    finds("j_smeared:debuffed", "2H 5D 7H 9D JH", "High Card", 5, 10, 1),
    finds("", "2S/wild 5H 7H 9H JH", "Flush", 35, 33, 4),
    finds("", "2S/wild 5C/wild 7D/wild 9H/wild JH", "Flush", 35, 33, 4),
    finds("", "KS/wild KH KH KH KH", "Flush Five", 160, 50, 16),
    finds("", "5S/wild 6H 7H 8H 9H", "Straight Flush", 100, 35, 8),
    finds("", "2S/wild! 5H 7H 9H JH", "High Card", 5, 10, 1),  # debuffed, it is not a Heart
    finds("", "2S! 5S 7S 9S JS", "Flush", 35, 31, 4),  # debuffed it is still a Spade, but adds no chips
]

SPLASH = [
    finds("j_splash", "KS 2H 3D 5C 7S", "High Card", 5, 27, 1),
    finds("j_splash", "KS KH 3D 5C 7S", "Pair", 10, 35, 2),
    finds("j_splash:debuffed", "KS 2H 3D 5C 7S", "High Card", 5, 10, 1),
]

STONE = [
    finds("", "KS/stone", "High Card", 5, 50, 1),
    finds("", "KS/stone KH/stone", "High Card", 5, 100, 1),  # no ranks, no Pair
    finds("", "KS KH 2D/stone", "Pair", 10, 70, 2),
    finds("", "KS KH KD KC 2S/stone", "Four of a Kind", 60, 90, 7),
    finds("", "5S 6H 7D/stone 8C 9S", "High Card", 5, 59, 1),  # a gap in the straight
    finds("", "2S 5S/stone 7S 9S JS", "High Card", 5, 60, 1),  # four Spades
    finds("j_four_fingers", "2S 5S/stone 7S 9S JS", "Flush", 35, 78, 4),
]

DEBUFFED = [
    finds("", "KS! KH", "Pair", 10, 10, 2),  # the rank still counts
    finds("", "KS! KH! 2D! 2C! 7S!", "Two Pair", 20, 0, 2),
    finds("", "5S! 6H 7D 8C 9S", "Straight", 30, 30, 4),
]

# One level adds so much to chips and mult.
GROWTH = {
    "High Card": ("KS", 5, 1, 10, 1),
    "Pair": ("KS KH", 10, 2, 15, 1),
    "Two Pair": ("KS KH 2D 2C", 20, 2, 20, 1),
    "Three of a Kind": ("KS KH KD", 30, 3, 20, 2),
    "Straight": ("5S 6H 7D 8C 9S", 30, 4, 30, 3),
    "Flush": ("2S 5S 7S 9S KS", 35, 4, 15, 2),
    "Full House": ("KS KH KD 2C 2S", 40, 4, 25, 2),
    "Four of a Kind": ("KS KH KD KC", 60, 7, 30, 3),
    "Straight Flush": ("5S 6S 7S 8S 9S", 100, 8, 40, 4),
    "Five of a Kind": ("KS KH KD KC KS", 120, 12, 35, 3),
    "Flush House": ("KS KS KS 2S 2S", 140, 14, 40, 4),
    "Flush Five": ("KS KS KS KS KS", 160, 16, 50, 3),
}
CARD_CHIPS = {"2": 2, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "K": 10}
LEVELS = [
    row(
        f"{hand} at level {level}",
        hand.replace(" ", "_"),
        Scene(hand=cards, levels={hand: level}),
        play(range(len(cards.split()))),
        hand_type=hand,
        chips=chips + (level - 1) * more_chips + sum(CARD_CHIPS[card[0]] for card in cards.split()),
        mult=mult + (level - 1) * more_mult,
    )
    for hand, (cards, chips, mult, more_chips, more_mult) in GROWTH.items()
    for level in (1, 2, 7)
]

COUNTED = [
    row(
        "the counters of the run and of the round",
        "Pair High_Card",
        Scene(hand="KS KH QS QH 2D", played={"Pair": 3}),
        play("KS KH"),
        play("QS QH"),
        played={"Pair": 5, "High Card": 0},
        at={"hands.Pair.played_this_round": 2, "round.hands_played": 2, "memory.hands_played": 2},
    ),
    row(
        "a planet raises a hand that is still hidden",
        "Flush_Five c_eris",
        Scene(hand="KS KS KS KS KS", consumables=["c_eris"]),
        use("c_eris"),
        play(range(5)),
        chips=160 + 50 + 50,
        mult=16 + 3,
    ),
]

ROWS = [*PLAIN, *FOUR_FINGERS, *SHORTCUT, *SUITS, *SPLASH, *STONE, *DEBUFFED, *LEVELS, *COUNTED]

test_rows = rows_test(ROWS)
