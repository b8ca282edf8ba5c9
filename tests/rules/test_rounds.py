"""The course of a round and of a run: draws, the deck between rounds, antes, winning and losing, rearranging."""

from typing import Any

from jimbo.engine.seed_tools import Streams
from rules.scene import Scene, cash_out, discard, leave_shop, play, row, rows_test, select_blind, sell, use
from rules.situation import SEED


def shuffled(stream: str, cards: str) -> str:
    """The cards, given in creation order, as the stream's first shuffle leaves them."""
    listed = cards.split()
    return " ".join(listed[n] for n in Streams(SEED).shuffle(stream, len(listed)))


# --- Drawing ----------------------------------------------------------------------------------------------------------

DRAWING = [
    row(
        "the hand is filled from the end of the pile and sorted: rank, then Spades, Hearts, Clubs, Diamonds",
        "",
        Scene(hand="2D 2S KC", hand_size=5, deck_cards="9S AH KD KH KS"),
        discard("2S"),
        hand="KS KH KC KD 2D",
        deck="9S AH",
    ),
    row(
        "Stone cards stand at the right end",
        "m_stone",
        Scene(hand="2D 2S", deck_cards="AS/stone KH"),
        discard("2S"),
        hand="KH 2D AS/stone",
    ),
    row(
        "equal cards lie in the order of the suits that they were created with, then of their creation",
        "",
        Scene(hand="2D 7S<D 7S<C", hand_size=6, deck_cards="7S~90 7S<H 7S~60"),
        discard("2D"),
        origins="S60 S90 H32 C6 D19",
    ),
    row(
        "so do equal Stone cards, from the lowest suit up",
        "m_stone",
        Scene(hand="2D 7S<D/stone", deck_cards="7S/stone 7S<C/stone"),
        discard("2D"),
        origins="D19 C6 S45",
    ),
    row(
        "a round starts with a full hand",
        "",
        Scene(phase="blind_select"),
        select_blind,
        cards_in_hand=8,
        cards_in_deck=44,
        hands=4,
        discards=4,
    ),
    row(
        "a hand below its size is filled after a play, one above it is not",
        "",
        Scene(hand="AS KS QS JS", hand_size=2, deck_cards="2D"),
        play("AS"),
        hand="KS QS JS",
        deck="2D",
    ),
    row("no more discards than given", "", Scene(hand="KS 2D", discards=0), discard("2D"), refused="no discards"),
    row("at most 5 cards are played", "", Scene(hand="AS KS QS JS TS 9S"), play(range(6)), refused="at most five"),
    row(
        "at most 5 cards are discarded", "", Scene(hand="AS KS QS JS TS 9S"), discard(range(6)), refused="at most five"
    ),
    row("at least one card is played", "", Scene(hand="AS KS"), play(()), refused="at least one"),
]

# --- The deck between rounds ------------------------------------------------------------------------------------------

ZONES: dict[str, Any] = {"hand": "KS KH 2D", "deck_cards": "9C 8C", "discard_cards": "7C", "target": 1}
IN_ORDER = "7C 8C 9C 2D KH KS"
DECK = [
    row(
        "at the end of a round: discard pile, played cards, held cards, draw pile",
        "pitfall:deck-after-round",
        Scene(**ZONES),
        play("KH"),
        deck="7C KH KS 2D 9C 8C",
        hand="",
        discarded="",
    ),
    row(
        "at cash-out the deck is shuffled from creation order",
        "pitfall:deck-shuffles",
        Scene(**ZONES),
        play("KH"),
        cash_out,
        deck=shuffled("cashout1", IN_ORDER),
    ),
    row(
        "when a blind is selected it is shuffled again",
        "pitfall:deck-shuffles",
        Scene(**ZONES, state={"round.hand_size": 2}, rolls={"cashout1": 1}),
        play("KH"),
        cash_out,
        leave_shop,
        select_blind,
        # Two cards are drawn from the end.
        deck=" ".join(shuffled("nr1", IN_ORDER).split()[:-2]),
        at={"round.on_deck": "big"},
    ),
    row(
        "face-down and forced marks are gone at the end of a round",
        "bl_house",
        Scene(hand="KS KH^", deck_cards="", blind="bl_house", target=1),
        play("KS"),
        deck="KS KH",
    ),
]

