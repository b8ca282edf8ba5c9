"""The simulator behind the protocol of backends."""

import pytest

from jimbo.backends import Backend, PublicView, SimBackend
from jimbo.engine import Action, IllegalAction, Run


def started() -> SimBackend:
    backend = SimBackend()
    backend.reset(seed="BACKEND1")
    return backend


def test_it_is_a_backend() -> None:
    backend: Backend = started()
    view = backend.apply(Action("select_blind"))
    assert view.phase == "selecting_hand"
    assert len(view.state.hand) == 8
    assert backend.legal_actions() == view.legal_actions()
    backend.close()


def test_a_refused_action_changes_nothing() -> None:
    backend = started()
    before = backend.run.save()
    with pytest.raises(IllegalAction, match="not possible in this phase"):
        backend.apply(Action("reroll"))
    assert backend.run.save() == before


def test_without_a_run_there_is_nothing_to_see() -> None:
    with pytest.raises(RuntimeError, match=r"call reset\(\) first"):
        SimBackend().view()


def test_without_a_seed_runs_differ() -> None:
    backend = SimBackend()
    seeds = set()
    for _ in range(3):
        backend.reset()
        seeds.add(backend.run.seed)
    assert len(seeds) == 3


def test_a_view_hides_the_seed_and_the_order_of_the_deck() -> None:
    backend = started()
    view = backend.apply(Action("select_blind"))
    true = backend.run
    assert view.state.seed != true.seed
    piles = [[card.uid for card in PublicView(true, reveal=reveal).state.draw_pile] for reveal in (True, False)]
    assert piles[0] != piles[1]
    assert sorted(piles[0]) == sorted(piles[1])


@pytest.mark.parametrize("reveal", [True, False])
def test_a_backend_hides_unless_it_is_to_reveal(reveal: bool) -> None:
    backend = SimBackend(reveal=reveal)
    shown = [backend.reset(seed="BACKEND1"), backend.view(), backend.apply(Action("select_blind"))]
    assert [view.state.seed == "BACKEND1" for view in shown] == [reveal] * 3
    assert (shown[-1].seen == backend.run) == reveal


def test_runs_that_look_the_same_give_the_same_view() -> None:
    run = Run(seed="LOOKSAME")
    run.step(Action("select_blind"))
    views = {PublicView(run.determinize(nonce)).seen.save() for nonce in range(5)} | {PublicView(run).seen.save()}
    assert len(views) == 1


def test_a_step_ahead_leaves_the_view_alone() -> None:
    view = started().view()
    before = view.seen.save()
    ahead = view.after(Action("select_blind"))
    assert ahead is not None
    assert ahead.phase == "selecting_hand"
    assert view.after(Action("reroll")) is None
    assert view.seen.save() == before
