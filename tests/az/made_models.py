"""Models that have learnt nothing, as files."""

from pathlib import Path

import torch

from jimbo.az.learner import create_network, export_board_network
from jimbo.engine.az import game_spec


def made_model(path: Path, env_id: str = "tictactoe", seed: int = 7) -> Path:
    torch.manual_seed(seed)
    path.parent.mkdir(parents=True, exist_ok=True)
    game = game_spec(env_id)
    export_board_network(create_network(game), game.obs_size, path)
    return path
