"""The one episode loop."""

import itertools
from collections.abc import Callable

import pytest

from jimbo.agents import Decision, make_agent
from jimbo.backends import SimBackend
from jimbo.data import BadRecord
from jimbo.engine import Action, IllegalAction, PublicState
from jimbo.rollout import AgentFailed, Moment, Observer, Rollout
from rollout.scripted import Scripted, onward


class Ear(Observer):
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.states: list[PublicState] = []
        self.moments: list[Moment] = []

    def started(self, state: PublicState) -> None:
        self.states.append(state)

    def happened(self, moment: Moment) -> None:
        self.moments.append(moment)


def started(*observers: Observer, seed: str = "LOOP1") -> Rollout:
    rollout = Rollout(SimBackend(), observers)
    rollout.start(seed=seed)
    return rollout


def test_observers_hear_everything_in_order() -> None:
    first, second = Ear(), Ear()
    rollout = started(first, second)
    moments = list(rollout.play(Scripted(onward), 5))
    assert first.moments == second.moments == moments
    assert len(first.states) == 1
    assert [moment.step for moment in moments] == list(range(1, len(moments) + 1))
    for before, after in itertools.pairwise(moments):
        assert before.after is after.before
    assert moments[0].before is first.states[0]
    assert moments[-1].after is rollout.state
    assert moments[-1].after.over
    assert next(event.kind for event in moments[0].events) == "blind_selected"


def test_the_nonce_reaches_the_agent() -> None:
    agent = Scripted(onward)
    next(started().play(agent, 77))
    assert agent.nonce == 77


def test_a_refused_decision_changes_nothing_and_nobody_hears_of_it() -> None:
    ear = Ear()
    rollout = started(ear)
    before = rollout.state
    with pytest.raises(IllegalAction, match="not possible in this phase"):
        rollout.take(Decision(Action("reroll")))
    assert (rollout.steps, rollout.state, ear.moments) == (0, before, [])


@pytest.mark.parametrize(
    ("choose", "reason", "what"),
    [
        (lambda state: Action("reroll"), "illegal_action", "not possible in this phase"),
        (lambda state: 1 / 0, "agent_error", "ZeroDivisionError: division by zero"),
    ],
)
def test_an_agent_that_fails(choose: Callable[[PublicState], Action], reason: str, what: str) -> None:
    with pytest.raises(AgentFailed, match="failed in decision 1") as failed:
        list(started().play(Scripted(choose), 0))
    assert failed.value.reason == reason
    assert what in failed.value.what


def test_what_an_observer_raises_is_no_fault_of_the_agent() -> None:
    class Full(Observer):
        def happened(self, moment: Moment) -> None:
            raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        list(started(Full()).play(Scripted(onward), 0))


def test_limits_end_it() -> None:
    assert len(list(started().play(Scripted(onward), 0, max_steps=3))) == 3
    rollout = Rollout(SimBackend())
    rollout.start(seed="TESTSEED")
    antes = [moment.after.ante for moment in rollout.play(make_agent("fast"), 0, until_ante=2)]
    assert antes[-1] == 2
    assert {*antes[:-1]} == {1}
    assert not rollout.state.over
    assert list(rollout.play(make_agent("fast"), 0, until_ante=2)) == []


def test_a_replay_is_the_same_run() -> None:
    rollout = started()
    decisions = [moment.decision for moment in rollout.play(make_agent("random"), 9, max_steps=40)]
    again = started()
    assert len(list(again.replay(decisions))) == len(decisions)
    assert again.ending() == rollout.ending()
    assert again.ending() != started(seed="LOOP2").ending()


def test_a_replay_names_the_decision_that_is_not_allowed() -> None:
    decisions = [Decision(Action("select_blind")), Decision(Action("reroll"))]
    with pytest.raises(BadRecord, match="Decision 2 of the record is not allowed: not possible in this phase"):
        list(started().replay(decisions))


def test_nothing_is_played_before_the_start() -> None:
    with pytest.raises(RuntimeError, match=r"call start\(\) first"):
        Rollout(SimBackend()).take(Decision(Action("select_blind")))
