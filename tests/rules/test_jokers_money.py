"""Jokers that bring money or sell value, and those that change prices."""

from rules.scene import (
    Pick,
    Row,
    Scene,
    buy,
    cash_out,
    discard,
    open_booster,
    play,
    redeem,
    reroll,
    row,
    rows_test,
    scores,
    select_blind,
    sell,
)

STRAIGHT_FLUSH = 8
"""Number of the hand in Jimbo's order, as To Do List holds it."""
PAIR = 1


def won(*jokers: str, **scene) -> Scene:
    """One hand beats the small blind: $3, and $3 for three hands left."""
    return Scene(jokers=jokers, target=1, **({"hand": "KS"} | scene))


PAYOUT = [
    row("golden joker", "j_golden", won("j_golden"), play("KS"), payout={"blind": 3, "hands": 3, "jokers": 4}),
    row("golden joker pays at the cash-out", "j_golden", won("j_golden"), play("KS"), cash_out, money=4 + 3 + 3 + 4),
    row("a debuffed golden joker", "j_golden", won("j_golden:debuffed"), play("KS"), payout={"jokers": 0}),
    row(
        "golden joker is not copied",
        "j_golden j_blueprint",
        won("j_blueprint", "j_golden"),
        play("KS"),
        payout={"jokers": 4},
    ),
    row("cloud 9: the four 9s of the deck", "j_cloud_9", won("j_cloud_9"), play("KS"), payout={"jokers": 4}),
    row(
        "cloud 9 counts in every zone",
        "j_cloud_9",
        won("j_cloud_9", hand="9S 9H", deck_cards="9D 8D", discard_cards="9C 9C/stone"),
        play("9S"),
        payout={"jokers": 4},
    ),
    row("rocket", "j_rocket", won("j_rocket"), play("KS"), payout={"jokers": 1}, count=1),
    row(
        "rocket grows by 2 with a boss and pays that at once",
        "j_rocket pitfall:rocket-before-paying",
        won("j_rocket:count=3", blind="bl_club"),
        play("KS"),
        payout={"jokers": 5},
        count=5,
    ),
    row(
        "satellite counts different planets",
        "j_satellite",
        won("j_satellite", memory={"used_planets": ["c_pluto", "c_mars"]}),
        play("KS"),
        payout={"jokers": 2},
    ),
    row(
        "satellite counts a planet once",
        "j_satellite",
        won("j_satellite", consumables=["c_pluto", "c_pluto"]),
        lambda live: live.use(0),
        lambda live: live.use(0),
        play("KS"),
        payout={"jokers": 1},
    ),
    row(
        "delayed gratification: $2 for each discard left",
        "j_delayed_grat",
        won("j_delayed_grat", discards=3),
        play("KS"),
        payout={"jokers": 6},
    ),
    row(
        "delayed gratification pays nothing once a discard is used",
        "j_delayed_grat",
        won("j_delayed_grat", hand="KS 2H"),
        discard("2H"),
        play("KS"),
        payout={"jokers": 0},
    ),
    row("interest without To the Moon", "j_to_the_moon", won(money=12), play("KS"), payout={"interest": 2}),
    row("to the moon", "j_to_the_moon", won("j_to_the_moon", money=12), play("KS"), payout={"interest": 4}),
    row(
        "to the moon stays under the cap",
        "j_to_the_moon",
        won("j_to_the_moon", money=99),
        play("KS"),
        payout={"interest": 10},
    ),
    row(
        "all of them together",
        "pitfall:cash-out-jokers",
        won("j_cloud_9", "j_satellite", "j_golden", "j_rocket", "j_delayed_grat", discards=3),
        play("KS"),
        payout={"jokers": 4 + 0 + 4 + 1 + 6},
    ),
    row(
        "joker payouts bear no interest",
        "pitfall:interest-without-payouts",
        won("j_golden", money=4),
        play("KS"),
        payout={"jokers": 4, "interest": 0},
    ),
]

