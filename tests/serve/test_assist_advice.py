"""What the assistant says of a state, without a screen."""

import json
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from jimbo.agents import Considered, Decision, make_agent
from jimbo.agents.protocol import Seat
from jimbo.data import action_from_json
from jimbo.engine import Action, PublicState
from jimbo.rollout import AgentFailed
from jimbo.serve.assistant import Advice, Adviser, advice_data
from rules.scene import Scene


@dataclass
class Says:
    """An agent that says what it is told to."""

    answer: Decision | Action

    def act(self, _state: PublicState) -> Decision | Action:
        return self.answer


def advice_of(scene: Scene, answer: Decision | Action) -> Advice:
    return Adviser(Seat(Says(answer), "says")).advise(scene.build().public_state())


def expert_advice(scene: Scene) -> Advice:
    return Adviser(make_agent("expert", effort=0.2)).advise(scene.build().public_state())


HAND = Scene(hand="KS KH 7D 5C 3H", target=300, jokers=["j_joker"], chips=100)
PAIR = Action("play", cards=[0, 1])


# --- Plays ------------------------------------------------------------------------------------------------------------


def test_a_play_is_scored_exactly_and_effect_by_effect() -> None:
    (one,) = advice_of(HAND, PAIR).suggestions
    score = one.score
    assert score
    # (10 + 10 + 10) x (2 + 4), and 200 are needed.
    assert (score.hand, score.expected, score.least, score.most) == ("Pair", 180, 180, 180)
    assert (score.needed, score.share, score.guessed) == (200, 0.9, False)
    assert [(line.who, line.what) for line in score.told] == [
        ("Pair", "level 1"),
        ("K♠", "+10 Chips"),
        ("K♥", "+10 Chips"),
        ("Joker", "+4 Mult"),
        ("Pair", "scores 180"),
    ]
    assert one.expected == "180, 90.0 % of what is needed"
    assert (one.words, one.money, one.chosen) == ("play K♠ K♥", None, True)


def test_luck_gives_a_range() -> None:
    (one,) = advice_of(Scene(hand="KS/lucky 7D", target=300), Action("play", cards=[0])).suggestions
    assert one.score
    # 5 + 10 chips; the mult is 1, or 21 in one case of five.
    assert (one.score.least, one.score.expected, one.score.most) == (15, 75, 315)
    assert one.expected == "75, 25.0 % of what is needed, 15 to 315 by luck"


def test_cards_that_lie_face_down_have_no_score() -> None:
    scene = Scene(hand="KS^ KH 7D", target=300)
    assert advice_of(scene, PAIR).suggestions[0].score is None
    (one,) = advice_of(scene, Action("play", cards=[1])).suggestions
    assert one.score
    assert one.score.guessed
    assert one.expected.startswith("about 15, ")


def test_a_score_past_the_last_number_is_the_largest_number_in_the_json() -> None:
    scene = Scene(hand="KS KH", levels={"Pair": 5}, jokers=[{"key": "j_joker"}], target=300)
    advice = advice_of(scene, Decision(PAIR, (Considered(PAIR, math.inf, ""),), measure="score"))
    data = json.loads(json.dumps(advice_data(advice, advice.suggestions), allow_nan=False))
    assert data["suggestions"][0]["value"] == sys.float_info.max
    assert data["suggestions"][0]["value_text"] == "naneinf"


# --- Money ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scene", "action", "left"),
    [
        (Scene(phase="shop", shop=["j_joker"], money=10), Action("buy", index=0), 8),
        (Scene(phase="shop", jokers=["j_joker"], money=10), Action("sell_joker", index=0), 11),
        (Scene(phase="shop", money=10), Action("reroll"), 5),
        (Scene(phase="shop", money=10), Action("leave_shop"), None),
        (Scene(phase="shop", consumables=["c_hermit"], money=10), Action("use", index=0), 20),
        (Scene(hand="KS#Gold 7D", money=10), Action("play", cards=[0]), None),
        (Scene(hand="KS 7D", money=10, jokers=["j_joker"]), Action("sell_joker", index=0), 11),
    ],
)
def test_the_money_that_is_left(scene: Scene, action: Action, left: int | None) -> None:
    (one,) = advice_of(scene, action).suggestions
    assert one.money == left
    if left is not None:
        assert one.expected == f"leaves ${left} ({'+' if left > 10 else '-'}${abs(left - 10)})"


def test_what_a_joker_brings_that_lies_face_down_is_not_told() -> None:
    state = Scene(phase="blind_select", blind="bl_final_acorn", jokers=["j_joker", "j_blueprint"], ante=8).build()
    state.step(Action("select_blind"))
    seen = state.public_state()
    assert seen.jokers[0].face_down
    (one,) = Adviser(Seat(Says(Action("sell_joker", index=0)), "says")).advise(seen).suggestions
    assert one.money is None


# --- What the agent says ----------------------------------------------------------------------------------------------


