"""The 22 tarots, 12 planets and 18 spectrals: what they do, on what, with what room, and when they may not be used."""

from typing import Any

from jimbo.engine.catalog import HANDS
from rules.rolls import Pick
from rules.scene import Row, Scene, buy, pick, play, row, rows_test, sell, use

NO_EDITION = (0.0, 0.96)
FOIL, HOLO, POLY = (0.0, 0.5), (0.5, 0.85), (0.85, 1.0)
"""Of a poll that always gives an edition."""
COMMON, UNCOMMON, RARE = (0.0, 0.7), (0.7, 0.95), (0.95, 1.0)
SPADES, HEARTS, DIAMONDS, CLUBS = (Pick(i, of=4) for i in range(4))
"""In the order in which suits are drawn."""
TOO_MANY = NOT_ENOUGH = "another number of selected cards"
NOT_NOW = "cannot be used now"


def on_hand(card: str, hand: str, cards: str, after: str, *, note: str = "", covers: str = "", **more: Any) -> Row:
    """Uses a card on cards of the hand."""
    scene = Scene(hand=hand, consumables=[card], **more)
    name = f"{card} on {cards} of {hand}" + (f" ({note})" if note else "")
    return row(name, f"{card} {covers}", scene, use(card, cards), hand=after, consumables=[])


def refused(card: str, why: str, *, hand: str = "", cards: str = "", note: str = "", **more: Any) -> Row:
    phase = more.pop("phase", "selecting_hand" if hand else "blind_select")
    scene = Scene(hand=hand, phase=phase, consumables=[card, *more.pop("others", ())], **more)
    name = f"{card} refused on '{cards}'" + (f" ({note})" if note else "")
    return row(name, card, scene, use(card, cards), refused=why)


def gives(card: str, note: str = "", *, covers: str = "", rolls: Any = None, **more: Any) -> Row:
    """Uses a card that takes no targets; `more` holds what Scene takes, and `expect`."""
    expect = more.pop("expect")
    others = more.pop("others", ())
    if "hand" not in more:
        more.setdefault("phase", "blind_select")
    scene = Scene(consumables=[card, *others], rolls=rolls or {}, **more)
    return Row(f"{card} {note}".strip(), f"{card} {covers}", scene, [use(card)], expect)


# --- Tarots -----------------------------------------------------------------------------------------------------------

# Which enhancement, and on how many cards at most.
ENHANCING = {
    "c_magician": ("lucky", 2),
    "c_empress": ("mult", 2),
    "c_heirophant": ("bonus", 2),
    "c_lovers": ("wild", 1),
    "c_chariot": ("steel", 1),
    "c_justice": ("glass", 1),
    "c_devil": ("gold", 1),
    "c_tower": ("stone", 1),
}
SUITS = {"c_star": "D", "c_moon": "C", "c_sun": "H", "c_world": "S"}


def enhancing(card: str, enhancement: str, most: int) -> list[Row]:
    one = on_hand(card, "KH 7S 2C", "7S", f"KH 7S/{enhancement} 2C")
    two = on_hand(card, "KH 7S 2C", "KH 2C", f"KH/{enhancement} 7S 2C/{enhancement}")
    more = refused(card, TOO_MANY, hand="KH 7S 2C", cards="KH 7S 2C" if most == 2 else "KH 7S")
    kept = on_hand(card, "KH/steel*foil#Red+5 2C", "KH", f"KH/{enhancement}*foil#Red+5 2C", note="only the enhancement")
    none = refused(card, NOT_ENOUGH, hand="KH")
    return [one, *([two] if most == 2 else []), more, none, kept]


def suited(card: str, suit: str) -> list[Row]:
    return [
        on_hand(card, "KH 7S 2C 9D", "KH 7S 2C", f"K{suit} 7{suit} 2{suit} 9D"),
        on_hand(card, "KH/wild*foil#Blue+5", "KH", f"K{suit}/wild*foil#Blue+5"),
        refused(card, TOO_MANY, hand="KH 7S 2C 9D", cards="KH 7S 2C 9D"),
        refused(card, NOT_ENOUGH, hand="KH"),
    ]


