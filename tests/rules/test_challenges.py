"""The 20 challenges: what each starts with, what it bans, and its special rules."""

from typing import Any

from jimbo.engine.catalog import JOKERS, TAGS, VOUCHERS
from rules.scene import (
    Pick,
    Row,
    Scene,
    buy,
    cash_out,
    discard,
    leave_shop,
    open_booster,
    play,
    redeem,
    reroll,
    row,
    rows_test,
    select_blind,
    sell,
    use,
)

# --- Starts -----------------------------------------------------------------------------------------------------------

ALL_RANKS = "23456789AJKQT"
USUAL: dict[str, Any] = {
    "money": 4,
    "hands": 4,
    "discards": 3,
    "hand_size": 8,
    "round.joker_slots": 5,
    "round.consumable_slots": 2,
    "vouchers": [],
    "consumables": [],
    "joker_words": [],
    "full_deck": " ".join(rank + suit for suit in "CDHS" for rank in ALL_RANKS),
}


def deck(ranks: str = ALL_RANKS, word: str = "", faces: str = "") -> str:
    """A deck in creation order; a rank that appears twice has two cards of each suit."""
    return " ".join(rank + suit + (faces if rank in "JKQ" else word) for suit in "CDHS" for rank in ranks)


STARTS: dict[str, dict[str, Any]] = {
    "c_omelette_1": {"joker_words": ["j_egg"] * 5},
    "c_city_1": {"joker_words": ["j_ride_the_bus eternal", "j_shortcut eternal"], "full_deck": deck("456789JJKKQQT")},
    "c_rich_1": {"money": 100, "vouchers": ["v_seed_money", "v_money_tree"]},
    "c_knife_1": {"joker_words": ["j_ceremonial eternal pinned"]},
    "c_xray_1": {},
    "c_mad_world_1": {
        "joker_words": ["j_pareidolia e_negative eternal", "j_business eternal"],
        "full_deck": deck("23456789"),
    },
    "c_luxury_1": {"hand_size": 10},
    "c_non_perishable_1": {},
    "c_medusa_1": {"joker_words": ["j_marble eternal"], "full_deck": deck(faces="/stone")},
    "c_double_nothing_1": {"full_deck": deck(word="#Red", faces="#Red")},
    "c_typecast_1": {},
    "c_inflation_1": {"joker_words": ["j_credit_card"]},
    "c_bram_poker_1": {
        "joker_words": ["j_vampire eternal"],
        "consumables": ["c_empress", "c_emperor"],
        "vouchers": ["v_magic_trick", "v_illusion"],
    },
    "c_fragile_1": {
        "joker_words": ["j_oops e_negative eternal"] * 2,
        "full_deck": deck(word="/glass", faces="/glass"),
    },
    "c_monolith_1": {"joker_words": ["j_obelisk eternal", "j_marble e_negative eternal"]},
    "c_blast_off_1": {
        "hands": 2,
        "discards": 2,
        "round.joker_slots": 4,
        "joker_words": ["j_constellation eternal", "j_rocket eternal"],
        "vouchers": ["v_planet_merchant", "v_planet_tycoon"],
    },
    "c_five_card_1": {
        "hand_size": 5,
        "round.joker_slots": 7,
        "discards": 6,
        "joker_words": ["j_card_sharp", "j_joker"],
    },
    "c_golden_needle_1": {"hands": 1, "discards": 6, "money": 10, "joker_words": ["j_credit_card"]},
    "c_cruelty_1": {"round.joker_slots": 3},
    "c_jokerless_1": {"round.joker_slots": 0},
}
STARTING = [
    Row(f"{key} starts", key, Scene(challenge=key, phase="blind_select"), [], USUAL | different)
    for key, different in STARTS.items()
]

# --- Bans -------------------------------------------------------------------------------------------------------------

JOKER_CARD, PLANET_CARD = (0.0, 0.71), (0.86, 1.0)
RARITIES = {"Common": (1, (0.0, 0.7)), "Uncommon": (2, (0.7, 0.95)), "Rare": (3, (0.95, 1.0))}


