"""The 15 decks, and the one of challenges: what a run starts with, and the rules that last."""

from typing import Any

from jimbo.engine.seed_tools import Streams
from rules.scene import OWN, Row, Scene, cash_out, play, reroll, row, rows_test, scores, select_blind
from rules.situation import SEED
from rules.tokens import FRONTS

USUAL: dict[str, Any] = {
    "money": 4,
    "hands": 4,
    "discards": 3,
    "hand_size": 8,
    "round.joker_slots": 5,
    "round.consumable_slots": 2,
    "round.shop_slots": 2,
    "reroll_price": 5,
    "vouchers": [],
    "consumables": [],
    "jokers": [],
    "full_deck": " ".join(rank + suit for suit in "CDHS" for rank in "23456789AJKQT"),
}
CHECKERED = " ".join(rank + suit for suit in "SHHS" for rank in "23456789AJKQT")
DIFFERENT: dict[str, dict[str, Any]] = {
    "b_red": {"discards": 4},
    "b_blue": {"hands": 5},
    "b_yellow": {"money": 14},
    "b_green": {},
    "b_black": {"round.joker_slots": 6, "hands": 3},
    "b_magic": {"vouchers": ["v_crystal_ball"], "round.consumable_slots": 3, "consumables": ["c_fool", "c_fool"]},
    "b_nebula": {"vouchers": ["v_telescope"], "round.consumable_slots": 1},
    "b_ghost": {"consumables": ["c_hex"]},
    "b_abandoned": {"full_deck": " ".join(rank + suit for suit in "CDHS" for rank in "23456789AT")},
    # Created like every deck, then Clubs become Spades and Diamonds Hearts.
    "b_checkered": {"full_deck": CHECKERED},
    "b_zodiac": {
        "vouchers": ["v_overstock_norm", "v_tarot_merchant", "v_planet_merchant"],
        "round.shop_slots": 3,
    },
    "b_painted": {"hand_size": 10, "round.joker_slots": 4},
    "b_anaglyph": {},
    "b_plasma": {},
}


def starts(deck: str, different: dict[str, Any]) -> Row:
    return Row(f"{deck} starts", f"{deck} pitfall:decks", Scene(deck=deck, phase="blind_select"), [], USUAL | different)


STARTS = [starts(deck, different) for deck, different in DIFFERENT.items()]

# All hands and discards but one hand are left, $14 held.
PAYOUTS = [
    row(
        f"{deck} pays out {payout}",
        f"{deck} pitfall:decks",
        Scene(deck=deck, hand="KS KH", money=14, target=1),
        play("KS KH"),
        payout=payout,
    )
    for deck, payout in {
        "b_red": {"hands": 3, "discards": 0, "interest": 2},
        "b_blue": {"hands": 4, "discards": 0, "interest": 2},
        "b_green": {"hands": 6, "discards": 3, "interest": 0},
    }.items()
]

# Joker 20, tarot 4, planet 4, spectral 2 of 30.
GHOST = [
    row(
        "b_ghost: spectrals come last among the cards of the shop",
        "b_ghost pitfall:decks pitfall:slot-order",
        Scene(
            deck="b_ghost",
            phase="shop",
            money=10,
            rolls={"cdt1": [(0.934, 1.0), (0.81, 0.93)], "Spectralsho1": ["c_aura"], "Planetsho1": ["c_mars"]},
        ),
        reroll,
        shop=["c_aura", "c_mars"],
        prices=[4, 3],
    ),
    row(
        "b_ghost: the shop has no Soul or Black Hole, and polls for none",
        "b_ghost pitfall:soul-polls-in-packs-only",
        Scene(
            deck="b_ghost",
            phase="shop",
            money=10,
            rolls={
                "cdt1": [(0.934, 1.0), (0.81, 0.93)],
                "Spectralsho1": ["c_soul"],
                "Spectralsho1_resample2": ["c_black_hole"],
                "Spectralsho1_resample3": ["c_aura"],
                "Planetsho1": 1,
            },
        ),
        reroll,
        at={"shop.cards.0.offer.consumable": "c_aura"},
    ),
]