SELL_VALUES = [
    row("egg gains $3", "j_egg pitfall:egg", won("j_egg"), play("KS"), sell_values=[2 + 3]),
    row("a debuffed egg gains nothing", "j_egg", won("j_egg:debuffed"), play("KS"), sell_values=[2]),
    row("egg is not copied", "j_egg j_blueprint", won("j_blueprint", "j_egg"), play("KS"), sell_values=[5, 5]),
    row(
        "gift card raises every joker and consumable, itself too",
        "j_gift pitfall:gift-consumables",
        won("j_gift", "j_baron", consumables=["c_pluto"]),
        play("KS"),
        sell_values=[3 + 1, 4 + 1],
        consumable_sell_values=[1 + 1],
    ),
    row(
        "egg is sold for what it gained",
        "j_egg",
        Scene(jokers=["j_egg:sell_bonus=9"], phase="shop"),
        sell("j_egg"),
        money=4 + 11,
        jokers=[],
    ),
]

TO_DO = [
    scores(f"j_todo_list:count={PAIR}", "KS KH", 30, 2, expect={"money": 8}),
    scores(f"j_todo_list:count={PAIR}", "KS", 15, 1, expect={"money": 4}),
    scores(f"j_todo_list:count={PAIR}", "KS KH KD", 60, 3, expect={"money": 4}),  # the hand itself, not its parts
    scores(f"j_blueprint j_todo_list:count={PAIR}", "KS KH", 30, 2, expect={"money": 12}),
    row(
        "to do list changes at round end to another visible hand",
        "j_todo_list",
        # Eight of the nine visible hands, best first: Straight Flush is the first.
        won(f"j_todo_list:count={PAIR}", rolls={"to_do": [Pick(0, of=8)]}),
        play("KS"),
        count=STRAIGHT_FLUSH,
    ),
    row(
        "to do list draws its hand when it is bought",
        "j_todo_list",
        # Nine visible hands, best first: Pair is the eighth.
        Scene(phase="shop", shop=["j_todo_list"], money=10, rolls={"to_do": [Pick(7, of=9)]}),
        buy("j_todo_list"),
        count=PAIR,
    ),
]

DISCARDS = [
    row(
        "faceless: three faces",
        "j_faceless",
        Scene(jokers=["j_faceless"], hand="KS QH JD"),
        discard("KS QH JD"),
        money=9,
    ),
    row(
        "faceless: two faces", "j_faceless", Scene(jokers=["j_faceless"], hand="KS QH TD"), discard("KS QH TD"), money=4
    ),
    row(
        "faceless: a debuffed face is none",
        "j_faceless",
        Scene(jokers=["j_faceless"], hand="KS QH JD!"),
        discard("KS QH JD!"),
        money=4,
    ),
    row(
        "faceless pays once a discard, and its copy too",
        "j_faceless j_blueprint",
        Scene(jokers=["j_blueprint", "j_faceless"], hand="KS QH JD JC"),
        discard("KS QH JD JC"),
        money=4 + 10,
    ),
    row(
        "mail-in rebate pays each card of its rank",
        "j_mail",
        Scene(jokers=["j_mail"], hand="KS KH QD KC!", targets={"mail_rank": "K"}),
        discard("KS KH QD KC!"),
        money=4 + 10,
    ),
    row(
        "mail-in rebate is copied",
        "j_mail j_blueprint",
        Scene(jokers=["j_blueprint", "j_mail"], hand="KS", targets={"mail_rank": "K"}),
        discard("KS"),
        money=4 + 10,
    ),
    row(
        "mail-in rebate's rank changes at round end",
        "j_mail",
        won("j_mail", hand="KS", deck_cards="2C 9D", rolls={"mail1": [Pick(1, of=3)]}, targets={"mail_rank": "K"}),
        play("KS"),
        at={"targets.mail_rank": "9"},
    ),
    row(
        "trading card: the first discard of one card",
        "j_trading",
        Scene(jokers=["j_trading"], hand="KS 2H", deck_cards=""),
        discard("KS"),
        money=7,
        discarded="",
        hand="2H",
    ),
    row(
        "trading card: not two cards",
        "j_trading",
        Scene(jokers=["j_trading"], hand="KS 2H", deck_cards=""),
        discard("KS 2H"),
        money=4,
        discarded="KS 2H",
    ),
    row(
        "trading card: not the second discard",
        "j_trading",
        Scene(jokers=["j_trading"], hand="KS 2H 3D 4C", deck_cards=""),
        discard("KS 2H"),
        discard("3D"),
        money=4,
        discarded="KS 2H 3D",
    ),
    row(
        "trading card is not copied",
        "j_trading j_blueprint",
        Scene(jokers=["j_blueprint", "j_trading"], hand="KS 2H", deck_cards=""),
        discard("KS"),
        money=7,
    ),
]

