"""Checking scored hands: cases written out here by hand, right ones and wrong ones."""

import json
from decimal import Decimal, localcontext
from pathlib import Path
from typing import Any

import pytest

from conformance import FileResult, verify_folder

SUITS = {"S": "Spades", "H": "Hearts", "C": "Clubs", "D": "Diamonds"}
RANKS = {"T": "10", "J": "Jack", "Q": "Queen", "K": "King", "A": "Ace"}


def card(text: str) -> dict[str, Any]:
    """Such as ``KH``, or ``KH Glass Red``."""
    front, *words = text.split()
    found: dict[str, Any] = {"rank": RANKS.get(front[0], front[0]), "suit": SUITS[front[1]]}
    for word in words:
        kind = "seal" if word in ("Red", "Blue", "Purple") else "enhancement"
        kind = "edition" if word in ("Foil", "Holographic", "Polychrome") else kind
        found[kind] = word
    return found


def hand(id_: str, played: str, expected: dict[str, Any], **more: Any) -> dict[str, Any]:
    state = {
        "deck": "Red Deck",
        "blind": {"name": "Small Blind", "active": True},
        "hand_levels": {},
        "hands_left_before_play": 0,
        "discards_left": 3,
        "money": 0,
        "joker_slots": 5,
    }
    state |= more.pop("state", {})
    cards = [card(text) for text in played.split(", ")]
    record = {"id": id_, "luck": "none", "state": state, "jokers": [], "played": cards, "held": []}
    return record | more | {"expected": expected}


def joker(name: str, **state: Any) -> dict[str, Any]:
    return {"name": name, "edition": "Base", "plus_chips": 0, "plus_mult": 0, "x_mult": 1, "active": False} | state


def check(folder: Path, name: str, *records: dict[str, Any]) -> FileResult:
    path = folder / "scoring" / name
    path.parent.mkdir(exist_ok=True)
    lines = "".join(json.dumps(record) + "\n" for record in records)
    path.write_text(lines if name.endswith("l") else json.dumps(records))
    (result,) = verify_folder(folder).files
    return result


PAIR = {"hand": "Pair", "scoring_card_indices": [0, 1], "chips": 32.0, "mult": 2.0, "score": 64}


def test_an_outcome_and_its_scoring_cards_are_two_cases(tmp_path: Path) -> None:
    result = check(tmp_path, "consensus3.jsonl", hand("a", "AH, AS, 3D", PAIR))
    assert (result.cases, result.passed, result.bar) == (2, 2, 1.0)


@pytest.mark.parametrize("wrong", [{"hand": "High Card"}, {"chips": 33.0}, {"mult": 2.0000000000000004}, {"score": 65}])
def test_every_stated_value_counts(tmp_path: Path, wrong: dict[str, Any]) -> None:
    result = check(tmp_path, "consensus3.jsonl", hand("a", "AH, AS, 3D", PAIR | wrong))
    assert (result.passed, result.failed) == (1, 1)
    assert result.first_difference is not None
    assert result.first_difference.path == "a"
    ((name, value),) = wrong.items()
    assert result.first_difference.expected[name] == value
    assert result.first_difference.found[name] == PAIR[name]


def test_wrong_scoring_cards_leave_the_outcome_alone(tmp_path: Path) -> None:
    result = check(tmp_path, "consensus3.jsonl", hand("a", "AH, AS, 3D", PAIR | {"scoring_card_indices": [0, 2]}))
    assert (result.passed, result.failed) == (1, 1)
    assert result.first_difference is not None
    assert result.first_difference.path == "a.scoring_card_indices"


