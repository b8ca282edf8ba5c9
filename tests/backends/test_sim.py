"""The simulator behind the protocol of backends."""

import pytest

from jimbo.backends import Backend, RevealedState, SimBackend
from jimbo.engine import Action, IllegalAction, Run


def started(*, reveal: bool = False) -> SimBackend:
    backend = SimBackend(reveal=reveal)
    backend.reset(seed="BACKEND1")
    return backend


def test_it_is_a_backend() -> None:
    backend: Backend = started()
    state, events = backend.apply(Action("select_blind"))
    assert state.phase == "selecting_hand"
    assert len(state.hand) == 8
    assert next(event.kind for event in events) == "blind_selected"
    assert backend.state() == state
    backend.close()


def test_a_refused_action_changes_nothing() -> None:
    backend = started()
    before = backend.save()
    with pytest.raises(IllegalAction, match="not possible in this phase"):
        backend.apply(Action("reroll"))
    assert backend.save() == before


def test_without_a_run_there_is_nothing_to_see() -> None:
    with pytest.raises(RuntimeError, match=r"call reset\(\) first"):
        SimBackend().state()


def test_without_a_seed_runs_differ() -> None:
    backend = SimBackend()
    seeds = set()
    for _ in range(3):
        backend.reset()
        seeds.add(backend.seed)
    assert len(seeds) == 3


def test_a_saved_run_goes_on() -> None:
    backend, other = started(), SimBackend()
    backend.apply(Action("select_blind"))
    assert other.load(backend.save()) == backend.state()
    assert other.apply(Action("play", cards=[0])).state == backend.apply(Action("play", cards=[0])).state
    with pytest.raises(ValueError, match="not a saved run"):
        other.load(b"anything")


def test_everything_is_known_to_records_alone() -> None:
    full = started().full_state()
    assert full["rng"]["seed"] == "BACKEND1"
    assert full["schema_version"] == "state_v1"


@pytest.mark.parametrize("reveal", [True, False])
def test_a_backend_hides_unless_it_is_to_reveal(reveal: bool) -> None:
    backend = SimBackend(reveal=reveal)
    shown = [backend.reset(seed="BACKEND1"), backend.state(), backend.apply(Action("select_blind")).state]
    assert [state.imagine(0).seed == "BACKEND1" for state in shown] == [reveal] * 3
    assert (shown[-1].imagine(0).save() == backend.save()) == reveal


def test_a_revealed_state_imagines_the_run_itself() -> None:
    run = Run(seed="BACKEND1")
    state = started(reveal=True).state()
    assert isinstance(state, RevealedState)
    assert state == run.public_state()
    assert state.imagine(1).save() == state.imagine(2).save() == run.save()
    ahead = state.imagine(1)
    ahead.step(Action("select_blind"))
    assert state.imagine(1).save() == run.save()
