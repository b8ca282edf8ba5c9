"""The 30 blinds: what each asks and pays, what every boss does, and what ending its ability gives back."""

from typing import Any

from jimbo.engine.catalog import BLINDS
from rules.scene import OWN, Pick, Row, Scene, discard, play, row, rows_test, select_blind, sell, use

# --- What they ask and pay --------------------------------------------------------------------------------------------

USUAL = 2
MULTIPLIERS = {"bl_small": 1, "bl_big": 1.5, "bl_wall": 4, "bl_needle": 1, "bl_final_vessel": 6}
REWARDS = {"bl_small": 3, "bl_big": 4}
ASKING = [
    row(
        f"{blind} of ante 2",
        blind,
        Scene(hand="KS", blind=blind, ante=2, target=OWN),
        target=800 * MULTIPLIERS.get(blind, USUAL),
        at={"round.blind.reward": REWARDS.get(blind, 8 if blind.startswith("bl_final") else 5)},
    )
    for blind in BLINDS
]


def begins(blind: str, note: str, *, covers: str = "", do: Any = (), **more: Any) -> Row:
    """Selects the blind; `more` holds what Scene takes, and `expect`. A deck of few cards is all in the hand."""
    expect = more.pop("expect")
    scene = Scene(phase="blind_select", blind=blind, **more)
    return Row(f"{blind} {note}", f"{blind} {covers}", scene, [select_blind, *do], expect)


def goes_on(blind: str, note: str, *do: Any, covers: str = "", **more: Any) -> Row:
    """Acts in a round of the blind; `more` holds what Scene takes, and `expect`."""
    expect = more.pop("expect")
    refused = more.pop("refused", None)
    scene = Scene(blind=blind, **more)
    return Row(f"{blind} {note}", f"{blind} {covers}", scene, [*do], expect, refused)


def ended(blind: str, note: str, *do: Any, **more: Any) -> Row:
    """The same after Luchador has been sold."""
    jokers = ["j_luchador", *more.pop("jokers", ())]
    covers = "j_luchador pitfall:disabling-restores"
    return goes_on(blind, f"{note} after Luchador", sell("j_luchador"), *do, jokers=jokers, covers=covers, **more)


# --- Debuffs ----------------------------------------------------------------------------------------------------------