STATES = [
    # Level 3 High Card, 25 x 3, and a King.
    ("KH", {"state": {"hand_levels": {"High Card": {"level": 3, "plays": 2}}}}, 35, 3),
    # Supernova counts the two earlier plays and this one.
    ("KH", {"state": {"hand_levels": {"High Card": {"level": 1, "plays": 2}}}, "jokers": [joker("Supernova")]}, 15, 4),
    ("KH", {"held": [card("3S Steel")]}, 15, 1.5),
    ("KH", {"state": {"money": 11}, "jokers": [joker("Bull")]}, 37, 1),
    ("KH", {"state": {"hands_left_before_play": 1}, "jokers": [joker("Acrobat")]}, 15, 3),
    ("KH", {"jokers": [joker("Acrobat")]}, 15, 1),
    ("KH", {"state": {"discards_left": 0}, "jokers": [joker("Mystic Summit")]}, 15, 16),
    ("KH", {"jokers": [joker("Flash Card", plus_mult=6)]}, 15, 7),
    ("KH", {"jokers": [joker("Ice Cream", plus_chips=35)]}, 50, 1),
    ("KH", {"jokers": [joker("Hologram", x_mult=2.25)]}, 15, 2.25),
    ("KH", {"jokers": [joker("Fortune Teller", plus_mult=9)]}, 15, 10),
    ("KH", {"jokers": [joker("The Idol", rank="King", suit="Hearts")]}, 15, 2),
    ("KH", {"jokers": [joker("Ancient Joker", suit="Hearts")]}, 15, 1.5),
    ("KH", {"jokers": [joker("Joker", edition="Foil")]}, 65, 5),
    ("KH", {"state": {"observatory_planets": {"High Card": 2}}}, 15, 2.25),
    ("KH", {"state": {"observatory_planets": {"Flush": 2}}}, 15, 1),
    ("KH", {"state": {"deck": "Plasma Deck"}}, 8, 8),
    ("KH", {"state": {"blind": {"name": "The Head", "active": True}}}, 5, 1),
    ("KH", {"state": {"blind": {"name": "The Head", "active": False}}}, 15, 1),
    # The Flint: 5 x 1 becomes 3 x 1.
    ("KH", {"state": {"blind": {"name": "The Flint", "active": True}}}, 13, 1),
    ("KH Lucky", {}, 15, 1),
    ("KH Lucky", {"luck": "all"}, 15, 21),
    # What cannot fail needs no luck: 1 in 2, doubled.
    ("KH", {"jokers": [joker("Bloodstone")]}, 15, 1),
    ("KH", {"jokers": [joker("Bloodstone"), joker("Oops! All 6s")]}, 15, 1.5),
    ("KH Red Glass", {}, 25, 4),
]


@pytest.mark.parametrize(("played", "more", "chips", "mult"), STATES)
def test_what_is_stated_is_set_up(tmp_path: Path, played: str, more: dict[str, Any], chips: float, mult: float) -> None:
    result = check(tmp_path, "majority2of3.jsonl", hand("a", played, {"chips": chips, "mult": mult}, **more))
    assert result.first_difference is None
    assert result.bar == 0.97


def test_handwritten_numbers_are_texts(tmp_path: Path) -> None:
    expected = {"hand": "Pair", "scoring_cards": [card("AH"), card("AS Glass")], "chips": "32", "mult": "4"}
    # Scores are stated before rounding.
    record = hand("a", "AH, 3D, AS Glass", expected | {"score": "128.75"})
    assert check(tmp_path, "balatrolator_cases.json", record).passed == 2
    record["expected"]["score"] = "129"
    assert check(tmp_path, "balatrolator_cases.json", record).failed == 1


def test_a_debuffed_card_scores_without_effect(tmp_path: Path) -> None:
    debuffed = card("KH") | {"debuffed": True}
    record = hand("a", "KH", {"scoring_cards": [debuffed]}, state={"blind": {"name": "The Head", "active": True}})
    assert check(tmp_path, "balatrolator_cases.json", record).passed == 1
    record["expected"]["scoring_cards"] = [card("KH")]
    assert check(tmp_path, "balatrolator_cases.json", record).failed == 1


def test_texts_longer_than_a_double_are_compared_in_its_digits(tmp_path: Path) -> None:
    # Four triggers of nine jokers: X1.5 so often does not fit into 53 bits.
    jokers = [*[joker("Blueprint")] * 8, joker("Ancient Joker", suit="Hearts"), joker("Hanging Chad")]
    with localcontext(prec=60):
        exact = Decimal("1.5") ** 36
        assert Decimal(float(exact)) != exact
        record = hand("a", "KH Red", {"mult": str(exact)}, jokers=jokers)
        assert check(tmp_path, "balatrolator_cases.json", record).passed == 1
        # One more in the fifteenth digit.
        record["expected"]["mult"] = str(exact + Decimal(10) ** (exact.adjusted() - 14))
        assert check(tmp_path, "balatrolator_cases.json", record).failed == 1


def test_average_luck_is_left_out(tmp_path: Path) -> None:
    records = [hand("a", "KH", {"score": "15"}), hand("b", "KH", {"score": "15.5"}, luck="average")]
    assert check(tmp_path, "balatrolator_cases.json", *records).cases == 1


def test_handwritten_joker_numbers_are_those_that_score(tmp_path: Path) -> None:
    """Square Joker and Spare Trousers grow by this very hand, to what is stated."""
    jokers = [joker("Square Joker", plus_chips=40), joker("Spare Trousers", plus_mult=36)]
    record = hand("a", "KH, KC, TC, TH", {"chips": "100", "mult": "38"}, jokers=jokers)
    assert check(tmp_path, "balatrolator_cases.json", record).passed == 1


