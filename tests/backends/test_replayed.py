"""A record as a backend."""

import pytest

from jimbo.backends import Backend, ReplayBackend, ReplayDiverged, SimBackend
from jimbo.engine import Action

ACTIONS = (Action("select_blind"), Action("discard", cards=[0, 1]), Action("play", cards=[0]))


def recorded(**more: object) -> ReplayBackend:
    return ReplayBackend(deck="b_red", stake="stake_white", seed="REC", actions=ACTIONS, **more)  # type: ignore[arg-type]


def test_it_goes_as_it_went() -> None:
    backend, sim = recorded(), SimBackend()
    world: Backend = backend
    assert world.reset() == sim.reset(deck="b_red", seed="REC")
    for action in ACTIONS:
        assert backend.next_action == action
        (state, events), (other, happened) = world.apply(action), sim.apply(action)
        assert state == other == world.state()
        assert list(map(str, events)) == list(map(str, happened))
    assert backend.next_action is None
    assert world.full_state() == sim.full_state()
    with pytest.raises(ReplayDiverged, match="ends after 3 actions"):
        world.apply(Action("play", cards=[0]))
    world.close()


def test_nothing_else_can_be_done() -> None:
    backend = recorded()
    before = backend.reset()
    with pytest.raises(ReplayDiverged, match=r"Action 1 of the record is .*select_blind.*, not .*skip_blind"):
        backend.apply(Action("skip_blind"))
    assert backend.state() == before
    with pytest.raises(ReplayDiverged, match="of the seed REC, not OTHER"):
        backend.reset(seed="OTHER")


def test_kept_states_are_compared() -> None:
    sim = SimBackend()
    states = {0: sim.reset(deck="b_red", seed="REC").to_data()}
    for step, action in enumerate(ACTIONS, 1):
        states[step] = sim.apply(action).state.to_data()
    whole = recorded(states=states)
    whole.reset()
    for action in ACTIONS:
        whole.apply(action)
    assert whole.differences == []
    wrong = recorded(states={**states, 2: {**states[2], "dollars": 99}})
    wrong.reset()
    for action in ACTIONS:
        wrong.apply(action)
    assert [(step, one.path, one.here, one.there) for step, one in wrong.differences] == [(2, "$.dollars", 4, 99)]
