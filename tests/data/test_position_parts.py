"""Positions taken apart and put together again."""

import pytest

from jimbo.data.position import position_text, read_position
from jimbo.data.position_parts import Piece, put_together, taken_apart

POSITIONS = (
    "hand: As Kd(steel, foil, red seal, +5 chips) 10h; jokers: Baron (foil, eternal), Ride the Bus (mult 12)",
    "hand: As; jokers: To Do List (Flush), The Idol (2d); consumables: The Fool (negative); left: 2s 3s(gold) 4s",
    "jokers: Joker; shop: Baron (foil), As(steel, free), Mars; packs: Arcana Pack; for sale: Overstock; money: 12",
    "blind: The Psychic; ante: 3; levels: Pair 3 (played 2), Full House 2; tags: Double Tag; vouchers: Overstock",
)


@pytest.mark.parametrize("typed", POSITIONS)
def test_they_are_the_same_again(typed: str) -> None:
    text = position_text(read_position(typed))
    assert put_together(taken_apart(text)) == text


def test_items_with_their_marks() -> None:
    pieces = taken_apart(position_text(read_position(POSITIONS[0])))
    assert pieces["hand"][1] == Piece("Kd", ("steel", "foil", "red seal", "+5 chips"))
    assert pieces["jokers"] == [Piece("Baron", ("foil", "eternal")), Piece("Ride the Bus", ("mult 12",))]
