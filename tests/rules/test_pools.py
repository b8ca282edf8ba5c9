"""Random streams and pools: gates, keys in use, suffixes, targets, bosses and tags of an ante."""

from typing import Any

from jimbo.engine.catalog import TAGS
from jimbo.engine.seed_tools import Streams
from rules.scene import Pick, Row, Scene, cash_out, discard, open_booster, play, reroll, row, rows_test, select_blind
from rules.situation import SEED

JOKER_CARD, PLANET_CARD = (0.0, 0.71), (0.86, 1.0)
COMMON, UNCOMMON = (0.0, 0.7), (0.7, 0.95)

# --- Gates ------------------------------------------------------------------------------------------------------------


def shop_joker(note: str, rarity: tuple[float, float], drawn: str, then: str | None, covers: str, **more: Any) -> Row:
    """Rerolls a shop whose first card is drawn as a joker; `then` is what a second draw gives, if one is needed."""
    number = 1 if rarity == COMMON else 2
    again = {f"Joker{number}sho1_resample2": [then]} if then else {}
    scene = Scene(
        phase="shop",
        money=10,
        rolls={
            "cdt1": [JOKER_CARD, PLANET_CARD],
            "rarity1sho": [rarity],
            f"Joker{number}sho1": [drawn],
            "Planetsho1": ["c_mars"],
            **again,
        },
        **more,
    )
    return row(note, covers, scene, reroll, shop=[then or drawn, "c_mars"])


def gated(joker: str, enhancement: str, rarity: tuple[float, float]) -> list[Row]:
    other = "j_egg" if rarity == COMMON else "j_hack"
    covers = f"{joker} m_{enhancement} pitfall:gated-jokers"
    return [
        shop_joker(f"{joker} without such a card", rarity, joker, other, covers),
        shop_joker(f"{joker} with such a card", rarity, joker, None, covers, deck_cards=f"KS 2D/{enhancement}"),
    ]


GATED = [
    *gated("j_steel_joker", "steel", UNCOMMON),
    *gated("j_stone", "stone", UNCOMMON),
    *gated("j_glass", "glass", UNCOMMON),
    *gated("j_lucky_cat", "lucky", UNCOMMON),
    *gated("j_ticket", "gold", COMMON),
    shop_joker("Gros Michel lives", COMMON, "j_gros_michel", None, "j_gros_michel pitfall:gros-michel"),
    shop_joker("Cavendish waits", COMMON, "j_cavendish", "j_egg", "j_cavendish pitfall:gros-michel"),
    shop_joker(
        "Gros Michel is extinct",
        COMMON,
        "j_gros_michel",
        "j_egg",
        "j_gros_michel pitfall:gros-michel",
        memory={"gros_michel_extinct": True},
    ),
    shop_joker(
        "Cavendish follows",
        COMMON,
        "j_cavendish",
        None,
        "j_cavendish pitfall:gros-michel",
        memory={"gros_michel_extinct": True},
    ),
    shop_joker("an owned joker", COMMON, "j_egg", "j_half", "pitfall:keys-in-use", jokers=["j_egg"]),
    shop_joker(
        "an owned joker, with Showman",
        COMMON,
        "j_egg",
        None,
        "j_ring_master pitfall:showman",
        jokers=["j_egg", "j_ring_master"],
    ),
    shop_joker(
        "an owned joker, with a debuffed Showman",
        COMMON,
        "j_egg",
        "j_half",
        "j_ring_master pitfall:showman",
        jokers=["j_egg", "j_ring_master:debuffed"],
    ),
]

SECRET = {"c_planet_x": "Five of a Kind", "c_ceres": "Flush House", "c_eris": "Flush Five"}


def celestial(note: str, drawn: list[str], then: list[str], shown: list[str], covers: str, **more: Any) -> Row:
    rolls = {"Planetpl11": drawn, "soul_Planet1": len(drawn)} | ({"Planetpl11_resample2": then} if then else {})
    scene = Scene(phase="shop", boosters=["p_celestial_normal_1"], money=4, rolls=rolls, **more)
    return row(note, covers, scene, open_booster(), pack=shown)


PLANETS = [
    found
    for planet, hand in SECRET.items()
    for found in (
        celestial(
            f"{planet} before {hand} has been played, though it has been levelled",
            [planet, "c_mars", "c_earth"],
            ["c_pluto"],
            ["c_pluto", "c_mars", "c_earth"],
            f"{planet} pitfall:secret-planets-gated",
            levels={hand: 5},
        ),
        celestial(
            f"{planet} after {hand} has been played",
            [planet, "c_mars", "c_earth"],
            [],
            [planet, "c_mars", "c_earth"],
            f"{planet} pitfall:secret-planets-gated",
            played={hand: 1},
        ),
    )
]

