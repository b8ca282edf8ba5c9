"""Three mechanisms behind many rules: effects wait until every joker has been asked, a boss looks at cards again at
once, and the hand size is live. And what happens at the edges of a round."""

from typing import Any

import pytest

from rules.live import Cards
from rules.scene import (
    Do,
    Live,
    Pick,
    Row,
    Scene,
    discard,
    leave_shop,
    open_booster,
    play,
    redeem,
    row,
    rows_test,
    select_blind,
    sell,
    skip_blind,
    use,
)

BASE = (0.0, 0.9)
"""An edition poll that gives none."""
METEOR = {"key": "tag_meteor", "orbital_hand": "Pair"}
COMMON, UNCOMMON = (0.0, 0.7), (0.7, 0.95)


def riff_raff(*jokers: str) -> dict[str, list[Any]]:
    return {"Joker1rif1": list(jokers), "edirif1": [BASE] * len(jokers)}


def judgement(joker: str, rarity: int = 1) -> dict[str, list[Any]]:
    poll = COMMON if rarity == 1 else UNCOMMON
    return {"rarity1jud": [poll], f"Joker{rarity}jud1": [joker], "edijud1": [BASE]}


# --- Every joker is asked first, then things happen -------------------------------------------------------------------

QUEUED = [
    row(
        "riff-raff, dagger: nothing stands right of the dagger when it is asked",
        "j_riff_raff j_ceremonial",
        Scene(phase="blind_select", jokers=["j_riff_raff", "j_ceremonial"], rolls=riff_raff("j_jolly", "j_zany")),
        select_blind,
        jokers=["j_riff_raff", "j_ceremonial", "j_jolly", "j_zany"],
        counts=[0, 0, 0, 0],
    ),
    row(
        "riff-raff, madness: only riff-raff can be taken, and what it makes still comes",
        "j_riff_raff j_madness",
        Scene(
            phase="blind_select",
            jokers=["j_riff_raff", "j_madness"],
            rolls=riff_raff("j_jolly", "j_zany") | {"madness": [Pick(0, of=1)]},
        ),
        select_blind,
        jokers=["j_madness", "j_jolly", "j_zany"],
    ),
    row(
        "dagger, riff-raff: a joker that was destroyed is not asked",
        "j_riff_raff j_ceremonial",
        Scene(phase="blind_select", jokers=["j_ceremonial", "j_riff_raff"]),
        select_blind,
        jokers=["j_ceremonial"],
        count=6,
    ),
    row(
        "madness frees no slot for riff-raff",
        "j_riff_raff j_madness",
        Scene(
            phase="blind_select",
            jokers=["j_madness", "j_riff_raff", "j_egg", "j_egg", "j_egg"],
            rolls={"madness": [Pick(1, of=4)]},
        ),
        select_blind,
        jokers=["j_madness", "j_riff_raff", "j_egg", "j_egg"],
    ),
    row(
        "ceremonial dagger frees a slot for riff-raff",
        "j_riff_raff j_ceremonial",
        Scene(
            phase="blind_select",
            jokers=["j_ceremonial", "j_egg", "j_riff_raff", "j_joker", "j_hack"],
            rolls=riff_raff("j_jolly"),
        ),
        select_blind,
        jokers=["j_ceremonial", "j_riff_raff", "j_joker", "j_hack", "j_jolly"],
    ),
    row(
        "the slot of a dying Negative joker still counts",
        "j_riff_raff j_ceremonial e_negative",
        Scene(
            phase="blind_select",
            jokers=["j_ceremonial", "j_egg:e_negative", "j_riff_raff", "j_joker", "j_hack", "j_fibonacci"],
            rolls=riff_raff("j_jolly"),
        ),
        select_blind,
        jokers=["j_ceremonial", "j_riff_raff", "j_joker", "j_hack", "j_fibonacci", "j_jolly"],
    ),
    row(
        "a copied riff-raff fills what the first one leaves",
        "j_riff_raff j_blueprint",
        Scene(
            phase="blind_select",
            jokers=["j_blueprint", "j_riff_raff"],
            rolls=riff_raff("j_jolly", "j_zany", "j_mad"),
        ),
        select_blind,
        jokers=["j_blueprint", "j_riff_raff", "j_jolly", "j_zany", "j_mad"],
    ),
    row(
        "two cartomancers and one slot",
        "j_cartomancer j_blueprint",
        Scene(
            phase="blind_select",
            jokers=["j_blueprint", "j_cartomancer"],
            consumables=["c_sun"],
            rolls={"Tarotcar1": ["c_hermit"]},
        ),
        select_blind,
        consumables=["c_sun", "c_hermit"],
    ),
    row(
        "amber acorn has a single joker to shuffle once the dagger has struck",
        "bl_final_acorn j_ceremonial",
        Scene(phase="blind_select", blind="bl_final_acorn", ante=8, jokers=["j_ceremonial", "j_egg"]),
        select_blind,
        jokers=["j_ceremonial"],
    ),
    row(
        "hallucination's tarot is none of the pack",
        "j_hallucination",
        Scene(
            jokers=["j_hallucination"],
            phase="shop",
            boosters=["p_arcana_normal_1"],
            money=10,
            rolls={
                "halu1": [True],
                "Tarotar11": ["c_sun", "c_moon", "c_star"],
                "Tarothal1": ["c_sun"],
                "Tarothal1_resample2": ["c_world"],
            },
        ),
        open_booster(),
        pack=["c_sun", "c_moon", "c_star"],
        consumables=["c_world"],
    ),
    row(
        "hallucination acts in a pack that a tag opens",
        "j_hallucination tag_meteor",
        Scene(
            jokers=["j_hallucination"],
            phase="blind_select",
            state={"round.skip_tags": {"small": METEOR, "big": METEOR}},
            rolls={"halu1": [True], "Tarothal1": ["c_sun"]},
        ),
        skip_blind,
        phase="pack_opening",
        consumables=["c_sun"],
    ),
]


