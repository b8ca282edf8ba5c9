"""Money: prices, sell values, rewards, interest, rent, debt and rerolls."""

from typing import Any

from rules.scene import (
    Row,
    Scene,
    buy,
    cash_out,
    leave_shop,
    open_booster,
    play,
    redeem,
    reroll,
    row,
    rows_test,
    select_blind,
    sell,
)

# --- Prices -----------------------------------------------------------------------------------------------------------

PRICES = {
    "j_joker": 2,
    "j_greedy_joker": 5,
    "j_blueprint": 10,
    "j_perkeo": 20,
    "j_joker:e_foil": 2 + 2,
    "j_joker:e_holo": 2 + 3,
    "j_joker:e_polychrome": 2 + 5,
    "j_joker:e_negative": 2 + 5,
    "j_blueprint:rental": 1,
    "j_blueprint:free": 0,
    "c_fool": 3,
    "c_pluto": 3,
    "c_hex": 4,
    "KS": 1,
    "KS/glass#Red": 1,
    "KS*foil": 1 + 2,
    "KS*holo": 1 + 3,
    "KS*poly": 1 + 5,
}
ON_SALE = [
    row(
        f"{card} costs ${price}",
        card.partition(":")[0] if "_" in card else "",
        Scene(phase="shop", shop=[card]),
        prices=[price],
    )
    for card, price in PRICES.items()
]

# Half of the price, at least $1.
SELL_VALUES = {
    "j_joker": 1,
    "j_greedy_joker": 2,
    "j_blueprint": 5,
    "j_joker:e_foil": 2,
    "j_joker:e_polychrome": 3,
    "j_perkeo": 10,
    "j_blueprint:rental": 1,
    "j_egg:sell_bonus=6": 2 + 6,
}
SOLD = [
    row(
        f"{joker} sells for ${value}",
        joker.partition(":")[0],
        Scene(phase="shop", jokers=[joker], money=0),
        sell(0),
        money=value,
        jokers=[],
    )
    for joker, value in SELL_VALUES.items()
] + [
    row(
        "a coupon zeroes the price to pay only",
        "tag_coupon",
        Scene(phase="shop", shop=["j_blueprint:free"], money=0),
        buy("j_blueprint"),
        money=0,
        sell_values=[5],
    ),
    row(
        "selling is possible in every phase in which something is decided",
        "j_joker pitfall:selling-self",
        Scene(phase="blind_select", jokers=["j_joker"] * 2, money=0),
        sell(0),
        select_blind,
        sell(0),
        money=2,
    ),
]

# --- Rewards ----------------------------------------------------------------------------------------------------------


def pays(note: str, money: int, payout: dict[str, int], **more: Any) -> Row:
    """Wins with the first of four hands."""
    scene = Scene(hand="KS KH", target=1, money=money, **more)
    return row(note, more.get("blind", "bl_small"), scene, play("KS KH"), payout=payout)


INTEREST = {-3: 0, 0: 0, 4: 0, 5: 1, 9: 1, 14: 2, 24: 4, 25: 5, 26: 5, 300: 5}
PAYOUTS = [
    *(
        pays(f"interest on ${money} is ${interest}", money, {"interest": interest})
        for money, interest in INTEREST.items()
    ),
    pays("a small blind pays $3, $1 for each hand left", 0, {"blind": 3, "hands": 3, "discards": 0}),
    pays("a big blind pays $4", 0, {"blind": 4, "hands": 3}, blind="bl_big"),
    pays("a boss pays $5", 0, {"blind": 5, "hands": 3}, blind="bl_wall"),
    pays("The Needle leaves no hands to be paid", 0, {"blind": 5, "hands": 0}, blind="bl_needle"),
    pays("a showdown boss pays $8", 0, {"blind": 8, "hands": 3}, blind="bl_final_vessel", ante=8),
    row(
        "the last hand leaves nothing to be paid",
        "bl_small",
        Scene(hand="KS KH", target=1, money=0, hands=1),
        play("KS KH"),
        payout={"blind": 3, "hands": 0},
    ),
    row(
        "cashing out pays the whole sheet",
        "bl_small",
        Scene(hand="KS KH", target=1, money=11),
        play("KS KH"),
        cash_out,
        money=11 + 3 + 3 + 2,
        phase="shop",
    ),
    row(
        "interest counts Gold cards and rent, which come before the payout",
        "m_gold rental pitfall:held-at-end",
        Scene(hand="KS KH/gold KC/gold", target=1, money=7, jokers=["j_egg:rental"]),
        play("KS"),
        money=7 + 6 - 3,
        payout={"interest": 2},
    ),
]

