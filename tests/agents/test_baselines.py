"""Agents by name, and the two plain ones."""

import pytest

from jimbo.agents import agent_names, make_agent
from jimbo.backends import SimBackend
from jimbo.engine import Action


def played(name: str, nonce: int) -> list[str]:
    backend, agent = SimBackend(), make_agent(name)
    state = backend.reset(seed="BASELINE")
    agent.reset(nonce)
    actions = []
    while not state.over and not state.won:
        action = agent.act(state).action
        actions.append(repr(action))
        state = backend.apply(action).state
    return actions


def test_the_names() -> None:
    assert set(agent_names()) == {"random", "greedy", "expert"}
    for name in agent_names():
        assert make_agent(name).name == name
    with pytest.raises(ValueError, match=r'There is no agent "clever"\. Choose one of random, greedy'):
        make_agent("clever")


def test_the_random_agent_depends_on_its_nonce_alone() -> None:
    assert played("random", 3) == played("random", 3)
    assert played("random", 3) != played("random", 4)


def test_greedy_beats_random_far() -> None:
    assert len(played("greedy", 0)) > 15
    decision = make_agent("greedy").act(SimBackend().reset(seed="BASELINE"))
    assert decision.action.kind == "select_blind"


def test_greedy_plays_the_hand_that_scores_most() -> None:
    backend = SimBackend()
    backend.reset(seed="BASELINE")
    state = backend.apply(Action("select_blind")).state
    decision = make_agent("greedy").act(state)
    plays = [a for a in state.legal_actions() if a.kind == "play"]
    world = state.imagine(0)
    assert decision.considered[0].value == max(world.preview(a.cards, "expected").score for a in plays)
    assert decision.action == decision.considered[0].action