def test_the_dagger_under_amber_acorn_takes_the_joker_that_stood_right_of_it() -> None:
    for seed in ("ACORN1", "ACORN2", "ACORN3", "ACORN4"):
        live = Live(
            Scene(
                phase="blind_select",
                blind="bl_final_acorn",
                ante=8,
                seed=seed,
                jokers=["j_ceremonial", "j_egg", "j_joker", "j_hack"],
            )
        )
        live.act("select_blind")
        assert sorted(live.jokers) == ["j_ceremonial", "j_hack", "j_joker"]
        assert live.counts[live.jokers.index("j_ceremonial")] == 4


# --- A boss looks at the cards again at once --------------------------------------------------------------------------


def looks(blind: str, before: str, do: Do, after: str, covers: str, **more: Any) -> Row:
    scene = Scene(blind=blind, hand=before, deck_cards="", **more)
    return row(f"{blind} {covers}: {before} to {after}", f"{covers} {blind}", scene, do, hand=after)


def changes(consumable: str, blind: str, before: str, cards: Cards, after: str, **more: Any) -> Row:
    return looks(blind, before, use(consumable, cards), after, consumable, consumables=[consumable], **more)


ANEW = [
    changes("c_lovers", "bl_club", "KS 2H", "KS", "KS/wild! 2H"),
    changes("c_tower", "bl_head", "KH 2S", "KH", "KH/stone 2S"),
    changes("c_strength", "bl_plant", "TH 2S", "TH", "JH! 2S"),
    changes("c_strength", "bl_plant", "KH 2S", "KH", "AH 2S"),
    changes("c_death", "bl_head", "KH 2S", [0, 1], "2S 2S"),
    changes("c_death", "bl_head", "KS 2H", [0, 1], "2H! 2H!"),
    changes("c_sun", "bl_head", "KS 2S", "KS", "KH! 2S"),
    changes("c_moon", "bl_head", "KH 2S", "KH", "KC 2S"),
    changes("c_chariot", "bl_pillar", "KH!& 2S", "KH", "KH/steel 2S"),
    changes("c_chariot", "bl_head", "KH/wild 2S", "KH", "KH/steel! 2S"),
    changes("c_chariot", "bl_club", "KH/wild 2S", "KH", "KH/steel 2S"),
    changes("c_ouija", "bl_plant", "KS QS 2S", "", "5S 5S 5S", rolls={"ouija": [Pick(3, of=13)]}),
    changes("c_sigil", "bl_head", "KS QH 2S", "", "KH! QH! 2H!", rolls={"sigil": [Pick(1, of=4)]}),
    changes("c_judgement", "bl_plant", "KH 2S", "", "KH! 2S!", rolls=judgement("j_pareidolia", 2)),
    changes("c_judgement", "bl_head", "KD 2S", "", "KD! 2S", rolls=judgement("j_smeared", 2)),
    row(
        "bl_club: what Vampire takes the Stone from is a Club again, and scores nothing",
        "j_vampire bl_club",
        Scene(blind="bl_club", jokers=["j_vampire"], hand="KC/stone 2H", deck_cards=""),
        play("KC"),
        chips=5,
        discarded="KC!",
    ),
]


