"""Jokers that make or destroy cards, jokers, tags and levels."""

from rules.scene import (
    Pick,
    Row,
    Scene,
    discard,
    leave_shop,
    open_booster,
    play,
    row,
    rows_test,
    scores,
    select_blind,
    sell,
)

STRAIGHT_WITH_ACE = "AS 2H 3D 4C 5S"  # 30 + 25 chips
STRAIGHT_FLUSH = "5S 6S 7S 8S 9S"
FULL = ["c_pluto", "c_mars"]
"""Both consumable slots taken."""

WHILE_SCORING = [
    scores(
        "j_8_ball",
        "8S 8H",
        26,
        2,
        rolls={"8ball": [False, True], "Tarot8ba1": ["c_death"]},
        expect={"consumables": ["c_death"]},
    ),
    # The second 8 finds no room: nothing is drawn for it.
    scores(
        "j_8_ball",
        "8S 8H",
        26,
        2,
        consumables=["c_pluto"],
        rolls={"8ball": [True], "Tarot8ba1": ["c_death"]},
        expect={"consumables": ["c_pluto", "c_death"]},
    ),
    scores("j_8_ball", "8S 8H", 26, 2, consumables=FULL),
    scores("j_8_ball", "7S 7H", 24, 2),
    scores(
        "j_superposition",
        STRAIGHT_WITH_ACE,
        55,
        4,
        rolls={"Tarotsup1": ["c_star"]},
        expect={"consumables": ["c_star"]},
    ),
    scores("j_superposition", "5S 6H 7D 8C 9S", 65, 4, expect={"consumables": []}),
    scores("j_superposition", "AS", 16, 1, expect={"consumables": []}),
    scores("j_superposition", STRAIGHT_WITH_ACE, 55, 4, consumables=FULL, expect={"consumables": FULL}),
    scores("j_seance", STRAIGHT_FLUSH, 135, 8, rolls={"Spectralsea1": ["c_hex"]}, expect={"consumables": ["c_hex"]}),
    scores("j_seance", "5S 6H 7D 8C 9S", 65, 4, expect={"consumables": []}),
    scores("j_vagabond", "KS", 15, 1, money=4, rolls={"Tarotvag1": ["c_fool"]}, expect={"consumables": ["c_fool"]}),
    scores("j_vagabond", "KS", 15, 1, money=5, expect={"consumables": []}),
    # The Ox has emptied the purse before (a working hypothesis).
    scores(
        "j_vagabond",
        "KS",
        15,
        1,
        money=9,
        blind="bl_ox",
        ante=6,
        state={"round.most_played": "High Card"},
        rolls={"Tarotvag6": ["c_fool"]},
        expect={"consumables": ["c_fool"], "money": 0},
    ),
    # Played with $4; what the Gold Seal brings comes later.
    scores(
        "j_vagabond",
        "KS#Gold",
        15,
        1,
        money=4,
        rolls={"Tarotvag1": ["c_fool"]},
        expect={"consumables": ["c_fool"], "money": 7},
    ),
    scores(
        "j_blueprint j_vagabond",
        "KS",
        15,
        1,
        money=0,
        rolls={"Tarotvag1": ["c_fool", "c_sun"]},
        expect={"consumables": ["c_fool", "c_sun"]},
    ),
]