TAROTS_ON_CARDS = [
    *(found for card, (enhancement, most) in ENHANCING.items() for found in enhancing(card, enhancement, most)),
    *(found for card, suit in SUITS.items() for found in suited(card, suit)),
    # The blind looks at the new suit at once.
    on_hand("c_sun", "KS! 7H", "KS", "KH 7H", blind="bl_goad", covers="bl_goad pitfall:debuffs-follow-cards"),
    on_hand("c_world", "KS! 7H", "7H", "KS! 7S!", blind="bl_goad", covers="bl_goad pitfall:debuffs-follow-cards"),
    on_hand("c_strength", "KH 7S 2C", "KH 7S", "AH 8S 2C"),
    on_hand("c_strength", "AH TS 9C", "AH TS", "2H JS 9C"),
    on_hand("c_strength", "9S/glass*holo#Gold+5", "9S", "TS/glass*holo#Gold+5"),
    refused("c_strength", TOO_MANY, hand="KH 7S 2C", cards="KH 7S 2C"),
    on_hand("c_hanged_man", "KH 7S 2C", "KH 2C", "7S"),
    on_hand("c_hanged_man", "KH 7S 2C", "7S", "KH 2C"),
    refused("c_hanged_man", TOO_MANY, hand="KH 7S 2C", cards="KH 7S 2C"),
    row(
        "c_hanged_man takes the card out of the deck for good",
        "c_hanged_man",
        Scene(hand="KH 7S", deck_cards="2C", consumables=["c_hanged_man"]),
        use("c_hanged_man", "KH"),
        hand="7S",
        deck="2C",
        discarded="",
    ),
    on_hand("c_death", "KH 7S 2C", "KH 2C", "2C 7S 2C", covers="pitfall:death-copies-right"),
    # By position, whatever was selected first; with everything that is on the right card.
    on_hand("c_death", "KH 2C/glass*poly#Red+10", "2C KH", "2C/glass*poly#Red+10 2C/glass*poly#Red+10"),
    on_hand("c_death", "KH/gold*foil#Blue+5 2C", "KH 2C", "2C 2C", covers="pitfall:death-copies-right"),
    refused("c_death", NOT_ENOUGH, hand="KH 2C", cards="KH"),
    refused("c_death", TOO_MANY, hand="KH 2C 7S", cards="KH 2C 7S"),
]

PACK_HAND: dict[str, Any] = {"phase": "pack_opening", "pack": "p_arcana_normal_1", "hand": "KH 7S"}
TARGETS = [
    row(
        "a held tarot takes targets while an Arcana pack shows a hand",
        "c_tower p_arcana_normal_1",
        Scene(**PACK_HAND, pack_cards=["c_hermit", "c_star"], consumables=["c_tower"]),
        use("c_tower", "7S"),
        hand="KH 7S/stone",
        phase="pack_opening",
    ),
    row(
        "a tarot of the pack takes targets too",
        "c_star p_arcana_mega_1",
        Scene(**PACK_HAND | {"pack": "p_arcana_mega_1"}, pack_cards=["c_hermit", "c_star"], picks=2),
        pick("c_star", "KH"),
        hand="KD 7S",
        pack=["c_hermit"],
    ),
    *(
        refused("c_tower", "no card at this place", cards=[0], phase=phase, note=phase)
        for phase in ("blind_select", "round_eval", "shop")
    ),
    row(
        "a Celestial pack shows no hand",
        "p_celestial_normal_1 c_tower",
        Scene(phase="pack_opening", pack="p_celestial_normal_1", pack_cards=["c_pluto"], consumables=["c_tower"]),
        use("c_tower", [0]),
        refused="no card at this place",
    ),
]

# Every phase in which the player decides something.
ANYWHERE = [
    row(
        f"c_hermit in {phase}",
        "c_hermit",
        Scene(phase=phase, money=7, consumables=["c_hermit"], **more),
        use(0),
        money=14,
    )
    for phase, more in {
        "blind_select": {},
        "selecting_hand": {"hand": "KH"},
        "round_eval": {},
        "shop": {},
        "pack_opening": {"pack": "p_buffoon_normal_1", "pack_cards": ["j_joker"]},
    }.items()
]

