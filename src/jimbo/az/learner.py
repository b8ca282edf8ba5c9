"""The learner: a network, its losses, rates and optimizer, and the running mean of its weights, which is what plays."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel

from jimbo.az.models import RESUME
from jimbo.az.schema import GameMetadata, MoveBatch
from jimbo.az.settings import TrainConfig
from jimbo.files import replacing

_LOWEST = -30.0
"""Of a logarithm: a move that the search likes and the network thinks impossible must not cost without end."""


class PolicyValueLosses(NamedTuple):
    total: Tensor
    policy: Tensor
    value: Tensor


def legal_masks(observations: Tensor, offset: int, count: int) -> Tensor:
    """Which moves are legal, as observations say it. Where none is said to be, all are: there would be no number."""
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
    """A policy that does not count is left out, not multiplied by 0: the optimizer then leaves its weights alone."""
    total = value_weight * value
    return PolicyValueLosses(total + policy_weight * policy if policy_weight else total, policy, value)


def policy_loss(logits: Tensor, policies: Tensor) -> Tensor:
    shares = logits.float().log_softmax(dim=1).clamp(min=_LOWEST)
    return -(policies * shares).sum(dim=1).mean()


def is_usable(found: PolicyValueLosses) -> bool:
    return bool(torch.isfinite(found.total))


@dataclass(frozen=True, slots=True)
class Schedule:
    """Rises to ``lr``, then falls along half a cosine; a function of the step alone, so that it needs no memory."""

    lr: float
    first: int
    """The step before the first one."""
    steps: int
    min_ratio: float
    warmup_steps: int
    warmup_ratio: float
    falls: bool = True

    def at(self, step: int) -> float:
        """The rate of the step after ``step``."""
        done = step - self.first
        if done < self.warmup_steps:
            return self.lr * (self.warmup_ratio + (1 - self.warmup_ratio) * done / self.warmup_steps)
        if not self.falls:
            return self.lr
        left = max(1, self.steps - self.warmup_steps)
        share = min(1.0, (done - self.warmup_steps) / left)
        return self.lr * (self.min_ratio + (1 - self.min_ratio) * 0.5 * (1 + math.cos(math.pi * share)))


def schedule_of(config: TrainConfig, *, resumed: bool) -> Schedule:
    """With ``lr_total_steps`` the rate falls over all trainings of a loop, from step 0 on."""
    whole = config.lr_total_steps > 0
    return Schedule(
        lr=config.lr,
        first=0 if whole else config.start_step,
        steps=config.lr_total_steps if whole else config.steps,
        min_ratio=config.lr_min_ratio,
        warmup_steps=0 if resumed or not config.lr_schedule else config.lr_warmup_steps,
        warmup_ratio=config.lr_warmup_start_ratio,
        falls=config.lr_schedule,
    )


def save_state(folder: Path, env_id: str, shape: str, step: int, samples: int, parts: Mapping[str, Any]) -> None:
    """``parts``: what has a state, such as a network or an optimizer, by its name."""
    state: dict[str, Any] = {"env_id": env_id, "shape": shape, "step": step, "samples": samples}
    state.update({name: part.state_dict() for name, part in parts.items()})
    with replacing(folder / RESUME) as beside:
        torch.save(state, beside)


def load_state(
    folder: Path, env_id: str, shape: str, parts: Mapping[str, Any], device: torch.device
) -> tuple[int, int] | None:
    """Step and samples where a training stood; None where there is none; ValueError for one of another kind."""
    path = folder / RESUME
    if not path.is_file():
        return None
    try:
        state = torch.load(path, map_location=device, weights_only=True)
        if missing := parts.keys() - state.keys():
            raise ValueError(f"it was written by another version, without {', '.join(sorted(missing))}")
        if (state["env_id"], state["shape"]) != (env_id, shape):
            raise ValueError(f"it is a network for {state['env_id']} of the shape {state['shape']}")
        for name, part in parts.items():
            part.load_state_dict(state[name])
        return int(state["step"]), int(state["samples"])
    except Exception as error:  # torch has many ways to say that a file is not its own
        raise ValueError(f"{path} cannot be resumed: {error}. Choose another --model-dir") from None


Array = NDArray[Any]


class SelfPlayLearner(ABC):
    """One step after another; ``save`` and ``load`` keep it exactly as it is."""

    def __init__(
        self, game: GameMetadata, config: TrainConfig, device: torch.device, network: nn.Module, shape: str
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
        """One step; None, and nothing changed, where the loss is not a number."""
        self.network.train()
        found = self._losses(batch, random)
        if not is_usable(found):
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
        save_state(folder, self._game.env_id, self._shape, step, samples, self._parts())

    def load(self, folder: Path) -> tuple[int, int] | None:
        """Step and samples where a training stood; None where there is none; ValueError for one of another kind."""
        return load_state(folder, self._game.env_id, self._shape, self._parts(), self._device)

    def _parts(self) -> dict[str, Any]:
        return {"network": self.network, "mean": self._mean, "optimizer": self._optimizer}

    @abstractmethod
    def _losses(self, batch: MoveBatch, random: np.random.Generator) -> PolicyValueLosses: ...

    @abstractmethod
    def evaluate(self, observations: Array) -> tuple[Array, Array]:
        """Logits ``[B, A]`` and values ``[B]``, as a model on disk would give them."""

    @abstractmethod
    def export(self, path: Path) -> None: ...


_Tensors = tuple[Tensor, ...] | list[Tensor]


def _towards(average: float) -> Callable[[_Tensors, _Tensors, Tensor | int], None]:
    """Moves a mean towards the newest weights; faster at first, when they are still far from good."""

    def move(means: _Tensors, newest: _Tensors, steps: Tensor | int) -> None:
        done = int(steps)
        kept = min(average, (1 + done) / (10 + done))
        for mean, new in zip(means, newest, strict=True):
            mean.lerp_(new, 1 - kept) if mean.is_floating_point() else mean.copy_(new)

    return move
