"""The learner: a network, its losses and optimizer, and the moving average of its weights, which is what plays.

Networks of board games and their ONNX files are here; Balatro's learner is in balatro_learner.py.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel

from jimbo.az.models import RESUME, RowModel
from jimbo.az.schema import MoveBatch
from jimbo.az.settings import TrainConfig
from jimbo.engine.az import GameSpec, game_specs, symmetries
from jimbo.engine.az.games import Array
from jimbo.files import replacing
from jimbo.models.export import write_onnx

_LOWEST = -30.0
"""Least logarithm of a probability: what the search likes and the network thinks impossible has a finite cost."""


class PolicyValueLosses(NamedTuple):
    total: Tensor
    policy: Tensor
    value: Tensor


def legal_masks(observations: Tensor, offset: int, count: int) -> Tensor:
    """Return which moves are legal by the observations; all, where none is: the loss would not be a number."""
    masks = observations[:, offset : offset + count] > 0.5
    return masks | ~masks.any(dim=1, keepdim=True)


def losses(
    logits: Tensor,
    value: Tensor,
    masks: Tensor,
    policies: Tensor,
    targets: Tensor,
    policy_weight: float = 1.0,
    value_weight: float = 1.0,
) -> PolicyValueLosses:
    """``logits``, ``masks`` and ``policies`` [B, A]; ``value`` [B, 1], ``targets`` [B]."""
    policy = policy_loss(logits.float().masked_fill(~masks, float("-inf")), policies)
    mistakes = (value.float().squeeze(1) - targets).square().mean()
    return weighed(policy, mistakes, policy_weight, value_weight)


def weighed(policy: Tensor, value: Tensor, policy_weight: float, value_weight: float) -> PolicyValueLosses:
    """Add the losses. Without a weight the policy is left out, so that the optimizer leaves its weights alone."""
    total = value_weight * value
    return PolicyValueLosses(total + policy_weight * policy if policy_weight else total, policy, value)


def policy_loss(logits: Tensor, policies: Tensor) -> Tensor:
    shares = logits.float().log_softmax(dim=1).clamp(min=_LOWEST)
    return -(policies * shares).sum(dim=1).mean()


class SelfPlayLearner(RowModel):
    """A network that learns one step after another; ``save`` and ``load`` keep it exactly as it is."""

    def __init__(
        self, game: GameSpec, config: TrainConfig, device: torch.device, network: nn.Module, shape: str
    ) -> None:
        self._game, self._config, self._device, self._shape = game, config, device, shape
        self.network = network.to(device)
        self._mean = AveragedModel(self.network, multi_avg_fn=_towards(config.average), use_buffers=True)
        self._mean.eval()
        self._optimizer = torch.optim.Adam(
            self.network.parameters(), lr=config.lr, weight_decay=config.weight_decay, fused=device.type == "cuda"
        )

    @property
    def published(self) -> Any:
        """The network that is evaluated and exported."""
        return self._mean.module

    def learn(self, batch: MoveBatch, rate: float, random: np.random.Generator) -> PolicyValueLosses | None:
        """Take a step; None, and nothing changed, where the loss is not a number."""
        self.network.train()
        found = self._losses(batch, random)
        if not torch.isfinite(found.total):
            return None
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        self._optimizer.zero_grad(set_to_none=True)
        found.total.backward()  # type: ignore[no-untyped-call]
        if self._config.grad_clip:
            nn.utils.clip_grad_norm_(self.network.parameters(), self._config.grad_clip)
        self._optimizer.step()
        self._mean.update_parameters(self.network)
        return PolicyValueLosses(*(part.detach() for part in found))

    def save(self, folder: Path, step: int, samples: int) -> None:
        state: dict[str, Any] = {**self._about(), "step": step, "samples": samples}
        state.update({name: part.state_dict() for name, part in self._parts().items()})
        with replacing(folder / RESUME) as beside:
            torch.save(state, beside)

    def load(self, folder: Path) -> tuple[int, int] | None:
        """Return step and samples of a training, if there is one; ValueError for one of another kind."""
        path = folder / RESUME
        if not path.is_file():
            return None
        try:
            state = torch.load(path, map_location=self._device, weights_only=True)
            if missing := self._parts().keys() - state.keys():
                raise ValueError(f"it was written by another version, without {', '.join(sorted(missing))}")
            if any(state[name] != known for name, known in self._about().items()):
                raise ValueError(f"it is a network for {state['env_id']} of the shape {state['shape']}")
            for name, part in self._parts().items():
                part.load_state_dict(state[name])
            return int(state["step"]), int(state["samples"])
        except Exception as error:  # torch has many ways to say that a file is not its own
            raise ValueError(f"{path} cannot be resumed: {error}. Choose another --model-dir") from None

    def _about(self) -> dict[str, str]:
        return {"env_id": self._game.env_id, "shape": self._shape}

    def _parts(self) -> dict[str, Any]:
        return {"network": self.network, "mean": self._mean, "optimizer": self._optimizer}

    @abstractmethod
    def _losses(self, batch: MoveBatch, random: np.random.Generator) -> PolicyValueLosses: ...

    @abstractmethod
    def export(self, path: Path) -> None:
        """Write the published network as an ONNX file."""


_Tensors = tuple[Tensor, ...] | list[Tensor]


def _towards(average: float) -> Callable[[_Tensors, _Tensors, Tensor | int], None]:
    """Move a mean towards the newest weights; faster at first, when they are still far from good."""

    def move(means: _Tensors, newest: _Tensors, steps: Tensor | int) -> None:
        done = int(steps)
        kept = min(average, (1 + done) / (10 + done))
        for mean, new in zip(means, newest, strict=True):
            mean.lerp_(new, 1 - kept) if mean.is_floating_point() else mean.copy_(new)

    return move


# --- Board games ------------------------------------------------------------------------------------------------------


class BoardNetworkShape(NamedTuple):
    kind: str
    width: int
    blocks: int = 0

    def __str__(self) -> str:
        """Return the text by which files to resume from know it."""
        return f"Shape(kind={self.kind!r}, width={self.width}, blocks={self.blocks})"


_SHAPES = {"connect4": BoardNetworkShape("resnet", 32, 3)}
_DEFAULT_SHAPE = BoardNetworkShape("mlp", 128)


def chosen_shape(config: TrainConfig) -> BoardNetworkShape:
    own = _SHAPES.get(config.env_id, _DEFAULT_SHAPE)
    kind = own.kind if config.network == "auto" else config.network
    return BoardNetworkShape(kind, config.width or own.width, config.blocks or own.blocks or 2)


def create_network(game: GameSpec, shape: BoardNetworkShape | None = None) -> nn.Module:
    """Make a network of a shape, by default that of the game."""
    shape = shape or _SHAPES.get(game.env_id, _DEFAULT_SHAPE)
    return ResNet(game, shape.width, shape.blocks) if shape.kind == "resnet" else Mlp(game, shape.width)


class BoardLearner(SelfPlayLearner):
    def __init__(self, game: GameSpec, config: TrainConfig, device: torch.device) -> None:
        torch.manual_seed(config.seed)
        shape = chosen_shape(config)
        super().__init__(game, config, device, create_network(game, shape), str(shape))

    def _losses(self, batch: MoveBatch, random: np.random.Generator) -> PolicyValueLosses:
        observations, policies = batch.observations, batch.policies
        if self._config.symmetries and self._game.env_id in game_specs():
            observations, policies = turned(self._game.env_id, observations, policies, random)
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
        export_board_network(self.published, self._game.obs_size, path)


def turned(env_id: str, observations: Array, policies: Array, random: np.random.Generator) -> tuple[Array, Array]:
    """Turn or mirror each row in one of the ways that are worth the same, drawn at random."""
    seen, moves = (np.array(part, np.int64) for part in zip(*symmetries(env_id), strict=True))
    ways = random.integers(len(moves), size=len(observations))
    return np.take_along_axis(observations, seen[ways], axis=1), np.take_along_axis(policies, moves[ways], axis=1)


class Mlp(nn.Module):
    """Three layers and two heads."""

    def __init__(self, game: GameSpec, width: int) -> None:
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
    """Planes of each head."""

    def __init__(self, game: GameSpec, width: int, blocks: int) -> None:
        super().__init__()
        self._board = game.board_height, game.board_width
        squares = game.board_height * game.board_width
        self._planes = game.legal_mask_offset // squares
        self.stem = _convolution(self._planes, width)
        self.tower = nn.Sequential(*(_Block(width) for _ in range(blocks)))
        self.policy = nn.Sequential(*self._head(width, squares, game.num_actions))
        self.value = nn.Sequential(*self._head(width, squares, 64), nn.ReLU(), nn.Linear(64, 1), nn.Tanh())

    def _head(self, width: int, squares: int, outputs: int) -> list[nn.Module]:
        first = _convolution(width, self._PLANES, 1)
        return [first, nn.ReLU(), nn.Flatten(), nn.Linear(self._PLANES * squares, outputs)]

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
    """A convolution with its norm, which becomes part of it when the network is exported."""
    return nn.Sequential(nn.Conv2d(before, after, size, padding=size // 2, bias=False), nn.BatchNorm2d(after))


def export_board_network(network: nn.Module, obs_size: int, path: Path) -> None:
    """Input ``observation`` [batch, obs_size]; outputs ``policy_logits`` [batch, num_actions], ``value`` [batch, 1]."""
    was_training = network.training
    example = torch.zeros(2, obs_size, device=next(network.parameters()).device)
    rows = {0: "batch"}
    with replacing(path) as beside:
        write_onnx(
            network, {"observation": example}, {"policy_logits": rows, "value": rows}, beside, {"observation": rows}
        )
    network.train(was_training)
