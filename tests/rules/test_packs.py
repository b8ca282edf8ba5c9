"""The 32 booster packs: what they cost and show, what is polled for each card, and what may be taken."""

from typing import Any

from rules.scene import Pick, Row, Scene, buy, cash_out, open_booster, pick, reroll, row, rows_test, skip_pack

VARIANTS = {
    "arcana": (4, 2, 2),
    "celestial": (4, 2, 2),
    "standard": (4, 2, 2),
    "buffoon": (2, 1, 1),
    "spectral": (2, 1, 1),
}
PRICES = {"normal": 4, "jumbo": 6, "mega": 8}
# Cards shown, and how many of them may be taken.
WIDE = {"normal": (3, 1), "jumbo": (5, 1), "mega": (5, 2)}
NARROW = {"normal": (2, 1), "jumbo": (4, 1), "mega": (4, 2)}


def opens(key: str, price: int, cards: int, picks: int, hand: int) -> Row:
    return row(
        f"{key} costs ${price}, shows {cards}, gives {picks}",
        key,
        Scene(phase="shop", boosters=[key], money=8),
        open_booster(),
        money=8 - price,
        phase="pack_opening",
        pack_size=cards,
        cards_in_hand=hand,
        boosters=[],
        at={"pack.picks_left": picks},
    )


SIZES = [
    opens(
        f"p_{kind}_{size}_{number}",
        PRICES[size],
        *(NARROW if kind in ("buffoon", "spectral") else WIDE)[size],
        hand=8 if kind in ("arcana", "spectral") else 0,
    )
    for kind, counts in VARIANTS.items()
    for size, count in zip(("normal", "jumbo", "mega"), counts, strict=True)
    for number in range(1, count + 1)
]

# --- What is polled ---------------------------------------------------------------------------------------------------

NO, YES = (0.0, 0.997), (0.997, 1.0)
"""Polls for The Soul and Black Hole."""
COMMON, UNCOMMON, RARE = (0.0, 0.7), (0.7, 0.95), (0.95, 1.0)


def shows(booster: str, note: str, cards: list[str], rolls: dict[str, Any], *, covers: str = "", **more: Any) -> Row:
    scene = Scene(phase="shop", boosters=[booster], money=8, rolls=rolls, **more)
    return row(f"{booster}: {note}", f"{booster} {covers}", scene, open_booster(), pack=cards)