def bans_joker(challenge: str, joker: str) -> Row:
    """A shop draws it and has to draw again."""
    rarity = JOKERS[joker].rarity
    number, poll = RARITIES[rarity]
    other = {"Common": "j_half", "Uncommon": "j_hack", "Rare": "j_dna"}[rarity]
    rolls = {
        "cdt1": [JOKER_CARD if challenge != "c_blast_off_1" else (0.0, 0.35), (0.99, 1.0)],
        "rarity1sho": [poll],
        f"Joker{number}sho1": [joker],
        f"Joker{number}sho1_resample2": [other],
    }
    scene = Scene(
        challenge=challenge, phase="shop", money=20, rolls=rolls, memory={"gros_michel_extinct": joker == "j_cavendish"}
    )
    return row(
        f"{challenge} bans {joker}", f"{challenge} {joker}", scene, reroll, at={"shop.cards.0.offer.joker": other}
    )


def next_ante(challenge: str, banned: str, rolls: dict[str, Any], at: dict[str, Any], **more: Any) -> Row:
    scene = Scene(challenge=challenge, hand="KS KH", blind="bl_wall", target=1, rolls=rolls, **more)
    return row(f"{challenge} bans {banned}", f"{challenge} {banned}", scene, play("KS KH"), cash_out, at=at)


def bans_voucher(challenge: str, voucher: str) -> Row:
    names = list(VOUCHERS)
    needed = VOUCHERS[voucher].prerequisite
    rolls = {
        "Voucher2": [Pick(names.index(voucher), of=32)],
        "Voucher2_resample2": [Pick(names.index("v_hone"), of=32)],
    }
    return next_ante(challenge, voucher, rolls, {"round.voucher": "v_hone"}, vouchers=[needed] if needed else [])


def bans_tag(challenge: str, tag: str) -> Row:
    names = list(TAGS)
    wanted = [Pick(names.index(key), of=24) for key in (tag, "tag_boss")]
    rolls = {"Tag2": wanted, "Tag2_resample2": [Pick(names.index("tag_coupon"), of=24)]}
    return next_ante(challenge, tag, rolls, {"round.skip_tags.small.key": "tag_coupon"})


def bans_showdown(challenge: str, *left: str) -> Row:
    """The bosses of ante 8 that are left."""
    scene = {"ante": 7, "memory": {"boss_uses": {}}}
    rolls = {"boss": [Pick(len(left) - 1, of=len(left))]}
    banned = [b for b in ("bl_final_acorn", "bl_final_heart", "bl_final_leaf") if b not in left]
    return next_ante(challenge, " ".join(banned), rolls, {"round.boss": left[-1]}, **scene)


def bans_card(challenge: str, banned: str, booster: str, stream: str, other: str) -> Row:
    """A pack draws it and has to draw again."""
    others = ["c_sun", "c_world"] if "arcana" in booster else ["c_aura"]
    scene = Scene(
        challenge=challenge,
        phase="shop",
        money=8,
        boosters=[booster],
        rolls={f"{stream}1": [banned, *others], f"{stream}1_resample2": [other]},
    )
    return row(
        f"{challenge} bans {banned}",
        f"{challenge} {banned}",
        scene,
        open_booster(),
        at={"pack.cards.0.consumable": other},
    )