TAROTS_FOR_MONEY = [
    gives("c_hermit", "doubles $13", money=13, expect={"money": 26}),
    gives("c_hermit", "gives $20 at most", money=33, expect={"money": 53}),
    gives("c_hermit", "gives nothing to nothing", money=0, expect={"money": 0}),
    gives("c_hermit", "gives nothing to a debt", money=-7, expect={"money": -7}),
    # Sell values: Joker $1, Greedy Joker $2, Blueprint $5 (10/2), polychrome Joker $3 (7/2).
    gives("c_temperance", jokers=["j_joker", "j_greedy_joker", "j_blueprint"], money=4, expect={"money": 12}),
    gives("c_temperance", "counts editions", jokers=["j_joker:e_polychrome"], money=4, expect={"money": 7}),
    gives("c_temperance", "counts what Egg gained", jokers=["j_egg:sell_bonus=9"], money=4, expect={"money": 15}),
    gives("c_temperance", "gives $50 at most", jokers=["j_egg:sell_bonus=60"], money=4, expect={"money": 54}),
    gives("c_temperance", "without jokers", money=4, expect={"money": 4}),
]

FOOL = [
    gives("c_fool", "copies a tarot", memory={"last_used": "c_tower"}, expect={"consumables": ["c_tower"]}),
    gives(
        "c_fool",
        "copies a planet",
        covers="pitfall:fool",
        memory={"last_used": "c_pluto"},
        expect={"consumables": ["c_pluto"], "memory.last_used": "c_fool"},
    ),
    gives(
        "c_fool",
        "needs only the slot it leaves",
        others=["c_hermit"],
        memory={"last_used": "c_pluto"},
        expect={"consumables": ["c_hermit", "c_pluto"]},
    ),
    refused("c_fool", NOT_NOW, note="nothing used yet"),
    row(
        "c_fool does not copy itself",
        "c_fool pitfall:fool",
        Scene(phase="shop", consumables=["c_fool", "c_fool"], memory={"last_used": "c_pluto"}),
        use("c_fool"),
        use("c_fool"),
        refused=NOT_NOW,
        consumables=["c_fool", "c_pluto"],
    ),
    row(
        "c_fool does not see spectrals",
        "c_fool c_black_hole",
        Scene(phase="shop", consumables=["c_pluto", "c_black_hole", "c_fool"], state={"round.consumable_slots": 3}),
        use("c_pluto"),
        use("c_black_hole"),
        use("c_fool"),
        consumables=["c_pluto"],
    ),
    row(
        "c_fool of a pack needs a free slot",
        "c_fool p_arcana_normal_1",
        Scene(
            **PACK_HAND,
            pack_cards=["c_fool"],
            consumables=["c_hermit", "c_tower"],
            memory={"last_used": "c_pluto"},
        ),
        pick("c_fool"),
        refused=NOT_NOW,
    ),
]

