"""Jokers that act when a blind is selected, and those that end a boss's ability."""

from rules.scene import OWN, Pick, Row, Scene, buy, play, row, rows_test, select_blind, sell

BASE = (0.0, 0.9)
"""An edition roll that gives none."""


def at_blind(*jokers: str, **scene) -> Scene:
    return Scene(jokers=jokers, phase="blind_select", **scene)


DESTROYERS = [
    row(
        "dagger: twice the sell value of its right neighbour",
        "j_ceremonial pitfall:dagger",
        at_blind("j_ceremonial", "j_baron", "j_egg"),
        select_blind,
        jokers=["j_ceremonial", "j_egg"],
        count=8,
    ),
    row(
        "dagger: an eternal neighbour stays",
        "j_ceremonial pitfall:dagger",
        at_blind("j_ceremonial", "j_baron:eternal", "j_egg"),
        select_blind,
        jokers=["j_ceremonial", "j_baron", "j_egg"],
        count=0,
    ),
    row("dagger: nobody to the right", "j_ceremonial", at_blind("j_egg", "j_ceremonial"), select_blind, counts=[0, 0]),
    row(
        "dagger acts on bosses too",
        "j_ceremonial",
        at_blind("j_ceremonial", "j_egg", blind="bl_club"),
        select_blind,
        jokers=["j_ceremonial"],
        count=4,
    ),
    row(
        "a debuffed dagger",
        "j_ceremonial",
        at_blind("j_ceremonial:debuffed", "j_egg"),
        select_blind,
        jokers=["j_ceremonial", "j_egg"],
    ),
    row(
        "a copied dagger does not stab",
        "j_ceremonial j_blueprint",
        at_blind("j_blueprint", "j_ceremonial", "j_egg"),
        select_blind,
        jokers=["j_blueprint", "j_ceremonial"],
        counts=[0, 4],
    ),
    row(
        "what the dagger took no longer acts",
        "j_ceremonial j_burglar",
        at_blind("j_ceremonial", "j_burglar"),
        select_blind,
        hands=4,
        discards=4,
        count=6,
    ),
    row(
        "madness: X0.5 and a random other joker",
        "j_madness pitfall:madness",
        at_blind("j_madness", "j_egg", "j_joker", rolls={"madness": [Pick(0, of=2)]}),
        select_blind,
        jokers=["j_madness", "j_joker"],
        x_mult=1.5,
    ),
    row(
        "madness chooses in creation order",
        "j_madness",
        at_blind("j_madness", "j_egg:uid=99", "j_joker:uid=98", rolls={"madness": [Pick(0, of=2)]}),
        select_blind,
        jokers=["j_madness", "j_egg"],
    ),
    row(
        "madness: eternal jokers are not chosen from; nothing is drawn",
        "j_madness pitfall:madness",
        at_blind("j_madness", "j_egg:eternal"),
        select_blind,
        jokers=["j_madness", "j_egg"],
        x_mult=1.5,
    ),
    row(
        "madness rests on bosses",
        "j_madness pitfall:madness",
        at_blind("j_madness", "j_egg", blind="bl_club"),
        select_blind,
        jokers=["j_madness", "j_egg"],
        x_mult=1.0,
    ),
    row(
        "a copied madness does nothing more",
        "j_madness j_blueprint",
        at_blind("j_blueprint", "j_madness", rolls={"madness": [Pick(0, of=1)]}, blind="bl_big"),
        select_blind,
        jokers=["j_madness"],
        x_mult=1.5,
    ),
]

MAKERS = [
    row(
        "marble: a Stone card in the deck",
        "j_marble pitfall:marble-into-deck",
        at_blind("j_marble", deck_cards="2S 3S", rolls={"marb_fr": ["S_K"]}),
        select_blind,
        hand="3S 2S KS/stone",  # shuffled and dealt with the others
    ),
    row(
        "marble is copied",
        "j_marble j_blueprint",
        at_blind("j_blueprint", "j_marble", deck_cards="2S", rolls={"marb_fr": ["S_K", "S_Q"]}),
        select_blind,
        at={"memory.next_id": 57},  # 52 cards of old, two jokers, two stones
    ),
    row("burglar: 3 hands more, no discards", "j_burglar", at_blind("j_burglar"), select_blind, hands=7, discards=0),
    row(
        "burglar after the resources are reset",
        "j_burglar pitfall:burglar-after-resources",
        at_blind("j_burglar", hands=1, discards=2),
        select_blind,
        hands=4 + 3,
        discards=0,
    ),
    row(
        "burglar is copied",
        "j_burglar j_blueprint",
        at_blind("j_blueprint", "j_burglar"),
        select_blind,
        hands=10,
        discards=0,
    ),
    row(
        "riff-raff: two Common jokers",
        "j_riff_raff",
        at_blind("j_riff_raff", rolls={"Joker1rif1": ["j_jolly", "j_zany"], "edirif1": [BASE, BASE]}),
        select_blind,
        jokers=["j_riff_raff", "j_jolly", "j_zany"],
    ),
    row(
        "riff-raff with room for one",
        "j_riff_raff",
        at_blind("j_riff_raff", "j_egg", "j_egg", "j_egg", rolls={"Joker1rif1": ["j_jolly"], "edirif1": [BASE]}),
        select_blind,
        jokers=["j_riff_raff", "j_egg", "j_egg", "j_egg", "j_jolly"],
    ),
    row(
        "riff-raff without room draws nothing",
        "j_riff_raff",
        at_blind("j_riff_raff", "j_egg", "j_egg", "j_egg", "j_egg"),
        select_blind,
        jokers=["j_riff_raff", "j_egg", "j_egg", "j_egg", "j_egg"],
    ),
    row(
        "cartomancer: a Tarot",
        "j_cartomancer",
        at_blind("j_cartomancer", rolls={"Tarotcar1": ["c_hermit"]}),
        select_blind,
        consumables=["c_hermit"],
    ),
    row(
        "cartomancer without room draws nothing",
        "j_cartomancer",
        at_blind("j_cartomancer", consumables=["c_pluto", "c_mars"]),
        select_blind,
        consumables=["c_pluto", "c_mars"],
    ),
    row(
        "cartomancer is copied",
        "j_cartomancer j_blueprint",
        at_blind("j_blueprint", "j_cartomancer", rolls={"Tarotcar1": ["c_hermit", "c_sun"]}),
        select_blind,
        consumables=["c_hermit", "c_sun"],
    ),
    row(
        "certificate: a ninth card with a seal",
        "j_certificate pitfall:certificate-ninth",
        at_blind(
            "j_certificate",
            deck_cards="2S 3S 4S 5S 6S 7S 8S 9S",
            rolls={"cert_fr": ["H_9"], "certsl": [(0.76, 1.0)]},
        ),
        select_blind,
        hand="9S 9H#Red 8S 7S 6S 5S 4S 3S 2S",
    ),
    row(
        "certificate: the other seals",
        "j_certificate j_brainstorm",
        at_blind(
            "j_certificate",
            "j_brainstorm",
            "j_brainstorm",
            deck_cards="2S",
            rolls={"cert_fr": ["H_9", "H_8", "H_7"], "certsl": [(0.51, 0.75), (0.26, 0.5), (0.0, 0.25)]},
        ),
        select_blind,
        hand="9H#Blue 8H#Gold 7H#Purple 2S",
    ),
]