PLAYED_CARDS = [
    row(
        "dna: a copy of the single first card joins the hand",
        "j_dna",
        Scene(jokers=["j_dna"], hand="KS/glass#Gold 3H 2D", deck_cards="", rolls={"glass": [False]}),
        play("KS/glass"),
        hand="3H 2D KS/glass#Gold",
        discarded="KS/glass#Gold",
        money=4 + 3,
    ),
    *(
        row(
            f"dna: the copy of {card} is held at once, for {joker}",
            f"j_dna {joker}",
            Scene(jokers=["j_dna", *joker.split()], hand=card, deck_cards=""),
            play([0]),
            mult=mult,
            hand=card,
        )
        for joker, card, mult in (
            ("j_baron", "KS", 1.5),
            ("j_baron j_mime", "KS", 1.5 * 1.5),
            ("j_egg", "KS/steel", 1.5),
            ("j_raised_fist", "5S", 1 + 10),
            ("j_blackboard", "5S", 3),
            ("j_blackboard", "5H", 1),
        )
    ),
    row(
        "dna: not two cards",
        "j_dna",
        Scene(jokers=["j_dna"], hand="KS 3H 2D", deck_cards=""),
        play("KS 3H"),
        hand="2D",
    ),
    row(
        "dna: not the second hand",
        "j_dna pitfall:first-hand-only",
        Scene(jokers=["j_dna"], hand="KS 3H 2D", deck_cards=""),
        play("3H 2D"),
        play("KS"),
        hand="",
    ),
    row(
        "a debuffed dna",
        "j_dna",
        Scene(jokers=["j_dna:debuffed"], hand="KS 3H", deck_cards=""),
        play("KS"),
        hand="3H",
    ),
    row(
        "sixth sense: the single 6 becomes a Spectral card",
        "j_sixth_sense",
        Scene(jokers=["j_sixth_sense"], hand="6S 2D", deck_cards="", rolls={"Spectralsixth1": ["c_aura"]}),
        play("6S"),
        score=11,  # it scores before it goes
        consumables=["c_aura"],
        hand="2D",
        discarded="",
    ),
    row(
        "sixth sense: not a 7, not two cards",
        "j_sixth_sense",
        Scene(jokers=["j_sixth_sense"], hand="6S 6H 2D", deck_cards=""),
        play("6S 6H"),
        consumables=[],
        discarded="6S 6H",
    ),
    row(
        "sixth sense: not the second hand",
        "j_sixth_sense pitfall:first-hand-only",
        Scene(jokers=["j_sixth_sense"], hand="6S 2D 3D", deck_cards=""),
        play("2D"),
        play("6S"),
        consumables=[],
        discarded="2D 6S",
    ),
    row(
        "sixth sense cannot be copied",
        "j_sixth_sense j_blueprint",
        Scene(jokers=["j_blueprint", "j_sixth_sense"], hand="6S 2D", rolls={"Spectralsixth1": ["c_aura"]}),
        play("6S"),
        consumables=["c_aura"],
    ),
]

DISCARDS = [
    row(
        "burnt joker: the first discarded hand",
        "j_burnt",
        Scene(jokers=["j_burnt"], hand="KS KH 2D 3C"),
        discard("KS KH"),
        levels={"Pair": 2, "High Card": 1},
    ),
    row(
        "burnt joker: only the first",
        "j_burnt",
        Scene(jokers=["j_burnt"], hand="KS KH 2D 3C", deck_cards=""),
        discard("2D"),
        discard("KS KH"),
        levels={"Pair": 1, "High Card": 2},
    ),
    row(
        "a debuffed burnt joker",
        "j_burnt",
        Scene(jokers=["j_burnt:debuffed"], hand="KS KH"),
        discard("KS KH"),
        levels={"Pair": 1},
    ),
]

PACKS = [
    row(
        "hallucination: a Tarot when a pack is opened",
        "j_hallucination",
        Scene(
            jokers=["j_hallucination"],
            phase="shop",
            boosters=["p_celestial_normal_1"],
            money=10,
            rolls={"halu1": [True], "Tarothal1": ["c_sun"]},
        ),
        open_booster(),
        consumables=["c_sun"],
    ),
    row(
        "hallucination fails",
        "j_hallucination",
        Scene(
            jokers=["j_hallucination"],
            phase="shop",
            boosters=["p_celestial_normal_1"],
            money=10,
            rolls={"halu1": [False]},
        ),
        open_booster(),
        consumables=[],
    ),
    row(
        "hallucination without room draws nothing",
        "j_hallucination",
        Scene(
            jokers=["j_hallucination"],
            phase="shop",
            boosters=["p_standard_normal_1"],
            money=10,
            consumables=FULL,
        ),
        open_booster(),
        consumables=FULL,
    ),
    row(
        "hallucination is copied",
        "j_hallucination j_blueprint",
        Scene(
            jokers=["j_blueprint", "j_hallucination"],
            phase="shop",
            boosters=["p_standard_normal_1"],
            money=10,
            rolls={"halu1": [True, True], "Tarothal1": ["c_sun", "c_moon"]},
        ),
        open_booster(),
        consumables=["c_sun", "c_moon"],
    ),
]