@pytest.mark.parametrize(
    ("joker", "blind", "before", "after"),
    [
        ("j_smeared", "bl_head", "KD! 2S", "KD 2S"),
        ("j_smeared", "bl_club", "KD 2S!", "KD 2S"),
        ("j_pareidolia", "bl_plant", "KD! 2S!", "KD! 2S"),
    ],
)
def test_selling_a_joker_that_widens_a_debuff_frees(joker: str, blind: str, before: str, after: str) -> None:
    live = Live(Scene(phase="blind_select", blind=blind, jokers=[joker], deck_cards="KD 2S"))
    live.act("select_blind")
    assert live.hand == before
    live.sell(joker)
    assert live.hand == after


# --- The hand size is live --------------------------------------------------------------------------------------------

PILE = "2C 3C 4C 5C"
"""The 5 is drawn first."""

LIVE = [
    row(
        "selling Stuntman draws two cards",
        "j_stuntman",
        Scene(jokers=["j_stuntman"], hand="KS QS", deck_cards=PILE),
        sell("j_stuntman"),
        hand="KS QS 5C 4C",
        hand_size=8,
    ),
    row(
        "selling Merry Andy draws one",
        "j_merry_andy",
        Scene(jokers=["j_merry_andy"], hand="KS QS", deck_cards=PILE),
        sell("j_merry_andy"),
        hand="KS QS 5C",
    ),
    row(
        "selling Juggler discards nothing",
        "j_juggler",
        Scene(jokers=["j_juggler"], hand="KS QS", deck_cards=PILE),
        sell("j_juggler"),
        hand="KS QS",
        hand_size=8,
    ),
    row(
        "Judgement makes Juggler: one card",
        "c_judgement j_juggler",
        Scene(hand="KS QS", deck_cards=PILE, consumables=["c_judgement"], rolls=judgement("j_juggler")),
        use("c_judgement"),
        hand="KS QS 5C",
        hand_size=9,
    ),
    row(
        "Judgement makes Troubadour: two cards, and a hand less from the next round on",
        "c_judgement j_troubadour",
        Scene(hand="KS QS", deck_cards=PILE, consumables=["c_judgement"], rolls=judgement("j_troubadour", 2)),
        use("c_judgement"),
        hand="KS QS 5C 4C",
        hands=4,
        at={"round.hands_per_round": 3},
    ),
    row(
        "Judgement makes Stuntman: nothing is discarded",
        "c_judgement j_stuntman",
        Scene(
            hand="KS QS 2S",
            deck_cards=PILE,
            consumables=["c_judgement"],
            rolls={"rarity1jud": [(0.96, 1.0)], "Joker3jud1": ["j_stuntman"], "edijud1": [BASE]},
        ),
        use("c_judgement"),
        hand="KS QS 2S",
        hand_size=6,
    ),
    row(
        "Hex destroys Stuntman: two cards",
        "c_hex j_stuntman",
        Scene(
            jokers=["j_egg", "j_stuntman"],
            hand="KS QS",
            deck_cards=PILE,
            consumables=["c_hex"],
            rolls={"hex": [Pick(0, of=2)]},
        ),
        use("c_hex"),
        hand="KS QS 5C 4C",
    ),
    row(
        "Luchador against The Manacle draws one",
        "bl_manacle j_luchador",
        Scene(blind="bl_manacle", jokers=["j_luchador"], hand="KS QS", deck_cards=PILE),
        sell("j_luchador"),
        hand="KS QS 5C",
        hand_size=8,
    ),
    row(
        "Crimson Heart switches Stuntman off: two cards more than the hand holds",
        "bl_final_heart j_stuntman",
        Scene(
            blind="bl_final_heart",
            ante=8,
            phase="blind_select",
            jokers=["j_stuntman"],
            deck_cards="2C 3C 4C 5C 6C 7C 8C 9C TC",
            rolls={"crimson_heart": [Pick(0, of=1)]},
        ),
        select_blind,
        cards_in_hand=8,
        hand_size=8,
    ),
    row(
        "Crimson Heart switches Juggler on again: one card",
        "bl_final_heart j_juggler",
        Scene(
            blind="bl_final_heart",
            ante=8,
            phase="blind_select",
            jokers=["j_juggler", "j_egg"],
            rolls={"crimson_heart": [Pick(0, of=2), Pick(0, of=1)]},
        ),
        select_blind,
        lambda live: live.play([0]),
        debuffed=[False, True],
        cards_in_hand=9,
    ),
    row(
        "Stuntman perishes when the round is won: nothing is drawn, a Gold card on the pile pays nothing",
        "j_stuntman perishable m_gold",
        Scene(
            jokers=["j_stuntman:perishable,perish_left=1"],
            hand="KS QS",
            deck_cards="2C/gold",
            target=1,
            money=0,
        ),
        play("KS"),
        money=0,
        hand_size=8,
    ),
    row(
        "outside of a round nothing is drawn",
        "j_stuntman",
        Scene(phase="shop", jokers=["j_stuntman"], deck_cards=PILE),
        sell("j_stuntman"),
        hand="",
    ),
    row(
        "drawn cards come as the boss wants them",
        "bl_house j_stuntman",
        Scene(blind="bl_house", jokers=["j_stuntman"], hand="KS^ QS^", deck_cards=PILE),
        sell("j_stuntman"),
        face_down=4,
    ),
]