ANAGLYPH = [
    row(
        "b_anaglyph gains a Double Tag after a boss",
        "b_anaglyph tag_double pitfall:decks",
        Scene(deck="b_anaglyph", hand="KS", blind="bl_wall", target=1),
        play("KS"),
        tags=["tag_double"],
    ),
    row(
        "b_anaglyph gains nothing after another blind",
        "b_anaglyph",
        Scene(deck="b_anaglyph", hand="KS", blind="bl_big", target=1),
        play("KS"),
        tags=[],
    ),
]

PLASMA = [
    # Pair of Kings: 30 x 2, floor(32 / 2) = 16 each. King high: 15 x 1, 8 each. Three Kings: 60 x 3, floor(31.5).
    scores("", "KS KH", 16, 16, deck="b_plasma", covers="b_plasma pitfall:plasma", expect={"score": 256}),
    scores("", "KS", 8, 8, deck="b_plasma", covers="b_plasma pitfall:plasma", expect={"score": 64}),
    scores("", "KS KH KC", 31, 31, deck="b_plasma", covers="b_plasma pitfall:plasma"),
    *(
        row(
            f"b_plasma asks twice the score of {blind}",
            "b_plasma pitfall:decks",
            Scene(deck="b_plasma", hand="KS", blind=blind, target=OWN),
            target=target,
        )
        for blind, target in {"bl_small": 600, "bl_big": 900, "bl_hook": 1200, "bl_wall": 2400}.items()
    ),
    row(
        "b_plasma asks the usual twice over of The Wall without its ability",
        "b_plasma bl_wall j_chicot",
        Scene(deck="b_plasma", hand="KS", blind="bl_wall", target=OWN, jokers=["j_chicot"]),
        target=1200,
    ),
]

_STREAMS = Streams(SEED)
ERRATIC_DRAWS = [_STREAMS.randint("erratic", 0, 51) for _ in range(52)]
ERRATIC = [
    # The hash of "erratic" and this seed is NaN, so that every draw is the same: the last of the 52 cards.
    row(
        "b_erratic of a seed whose hash is NaN",
        "b_erratic pitfall:nan-hash",
        Scene(deck="b_erratic", seed="BGY5SDS", phase="blind_select"),
        full_deck=" ".join(["TS"] * 52),
    ),
    # 52 draws from the 52 cards, created in the order of their keys: 2 of Clubs first, Ten of Spades last.
    row(
        "b_erratic draws every card",
        "b_erratic",
        Scene(deck="b_erratic", phase="blind_select"),
        full_deck=" ".join(FRONTS[n][2] + FRONTS[n][0] for n in sorted(ERRATIC_DRAWS)),
    ),
]

CHALLENGE = [
    row(
        "b_challenge has no rules of its own",
        "b_challenge",
        Scene(challenge="c_knife_1", phase="blind_select"),
        hands=4,
        discards=3,
        money=4,
        at={"challenge": "c_knife_1"},
    ),
]

CHECKERED_HAND = [
    row(
        "b_checkered: what was made a Spade or a Heart lies behind its like",
        "b_checkered",
        Scene(deck="b_checkered", phase="blind_select", hand_size=52, rolls={"nr1": 1}),
        select_blind,
        hand=" ".join(rank + suit for rank in "AKQJT98765432" for suit in "SSHH"),
        origins=" ".join(f"{suit}{FRONTS.index(f'{suit}_{rank}') + 1}" for rank in "AKQJT98765432" for suit in "SCHD"),
    ),
]

NEXT_SHOP = [
    row(
        "b_zodiac's first shop has three cards",
        "b_zodiac v_overstock_norm",
        Scene(deck="b_zodiac", phase="round_eval", blind="bl_big", rolls={"cdt1": 3}),
        cash_out,
    ),
]

ROWS = [*STARTS, *PAYOUTS, *GHOST, *ANAGLYPH, *PLASMA, *ERRATIC, *CHALLENGE, *CHECKERED_HAND, *NEXT_SHOP]

test_rows = rows_test(ROWS)
