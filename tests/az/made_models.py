"""Models that have learnt nothing, as files."""

from pathlib import Path

import torch

from jimbo.az.board_learner import create_network, export
from jimbo.az.games import known_game


def made_model(path: Path, env_id: str = "tictactoe", seed: int = 7) -> Path:
    torch.manual_seed(seed)
    path.parent.mkdir(parents=True, exist_ok=True)
    game = known_game(env_id)
    export(create_network(game), game.obs_size, path)
    return path