# --- The edges of a round ---------------------------------------------------------------------------------------------

EDGES = [
    row(
        "Hanged Man takes the last cards: a new hand is drawn",
        "c_hanged_man",
        Scene(hand="KS QS", deck_cards=PILE, consumables=["c_hanged_man"]),
        use("c_hanged_man", "KS QS"),
        phase="selecting_hand",
        hand="5C 4C 3C 2C",
    ),
    row(
        "Immolate takes the last cards: a new hand is drawn",
        "c_immolate",
        Scene(hand="KS QS 2S", deck_cards=PILE, consumables=["c_immolate"], rolls={"immolate": 1}),
        use("c_immolate"),
        phase="selecting_hand",
        hand="5C 4C 3C 2C",
    ),
    row(
        "with an empty deck the round ends",
        "c_hanged_man",
        Scene(hand="KS QS", deck_cards="", consumables=["c_hanged_man"]),
        use("c_hanged_man", "KS QS"),
        phase="game_over",
    ),
    row(
        "Cerulean Bell chooses a card of the new hand",
        "c_hanged_man bl_final_bell",
        Scene(
            blind="bl_final_bell",
            ante=8,
            hand="KS@ QS",
            deck_cards=PILE,
            consumables=["c_hanged_man"],
            rolls={"cerulean_bell": [Pick(0, of=4)]},
        ),
        use("c_hanged_man", "KS QS"),
        hand="5C 4C 3C 2C@",
    ),
    row(
        "Crimson Heart does not choose again for the new hand",
        "c_hanged_man bl_final_heart",
        Scene(
            blind="bl_final_heart",
            ante=8,
            jokers=["j_egg", "j_hack"],
            hand="KS QS",
            deck_cards=PILE,
            consumables=["c_hanged_man"],
        ),
        use("c_hanged_man", "KS QS"),
        hand="5C 4C 3C 2C",
    ),
    row(
        "Luchador against The Wall: the lower target is reached",
        "j_luchador bl_wall",
        Scene(blind="bl_wall", jokers=["j_luchador"], hand="KS/gold QS", chips=600, target=1200, money=0),
        sell("j_luchador"),
        phase="round_eval",
        money=2 + 3,
    ),
    row(
        "Luchador against The Wall: the lower target is not reached",
        "j_luchador bl_wall",
        Scene(blind="bl_wall", jokers=["j_luchador"], hand="KS QS", chips=599, target=1200),
        sell("j_luchador"),
        phase="selecting_hand",
        target=600,
    ),
    row(
        "Luchador against Violet Vessel",
        "j_luchador bl_final_vessel",
        Scene(blind="bl_final_vessel", ante=8, jokers=["j_luchador"], hand="KS QS", chips=100_000, target=300_000),
        sell("j_luchador"),
        phase="round_eval",
        at={"flags.won": True},
    ),
    row(
        "Chicot from The Soul against The Wall",
        "j_chicot c_soul bl_wall",
        Scene(
            blind="bl_wall",
            hand="KS QS",
            chips=600,
            target=1200,
            consumables=["c_soul"],
            rolls={"Joker4": ["j_chicot"], "edisou1": [BASE]},
        ),
        use("c_soul"),
        phase="round_eval",
    ),
    row(
        "Cerulean Bell's card must be among the targets",
        "c_chariot bl_final_bell",
        Scene(blind="bl_final_bell", ante=8, hand="KS@ QS", consumables=["c_chariot"]),
        use("c_chariot", "QS"),
        refused="Cerulean Bell",
    ),
    row(
        "Cerulean Bell's card is a target like any other",
        "c_chariot bl_final_bell",
        Scene(blind="bl_final_bell", ante=8, hand="KS@ QS", consumables=["c_chariot"]),
        use("c_chariot", "KS"),
        hand="KS/steel@ QS",
    ),
    row(
        "Cerulean Bell does not touch what takes no targets",
        "c_hermit bl_final_bell",
        Scene(blind="bl_final_bell", ante=8, hand="KS@ QS", consumables=["c_hermit"], money=3),
        use("c_hermit"),
        money=6,
    ),
    row(
        "Cerulean Bell's card has an edition: no Aura",
        "c_aura bl_final_bell",
        Scene(blind="bl_final_bell", ante=8, hand="KS*foil@ QS", consumables=["c_aura"]),
        use("c_aura", "QS"),
        refused="Cerulean Bell",
    ),
]


