"""The 32 vouchers: what they change at once, and what they change in what comes later."""

from collections.abc import Mapping
from typing import Any

from jimbo.engine.catalog import VOUCHERS
from rules.scene import (
    OWN,
    Pick,
    Row,
    Scene,
    cash_out,
    leave_shop,
    open_booster,
    play,
    redeem,
    reroll,
    reroll_boss,
    row,
    rows_test,
    select_blind,
)

JOKER_CARD, TAROT_CARD, PLANET_CARD = (0.0, 0.71), (0.72, 0.85), (0.86, 1.0)
"""Polls of a shop slot without vouchers: joker 20, tarot 4, planet 4 of 28."""
COMMON = (0.0, 0.7)


def redeems(voucher: str, note: str, *, covers: str = "", do: Any = (), **more: Any) -> Row:
    """Redeems it in a shop; `more` holds what Scene takes, and `expect`."""
    expect = more.pop("expect")
    needed = VOUCHERS[voucher].prerequisite
    owned = [needed] if needed else []
    scene = Scene(phase="shop", shop_vouchers=[voucher], money=more.pop("money", 20), vouchers=owned, **more)
    return Row(f"{voucher} {note}", f"{voucher} {covers}", scene, [redeem(voucher), *do], expect)


def first_card(voucher: str, poll: tuple[float, float], stream: str, made: str, *more_owned: str) -> Row:
    """What a poll makes the first card of a reroll, with the voucher; `poll` would make another kind without."""
    scene = Scene(
        phase="shop",
        money=20,
        vouchers=[*more_owned, voucher],
        rolls={"cdt1": [poll, (0.0, 0.2)], f"{stream}1": [made]},
        state={"round.voucher": None},
    )
    return row(f"{voucher} makes {made} of {poll}", voucher, scene, reroll, at={"shop.cards.0.offer.consumable": made})


# What a round starts with.
PER_ROUND = {
    "v_grabber": {"hands": 4 + 1},
    "v_nacho_tong": {"hands": 4 + 2},
    "v_wasteful": {"discards": 3 + 1 + 1},  # the Red Deck has one more
    "v_recyclomancy": {"discards": 3 + 1 + 2},
    "v_paint_brush": {"hand_size": 9, "cards_in_hand": 9},
    "v_palette": {"hand_size": 10, "cards_in_hand": 10},
    "v_blank": {"hands": 4, "discards": 4, "hand_size": 8},
}
NEXT_ROUND = [
    redeems(voucher, "in the next round", do=[leave_shop, select_blind], expect=expect)
    for voucher, expect in PER_ROUND.items()
]

SLOTS = [
    redeems("v_crystal_ball", "adds a consumable slot", expect={"round.consumable_slots": 3, "money": 10}),
    redeems("v_antimatter", "adds a joker slot", expect={"round.joker_slots": 6}),
    redeems(
        "v_overstock_norm",
        "fills its slot at once",
        shop=["j_joker", "c_fool"],
        rolls={"cdt1": [TAROT_CARD], "Tarotsho1": ["c_tower"]},
        expect={"shop": ["j_joker", "c_fool", "c_tower"], "round.shop_slots": 3},
        covers="pitfall:vouchers-act-at-once",
    ),
    redeems(
        "v_overstock_plus",
        "restocks empty slots too",
        shop=["j_joker", "c_fool"],  # the third one has been bought
        rolls={"cdt1": [TAROT_CARD, PLANET_CARD], "Tarotsho1": ["c_tower"], "Planetsho1": ["c_mars"]},
        expect={"shop": ["j_joker", "c_fool", "c_tower", "c_mars"], "round.shop_slots": 4},
        covers="pitfall:vouchers-act-at-once",
    ),
    row(
        "v_overstock_plus: the next shop has four cards",
        "v_overstock_plus",
        Scene(phase="round_eval", blind="bl_big", vouchers=["v_overstock_norm", "v_overstock_plus"], rolls={"cdt1": 4}),
        cash_out,
        at={"round.shop_slots": 4},
    ),
]

