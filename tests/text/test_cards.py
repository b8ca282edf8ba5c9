"""Playing cards, tags and places in words."""

import json

import pytest

from jimbo.engine import Action, PublicState, Run
from jimbo.text import card_name, card_short, front, full_deck, next_blind, place_name, rank_and_suit, tag_text
from rules.scene import Scene


def hand(tokens: str) -> PublicState:
    return Scene(hand=tokens).build().public_state()


@pytest.mark.parametrize(
    ("token", "short", "name", "key"),
    [
        ("AH", "A♥", "A♥", "H_A"),
        ("TS", "10♠", "10♠", "S_T"),
        ("KS/steel*foil#Red+5", "K♠", "Steel K♠ Foil Red Seal", "S_K"),
        ("2C/stone#Gold", "Stone", "Stone Gold Seal", "C_2"),
    ],
)
def test_cards_have_names(token: str, short: str, name: str, key: str) -> None:
    card = hand(token).hand[0]
    assert (card_short(card), card_name(card), front(card)) == (short, name, key)


def test_a_face_down_card_has_none() -> None:
    card = hand("KS/steel^").hand[0]
    assert (card_short(card), card_name(card)) == ("a face-down card", "a face-down card")
    with pytest.raises(ValueError, match="face down"):
        rank_and_suit(card)


def test_the_full_deck_is_known_whatever_lies_where() -> None:
    """Events name cards by their place in it."""
    run = Scene(hand="KS^ 2H 3H", discard_cards="4H 5H").build()
    ids = [card.id for card in full_deck(run.public_state())]
    zones = json.loads(run.to_json())["zones"]
    assert ids == sorted(card["uid"] for zone in zones.values() for card in zone)
    assert len(ids) == 52


def test_an_orbital_tag_names_its_hand() -> None:
    tag = Scene(tags=["tag_orbital:orbital_hand=Pair"], hand="KS").build().public_state().tags[0]
    assert tag_text(tag) == "Raises the level of Pair by 3."


def test_every_phase_has_a_place() -> None:
    run = Run(seed="TESTSEED")
    places = [place_name(run.public_state())]
    for kind in ("select_blind", "play", "cash_out", "open_booster", "skip_pack", "leave_shop"):
        if kind == "play":
            run.chips = run.target
        run.step(Action(kind, cards=[0] if kind == "play" else []))
        places.append(place_name(run.public_state()))
    assert places == [
        *("Choose a blind", "Small Blind", "Small Blind beaten", "Shop", "Buffoon Pack", "Shop", "Choose a blind")
    ]
    assert next_blind(run.public_state()).name == "Big Blind"
    run.step(Action("select_blind"))
    for _ in range(4):
        run.step(Action("play", cards=[0]))
    assert place_name(run.public_state()) == "The run is over"