MIXED = "AS AH AC AD 5D/wild 9S/stone"
DEBUFFED = {
    "bl_goad": "AS! AH AC AD 5D/wild! 9S/stone",
    "bl_head": "AS AH! AC AD 5D/wild! 9S/stone",
    "bl_club": "AS AH AC! AD 5D/wild! 9S/stone",
    "bl_window": "AS AH AC AD! 5D/wild! 9S/stone",
}
SMEARED = {
    "bl_goad": "AS! AH AC! AD 5D/wild! 9S/stone",
    "bl_head": "AS AH! AC AD! 5D/wild! 9S/stone",
    "bl_club": "AS! AH AC! AD 5D/wild! 9S/stone",
    "bl_window": "AS AH! AC AD! 5D/wild! 9S/stone",
}
FACES = "KS QH JC TD"
DEBUFFS = [
    *(
        begins(
            blind,
            "debuffs its suit and Wild cards, no Stone cards",
            deck_cards=MIXED,
            expect={"hand": hand},
            covers="m_wild m_stone pitfall:wild-and-suit-bosses",
        )
        for blind, hand in DEBUFFED.items()
    ),
    *(
        begins(blind, "with Smeared Joker", jokers=["j_smeared"], deck_cards=MIXED, expect={"hand": hand})
        for blind, hand in SMEARED.items()
    ),
    *(ended(blind, "frees its suit", hand="KS KH KC KD", expect={"hand": "KS KH KC KD"}) for blind in DEBUFFED),
    begins("bl_plant", "debuffs face cards", deck_cards=FACES, expect={"hand": "KS! QH! JC! TD"}),
    begins(
        "bl_plant",
        "debuffs every card with Pareidolia",
        jokers=["j_pareidolia"],
        deck_cards=FACES,
        expect={"hand": "KS! QH! JC! TD!"},
    ),
    ended("bl_plant", "frees face cards", hand=FACES, expect={"hand": FACES}),
    goes_on(
        "bl_plant", "lets a debuffed King score nothing", play("KS KH"), hand="KS KH", expect={"chips": 10, "mult": 2}
    ),
    begins(
        "bl_final_leaf", "debuffs every card", ante=8, deck_cards=MIXED, expect={"hand": MIXED.replace(" ", "! ") + "!"}
    ),
    goes_on(
        "bl_final_leaf",
        "ends when a joker is sold",
        sell("j_egg"),
        ante=8,
        hand="KS 9H/stone",
        jokers=["j_egg", "j_joker"],
        expect={"hand": "KS 9H/stone", "round.blind.disabled": True},
        covers="pitfall:verdant-leaf-sale",
    ),
    goes_on(
        "bl_final_leaf",
        "does not end when a consumable is sold",
        sell("c_fool"),
        ante=8,
        hand="KS",
        consumables=["c_fool"],
        expect={"hand": "KS!", "round.blind.disabled": False},
    ),
    # Cards played earlier in the ante.
    begins("bl_pillar", "debuffs cards played this ante", deck_cards="KS& KH QD&", expect={"hand": "KS! KH QD!"}),
    ended("bl_pillar", "frees them", hand="KS& KH", expect={"hand": "KS KH"}),
    row(
        "a small blind marks what is played, scoring or not, for The Pillar",
        "bl_pillar pitfall:pillar-marks",
        Scene(hand="KS KH 2D 3C", deck_cards="4C"),
        play("KS KH 2D"),
        discard("3C"),
        discarded="KS KH 2D 3C",
        at={f"zones.discard.{n}.state": ["played_this_ante"] for n in range(3)} | {"zones.discard.3.state": []},
    ),
    goes_on(
        "bl_pillar",
        "is forgotten with the ante",
        play("KH"),
        hand="KS& KH",
        deck_cards="2D&",
        target=1,
        expect={"ante": 2, "deck": "KH KS 2D", "zones.deck.0.state": [], "zones.deck.1.state": []},
        covers="pitfall:pillar-marks",
    ),
]

# --- Cards face down --------------------------------------------------------------------------------------------------

FACE_DOWN = [
    begins(
        "bl_house",
        "deals the first hand face down",
        deck_cards="KS 9H",
        expect={"hand": "KS^ 9H^"},
        covers="pitfall:face-down",
    ),
    goes_on(
        "bl_house",
        "deals later cards face up",
        discard("KS"),
        hand="KS^ 9H^",
        deck_cards="2D",
        expect={"hand": "9H^ 2D"},
        covers="pitfall:face-down",
    ),
    ended("bl_house", "shows the hand", hand="KS^ 9H^", expect={"hand": "KS 9H"}),
    goes_on(
        "bl_wheel",
        "asks for each drawn card",
        discard("2H"),
        hand="2H",
        deck_cards="9S QS KS",
        rolls={"wheel": [True, False, True]},  # the last card of the pile comes first
        expect={"hand": "KS^ QS 9S^"},
        covers="pitfall:face-down",
    ),
    goes_on(
        "bl_wheel",
        "with Oops! All 6s turns 2 in 7",
        discard("2H"),
        hand="2H",
        deck_cards="QS KS",
        jokers=["j_oops"],
        rolls={"wheel": [(1 / 7, 2 / 7), (2 / 7, 1.0)]},
        expect={"hand": "KS^ QS"},
        covers="pitfall:oops-doubles",
    ),
    ended(
        "bl_wheel",
        "shows the hand and asks no more",
        discard("2H"),
        hand="2H 9C^",
        deck_cards="KS",
        expect={"hand": "KS 9C"},
    ),
    begins(
        "bl_mark",
        "deals face cards face down",
        deck_cards=FACES,
        expect={"hand": "KS^ QH^ JC^ TD"},
        covers="pitfall:face-down",
    ),
    begins(
        "bl_mark",
        "deals every card face down with Pareidolia",
        jokers=["j_pareidolia"],
        deck_cards=FACES,
        expect={"hand": "KS^ QH^ JC^ TD^"},
    ),
    ended("bl_mark", "shows the hand", hand="KS^ TD", expect={"hand": "KS TD"}),
    begins("bl_fish", "deals the first hand face up", deck_cards="KS 9H", expect={"hand": "KS 9H"}),
    goes_on(
        "bl_fish",
        "deals cards face down after a play",
        play("KS"),
        hand="KS 9H",
        deck_cards="2D",
        expect={"hand": "9H 2D^"},
        covers="pitfall:face-down",
    ),
    goes_on(
        "bl_fish",
        "deals cards face up after a discard",
        play("KS"),
        discard("9H"),
        hand="KS 9H",
        hand_size=2,
        deck_cards="2D 3D",
        expect={"hand": "3D^ 2D"},
        covers="pitfall:face-down",
    ),
    ended("bl_fish", "deals cards face up", play("KS"), hand="KS 9H", deck_cards="2D", expect={"hand": "9H 2D"}),
    goes_on(
        "bl_mark", "shows a face-down card when it is played", play("KS"), hand="KS^ 9H", expect={"discarded": "KS"}
    ),
]

