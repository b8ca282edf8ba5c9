"""The game's numbers that the engine alone knows, as Python sees them."""

import json
import math

import pytest

from jimbo.engine import BLINDS_PER_ANTE, BOSS_REROLL_PRICE, LAST_ANTE, MAX_SELECTED, USUAL_BOSS_SCORE, Action, Run
from jimbo.engine._core import hand_base  # noqa: TID251
from jimbo.engine.catalog import BLINDS

SLOTS = ("small", "big", "boss")


def test_a_run_has_this_many_blinds() -> None:
    assert (8, len(SLOTS)) == (LAST_ANTE, BLINDS_PER_ANTE)


def test_no_more_cards_can_be_played() -> None:
    run = Run(seed="TESTSEED")
    run.step(Action("select_blind"))
    assert run.refusal(Action("play", cards=list(range(MAX_SELECTED)))) is None
    assert run.refusal(Action("play", cards=list(range(MAX_SELECTED + 1)))) is not None


def test_a_new_boss_costs_this_much() -> None:
    run = Run(seed="TESTSEED")
    run.debug_redeem("v_directors_cut")
    run.dollars = BOSS_REROLL_PRICE
    run.step(Action("reroll_boss"))
    assert run.dollars == 0


def test_most_bosses_ask_for_the_usual_score() -> None:
    scores = [blind.score for blind in BLINDS.values() if blind.boss]
    assert scores.count(USUAL_BOSS_SCORE) > len(scores) / 2


@pytest.mark.parametrize(
    ("stake", "challenge", "rewards"),
    [
        ("white", None, [3, 4, 5]),
        ("red", None, [0, 4, 5]),
        ("white", "c_omelette_1", [0, 0, 0]),
        ("white", "c_cruelty_1", [0, 0, 5]),
    ],
)
def test_rewards_of_blinds(stake: str, challenge: str | None, rewards: list[int]) -> None:
    run = Run(stake=stake, seed="TESTSEED", challenge=challenge)
    assert [blind.reward for blind in run.public_state().blinds] == rewards


def test_targets_of_blinds() -> None:
    run = Run(deck="plasma", seed="TESTSEED")
    assert [blind.target for blind in run.public_state().blinds] == [600, 900, 1200]


def test_worth_of_a_hand_at_a_level() -> None:
    assert hand_base("Pair", 1) == (10, 2)
    assert hand_base("Pair", 4) == (10 + 3 * 15, 2 + 3)
    assert math.isclose(hand_base("Flush Five", 100_000_000)[0], 5e9, rel_tol=1e-6)


def visible(run: Run) -> set[str]:
    return {hand.hand for hand in run.public_state().hands if hand.visible}


def test_secret_hands_show_once_they_were_played() -> None:
    run = Run(seed="TESTSEED")
    assert len(visible(run)) == 9
    state = json.loads(run.to_json())
    state["hands"]["Flush House"]["played"] = 1
    assert visible(Run.from_json(json.dumps(state))) - visible(run) == {"Flush House"}