BOSSES = [
    row(
        "chicot: The Wall has its usual height",
        "j_chicot pitfall:disabling-restores",
        at_blind("j_chicot", blind="bl_wall"),
        select_blind,
        target=600,
        at={"round.blind.disabled": True},
    ),
    row(
        "without chicot",
        "j_chicot",
        at_blind("j_chicot:debuffed", blind="bl_wall"),
        select_blind,
        target=1200,
        at={"round.blind.disabled": False},
    ),
    row(
        "chicot gives The Water's discards back",
        "pitfall:disabling-restores",
        at_blind("j_chicot", blind="bl_water"),
        select_blind,
        discards=4,
    ),
    row(
        "chicot gives The Needle's hands back",
        "pitfall:disabling-restores",
        at_blind("j_chicot", blind="bl_needle"),
        select_blind,
        hands=4,
    ),
    row(
        "chicot gives The Manacle's hand size back",
        "pitfall:disabling-restores",
        at_blind("j_chicot", blind="bl_manacle"),
        select_blind,
        hand_size=8,
    ),
    row(
        "chicot gained in a boss blind acts at once",
        "j_chicot pitfall:chicot-gained",
        Scene(blind="bl_goad", hand="KS KH", consumables=["c_soul"], rolls={"Joker4": ["j_chicot"], "edisou1": [BASE]}),
        lambda live: live.use("c_soul"),
        play("KS KH"),
        chips=30,
        jokers=["j_chicot"],
    ),
    row(
        "luchador sold in a boss blind",
        "j_luchador pitfall:selling-self pitfall:disabling-restores",
        Scene(jokers=["j_luchador"], blind="bl_wall", hand="KS", target=OWN),
        sell("j_luchador"),
        target=600,
        money=4 + 2,
        at={"round.blind.disabled": True},
    ),
    row(
        "luchador frees debuffed cards",
        "j_luchador",
        Scene(jokers=["j_luchador"], blind="bl_goad", hand="KS KH"),
        sell("j_luchador"),
        play("KS KH"),
        chips=30,
    ),
    row(
        "luchador against The Needle",
        "j_luchador pitfall:disabling-restores",
        at_blind("j_luchador", blind="bl_needle"),
        select_blind,
        sell("j_luchador"),
        hands=4,
    ),
    row(
        "luchador in a small blind is just sold",
        "j_luchador",
        Scene(jokers=["j_luchador"], hand="KS", target=OWN),
        sell("j_luchador"),
        target=300,
        money=6,
        at={"round.blind.disabled": False},
    ),
    row(
        "a sold copy of luchador works too",
        "j_luchador j_blueprint",
        Scene(jokers=["j_blueprint", "j_luchador"], blind="bl_wall", hand="KS", target=OWN),
        sell("j_blueprint"),
        target=600,
        jokers=["j_luchador"],
    ),
    row(
        "a debuffed luchador",
        "j_luchador",
        Scene(jokers=["j_luchador:debuffed"], blind="bl_wall", hand="KS", target=OWN),
        sell("j_luchador"),
        target=1200,
    ),
    row(
        "verdant leaf ends with any joker sold",
        "pitfall:verdant-leaf-sale",
        Scene(jokers=["j_egg"], blind="bl_final_leaf", hand="KS KH"),
        sell("j_egg"),
        play("KS KH"),
        chips=30,
    ),
    row(
        "buying chicot between blinds disables the next boss",
        "j_chicot",
        Scene(phase="shop", blind="bl_club", shop=["j_chicot"], money=20),
        buy("j_chicot"),
        lambda live: live.act("leave_shop"),
        select_blind,
        at={"round.blind.disabled": True},
    ),
]

ROWS: list[Row] = [*DESTROYERS, *MAKERS, *BOSSES]
test_rows = rows_test(ROWS)