CREATING = [
    gives(
        "c_high_priestess",
        rolls={"Planetpri1": ["c_mercury", "c_eris"], "Planetpri1_resample2": ["c_pluto"]},
        covers="pitfall:secret-planets-gated",  # Eris needs a Flush Five to have been played
        expect={"consumables": ["c_mercury", "c_pluto"]},
    ),
    gives(
        "c_high_priestess",
        "fills the one free slot",
        others=["c_tower"],
        rolls={"Planetpri1": ["c_mars"]},
        expect={"consumables": ["c_tower", "c_mars"]},
    ),
    gives(
        "c_high_priestess",
        "makes two different planets",
        rolls={
            "Planetpri1": ["c_mars", "c_mars"],
            "Planetpri1_resample2": ["c_mars"],
            "Planetpri1_resample3": ["c_venus"],
        },
        expect={"consumables": ["c_mars", "c_venus"]},
        covers="pitfall:keys-in-use",
    ),
    gives(
        "c_emperor",
        "of ante 3, without a poll for The Soul",
        ante=3,
        rolls={"Tarotemp3": ["c_fool", "c_world"]},
        expect={"consumables": ["c_fool", "c_world"]},
        covers="pitfall:soul-polls-in-packs-only",
    ),
    gives(
        "c_emperor",
        "makes no card that is held",
        others=["c_tower"],
        rolls={"Tarotemp1": ["c_tower"], "Tarotemp1_resample2": ["c_moon"]},
        expect={"consumables": ["c_tower", "c_moon"]},
        covers="pitfall:keys-in-use",
    ),
    gives(
        "c_emperor",
        "makes a held card with Showman",
        others=["c_tower"],
        jokers=["j_ring_master"],
        rolls={"Tarotemp1": ["c_tower"]},
        expect={"consumables": ["c_tower", "c_tower"]},
        covers="pitfall:showman",
    ),
    row(
        "c_emperor of a pack needs a free slot",
        "c_emperor",
        Scene(**PACK_HAND, pack_cards=["c_emperor"], consumables=["c_hermit", "c_tower"]),
        pick("c_emperor"),
        refused=NOT_NOW,
    ),
    gives(
        "c_judgement",
        "makes a common joker, without sticker polls",
        stake="gold",
        rolls={"rarity1jud": [COMMON], "Joker1jud1": ["j_egg"], "edijud1": [NO_EDITION]},
        expect={"jokers": ["j_egg"], "editions": ["e_base"], "consumables": []},
        covers="pitfall:edition-poll-always pitfall:stickers",
    ),
    gives(
        "c_judgement",
        "makes an uncommon foil joker",
        rolls={"rarity1jud": [UNCOMMON], "Joker2jud1": ["j_hack"], "edijud1": [(0.961, 0.979)]},
        expect={"jokers": ["j_hack"], "editions": ["e_foil"]},
    ),
    gives(
        "c_judgement",
        "makes a rare negative joker",
        rolls={"rarity1jud": [RARE], "Joker3jud1": ["j_dna"], "edijud1": [(0.997, 1.0)]},
        expect={"jokers": ["j_dna"], "editions": ["e_negative"]},
    ),
    gives(
        "c_judgement",
        "makes no joker that is owned",
        jokers=["j_egg"],
        rolls={"rarity1jud": [COMMON], "Joker1jud1": ["j_egg"], "Joker1jud1_resample2": ["j_joker"], "edijud1": 1},
        expect={"jokers": ["j_egg", "j_joker"]},
        covers="pitfall:keys-in-use",
    ),
    refused("c_judgement", NOT_NOW, jokers=["j_joker"] * 5, note="no room"),
    gives(
        "c_judgement",
        "counts no negative joker against the room",
        jokers=["j_joker"] * 4 + ["j_egg:e_negative"],
        rolls={"rarity1jud": [RARE], "Joker3jud1": ["j_dna"], "edijud1": 1},
        expect={"jokers": ["j_joker"] * 4 + ["j_egg", "j_dna"]},
    ),
]