# --- Hands that score nothing or less ---------------------------------------------------------------------------------

SCORING = [
    goes_on(
        "bl_psychic",
        "lets 4 cards score nothing",
        play("KS KH KC KD"),
        hand="KS KH KC KD 2H",
        expect={"score": 0, "blocked": True},
    ),
    goes_on(
        "bl_psychic",
        "lets 5 cards score, though only two of them count",
        play("KS KH 2C 3D 5H"),
        hand="KS KH 2C 3D 5H",
        expect={"chips": 30, "mult": 2, "blocked": False},
    ),
    ended("bl_psychic", "lets one card score", play("KS"), hand="KS 2H", expect={"chips": 15, "blocked": False}),
    goes_on(
        "bl_eye",
        "lets a hand type score once",
        play("KS KH"),
        play("QS QH"),
        hand="KS KH QS QH 2H",
        expect={"score": 0, "blocked": True, "total": 60},
    ),
    goes_on(
        "bl_eye", "lets another hand type score", play("KS KH"), play("QS"), hand="KS KH QS QH 2H", expect={"score": 15}
    ),
    ended(
        "bl_eye",
        "lets a hand type score twice",
        play("KS KH"),
        play("QS QH"),
        hand="KS KH QS QH 2H",
        expect={"total": 120},
    ),
    goes_on(
        "bl_mouth",
        "lets the first hand type score again",
        play("KS KH"),
        play("QS QH"),
        hand="KS KH QS QH 2H",
        expect={"total": 120},
    ),
    goes_on(
        "bl_mouth",
        "lets no other hand type score",
        play("KS KH"),
        play("QS"),
        hand="KS KH QS QH 2H",
        expect={"score": 0, "blocked": True},
    ),
    row(
        "bl_mouth lets every hand type score after Luchador",
        "bl_mouth j_luchador",
        Scene(blind="bl_mouth", hand="KS KH QS QH 2H", jokers=["j_luchador"]),
        play("KS KH"),
        sell("j_luchador"),
        play("QS"),
        score=15,
    ),
    goes_on(
        "bl_arm",
        "lowers the level before the hand scores",
        play("KS KH"),
        hand="KS KH 2H",
        levels={"Pair": 3},
        expect={"levels": {"Pair": 2}, "chips": 25 + 20, "mult": 3},
    ),
    goes_on(
        "bl_arm",
        "stops at level 1",
        play("KS KH"),
        hand="KS KH 2H",
        expect={"levels": {"Pair": 1}, "chips": 30, "mult": 2},
    ),
    ended(
        "bl_arm", "leaves the level", play("KS KH"), hand="KS KH 2H", levels={"Pair": 3}, expect={"levels": {"Pair": 3}}
    ),
    # floor(x * 0.5 + 0.5): 10 x 2 is 5 x 1, 5 x 1 is 3 x 1, 25 x 3 is 13 x 2.
    goes_on(
        "bl_flint",
        "halves a Pair",
        play("KS KH"),
        hand="KS KH 2H",
        expect={"chips": 5 + 20, "mult": 1},
        covers="pitfall:flint",
    ),
    goes_on(
        "bl_flint",
        "halves a High Card, not below 1 Mult",
        play("KS"),
        hand="KS 2H",
        expect={"chips": 3 + 10, "mult": 1},
        covers="pitfall:flint",
    ),
    goes_on(
        "bl_flint",
        "halves a raised hand",
        play("KS KH"),
        hand="KS KH 2H",
        levels={"Pair": 2},
        expect={"chips": 13 + 20, "mult": 2},
        covers="pitfall:flint",
    ),
    goes_on("bl_flint", "leaves jokers alone", play("KS KH"), hand="KS KH", jokers=["j_joker"], expect={"mult": 1 + 4}),
    ended("bl_flint", "halves nothing", play("KS KH"), hand="KS KH 2H", expect={"chips": 30, "mult": 2}),
]

