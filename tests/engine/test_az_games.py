"""Games for self-play as Python sees them."""

import numpy as np
import pytest

from jimbo.engine.az import Position, game_spec, game_specs, symmetries
from jimbo.engine.az.games import Array


def played(env_id: str, actions: str) -> Position:
    position = Position(env_id)
    for action in actions:
        position.step(int(action))
    return position


def test_games_are_described() -> None:
    assert set(game_specs()) == {"tictactoe", "connect4", "balatro"}
    spec = game_spec("connect4")
    assert (spec.board_width, spec.board_height, spec.num_actions, spec.player_count) == (7, 6, 7, 2)
    assert (spec.obs_size, spec.legal_mask_offset) == (93, 84)
    with pytest.raises(ValueError, match=r'no game "chess"\. Choose one of tictactoe, connect4, balatro'):
        game_spec("chess")


def test_a_game_from_its_start_to_its_end() -> None:
    position = played("tictactoe", "0314")
    assert (position.done, position.player, position.outcome) == (False, 0, 0)
    position.step(2)
    assert (position.done, position.player, position.outcome) == (True, 1, 1)
    assert not position.legal().any()
    with pytest.raises(ValueError, match="the game is over"):
        position.step(5)


def test_who_wins_second_is_seen_as_a_loss_by_the_first() -> None:
    position = played("tictactoe", "031485")
    assert (position.outcome, position.outcome_for(1)) == (-1, 1)


@pytest.mark.parametrize("action", [0, -1, 9, 100])
def test_what_is_not_allowed_is_refused_and_changes_nothing(action: int) -> None:
    position = played("tictactoe", "0")
    before = position.state()
    with pytest.raises(ValueError, match=f"action {action} is not allowed"):
        position.step(action)
    assert position.state() == before


@pytest.mark.parametrize("env_id", ["tictactoe", "connect4"])
def test_the_mask_stands_in_the_observation(env_id: str) -> None:
    position, random = Position(env_id), np.random.default_rng(3)
    spec = position.spec
    while not position.done:
        observation = position.observation()
        mask = observation[spec.legal_mask_offset : spec.legal_mask_offset + spec.num_actions]
        assert (mask == position.legal()).all()
        assert Position.from_state(env_id, position.state()).observation().tolist() == observation.tolist()
        position.step(int(random.choice(np.flatnonzero(position.legal()))))


def test_a_copy_goes_its_own_way() -> None:
    position = played("connect4", "33")
    other = position.copy()
    other.step(3)
    assert position.state() != other.state()


@pytest.mark.parametrize("state", [b"", b"1234", b"\xff" * 16, bytes([1] + [0] * 7 + [1] + [0] * 7)])
def test_bytes_that_are_no_position_are_refused(state: bytes) -> None:
    with pytest.raises(ValueError, match="Connect Four"):
        Position.from_state("connect4", state)


@pytest.mark.parametrize(("env_id", "count"), [("tictactoe", 8), ("connect4", 2), ("balatro", 1)])
def test_symmetries_are_ways_to_turn_the_board(env_id: str, count: int) -> None:
    pairs = symmetries(env_id)
    assert len(pairs) == count
    assert len({order.tobytes() for order, _ in pairs}) == count
    for order, policy in pairs:
        assert sorted(order) == list(range(len(order)))
        assert sorted(policy) == list(range(len(policy)))
    assert (pairs[0][0] == np.arange(len(pairs[0][0]))).all()


@pytest.mark.parametrize(("env_id", "moves"), [("tictactoe", "0482"), ("connect4", "011233")])
def test_a_turned_game_is_observed_turned(env_id: str, moves: str) -> None:
    """Playing turned moves leads to what the turned observation shows."""
    plain = played(env_id, moves)
    for order, policy in symmetries(env_id):
        turned = played(env_id, "".join(str(_where(policy, int(action))) for action in moves))
        assert turned.observation().tolist() == plain.observation()[order].tolist()
        assert turned.legal().tolist() == plain.legal()[policy].tolist()


def _where(policy: Array, action: int) -> int:
    return int(np.flatnonzero(policy == action)[0])