ARCANA, CELESTIAL, SPECTRAL = "p_arcana_normal_1", "p_celestial_normal_1", "p_spectral_normal_1"
BUFFOON, STANDARD = "p_buffoon_normal_1", "p_standard_normal_1"
NOT_FOUND = "pitfall:soul-polls-in-packs-only"
CONTENTS = [
    shows(
        ARCANA,
        "a poll for The Soul, then a tarot",
        ["c_fool", "c_moon", "c_world"],
        {"soul_Tarot1": [NO, NO, NO], "Tarotar11": ["c_fool", "c_moon", "c_world"]},
        covers=NOT_FOUND,
    ),
    shows(
        ARCANA,
        "no card twice",
        ["c_fool", "c_moon", "c_world"],
        {"soul_Tarot1": 3, "Tarotar11": ["c_fool", "c_fool", "c_world"], "Tarotar11_resample2": ["c_moon"]},
        covers="pitfall:keys-in-use",
    ),
    shows(
        ARCANA,
        "The Soul, which is polled for only once then",
        ["c_moon", "c_soul", "c_world"],
        {"soul_Tarot1": [NO, YES], "Tarotar11": ["c_moon", "c_world"]},
        covers="c_soul pitfall:soul-excluded",
    ),
    shows(
        ARCANA,
        "no poll for The Soul while one is held",
        ["c_moon", "c_sun", "c_world"],
        {"soul_Tarot1": [], "Tarotar11": ["c_moon", "c_sun", "c_world"]},
        consumables=["c_soul"],
        covers="c_soul pitfall:soul-excluded",
    ),
    shows(
        ARCANA,
        "Showman lets The Soul come beside a held one",
        ["c_soul", "c_sun", "c_world"],
        {"soul_Tarot1": [YES, NO, NO], "Tarotar11": ["c_sun", "c_world"]},
        consumables=["c_soul"],
        jokers=["j_ring_master"],
        covers="c_soul pitfall:showman",
    ),
    shows(
        CELESTIAL,
        "a poll for Black Hole, then a planet",
        ["c_mars", "c_black_hole", "c_pluto"],
        {"soul_Planet1": [NO, YES], "Planetpl11": ["c_mars", "c_pluto"]},
        covers="c_black_hole pitfall:soul-excluded",
    ),
    shows(
        SPECTRAL,
        "two polls for each card",
        ["c_hex", "c_aura"],
        {"soul_Spectral1": [NO, NO, NO, NO], "Spectralspe1": ["c_hex", "c_aura"]},
        covers=NOT_FOUND,
    ),
    shows(
        SPECTRAL,
        "the first poll gives The Soul",
        ["c_soul", "c_aura"],
        {"soul_Spectral1": [YES, NO, NO], "Spectralspe1": ["c_aura"]},
        covers="c_soul",
    ),
    shows(
        SPECTRAL,
        "the second poll gives Black Hole",
        ["c_black_hole", "c_aura"],
        {"soul_Spectral1": [NO, YES, NO], "Spectralspe1": ["c_aura"]},
        covers="c_black_hole",
    ),
    shows(
        SPECTRAL,
        "the places of The Soul and Black Hole in the list are blank",
        ["c_hex", "c_aura"],
        {"Spectralspe1": ["c_soul", "c_black_hole"], "Spectralspe1_resample2": ["c_hex", "c_aura"]},
        covers="c_soul c_black_hole",
    ),
    shows(
        BUFFOON,
        "rarity, joker, sticker poll, edition",
        ["j_egg", "j_dna"],
        {
            "rarity1buf": [COMMON, RARE],
            "Joker1buf1": ["j_egg"],
            "Joker3buf1": ["j_dna"],
            "packetper1": 2,
            "edibuf1": 2,
        },
        covers="pitfall:edition-poll-always",
    ),
    shows(
        BUFFOON,
        "an uncommon one",
        ["j_hack", "j_egg"],
        {"rarity1buf": [UNCOMMON, COMMON], "Joker2buf1": ["j_hack"], "Joker1buf1": ["j_egg"]},
    ),
    # Enhancement above 0.6; polychrome above 0.988; a seal above 0.8, Red above 0.75 of the four.
    shows(
        STANDARD,
        "enhancement, front, edition and seal",
        ["KH/glass*poly#Red", "2C*foil", "AS#Purple"],
        {
            "stdset1": [(0.6, 1.0), (0.0, 0.6), (0.0, 0.6)],
            "Enhancedsta1": [Pick(3, of=8)],
            "frontsta1": ["H_K", "C_2", "S_A"],
            "standard_edition1": [(0.988, 1.0), (0.92, 0.96), (0.0, 0.92)],
            "stdseal1": [(0.8, 1.0), (0.0, 0.8), (0.8, 1.0)],
            "stdsealtype1": [(0.75, 1.0), (0.0, 0.25)],
        },
    ),
    shows(
        STANDARD,
        "the other seals and editions; the same card may come again",
        ["KH*holo#Blue", "KH#Gold", "KH"],
        {
            "stdset1": [(0.0, 0.6)] * 3,
            "frontsta1": ["H_K", "H_K", "H_K"],
            "standard_edition1": [(0.96, 0.988), (0.0, 0.92), (0.0, 0.92)],
            "stdseal1": [(0.8, 1.0), (0.8, 1.0), (0.0, 0.8)],
            "stdsealtype1": [(0.5, 0.75), (0.25, 0.5)],
        },
    ),
    shows(
        STANDARD,
        "the enhancement's stream carries the ante, and Stone is among the eight",
        ["KH/stone", "QH/lucky", "JH/bonus"],
        {
            "stdset2": [(0.6, 1.0)] * 3,
            "Enhancedsta2": [Pick(5, of=8), Pick(7, of=8), Pick(0, of=8)],
            "frontsta2": ["H_K", "H_Q", "H_J"],
            "standard_edition2": [(0.0, 0.92)] * 3,
            "stdseal2": [(0.0, 0.8)] * 3,
        },
        ante=2,
        covers="m_stone m_lucky m_bonus pitfall:standard-enhancement-ante",
    ),
]

# --- Cards in use -----------------------------------------------------------------------------------------------------

IN_USE = [
    row(
        "a card shown in the shop does not appear in a pack opened there",
        "pitfall:keys-in-use p_buffoon_normal_1",
        Scene(
            phase="shop",
            shop=["j_egg"],
            boosters=[BUFFOON],
            money=8,
            rolls={
                "rarity1buf": [COMMON, COMMON],
                "Joker1buf1": ["j_egg", "j_joker"],
                "Joker1buf1_resample2": ["j_half"],
            },
        ),
        open_booster(),
        pack=["j_half", "j_joker"],
    ),
    row(
        "a joker of an open pack is in use until the pack is closed",
        "pitfall:keys-in-use",
        Scene(
            phase="shop",
            boosters=[BUFFOON],
            money=20,
            rolls={
                "rarity1buf": [COMMON, COMMON],
                "Joker1buf1": ["j_egg", "j_joker"],
                "cdt1": [(0.0, 0.71), (0.86, 1.0)],
                "rarity1sho": [COMMON],
                "Joker1sho1": ["j_egg"],
            },
        ),
        open_booster(),
        skip_pack,
        reroll,
        at={"shop.cards.0.offer.joker": "j_egg"},
    ),
    row(
        "a reroll frees what was shown",
        "pitfall:keys-in-use",
        Scene(
            phase="shop",
            shop=["j_egg", "c_moon"],
            money=20,
            rolls={
                "cdt1": [(0.0, 0.71), (0.72, 0.85)],
                "rarity1sho": [COMMON],
                "Joker1sho1": ["j_egg"],
                "Tarotsho1": ["c_moon"],
            },
        ),
        reroll,
        shop=["j_egg", "c_moon"],
    ),
    row(
        "the second card of a shop is not the first again",
        "pitfall:keys-in-use",
        Scene(
            phase="shop",
            money=20,
            rolls={
                "cdt1": [(0.72, 0.85), (0.72, 0.85)],
                "Tarotsho1": ["c_moon", "c_moon"],
                "Tarotsho1_resample2": ["c_sun"],
            },
        ),
        reroll,
        shop=["c_moon", "c_sun"],
    ),
    row(
        "what was bought stays in use",
        "pitfall:keys-in-use",
        Scene(
            phase="shop",
            shop=["c_moon"],
            money=20,
            rolls={
                "cdt1": [(0.72, 0.85), (0.86, 1.0)],
                "Tarotsho1": ["c_moon"],
                "Tarotsho1_resample2": ["c_sun"],
                "Planetsho1": ["c_mars"],
            },
        ),
        buy("c_moon"),
        reroll,
        shop=["c_sun", "c_mars"],
    ),
]

