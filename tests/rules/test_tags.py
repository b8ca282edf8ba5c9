"""The 24 tags: those that act at once, those that open packs, and those that wait for a shop, a boss or a round."""

from typing import Any

from jimbo.engine.catalog import JOKERS, VOUCHERS
from rules.scene import (
    Do,
    Pick,
    Row,
    Scene,
    buy,
    cash_out,
    leave_shop,
    pick,
    play,
    redeem,
    reroll,
    reroll_boss,
    row,
    rows_test,
    select_blind,
    skip_blind,
    skip_pack,
)

JOKER_CARD, TAROT_CARD, PLANET_CARD = (0.0, 0.71), (0.72, 0.85), (0.86, 1.0)
"""Polls of a shop slot: joker 20, tarot 4, planet 4 of 28."""
COMMON, UNCOMMON, RARE = (0.0, 0.7), (0.7, 0.95), (0.95, 1.0)
NO_EDITION = (0.0, 0.96)


def skips(tag: str, note: str = "", *, covers: str = "", do: tuple[Do, ...] = (), **more: Any) -> Row:
    """Skips the small blind for the tag; `more` holds what Scene takes, and `expect`."""
    expect = more.pop("expect")
    state = {"round.skip_tags.small.key": tag} | more.pop("state", {})
    scene = Scene(phase="blind_select", state=state, **more)
    return Row(f"{tag} {note}".strip(), f"{tag} {covers}", scene, [skip_blind, *do], expect)


def shops(tags: str, note: str = "", *, covers: str = "", do: tuple[Do, ...] = (), **more: Any) -> Row:
    """Cashes out with held tags; `more` holds what Scene takes, and `expect`."""
    expect = more.pop("expect")
    scene = Scene(phase="round_eval", blind=more.pop("blind", "bl_big"), tags=tags.split(), **more)
    return Row(f"{tags} {note}".strip(), f"{tags} {covers}", scene, [cash_out, *do], expect)


# --- At once ----------------------------------------------------------------------------------------------------------

AT_ONCE = [
    skips("tag_handy", "$1 a hand played", money=4, memory={"hands_played": 9}, expect={"money": 13, "tags": []}),
    skips("tag_garbage", "$1 an unused discard", money=4, memory={"unused_discards": 7}, expect={"money": 11}),
    skips("tag_skip", "$5 a skip, this one included", money=4, expect={"money": 9}),
    skips("tag_skip", "$5 a skip of the run", money=4, memory={"skips": 3}, expect={"money": 24, "memory.skips": 4}),
    skips("tag_economy", "doubles the money", money=13, expect={"money": 26, "tags": []}),
    skips("tag_economy", "gives $40 at most", money=53, expect={"money": 93}),
    skips("tag_economy", "gives nothing to a debt", money=-6, expect={"money": -6}),
    skips(
        "tag_orbital",
        "raises the hand it was offered with",
        state={"round.skip_tags.small.orbital_hand": "Full House"},
        expect={"levels": {"Full House": 4, "Pair": 1}, "tags": []},
        covers="pitfall:orbital-fixed",
    ),
    skips(
        "tag_top_up",
        "makes two common jokers",
        rolls={"Joker1top1": ["j_egg", "j_joker"], "editop1": [NO_EDITION, (0.997, 1.0)]},
        stake="gold",  # no sticker polls
        expect={"jokers": ["j_egg", "j_joker"], "editions": ["e_base", "e_negative"], "tags": []},
        covers="pitfall:creation-suffixes pitfall:edition-poll-always",
    ),
    skips(
        "tag_top_up",
        "fills the one free slot",
        jokers=["j_joker"] * 4,
        rolls={"Joker1top1": ["j_egg"], "editop1": [NO_EDITION]},
        expect={"jokers": ["j_joker"] * 4 + ["j_egg"]},
    ),
    skips(
        "tag_top_up",
        "draws nothing without room",
        jokers=["j_joker"] * 5,
        expect={"jokers": ["j_joker"] * 5},
        covers="pitfall:no-room-no-draw",
    ),
    skips(
        "tag_boss",
        "rerolls the boss, and that was the ante's reroll",
        vouchers=["v_directors_cut"],
        money=20,
        rolls={"boss": 1},
        expect={"tags": [], "money": 20, "round.boss_rerolled": True},
        covers="v_directors_cut",
    ),
    skips(
        "tag_boss",
        "counts the rerolled boss as used",
        memory={"boss_uses": {"bl_hook": 1}},
        rolls={"boss": [Pick(0, of=7)]},  # of the eight first bosses The Club comes first; The Hook is used
        state={"round.boss": "bl_hook"},
        expect={"round.boss": "bl_club", "memory.boss_uses": {"bl_hook": 1, "bl_club": 1}},
        covers="pitfall:boss-least-used",
    ),
]