# --- Streams of the makers --------------------------------------------------------------------------------------------

NO_EDITION = (0.0, 0.96)
SUFFIXES = [
    row(
        "Purple seal and 8 Ball draw from one stream",
        "seal_purple j_8_ball pitfall:creation-suffixes",
        Scene(
            hand="8S KH#Purple 2D",
            jokers=["j_8_ball"],
            rolls={"8ball": [True], "Tarot8ba1": ["c_moon", "c_sun"]},
        ),
        discard("KH"),
        play("8S"),
        consumables=["c_moon", "c_sun"],
    ),
    row(
        "Riff-raff draws commons of its own suffix",
        "j_riff_raff pitfall:creation-suffixes pitfall:edition-poll-always",
        Scene(
            phase="blind_select",
            jokers=["j_riff_raff"],
            rolls={"Joker1rif1": ["j_egg", "j_joker"], "edirif1": [NO_EDITION, NO_EDITION]},
        ),
        select_blind,
        jokers=["j_riff_raff", "j_egg", "j_joker"],
    ),
    row(
        "Cartomancer draws a tarot of its own suffix",
        "j_cartomancer pitfall:creation-suffixes",
        Scene(phase="blind_select", jokers=["j_cartomancer"], rolls={"Tarotcar1": ["c_moon"]}),
        select_blind,
        consumables=["c_moon"],
    ),
    row(
        "Cartomancer without room draws nothing",
        "j_cartomancer pitfall:no-room-no-draw",
        Scene(phase="blind_select", jokers=["j_cartomancer"], consumables=["c_moon", "c_sun"]),
        select_blind,
        consumables=["c_moon", "c_sun"],
    ),
    row(
        "Riff-raff without room draws nothing",
        "j_riff_raff pitfall:no-room-no-draw",
        Scene(phase="blind_select", jokers=["j_riff_raff", *["j_joker"] * 4]),
        select_blind,
        jokers=["j_riff_raff", *["j_joker"] * 4],
    ),
    row(
        "Marble Joker draws a front",
        "j_marble pitfall:creation-suffixes",
        Scene(phase="blind_select", jokers=["j_marble"], deck_cards="KS", rolls={"marb_fr": ["H_9"]}),
        select_blind,
        hand="KS 9H/stone",
    ),
    row(
        "Certificate draws a front and a seal",
        "j_certificate pitfall:creation-suffixes",
        Scene(
            phase="blind_select",
            jokers=["j_certificate"],
            deck_cards="KS",
            rolls={"cert_fr": ["H_9"], "certsl": [(0.5, 0.75)]},
        ),
        select_blind,
        hand="KS 9H#Blue",
    ),
    row(
        "Hallucination polls with the ante",
        "j_hallucination pitfall:creation-suffixes",
        Scene(
            phase="shop",
            ante=2,
            money=8,
            boosters=["p_standard_normal_1"],
            jokers=["j_hallucination"],
            rolls={"halu2": [True], "Tarothal2": ["c_moon"]},
        ),
        open_booster(),
        consumables=["c_moon"],
    ),
]

# --- What some jokers look for ----------------------------------------------------------------------------------------


def first_state(stream: str) -> float | None:
    streams = Streams(SEED)
    streams.node(stream)
    return streams.state(stream)


