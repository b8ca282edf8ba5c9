"""Events in words: what a step brought, told from what the player saw before and after it."""

import pytest

from jimbo.engine import Action, Run
from jimbo.engine.catalog import STAKES
from jimbo.text import card_short, describe_event, tell, tell_jokers
from rules.scene import Scene


def told(run: Run, action: Action) -> list[str]:
    """The lines of a step that is taken."""
    before = run.public_state()
    events = run.step(action)
    return [str(line) for line in tell(events, before, run.public_state())]


def test_a_hand_is_told_step_by_step() -> None:
    run = Run(seed="TESTSEED")
    run.debug_add_joker("j_greedy_joker")
    run.step(Action("select_blind"))
    assert told(run, Action("play", cards=[3, 4, 5, 6])) == [
        "Two Pair: level 1 (20 x 2)",
        "9♠: +9 Chips (29 x 2)",
        "9♣: +9 Chips (38 x 2)",
        "5♣: +5 Chips (43 x 2)",
        "5♦: +5 Chips (48 x 2)",
        "Greedy Joker: +3 Mult (48 x 5)",
        "Two Pair: scores 240 (48 x 5)",
        "Drawn: 10♣, 8♣, 7♥, A♠",
    ]


def test_one_event_alone() -> None:
    run = Run(seed="TESTSEED")
    run.debug_add_joker("j_joker")
    run.step(Action("select_blind"))
    events = run.preview([0]).events
    assert [describe_event(event, run.public_state()) for event in events] == [
        "High Card: level 1 (5 x 1)",
        "A♥: +11 Chips (16 x 1)",
        "Joker: +4 Mult (16 x 5)",
        "High Card: scores 80 (16 x 5)",
    ]


def test_cards_are_followed_through_a_step() -> None:
    """DNA adds a card, which moves none; The Hanged Man destroys cards, which moves all behind them."""
    run = Run(seed="TESTSEED")
    run.debug_add_joker("j_dna")
    run.debug_add_consumable("c_hanged_man")
    run.step(Action("select_blind"))
    assert told(run, Action("play", cards=[0]))[0] == "A♥ joins the deck"
    first, second = (card_short(card) for card in run.public_state().hand[:2])
    lines = told(run, Action("use", cards=[0, 1]))
    assert lines == ["Used: The Hanged Man", f"{first} is destroyed", f"{second} is destroyed"]


def test_money_names_who_brings_it() -> None:
    run = Run(seed="TESTSEED")
    run.debug_add_consumable("c_hermit")
    run.debug_add_consumable("c_pluto")
    run.debug_add_joker("j_joker")
    lines = [line for kind in ("use", "sell_consumable", "sell_joker") for line in told(run, Action(kind))]
    assert lines == ["Used: The Hermit", "The Hermit: +$4", "Pluto: +$1", "Joker: +$1"]


# --- What lies face down ----------------------------------------------------------------------------------------------


def test_face_down_cards_are_not_named() -> None:
    run = Scene(blind="bl_house", phase="blind_select").build()
    assert told(run, Action("select_blind"))[-1] == "Drawn: 8 face-down cards"
    lines = told(run, Action("discard", cards=[0, 1]))
    assert lines[0] == "Discarded: 2 face-down cards"
    assert lines[1].startswith("Drawn: ")
    assert "face-down" not in lines[1]


def test_cards_that_come_face_up_among_others_are_named() -> None:
    """The Wheel turns one card in seven over."""
    run = Scene(blind="bl_wheel", hand="KS 2H^ 3H 4D", deck_cards="5S 6S 7S 8S 9S").build()
    lines = told(run, Action("discard", cards=[0, 1]))
    assert lines[0] == "Discarded: K♠, a face-down card"
    state = run.public_state()
    hidden = sum(card.face_down for card in state.hand)
    assert lines[1].count("♠") == 5 - hidden


def test_a_face_down_card_is_turned_over_when_it_is_played() -> None:
    run = Scene(hand="KS^ 2H").build()
    assert "K♠: +10 Chips (15 x 1)" in told(run, Action("play", cards=[0]))


def test_a_face_down_card_acts_without_a_name() -> None:
    run = Scene(hand="KS/steel^ 2H").build()
    lines = told(run, Action("play", cards=[1]))
    assert "A face-down card: X1.5 Mult (7 x 1.5)" in lines
    assert not [line for line in lines if "K♠" in line]


def test_a_face_down_card_changes_without_a_name() -> None:
    run = Scene(hand="KS^ 2H", consumables=["c_magician"]).build()
    lines = told(run, Action("use", cards=[0, 1]))
    assert lines == ["Used: The Magician", "A face-down card changes", "2♥ becomes Lucky 2♥"]


def test_face_down_jokers_act_without_a_name() -> None:
    run = Scene(blind="bl_final_acorn", phase="blind_select", jokers=["j_joker", "j_half"]).build()
    told(run, Action("select_blind"))
    lines = told(run, Action("play", cards=[0]))
    assert [line.split(":")[0] for line in lines if " Mult " in line] == ["A face-down joker"] * 2


# --- Jokers -----------------------------------------------------------------------------------------------------------


def jokers_told(run: Run, action: Action) -> list[str]:
    before = run.public_state()
    run.step(action)
    return [str(line) for line in tell_jokers(before, run.public_state())]


def test_jokers_that_grow_are_told() -> None:
    run = Scene(jokers=["j_green_joker", "j_banner", "j_joker"], hand="KS 2H").build()
    assert jokers_told(run, Action("play", cards=[0])) == ["Green Joker: now +1 Mult"]
    # Banner's number falls with the discards, but it is not its own.
    assert jokers_told(run, Action("discard", cards=[0])) == ["Green Joker: now +0 Mult"]


def test_a_new_edition_is_told() -> None:
    run = Scene(jokers=["j_joker"], consumables=["c_hex"], hand="KS 2H").build()
    assert jokers_told(run, Action("use")) == ["Joker becomes Polychrome"]


def test_what_grew_face_down_is_told_when_it_is_turned_over() -> None:
    run = Scene(blind="bl_final_acorn", phase="blind_select", jokers=["j_green_joker"]).build()
    run.step(Action("select_blind"))
    assert jokers_told(run, Action("play", cards=[0])) == []
    run.chips = run.target
    assert jokers_told(run, Action("play", cards=[0])) == ["Green Joker: now +2 Mult"]


# --- Everything -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stake", list(STAKES))
def test_every_event_of_random_runs_has_words(stake: str) -> None:
    """Walks through runs by a fixed rule and tells everything."""
    for number, deck in enumerate(("b_red", "b_magic", "b_ghost", "b_plasma", "b_anaglyph")):
        run = Run(deck=deck, stake=stake.removeprefix("stake_"), seed=f"TELL{number}")
        run.dollars = 200
        for step in range(120):
            actions = run.legal_actions()
            if not actions:
                break
            kinds = sorted({action.kind for action in actions})
            kind = kinds[(step * 7 + number) % len(kinds)]
            choices = [action for action in actions if action.kind == kind]
            if kind == "play" and step % 3:
                run.chips = run.target
            before = run.public_state()
            for line in tell(run.step(choices[(step * 13) % len(choices)]), before, run.public_state()):
                assert line.what
                assert "new card" not in str(line)
