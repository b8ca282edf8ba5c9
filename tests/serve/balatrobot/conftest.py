"""A game at its first blind, and one in its first shop."""

from pathlib import Path

import pytest

from serve.balatrobot.game import Game


@pytest.fixture
def game(tmp_path: Path) -> Game:
    return Game(tmp_path, seed="TEST123")


@pytest.fixture
def shop(tmp_path: Path) -> Game:
    game = Game(tmp_path, seed="TEST123")
    game.to_shop()
    game.call("set", money=1000)
    return game