BANS = [
    *(bans_joker("c_omelette_1", joker) for joker in ("j_to_the_moon", "j_rocket", "j_golden", "j_satellite")),
    *(bans_voucher("c_omelette_1", voucher) for voucher in ("v_seed_money", "v_money_tree")),
    next_ante(
        "c_mad_world_1",
        "bl_plant",
        {
            "boss": [Pick(14, of=20)],
            "business": [False, False],
        },  # the 20 other bosses of ante 4: after The Pillar comes The Psychic
        {"round.boss": "bl_psychic"},
        ante=3,
        memory={"boss_uses": {}},
    ),
    *(
        bans_joker("c_non_perishable_1", joker)
        for joker in (
            "j_gros_michel",
            "j_ice_cream",
            "j_cavendish",
            "j_turtle_bean",
            "j_ramen",
            "j_diet_cola",
            "j_selzer",
            "j_popcorn",
            "j_mr_bones",
            "j_invisible",
            "j_luchador",
        )
    ),
    bans_showdown("c_non_perishable_1", "bl_final_acorn", "bl_final_bell", "bl_final_heart", "bl_final_vessel"),
    bans_showdown("c_typecast_1", "bl_final_acorn", "bl_final_bell", "bl_final_heart", "bl_final_vessel"),
    bans_showdown("c_jokerless_1", "bl_final_bell", "bl_final_vessel"),
    *(bans_voucher("c_inflation_1", voucher) for voucher in ("v_clearance_sale", "v_liquidation")),
    *(
        bans_card("c_fragile_1", tarot, "p_arcana_normal_1", "Tarotar1", "c_moon")
        for tarot in ("c_magician", "c_empress", "c_heirophant", "c_chariot", "c_devil", "c_tower", "c_lovers")
    ),
    *(
        bans_card("c_fragile_1", spectral, "p_spectral_normal_1", "Spectralspe", "c_hex")
        for spectral in ("c_incantation", "c_grim", "c_familiar")
    ),
    *(bans_joker("c_fragile_1", joker) for joker in ("j_marble", "j_vampire", "j_midas_mask", "j_certificate")),
    *(bans_voucher("c_fragile_1", voucher) for voucher in ("v_magic_trick", "v_illusion")),
    bans_tag("c_fragile_1", "tag_standard"),
    *(bans_voucher("c_blast_off_1", voucher) for voucher in ("v_grabber", "v_nacho_tong")),
    bans_joker("c_blast_off_1", "j_burglar"),
    *(bans_joker("c_five_card_1", joker) for joker in ("j_juggler", "j_troubadour", "j_turtle_bean")),
    *(bans_voucher("c_golden_needle_1", voucher) for voucher in ("v_grabber", "v_nacho_tong")),
    bans_joker("c_golden_needle_1", "j_burglar"),
    bans_card("c_jokerless_1", "c_judgement", "p_arcana_normal_1", "Tarotar1", "c_moon"),
    bans_card("c_jokerless_1", "c_wraith", "p_spectral_normal_1", "Spectralspe", "c_hex"),
    bans_voucher("c_jokerless_1", "v_antimatter"),
    *(
        bans_tag("c_jokerless_1", tag)
        for tag in (
            "tag_rare",
            "tag_uncommon",
            "tag_holo",
            "tag_polychrome",
            "tag_negative",
            "tag_foil",
            "tag_buffoon",
            "tag_top_up",
        )
    ),
    row(
        "c_jokerless_1 bans c_soul: it is not polled for",
        "c_jokerless_1 c_soul",
        Scene(
            challenge="c_jokerless_1", phase="shop", money=8, boosters=["p_arcana_normal_1"], rolls={"soul_Tarot1": []}
        ),
        open_booster(),
    ),
    # Without Buffoon packs the weights are 22.42 - 1.95, and the first pack of the run is drawn.
    row(
        "c_jokerless_1 bans Buffoon packs",
        "c_jokerless_1 p_buffoon_normal_1 p_spectral_normal_1",
        Scene(
            challenge="c_jokerless_1",
            phase="round_eval",
            blind="bl_big",
            rolls={"shop_pack1": [(0.0, 0.04), (19.51 / 20.47, 19.79 / 20.47)]},
        ),
        cash_out,
        boosters=["p_arcana_normal_1", "p_spectral_normal_1"],
    ),
    # Without Standard packs the weights are 22.42 - 6.5; the first pack is a Buffoon pack as always.
    row(
        "c_fragile_1 bans Standard packs",
        "c_fragile_1 p_standard_normal_1 p_buffoon_normal_1",
        Scene(
            challenge="c_fragile_1",
            phase="round_eval",
            blind="bl_big",
            rolls={"shop_pack1": [(13.01 / 15.92, 13.59 / 15.92)]},
        ),
        cash_out,
        boosters=["p_buffoon_normal_1", "p_buffoon_normal_1"],
    ),
]

