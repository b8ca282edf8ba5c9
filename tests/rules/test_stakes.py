"""The 8 stakes, each with all below it: rewards, required scores, discards and the stickers of jokers."""

from rules.scene import OWN, Row, Scene, open_booster, play, reroll, row, rows_test

STAKES = ["white", "red", "green", "black", "blue", "purple", "orange", "gold"]
SLOW = [300, 800, 2000, 5000, 11000, 20000, 35000, 50000]
FASTER = [300, 900, 2600, 8000, 20000, 36000, 60000, 100000]
FASTEST = [300, 1000, 3200, 9000, 25000, 60000, 110000, 200000]
BASES = {
    "white": SLOW,
    "red": SLOW,
    "green": FASTER,
    "black": FASTER,
    "blue": FASTER,
    "purple": FASTEST,
    "orange": FASTEST,
    "gold": FASTEST,
}


def asks(stake: str, ante: int, target: float, *covers: str) -> Row:
    name = f"{stake} stake asks {target} in ante {ante}"
    scene = Scene(stake=stake, ante=ante, hand="KS", target=OWN)
    return row(name, " ".join([f"stake_{stake}", *covers]), scene, target=target)


REQUIRED = [asks(stake, ante, base) for stake, bases in BASES.items() for ante, base in enumerate(bases, 1)] + [
    asks(stake, ante, 100, "pitfall:ante-below-one") for stake in ("white", "gold") for ante in (0, -1)
]

# Beyond ante 8: floor(A8 * (1.6 + (0.75 c)^(1 + 0.2 c))^c), c = ante - 8, cut to two digits.
# c = 1: 1.6 + 0.75^1.2 = 2.3080...; c = 2: (1.6 + 1.5^1.4)^2 = 3.3642...^2 = 11.318...
ENDLESS = [
    asks("white", 9, 110_000, "pitfall:endless"),
    asks("white", 10, 560_000, "pitfall:endless"),
    asks("green", 9, 230_000, "pitfall:endless"),
    asks("green", 10, 1_100_000, "pitfall:endless"),
    asks("gold", 9, 460_000, "pitfall:endless"),
    asks("gold", 10, 2_200_000, "pitfall:endless"),
]

REWARDS = [
    row(
        f"{stake} stake pays {reward} for the {blind.removeprefix('bl_')} blind",
        f"stake_{stake} {blind}",
        Scene(stake=stake, hand="KS KH", blind=blind, target=1),
        play("KS KH"),
        payout={"blind": reward},
    )
    for stake in STAKES
    for blind, reward in {"bl_small": 3 if stake == "white" else 0, "bl_big": 4, "bl_hook": 5}.items()
]

# The Red Deck has 4 discards.
DISCARDS = [
    row(
        f"{stake} stake has {discards} discards",
        f"stake_{stake}",
        Scene(stake=stake, phase="blind_select"),
        discards=discards,
    )
    for stake, discards in zip(STAKES, [4, 4, 4, 4, 3, 3, 3, 3], strict=True)
]

# --- Stickers ---------------------------------------------------------------------------------------------------------

FEW, SOME, MANY = (0.0, 0.4), (0.4, 0.7), (0.7, 1.0)
STICKERS = ("eternal", "perishable", "rental")
COMMON = (0.0, 0.7)


def in_shop(stake: str, joker: str, poll: tuple[float, float], rent: tuple[float, float], *stuck: str) -> Row:
    """A joker of a rerolled shop. The first poll is made at every stake, that for rent only at gold stake."""
    return row(
        f"{stake} stake, {joker} of the shop polls {poll} and {rent}: {' '.join(stuck) or 'no sticker'}",
        " ".join([f"stake_{stake}", *stuck, "pitfall:stickers"]),
        Scene(
            stake=stake,
            phase="shop",
            money=10,
            rolls={
                "cdt1": [(0.0, 0.71), (0.72, 0.85)],  # a joker and a tarot
                "rarity1sho": [COMMON],
                "Joker1sho1": [joker],
                "edisho1": [(0.0, 0.96)],
                "etperpoll1": [poll],
                "ssjr1": [rent] if stake == "gold" else [],
            },
        ),
        reroll,
        at={f"shop.cards.0.offer.{name}": name in stuck for name in STICKERS},
    )


def in_pack(stake: str, poll: tuple[float, float], rent: tuple[float, float], *stuck: str) -> Row:
    """The same for a Buffoon pack, which has its own streams."""
    return row(
        f"{stake} stake, j_egg of a pack polls {poll} and {rent}: {' '.join(stuck) or 'no sticker'}",
        " ".join([f"stake_{stake}", *stuck, "p_buffoon_normal_1", "pitfall:stickers"]),
        Scene(
            stake=stake,
            phase="shop",
            money=10,
            boosters=["p_buffoon_normal_1"],
            rolls={
                "rarity1buf": [COMMON, COMMON],
                "Joker1buf1": ["j_egg", "j_joker"],
                "packetper1": [poll, FEW],
                "packssjr1": [rent, FEW] if stake == "gold" else [],
                "etperpoll1": [],
                "ssjr1": [],
            },
        ),
        open_booster(),
        at={f"pack.cards.0.{name}": name in stuck for name in STICKERS},
    )


STICKING = [
    *(in_shop(stake, "j_egg", MANY, MANY) for stake in ("white", "red", "green")),
    *(in_shop(stake, "j_egg", MANY, FEW, "eternal") for stake in ("black", "blue", "purple", "orange", "gold")),
    *(in_shop(stake, "j_egg", SOME, FEW) for stake in ("white", "black", "blue", "purple")),
    *(in_shop(stake, "j_egg", SOME, FEW, "perishable") for stake in ("orange", "gold")),
    in_shop("gold", "j_egg", FEW, FEW),
    in_shop("gold", "j_egg", FEW, MANY, "rental"),
    in_shop("gold", "j_egg", MANY, MANY, "eternal", "rental"),
    in_shop("gold", "j_egg", SOME, MANY, "perishable", "rental"),
    # A joker that cannot bear the sticker gets none.
    in_shop("gold", "j_ice_cream", MANY, FEW),
    in_shop("gold", "j_ice_cream", SOME, FEW, "perishable"),
    in_shop("gold", "j_ride_the_bus", SOME, FEW),
    in_shop("gold", "j_ride_the_bus", MANY, FEW, "eternal"),
    in_pack("white", MANY, MANY),
    in_pack("black", MANY, FEW, "eternal"),
    in_pack("orange", SOME, FEW, "perishable"),
    in_pack("gold", FEW, MANY, "rental"),
]

ROWS = [*REQUIRED, *ENDLESS, *REWARDS, *DISCARDS, *STICKING]

test_rows = rows_test(ROWS)