# In creation order the cards that have a rank are 2C 9D AS KS; they lie in three zones.
ALL_ZONES: dict[str, Any] = {"hand": "AS KS TH/stone", "deck_cards": "2C", "discard_cards": "9D", "target": 1}
TARGETS = [
    row(
        "the targets are drawn when the run starts",
        "j_idol j_mail j_ancient j_castle pitfall:targets",
        Scene(phase="blind_select"),
        at={f"rng.streams.{stream}": first_state(stream) for stream in ("idol1", "mail1", "anc1", "cas1")},
    ),
    row(
        "the targets are drawn at the end of a round, among the cards of every zone but Stone cards",
        "j_idol j_mail j_ancient j_castle pitfall:targets pitfall:ancient-at-round-end",
        Scene(
            **ALL_ZONES,
            targets={"ancient_suit": "S", "ancient_drawn": True},
            rolls={
                "idol1": [Pick(1, of=4)],
                "mail1": [Pick(3, of=4)],
                "cas1": [Pick(0, of=4)],
                "anc1": [Pick(1, of=3)],  # Hearts, Clubs, Diamonds: not Spades again
            },
        ),
        play("AS"),
        phase="round_eval",
        at={
            "targets.idol_rank": "9",
            "targets.idol_suit": "D",
            "targets.mail_rank": "K",
            "targets.castle_suit": "C",
            "targets.ancient_suit": "C",
        },
    ),
    row(
        "in a deck of Stone cards the targets are the Ace of Spades, Aces and Spades",
        "j_idol j_mail j_castle m_stone",
        Scene(
            hand="KH/stone QH/stone",
            deck_cards="2C/stone",
            target=1,
            targets={"idol_rank": "9", "idol_suit": "D", "mail_rank": "K", "castle_suit": "C"},
            rolls={"idol1": [], "mail1": [], "cas1": []},
        ),
        play("KH"),
        phase="round_eval",
        at={
            "targets.idol_rank": "A",
            "targets.idol_suit": "S",
            "targets.mail_rank": "A",
            "targets.castle_suit": "S",
        },
    ),
    row(
        "the first suit of Ancient Joker has four candidates",
        "j_ancient pitfall:ancient-four-candidates",
        Scene(
            hand="KS",
            target=1,
            targets={"ancient_suit": "S", "ancient_drawn": False},
            rolls={"anc1": [Pick(3, of=4)], "idol1": 1, "mail1": 1, "cas1": 1},
        ),
        play("KS"),
        at={"targets.ancient_suit": "D"},
    ),
    row(
        "the targets stay within a round",
        "j_idol pitfall:targets",
        Scene(hand="KS KH", rolls={"idol1": [], "mail1": [], "anc1": [], "cas1": []}),
        play("KS"),
        phase="selecting_hand",
    ),
]

# --- An ante ----------------------------------------------------------------------------------------------------------


def next_ante(note: str, covers: str, at: dict[str, Any], **more: Any) -> Row:
    """Beats a boss and cashes out, which prepares the next ante."""
    scene = Scene(hand="KS KH", blind=more.pop("blind", "bl_wall"), target=1, **more)
    return row(note, covers, scene, play("KS KH"), cash_out, at=at)


def tag(key: str) -> Pick:
    return Pick(list(TAGS).index(key), of=len(TAGS))