def test_allowed_targets_all_hold_the_forced_card() -> None:
    live = Live(
        Scene(blind="bl_final_bell", ante=8, hand="KS QS@ 2H 3H", consumables=["c_hanged_man", "c_aura", "c_death"])
    )
    uses = [action for action in live.run.legal_actions() if action.kind == "use"]
    assert len(uses) == (1 + 3) + 1 + 3
    assert all(1 in action.cards for action in uses)
    assert all(live.run.refusal(action) is None for action in uses)


# --- Order of the hand ------------------------------------------------------------------------------------------------


def keeps_order(consumable: str, **more: Any) -> Row:
    scene = Scene(hand="2S KS 9S", deck_cards="", consumables=[consumable], **more)
    return row(f"{consumable} does not sort the hand", consumable, scene, use(consumable), hand="2S KS 9S")


ORDER = [
    keeps_order("c_fool", memory={"last_used": "c_sun"}),
    keeps_order("c_emperor", rolls={"Tarotemp1": ["c_sun", "c_moon"]}),
    keeps_order("c_high_priestess", rolls={"Planetpri1": ["c_mars", "c_venus"]}),
    keeps_order("c_judgement", rolls=judgement("j_egg")),
    keeps_order("c_wraith", rolls={"Joker3wra1": ["j_dna"], "ediwra1": [BASE]}),
    keeps_order("c_soul", rolls={"Joker4": ["j_perkeo"], "edisou1": [BASE]}),
    keeps_order("c_mars"),
    row(
        "Strength leaves the card where it is",
        "c_strength",
        Scene(hand="2S KS 9S", deck_cards="", consumables=["c_strength"]),
        use("c_strength", "9S"),
        hand="2S KS TS",
    ),
    row(
        "Cryptid's copies stand at the right end",
        "c_cryptid",
        Scene(hand="KS 2S", deck_cards="", consumables=["c_cryptid"]),
        use("c_cryptid", "KS"),
        hand="KS 2S KS KS",
    ),
    row(
        "a draw sorts the hand again",
        "c_cryptid",
        Scene(hand="KS 3S 2S", deck_cards="9S", consumables=["c_cryptid"]),
        use("c_cryptid", "KS"),
        discard("3S"),
        hand="KS KS KS 9S 2S",
    ),
    row(
        "a card whose suit was changed keeps the suit that it was created with",
        "c_star c_sun c_moon c_world",
        Scene(hand="8H 8D 2S", deck_cards="3S", consumables=["c_star"]),
        use("c_star", "8H"),
        discard("2S"),
        hand="8D 8D 3S",
        origins="H33 D20 S41",
    ),
    row(
        "so does a card that Sigil changes",
        "c_sigil",
        Scene(hand="8D 8H 2S", deck_cards="3S", consumables=["c_sigil"], rolls={"sigil": [Pick(3, of=4)]}),
        use("c_sigil"),
        discard("2C"),
        hand="8C 8C 3S",
        origins="H33 D20 S41",
    ),
    row(
        "a copy by Cryptid counts as created in its suit",
        "c_cryptid",
        Scene(hand="8D<C 8D<H 2S", deck_cards="3S", consumables=["c_cryptid"]),
        use("c_cryptid", "8D"),
        discard("2S"),
        hand="8D 8D 8D 8D 3S",
        origins="H33 C7 D54 D55 S41",
    ),
    row(
        "so does the card that Death makes into a copy",
        "c_death",
        Scene(hand="KS 8D<H 2S", deck_cards="3S", consumables=["c_death"]),
        use("c_death", "KS 8D"),
        discard("2S"),
        hand="8D 8D 3S",
        origins="H33 D50 S41",
    ),
    row(
        "and DNA's copy",
        "j_dna",
        Scene(jokers=["j_dna"], hand="8D<H 2S", deck_cards="8D 3S"),
        play("8D"),
        hand="8D 8D 3S 2S",
        origins="D20 D54 S41 S40",
    ),
    row(
        "a play without a draw leaves the order",
        "Pair",
        Scene(hand="2S KS 9S", deck_cards=""),
        play("9S"),
        hand="2S KS",
    ),
]

