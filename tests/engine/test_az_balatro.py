"""Balatro as a game of the search: fair, repeatable, and readable for networks."""

import numpy as np
import pytest

from jimbo.engine import Run, candidates, observe
from jimbo.engine.az import Position, SearchSettings, SelfPlay, TreeSearch
from jimbo.engine.az.balatro import actions_of, network_arrays, position_of_run, run_of, value_of
from jimbo.models.value_file import load_value

QUICK = SearchSettings(simulations=12)


def positions(seed: int, most: int = 40) -> list[Position]:
    """Decisions as they come up in a game of random choices."""
    random, position, found = np.random.default_rng(seed), Position("balatro", seed), []
    while not position.done and len(found) < most:
        found.append(position.copy())
        position.step(int(random.integers(len(actions_of(position)))))
    return found


def test_a_search_decides_the_same_whatever_is_hidden() -> None:
    """Draw order, face-down identities and every random stream replaced: the same search, to the last figure."""
    phases = set()
    for position in positions(1) + positions(2):
        run = run_of(position)
        phases.add(run.phase)
        policies = []
        for world in (run, run.determinize(11), run.determinize(12)):
            search = TreeSearch([position_of_run(world)], QUICK, seed=3)
            while len(waiting := search.leaves()):
                search.evaluated(waiting[:, :24], np.tanh(waiting[:, 30:1500].sum(axis=1) / 500))
            policies.append(search.results().policy[0].tolist())
        assert policies[0] == policies[1] == policies[2]
    assert {"blind_select", "shop", "pack_opening"} <= phases


def test_a_search_is_evaluated_by_the_value_that_the_expert_plays_by() -> None:
    net, _ = load_value()
    found = positions(1)
    results = []
    for _ in range(2):
        search = TreeSearch(found[:8], QUICK, seed=3)
        while len(search.leaves()):
            search.evaluate_by(net)
        results.append(search.results())
    assert results[0].policy.tolist() == results[1].policy.tolist()
    assert np.all(np.abs(results[0].value) < 1)
    assert results[0].policy.max() > 0.5
    with pytest.raises(ValueError, match="Tic-Tac-Toe has no learnt value"):
        SelfPlay("tictactoe", 1, QUICK, seed=1).evaluate_by(net)


def test_a_search_of_the_future_itself_would_be_noticed() -> None:
    """The check above can fail: what a decision really leads to depends on what is hidden."""
    differ = 0
    for position in positions(1):
        run = run_of(position)
        one, other = position_of_run(run), position_of_run(run.determinize(11))
        one.step(0)
        other.step(0)
        differ += one.observation().tolist() != other.observation().tolist()
    assert differ > 0


def test_rows_are_what_networks_are_given() -> None:
    found = positions(3)
    arrays = network_arrays(np.stack([position.observation() for position in found]))
    for i, position in enumerate(found):
        run = run_of(position)
        listed = candidates(run, 24)
        count = len(listed.actions)
        assert listed.actions == actions_of(position)
        assert arrays.mask[i].tolist() == [True] * count + [False] * (24 - count)
        assert arrays.observations[i : i + 1] == observe(run)
        np.testing.assert_array_equal(arrays.candidate_ids[i, :count], listed.ids)
        np.testing.assert_array_equal(arrays.candidate_rows[i, :count], listed.rows)
        assert (position.legal() == arrays.mask[i]).all()


def test_decisions_are_those_that_matter() -> None:
    for position in positions(4):
        phase = run_of(position).phase
        kinds = {action.kind for action in actions_of(position)}
        assert len(actions_of(position)) > 1
        assert phase in ("blind_select", "shop", "pack_opening", "selecting_hand")
        assert phase != "selecting_hand" or "use" in kinds


def test_a_position_is_its_seed_and_its_decisions() -> None:
    for position in positions(5, 12):
        again = Position.from_state("balatro", position.state())
        assert again.observation().tolist() == position.observation().tolist()
    with pytest.raises(ValueError, match="no position of Balatro"):
        Position.from_state("balatro", bytes(len(position.state())))
    with pytest.raises(ValueError, match="played from its start"):
        position_of_run(Run(seed="ELSEWHERE"[:8])).state()


def test_games_end_on_the_scale_of_outcomes() -> None:
    games = SelfPlay("balatro", 4, QUICK, seed=1)
    games.uniform(2000)
    found = games.finished()
    assert len(found) > 0
    for row in np.flatnonzero(found.done):
        end = Position.from_state("balatro", found.next_state[row].tobytes())
        assert end.done
        run = run_of(end)
        passed = 3 * (run.ante - 1) + ["small", "big", "boss"].index(run.on_deck)
        assert found.outcome[row] == pytest.approx(1 if run.won else passed / 24 - 1)
        assert (found.outcome[found.episode == found.episode[row]] == found.outcome[row]).all()


def test_values_of_networks_are_on_the_same_scale() -> None:
    win, ante = np.array([0.0, 0.0, 1.0, 0.5], np.float32), np.array([1.0, 8.0, 8.0, 8.0], np.float32)
    values = value_of(win, ante)
    assert values.tolist() == pytest.approx([1 / 24 - 1, 22 / 24 - 1, 1, 0.5 + 22 / 24 - 1])
