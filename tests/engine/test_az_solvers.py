"""Perfect players, checked by other means."""

from functools import cache

import numpy as np
import pytest

from connect4_openings import chosen_openings
from jimbo.engine.az import Position, alpha_beta_move, exact_scores, exact_values, opening_positions
from jimbo.engine.az.solvers import after, connect4_solver, mirrored, solved

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@cache
def plain_value(board: str, mover: str) -> int:
    """Tic-Tac-Toe in a few lines of another language."""
    other = "O" if mover == "X" else "X"
    if any(board[a] == board[b] == board[c] == other for a, b, c in LINES):
        return -1
    free = [cell for cell, sign in enumerate(board) if sign == "."]
    return max((-plain_value(board[:cell] + mover + board[cell + 1 :], other) for cell in free), default=0)


def test_tictactoe_is_played_perfectly_everywhere() -> None:
    """All positions that can come up: values of each cell agree with a solver written here."""
    seen = 0
    todo = [("." * 9, Position("tictactoe"))]
    met = {todo[0][0]}
    while todo:
        board, position = todo.pop()
        seen += 1
        if position.done:
            continue
        mover, other = ("X", "O") if position.player == 0 else ("O", "X")
        values = exact_values(position)
        for cell in range(9):
            if board[cell] != ".":
                assert np.isnan(values[cell])
                continue
            after_it = board[:cell] + mover + board[cell + 1 :]
            assert values[cell] == -plain_value(after_it, other)
            if after_it not in met:
                met.add(after_it)
                child = position.copy()
                child.step(cell)
                todo.append((after_it, child))
    assert seen == 5478


def test_connect4_agrees_with_looking_at_everything() -> None:
    def brute(position: Position) -> float:
        if position.done:
            return position.outcome_for(position.player)
        values = []
        for column in np.flatnonzero(position.legal()):
            child = position.copy()
            child.step(int(column))
            values.append(-brute(child))
        return max(values)

    random, checked = np.random.default_rng(5), 0
    while checked < 25:
        position = Position("connect4")
        for _ in range(34):
            if not position.done:
                position.step(int(random.choice(np.flatnonzero(position.legal()))))
        if position.done:
            continue
        assert np.nanmax(exact_values(position)) == brute(position)
        checked += 1


def test_scores_agree_with_values() -> None:
    random, checked = np.random.default_rng(6), 0
    while checked < 25:
        position = Position("connect4")
        for _ in range(22):
            if not position.done:
                position.step(int(random.choice(np.flatnonzero(position.legal()))))
        if position.done:
            continue
        np.testing.assert_array_equal(np.sign(exact_scores(position)), exact_values(position))
        checked += 1


def test_openings_are_known() -> None:
    pairs = opening_positions()
    assert len(pairs) == len(solved()) >= 440
    assert set(solved()) <= set(chosen_openings())
    for position, values in pairs:
        assert exact_values(position).tolist() == pytest.approx(values.tolist(), nan_ok=True)
    stones = [int(position.observation()[:84].sum()) for position, _ in pairs]
    assert stones == sorted(stones)
    assert stones[-1] == 10


def test_openings_are_what_the_solver_says() -> None:
    """The quickest of them, solved again; and one that is known, mirrored."""
    for moves in ("41427163", "4251535", "26157323", "14112616", "54446163", "63674552"):
        again = connect4_solver().values(after(moves).core)
        assert [None if np.isnan(v) else int(v) for v in solved()[moves]] == again
    mirror = after(mirrored("23422611"))
    assert exact_values(mirror).tolist() == pytest.approx(solved()["23422611"][::-1].tolist(), nan_ok=True)


def test_the_alpha_beta_player_takes_and_stops_wins() -> None:
    for moves, column in (("112233", 3), ("11223", 3), ("2233", 3)):
        assert {alpha_beta_move(after(moves), 4, seed) for seed in range(5)} == {column}
    with pytest.raises(ValueError, match="at least one move ahead"):
        alpha_beta_move(Position("connect4"), 0, 1)
    with pytest.raises(ValueError, match="no solver for Tic-Tac-Toe"):
        alpha_beta_move(Position("tictactoe"), 4, 1)


def test_what_is_over_has_no_values() -> None:
    with pytest.raises(ValueError, match="over"):
        exact_values(after("1122334"))
    with pytest.raises(ValueError, match="no solver for Balatro"):
        exact_values(Position("balatro"))


def test_who_begins_in_the_middle_wins() -> None:
    """What has been known of the game since 1988: the first player wins in the middle and nowhere else."""
    assert exact_values(Position("connect4")).tolist() == [-1, -1, 0, 1, 0, -1, -1]