# --- Money, hands, discards, cards ------------------------------------------------------------------------------------

OX = {"hand": "KS KH 2H", "money": 20, "state": {"round.most_played": "Pair"}}
HOOKED = {"hand": "KS KH 2C 3D 4H 5S", "deck_cards": ""}  # held, in creation order: 2C 3D 4H 5S
TAKING = [
    goes_on(
        "bl_hook",
        "discards two held cards",
        play("KS KH"),
        **HOOKED,
        rolls={"hook": [Pick(0, of=4), Pick(2, of=3)]},
        expect={"hand": "3D 4H", "discards": 4, "round.discards_used": 0},
        covers="pitfall:hook-discards",
    ),
    goes_on(
        "bl_hook",
        "discards the last held card",
        play("KS KH"),
        hand="KS KH 2C",
        deck_cards="9H",
        rolls={"hook": [Pick(0, of=1)]},
        expect={"hand": "9H"},
    ),
    goes_on(
        "bl_hook", "discards nothing of nothing", play("KS KH"), hand="KS KH", deck_cards="9H", expect={"hand": "9H"}
    ),
    ended("bl_hook", "discards nothing", play("KS KH"), **HOOKED, expect={"hand": "2C 3D 4H 5S"}),
    goes_on("bl_ox", "takes all money for the most played hand", play("KS KH"), **OX, expect={"money": 0, "chips": 30}),
    goes_on("bl_ox", "takes nothing for another hand", play("KS"), **OX, expect={"money": 20}),
    goes_on(
        "bl_ox",
        "takes it before the hand scores",
        play("KS KH"),
        **OX | {"hand": "KS#Gold KH 2H"},
        expect={"money": 3},
        covers="pitfall:ox",
    ),
    goes_on(
        "bl_ox",
        "knows the hand that was fixed beforehand, whatever has been played since",
        play("KS KH"),
        **OX,
        played={"High Card": 9, "Pair": 1},
        expect={"money": 0},
        covers="pitfall:ox",
    ),
    ended("bl_ox", "takes nothing", play("KS KH"), **OX | {"money": 20}, expect={"money": 22}),
    goes_on(
        "bl_tooth", "takes $1 for each card played", play("KS KH 2H"), hand="KS KH 2H 3D", money=10, expect={"money": 7}
    ),
    ended("bl_tooth", "takes nothing", play("KS KH 2H"), hand="KS KH 2H 3D", money=8, expect={"money": 10}),
    begins("bl_water", "starts with 0 discards", expect={"discards": 0, "hands": 4}),
    ended("bl_water", "gives the discards back", hand="KS", expect={"discards": 4}),
    begins("bl_needle", "starts with 1 hand", expect={"hands": 1, "discards": 4}),
    ended("bl_needle", "gives the hands back", hand="KS", expect={"hands": 4}),
    begins("bl_manacle", "takes one card of hand size", expect={"hand_size": 7, "cards_in_hand": 7}),
    ended(
        "bl_manacle",
        "gives it back and draws a card",
        hand="KS 9H",
        deck_cards="3D 2D",
        expect={"hand_size": 8, "hand": "KS 9H 2D"},
    ),
    goes_on("bl_manacle", "gives it back after the round", play("KS"), hand="KS KH", target=1, expect={"hand_size": 8}),
    goes_on(
        "bl_serpent",
        "draws 3 cards after a play",
        play("KS KH 9H 8H 7H"),
        hand="KS KH 9H 8H 7H 6H 5H 4H",
        deck_cards="AS AH AC AD 2S",
        expect={"cards_in_hand": 3 + 3, "deck": "AS AH"},
    ),
    goes_on(
        "bl_serpent",
        "draws 3 cards after a discard, beyond the hand size",
        discard("KS"),
        hand="KS KH 9H 8H 7H 6H 5H 4H",
        deck_cards="AS AH AC AD 2S",
        expect={"cards_in_hand": 7 + 3},
    ),
    begins("bl_serpent", "fills the first hand", expect={"cards_in_hand": 8}),
    ended(
        "bl_serpent",
        "fills the hand",
        play("KS KH 9H 8H 7H"),
        hand="KS KH 9H 8H 7H 6H 5H 4H",
        expect={"cards_in_hand": 8},
    ),
    ended("bl_wall", "asks the usual score", hand="KS", target=OWN, expect={"target": 600}),
    ended("bl_final_vessel", "asks the usual score", hand="KS", ante=8, target=OWN, expect={"target": 100_000}),
]