def test_swashbuckler_shows_what_the_others_sell_for(tmp_path: Path) -> None:
    jokers = [joker("Joker"), joker("Swashbuckler", plus_mult=14)]
    record = hand("a", "KH", {"mult": "19"}, jokers=jokers)
    assert check(tmp_path, "balatrolator_cases.json", record).passed == 1


def test_more_than_the_engine_holds_is_a_difference(tmp_path: Path) -> None:
    record = hand("a", "KH", {"score": "15"}, held=[card("KH")] * 300)
    result = check(tmp_path, "balatrolator_cases.json", record)
    assert result.failed == 1
    assert result.first_difference is not None
    assert result.first_difference.found.startswith("the engine cannot hold this hand")


def test_hand_detection(tmp_path: Path) -> None:
    cards = [card(text) for text in ("KH", "QH", "JH", "TH", "9S")]
    expected = {"hand": "Straight Flush", "scoring_card_indices": [0, 1, 2, 3, 4]}
    record = {"id": "a", "jokers": ["Four Fingers"], "played": cards, "expected": expected}
    assert check(tmp_path, "balatrolator_hand_detection.json", record).passed == 2
    record["jokers"] = []
    assert check(tmp_path, "balatrolator_hand_detection.json", record).passed == 1


def test_identifiers_of_jokers(tmp_path: Path) -> None:
    names = ["TheJoker", "DriversLicense", "BlueJoker"]
    record = {"id": "a", "jokers": [{"name": n} for n in names], "played": [card("AH")], "held": []}
    # The played card comes on top of 52 cards in the draw pile.
    assert check(tmp_path, "balatro_rs_joker_tests.json", record | {"expected": {"score": 600}}).passed == 1


def jackdaw(source: str, cards: list[str], blind: str = "bl_small", **more: Any) -> dict[str, Any]:
    played = [card(text) | {"center": "c_base", "edition": None, "seal": None, "debuffed": False} for text in cards]
    record = {"id": source, "source": source, "jokers": [], "played": played, "held": [], "hand_levels": {}}
    return record | {"blind": blind, "opts": {}} | more


def test_jackdaw_hands_of_one_test_share_a_round(tmp_path: Path) -> None:
    free = {"hand": "Pair", "score": 64, "dollars": 0, "debuffed": False}
    blocked = free | {"score": 0, "debuffed": True}
    records = [
        jackdaw("eye", ["AH", "AS"], "bl_eye", expected=free),
        jackdaw("eye", ["AH", "AS"], "bl_eye", expected=blocked),
        jackdaw("other", ["AH", "AS"], "bl_eye", expected=free),
    ]
    assert check(tmp_path, "jackdaw_scoring_tests.json", *records).passed == 3


def test_jackdaw_state(tmp_path: Path) -> None:
    def owned(key: str, ability: dict[str, Any]) -> list[dict[str, Any]]:
        return [{"center": key, "edition": None, "ability": ability}]

    records = [
        jackdaw("green", ["AH"], jokers=owned("j_green_joker", {"mult": 5}), expected={"hand": "High Card", "mult": 7}),
        jackdaw(
            "ice",
            ["AH"],
            jokers=owned("j_ice_cream", {"extra": {"chips": 35}}),
            expected={"hand": "High Card", "chips": 51},
        ),
        jackdaw("face", ["AH"], jokers=owned("j_pareidolia_stub", {}), expected={"hand": "High Card", "chips": 16}),
        jackdaw(
            "steel",
            ["AH"],
            jokers=owned("j_steel_joker", {"extra": 0.2}),
            opts={"game_state": {"steel_tally": 5}},
            expected={"hand": "High Card", "mult": 2},
        ),
        jackdaw(
            "last",
            ["AH"],
            jokers=owned("j_acrobat", {"extra": 3}),
            opts={"game_state": {"hands_left": 0}},
            expected={"hand": "High Card", "mult": 3},
        ),
    ]
    assert check(tmp_path, "jackdaw_scoring_tests.json", *records).first_difference is None


def test_disputed_answers_are_reported_without_a_bar(tmp_path: Path) -> None:
    answers = {"one": {"score": 15.5}, "two": {"total": 16}, "three": {"hand": "High Card", "score": "20"}}
    record = hand("a", "KH", {}) | {"answers": answers}
    result = check(tmp_path, "disputed.jsonl", record)
    assert (result.cases, result.passed, result.failed) == (3, 1, 2)
    assert result.meets_bar
    assert result.first_difference is not None
    assert result.first_difference.path == "a.two"
