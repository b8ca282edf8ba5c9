"""Every item of the game and every known pitfall has a row, and no row covers what does not exist."""

from jimbo.engine import catalog
from rules.pitfalls import PITFALLS
from rules.scene import all_rows, covered

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


def test_every_item_has_a_row() -> None:
    assert sorted(KEYS - covered()) == []


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
