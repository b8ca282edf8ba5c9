"""Policies of Stable-Baselines3 that read what is allowed from the observation, for PPO, A2C and DQN."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3 import DQN
from stable_baselines3.common.noise import ActionNoise
from stable_baselines3.common.policies import ActorCriticPolicy
from stable_baselines3.common.torch_layers import (
    BaseFeaturesExtractor,
    CombinedExtractor,
    FlattenExtractor,
    MlpExtractor,
)
from stable_baselines3.common.type_aliases import PyTorchObs, Schedule
from stable_baselines3.dqn.policies import DQNPolicy, QNetwork
from torch import Tensor, nn

from jimbo.data.samples import candidate_widths
from jimbo.engine import observation_dtype
from jimbo.models import config_of
from jimbo.models.inputs import list_names, network_inputs
from jimbo.models.network import NOWHERE, CandidateTokens, EntityTrunk, best_of

MASK = "action_mask"
NetArch = dict[str, list[int]]
"""``pi``: layers before the choice; ``vf``: layers before the value."""
FIRST_SCALE = 0.01
"""Of the scores of a new network: its first choices are nearly random."""


@dataclass(frozen=True, slots=True)
class Parts:
    """How wide the parts of the tensor are."""

    features: int
    actions: int
    width: int = 0
    """Of the vector of each action; 0 where actions have none."""

    @property
    def total(self) -> int:
        return self.features + self.rest

    @property
    def rest(self) -> int:
        """Everything behind the features."""
        return self.actions * self.width + self.actions

    def joined(self, features: Tensor, tokens: Tensor | None, mask: Tensor) -> Tensor:
        told = [] if tokens is None else [tokens.flatten(1)]
        return torch.cat([features, *told, mask.to(features.dtype)], dim=1)

    def split(self, x: Tensor, first: int) -> tuple[Tensor, Tensor, Tensor]:
        """The ``first`` numbers, the vectors ``[B, A, width]`` and the mask ``[B, A]``, of ``[B, first + rest]``."""
        known, tokens, mask = torch.split(x, [first, self.actions * self.width, self.actions], dim=1)
        return known, tokens.reshape(len(x), self.actions, self.width), mask > 0.5


class EntityExtractor(BaseFeaturesExtractor):
    """The entity network of ``jimbo.models`` up to its heads; for observations of the layout ``packed``."""

    def __init__(self, observation_space: spaces.Dict, features_dim: int, size: str) -> None:
        actions = _actions(observation_space)
        listed = "candidate_ids" in observation_space.spaces
        config = config_of(size)
        parts = Parts(features_dim, actions, config.width if listed else 0)
        super().__init__(observation_space, parts.total)
        self.parts = parts
        self.trunk = EntityTrunk(config)
        self.tokens = CandidateTokens(config.width) if listed else None
        self.out = nn.Sequential(nn.Linear(config.width, features_dim), nn.ReLU())

    def forward(self, observations: Mapping[str, Tensor]) -> Tensor:
        mask = observations[MASK] > 0.5
        features, tokens = self.read(self._inputs(observations))
        return self.parts.joined(features, tokens, mask)

    def read(self, inputs: Mapping[str, Tensor]) -> tuple[Tensor, Tensor | None]:
        """Features ``[B, F]`` and vectors of the candidates ``[B, K, width]``, from the inputs of a network."""
        lists = {name: inputs[name] for name in list_names()}
        state, cards = self.trunk.look(inputs["state_ids"], inputs["state_numbers"], lists)
        features = self.out(state)
        if self.tokens is None:
            return features, None
        told = self.tokens.told(
            self.trunk.names,
            cards,
            inputs["descriptions"],
            inputs["candidate_description"],
            inputs["candidate_cards"],
        )
        return features, self.tokens.met(state, told, inputs["candidate_numbers"])

    def _inputs(self, observations: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """Stable-Baselines3 made floats of all numbers; ids and bytes are turned back."""
        device = observations[MASK].device
        n = len(observations[MASK])
        seen = _bytes(observations["observation"]).view(observation_dtype()).reshape(n)
        if self.tokens is None:
            ids, numbers = candidate_widths()
            listed = np.zeros((n, 1, ids), np.uint8), np.zeros((n, 1, numbers), np.float32), np.ones((n, 1), np.bool_)
        else:
            rows = observations["candidate_rows"].cpu().numpy()
            listed = _bytes(observations["candidate_ids"]), rows, (observations[MASK] > 0.5).cpu().numpy()
        arrays = network_inputs(seen, *listed)
        return {name: torch.from_numpy(array).to(device) for name, array in arrays.items()}


class FlatExtractor(BaseFeaturesExtractor):
    """All numbers of an observation in one row, and one layer; for every other observation."""

    def __init__(self, observation_space: spaces.Space[Any], features_dim: int, actions: int) -> None:
        parts = Parts(features_dim, actions)
        super().__init__(observation_space, parts.total)
        self.parts = parts
        inner: BaseFeaturesExtractor
        if isinstance(observation_space, spaces.Dict):
            inner = CombinedExtractor(observation_space)
        else:
            inner = FlattenExtractor(observation_space)
        self.inner = inner
        self.out = nn.Sequential(nn.Linear(inner.features_dim, features_dim), nn.ReLU())

    def forward(self, observations: Mapping[str, Tensor] | Tensor) -> Tensor:
        features = self.out(self.inner(observations))
        if isinstance(observations, Mapping) and MASK in observations:
            mask = observations[MASK]
        else:  # an environment without masks allows everything
            mask = torch.ones(len(features), self.parts.actions, device=features.device)
        return self.parts.joined(features, None, mask)


def _actions(space: spaces.Dict) -> int:
    shape = space[MASK].shape
    assert shape is not None
    return shape[0]


def _bytes(numbers: Tensor) -> np.ndarray[Any, np.dtype[np.uint8]]:
    array: np.ndarray[Any, np.dtype[np.uint8]] = numbers.to(torch.uint8).cpu().numpy()
    return array


class Layers(nn.Module):
    """The layers of the framework's ``policy_net_arch`` and ``value_net_arch``, in place of SB3's own.

    The actor's side keeps what lies behind the features. The value is made from the features alone: it must be right
    for the last state of a game that was cut off, too, when no candidates are listed any more.
    """

    def __init__(self, parts: Parts, net_arch: NetArch, activation: type[nn.Module]) -> None:
        super().__init__()
        self.parts = parts
        self.mlp = MlpExtractor(parts.features, net_arch, activation)
        self.context = self.mlp.latent_dim_pi
        self.latent_dim_pi = self.context + parts.rest
        self.latent_dim_vf = self.mlp.latent_dim_vf

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        return self.forward_actor(x), self.forward_critic(x)

    def forward_actor(self, x: Tensor) -> Tensor:
        features, rest = torch.split(x, [self.parts.features, self.parts.rest], dim=1)
        return torch.cat([self.mlp.forward_actor(features), rest], dim=1)

    def forward_critic(self, x: Tensor) -> Tensor:
        value: Tensor = self.mlp.forward_critic(x[:, : self.parts.features])
        return value


class Scores(nn.Module):
    """A score for each action: candidates by one head that all share, steps by a row of weights each."""

    def __init__(self, parts: Parts, context: int) -> None:
        super().__init__()
        self.parts, self.context = parts, context
        if parts.width:
            self.own = nn.Linear(parts.width, parts.width)
            self.of_best = nn.Linear(parts.width + context, parts.width, bias=False)
            self.score = nn.Linear(parts.width, 1)
        else:
            self.score = nn.Linear(context, parts.actions)
        with torch.no_grad():
            self.score.weight.mul_(FIRST_SCALE)
            self.score.bias.zero_()

    def forward(self, x: Tensor) -> Tensor:
        """``[B, A]``, very low where an action is not allowed."""
        scores, mask = self.scored(x)
        return scores.masked_fill(~mask, NOWHERE)

    def scored(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Scores of all actions, and which are allowed, from what ``Layers.forward_actor`` gives."""
        context, tokens, mask = self.parts.split(x, self.context)
        return self.scores_of(context, tokens, mask), mask

    def scores_of(self, context: Tensor, tokens: Tensor, mask: Tensor) -> Tensor:
        if not self.parts.width:
            scores: Tensor = self.score(context)
            return scores
        around = self.of_best(torch.cat([best_of(tokens, mask), context], dim=1)).unsqueeze(1)
        of_each: Tensor = self.score(nn.functional.gelu(self.own(tokens) + around))
        return of_each.squeeze(-1)


