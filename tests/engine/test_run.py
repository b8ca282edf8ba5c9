"""The Python face of a run."""

import copy
import itertools
import json

import pytest

from jimbo.engine import Action, IllegalAction, Refusal, Run, base_score
from jimbo.engine.catalog import BLINDS, CHALLENGES, DECKS, STAKES


def dealt() -> Run:
    run = Run(seed="FACE")
    run.step(Action("select_blind"))
    return run


@pytest.mark.parametrize(
    ("start", "message"),
    [
        ({"deck": "b_pink"}, 'There is no deck "b_pink". Allowed are red, blue, yellow'),
        ({"deck": "b_challenge"}, 'no deck "b_challenge"'),
        ({"stake": "silver"}, 'no stake "silver". Allowed are white, red'),
        ({"seed": 1000 * "long"}, "^a seed of 4000 bytes is not valid: a seed has 1 to 32 bytes of UTF-8"),
        ({"seed": "two\nlines"}, "without control characters"),
        ({"seed": ""}, 'seed "" is not valid: a seed has 1 to 32 bytes'),
        ({"challenge": "c_sudoku_1"}, 'no challenge "c_sudoku_1"'),
        ({"challenge": "omelete"}, 'Did you mean "omelette"'),
        (
            {"challenge": "c_omelette_1", "deck": "red"},
            "The challenge The Omelette brings its own deck, so it cannot be played with the Red Deck. Leave the deck",
        ),
        ({"challenge": "c_omelette_1", "deck": "pink"}, 'There is no deck "pink"'),
    ],
)
def test_a_bad_start_is_refused_with_a_sentence(start: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Run(**start)


def test_the_repr_says_where_the_run_stands() -> None:
    assert repr(dealt()) == "<Run FACE b_red stake_white: ante 1, round 1, selecting_hand, $4>"
    assert repr(Action("play", cards=[0, 2])) == "Action('play', cards=[0, 2])"


@pytest.mark.parametrize("copied", [Run.clone, copy.copy, copy.deepcopy])
def test_a_copy_is_independent(copied: object) -> None:
    run = dealt()
    twin = copied(run)  # type: ignore[operator]
    before = run.to_json()
    twin.step(Action("play", cards=[0]))
    assert run.to_json() == before != twin.to_json()


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (Action("cash_out"), "not possible in this phase"),
        (Action("play"), "at least one card"),
        (Action("play", cards=[0, 1, 2, 3, 4, 5]), "at most five"),
        (Action("play", cards=[40]), "no card at this place"),
        (Action("sell_joker"), "no card at this place"),
    ],
)
def test_a_forbidden_action_changes_nothing(action: Action, reason: str) -> None:
    run = dealt()
    before = run.to_json()
    refusal = run.refusal(action)
    assert refusal is not None
    assert reason in refusal.sentence
    with pytest.raises(IllegalAction, match=reason):
        run.step(action)
    assert run.to_json() == before


def test_an_unknown_action_is_refused() -> None:
    with pytest.raises(ValueError, match='no action "dance"'):
        Action("dance")
    with pytest.raises(ValueError, match="positions count from 0 to 63"):
        Action("play", cards=[64])


@pytest.mark.parametrize("luck", ["none", "expected", "all"])
def test_a_preview_leaves_the_run_alone(luck: str) -> None:
    run = dealt()
    run.debug_add_joker("j_misprint")
    before = run.to_json()
    preview = run.preview([0, 1], luck)
    assert run.to_json() == before
    assert preview.score == preview.chips * preview.mult // 1
    assert preview.events[0].kind == "hand"


def test_a_preview_without_chance_is_what_the_play_scores() -> None:
    run = dealt()
    preview = run.preview([0, 1, 2, 3, 4])
    run.step(Action("play", cards=[0, 1, 2, 3, 4]))
    assert run.chips == preview.score


def test_save_and_load() -> None:
    run = dealt()
    assert Run.load(run.save()).to_json() == run.to_json()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not a saved run"),
        (b"PNG", "not a saved run"),
        (b"JIMBO-RUN-1 0123", "cut off"),
        (b"JIMBO-RUN-1 0123456789abcdef\n{}", "another version of Jimbo"),
    ],
)
def test_a_file_that_is_no_run_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Run.load(data)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"phase":"selecting_hand"', '"phase":"dreaming"', r"state\.phase"),
        ('"money":4', '"money":"much"', r"state\.economy\.money: a number is needed"),
        ('"key":"H_', '"key":"X_', r"state\.zones\.\w+\S*: no such playing card"),
        ('"schema_version":"state_v1"', '"schema_version":"state_v0"', "only state_v1"),
    ],
)
def test_a_bad_state_is_refused_with_its_field(old: str, new: str, message: str) -> None:
    text = dealt().to_json()
    assert old in text
    with pytest.raises(ValueError, match=message):
        Run.from_json(text.replace(old, new, 1))


def test_edits() -> None:
    run = Run(seed="EDITS")
    run.debug_add_joker("j_joker", "e_negative", eternal=True)
    run.debug_add_consumable("c_fool")
    run.debug_add_card("H_T", "m_glass", "e_foil", "seal_red", to="deck")
    run.debug_redeem("v_grabber")
    run.debug_set_boss("bl_wall")
    run.debug_raise_level("Pair", 2)
    run.debug_set_ante(3)
    run.dollars = 99
    assert (run.ante, run.dollars) == (3, 99)
    card = json.loads(run.to_json())["zones"]["deck"][0]
    assert (card["key"], card["modifier"]) == ("H_T", ["e_foil", "m_glass", "seal_red"])
    assert run.refusal(Action("sell_joker")) is Refusal.eternal
    with pytest.raises(ValueError, match='no playing card "H_11"'):
        run.debug_add_card("H_11")
    with pytest.raises(ValueError, match='no joker "j_nobody"'):
        run.debug_add_joker("j_nobody")


def test_a_blind_asks_for_the_base_score_times_its_own() -> None:
    starts = [{"deck": deck, "stake": stake} for deck in DECKS if deck != "b_challenge" for stake in STAKES]
    starts += [{"challenge": challenge} for challenge in CHALLENGES]
    slots = {"bl_small": "small", "bl_big": "big", "bl_wall": "boss"}
    for start, ante, blind in itertools.product(starts, (0, 1, 8, 9, 12), slots):
        data = json.loads(Run(seed="TARGETS", **start).to_json())
        data["round"] |= {"ante": ante, "on_deck": slots[blind], "boss": "bl_wall"}
        run = Run.from_json(json.dumps(data))
        run.step(Action("select_blind"))
        assert run.target == base_score(run.deck, run.stake, ante) * BLINDS[blind].score
