"""Networks for board games: an observation in, logits of the moves and the value for who moves out."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from jimbo.az.schema import GameMetadata


class Mlp(nn.Module):
    """Three layers and two heads."""

    def __init__(self, game: GameMetadata, width: int) -> None:
        super().__init__()
        half, quarter = max(1, width // 2), max(1, width // 4)
        self.body = nn.Sequential(
            nn.Linear(game.obs_size, width),
            nn.ReLU(),
            nn.Linear(width, width),
            nn.ReLU(),
            nn.Linear(width, half),
            nn.ReLU(),
        )
        self.policy = nn.Linear(half, game.num_actions)
        self.value = nn.Sequential(nn.Linear(half, quarter), nn.ReLU(), nn.Linear(quarter, 1), nn.Tanh())

    def forward(self, observation: Tensor) -> tuple[Tensor, Tensor]:
        """[B, obs_size] -> [B, num_actions], [B, 1]"""
        seen = self.body(observation)
        return self.policy(seen), self.value(seen)


class ResNet(nn.Module):
    """A tower of convolutions over the planes of the board, which come before the legal mask in an observation."""

    _PLANES = 8
    """Of the policy head."""

    def __init__(self, game: GameMetadata, width: int, blocks: int) -> None:
        super().__init__()
        self._board = game.board_height, game.board_width
        squares = game.board_height * game.board_width
        self._planes = game.legal_mask_offset // squares
        self.stem = _convolution(self._planes, width)
        self.tower = nn.Sequential(*(_Block(width) for _ in range(blocks)))
        self.policy = nn.Sequential(
            _convolution(width, self._PLANES, 1),
            nn.ReLU(),
            nn.Flatten(),
            nn.Linear(self._PLANES * squares, game.num_actions),
        )
        self.value = nn.Sequential(
            _convolution(width, self._PLANES, 1),
            nn.ReLU(),
            nn.Flatten(),
            nn.Linear(self._PLANES * squares, 64),
            nn.ReLU(),
            nn.Linear(64, 1),
            nn.Tanh(),
        )

    def forward(self, observation: Tensor) -> tuple[Tensor, Tensor]:
        """[B, obs_size] -> [B, num_actions], [B, 1]"""
        height, width = self._board
        planes = observation[:, : self._planes * height * width].reshape(-1, self._planes, height, width)
        seen = self.tower(torch.relu(self.stem(planes)))
        return self.policy(seen), self.value(seen)


class _Block(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.first, self.second = _convolution(width, width), _convolution(width, width)

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.second(torch.relu(self.first(x))))


def _convolution(before: int, after: int, size: int = 3) -> nn.Sequential:
    """Its norm becomes part of it when the network is exported."""
    return nn.Sequential(nn.Conv2d(before, after, size, padding=size // 2, bias=False), nn.BatchNorm2d(after))
