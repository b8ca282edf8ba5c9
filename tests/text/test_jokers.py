"""What jokers are worth at the moment, in words."""

import json

import pytest

from jimbo.engine import Action, PublicState, Run, ShownKind
from jimbo.engine.catalog import JOKERS
from jimbo.text import joker_now, stickers, tell
from jimbo.text.jokers import _WORDS
from rules.scene import Scene


def now(run: Run) -> list[str]:
    state = run.public_state()
    return [joker_now(joker, state) for joker in state.jokers]


@pytest.mark.parametrize(
    ("joker", "words"),
    [
        ("j_joker", ""),
        ("j_runner:count=1215", "+1,215 Chips"),
        ("j_green_joker:count=7", "+7 Mult"),
        ("j_ramen:x_mult=1.75", "X1.75 Mult"),
        ("j_yorick:x_mult=3,count=4", "X3 Mult, 4 to go"),
        ("j_rocket:count=5", "$5"),
        ("j_turtle_bean:count=3", "+3 hand size"),
        ("j_selzer:count=1", "1 hand left"),
        ("j_selzer:count=9", "9 hands left"),
        ("j_loyalty_card:count=0", "5 hands to go"),
        ("j_loyalty_card:count=2", "1 hand to go"),
        ("j_loyalty_card:count=1", "next hand"),
        ("j_invisible:count=1", "1 of 2 rounds"),
        ("j_invisible:count=2", "ready"),
        ("j_drivers_license", "0 of 16"),
        ("j_todo_list:count=2", "Two Pair"),
        ("j_todo_list:count=-1", ""),
        ("j_idol", "10♥"),
        ("j_mail", "K"),
        ("j_ancient", "♣"),
        ("j_castle:count=9", "+9 Chips, ♦"),
        ("j_blueprint", "copies nothing"),
    ],
)
def test_every_kind_has_its_words(joker: str, words: str) -> None:
    looked_for = {
        "idol_rank": "10",
        "idol_suit": "H",
        "mail_rank": "K",
        "ancient_suit": "C",
        "castle_suit": "D",
    }
    memory = {"hands_played": 0 if "count=0" in joker else 6}
    run = Scene(jokers=[joker], hand="KS 2H", targets=looked_for, memory=memory).build()
    assert now(run) == [words]


def test_no_kind_is_without_words() -> None:
    assert set(ShownKind) - set(_WORDS) == {ShownKind.nothing, ShownKind.hands_before}


COUNTED = (
    "j_stencil",
    "j_banner",
    "j_steel_joker",
    "j_abstract",
    "j_blue_joker",
    "j_erosion",
    "j_fortune_teller",
    "j_stone",
    "j_bull",
    "j_swashbuckler",
    "j_throwback",
    "j_bootstraps",
    "j_popcorn",
    "j_ice_cream",
    "j_ramen",
    "j_runner",
)


@pytest.mark.parametrize("key", COUNTED)
def test_shown_numbers_are_those_that_score(key: str) -> None:
    run = Run(seed="TESTSEED")
    run.debug_add_joker(key)
    run.debug_add_joker("j_egg")
    state = json.loads(run.to_json())
    state["memory"] |= {"tarots_used": 3, "skips": 2}
    for card, enhancement in zip(state["zones"]["deck"], ["m_steel", "m_steel", "m_stone", "m_stone"], strict=False):
        card["modifier"] = [enhancement]
    del state["zones"]["deck"][40:45]
    run = Run.from_json(json.dumps(state))
    run.dollars = 23
    run.step(Action("select_blind"))
    name = JOKERS[key].name
    scored = [line.what for line in tell(run.preview([0]).events, run.public_state()) if line.who == name]
    shown = now(run)[0]
    assert scored == ([] if shown in ("+0 Chips", "X1 Mult") else [shown])


def test_copying_jokers_say_whom_they_copy() -> None:
    run = Run(seed="TESTSEED")
    for key in ("j_runner", "j_blueprint", "j_brainstorm", "j_blueprint"):
        run.debug_add_joker(key)
    assert now(run) == ["+0 Chips", "= Runner", "= Runner", "copies nothing"]


def test_face_down_jokers_say_nothing() -> None:
    run = Scene(blind="bl_final_acorn", phase="blind_select", jokers=["j_blueprint", "j_runner"]).build()
    run.step(Action("select_blind"))
    assert now(run) == ["", ""]


def test_a_joker_that_copies_what_lies_face_down_does_not_name_it() -> None:
    run = Scene(jokers=["j_blueprint", {"key": "j_runner", "face_down": True}], hand="KS 2H").build()
    assert now(run) == ["= a face-down joker", ""]


def test_stickers_are_named() -> None:
    joker = PublicState.from_json(
        Scene(jokers=["j_egg:eternal,rental"], hand="KS").build().public_state().to_json()
    ).jokers[0]
    assert stickers(joker) == ("eternal", "rental")