# --- Hands, discards and prices ---------------------------------------------------------------------------------------


def redeems(voucher: str, hands: int, discards: int, **more: Any) -> Row:
    scene = Scene(phase="shop", shop_vouchers=[voucher], money=20, **more)
    return row(f"{voucher} changes the present round", voucher, scene, redeem(), hands=hands, discards=discards)


PRESENT = [
    redeems("v_grabber", 5, 4),
    redeems("v_nacho_tong", 6, 4, vouchers=["v_grabber"]),
    redeems("v_wasteful", 4, 5),
    redeems("v_recyclomancy", 4, 6, vouchers=["v_wasteful"]),
    redeems("v_hieroglyph", 3, 4),
    redeems("v_petroglyph", 3, 3, vouchers=["v_hieroglyph"]),
    row(
        "a reroll voucher cuts the present price after a D6 Tag",
        "v_reroll_surplus tag_d_six",
        Scene(
            phase="shop",
            shop_vouchers=["v_reroll_surplus"],
            money=20,
            state={"economy.rerolls_start_free": True, "economy.reroll_increase": 1},
        ),
        redeem(),
        reroll_price=0,
    ),
    row(
        "from the next reroll on the tag's own price counts",
        "v_reroll_surplus tag_d_six",
        Scene(
            phase="shop",
            shop_vouchers=["v_reroll_surplus"],
            money=20,
            state={"economy.rerolls_start_free": True, "economy.reroll_increase": 1},
        ),
        redeem(),
        lambda live: live.act("reroll"),
        reroll_price=2,
        money=10,
    ),
    row(
        "the cut ends with the shop",
        "v_reroll_surplus tag_d_six",
        Scene(
            phase="shop",
            shop_vouchers=["v_reroll_surplus"],
            money=20,
            state={"economy.rerolls_start_free": True, "economy.reroll_increase": 1},
        ),
        redeem(),
        leave_shop,
        select_blind,
        at={"economy.reroll_cut": 0},
    ),
]