# --- Special rules ----------------------------------------------------------------------------------------------------


def pays(challenge: str, blind: str, payout: dict[str, int]) -> Row:
    """Wins with the first hand, $25 held."""
    rolls = {"business": [False, False]} if challenge == "c_mad_world_1" else {}
    scene = Scene(challenge=challenge, blind=blind, hand="KS KH", target=1, money=25, rolls=rolls)
    return row(f"{challenge} pays {payout} for {blind}", f"{challenge} {blind}", scene, play("KS KH"), payout=payout)


MONEY = [
    *(pays("c_omelette_1", b, {"blind": 0, "hands": 0, "interest": 0}) for b in ("bl_small", "bl_big", "bl_wall")),
    pays("c_mad_world_1", "bl_small", {"blind": 3, "hands": 0, "interest": 0}),
    pays("c_cruelty_1", "bl_small", {"blind": 0, "hands": 3, "interest": 5}),
    pays("c_cruelty_1", "bl_big", {"blind": 0, "hands": 3, "interest": 5}),
    pays("c_cruelty_1", "bl_wall", {"blind": 5, "hands": 3, "interest": 5}),
    row(
        "c_rich_1: chips count at most the money",
        "c_rich_1",
        Scene(challenge="c_rich_1", hand="KS KH", money=17),
        play("KS KH"),
        chips=17,
        mult=2,
    ),
    row(
        "c_rich_1: chips below the money count in full",
        "c_rich_1",
        Scene(challenge="c_rich_1", hand="KS KH", money=100),
        play("KS KH"),
        chips=30,
        mult=2,
    ),
    row(
        "c_golden_needle_1: a discard costs $1",
        "c_golden_needle_1",
        Scene(challenge="c_golden_needle_1", hand="KS KH 2D 3D", money=10),
        discard("2D 3D"),
        money=9,
        discards=5,
    ),
    row(
        "c_golden_needle_1: a discard needs no money (a working hypothesis)",
        "c_golden_needle_1",
        Scene(challenge="c_golden_needle_1", hand="KS KH", money=-20),
        discard("KS"),
        money=-21,
    ),
]

SALE: dict[str, Any] = {"shop": ["j_joker", "c_fool"], "boosters": ["p_arcana_normal_1"], "shop_vouchers": ["v_hone"]}
INFLATION = [
    row(
        "c_inflation_1: full prices at first",
        "c_inflation_1",
        Scene(challenge="c_inflation_1", phase="shop", **SALE),
        prices=[2, 3],
        booster_prices=[4],
        voucher_prices=[10],
    ),
    row(
        "c_inflation_1: every card bought makes everything dearer by $1",
        "c_inflation_1",
        Scene(challenge="c_inflation_1", phase="shop", money=20, **SALE),
        buy("j_joker"),
        prices=[3 + 1],
        booster_prices=[4 + 1],
        voucher_prices=[10 + 1],
        money=18,
    ),
    row(
        "c_inflation_1: a voucher too",
        "c_inflation_1",
        Scene(challenge="c_inflation_1", phase="shop", money=20, **SALE),
        redeem(),
        prices=[2 + 1, 3 + 1],
    ),
    row(
        "c_inflation_1: a pack too",
        "c_inflation_1",
        Scene(challenge="c_inflation_1", phase="shop", money=20, **SALE),
        open_booster(),
        prices=[2 + 1, 3 + 1],
    ),
    row(
        "c_inflation_1: a pack that a tag opens too (a working hypothesis)",
        "c_inflation_1 tag_meteor",
        Scene(challenge="c_inflation_1", phase="shop", tags=["tag_meteor"], **SALE),
        leave_shop,
        phase="pack_opening",
        at={"economy.inflation": 1},
    ),
    row(
        "c_inflation_1: rerolls are not purchases",
        "c_inflation_1",
        Scene(challenge="c_inflation_1", phase="shop", money=20, **SALE),
        reroll,
        booster_prices=[4],
    ),
]