# Blueprint $10, foil Joker $2 + $2, tarot $3, spectral $4, playing card $1; packs $4, $6, $8; voucher $10.
ON_SALE: Mapping[str, Any] = {
    "shop": ["j_blueprint", "j_joker:e_foil", "c_fool", "c_hex", "KS"],
    "boosters": ["p_arcana_normal_1", "p_arcana_jumbo_1", "p_arcana_mega_1"],
    "jokers": ["j_blueprint"],
    "consumables": ["c_hex"],
    "money": 40,
}
PRICES = [
    row(
        "full prices",
        "v_clearance_sale",
        Scene(phase="shop", shop_vouchers=["v_clearance_sale"], **ON_SALE),
        prices=[10, 4, 3, 4, 1],
        booster_prices=[4, 6, 8],
        voucher_prices=[10],
        sell_values=[5],
        consumable_sell_values=[2],
    ),
    # floor((price + 0.5) * 0.75)
    redeems(
        "v_clearance_sale",
        "takes 25% off, off sell values too",
        **ON_SALE,
        expect={
            "prices": [7, 3, 2, 3, 1],
            "booster_prices": [3, 4, 6],
            "sell_values": [3],
            "consumable_sell_values": [1],
        },
        covers="pitfall:vouchers-act-at-once",
    ),
    # floor((price + 0.5) * 0.5); redeeming it costs what Clearance Sale left of $10.
    redeems(
        "v_liquidation",
        "takes 50% off",
        **ON_SALE,
        expect={
            "prices": [5, 2, 1, 2, 1],
            "booster_prices": [2, 3, 4],
            "sell_values": [2],
            "consumable_sell_values": [1],
            "money": 40 - 7,
        },
        covers="pitfall:vouchers-act-at-once",
    ),
    redeems("v_reroll_surplus", "lowers the present price", expect={"reroll_price": 3, "money": 10}),
    redeems(
        "v_reroll_surplus",
        "lowers a price that has risen",
        state={"economy.reroll_increase": 4},
        expect={"reroll_price": 7},
        covers="pitfall:vouchers-act-at-once",
    ),
    redeems(
        "v_reroll_glut", "lowers the price again", expect={"reroll_price": 1}, covers="pitfall:vouchers-act-at-once"
    ),
]

# An edition poll gives foil, holographic, polychrome above 1 - 0.04, 0.02, 0.006 times the rate; Negative above 0.997.
EDITION_POLLS = {
    "": {(0.9, 0.959): "e_base", (0.961, 0.979): "e_foil", (0.981, 0.993): "e_holo", (0.9941, 0.9969): "e_polychrome"},
    "v_hone": {
        (0.9, 0.919): "e_base",
        (0.921, 0.959): "e_foil",
        (0.961, 0.987): "e_holo",
        (0.9881, 0.9969): "e_polychrome",
    },
    "v_glow_up": {
        (0.8, 0.839): "e_base",
        (0.841, 0.919): "e_foil",
        (0.921, 0.975): "e_holo",
        (0.9761, 0.9969): "e_polychrome",
    },
}
EDITIONS = [
    row(
        f"{voucher or 'no voucher'}: {edition} at {poll}",
        f"{voucher} {edition}",
        Scene(
            phase="shop",
            money=20,
            vouchers={"": [], "v_hone": ["v_hone"], "v_glow_up": ["v_hone", "v_glow_up"]}[voucher],
            rolls={
                "cdt1": [JOKER_CARD, TAROT_CARD],
                "rarity1sho": [COMMON],
                "Joker1sho1": ["j_joker"],
                "edisho1": [poll],
            },
        ),
        reroll,
        at={"shop.cards.0.offer.joker": "j_joker", "shop.cards.0.offer.edition": edition},
    )
    for voucher, polls in EDITION_POLLS.items()
    for poll, edition in {**polls, (0.9971, 1.0): "e_negative"}.items()
]

# Joker 20, tarot 4 (9.6, 32), planet 4 (9.6, 32), in this order.
SHOP_RATES = [
    first_card("v_tarot_merchant", (0.60, 0.71), "Tarotsho", "c_moon"),  # 20 to 29.6 of 33.6; a joker without
    first_card("v_tarot_merchant", (0.86, 0.88), "Tarotsho", "c_moon"),  # a planet without
    first_card("v_tarot_merchant", (0.89, 1.0), "Planetsho", "c_mars"),
    first_card("v_tarot_tycoon", (0.36, 0.59), "Tarotsho", "c_moon", "v_tarot_merchant"),  # 20 to 52 of 56
    first_card("v_tarot_tycoon", (0.93, 1.0), "Planetsho", "c_mars", "v_tarot_merchant"),
    first_card("v_planet_merchant", (0.60, 0.71), "Tarotsho", "c_moon"),  # 20 to 24 of 33.6
    first_card("v_planet_merchant", (0.72, 0.85), "Planetsho", "c_mars"),  # 24 to 33.6; a tarot without
    first_card("v_planet_tycoon", (0.36, 0.42), "Tarotsho", "c_moon", "v_planet_merchant"),  # 20 to 24 of 56
    first_card("v_planet_tycoon", (0.43, 0.59), "Planetsho", "c_mars", "v_planet_merchant"),  # 24 to 56
]