# --- Debt -------------------------------------------------------------------------------------------------------------

DEBT = [
    row(
        "what is on sale must be paid", "", Scene(phase="shop", shop=["j_joker"], money=1), buy(0), refused="not enough"
    ),
    row("the last dollar will do", "", Scene(phase="shop", shop=["j_joker"], money=2), buy(0), money=0),
    row(
        "a free card can be bought in debt",
        "pitfall:credit-card",
        Scene(phase="shop", shop=["j_joker:free"], money=-4),
        buy(0),
        money=-4,
        jokers=["j_joker"],
    ),
    row(
        "a free pack can be opened in debt",
        "pitfall:credit-card",
        Scene(phase="shop", boosters=["p_celestial_normal_1:free"], money=-4),
        open_booster(),
        phase="pack_opening",
        money=-4,
    ),
    row(
        "no pack is opened on credit",
        "",
        Scene(phase="shop", boosters=["p_arcana_mega_1"], money=7),
        open_booster(),
        refused="not enough",
    ),
    row(
        "no voucher is redeemed on credit",
        "",
        Scene(phase="shop", shop_vouchers=["v_hone"], money=9),
        redeem(),
        refused="not enough",
    ),
    row(
        "Credit Card lends $20",
        "j_credit_card pitfall:credit-card",
        Scene(phase="shop", shop=["j_blueprint", "j_blueprint"], money=0, jokers=["j_credit_card"]),
        buy(0),
        buy(0),
        money=-20,
    ),
    row(
        "Credit Card lends no more",
        "j_credit_card pitfall:credit-card",
        Scene(phase="shop", shop=["j_joker"], money=-19, jokers=["j_credit_card"]),
        buy(0),
        refused="not enough",
    ),
    row(
        "debt is paid off by what comes in",
        "bl_small",
        Scene(hand="KS KH", target=1, money=-9),
        play("KS KH"),
        cash_out,
        money=-9 + 3 + 3,
    ),
]

# --- Rerolls ----------------------------------------------------------------------------------------------------------

REROLLS = [
    row(
        "a reroll costs $5, and $1 more each time",
        "",
        Scene(phase="shop", money=18),
        reroll,
        reroll,
        reroll,
        money=0,
        reroll_price=8,
    ),
    row("a reroll must be paid", "", Scene(phase="shop", money=4), reroll, refused="not enough"),
    row(
        "a reroll replaces the cards, not vouchers and packs",
        "",
        Scene(
            phase="shop",
            money=5,
            shop=["j_joker"],
            shop_vouchers=["v_hone"],
            boosters=["p_arcana_mega_1"],
            rolls={"cdt1": [(0.72, 0.85), (0.86, 1.0)], "Tarotsho1": ["c_moon"], "Planetsho1": ["c_mars"]},
        ),
        reroll,
        shop=["c_moon", "c_mars"],
        shop_vouchers=["v_hone"],
        boosters=["p_arcana_mega_1"],
    ),
    row(
        "the price is still raised after the shop has been left",
        "pitfall:reroll-price-reset",
        Scene(phase="shop", money=11),
        reroll,
        reroll,
        leave_shop,
        reroll_price=7,
    ),
    row(
        "the price is back when the next blind is selected",
        "pitfall:reroll-price-reset",
        Scene(phase="shop", money=11),
        reroll,
        reroll,
        leave_shop,
        select_blind,
        reroll_price=5,
    ),
    row(
        "no price falls below $0",
        "v_reroll_glut tag_d_six",
        Scene(phase="round_eval", blind="bl_big", tags=["tag_d_six"], vouchers=["v_reroll_surplus", "v_reroll_glut"]),
        cash_out,
        reroll_price=0,
    ),
]

ROWS = [*ON_SALE, *SOLD, *PAYOUTS, *DEBT, *REROLLS]

test_rows = rows_test(ROWS)