def test_the_choice_comes_first_and_the_rest_in_the_agents_order() -> None:
    others = (Action("play", cards=[2]), Action("discard", cards=[3, 4]))
    listed = (
        Considered(others[0], 1.2, "looked at briefly"),
        Considered(PAIR, 1.1, "", 0.9, 0.02, chosen=True),
        Considered(others[1], 0.5, "", 0.4),
        Considered(Action("cash_out"), 0.1, "not yet"),  # only allowed later
    )
    advice = advice_of(HAND, Decision(PAIR, listed, "tried longest", measure="clear", win=0.5))
    assert [one.action for one in advice.suggestions] == [PAIR, *others]
    first, second, third = advice.suggestions
    assert (first.value_text, first.clear, first.clear_error, first.reason) == ("1.100", 0.9, 0.02, "tried longest")
    assert (second.reason, second.chosen) == ("looked at briefly", False)
    assert third.reason.startswith("Clears 50.0 points less often. ")
    assert third.expected == "40.0 % to clear the blind"
    assert (advice.win, advice.measure, first.probability) == (0.5, "clear", None)


def test_a_network_tells_probabilities() -> None:
    other = Action("discard", cards=[2, 3, 4])
    listed = (Considered(PAIR, 0.75, "", 0.6, chosen=True), Considered(other, 0.25, "", 0.6))
    first, second = advice_of(HAND, Decision(PAIR, listed, measure="choice")).suggestions
    assert (first.probability, second.probability) == (0.75, 0.25)
    assert first.value_text == "75.0 %"
    assert first.reason.startswith("Scores 180 of the 200 needed, 20 left for 3 hands; ")
    assert second.reason.startswith("The same chance. Keeps K♠ K♥: ")


def test_an_action_that_prepares_another_says_what_for() -> None:
    move = Action("move_card", index=1, to=0)
    listed = (Considered(PAIR, 1.0, "", 0.9, chosen=True), Considered(Action("play", cards=[2]), 0.5, "", 0.2))
    first, second = advice_of(HAND, Decision(move, listed, "in order", measure="clear")).suggestions
    assert (first.action, first.then) == (move, "then play K♠ K♥")
    assert first.score
    assert first.score.expected == 180
    assert second.action == Action("play", cards=[2])


def test_an_agent_that_fails_is_named_with_its_step() -> None:
    with pytest.raises(AgentFailed, match="failed in decision 1: Select at least one card") as failed:
        advice_of(HAND, Action("play"))
    assert failed.value.reason == "illegal_action"

    class Breaks:
        def act(self, _state: PublicState) -> Action:
            raise KeyError("gone")

    with pytest.raises(AgentFailed, match="failed in decision 7: KeyError: 'gone'"):
        Adviser(Seat(Breaks(), "breaks")).advise(HAND.build().public_state(), step=7)


# --- Phases -----------------------------------------------------------------------------------------------------------

PHASES: Sequence[tuple[str, Scene]] = (
    ("blind_select", Scene(phase="blind_select")),
    ("selecting_hand", HAND),
    ("shop", Scene(phase="shop", shop=["j_joker", "c_mercury"], boosters=["p_buffoon_normal_1"], money=10)),
    ("pack_opening", Scene(phase="pack_opening", pack="p_buffoon_normal_1", pack_cards=["j_joker", "j_banner"])),
)


@pytest.mark.parametrize(("phase", "scene"), PHASES, ids=[phase for phase, _ in PHASES])
def test_the_expert_advises_in_every_phase(phase: str, scene: Scene) -> None:
    advice = expert_advice(scene)
    assert advice.state.phase == phase
    assert len(advice.suggestions) > 1
    data = json.loads(json.dumps(advice_data(advice, advice.suggestions, with_state=True), allow_nan=False))
    assert (data["schema"], data["phase"], data["agent"]) == ("advice_v1", phase, "expert")
    assert data["waits_for"]
    assert PublicState.from_json(json.dumps(data["state"])) == advice.state
    for rank, (told, one) in enumerate(zip(data["suggestions"], advice.suggestions, strict=True), 1):
        assert told["rank"] == rank
        assert action_from_json(told["action"]) == one.action
        assert advice.state.refusal(one.action) is None
        assert told["words"]
        assert told["reason"]
        assert told["expected"]
        assert (told["score"] is not None) == (one.action.kind == "play")


def test_the_cash_out_and_the_end() -> None:
    run = Scene(hand="KS KH", target=1).build()
    run.step(PAIR)
    adviser = Adviser(make_agent("expert", effort=0.2))
    (one,) = adviser.advise(run.public_state()).suggestions
    assert (one.words[:8], one.reason) == ("cash out", "Nothing else can be done here.")
    lost = Scene(hand="KS KH", hands=1).build()
    lost.step(PAIR)
    over = adviser.advise(lost.public_state())
    assert (over.suggestions, over.decision, over.waits_for) == ((), None, "nothing: the run is over")
    assert advice_data(over, ())["over"]