WHEEL = "wheel_of_fortune"
WHEEL_OF_FORTUNE = [
    gives(
        "c_wheel_of_fortune",
        "gives foil",
        jokers=["j_joker", "j_egg"],
        rolls={WHEEL: [True, Pick(1, of=2), FOIL]},
        expect={"editions": ["e_base", "e_foil"]},
    ),
    gives(
        "c_wheel_of_fortune",
        "gives holographic",
        jokers=["j_joker", "j_egg"],
        rolls={WHEEL: [True, Pick(0, of=2), HOLO]},
        expect={"editions": ["e_holo", "e_base"]},
    ),
    gives(
        "c_wheel_of_fortune",
        "gives polychrome, never negative",
        jokers=["j_joker"],
        rolls={WHEEL: [True, Pick(0, of=1), (0.95, 1.0)]},
        expect={"editions": ["e_polychrome"]},
    ),
    gives(
        "c_wheel_of_fortune",
        "may give nothing",
        jokers=["j_joker"],
        rolls={WHEEL: [False]},
        expect={"editions": ["e_base"], "consumables": []},
    ),
    gives(
        "c_wheel_of_fortune",
        "with Oops! All 6s comes up 1 in 2",
        jokers=["j_oops"],
        rolls={WHEEL: [(0.25, 0.5), Pick(0, of=1), FOIL]},
        expect={"editions": ["e_foil"]},
        covers="pitfall:oops-doubles",
    ),
    gives(
        "c_wheel_of_fortune",
        "chooses among jokers without edition, debuffed ones included",
        jokers=["j_joker:e_foil", "j_egg:debuffed", "j_hack:e_negative"],
        rolls={WHEEL: [True, Pick(0, of=1), FOIL]},
        expect={"editions": ["e_foil", "e_foil", "e_negative"]},
        covers="pitfall:editionless-jokers",
    ),
    refused("c_wheel_of_fortune", NOT_NOW, jokers=["j_joker:e_foil"], note="every joker has an edition"),
    refused("c_wheel_of_fortune", NOT_NOW, note="no joker"),
]

# --- Planets ----------------------------------------------------------------------------------------------------------

PLANETS = {
    "c_mercury": "Pair",
    "c_venus": "Three of a Kind",
    "c_earth": "Full House",
    "c_mars": "Four of a Kind",
    "c_jupiter": "Flush",
    "c_saturn": "Straight",
    "c_uranus": "Two Pair",
    "c_neptune": "Straight Flush",
    "c_pluto": "High Card",
    "c_planet_x": "Five of a Kind",
    "c_ceres": "Flush House",
    "c_eris": "Flush Five",
}
LEVEL_1 = dict.fromkeys(HANDS, 1)
RAISING = [
    row(
        f"{planet} raises {hand}",
        planet,
        Scene(phase="blind_select", consumables=[planet], levels={hand: 4}),
        use(planet),
        levels=LEVEL_1 | {hand: 5},
        consumables=[],
        at={"memory.last_used": planet, "memory.used_planets": [planet]},
    )
    for planet, hand in PLANETS.items()
] + [
    row(
        "c_mercury acts on the next hand: Pair 25 x 3",
        "c_mercury Pair",
        Scene(hand="2S 2H", consumables=["c_mercury"]),
        use("c_mercury"),
        play("2S 2H"),
        chips=25 + 4,
        mult=3,
    ),
    row(
        "c_mars from the shop, used at once with full slots",
        "c_mars",
        Scene(phase="shop", shop=["c_mars"], money=5, consumables=["c_fool", "c_fool"]),
        buy("c_mars", and_use=True),
        levels=LEVEL_1 | {"Four of a Kind": 2},
        consumables=["c_fool", "c_fool"],
        money=2,
    ),
    row(
        "c_mars from the shop needs a slot to be kept",
        "c_mars",
        Scene(phase="shop", shop=["c_mars"], money=5, consumables=["c_fool", "c_fool"]),
        buy("c_mars"),
        refused="no free slot",
    ),
    row(
        "c_mars of a pack is used at once",
        "c_mars p_celestial_normal_1",
        Scene(phase="pack_opening", pack="p_celestial_normal_1", pack_cards=["c_mars", "c_eris"]),
        pick("c_mars"),
        levels=LEVEL_1 | {"Four of a Kind": 2},
        phase="shop",
        consumables=[],
    ),
]

# --- Spectrals --------------------------------------------------------------------------------------------------------

SEALS = {"c_talisman": "Gold", "c_deja_vu": "Red", "c_trance": "Blue", "c_medium": "Purple"}
SEALING = [
    found
    for card, seal in SEALS.items()
    for found in (
        on_hand(card, "KH 7S", "7S", f"KH 7S#{seal}"),
        on_hand(card, "KH/gold*foil#Red+5", "KH", f"KH/gold*foil#{seal}+5", note="replaces another seal"),
        refused(card, TOO_MANY, hand="KH 7S", cards="KH 7S"),
        refused(card, NOT_ENOUGH, hand="KH"),
    )
]

