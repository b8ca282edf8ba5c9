"""Conditions from text, and conditions that make no sense."""

import pytest

from jimbo.engine.catalog import BLINDS, BOOSTERS, CONSUMABLES, JOKERS, TAGS, VOUCHERS
from jimbo.seeds import (
    CardCount,
    Condition,
    DeckHas,
    Has,
    PlayingCard,
    Search,
    Thing,
    parse_deck,
    parse_has,
    parse_lacks,
)

STEEL_KING = PlayingCard(rank="K", suit="H", enhancement="m_steel", seal="seal_red")


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("j_blueprint", Thing("j_blueprint")),
        ("Blueprint", Thing("j_blueprint")),
        ("the soul", Thing("c_soul")),
        ("soul", Thing("c_soul")),
        ("THE NEEDLE", Thing("bl_needle")),
        ("drivers license", Thing("j_drivers_license")),
        ("Driver's License", Thing("j_drivers_license")),
        ("mail-in rebate", Thing("j_mail")),
        ("oops all 6s", Thing("j_oops")),
        ("8 ball", Thing("j_8_ball")),
        ("Séance", Thing("j_seance")),
        ("mega spectral pack", Thing("p_spectral_mega_1")),
        ("negative perkeo", Thing("j_perkeo", "e_negative")),
        ("Holo j_baron", Thing("j_baron", "e_holo")),
        ("holographic baron", Thing("j_baron", "e_holo")),
        ("poly red card", Thing("j_red_card", "e_polychrome")),
        ("negative tag", Thing("tag_negative")),
        ("steel joker", Thing("j_steel_joker")),
        ("red seal steel king of hearts", STEEL_KING),
        ("Steel H_K Red Seal", STEEL_KING),
        ("steel king hearts red seal", STEEL_KING),
        ("gold seal gold card", PlayingCard(seal="seal_gold", enhancement="m_gold")),
        ("10 of clubs", PlayingCard(rank="T", suit="C")),
        ("foil aces", PlayingCard(rank="A", edition="e_foil")),
        ("diamond", PlayingCard(suit="D")),
    ],
)
def test_things(text: str, thing: Thing | PlayingCard) -> None:
    assert parse_has(text) == Has((thing,))


def test_every_item_is_found_by_its_name_and_by_its_key() -> None:
    for facts in (JOKERS, CONSUMABLES, VOUCHERS, BOOSTERS, TAGS, BLINDS):
        for key, item in facts.items():
            assert parse_has(key) == Has((Thing(key),))
            same_name = [other.key for other in facts.values() if other.name == item.name]
            assert parse_has(item.name.upper()) == Has(tuple(Thing(other) for other in same_name))


@pytest.mark.parametrize(
    ("text", "antes"),
    [("joker", None), ("joker @ 3", (3, 3)), ("joker@1-3", (1, 3)), ("joker | egg @ 2 - 10", (2, 10))],
)
def test_antes(text: str, antes: tuple[int, int] | None) -> None:
    assert parse_lacks(text).antes == antes


def test_counts() -> None:
    hearts, kings = PlayingCard(suit="H"), PlayingCard(rank="K")
    assert parse_deck("12 hearts") == DeckHas((CardCount(hearts, 12, 52),))
    assert parse_deck("0-2 kings|7 7s") == DeckHas((CardCount(kings, 0, 2), CardCount(PlayingCard(rank="7"), 7, 52)))
    assert parse_deck("3-3 king of hearts") == DeckHas((CardCount(PlayingCard("K", "H"), 3, 3),))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("bluprint", "Did you mean Blueprint?"),
        ("j_bluprint", "Did you mean j_blueprint"),
        ("negative perko", "Did you mean negative Perkeo?"),
        ("arcana", "Arcana Pack, Jumbo Arcana Pack or Mega Arcana Pack"),
        ("red seal stel king", "Did you mean red seal steel king?"),
        ("red king", "Did you mean red seal king?"),
        ("qwxyz", 'Write for example "blueprint"'),
        ("negative", '"negative" is an edition. Say of what'),
        ("king queen", "names two ranks"),
        ("blueprint @ soon", "No ante follows the @"),
        ("blueprint @", "No ante follows the @"),
        ("blueprint @ 1 | brainstorm @ 2", "names antes twice"),
        ("blueprint|", "Something is missing"),
        ("@ 3", "Something is missing"),
        ("", "Something is missing"),
    ],
)
def test_texts_that_say_nothing(text: str, complaint: str) -> None:
    for parse in (parse_has, parse_lacks):
        with pytest.raises(ValueError, match=complaint.replace("?", r"\?")):
            parse(text)