# --- Showdown ---------------------------------------------------------------------------------------------------------

THREE = ["j_joker", "j_egg", "j_hack"]
SHOWDOWN = [
    begins(
        "bl_final_acorn",
        "turns jokers face down and shuffles them, three times",
        ante=8,
        jokers=THREE,
        rolls={"aajk": 3},
        expect={"jokers.0.face_down": True, "jokers.1.face_down": True, "jokers.2.face_down": True},
        covers="pitfall:acorn",
    ),
    begins(
        "bl_final_acorn",
        "leaves the jokers face up with Chicot",
        ante=8,
        jokers=["j_chicot"],
        expect={"jokers.0.face_down": False},
        covers="j_chicot",
    ),
    goes_on(
        "bl_final_acorn",
        "shows the jokers after Luchador",
        sell("j_luchador"),
        ante=8,
        hand="KS",
        jokers=["j_egg:face_down", "j_luchador:face_down"],
        expect={"jokers.0.face_down": False},
        covers="j_luchador",
    ),
    goes_on(
        "bl_final_acorn",
        "shows the jokers after the round",
        play("KS"),
        ante=8,
        hand="KS",
        target=1,
        jokers=["j_egg:face_down"],
        expect={"jokers.0.face_down": False},
        covers="pitfall:acorn",
    ),
    begins(
        "bl_final_heart",
        "debuffs a joker at the first draw",
        ante=8,
        jokers=THREE,
        rolls={"crimson_heart": [Pick(1, of=3)]},
        expect={"debuffed": [False, True, False]},
        covers="pitfall:crimson-heart",
    ),
    begins(
        "bl_final_heart",
        "another one after each hand, none after a discard",
        do=[play([0]), discard([0]), play([0])],
        ante=8,
        jokers=THREE,
        rolls={"crimson_heart": [Pick(1, of=3), Pick(1, of=2), Pick(0, of=2)]},  # Egg, then Hack, then Joker
        expect={"debuffed": [True, False, False]},
        covers="pitfall:crimson-heart",
    ),
    goes_on(
        "bl_final_heart",
        "chooses in creation order, not by position",
        lambda live: live.move_joker("j_hack", 0),
        play("KS"),
        ante=8,
        hand="KS 9H",
        jokers=THREE,
        rolls={"crimson_heart": [Pick(0, of=3)]},
        expect={"jokers": ["j_hack", "j_joker", "j_egg"], "debuffed": [False, True, False]},
        covers="pitfall:crimson-heart",
    ),
    goes_on(
        "bl_final_heart",
        "frees the joker after the round",
        play("KS"),
        play("9H"),
        ante=8,
        hand="KS 9H",
        target=20,
        jokers=["j_egg"],
        rolls={"crimson_heart": [Pick(0, of=1)]},
        expect={"phase": "round_eval", "debuffed": [False]},
        covers="pitfall:crimson-heart",
    ),
    begins(
        "bl_final_heart",
        "frees the joker after Luchador",
        do=[sell("j_luchador")],
        ante=8,
        jokers=["j_egg", "j_luchador"],
        rolls={"crimson_heart": [Pick(0, of=2)]},
        expect={"jokers": ["j_egg"], "debuffed": [False]},
        covers="j_luchador",
    ),
    begins(
        "bl_final_bell",
        "keeps one card selected",
        ante=8,
        deck_cards="KS 9H 2D",  # in creation order: 2D 9H KS
        rolls={"cerulean_bell": [Pick(1, of=3)]},
        expect={"hand": "KS 9H@ 2D"},
        covers="pitfall:bell",
    ),
    goes_on(
        "bl_final_bell",
        "plays nothing without it",
        play("KS"),
        ante=8,
        hand="KS 9H@ 2D",
        refused="Cerulean Bell's card",
        expect={},
        covers="pitfall:bell",
    ),
    goes_on(
        "bl_final_bell",
        "discards nothing without it",
        discard("KS"),
        ante=8,
        hand="KS 9H@ 2D",
        refused="Cerulean Bell's card",
        expect={},
        covers="pitfall:bell",
    ),
    goes_on(
        "bl_final_bell",
        "keeps the card through other draws, and takes another when it is played",
        play("KS 9H"),
        ante=8,
        hand="KS 9H@ 2D",
        deck_cards="3C",
        rolls={"cerulean_bell": [Pick(0, of=2)]},
        expect={"hand": "3C@ 2D"},
        covers="pitfall:bell",
    ),
    ended(
        "bl_final_bell", "frees the card", play("KS"), ante=8, hand="KS 9H@ 2D", deck_cards="", expect={"hand": "9H 2D"}
    ),
]

