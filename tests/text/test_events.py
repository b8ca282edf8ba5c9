"""The typed view of a run, and events in words."""

import json

import pytest

from jimbo.engine import Action, IllegalAction, Run
from jimbo.engine.catalog import CHALLENGES, DECKS, JOKERS, STAKES
from jimbo.engine.run import view
from jimbo.text import describe_event, joker_now, number_text, tell


def changed(run: Run, **fields: object) -> Run:
    """The run with fields of its state replaced, by path such as ``round__on_deck``."""
    state = json.loads(run.to_json())
    for path, value in fields.items():
        *groups, name = path.split("__")
        group = state
        for step in groups:
            group = group[step]
        group[name] = value
    return Run.from_json(json.dumps(state))


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (7.5, "7.5"),
        (1.25, "1.25"),
        (12.04, "12"),
        (12.5, "12.5"),
        (1234567, "1,234,567"),
        (99_999_999_999, "99,999,999,999"),
        (1e11, "1.00e11"),
        (123456789012345, "1.24e14"),
        (1.5e123, "1.5e123"),
        (-20, "-20"),
        (float("inf"), "naneinf"),
    ],
)
def test_numbers_look_as_in_the_game(number: float, text: str) -> None:
    assert number_text(number) == text


@pytest.mark.parametrize("deck", [key for key in DECKS if key != "b_challenge"])
def test_every_deck_has_a_view(deck: str) -> None:
    run = Run(deck=deck, seed="TESTSEED")
    seen = view(run)
    assert (seen.deck, seen.seed, seen.phase, seen.ante) == (deck, "TESTSEED", "blind_select", 1)
    assert len(seen.cards) == len(seen.draw_pile)
    run.step(Action("select_blind"))
    assert seen.blinds[0].target == run.target == view(run).target
    assert len(view(run).hand) == seen.hand_size


@pytest.mark.parametrize("challenge", list(CHALLENGES))
@pytest.mark.parametrize("stake", ["white", "gold"])
def test_blinds_say_what_they_will_be(challenge: str, stake: str) -> None:
    run = Run(stake=stake, seed="TESTSEED", challenge=challenge)
    for slot, expected in zip(("small", "big", "boss"), view(run).blinds, strict=True):
        ahead = changed(run, round__on_deck=slot)
        ahead.step(Action("select_blind"))
        blind = json.loads(ahead.to_json())["round"]["blind"]
        assert (blind["key"], blind["target"], blind["reward"]) == (expected.key, expected.target, expected.reward)


def test_blinds_of_every_phase() -> None:
    run = Run(seed="TESTSEED")
    targets = [300, 450, 600]
    for kind in ("select_blind", None, "cash_out", "leave_shop"):
        assert [blind.target for blind in view(run).blinds] == targets
        if kind is None:
            run.chips = run.target
            run.step(Action("play", cards=[0]))
        else:
            run.step(Action(kind))
    assert [blind.state for blind in view(run).blinds] == ["done", "now", "later"]


def test_the_view_names_everything() -> None:
    run = Run(seed="TESTSEED", stake="gold")
    run.debug_add_joker("j_egg", "e_negative", eternal=True, rental=True)
    run.debug_add_consumable("c_pluto")
    seen = view(run)
    joker, planet = seen.jokers[0], seen.consumables[0]
    assert (joker.name, joker.edition, joker.stickers) == ("Egg", "e_negative", ("eternal", "rental"))
    assert seen.joker_slots == 6
    assert (planet.name, planet.fact.kind, planet.sell_value) == ("Pluto", "Planet", 1)
    assert seen.blinds[0].tag
    assert seen.blinds[0].tag.fact.name == "Economy Tag"
    assert {hand.name for hand in seen.hands if not hand.visible} == {"Five of a Kind", "Flush House", "Flush Five"}