@pytest.mark.parametrize("text", ["hearts", "12", "7s", "many hearts"])
def test_counts_that_say_nothing(text: str) -> None:
    with pytest.raises(ValueError, match='Write for example "12 hearts"'):
        parse_deck(text)


@pytest.mark.parametrize(
    ("condition", "complaint"),
    [
        (Has(()), "at least one thing"),
        (parse_has("blueprint @ 3-1"), "Antes 3-1 do not exist"),
        (parse_lacks("blueprint @ 1-40"), "allowed are 1 to 39"),
        (parse_has("blueprint @ 0"), "allowed are 1 to 39"),
        (Has((Thing("j_nobody"),)), "No item of the game has the key"),
        (Has((Thing("j_joker", "e_shiny"),)), 'no edition "e_shiny"'),
        (Has((PlayingCard(rank="10"),)), 'no rank "10"'),
        (parse_has("negative blank"), "has no editions"),
        (parse_has("negative king"), "never Negative"),
        (parse_has("stone king"), "shows no rank and no suit"),
        (parse_has("card"), "Say what the playing card must be"),
        (parse_has("blueprint|cavendish"), "Gros Michel"),
        (parse_has("the needle @ 1"), "ante 2 at the earliest"),
        (parse_has("cerulean bell @ 9-15"), "only in every 8th ante"),
        (parse_has("the needle @ 8"), "every 8th ante has a showdown boss"),
        (parse_lacks("small blind"), "in every ante"),
        (parse_lacks("b_red"), "can be searched for"),
        (parse_deck("12 hearts"), "In every seed the Red Deck starts with the same cards"),
    ],
)
def test_conditions_that_make_no_sense(condition: Condition, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Search([condition])


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("0 hearts", "0-0 clubs"),
        ("60 hearts", "from 0 to 52"),
        ("5-3 kings", "the smaller one first"),
        ("12 steel cards", "are plain"),
        ("12 cards", "Say what the playing card must be"),
        ("12 harts", "Did you mean hearts"),
    ],
)
def test_counts_that_make_no_sense(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Search([parse_deck(text)], deck="erratic")


def test_what_cannot_turn_up_may_be_unwanted() -> None:
    assert next(Search([parse_lacks("cavendish"), "egg"]).blocks()).hits == next(Search(["egg"]).blocks()).hits


def test_a_search_needs_a_condition() -> None:
    with pytest.raises(ValueError, match="at least one thing"):
        Search([])


@pytest.mark.parametrize(
    ("text", "challenge", "complaint"),
    [
        ("egg", "omelette", "The Omelette starts with it"),
        ("rocket", "omelette", "The Omelette bans it"),
        ("v_seed_money", "omelette", "The Omelette bans it"),
        ("money tree", "rich", "Rich get Richer starts with it"),
        ("standard tag", "fragile", "Fragile bans it"),
        ("the plant @ 1-8", "mad_world", "Mad World bans it"),
        ("mega standard pack", "fragile", "Fragile bans it"),
        ("glass card", "fragile", "Fragile bans Standard packs"),
        ("blueprint", "jokerless", "Jokerless offers no jokers"),
        ("perkeo", "jokerless", "Jokerless offers no jokers"),
        ("stone joker", "fragile", "must hold a Stone Card first"),
    ],
)
def test_what_a_challenge_keeps_out(text: str, challenge: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Search([text], challenge=challenge)
