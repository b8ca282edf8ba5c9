"""Agents by name, and the two plain ones."""

import math
from collections import Counter

import pytest

from jimbo.agents import agent_names, make_agent
from jimbo.backends import SimBackend
from jimbo.engine import Action, PublicState, Run
from rules.situation import Scene


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


def test_the_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "no-real-one")
    assert set(agent_names()) == {"random", "greedy", "expert", "fast", "risk_aware", "network", "claude", "llm"}
    for name in agent_names():
        assert make_agent(name).name == name
    with pytest.raises(ValueError, match=r'There is no agent "clever"\. Choose one of random, greedy'):
        make_agent("clever")


def test_the_random_agent_depends_on_its_nonce_alone() -> None:
    assert played("random", 3) == played("random", 3)
    assert played("random", 3) != played("random", 4)


def in_a_shop() -> PublicState:
    run = Run(seed="BASELINE")
    run.debug_add_joker("j_joker")
    run.debug_add_consumable("c_fool")
    run.step(Action("select_blind"))
    run.chips = run.target
    run.step(Action("play", cards=[0]))
    run.step(Action("cash_out"))
    run.dollars = 50
    return run.public_state()


def test_the_random_agent_takes_anything_alike_but_sales() -> None:
    shop = in_a_shop()
    allowed = [repr(action) for action in shop.legal_actions()]
    sales = [action for action in allowed if "sell" in action]
    assert len(sales) == 2
    agent, times = make_agent("random"), 4000
    chosen = Counter(repr(agent.act(shop).action) for _ in range(times))
    assert chosen.keys() == set(allowed) - set(sales)
    share = times / len(chosen)
    assert all(abs(count - share) < 5 * math.sqrt(share) for count in chosen.values())


def blinds_beaten(name: str) -> int:
    """In ten runs."""
    beaten = 0
    for seed in range(10):
        backend, agent = SimBackend(), make_agent(name)
        state = backend.reset(seed=f"BASE{seed}")
        agent.reset(seed)
        while not state.over and not state.won:
            action = agent.act(state).action
            beaten += action.kind == "cash_out"
            state = backend.apply(action).state
    return beaten


def test_greedy_beats_random_far() -> None:
    random, greedy = blinds_beaten("random"), blinds_beaten("greedy")
    assert greedy >= 10
    assert greedy >= 4 * random


def test_greedy_plays_the_hand_that_scores_most() -> None:
    backend = SimBackend()
    backend.reset(seed="BASELINE")
    state = backend.apply(Action("select_blind")).state
    decision = make_agent("greedy").act(state)
    plays = [a for a in state.legal_actions() if a.kind == "play"]
    world = state.imagine(0)
    assert decision.considered[0].value == max(world.preview(a.cards, "expected").score for a in plays)
    assert decision.action == decision.considered[0].action


def greedy_in(scene: Scene) -> Action:
    return make_agent("greedy").act(scene.build().public_state()).action


def test_greedy_reckons_with_average_luck() -> None:
    """Three sevens score 153, the Lucky ace 80 on average and 336 with all luck."""
    assert greedy_in(Scene(hand="AS/lucky 7S 7H 7D")) == Action("play", cards=[1, 2, 3])


def test_greedy_buys_jokers_and_nothing_else() -> None:
    assert greedy_in(Scene(phase="shop", shop=["c_mercury", "j_joker"], money=20)) == Action("buy", index=1)
    for shop, money in ((["c_mercury"], 20), (["j_joker"], 1)):
        assert greedy_in(Scene(phase="shop", shop=shop, money=money)) == Action("leave_shop")