PLAYING_CARDS = [
    row(
        "v_magic_trick: playing cards of $1, after planets",
        "v_magic_trick pitfall:slot-order",
        Scene(
            phase="shop",
            money=20,
            vouchers=["v_magic_trick"],
            rolls={"cdt1": [(0.876, 1.0), (0.76, 0.87)], "frontsho1": ["H_K"], "Planetsho1": ["c_mars"]},
        ),
        reroll,
        shop=["KH", "c_mars"],
        prices=[1, 3],
    ),
    row(
        "v_illusion: an enhancement, then an edition",
        "v_illusion",
        Scene(
            phase="shop",
            money=20,
            vouchers=["v_magic_trick", "v_illusion"],
            rolls={
                "illusion": [(0.61, 1.0), (0.81, 1.0), (0.86, 1.0), (0.0, 0.59), (0.0, 0.79)],
                "cdt1": [(0.88, 1.0), (0.88, 1.0)],
                "Enhancedsho1": [Pick(3, of=8)],
                "frontsho1": ["S_A", "C_2"],
            },
        ),
        reroll,
        shop=["AS/glass*poly", "2C"],
        prices=[1 + 5, 1],
    ),
    row(
        "v_illusion: polled for every slot, whatever it becomes",
        "v_illusion",
        Scene(
            phase="shop",
            money=20,
            vouchers=["v_magic_trick", "v_illusion"],
            rolls={"illusion": 2, "cdt1": [(0.63, 0.74), (0.76, 0.87)], "Tarotsho1": 1, "Planetsho1": 1},
        ),
        reroll,
    ),
]

PACKS = [
    row(
        "v_omen_globe: a spectral in an Arcana pack",
        "v_omen_globe p_arcana_normal_1",
        Scene(
            phase="shop",
            money=20,
            boosters=["p_arcana_normal_1"],
            vouchers=["v_crystal_ball", "v_omen_globe"],
            rolls={
                "omen_globe": [(0.81, 1.0), (0.0, 0.79), (0.0, 0.79)],
                "Spectralar21": ["c_hex"],
                "soul_Spectral1": [(0.0, 0.997), (0.0, 0.997)],
                "Tarotar11": ["c_moon", "c_sun"],
                "soul_Tarot1": [(0.0, 0.997), (0.0, 0.997)],
            },
        ),
        open_booster(),
        pack=["c_hex", "c_moon", "c_sun"],
    ),
    row(
        "v_telescope: the planet of the most played hand comes first, and nothing is drawn for it",
        "v_telescope p_celestial_normal_1",
        Scene(
            phase="shop",
            money=20,
            boosters=["p_celestial_normal_1"],
            vouchers=["v_telescope"],
            played={"Flush": 4, "Pair": 3},
            rolls={"Planetpl11": ["c_mars", "c_earth"], "soul_Planet1": [(0.0, 0.997), (0.0, 0.997)]},
        ),
        open_booster(),
        pack=["c_jupiter", "c_mars", "c_earth"],
    ),
    row(
        "v_telescope: the higher hand on a tie",
        "v_telescope",
        Scene(
            phase="shop",
            money=20,
            boosters=["p_celestial_normal_1"],
            vouchers=["v_telescope"],
            played={"Flush": 4, "Pair": 4},
        ),
        open_booster(),
        at={"pack.cards.0.consumable": "c_jupiter"},
    ),
]

OBSERVATORY = [
    row(
        f"v_observatory: {' '.join(held) or 'nothing'} held, Pair played",
        "v_observatory",
        Scene(
            hand="KS KH",
            vouchers=["v_telescope", "v_observatory"],
            consumables=held,
            state={"round.consumable_slots": 3},
        ),
        play("KS KH"),
        chips=30,
        mult=mult,
    )
    for held, mult in (
        ([], 2),
        (["c_mercury"], 2 * 1.5),
        (["c_mercury", "c_mercury", "c_mars"], 2 * 1.5 * 1.5),
        (["c_mars", "c_fool"], 2),
    )
]

INTEREST = [
    row(
        f"interest on $120 with {vouchers or 'no voucher'}",
        " ".join(vouchers),
        Scene(hand="KS KH", money=120, vouchers=vouchers, target=1),
        play("KS KH"),
        payout={"interest": interest},
    )
    for vouchers, interest in (([], 5), (["v_seed_money"], 10), (["v_seed_money", "v_money_tree"], 20))
]


def next_ante_voucher(vouchers: list[str], drawn: str, rolls: dict[str, Any], covers: str) -> Row:
    """Beats a boss of ante 1 and looks at the voucher of ante 2."""
    names = list(VOUCHERS)
    fixed = {stream: [Pick(names.index(voucher), of=32)] for stream, voucher in rolls.items()}
    scene = Scene(hand="KS KH", blind="bl_wall", vouchers=vouchers, target=1, rolls=fixed)
    what = " ".join(vouchers) or "nothing"
    return row(f"{drawn} follows {what}", covers, scene, play("KS KH"), cash_out, shop_vouchers=[drawn])