# --- Which packs are on sale ------------------------------------------------------------------------------------------

OLD_RUN = {"shop.first_booster_made": True}
SHOPS = [
    row(
        "the first pack of a run is a Buffoon pack, and nothing is drawn for it",
        "p_buffoon_normal_1 p_arcana_normal_1",
        Scene(phase="round_eval", blind="bl_big", rolls={"shop_pack1": [(0.0, 0.04)]}),
        cash_out,
        boosters=["p_buffoon_normal_1", "p_arcana_normal_1"],
    ),
    row(
        "later packs are drawn by weight",
        "p_arcana_normal_2 p_spectral_mega_1",
        Scene(
            phase="round_eval",
            blind="bl_big",
            state=OLD_RUN,
            rolls={"shop_pack1": [(1.01 / 22.42, 1.99 / 22.42), (22.36 / 22.42, 1.0)]},
        ),
        cash_out,
        boosters=["p_arcana_normal_2", "p_spectral_mega_1"],
    ),
    row(
        "the rare ones have small weights",
        "p_arcana_mega_1 p_celestial_normal_1",
        Scene(
            phase="round_eval",
            blind="bl_big",
            state=OLD_RUN,
            rolls={"shop_pack1": [(6.01 / 22.42, 6.24 / 22.42), (6.51 / 22.42, 7.49 / 22.42)]},
        ),
        cash_out,
        boosters=["p_arcana_mega_1", "p_celestial_normal_1"],
    ),
]

# --- Taking -----------------------------------------------------------------------------------------------------------

OPEN_STANDARD: dict[str, Any] = {"phase": "pack_opening", "pack": "p_standard_mega_1", "deck_cards": "2C", "picks": 2}
TAKING = [
    row(
        "two cards of a Mega Standard pack join the deck, and it closes",
        "p_standard_mega_1",
        Scene(**OPEN_STANDARD, pack_cards=["KH/glass", "QH", "JH"]),
        pick("KH/glass"),
        pick("JH"),
        phase="shop",
        full_deck="2C KH/glass JH",
    ),
    row(
        "a Mega pack can be left after one card",
        "p_standard_mega_1",
        Scene(**OPEN_STANDARD, pack_cards=["KH/glass", "QH"]),
        pick("QH"),
        skip_pack,
        phase="shop",
        full_deck="2C QH",
    ),
    row(
        "a joker of a pack needs a slot",
        "p_buffoon_normal_1",
        Scene(phase="pack_opening", pack=BUFFOON, pack_cards=["j_egg", "j_hack"], jokers=["j_joker"] * 5),
        pick("j_egg"),
        refused="no free slot",
    ),
    row(
        "a Negative joker of a pack needs none",
        "p_buffoon_normal_1 e_negative",
        Scene(phase="pack_opening", pack=BUFFOON, pack_cards=["j_egg:e_negative"], jokers=["j_joker"] * 5),
        pick("j_egg"),
        jokers=["j_joker"] * 5 + ["j_egg"],
    ),
    row(
        "the hand of an Arcana pack goes back into the deck",
        "p_arcana_normal_1",
        Scene(phase="pack_opening", pack=ARCANA, pack_cards=["c_star"], hand="KH 7S", deck_cards="2C"),
        pick("c_star", "KH"),
        phase="shop",
        hand="",
        full_deck="2C KD 7S",
    ),
    row(
        "a tarot of a pack is used at once and never held",
        "p_arcana_normal_1 c_hermit",
        Scene(phase="pack_opening", pack=ARCANA, pack_cards=["c_hermit"], hand="KH", money=6),
        pick("c_hermit"),
        money=12,
        consumables=[],
    ),
]

ROWS = [*SIZES, *CONTENTS, *IN_USE, *SHOPS, *TAKING]

test_rows = rows_test(ROWS)