SHOP = [
    row(
        "credit card: down to -$20",
        "j_credit_card pitfall:credit-card",
        Scene(jokers=["j_credit_card"], phase="shop", shop=["j_baron"], money=-12),
        buy("j_baron"),
        money=-20,
    ),
    row(
        "credit card: no further",
        "j_credit_card pitfall:credit-card",
        Scene(jokers=["j_credit_card"], phase="shop", shop=["j_baron"], money=-13),
        buy("j_baron"),
        refused="money",
    ),
    row(
        "a debuffed credit card",
        "j_credit_card",
        Scene(jokers=["j_credit_card:debuffed"], phase="shop", shop=["j_baron"], money=0),
        buy("j_baron"),
        refused="money",
    ),
    row(
        "what costs nothing may be bought in debt",
        "pitfall:credit-card",
        Scene(phase="shop", shop=["j_baron:free"], money=-5),
        buy("j_baron"),
        money=-5,
        jokers=["j_baron"],
    ),
    row(
        "credit card serves rerolls, packs and vouchers",
        "j_credit_card",
        Scene(
            jokers=["j_credit_card"],
            phase="shop",
            boosters=["p_standard_normal_1"],
            shop_vouchers=["v_blank"],
            money=0,
        ),
        reroll,
        redeem(),
        open_booster(),
        money=-5 - 10 - 4,
    ),
    row(
        "chaos: one free reroll, which does not raise the price",
        "j_chaos pitfall:free-rerolls",
        Scene(jokers=["j_chaos"], phase="shop", money=10),
        reroll,
        money=10,
        reroll_price=5,
    ),
    row(
        "chaos gives its reroll when bought",
        "j_chaos",
        Scene(phase="shop", shop=["j_chaos"], money=10),
        buy("j_chaos"),
        reroll_price=0,
    ),
    row(
        "chaos takes its reroll along when sold",
        "j_chaos",
        Scene(jokers=["j_chaos"], phase="shop", money=10),
        sell("j_chaos"),
        reroll_price=5,
    ),
    row(
        "chaos gives a new free reroll each round",
        "j_chaos",
        Scene(jokers=["j_chaos"], phase="blind_select", state={"economy.free_rerolls": 0}),
        select_blind,
        reroll_price=0,
    ),
    row(
        "astronomer: planets and Celestial packs are free",
        "j_astronomer",
        Scene(
            jokers=["j_astronomer"],
            phase="shop",
            shop=["c_pluto", "c_fool"],
            boosters=["p_celestial_mega_1", "p_arcana_normal_1"],
        ),
        prices=[0, 3],
        booster_prices=[0, 4],
    ),
    row(
        "a debuffed astronomer",
        "j_astronomer",
        Scene(jokers=["j_astronomer:debuffed"], phase="shop", shop=["c_pluto"], boosters=["p_celestial_normal_1"]),
        prices=[3],
        booster_prices=[4],
    ),
]

ROWS: list[Row] = [*PAYOUT, *SELL_VALUES, *TO_DO, *DISCARDS, *SHOP]
test_rows = rows_test(ROWS)