CARDS = [
    row(
        "c_xray_1: 1 in 4 cards is drawn face down",
        "c_xray_1",
        Scene(
            challenge="c_xray_1",
            hand="2H",
            deck_cards="9S QS KS",
            rolls={"flipped_card": [True, False, True]},  # the last of the pile comes first
        ),
        discard("2H"),
        hand="KS^ QS 9S^",
    ),
    *(
        row(
            f"c_luxury_1: ${money} leave {cards} cards",
            "c_luxury_1",
            Scene(challenge="c_luxury_1", phase="blind_select", money=money),
            select_blind,
            cards_in_hand=cards,
        )
        for money, cards in {0: 10, 4: 10, 5: 9, 13: 8, 25: 5, -1: 11, -5: 11, -6: 12}.items()
    ),
    row(
        "c_double_nothing_1: what has scored is debuffed for good, what was only played is not",
        "c_double_nothing_1 seal_red",
        Scene(challenge="c_double_nothing_1", hand="KS#Red KH#Red 3D#Red 2D#Red", deck_cards=""),
        play("KS KH 3D"),
        chips=10 + 40,
        discarded="KS#Red!% KH#Red!% 3D#Red",
        hand="2D#Red",
    ),
    row(
        "c_double_nothing_1: still debuffed in the next blind of the ante",
        "c_double_nothing_1",
        Scene(challenge="c_double_nothing_1", hand="KS#Red 2D#Red", deck_cards="", target=1),
        play("KS"),
        cash_out,
        lambda live: live.act("leave_shop"),
        select_blind,
        hand="KS#Red!% 2D#Red",
    ),
    row(
        "c_double_nothing_1: still debuffed in the next ante",
        "c_double_nothing_1",
        Scene(challenge="c_double_nothing_1", hand="KS#Red 2D#Red", deck_cards="", blind="bl_wall", target=1),
        play("KS"),
        cash_out,
        full_deck="2D#Red KS#Red!%",
    ),
    row(
        "c_double_nothing_1: a new enhancement makes the card fresh",
        "c_double_nothing_1 c_chariot",
        Scene(challenge="c_double_nothing_1", hand="KS#Red!% 2D#Red", deck_cards="", consumables=["c_chariot"]),
        use("c_chariot", "KS"),
        hand="KS/steel#Red 2D#Red",
    ),
    row(
        "c_double_nothing_1: a Glass card that scores may break",
        "c_double_nothing_1 m_glass",
        Scene(
            challenge="c_double_nothing_1",
            hand="KS/glass#Red 2D#Red",
            deck_cards="",
            rolls={"glass": [True]},
        ),
        play("KS"),
        full_deck="2D#Red",
    ),
    row(
        "c_double_nothing_1: a new suit changes nothing",
        "c_double_nothing_1 c_sun",
        Scene(challenge="c_double_nothing_1", hand="KS#Red!% 2D#Red", deck_cards="", consumables=["c_sun"]),
        use("c_sun", "KS"),
        hand="KH#Red!% 2D#Red",
    ),
    row(
        "c_luxury_1: money that goes makes the hand larger at once",
        "c_luxury_1 c_wraith",
        Scene(
            challenge="c_luxury_1",
            money=20,
            hand="KS QS JS TS 9S 8S",
            deck_cards="2C 3C 4C 5C 6C 7C",
            consumables=["c_wraith"],
            rolls={"Joker3wra1": ["j_dna"], "ediwra1": [(0.0, 0.9)]},
        ),
        use("c_wraith"),
        hand="KS QS JS TS 9S 8S 7C 6C 5C 4C",
    ),
    row(
        "c_luxury_1: money that comes takes no card",
        "c_luxury_1 c_hermit",
        Scene(challenge="c_luxury_1", money=4, hand="KS QS", deck_cards="2C 3C", consumables=["c_hermit"]),
        use("c_hermit"),
        hand="KS QS",
    ),
    row(
        "c_typecast_1: a Perishable joker cannot be Eternal",
        "c_typecast_1 eternal perishable",
        Scene(challenge="c_typecast_1", ante=4, blind="bl_wall", hand="KS", target=1, jokers=["j_egg:perishable"]),
        play("KS"),
        joker_words=["j_egg perishable"],
    ),
    row(
        "c_rich_1: the cap is the money held before the hand",
        "c_rich_1",
        Scene(challenge="c_rich_1", hand="KS#Gold 2D", deck_cards="", money=7),
        play("KS"),
        chips=7,
        money=10,
    ),
    row(
        "c_medusa_1: Marble Joker adds Stone cards",
        "c_medusa_1 j_marble",
        Scene(challenge="c_medusa_1", phase="blind_select", deck_cards="2C", rolls={"marb_fr": ["H_9"]}),
        select_blind,
        hand="2C 9H/stone",
    ),
    row(
        "c_fragile_1: Glass cards always break with two Oops! All 6s",
        "c_fragile_1 m_glass",
        Scene(challenge="c_fragile_1", hand="KS/glass KH/glass 2D/glass", deck_cards="", rolls={"glass": 2}),
        play("KS KH"),
        discarded="",
        full_deck="2D/glass",
    ),
    row(
        "c_city_1: a hand without face cards lets Ride the Bus grow, and gaps are allowed",
        "c_city_1 j_ride_the_bus j_shortcut",
        Scene(challenge="c_city_1", hand="4S 6H 8D TC 9S"),
        play(range(5)),
        hand_type="Straight",
        count=1,
    ),
    row(
        "c_mad_world_1: every card is a face card",
        "c_mad_world_1 j_pareidolia j_business",
        Scene(challenge="c_mad_world_1", hand="2S 3H", money=4, rolls={"business": [True]}),
        play("2S"),
        money=6,
    ),
    row(
        "c_monolith_1: Obelisk and Marble Joker act",
        "c_monolith_1 j_obelisk j_marble",
        Scene(challenge="c_monolith_1", hand="KS KH", played={"Flush": 2}),
        play("KS KH"),
        mult=2 * 1.2,
    ),
]