AURA = [
    on_hand("c_aura", "KH 7S", "7S", "KH 7S*foil", rolls={"aura": [FOIL]}),
    on_hand("c_aura", "KH 7S", "7S", "KH 7S*holo", rolls={"aura": [HOLO]}),
    on_hand("c_aura", "KH/glass#Red 7S", "KH", "KH/glass*poly#Red 7S", rolls={"aura": [(0.95, 1.0)]}),
    refused("c_aura", NOT_NOW, hand="KH*foil 7S", cards="KH", note="it has an edition"),
    refused("c_aura", TOO_MANY, hand="KH 7S", cards="KH 7S"),
]

# The hand by creation order (suits C D H S): 2C 5D 9H KS. The new hand is sorted.
HAND_OF_FOUR = "KS 9H 5D 2C"
JACK, QUEEN, KING = (Pick(i, of=3) for i in range(3))
TEN, NOT_TEN = Pick(8, of=9), (0.0, 8 / 9)
BONUS, MULT, WILD, GLASS, STEEL, GOLD, LUCKY = (Pick(i, of=7) for i in range(7))
ANY = (0.0, 1.0)
WHOLE_HAND = [
    gives(
        "c_familiar",
        "rank first, then suit",
        hand=HAND_OF_FOUR,
        rolls={
            "random_destroy": [Pick(1, of=4)],
            "familiar_create": [JACK, SPADES, QUEEN, HEARTS, KING, CLUBS],
            "spe_card": [BONUS, MULT, WILD],
        },
        expect={"hand": "KS 9H 2C JS/bonus QH/mult KC/wild"},
        covers="pitfall:spectral-card-draws",
    ),
    gives(
        "c_grim",
        "draws suits only",
        hand=HAND_OF_FOUR,
        rolls={
            "random_destroy": [Pick(0, of=4)],
            "grim_create": [DIAMONDS, HEARTS],
            "spe_card": [GLASS, LUCKY],
        },
        expect={"hand": "KS 9H 5D AD/glass AH/lucky"},
        covers="pitfall:spectral-card-draws",
    ),
    gives(
        "c_incantation",
        "rank first, then suit",
        hand=HAND_OF_FOUR,
        rolls={
            "random_destroy": [Pick(3, of=4)],
            "incantation_create": [TEN, SPADES, TEN, CLUBS, NOT_TEN, ANY, NOT_TEN, ANY],
            "spe_card": [STEEL, GOLD, ANY, ANY],
        },
        expect={
            "zones.hand.3.key": "S_T",
            "zones.hand.3.modifier": ["m_steel"],
            "zones.hand.4.key": "C_T",
            "zones.hand.4.modifier": ["m_gold"],
            "cards_in_hand": 3 + 4,
        },
        covers="pitfall:spectral-card-draws",
    ),
    gives(
        "c_familiar",
        "feeds Hologram",
        hand="KS 2C",
        jokers=["j_hologram"],
        rolls={"random_destroy": 1, "familiar_create": 6, "spe_card": 3},
        expect={"x_mult": 1.75, "cards_in_hand": 4},
        covers="pitfall:created-cards-to-hand",
    ),
    gives(
        "c_sigil",
        hand="KS 9H/stone 5D*foil",
        rolls={"sigil": [DIAMONDS]},
        expect={"hand": "KD 9D/stone 5D*foil", "hand_size": 8},
    ),
    gives(
        "c_sigil", "spares the deck", hand="KS 9H", deck_cards="2C", rolls={"sigil": [HEARTS]}, expect={"deck": "2C"}
    ),
    gives(
        "c_ouija",
        hand="KS 9H#Red 5D",
        rolls={"ouija": [Pick(12, of=13)]},
        expect={"hand": "AS AH#Red AD", "hand_size": 7},
    ),
    gives("c_ouija", "low", hand="KS 9H", rolls={"ouija": [Pick(0, of=13)]}, expect={"hand": "2S 2H"}),
    gives(
        "c_immolate",
        hand="AS KS QS JS TS 9S 8S",
        money=4,
        rolls={"immolate": 1},
        expect={"cards_in_hand": 2, "money": 24},
    ),
    gives(
        "c_immolate",
        "of a small hand, in a pack",
        phase="pack_opening",
        pack="p_spectral_normal_1",
        pack_cards=["c_hex"],
        hand="AS KS",
        money=0,
        rolls={"immolate": 1},
        expect={"hand": "", "money": 20},
    ),
    *(
        refused(card, NOT_NOW, hand="KS", note="a hand of one card")
        for card in ("c_familiar", "c_grim", "c_incantation", "c_sigil", "c_ouija", "c_immolate")
    ),
    *(
        refused(card, NOT_NOW, phase="shop", note="no hand")
        for card in ("c_familiar", "c_grim", "c_incantation", "c_sigil", "c_ouija", "c_immolate")
    ),
]