# --- Packs ------------------------------------------------------------------------------------------------------------

# Which pack, how many cards it shows, how many may be taken.
PACKS = {
    "tag_charm": ("p_arcana_mega_1", 5, 2),
    "tag_meteor": ("p_celestial_mega_1", 5, 2),
    "tag_ethereal": ("p_spectral_normal_1", 2, 1),
    "tag_standard": ("p_standard_mega_1", 5, 2),
    "tag_buffoon": ("p_buffoon_mega_1", 4, 2),
}
OPENING = [
    skips(
        tag,
        "opens a free pack",
        money=0,
        expect={
            "phase": "pack_opening",
            "pack.key": pack,
            "pack.picks_left": picks,
            "pack_size": cards,
            "money": 0,
            "tags": [],
        },
        covers=pack,
    )
    for tag, (pack, cards, picks) in PACKS.items()
] + [
    skips(
        "tag_standard",
        "leads back to the blind choice",
        do=(pick(0), pick(0)),
        expect={"phase": "blind_select", "round.on_deck": "big", "cards_in_deck": 54},
    ),
    skips(
        "tag_charm",
        "twice by a Double Tag: the second pack opens after the first",
        tags=["tag_double"],
        do=(skip_pack,),
        expect={"phase": "pack_opening", "pack.key": "p_arcana_mega_1", "tags": []},
        covers="tag_double",
    ),
    row(
        "a pack tag gained in a shop waits for the blind choice",
        "tag_charm",
        Scene(phase="shop", tags=["tag_charm"]),
        leave_shop,
        phase="pack_opening",
        tags=[],
    ),
]

# --- The next shop ----------------------------------------------------------------------------------------------------

RARES = [key for key, joker in JOKERS.items() if joker.rarity == "Rare"]
JOKER_TAGS = [
    shops(
        "tag_uncommon",
        "one slot is made directly, without cdt and rarity",
        rolls={"Joker2uta1": ["j_hack"], "ediuta1": [NO_EDITION], "cdt1": [TAROT_CARD], "Tarotsho1": ["c_moon"]},
        expect={"shop": ["j_hack", "c_moon"], "prices": [0, 3], "tags": []},
        covers="pitfall:tag-jokers-free pitfall:edition-poll-always",
    ),
    shops(
        "tag_rare",
        "one slot is made directly, without cdt and rarity",
        rolls={"Joker3rta1": ["j_dna"], "edirta1": [NO_EDITION], "cdt1": [TAROT_CARD], "Tarotsho1": ["c_moon"]},
        expect={"shop": ["j_dna", "c_moon"], "prices": [0, 3], "tags": []},
        covers="pitfall:tag-jokers-free pitfall:edition-poll-always",
    ),
    shops(
        "tag_rare",
        "is wasted when every rare joker is owned",
        jokers=[f"{key}:e_negative" for key in RARES],
        rolls={"cdt1": [TAROT_CARD, PLANET_CARD], "Tarotsho1": ["c_moon"], "Planetsho1": ["c_mars"]},
        expect={"shop": ["c_moon", "c_mars"], "tags": []},
    ),
    shops(
        "tag_uncommon tag_rare",
        "fill both slots",
        rolls={"Joker2uta1": ["j_hack"], "Joker3rta1": ["j_dna"], "ediuta1": 1, "edirta1": 1},
        expect={"shop": ["j_hack", "j_dna"], "prices": [0, 0]},
    ),
    shops(
        "tag_uncommon",
        "its joker bears stickers like any other of the shop",
        stake="gold",
        rolls={
            "Joker2uta1": ["j_hack"],
            "ediuta1": [NO_EDITION],
            "etperpoll1": [(0.71, 1.0)],
            "ssjr1": [(0.71, 1.0)],
            "cdt1": [TAROT_CARD],
            "Tarotsho1": ["c_moon"],
        },
        expect={"shop.cards.0.offer.eternal": True, "shop.cards.0.offer.rental": True, "prices": [0, 3]},
        covers="pitfall:stickers",
    ),
]