POOL = [
    # An upgrade is a blank place until its prerequisite has been redeemed.
    next_ante_voucher(["v_blank"], "v_antimatter", {"Voucher2": "v_antimatter"}, "v_blank v_antimatter"),
    next_ante_voucher(
        [], "v_hone", {"Voucher2": "v_antimatter", "Voucher2_resample2": "v_hone"}, "v_hone v_antimatter"
    ),
    # So is one that has been redeemed.
    next_ante_voucher(
        ["v_grabber"],
        "v_nacho_tong",
        {"Voucher2": "v_grabber", "Voucher2_resample2": "v_retcon", "Voucher2_resample3": "v_nacho_tong"},
        "v_grabber v_retcon v_nacho_tong",
    ),
]

ANTES = [
    redeems(
        "v_hieroglyph",
        "goes back one ante, for a hand; the boss stays",
        ante=3,
        state={"round.boss": "bl_flint"},
        expect={"ante": 2, "round.hands_per_round": 3, "round.discards_per_round": 4, "round.boss": "bl_flint"},
        covers="pitfall:glyphs-keep-boss",
    ),
    redeems(
        "v_petroglyph",
        "goes back one ante, for a discard; the boss stays",
        ante=3,
        state={"round.boss": "bl_flint"},
        # Hieroglyph, owned before, went from ante 3 to 2 and took its hand.
        expect={"ante": 1, "round.hands_per_round": 3, "round.discards_per_round": 3, "round.boss": "bl_flint"},
        covers="pitfall:glyphs-keep-boss",
    ),
    redeems(
        "v_hieroglyph",
        "leads below ante 1, where the base is 100",
        ante=1,
        do=[leave_shop, select_blind],
        target=OWN,
        expect={"ante": 0, "target": 100},
        covers="pitfall:ante-below-one",
    ),
]

CHOICE = {"phase": "blind_select", "blind": "bl_hook"}
BOSS_REROLLS = [
    row(
        "v_directors_cut rerolls the boss for $10",
        "v_directors_cut",
        Scene(**CHOICE, money=12, vouchers=["v_directors_cut"], rolls={"boss": 1}),
        reroll_boss,
        money=2,
        at={"round.boss_rerolled": True},
    ),
    row(
        "v_directors_cut: once per ante",
        "v_directors_cut pitfall:boss-rerolls",
        Scene(**CHOICE, money=40, vouchers=["v_directors_cut"]),
        reroll_boss,
        reroll_boss,
        refused="no boss reroll",
    ),
    row(
        "v_directors_cut: again in the next ante",
        "v_directors_cut pitfall:boss-rerolls",
        Scene(
            hand="KS KH",
            blind="bl_wall",
            vouchers=["v_directors_cut"],
            target=1,
            money=40,
            state={"round.boss_rerolled": True},
        ),
        play("KS KH"),
        cash_out,
        leave_shop,
        reroll_boss,
        ante=2,
    ),
    row(
        "v_directors_cut: for money only",
        "v_directors_cut",
        Scene(**CHOICE, money=9, vouchers=["v_directors_cut"]),
        reroll_boss,
        refused="not enough money",
    ),
    row("no boss reroll without voucher", "v_directors_cut", Scene(**CHOICE, money=40), reroll_boss, refused="no boss"),
    row(
        "v_retcon: as often as money lasts",
        "v_retcon pitfall:boss-rerolls",
        Scene(**CHOICE, money=30, vouchers=["v_directors_cut", "v_retcon"], rolls={"boss": 3}),
        reroll_boss,
        reroll_boss,
        reroll_boss,
        money=0,
    ),
]

REDEEMING = [
    row(
        "a voucher is gone for this ante once redeemed",
        "v_hone",
        Scene(phase="shop", shop_vouchers=["v_hone"], money=10, state={"round.voucher": "v_hone"}),
        redeem(),
        money=0,
        vouchers=["v_hone"],
        shop_vouchers=[],
        at={"round.voucher": None},
    ),
    row(
        "a voucher must be paid",
        "v_hone",
        Scene(phase="shop", shop_vouchers=["v_hone"], money=9),
        redeem(),
        refused="not enough money",
    ),
]

ROWS = [
    *NEXT_ROUND,
    *SLOTS,
    *PRICES,
    *EDITIONS,
    *SHOP_RATES,
    *PLAYING_CARDS,
    *PACKS,
    *OBSERVATORY,
    *INTEREST,
    *POOL,
    *ANTES,
    *BOSS_REROLLS,
    *REDEEMING,
]

test_rows = rows_test(ROWS)