CRYPTID = [
    on_hand("c_cryptid", "KH 2C/glass*poly#Red+5", "2C", "KH" + 3 * " 2C/glass*poly#Red+5"),
    row(
        "c_cryptid in a pack puts the copies into the hand, and Hologram counts them",
        "c_cryptid pitfall:created-cards-to-hand",
        Scene(
            phase="pack_opening",
            pack="p_spectral_mega_1",
            pack_cards=["c_cryptid", "c_hex"],
            picks=2,
            hand="KH 2C",
            jokers=["j_hologram"],
        ),
        pick("c_cryptid", "KH"),
        hand="KH 2C KH KH",
        x_mult=1.5,
    ),
    refused("c_cryptid", TOO_MANY, hand="KH 7S", cards="KH 7S"),
]

SPECTRALS_ON_JOKERS = [
    gives(
        "c_wraith",
        money=17,
        ante=2,
        stake="gold",
        rolls={"Joker3wra2": ["j_blueprint"], "ediwra2": [NO_EDITION]},
        expect={"jokers": ["j_blueprint"], "money": 0},
        covers="pitfall:edition-poll-always",
    ),
    gives("c_wraith", "ends a debt", money=-5, rolls={"Joker3wra1": 1, "ediwra1": 1}, expect={"money": 0}),
    refused("c_wraith", NOT_NOW, jokers=["j_joker"] * 5, note="no room"),
    gives(
        "c_soul",
        "draws without ante or suffix",
        ante=3,
        rolls={"Joker4": ["j_perkeo"], "edisou3": [NO_EDITION]},
        expect={"jokers": ["j_perkeo"]},
        covers="pitfall:legendary-key pitfall:edition-poll-always",
    ),
    gives(
        "c_soul",
        "makes no legendary that is owned",
        jokers=["j_perkeo"],
        rolls={"Joker4": ["j_perkeo"], "Joker4_resample2": ["j_caino"], "edisou1": [(0.997, 1.0)]},
        expect={"jokers": ["j_perkeo", "j_caino"], "editions": ["e_base", "e_negative"]},
        covers="pitfall:legendary-key",
    ),
    refused("c_soul", NOT_NOW, jokers=["j_joker"] * 5, note="no room"),
    gives(
        "c_ectoplasm",
        jokers=["j_joker:e_foil", "j_egg", "j_hack:debuffed"],
        rolls={"ectoplasm": [Pick(1, of=2)]},
        expect={"editions": ["e_foil", "e_base", "e_negative"], "hand_size": 7},
        covers="pitfall:editionless-jokers",
    ),
    row(
        "c_ectoplasm costs 1, then 2, then 3 cards of hand size",
        "c_ectoplasm pitfall:ectoplasm-cost",
        Scene(
            phase="shop",
            consumables=["c_ectoplasm"] * 3,
            jokers=["j_joker", "j_egg", "j_hack"],
            rolls={"ectoplasm": 3},
        ),
        use(0),
        use(0),
        use(0),
        hand_size=8 - 1 - 2 - 3,
        editions=["e_negative"] * 3,
    ),
    row(
        "c_ectoplasm's Negative brings its slot",
        "c_ectoplasm pitfall:negative-adds-slot",
        Scene(
            phase="shop",
            money=20,
            shop=["j_hack"],
            consumables=["c_ectoplasm"],
            jokers=["j_joker"] * 5,
            rolls={"ectoplasm": 1},
        ),
        use(0),
        buy("j_hack"),
        jokers=["j_joker"] * 5 + ["j_hack"],
    ),
    refused("c_ectoplasm", NOT_NOW, jokers=["j_joker:e_foil"], note="every joker has an edition"),
    gives(
        "c_hex",
        jokers=["j_joker:e_foil", "j_egg", "j_hack:debuffed"],
        rolls={"hex": [Pick(1, of=2)]},
        expect={"jokers": ["j_hack"], "editions": ["e_polychrome"]},
        covers="pitfall:editionless-jokers",
    ),
    gives(
        "c_hex",
        "spares eternal jokers",
        jokers=["j_joker:eternal", "j_egg", "j_hack"],
        rolls={"hex": [Pick(1, of=3)]},
        expect={"jokers": ["j_joker", "j_egg"], "editions": ["e_base", "e_polychrome"]},
        covers="eternal",
    ),
    refused("c_hex", NOT_NOW, jokers=["j_joker:e_negative"], note="every joker has an edition"),
    gives(
        "c_ankh",
        "copies one and destroys the others",
        jokers=["j_joker", "j_wee:count=16,e_foil", "j_hack"],
        rolls={"ankh_choice": [Pick(1, of=3)]},
        expect={"jokers": ["j_wee", "j_wee"], "counts": [16, 16], "editions": ["e_foil", "e_foil"]},
    ),
    gives(
        "c_ankh",
        "strips Negative from the copy",
        jokers=["j_joker", "j_egg:e_negative"],
        rolls={"ankh_choice": [Pick(1, of=2)]},
        expect={"jokers": ["j_egg", "j_egg"], "editions": ["e_negative", "e_base"]},
        covers="pitfall:ankh",
    ),
    gives(
        "c_ankh",
        "destroys first: full slots do not matter",
        jokers=["j_joker"] * 4 + ["j_egg"],
        rolls={"ankh_choice": [Pick(4, of=5)]},
        expect={"jokers": ["j_egg", "j_egg"]},
        covers="pitfall:ankh",
    ),
    gives(
        "c_ankh",
        "spares eternal jokers",
        jokers=["j_joker:eternal", "j_egg"],
        rolls={"ankh_choice": [Pick(1, of=2)]},
        expect={"jokers": ["j_joker", "j_egg", "j_egg"]},
        covers="eternal",
    ),
    refused("c_ankh", NOT_NOW, note="no joker"),
]