if TYPE_CHECKING:
    _Base = ActorCriticPolicy
else:
    _Base = object


class _MaskedHeads(_Base):
    """Our layers and scores in the place of SB3's."""

    def _build_mlp_extractor(self) -> None:
        self.mlp_extractor = Layers(self._parts(), self.net_arch, self.activation_fn)  # type: ignore[assignment,arg-type]

    def _build(self, lr_schedule: Schedule) -> None:
        super()._build(lr_schedule)
        assert isinstance(self.mlp_extractor, Layers)
        self.action_net = Scores(self._parts(), self.mlp_extractor.context)
        # The optimizer that was just made does not know them.
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)  # type: ignore[call-arg]

    def _parts(self) -> Parts:
        parts = self.features_extractor.parts
        assert isinstance(parts, Parts)
        return parts


class MaskedPPOPolicy(_MaskedHeads, MaskableActorCriticPolicy):  # type: ignore[misc]
    """For MaskablePPO. Masks that are given count as well as the observation's own."""


class MaskedA2CPolicy(_MaskedHeads, ActorCriticPolicy):
    """For A2C: actions that are not allowed have no probability, so neither chance nor a gradient reaches them."""


class MaskedQNetwork(QNetwork):
    """Values of actions, as the state's value and how much better each action is than the mean of those allowed.

    So the last state of a game that was cut off, which lists no candidates and allows one empty action, is worth what
    the state is worth. Actions that are not allowed have a value that is finite and lower than any other.
    """

    def __init__(self, *args: Any, net_arch: NetArch, **kwargs: Any) -> None:
        super().__init__(*args, net_arch=[], **kwargs)  # type: ignore[misc]
        parts = self.features_extractor.parts
        assert isinstance(parts, Parts)
        self.net_arch = net_arch  # type: ignore[assignment]
        self.layers = Layers(parts, net_arch, self.activation_fn)
        self.value = nn.Linear(self.layers.latent_dim_vf, 1)
        self.q_net = Scores(parts, self.layers.context)  # type: ignore[assignment]

    def forward(self, obs: PyTorchObs) -> Tensor:
        latent_pi, latent_vf = self.layers(self.extract_features(obs, self.features_extractor))
        scores, mask = self.q_net.scored(latent_pi)  # type: ignore[operator]
        allowed = mask.to(scores.dtype)
        mean = (scores * allowed).sum(dim=1, keepdim=True) / allowed.sum(dim=1, keepdim=True).clamp(min=1.0)
        values: Tensor = self.value(latent_vf) + scores - mean
        return torch.where(mask, values, torch.full_like(values, NOWHERE))