JOKERS_RULES = [
    row(
        "c_knife_1: the dagger cannot be moved or sold",
        "c_knife_1 j_ceremonial eternal",
        Scene(challenge="c_knife_1", phase="shop", jokers=["j_egg"]),
        lambda live: live.move_joker("j_ceremonial", 1),
        refused="pinned",
    ),
    row(
        "c_knife_1: no joker can take its place",
        "c_knife_1 j_ceremonial",
        Scene(challenge="c_knife_1", phase="shop", jokers=["j_egg"]),
        lambda live: live.move_joker("j_egg", 0),
        refused="pinned",
    ),
    row(
        "c_knife_1: the dagger cannot be sold",
        "c_knife_1 j_ceremonial eternal",
        Scene(challenge="c_knife_1", phase="shop"),
        sell("j_ceremonial"),
        refused="eternal",
    ),
    row(
        "c_knife_1: the dagger takes what stands next to it",
        "c_knife_1 j_ceremonial",
        Scene(challenge="c_knife_1", phase="blind_select", jokers=["j_blueprint"]),
        select_blind,
        jokers=["j_ceremonial"],
        count=2 * 5,
    ),
    row(
        "c_non_perishable_1: every joker of the shop is eternal",
        "c_non_perishable_1 eternal",
        Scene(
            challenge="c_non_perishable_1",
            phase="shop",
            money=20,
            rolls={"cdt1": [JOKER_CARD, PLANET_CARD], "etperpoll1": [(0.0, 0.4)]},
        ),
        reroll,
        at={"shop.cards.0.offer.eternal": True},
    ),
    row(
        "c_non_perishable_1: so is one that Judgement makes",
        "c_non_perishable_1 eternal c_judgement",
        Scene(
            challenge="c_non_perishable_1",
            phase="shop",
            consumables=["c_judgement"],
            rolls={"rarity1jud": [(0.0, 0.7)], "Joker1jud1": ["j_egg"], "edijud1": 1},
        ),
        use("c_judgement"),
        joker_words=["j_egg eternal"],
    ),
    row(
        "c_typecast_1: the boss of ante 4 makes jokers eternal that can be, and takes the slots",
        "c_typecast_1 eternal",
        Scene(challenge="c_typecast_1", ante=4, blind="bl_wall", hand="KS", target=1, jokers=["j_egg", "j_ice_cream"]),
        play("KS"),
        joker_words=["j_egg eternal", "j_ice_cream"],
        at={"round.joker_slots": 0},
    ),
    row(
        "c_typecast_1: no joker can be bought then",
        "c_typecast_1",
        Scene(
            challenge="c_typecast_1",
            ante=5,
            phase="shop",
            shop=["j_egg"],
            money=20,
            state={"round.joker_slots": 0},
        ),
        buy("j_egg"),
        refused="no free slot",
    ),
    row(
        "c_typecast_1: nor a Negative one (a working hypothesis)",
        "c_typecast_1 e_negative",
        Scene(
            challenge="c_typecast_1",
            ante=5,
            phase="shop",
            shop=["j_egg:e_negative"],
            money=20,
            state={"round.joker_slots": 0},
        ),
        buy("j_egg"),
        refused="no free slot",
    ),
    row(
        "c_typecast_1: nothing happens at the boss of ante 3",
        "c_typecast_1",
        Scene(challenge="c_typecast_1", ante=3, blind="bl_wall", hand="KS", target=1, jokers=["j_egg"]),
        play("KS"),
        joker_words=["j_egg"],
        at={"round.joker_slots": 5},
    ),
    # Tarot 4, planet 4, with Magic Trick also playing card 4.
    row(
        "c_bram_poker_1: no jokers in the shop",
        "c_bram_poker_1",
        Scene(
            challenge="c_bram_poker_1",
            phase="shop",
            money=20,
            consumables=["c_fool"],
            rolls={
                "cdt1": [(0.0, 0.33), (0.34, 0.66)],
                "Tarotsho1": ["c_moon"],
                "Planetsho1": ["c_mars"],
                "illusion": 2,
            },
        ),
        reroll,
        shop=["c_moon", "c_mars"],
    ),
    row(
        "c_jokerless_1: no jokers in the shop",
        "c_jokerless_1",
        Scene(
            challenge="c_jokerless_1",
            phase="shop",
            money=20,
            rolls={"cdt1": [(0.0, 0.49), (0.51, 1.0)], "Tarotsho1": ["c_moon"], "Planetsho1": ["c_mars"]},
        ),
        reroll,
        shop=["c_moon", "c_mars"],
    ),
    row(
        "c_blast_off_1: planets fill the shop",
        "c_blast_off_1",  # joker 20, tarot 4, planet 32 of 56
        Scene(
            challenge="c_blast_off_1",
            phase="shop",
            money=20,
            rolls={"cdt1": [(0.43, 1.0), (0.36, 0.42)], "Planetsho1": ["c_mars"], "Tarotsho1": ["c_moon"]},
        ),
        reroll,
        shop=["c_mars", "c_moon"],
    ),
    row(
        "c_five_card_1: five cards are drawn",
        "c_five_card_1",
        Scene(challenge="c_five_card_1", phase="blind_select"),
        select_blind,
        cards_in_hand=5,
        discards=6,
    ),
    row(
        "c_golden_needle_1: one hand a round",
        "c_golden_needle_1",
        Scene(challenge="c_golden_needle_1", phase="blind_select"),
        select_blind,
        hands=1,
        discards=6,
    ),
    row(
        "c_omelette_1: five Eggs fill the slots and grow",
        "c_omelette_1 j_egg",
        Scene(challenge="c_omelette_1", hand="KS", target=1),
        play("KS"),
        sell_values=[2 + 3] * 5,
    ),
]

ROWS = [*STARTING, *BANS, *MONEY, *INFLATION, *CARDS, *JOKERS_RULES]

test_rows = rows_test(ROWS)