def test_cards_carry_their_modifiers() -> None:
    run = Run(seed="TESTSEED")
    state = json.loads(run.to_json())
    state["zones"]["deck"][0] |= {"modifier": ["e_foil", "m_steel", "seal_red"], "bonus": 5}
    state["zones"]["deck"][1] |= {"modifier": ["m_stone"]}
    first, second = view(Run.from_json(json.dumps(state))).draw_pile[:2]
    assert (first.edition, first.enhancement, first.seal, first.bonus) == ("e_foil", "m_steel", "seal_red", 5)
    assert first.name == f"Steel {first.short} Foil Red Seal"
    assert second.name == "Stone"


# --- Events -----------------------------------------------------------------------------------------------------------


def test_a_hand_is_told_step_by_step() -> None:
    run = Run(seed="TESTSEED")
    run.debug_add_joker("j_greedy_joker")
    run.step(Action("select_blind"))
    before = view(run)
    lines = [str(line) for line in tell(run.step(Action("play", cards=[3, 4, 5, 6])), before, view(run))]
    assert lines == [
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
    assert [describe_event(event, view(run)) for event in events] == [
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
    before = view(run)
    lines = [str(line) for line in tell(run.step(Action("play", cards=[0])), before, view(run))]
    assert lines[0] == "A♥ joins the deck"
    before = view(run)
    names = [card.short for card in before.hand[:2]]
    lines = [str(line) for line in tell(run.step(Action("use", cards=[0, 1])), before, view(run))]
    assert lines == ["Used: The Hanged Man", f"{names[0]} is destroyed", f"{names[1]} is destroyed"]


def test_money_names_who_brings_it() -> None:
    run = Run(seed="TESTSEED")
    run.debug_add_consumable("c_hermit")
    run.debug_add_consumable("c_pluto")
    run.debug_add_joker("j_joker")
    told = []
    for action in (Action("use"), Action("sell_consumable"), Action("sell_joker")):
        before = view(run)
        told += [str(line) for line in tell(run.step(action), before, view(run))]
    assert told == ["Used: The Hermit", "The Hermit: +$4", "Pluto: +$1", "Joker: +$1"]


def test_face_down_cards_are_not_named() -> None:
    run = Run(seed="TESTSEED")
    run.debug_set_boss("bl_house")
    run = changed(run, round__on_deck="boss")
    before = view(run)
    lines = [str(line) for line in tell(run.step(Action("select_blind")), before, view(run))]
    assert lines[-1] == "Drawn: 8 face-down cards"
    before = view(run)
    lines = [str(line) for line in tell(run.step(Action("discard", cards=[0, 1])), before, view(run))]
    assert lines[0] == "Discarded: 2 face-down cards"


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
            before = view(run)
            for line in tell(run.step(choices[(step * 13) % len(choices)]), before, view(run)):
                assert line.what
                assert "new card" not in str(line)


# --- Jokers -----------------------------------------------------------------------------------------------------------

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
    scored = [line.what for line in tell(run.preview([0]).events, view(run)) if line.who == name]
    shown = joker_now(view(run).jokers[0], view(run))
    assert scored == ([] if shown in ("+0 Chips", "X1 Mult") else [shown])


def test_copying_jokers_say_whom_they_copy() -> None:
    run = Run(seed="TESTSEED")
    for key in ("j_runner", "j_blueprint", "j_brainstorm", "j_blueprint"):
        run.debug_add_joker(key)
    seen = view(run)
    assert [joker_now(joker, seen) for joker in seen.jokers] == ["+0 Chips", "= Runner", "= Runner", "copies nothing"]


def test_targets_of_jokers_are_shown() -> None:
    run = Run(seed="TESTSEED")
    for key in ("j_idol", "j_mail", "j_ancient", "j_castle", "j_todo_list"):
        run.debug_add_joker(key)
    seen = view(run)
    texts = [joker_now(joker, seen) for joker in seen.jokers]
    assert texts[:4] == ["2♦", "K", "♣", "+0 Chips, ♣"]
    assert texts[4] in {hand.name for hand in seen.hands}


def test_refused_actions_raise() -> None:
    with pytest.raises(IllegalAction):
        Run().step(Action("cash_out"))