BLACK_HOLE = [
    gives(
        "c_black_hole",
        "raises all twelve hands",
        levels={"Flush": 3},
        expect={"levels": dict.fromkeys(HANDS, 2) | {"Flush": 4}, "memory.last_used": None},
    ),
]

# --- Selling ----------------------------------------------------------------------------------------------------------

# Tarots and planets cost $3, spectrals $4: half of it, at least $1.
SELLING = [
    row("c_fool sells for $1", "c_fool", Scene(phase="shop", consumables=["c_fool"], money=0), sell("c_fool"), money=1),
    row(
        "c_pluto sells for $1",
        "c_pluto",
        Scene(phase="shop", consumables=["c_pluto"], money=0),
        sell("c_pluto"),
        money=1,
    ),
    row("c_soul sells for $2", "c_soul", Scene(phase="shop", consumables=["c_soul"], money=0), sell("c_soul"), money=2),
]

ROWS = [
    *TAROTS_ON_CARDS,
    *TARGETS,
    *ANYWHERE,
    *TAROTS_FOR_MONEY,
    *FOOL,
    *CREATING,
    *WHEEL_OF_FORTUNE,
    *RAISING,
    *SEALING,
    *AURA,
    *WHOLE_HAND,
    *CRYPTID,
    *SPECTRALS_ON_JOKERS,
    *BLACK_HOLE,
    *SELLING,
]

test_rows = rows_test(ROWS)
