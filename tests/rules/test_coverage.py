"""Every item of the game has a row that fails without it, every known pitfall has a row, and no row covers what does
not exist."""

import pytest

from jimbo.engine import catalog
from rules.pitfalls import PITFALLS
from rules.scene import Row, Scene, all_rows, covered, play, redeem, row, scores, select_blind
from rules.twins import fails_without

# fmt: off
SETS = {
    name: getattr(catalog, name)
    for name in (
        "JOKERS", "CONSUMABLES", "VOUCHERS", "BOOSTERS", "TAGS", "BLINDS", "DECKS", "STAKES", "CHALLENGES",
        "ENHANCEMENTS", "EDITIONS", "SEALS", "STICKERS", "HANDS",
    )
}
# fmt: on
KEYS = {key.replace(" ", "_") for facts in SETS.values() for key in facts}
"""As rows write them: a poker hand with underscores."""
SLUGS = {f"pitfall:{slug}" for slug in PITFALLS}


WITHOUT_RULES = {"e_base", "b_challenge"}
"""No edition, and the deck that a challenge brings: a row cannot leave them out."""


@pytest.mark.parametrize("name", SETS)
def test_every_item_has_a_row_that_fails_without_it(name: str) -> None:
    rows: dict[str, list[Row]] = {key.replace(" ", "_"): [] for key in SETS[name]}
    for found in all_rows():
        for word in set(found.covers.split()) & rows.keys():
            rows[word].append(found)
    unproven = [key for key in rows if not any(fails_without(row, key) for row in rows[key])]
    assert set(unproven) <= WITHOUT_RULES
    assert all(rows.values())


FAILING = {
    "j_joker": scores("j_joker", "KS", 15, 5),
    "v_grabber": row("", "", Scene(phase="blind_select", vouchers=["v_grabber"]), select_blind, hands=5),
    "bl_tooth": row("", "", Scene(hand="KS", blind="bl_tooth", money=9), play("KS"), money=8),
    "m_glass": scores("", "KS/glass", 15, 2, rolls={"glass": [False]}),
    "e_foil": scores("j_egg:e_foil", "KS", 15 + 50, 1),
    "seal_gold": scores("", "KS#Gold", 15, 1, expect={"money": 7}),
    "High_Card": scores("", "KS", 15, 1),
}
PASSING = {
    "j_joker": row("", "", Scene(jokers=["j_joker"], hand="KS", money=9), play("KS"), money=9),
    "v_grabber": row("", "", Scene(phase="shop", shop_vouchers=["v_grabber"], money=20), redeem("v_grabber"), money=10),
    "bl_tooth": scores("", "KS", 15, 1, blind="bl_tooth"),
    "m_glass": scores("", "KS/glass!", 5, 1),
    "e_foil": row("", "", Scene(jokers=["j_egg:e_foil"], hand="KS", money=9), play("KS"), money=9),
    "seal_gold": scores("", "KS#Gold", 15, 1),
    "High_Card": scores("", "KS KH", 30, 2),
}


def test_a_row_without_its_item_fails_or_proves_nothing() -> None:
    for key, needs in FAILING.items():
        needs.check()
        assert fails_without(needs, key), key
    for key, idle in PASSING.items():
        idle.check()
        assert not fails_without(idle, key), key


def test_every_row_expects_something() -> None:
    idle = [found.id for found in all_rows() if not (found.expect or found.refused or found.scene.rolls)]
    assert idle == []


def test_every_pitfall_has_a_row() -> None:
    assert sorted(SLUGS - covered()) == []


def test_no_row_covers_what_does_not_exist() -> None:
    strange = {found.id: word for found in all_rows() for word in found.covers.split() if word not in KEYS | SLUGS}
    assert strange == {}


def test_the_sets_are_complete() -> None:
    sizes = {name: len(facts) for name, facts in SETS.items()}
    assert sizes == {
        "JOKERS": 150,
        "CONSUMABLES": 22 + 12 + 18,
        "VOUCHERS": 32,
        "BOOSTERS": 32,
        "TAGS": 24,
        "BLINDS": 30,
        "DECKS": 15 + 1,
        "STAKES": 8,
        "CHALLENGES": 20,
        "ENHANCEMENTS": 8,
        "EDITIONS": 4 + 1,
        "SEALS": 4,
        "STICKERS": 3,
        "HANDS": 12,
    }