class MaskedDQNPolicy(DQNPolicy):
    """For ``MaskedDQN``; the target network masks as the other does."""

    def make_q_net(self) -> QNetwork:
        arguments = self._update_features_extractor(self.net_args, features_extractor=None)
        return MaskedQNetwork(**arguments).to(self.device)


class MaskedDQN(DQN):
    """SB3's DQN for policies that mask. Each game decides for itself whether to explore."""

    def predict(
        self,
        observation: Any,
        state: tuple[np.ndarray, ...] | None = None,
        episode_start: np.ndarray | None = None,
        deterministic: bool = False,
    ) -> tuple[np.ndarray, tuple[np.ndarray, ...] | None]:
        actions, state = self.policy.predict(observation, state, episode_start, deterministic=True)
        if deterministic:
            return actions, state
        explores = np.random.random(np.shape(actions)) < self.exploration_rate  # noqa: NPY002 (SB3 seeds this one)
        if not np.any(explores):
            return actions, state
        return np.where(explores, any_allowed(observation, np.shape(actions), self._actions), actions), state

    def _sample_action(
        self, learning_starts: int, action_noise: ActionNoise | None = None, n_envs: int = 1
    ) -> tuple[np.ndarray, np.ndarray]:
        assert self._last_obs is not None
        if self.num_timesteps < learning_starts:
            actions = any_allowed(self._last_obs, (n_envs,), self._actions)
        else:
            actions, _ = self.predict(self._last_obs, deterministic=False)
        return actions, actions

    @property
    def _actions(self) -> int:
        return int(self.action_space.n)  # type: ignore[attr-defined]


def any_allowed(observation: Any, shape: tuple[int, ...], actions: int) -> NDArray[np.int64]:
    """Any of the allowed ones, each as likely as the others: the largest of random numbers where they stand."""
    draws = np.random.random((*shape, actions))  # noqa: NPY002 (SB3 seeds this one)
    if isinstance(observation, dict) and MASK in observation:
        draws = np.where(np.reshape(observation[MASK], draws.shape) > 0.5, draws, -1.0)
    chosen: NDArray[np.int64] = draws.argmax(axis=-1)
    return chosen