FIRST_BOSSES = dict.fromkeys(
    ("bl_club", "bl_goad", "bl_head", "bl_hook", "bl_manacle", "bl_pillar", "bl_psychic", "bl_window"), 1
)
SECOND_BOSSES = dict.fromkeys(
    (
        "bl_arm",
        "bl_fish",
        "bl_flint",
        "bl_house",
        "bl_mark",
        "bl_mouth",
        "bl_needle",
        "bl_wall",
        "bl_water",
        "bl_wheel",
    ),
    1,
)
FINAL = ("bl_final_acorn", "bl_final_bell", "bl_final_heart", "bl_final_leaf", "bl_final_vessel")
LATE = {"bl_eye": 3, "bl_tooth": 3, "bl_plant": 4, "bl_serpent": 5, "bl_ox": 6}
"""First antes."""
ANTES = [
    next_ante(
        "ante 2 has 18 bosses, in the order of their keys",
        "bl_arm pitfall:boss-least-used",
        {"round.boss": "bl_arm"},
        memory={"boss_uses": {}},
        rolls={"boss": [Pick(0, of=18)]},
    ),
    next_ante(
        "a boss that was drawn waits until all others were",
        "bl_club pitfall:boss-least-used",
        {"round.boss": "bl_club"},
        memory={"boss_uses": {"bl_arm": 1}},
        rolls={"boss": [Pick(0, of=17)]},
    ),
    next_ante(
        "bosses new in an ante come before the others",
        "pitfall:boss-least-used",
        {"round.boss": "bl_wheel", "memory.boss_uses.bl_wheel": 1},
        memory={"boss_uses": FIRST_BOSSES},
        rolls={"boss": [Pick(9, of=10)]},
    ),
    next_ante(
        "when all were drawn all may come again",
        "pitfall:boss-least-used",
        {"round.boss": "bl_arm", "memory.boss_uses.bl_arm": 2},
        memory={"boss_uses": FIRST_BOSSES | SECOND_BOSSES},
        rolls={"boss": [Pick(0, of=18)]},
    ),
    *(
        next_ante(
            f"{boss} appears from ante {ante} on",
            f"{boss} pitfall:boss-least-used",
            {"round.boss": boss},
            ante=ante - 1,
            # All older bosses have been drawn; of those new by now this one is the only one left.
            memory={"boss_uses": FIRST_BOSSES | SECOND_BOSSES | {b: 1 for b in LATE if b != boss and LATE[b] <= ante}},
            rolls={"boss": [Pick(0, of=1)]},
        )
        for boss, ante in LATE.items()
    ),
    *(
        next_ante(
            f"{boss} may be the boss of ante 8",
            f"{boss} pitfall:showdown",
            {"round.boss": boss},
            ante=7,
            memory={"boss_uses": {}},
            rolls={"boss": [Pick(number, of=5)]},
        )
        for number, boss in enumerate(FINAL)
    ),
    next_ante(
        "ante 9 has ordinary bosses again",
        "pitfall:showdown pitfall:endless",
        {"round.boss": "bl_arm"},
        ante=8,
        blind="bl_final_vessel",
        memory={"boss_uses": {}},
        rolls={"boss": [Pick(0, of=23)]},
    ),
    next_ante(
        "ante 16 is a showdown",
        "pitfall:showdown pitfall:endless",
        {"round.boss": "bl_final_acorn"},
        ante=15,
        memory={"boss_uses": {}},
        rolls={"boss": [Pick(0, of=5)]},
    ),
    next_ante(
        "the small blind's tag comes first",
        "tag_economy tag_handy",
        {"round.skip_tags.small.key": "tag_economy", "round.skip_tags.big.key": "tag_handy"},
        rolls={"Tag2": [tag("tag_economy"), tag("tag_handy")]},
    ),
    *(
        next_ante(
            f"{late} does not appear in ante 1",
            late,
            {"round.skip_tags.small.key": "tag_boss", "round.skip_tags.big.key": "tag_coupon"},
            ante=0,
            rolls={"Tag1": [tag(late), tag("tag_coupon")], "Tag1_resample2": [tag("tag_boss")]},
        )
        for late in (
            "tag_negative",
            "tag_standard",
            "tag_meteor",
            "tag_buffoon",
            "tag_handy",
            "tag_garbage",
            "tag_ethereal",
            "tag_top_up",
            "tag_orbital",
        )
    ),
    next_ante(
        "Orbital Tag's hand is drawn when the tag is offered, among the visible hands",
        "tag_orbital pitfall:orbital-fixed",
        {"round.skip_tags.small.orbital_hand": "Straight Flush", "round.skip_tags.big.orbital_hand": "High Card"},
        rolls={"orbital": [Pick(0, of=9), Pick(8, of=9), (0.0, 1.0)]},  # the third for the boss, which has no tag
    ),
    next_ante(
        "a secret hand that was played is among them",
        "tag_orbital pitfall:secret-hand-visible",
        {"round.skip_tags.small.orbital_hand": "Flush Five"},
        played={"Flush Five": 1},
        rolls={"orbital": [Pick(0, of=10), (0.0, 1.0), (0.0, 1.0)]},
    ),
]

# The start of a run as other tools and the game's own generator give it.
TESTSEED = [
    row(
        "TESTSEED starts",
        "bl_head v_crystal_ball tag_economy tag_investment",
        Scene(seed="TESTSEED", phase="blind_select"),
        at={
            "round.boss": "bl_head",
            "round.voucher": "v_crystal_ball",
            "round.skip_tags.small.key": "tag_economy",
            "round.skip_tags.big.key": "tag_investment",
            **{f"zones.deck.{n}.key": key for n, key in enumerate(("D_5", "D_9", "D_2", "H_J", "H_4"))},
            **{f"zones.deck.{n}.key": key for n, key in enumerate(("C_4", "H_8", "C_A", "D_J", "S_8"), 47)},
        },
    ),
    row(
        "TESTSEED's first shop",
        "j_raised_fist j_pareidolia p_buffoon_normal_1 p_standard_jumbo_1",
        Scene(seed="TESTSEED", phase="round_eval", blind="bl_big"),
        cash_out,
        shop=["j_raised_fist", "j_pareidolia"],
        boosters=["p_buffoon_normal_1", "p_standard_jumbo_1"],
        shop_vouchers=["v_crystal_ball"],
    ),
]

ROWS = [*GATED, *PLANETS, *SUFFIXES, *TARGETS, *ANTES, *TESTSEED]

test_rows = rows_test(ROWS)