# --- Chicot -----------------------------------------------------------------------------------------------------------

CHICOT = [
    begins(
        blind,
        "does nothing with Chicot",
        jokers=["j_chicot"],
        ante=8,
        expect={"round.blind.disabled": True} | kept,
        covers="j_chicot pitfall:disabling-restores",
    )
    for blind, kept in {
        "bl_wall": {"target": 100_000},
        "bl_final_vessel": {"target": 100_000},
        "bl_water": {"discards": 4},
        "bl_needle": {"hands": 4},
        "bl_manacle": {"hand_size": 8, "cards_in_hand": 8},
        "bl_house": {"face_down": 0},
        "bl_mark": {"face_down": 0},
        "bl_final_leaf": {"debuffed_cards": 0},
        "bl_plant": {"debuffed_cards": 0},
        "bl_final_heart": {"debuffed": [False]},
        "bl_final_bell": {"forced": 0},
    }.items()
] + [
    row(
        "Chicot made in the middle of a boss blind ends it at once",
        "j_chicot c_soul pitfall:chicot-gained",
        Scene(blind="bl_water", hand="KS", consumables=["c_soul"], rolls={"Joker4": ["j_chicot"], "edisou1": 1}),
        use("c_soul"),
        discards=4,
        at={"round.blind.disabled": True},
    ),
]

ROWS = [*ASKING, *DEBUFFS, *FACE_DOWN, *SCORING, *TAKING, *SHOWDOWN, *CHICOT]

test_rows = rows_test(ROWS)
