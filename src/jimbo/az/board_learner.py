"""Board games: their networks, what learns them, and their ONNX files."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from jimbo.az.games import Shape, shape_of, symmetries_of
from jimbo.az.learner import Array, PolicyValueLosses, SelfPlayLearner, legal_masks, losses
from jimbo.az.schema import GameMetadata, MoveBatch
from jimbo.az.settings import TrainConfig
from jimbo.files import replacing

OPSET = 18


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


def export(network: nn.Module, obs_size: int, path: Path) -> None:
    """Input ``observation`` [batch, obs_size]; outputs ``policy_logits`` [batch, num_actions], ``value`` [batch, 1]."""
    device = next(network.parameters()).device
    was_training = network.training
    names = ["observation", "policy_logits", "value"]
    with replacing(path) as beside, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the exporter's age; the newer one takes fifty times as long
        torch.onnx.export(
            network.eval(),
            (torch.zeros(2, obs_size, device=device),),
            str(beside),
            input_names=names[:1],
            output_names=names[1:],
            dynamic_axes={name: {0: "batch"} for name in names},
            opset_version=OPSET,
            dynamo=False,
        )
    network.train(was_training)


def create_network(game: GameMetadata, shape: Shape | None = None) -> nn.Module:
    """Of the kind that suits the game, unless another is given."""
    shape = shape or shape_of(game.env_id)
    return ResNet(game, shape.width, shape.blocks) if shape.kind == "resnet" else Mlp(game, shape.width)


def chosen_shape(config: TrainConfig) -> Shape:
    own = shape_of(config.env_id)
    kind = own.kind if config.network == "auto" else config.network
    return Shape(kind, config.width or own.width, config.blocks or own.blocks or 2)


class BoardLearner(SelfPlayLearner):
    def __init__(self, game: GameMetadata, config: TrainConfig, device: torch.device) -> None:
        torch.manual_seed(config.seed)
        shape = chosen_shape(config)
        super().__init__(game, config, device, create_network(game, shape), str(shape))
        self._symmetries = symmetries_of(game.env_id) if config.symmetries else None

    def _losses(self, batch: MoveBatch, random: np.random.Generator) -> PolicyValueLosses:
        observations, policies = batch.observations, batch.policies
        if self._symmetries is not None:
            observations, policies = self._symmetries.shuffled(observations, policies, random)
        mix = self._config.value_mix
        arrays = (observations, policies, (1 - mix) * batch.outcomes + mix * batch.values)
        seen, wanted, targets = (torch.from_numpy(array).to(self._device, non_blocking=True) for array in arrays)
        logits, value = self.network(seen)
        masks = legal_masks(seen, self._game.legal_mask_offset, self._game.num_actions)
        weights = self._config.policy_weight, self._config.value_weight
        return losses(logits, value, masks, wanted, targets, *weights)

    def evaluate(self, observations: Array) -> tuple[Array, Array]:
        with torch.inference_mode():
            logits, value = self.published(torch.from_numpy(np.array(observations, np.float32)).to(self._device))
        return logits.float().cpu().numpy(), value.float().squeeze(1).cpu().numpy()

    def export(self, path: Path) -> None:
        export(self.published, self._game.obs_size, path)
