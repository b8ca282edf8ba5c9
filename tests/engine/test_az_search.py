"""Searches and self-play from Python: the protocol, what comes back, and that a seed decides it all."""

from typing import Any

import numpy as np
import pytest

from jimbo.engine.az import Finished, Position, SearchSettings, SelfPlay, TreeSearch
from jimbo.engine.az.games import Array, game_spec

QUICK = SearchSettings(simulations=16)


def opinions(rows: Array, actions: int) -> tuple[Array, Array]:
    """Any function of the observations."""
    weights = np.sin(np.arange(rows.shape[1] * (actions + 1), dtype=np.float32)).reshape(rows.shape[1], -1)
    out = rows @ weights
    return out[:, :actions], np.tanh(out[:, actions] / 4)


def play(env_id: str, episodes: int = 6, **options: Any) -> Finished:
    games = SelfPlay(env_id, **{"games": 4, "settings": QUICK, "seed": 1, **options})
    while games.episodes < episodes:
        games.evaluated(*opinions(games.leaves(), games.spec.num_actions))
    return games.finished()


def same(one: Finished, other: Finished) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in Finished.__slots__)


@pytest.mark.parametrize("env_id", ["tictactoe", "connect4"])
@pytest.mark.parametrize("kind", ["puct", "gumbel"])
def test_finished_games_can_be_played_again(env_id: str, kind: str) -> None:
    found = play(env_id, settings=SearchSettings(simulations=16, search=kind))
    assert len(set(found.episode)) >= 6
    for episode in set(found.episode):
        rows = np.flatnonzero(found.episode == episode)
        position = Position(env_id)
        assert found.step[rows].tolist() == list(range(len(rows)))
        for row in rows:
            assert position.state() == found.state[row].tobytes()
            assert position.observation().tolist() == found.observation[row].tolist()
            assert (found.policy[row][~position.legal()] == 0).all()
            assert found.policy[row].sum() == pytest.approx(1, abs=1e-5)
            mover = position.player
            position.step(int(found.action[row]))
            assert position.state() == found.next_state[row].tobytes()
            assert found.done[row] == position.done
            if position.done:
                ends = [position.outcome_for(player) for player in (0, 1)]
                assert found.reward[row] == ends[mover]
        assert position.done
        assert found.outcome[rows].tolist() == [ends[step % 2] for step in range(len(rows))]
        assert (found.reward[rows[:-1]] == 0).all()


@pytest.mark.parametrize("env_id", ["tictactoe", "connect4"])
def test_games_begin_with_random_moves_of_which_nothing_is_told(env_id: str) -> None:
    """Whole games follow, from positions with none to so many stones, none of which is decided already."""
    found = play(env_id, episodes=60, settings=SearchSettings(simulations=4, random_opening=6))
    first = found.step == 0
    board = game_spec(env_id).legal_mask_offset
    stones = {int(row[:board].sum()) for row in found.observation[first]}
    assert {0, 1, 5, 6} <= stones <= set(range(7))
    assert len({row.tobytes() for row in found.state[first]}) > 12
    assert first.sum() == found.done.sum() == len(set(found.episode))
    plain = play(env_id, episodes=20, settings=SearchSettings(simulations=4))
    assert len({row.tobytes() for row in plain.state[plain.step == 0]}) == 1


def test_a_search_whose_values_do_not_count_leaves_the_policy_as_it_is() -> None:
    settings = SearchSettings(simulations=1, search="gumbel", gumbel_value_scale=0.0)
    found = play("connect4", settings=settings)
    logits = np.where(found.policy > 0, opinions(found.observation, 7)[0], -np.inf)
    wanted = np.exp(logits - logits.max(axis=1, keepdims=True))
    assert found.policy == pytest.approx(wanted / wanted.sum(axis=1, keepdims=True), abs=1e-5)
    assert len(set(found.action.tolist())) > 3


def test_only_the_seed_decides() -> None:
    first = play("connect4")
    assert same(first, play("connect4"))
    assert same(first, play("connect4", threads=3))
    assert not same(first, play("connect4", seed=2))


