"""Runs as events: every message can be taken, and together they tell the run."""

import re
from collections import Counter
from itertools import islice
from typing import Any

import pytest

from jimbo.agents import make_agent
from jimbo.agents.protocol import Agent
from jimbo.backends.sim import SimBackend
from jimbo.data.record import Decision
from jimbo.engine import Action
from jimbo.rollout.events import GameEvents
from jimbo.rollout.loop import Moment, Observer, Rollout
from jimbo.seeds.seed_sets import rollout_seeds
from rollout.hearing import Heard
from rollout.scripted import Scripted


def played(agent: Agent, seed: str, heard: Heard, **start: Any) -> Rollout:
    backend = SimBackend()
    rollout = Rollout(backend, [GameEvents(heard, agent=agent.name, seed=lambda: backend.seed)])
    rollout.start(seed=seed, **start)
    for _ in rollout.play(agent, 1, max_steps=600):
        pass
    rollout.leave()
    return rollout


@pytest.mark.parametrize("name", ["random", "greedy", "fast"])
@pytest.mark.parametrize("seed", list(islice(rollout_seeds("EVENTS"), 4)))
def test_a_run_is_told_from_its_start_to_its_end(name: str, seed: str) -> None:
    heard = Heard()
    rollout = played(make_agent(name), seed, heard)
    state = rollout.state
    assert state
    kinds = [one["type"] for one in heard.messages]
    assert (kinds[0], kinds[-1]) == ("game_start", "game_over")
    assert {one["game_id"] for one in heard.messages} == {heard.messages[0]["game_id"]}
    assert heard.of("game_start") == [{"seed": seed, "stake": "stake_white", "deck": "b_red", "agent": name}]
    assert len(heard.of("strategy.decision")) == rollout.steps
    actions = Counter(one["action"] for one in heard.of("strategy.decision"))
    assert len(heard.of("hand_played")) == actions["play"]
    assert len(heard.of("card_discarded")) == actions["discard"]
    bought = actions["buy"] + actions["buy_and_use"] + actions["redeem"] + actions["open_booster"]
    assert len(heard.of("card_purchased")) == bought
    assert len(heard.of("card_sold")) == actions["sell_joker"] + actions["sell_consumable"]
    rounds, beaten = heard.of("round_started"), heard.of("blind_defeated")
    assert [one["round"] for one in rounds] == list(range(1, state.round + 1))
    assert len(heard.of("round_ended")) == state.round
    saved = [one for one in heard.of("joker_triggered") if one["trigger_type"] == "saved"]
    assert sum(one["score"] < one["required_score"] for one in beaten) == len(saved)
    (over,) = heard.of("game_over")
    assert over["reason"] == ("won" if state.won else "lost")
    assert (over["round_reached"], over["won"]) == (state.round, state.won)
    assert len(beaten) == state.round - (0 if state.won else 1)


def test_hands_name_their_cards_and_add_up() -> None:
    heard = Heard()
    played(make_agent("greedy"), "TESTSEED", heard)
    first, *_ = heard.of("hand_played")
    assert (first["hand_type"], first["cards"]) == ("Two Pair", ["9S", "9C", "5C", "5D"])
    assert (first["score"], first["total"], first["required_score"]) == (96, 96, 300)
    totals = [one["total"] for one in heard.of("hand_played")]
    scores = [one["score"] for one in heard.of("hand_played")]
    assert totals[:4] == [sum(scores[: place + 1]) for place in range(4)]


def test_jokers_that_act_are_told() -> None:
    heard = Heard()
    for seed in islice(rollout_seeds("EVENTS"), 6):
        played(make_agent("fast"), seed, heard)
    told = heard.of("joker_triggered")
    assert len(told) > 100
    assert {"chips", "mult", "x_mult"} <= {one["trigger_type"] for one in told}
    assert all(one["joker_id"].startswith("j_") or one["joker_id"] == "face_down" for one in told)
    assert any(one["effect"] == "+4 Mult" for one in told)
    assert heard.of("card_enhanced")


def test_a_run_that_is_left_says_so_and_one_that_fails_says_why() -> None:
    heard, backend = Heard(), SimBackend()
    rollout = Rollout(backend, [GameEvents(heard)])
    rollout.start(seed="A")
    rollout.take(Decision(Action("select_blind")))
    rollout.leave("the agent fell asleep")
    assert heard.of("error") == [{"message": "the agent fell asleep"}]
    assert heard.of("game_over")[0]["reason"] == "error"
    rollout.leave()
    assert len(heard.of("game_over")) == 1
    rollout.start(seed="A")
    rollout.leave()
    assert [one["reason"] for one in heard.of("game_over")] == ["error", "left"]


def test_a_run_that_is_taken_up_is_pictured() -> None:
    heard, backend = Heard(), SimBackend()
    rollout = Rollout(backend, [GameEvents(heard, seed=lambda: backend.seed)])
    rollout.start(seed="A")
    rollout.take(Decision(Action("select_blind")))
    rollout.go_on(backend.state())
    (snapshot,) = heard.of("state_snapshot")
    assert (snapshot["phase"], snapshot["round"], len(snapshot["hand"])) == ("selecting_hand", 1, 8)
    assert len(heard.of("game_start")) == 1
    other = Heard()
    Rollout(backend, [GameEvents(other)]).go_on(backend.state())
    assert [one["type"] for one in other.messages] == ["game_start", "state_snapshot"]


class FaceDown(Observer):
    """Counts what was done with cards that the player could not see."""

    def __init__(self) -> None:
        self.cards = 0

    def happened(self, moment: Moment) -> None:
        if moment.decision.action.kind in ("play", "discard"):
            self.cards += sum(moment.before.hand[place].face_down for place in moment.decision.action.cards)


def test_cards_that_lie_face_down_have_no_name() -> None:
    heard, hidden, backend = Heard(), FaceDown(), SimBackend()
    rollout = Rollout(backend, [GameEvents(heard), hidden])
    for number, seed in enumerate(islice(rollout_seeds("EVENTS"), 60)):
        rollout.start(seed=seed)
        for _ in rollout.play(make_agent("greedy"), number):
            pass
    cards = [card for kind in ("hand_played", "card_discarded") for one in heard.of(kind) for card in one["cards"]]
    assert hidden.cards > 0
    assert cards.count("face_down") == hidden.cards
    assert {card for card in cards if not re.fullmatch("([2-9]|10|[JQKA])[SHCD]", card)} <= {"face_down", "stone"}


def test_games_are_left_out_whole_where_there_is_no_time() -> None:
    heard, backend = Heard(has_time=False), SimBackend()
    observer = GameEvents(heard)
    rollout = Rollout(backend, [observer])
    for _ in range(3):
        rollout.start(seed="A")
        for _ in rollout.play(Scripted(), 1):
            pass
    assert (heard.messages, heard.skipped) == ([], [5, 5, 5])
    heard.has_time = True
    rollout.start(seed="A")
    assert heard.of("game_start")
    assert heard.skipped == [5, 5, 5]