SECOND_JOKER = {
    "cdt1": [TAROT_CARD, JOKER_CARD],
    "Tarotsho1": ["c_moon"],
    "rarity1sho": [COMMON],
    "Joker1sho1": ["j_egg"],
}
EDITION_TAGS = {
    "tag_foil": "e_foil",
    "tag_holo": "e_holo",
    "tag_polychrome": "e_polychrome",
    "tag_negative": "e_negative",
}
TAKING_EDITIONS = [
    shops(
        tag,
        "takes the next base joker, whose own poll has been made, and makes it free",
        rolls=SECOND_JOKER | {"edisho1": [NO_EDITION]},
        expect={"shop": ["c_moon", "j_egg"], "shop.cards.1.offer.edition": edition, "prices": [3, 0], "tags": []},
        covers="pitfall:tag-jokers-free",
    )
    for tag, edition in EDITION_TAGS.items()
] + [
    shops(
        "tag_foil",
        "passes over a joker with an edition",
        rolls=SECOND_JOKER | {"edisho1": [(0.981, 0.993)]},
        expect={"shop.cards.1.offer.edition": "e_holo", "prices": [3, 4 + 3], "tags": ["tag_foil"]},
    ),
    shops(
        "tag_foil",
        "waits where no joker is shown, and takes a rerolled one",
        money=5,
        do=(reroll,),
        rolls={
            "cdt1": [TAROT_CARD, PLANET_CARD, JOKER_CARD, PLANET_CARD],
            "Tarotsho1": 1,
            "Planetsho1": 2,
            "rarity1sho": [COMMON],
            "Joker1sho1": ["j_egg"],
            "edisho1": [NO_EDITION],
        },
        expect={"shop.cards.0.offer.edition": "e_foil", "tags": []},
    ),
    shops(
        "tag_foil tag_negative",
        "take one joker each",
        rolls={
            "cdt1": [JOKER_CARD, JOKER_CARD],
            "rarity1sho": [COMMON, COMMON],
            "Joker1sho1": ["j_egg", "j_joker"],
            "edisho1": [NO_EDITION, NO_EDITION],
        },
        expect={
            "shop": ["j_egg", "j_joker"],
            "shop.cards.0.offer.edition": "e_foil",
            "shop.cards.1.offer.edition": "e_negative",
            "tags": [],
        },
    ),
    shops(
        "tag_uncommon tag_negative",
        "act on one joker",
        rolls={"Joker2uta1": ["j_hack"], "ediuta1": [NO_EDITION], "cdt1": [TAROT_CARD], "Tarotsho1": ["c_moon"]},
        expect={"shop.cards.0.offer.edition": "e_negative", "prices": [0, 3], "tags": []},
    ),
    row(
        "a Negative joker of a tag needs no room",
        "tag_negative e_negative",
        Scene(phase="shop", shop=["j_hack:e_negative,free"], money=0, jokers=["j_joker"] * 5),
        buy("j_hack"),
        jokers=["j_joker"] * 5 + ["j_hack"],
        money=0,
    ),
]

OTHER_SHOP_TAGS = [
    shops(
        "tag_voucher",
        "adds a voucher that is not shown yet",
        state={"round.voucher": "v_hone"},
        rolls={
            "Voucher_fromtag": [Pick(list(VOUCHERS).index("v_hone"), of=32)],
            "Voucher_fromtag_resample2": [Pick(list(VOUCHERS).index("v_blank"), of=32)],
        },
        expect={"shop_vouchers": ["v_hone", "v_blank"], "voucher_prices": [10, 10], "tags": []},
        covers="pitfall:keys-in-use",
    ),
    shops(
        "tag_voucher",
        "its voucher leaves the ante's voucher",
        state={"round.voucher": "v_hone"},
        money=10,
        do=(redeem(1),),
        rolls={"Voucher_fromtag": [Pick(list(VOUCHERS).index("v_blank"), of=32)]},
        expect={"shop_vouchers": ["v_hone"], "round.voucher": "v_hone", "vouchers": ["v_blank"]},
        covers="pitfall:tag-voucher-keeps-antes",
    ),
    shops(
        "tag_voucher tag_voucher",
        "add one each",
        state={"round.voucher": None},
        rolls={"Voucher_fromtag": [Pick(list(VOUCHERS).index(v), of=32) for v in ("v_hone", "v_blank")]},
        expect={"shop_vouchers": ["v_hone", "v_blank"], "tags": []},
    ),
    shops(
        "tag_coupon",
        "makes the first cards and packs free, not the voucher",
        state={"round.voucher": "v_hone"},
        expect={"prices": [0, 0], "booster_prices": [0, 0], "voucher_prices": [10], "tags": []},
        covers="pitfall:coupon",
    ),
    shops(
        "tag_coupon",
        "does not cover rerolled cards",
        money=5,
        do=(reroll,),
        rolls={"cdt1": [TAROT_CARD] * 3 + [PLANET_CARD]},
        expect={"prices": [3, 3], "booster_prices": [0, 0]},
        covers="pitfall:coupon",
    ),
    shops(
        "tag_d_six",
        "rerolls start at $0 and rise as usual",
        money=0,
        do=(reroll,),
        expect={"reroll_price": 1, "money": 0, "tags": []},
        covers="pitfall:d-six",
    ),
    shops("tag_d_six", "rerolls start at $0", expect={"reroll_price": 0}, covers="pitfall:d-six"),
    shops(
        "tag_d_six",
        "acts on one shop only",
        do=(leave_shop, select_blind),
        expect={"reroll_price": 5},
    ),
]