def test_finished_games_are_told_once() -> None:
    games = SelfPlay("tictactoe", 2, QUICK, seed=1)
    games.uniform(2000)
    assert games.episodes == len(set(games.finished().episode)) > 0
    assert len(games.finished()) == 0


def test_leaves_wait_until_they_are_evaluated() -> None:
    games = SelfPlay("connect4", 3, SearchSettings(simulations=16, leaf_batch=1), seed=1)
    waiting = games.leaves().copy()
    assert len(waiting) == 3
    assert games.leaves().tolist() == waiting.tolist()
    with pytest.raises(ValueError, match="still wait"):
        games.uniform(1)
    with pytest.raises(ValueError, match="logits"):
        games.evaluated(np.zeros((2, 7), np.float32), np.zeros(2, np.float32))
    with pytest.raises(ValueError, match="no numbers"):
        games.evaluated(np.full((3, 7), np.nan), np.zeros(3))
    with pytest.raises(ValueError, match="no numbers"):
        games.evaluated(np.zeros((3, 7)), np.full(3, np.inf))
    games.evaluated(np.full((3, 7), -np.inf), np.zeros((3, 1)))  # no opinion at all
    assert len(games.leaves()) == 3


def test_few_games_wait_in_larger_numbers() -> None:
    settings = SearchSettings(simulations=64, leaf_batch=16)
    games = SelfPlay("connect4", 2, settings, seed=1)
    counts = []
    for _ in range(12):
        counts.append(len(waiting := games.leaves()))
        games.evaluated(*opinions(waiting, 7))
    assert counts[0] == 2  # the roots
    assert max(counts) == 16


def test_a_search_finds_the_win_and_tells_its_value() -> None:
    winning, losing = Position("connect4"), Position("connect4")
    for column in (0, 0, 1, 1, 2, 2):
        winning.step(column)
    for column in (3, 3, 4, 4, 5):
        losing.step(column)
    search = TreeSearch([winning, losing], SearchSettings(simulations=400).quiet(), seed=1)
    with pytest.raises(ValueError, match="not done"):
        search.results()
    search.uniform(800)
    assert len(search.leaves()) == 0
    found = search.results()
    assert found.action[0] == 3
    assert found.policy[0].argmax() == 3
    assert found.value[0] > 0.8
    assert found.value[1] < -0.8
    assert search.simulations == 800


def test_quiet_searches_have_no_chance_in_them() -> None:
    def searched(seed: int, settings: SearchSettings) -> list[float]:
        search = TreeSearch([Position("connect4")], settings, seed)
        search.uniform(settings.simulations)
        return [float(share) for share in search.results().policy[0]]

    for kind in ("puct", "gumbel"):
        noisy = SearchSettings(simulations=60, search=kind, playouts=False)
        assert searched(1, noisy.quiet()) == searched(2, noisy.quiet())
    assert searched(1, SearchSettings(simulations=60)) != searched(2, SearchSettings(simulations=60))


def test_reuse_keeps_what_is_known() -> None:
    """With the tree kept, fewer positions have to be evaluated for the same number of simulations."""

    def evaluations(reuse: bool) -> float:
        games = SelfPlay("connect4", 8, SearchSettings(simulations=50, tree_reuse=reuse), seed=1)
        asked = 0
        while games.moves < 200:
            waiting = games.leaves()
            asked += len(waiting)
            games.evaluated(*opinions(waiting, 7))
        return asked / games.moves

    assert evaluations(True) < evaluations(False)


@pytest.mark.parametrize(
    "options", [{"simulations": 0}, {"search": "minimax"}, {"worlds": 9}, {"dirichlet_weight": 2.0}, {"leaf_batch": 0}]
)
def test_settings_are_checked(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        SearchSettings(**options)


def test_a_search_needs_positions_of_one_game_that_go_on() -> None:
    over = Position("tictactoe")
    for cell in (0, 3, 1, 4, 2):
        over.step(cell)
    for positions, why in (
        ([], "no position"),
        ([Position("tictactoe"), Position("connect4")], "same game"),
        ([over], "over"),
    ):
        with pytest.raises(ValueError, match=why):
            TreeSearch(positions, QUICK, seed=1)
    with pytest.raises(ValueError, match="at least one game"):
        SelfPlay("tictactoe", 0, QUICK, seed=1)