# --- Antes ------------------------------------------------------------------------------------------------------------

BOSS: dict[str, Any] = {"hand": "KS KH", "blind": "bl_wall", "target": 1}
ANTES = [
    row(
        "after a boss the ante is raised while the payout is shown, the blind is still the old one",
        "pitfall:ante-at-payout",
        Scene(**BOSS),
        play("KS"),
        phase="round_eval",
        ante=2,
        at={"round.blind.key": "bl_wall", "round.on_deck": "small"},
    ),
    row(
        "the next ante's boss, tags and voucher come with the cash-out",
        "pitfall:ante-at-payout",
        Scene(**BOSS, rolls={"boss": 1, "Voucher2": 1, "Tag2": 2, "orbital": 3}),
        play("KS"),
        cash_out,
        ante=2,
    ),
    row(
        "the hand that The Ox punishes is fixed then",
        "bl_ox pitfall:ox-fixed-at-payout",
        Scene(**BOSS, played={"Flush": 5, "Pair": 4}, state={"round.most_played": "Pair"}),
        play("KS"),
        at={"round.most_played": "Flush"},
    ),
    row(
        "the hand that The Ox punishes stays through the blinds of an ante",
        "bl_ox pitfall:ox-fixed-at-payout",
        Scene(hand="KS KH", blind="bl_big", target=1, played={"Flush": 5}, state={"round.most_played": "Pair"}),
        play("KS"),
        at={"round.most_played": "Pair"},
    ),
    row(
        "the shop after a boss draws with the next ante's streams",
        "pitfall:ante-at-payout",
        Scene(**BOSS, rolls={"cdt2": 2, "shop_pack2": 1, "cdt1": [], "shop_pack1": []}),
        play("KS"),
        cash_out,
        phase="shop",
    ),
    row(
        "small, big, boss",
        "bl_small bl_big",
        Scene(hand="KS KH", target=1),
        play("KS"),
        cash_out,
        leave_shop,
        select_blind,
        target=450,
        at={"round.blind.key": "bl_big", "round.round_num": 2},
    ),
    row(
        "hands and discards are back for the next round",
        "",
        Scene(hand="KS KH 2D", target=16, hands=2, discards=1),
        discard("2D"),
        play("KS KH"),
        cash_out,
        leave_shop,
        select_blind,
        hands=4,
        discards=4,
    ),
    row(
        "unused discards are counted for the run",
        "tag_garbage",
        Scene(hand="KS KH", target=1, discards=3, memory={"unused_discards": 4}),
        play("KS"),
        at={"memory.unused_discards": 7},
    ),
]

# --- Winning and losing -----------------------------------------------------------------------------------------------

SHOWDOWN: dict[str, Any] = {"hand": "KS KH", "blind": "bl_final_vessel", "ante": 8}
ENDS = [
    row(
        "beating the boss of ante 8 wins, and play may go on",
        "bl_final_vessel pitfall:winning",
        Scene(**SHOWDOWN, target=1),
        play("KS"),
        cash_out,
        phase="shop",
        ante=9,
        at={"flags.won": True},
    ),
    row(
        "losing to the boss of ante 8 is a loss",
        "bl_final_vessel pitfall:winning",
        Scene(**SHOWDOWN, hands=1),
        play("KS"),
        phase="game_over",
        at={"flags.won": False, "flags.end": "lost"},
    ),
    row(
        "beating another blind of ante 8 does not win",
        "pitfall:winning",
        Scene(hand="KS KH", blind="bl_big", ante=8, target=1),
        play("KS"),
        at={"flags.won": False},
    ),
    row(
        "beating the boss of ante 7 does not win",
        "pitfall:winning",
        Scene(hand="KS KH", blind="bl_wall", ante=7, target=1),
        play("KS"),
        at={"flags.won": False},
    ),
    row(
        "after a losing play no cards are drawn",
        "pitfall:no-draw-after-loss",
        Scene(hand="KS KH 2D", deck_cards="9C", hands=1),
        play("KS"),
        phase="game_over",
        hand="KH 2D",
        deck="9C",
    ),
    row(
        "nothing may be done after a loss",
        "pitfall:no-draw-after-loss",
        Scene(hand="KS KH 2D", hands=1, jokers=["j_egg"]),
        play("KS"),
        sell("j_egg"),
        refused="not possible in this phase",
    ),
    row("the target need only be reached", "", Scene(hand="KS KH", target=60), play("KS KH"), phase="round_eval"),
    row("a point short is too short", "", Scene(hand="KS KH 2D", target=61), play("KS KH"), phase="selecting_hand"),
    row(
        "the hands of a round add up",
        "",
        Scene(hand="KS KH 2D", target=67),
        play("KS KH"),
        play("2D"),
        total=67,
        phase="round_eval",
    ),
]