# --- A play that is only tried ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "scene",
    [
        Scene(jokers=["j_dna", "j_baron"], hand="KS 2H", deck_cards="2C 3C"),
        Scene(jokers=["j_dna"], hand="KS/steel 2H", blind="bl_pillar", ante=2, deck_cards="2C 3C"),
        Scene(jokers=["j_bull"], hand="KS 2H", blind="bl_ox", money=9, state={"round.most_played": "High Card"}),
        Scene(jokers=["j_bull"], hand="KS 2H", blind="bl_tooth", money=9),
        Scene(challenge="c_rich_1", hand="KS#Gold 2H", money=7),
        Scene(jokers=["j_vampire"], hand="KC/stone 2H", blind="bl_club"),
    ],
)
def test_a_preview_is_what_the_play_scores(scene: Scene) -> None:
    live = Live(scene)
    tried = live.run.preview([0])
    live.play([0])
    assert (tried.chips, tried.mult, tried.score) == (live.chips, live.mult, live.score)


def test_the_cap_of_rich_get_richer_does_not_drift_with_expected_money() -> None:
    scene = Scene(
        challenge="c_rich_1",
        money=7,
        jokers=["j_reserved_parking", "j_stuntman"],
        hand="2S KS KH KD QS QH",
        deck_cards="2C 3C",
    )
    assert Live(scene).run.preview([0], "expected").chips == 7


# --- Negative consumables ---------------------------------------------------------------------------------------------

NEGATIVE = [
    row(
        "a Negative Fool finds room among full slots",
        "c_fool e_negative",
        Scene(hand="KS", consumables=["c_sun", "c_moon", "c_fool:e_negative"], memory={"last_used": "c_star"}),
        use("c_fool"),
        consumables=["c_sun", "c_moon", "c_star"],
    ),
    row(
        "a Negative Emperor makes two beside one other",
        "c_emperor e_negative",
        Scene(hand="KS", consumables=["c_sun", "c_emperor:e_negative"], rolls={"Tarotemp1": ["c_moon", "c_star"]}),
        use("c_emperor"),
        consumables=["c_sun", "c_moon", "c_star"],
    ),
    row(
        "a plain Emperor makes one beside one other",
        "c_emperor",
        Scene(hand="KS", consumables=["c_sun", "c_emperor"], rolls={"Tarotemp1": ["c_moon"]}),
        use("c_emperor"),
        consumables=["c_sun", "c_moon"],
    ),
    row(
        "a Negative High Priestess makes one beside two others",
        "c_high_priestess e_negative",
        Scene(
            hand="KS",
            consumables=["c_sun", "c_moon", "c_high_priestess:e_negative"],
            rolls={"Planetpri1": ["c_mars"]},
        ),
        use("c_high_priestess"),
        consumables=["c_sun", "c_moon", "c_mars"],
    ),
]

ROWS = [*QUEUED, *ANEW, *LIVE, *EDGES, *ORDER, *PRESENT, *NEGATIVE]
test_rows = rows_test(ROWS)