# --- Later ------------------------------------------------------------------------------------------------------------

LATER = [
    row(
        "tag_investment pays $25 after the boss",
        "tag_investment pitfall:investment",
        Scene(hand="KS KH", blind="bl_wall", target=1, tags=["tag_investment"]),
        play("KS KH"),
        payout={"blind": 5, "tags": 25},
        tags=[],
    ),
    row(
        "two tag_investment pay $50",
        "tag_investment",
        Scene(hand="KS KH", blind="bl_wall", target=1, tags=["tag_investment", "tag_investment"]),
        play("KS KH"),
        payout={"tags": 50},
    ),
    row(
        "tag_investment waits through other blinds",
        "tag_investment pitfall:investment",
        Scene(hand="KS KH", blind="bl_big", target=1, tags=["tag_investment"]),
        play("KS KH"),
        payout={"tags": 0},
        tags=["tag_investment"],
    ),
    row(
        "tag_juggle gives 3 cards of hand size for the next round",
        "tag_juggle pitfall:juggle",
        Scene(phase="blind_select", tags=["tag_juggle"]),
        select_blind,
        hand_size=11,
        cards_in_hand=11,
        tags=[],
    ),
    row(
        "two tag_juggle give 6",
        "tag_juggle",
        Scene(phase="blind_select", tags=["tag_juggle", "tag_juggle"]),
        select_blind,
        cards_in_hand=14,
    ),
    row(
        "tag_juggle ends with the round",
        "tag_juggle pitfall:juggle",
        Scene(phase="blind_select", tags=["tag_juggle"]),
        select_blind,
        lambda live: setattr(live.run, "chips", 1e9),
        play([0]),
        phase="round_eval",
        hand_size=8,
    ),
    skips(
        "tag_double",
        "is held",
        expect={"tags": ["tag_double"]},
    ),
    skips("tag_double", "does not copy itself", tags=["tag_double"], expect={"tags": ["tag_double", "tag_double"]}),
    skips(
        "tag_coupon",
        "twice by a Double Tag",
        tags=["tag_double"],
        expect={"tags": ["tag_coupon", "tag_coupon"]},
        covers="tag_double pitfall:double",
    ),
    skips(
        "tag_economy",
        "three times by two Double Tags, one after the other",
        tags=["tag_double", "tag_double"],
        money=3,
        expect={"money": 24, "tags": []},
        covers="tag_double pitfall:double",
    ),
    skips(
        "tag_orbital",
        "twice by a Double Tag, for the same hand",
        tags=["tag_double"],
        state={"round.skip_tags.small.orbital_hand": "Flush"},
        expect={"levels": {"Flush": 7}},
        covers="tag_double pitfall:orbital-fixed",
    ),
]

SKIPPING = [
    row(
        "the small blind's tag, then the big blind's",
        "bl_small bl_big",
        Scene(
            phase="blind_select",
            state={"round.skip_tags.small.key": "tag_coupon", "round.skip_tags.big.key": "tag_d_six"},
        ),
        skip_blind,
        skip_blind,
        tags=["tag_coupon", "tag_d_six"],
        at={"round.on_deck": "boss", "memory.skips": 2},
    ),
    row(
        "a boss cannot be skipped",
        "bl_hook",
        Scene(phase="blind_select", blind="bl_hook"),
        skip_blind,
        refused="cannot be skipped",
    ),
    row(
        "tag_boss and then Retcon",
        "tag_boss v_retcon",
        Scene(
            phase="blind_select",
            money=10,
            vouchers=["v_directors_cut", "v_retcon"],
            state={"round.skip_tags.small.key": "tag_boss"},
            rolls={"boss": 2},
        ),
        skip_blind,
        reroll_boss,
        money=0,
    ),
]

ROWS = [
    *AT_ONCE,
    *OPENING,
    *JOKER_TAGS,
    *TAKING_EDITIONS,
    *OTHER_SHOP_TAGS,
    *LATER,
    *SKIPPING,
]

test_rows = rows_test(ROWS)
