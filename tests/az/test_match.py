"""Matches: seats, results, and what is said of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from az.made_models import made_model
from jimbo.az.evaluator import report, verdict
from jimbo.az.match import Match, ModelPlayer, RandomPlayer, play_match
from jimbo.az.models import OnnxModel, start_file
from jimbo.cli.az import app
from jimbo.engine.az import Position, game_spec


class First:
    """Always the first legal move: who begins wins TicTacToe."""

    name = "First"

    def choose(self, positions: Sequence[Position]) -> list[int]:
        return [int(np.flatnonzero(position.legal())[0]) for position in positions]


def test_half_of_the_games_are_played_from_each_seat() -> None:
    told: list[str] = []
    match = play_match("tictactoe", First(), First(), 10, told=told.append)
    assert match == Match(games=10, won=(5, 0), lost=(5, 0), draws=0, moves=70)
    assert told[0] == "Game 1: First begins, moves 0 1 2 3 4 5 6, First wins"
    assert (match.rate("wins"), match.score, match.mean_length) == (0.5, 0.5, 7.0)


def test_openings_are_the_same_from_both_seats() -> None:
    told: list[str] = []
    play_match("connect4", First(), First(), 6, opening=3, seed=1, told=told.append)
    openings = [line.split("moves ")[1].split()[:3] for line in told]
    assert openings[::2] == openings[1::2]
    assert len({tuple(opening) for opening in openings}) == 3


@pytest.mark.parametrize("simulations", [0, 8])
def test_a_model_plays_legal_moves(tmp_path: Path, simulations: int) -> None:
    model = OnnxModel(made_model(tmp_path / "model.onnx", "connect4"), game_spec("connect4"))
    player = ModelPlayer(model, seed=7, temperature=1.0, simulations=simulations)
    match = play_match("connect4", player, RandomPlayer(7), 4)
    assert match.wins + match.losses + match.draws == 4


def test_search_sees_what_the_network_does_not(tmp_path: Path) -> None:
    """A network that has learnt nothing wins far more often when it searches."""
    model = OnnxModel(made_model(tmp_path / "model.onnx"), game_spec("tictactoe"))
    alone, searching = (ModelPlayer(model, seed=7, simulations=count) for count in (0, 64))
    assert (
        play_match("tictactoe", searching, RandomPlayer(7), 40).wins
        > play_match("tictactoe", alone, RandomPlayer(7), 40).wins + 5
    )


@pytest.mark.parametrize(
    ("wins", "losses", "games", "words"),
    [
        (71, 29, 100, "✓ Model is significantly better than random play!"),
        (70, 30, 100, "✓ Model is slightly better than random play."),
        (40, 10, 100, "✓ Model is slightly better than random play."),
        (50, 50, 100, "~ Model is roughly equivalent to random play."),
        (25, 25, 100, "~ Model is roughly equivalent to random play."),
        (33, 53, 100, "✗ Model is slightly worse than random play."),
        (30, 70, 100, "✗ Model is slightly worse than random play."),
        (29, 71, 100, "✗ Model is worse than random play."),
        (0, 100, 100, "✗ Model is worse than random play."),
        (1, 0, 1, "~ No verdict: 1 game does not tell Model and random play apart."),
        (6, 4, 10, "~ No verdict: 10 games do not tell Model and random play apart."),
    ],
)
def test_the_verdict_has_bands_and_never_says_more_than_the_interval(
    wins: int, losses: int, games: int, words: str
) -> None:
    assert verdict(Match(games, (wins, 0), (losses, 0), games - wins - losses, 700), "Random") == words


def test_draws_with_good_players_count_half() -> None:
    assert verdict(Match(100, (0, 0), (0, 0), 100, 900), "Perfect") == "~ Model is roughly equivalent to Perfect."
    assert verdict(Match(100, (60, 0), (10, 0), 30, 900), "Perfect") == "✓ Model is significantly better than Perfect!"


def test_the_report_is_that_of_the_document() -> None:
    text = report(Match(100, (45, 27), (8, 4), 16, 680), "ONNX(latest.onnx)", "Random")
    assert (
        text
        == """\
==================================================
Evaluation Results: ONNX(latest.onnx) vs Random
==================================================
Games played: 100

ONNX(latest.onnx):
  Wins: 72 (72.0%)
    As X (first): 45
    As O (second): 27
  95 % interval of the win rate: 62.5% to 79.9%

Random:
  Wins: 12 (12.0%)
    As X (first): 8
    As O (second): 4

Draws: 16 (16.0%)
Average game length: 6.8 moves
==================================================

✓ Model is significantly better than random play!
  Wins less losses: +60.0%, 95 % interval +44.5% to +71.7%, sign test p = 5.9e-11"""
    )


def test_the_command_evaluates_a_model(tmp_path: Path) -> None:
    path = made_model(tmp_path / "model_step_000100.onnx")
    given = ["evaluate", "--model", str(path), "--db", str(tmp_path / "none.db"), "--games", "10"]
    result = CliRunner().invoke(app, given)
    assert result.exit_code == 0, result.output
    assert "Evaluation Results: ONNX(model_step_000100.onnx) vs Random" in result.output
    against = CliRunner().invoke(app, [*given, "--opponent", str(path), "--verbose"])
    assert against.output.count("begins, moves") == 10
    data = CliRunner().invoke(app, [*given, "--json"])
    assert '"games_played": 10' in data.output


@pytest.mark.parametrize("content", [None, b"", b"no model"])
def test_a_model_that_cannot_be_used_is_exit_code_1(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "model.onnx"
    if content is not None:
        path.write_bytes(content)
    result = CliRunner().invoke(app, ["evaluate", "--model", str(path), "--db", str(tmp_path / "none.db")])
    assert result.exit_code == 1
    assert str(path) in result.output


@pytest.mark.parametrize(
    ("env_id", "opponent", "says"),
    [
        ("tictactoe", "somebody", "random, perfect or the file of a model"),
        ("tictactoe", "alphabeta", "random, perfect or the file of a model"),
        ("connect4", "somebody", "random, perfect, alphabeta or the file of a model"),
        ("balatro", "perfect", "random, greedy, expert, default, value or the file of a model"),
    ],
)
def test_an_opponent_that_is_not_there_is_told_with_those_that_are(
    tmp_path: Path, env_id: str, opponent: str, says: str
) -> None:
    model = start_file() if env_id == "balatro" else made_model(tmp_path / "model.onnx", env_id=env_id)
    given = ["evaluate", "--env-id", env_id, "--model", str(model), "--db", str(tmp_path / "none.db"), "--games", "2"]
    result = CliRunner().invoke(app, [*given, "--opponent", opponent])
    assert result.exit_code == 2
    assert f'no opponent "{opponent}"' in result.output
    assert says in " ".join(result.output.split())