LEAVING_THE_SHOP = [
    row(
        "perkeo: a Negative copy of a consumable",
        "j_perkeo",
        Scene(jokers=["j_perkeo"], phase="shop", consumables=FULL, rolls={"perkeo": [Pick(1, of=2)]}),
        leave_shop,
        consumables=[*FULL, "c_mars"],
        at={"consumables.2.edition": "e_negative"},
    ),
    row(
        "perkeo without consumables draws nothing",
        "j_perkeo",
        Scene(jokers=["j_perkeo"], phase="shop"),
        leave_shop,
        consumables=[],
    ),
    row(
        "perkeo chooses in creation order",
        "j_perkeo",
        Scene(
            jokers=["j_perkeo"],
            phase="shop",
            consumables=["c_pluto:uid=99", "c_mars"],
            rolls={"perkeo": [Pick(0, of=2)]},
            memory={"next_id": 100},
        ),
        leave_shop,
        consumables=["c_pluto", "c_mars", "c_mars"],
    ),
    row(
        "a debuffed perkeo",
        "j_perkeo",
        Scene(jokers=["j_perkeo:debuffed"], phase="shop", consumables=FULL),
        leave_shop,
        consumables=FULL,
    ),
]

SOLD = [
    row(
        "diet cola: a Double Tag",
        "j_diet_cola pitfall:selling-self",
        Scene(jokers=["j_diet_cola"], phase="shop"),
        sell("j_diet_cola"),
        tags=["tag_double"],
        money=4 + 3,
    ),
    row(
        "a debuffed diet cola",
        "j_diet_cola",
        Scene(jokers=["j_diet_cola:debuffed"], phase="shop"),
        sell("j_diet_cola"),
        tags=[],
        money=4 + 3,
    ),
    row(
        "invisible joker after two rounds: a copy of another",
        "j_invisible pitfall:selling-self",
        Scene(
            jokers=["j_invisible:count=2", "j_wee:count=24,e_foil", "j_egg"],
            phase="shop",
            rolls={"invisible": [Pick(0, of=2)]},
        ),
        sell("j_invisible"),
        jokers=["j_wee", "j_egg", "j_wee"],
        counts=[24, 0, 24],
        editions=["e_foil", "e_base", "e_foil"],
    ),
    row(
        "invisible joker too early",
        "j_invisible",
        Scene(jokers=["j_invisible:count=1", "j_egg"], phase="shop"),
        sell("j_invisible"),
        jokers=["j_egg"],
    ),
    row(
        "invisible joker: the copy loses Negative",
        "j_invisible",
        Scene(
            jokers=["j_invisible:count=2", "j_egg:e_negative"],
            phase="shop",
            rolls={"invisible": [Pick(0, of=1)]},
        ),
        sell("j_invisible"),
        jokers=["j_egg", "j_egg"],
        editions=["e_negative", "e_base"],
    ),
    row(
        "invisible joker counts rounds",
        "j_invisible",
        Scene(jokers=["j_invisible", "j_brainstorm"], hand="KS", target=1),
        play("KS"),
        count=1,
    ),
    row(
        "invisible joker alone draws nothing",
        "j_invisible",
        Scene(jokers=["j_invisible:count=2"], phase="shop"),
        sell("j_invisible"),
        jokers=[],
    ),
    row(
        "selling is legal while choosing a hand and inside packs",
        "pitfall:selling-self",
        Scene(
            jokers=["j_diet_cola", "j_egg"],
            phase="pack_opening",
            pack="p_celestial_normal_1",
            pack_cards=["c_pluto"],
        ),
        sell("j_diet_cola"),
        sell("j_egg"),
        phase="pack_opening",
        jokers=[],
        money=4 + 3 + 2,
    ),
]

SHOWMAN = [
    row(
        "showman: a card may come twice",
        "j_ring_master",
        Scene(
            jokers=["j_ring_master", "j_cartomancer"],
            phase="blind_select",
            consumables=["c_fool"],
            rolls={"Tarotcar1": ["c_fool"]},
        ),
        select_blind,
        consumables=["c_fool", "c_fool"],
    ),
    row(
        "without showman another is drawn",
        "j_ring_master",
        Scene(
            jokers=["j_cartomancer"],
            phase="blind_select",
            consumables=["c_fool"],
            rolls={"Tarotcar1": ["c_fool"], "Tarotcar1_resample2": ["c_sun"]},
        ),
        select_blind,
        consumables=["c_fool", "c_sun"],
    ),
    row(
        "a debuffed showman does not count",
        "j_ring_master",
        Scene(
            jokers=["j_ring_master:debuffed", "j_cartomancer"],
            phase="blind_select",
            consumables=["c_fool"],
            rolls={"Tarotcar1": ["c_fool"], "Tarotcar1_resample2": ["c_sun"]},
        ),
        select_blind,
        consumables=["c_fool", "c_sun"],
    ),
]

ROWS: list[Row] = [*WHILE_SCORING, *PLAYED_CARDS, *DISCARDS, *PACKS, *LEAVING_THE_SHOP, *SOLD, *SHOWMAN]
test_rows = rows_test(ROWS)