# --- Debuffs follow the cards -----------------------------------------------------------------------------------------

FOLLOWING = [
    row(
        "a copy made under a boss is debuffed like its model",
        "c_cryptid bl_head pitfall:debuffs-follow-cards",
        Scene(hand="KH 2D", blind="bl_head", consumables=["c_cryptid"]),
        use("c_cryptid", "KH"),
        hand="KH! 2D KH! KH!",
    ),
    row(
        "a card that Certificate makes under a boss is debuffed",
        "j_certificate bl_head pitfall:debuffs-follow-cards",
        Scene(
            phase="blind_select",
            blind="bl_head",
            deck_cards="KS",
            jokers=["j_certificate"],
            rolls={"cert_fr": ["H_9"], "certsl": [(0.5, 0.75)]},
        ),
        select_blind,
        hand="KS 9H#Blue!",
    ),
    row(
        "the debuffs end with the round",
        "bl_head",
        Scene(hand="KH KS", deck_cards="2H", blind="bl_head", target=1),
        play("KS"),
        deck="KS KH 2H",
    ),
]

# --- Rearranging ------------------------------------------------------------------------------------------------------

MOVING = [
    row("a card of the hand moves", "", Scene(hand="KS QS JS"), lambda live: live.move_card("KS", 2), hand="QS JS KS"),
    row(
        "the order of the hand is the order of scoring",
        "pitfall:hand-order",
        # Mult card first: (1 + 4) * 1.5; polychrome first: 1.5 + 4.
        Scene(hand="9S*poly 9H/mult"),
        lambda live: live.move_card("9H", 0),
        play("9S 9H"),
        mult=(2 + 4) * 1.5,
    ),
    row(
        "a joker moves",
        "",
        Scene(phase="shop", jokers=["j_egg", "j_hack", "j_joker"]),
        lambda live: live.move_joker("j_joker", 0),
        jokers=["j_joker", "j_egg", "j_hack"],
    ),
    row(
        "a consumable moves",
        "",
        Scene(phase="blind_select", consumables=["c_moon", "c_sun"]),
        lambda live: live.move_consumable("c_moon", 1),
        consumables=["c_sun", "c_moon"],
    ),
    row(
        "the hand sorted by suit, and by rank",
        "",
        Scene(hand="2D KH 9S AC 3S"),
        lambda live: live.act("sort_hand_by_suit"),
        hand="9S 3S KH AC 2D",
    ),
    row(
        "equal cards in a hand sorted by suit",
        "",
        Scene(hand="7S<C 9H<D 7S 9H", deck_cards=""),
        lambda live: live.act("sort_hand_by_suit"),
        origins="S45 C6 H34 D21",
    ),
    row(
        "the hand sorted by rank",
        "",
        Scene(hand="2D KH 9S AC 3S"),
        lambda live: live.act("sort_hand_by_rank"),
        hand="AC KH 9S 3S 2D",
    ),
]

ROWS = [*DRAWING, *DECK, *ANTES, *ENDS, *FOLLOWING, *MOVING]

test_rows = rows_test(ROWS)
