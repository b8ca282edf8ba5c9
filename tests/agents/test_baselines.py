"""Agents by name, and the two plain ones."""

import pytest

from jimbo.agents import agent_names, make_agent
from jimbo.backends import SimBackend


def played(name: str, nonce: int) -> list[str]:
    backend, agent = SimBackend(), make_agent(name)
    view = backend.reset(seed="BASELINE")
    agent.reset(nonce)
    actions = []
    while not view.over and not view.won:
        action = agent.act(view).action
        actions.append(repr(action))
        view = backend.apply(action)
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
    view = SimBackend().reset(seed="BASELINE")
    decision = make_agent("greedy").act(view)
    assert decision.action.kind == "select_blind"


def test_greedy_plays_the_hand_that_scores_most() -> None:
    backend = SimBackend()
    backend.reset(seed="BASELINE")
    view = backend.apply(backend.legal_actions()[0])
    decision = make_agent("greedy").act(view)
    plays = [a for a in view.legal_actions() if a.kind == "play"]
    assert decision.considered[0].value == max(view.seen.preview(a.cards, "expected").score for a in plays)
    assert decision.action == decision.considered[0].action
