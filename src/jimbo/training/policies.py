"""Policies of Stable-Baselines3 that read the mask of actions from the observation, and the networks in them."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.policies import ActorCriticPolicy
from stable_baselines3.common.torch_layers import (
    BaseFeaturesExtractor,
    CombinedExtractor,
    FlattenExtractor,
    MlpExtractor,
)
from stable_baselines3.common.type_aliases import Schedule
from torch import Tensor, nn

from jimbo.data.samples import candidate_widths
from jimbo.engine import LAST_ANTE, observation_dtype
from jimbo.models.checkpoint import NetworkConfig, config_of
from jimbo.models.export import example_decisions, export_network
from jimbo.models.inputs import list_names, network_inputs
from jimbo.models.network import NOWHERE, CandidateTokens, EntityNetwork, EntityTrunk, Judgement, best_of
from jimbo.models.outputs import BLINDS_AHEAD

MASK = "action_mask"
NetArch = dict[str, list[int]]
"""``pi``: layers before the choice; ``vf``: layers before the value."""
FIRST_SCALE = 0.01
"""Scale of the scores of a new network: its first choices are nearly random."""
SCALE = 0.2
"""Factor by which ``network_inputs`` multiplies the numbers of candidates."""

# --- Features of an observation ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Parts:
    """Widths of the parts of the tensor that an extractor makes: features, vectors of the actions, their mask."""

    features: int
    actions: int
    width: int = 0
    """Width of the vector of each action; 0 where actions have none."""

    @property
    def rest(self) -> int:
        """Width of everything behind the features."""
        return self.actions * self.width + self.actions

    def joined(self, features: Tensor, tokens: Tensor | None, mask: Tensor) -> Tensor:
        told = [] if tokens is None else [tokens.flatten(1)]
        return torch.cat([features, *told, mask.to(features.dtype)], dim=1)

    def split(self, x: Tensor, first: int) -> tuple[Tensor, Tensor, Tensor]:
        """Split ``[B, first + rest]`` into the ``first`` numbers, vectors ``[B, A, width]`` and the mask ``[B, A]``."""
        known, tokens, mask = torch.split(x, [first, self.actions * self.width, self.actions], dim=1)
        return known, tokens.reshape(len(x), self.actions, self.width), mask > 0.5


class EntityExtractor(BaseFeaturesExtractor):
    """The entity network of ``jimbo.models`` up to its heads; for observations of the layout ``packed``."""

    def __init__(self, observation_space: spaces.Dict, features_dim: int, size: str) -> None:
        (actions,) = observation_space[MASK].shape or ()
        listed = "candidate_ids" in observation_space.spaces
        config = config_of(size)
        parts = Parts(features_dim, actions, config.width if listed else 0)
        super().__init__(observation_space, parts.features + parts.rest)
        self.parts = parts
        self.trunk = EntityTrunk(config)
        self.tokens = CandidateTokens(config.width) if listed else None
        self.out = nn.Sequential(nn.Linear(config.width, features_dim), nn.ReLU())

    def forward(self, observations: Mapping[str, Tensor]) -> Tensor:
        mask = observations[MASK] > 0.5
        features, tokens = self.read(self._inputs(observations))
        return self.parts.joined(features, tokens, mask)

    def read(self, inputs: Mapping[str, Tensor]) -> tuple[Tensor, Tensor | None]:
        """Return features ``[B, F]`` and vectors of the candidates ``[B, K, width]``, from the inputs of a network."""
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
        """Return the inputs of a network, with ids and bytes of which Stable-Baselines3 has made floats."""
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
        super().__init__(observation_space, parts.features + parts.rest)
        self.parts = parts
        kind = CombinedExtractor if isinstance(observation_space, spaces.Dict) else FlattenExtractor
        self.inner: BaseFeaturesExtractor = kind(observation_space)  # type: ignore[arg-type]
        self.out = nn.Sequential(nn.Linear(self.inner.features_dim, features_dim), nn.ReLU())

    def forward(self, observations: Mapping[str, Tensor] | Tensor) -> Tensor:
        features = self.out(self.inner(observations))
        if isinstance(observations, Mapping) and MASK in observations:
            mask = observations[MASK]
        else:  # an environment without masks allows everything
            mask = torch.ones(len(features), self.parts.actions, device=features.device)
        return self.parts.joined(features, None, mask)


def _bytes(numbers: Tensor) -> np.ndarray[Any, np.dtype[np.uint8]]:
    array: np.ndarray[Any, np.dtype[np.uint8]] = numbers.to(torch.uint8).cpu().numpy()
    return array


# --- Heads ------------------------------------------------------------------------------------------------------------


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
        """Return ``[B, A]``, very low where an action is not allowed."""
        scores, mask = self.scored(x)
        return scores.masked_fill(~mask, NOWHERE)

    def scored(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return scores of all actions, and which are allowed, from the output of ``Layers.forward_actor``."""
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
    """Layers and scores of this module in place of SB3's."""

    def _build_mlp_extractor(self) -> None:
        self.mlp_extractor = Layers(self._parts(), self.net_arch, self.activation_fn)  # type: ignore[assignment,arg-type]

    def _build(self, lr_schedule: Schedule) -> None:
        super()._build(lr_schedule)
        assert isinstance(self.mlp_extractor, Layers)
        self.action_net = Scores(self._parts(), self.mlp_extractor.context)
        # The optimizer that was just made does not have these weights.
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)  # type: ignore[call-arg]

    def _parts(self) -> Parts:
        return parts_of(self.features_extractor)


def parts_of(extractor: Any) -> Parts:
    parts = extractor.parts
    assert isinstance(parts, Parts)
    return parts


class MaskedPPOPolicy(_MaskedHeads, MaskableActorCriticPolicy):  # type: ignore[misc]
    """MaskablePPO's policy. Masks that are given count as well as the observation's own."""


class MaskedA2CPolicy(_MaskedHeads, ActorCriticPolicy):
    """A2C's policy. Actions that are not allowed have no probability, so neither chance nor a gradient reaches them."""


def any_allowed(observation: Any, shape: tuple[int, ...], actions: int) -> NDArray[np.int64]:
    """Draw one of the allowed actions for each game, all equally likely: the largest of random numbers."""
    draws = np.random.random((*shape, actions))  # noqa: NPY002 (SB3 seeds this one)
    if isinstance(observation, dict) and MASK in observation:
        draws = np.where(np.reshape(observation[MASK], draws.shape) > 0.5, draws, -1.0)
    chosen: NDArray[np.int64] = draws.argmax(axis=-1)
    return chosen


# --- Without Stable-Baselines3 ----------------------------------------------------------------------------------------


class PolicyNetwork(nn.Module):
    """The weights of a policy as a network of ``jimbo.models``, with the normalization of the candidates' numbers.

    It chooses, and predicts nothing: the heads for the outcome of a game are zeros.
    """

    mean: Tensor
    spread: Tensor

    def __init__(self, model: BaseAlgorithm) -> None:
        super().__init__()
        self.extractor, self.layers, self.scores = _parts_of_policy(model)
        self.normalizes = (statistics := _statistics(model)) is not None
        mean, variance, epsilon, self._most = statistics or (0.0, 1.0, 0.0, 0.0)
        self.register_buffer("mean", torch.as_tensor(mean, dtype=torch.float32))
        self.register_buffer("spread", torch.sqrt(torch.as_tensor(variance, dtype=torch.float32) + epsilon))

    @property
    def config(self) -> NetworkConfig:
        return self.extractor.trunk.config

    @property
    def names(self) -> nn.Embedding:
        return self.extractor.trunk.names

    def judge(self, inputs: Mapping[str, Tensor]) -> Judgement:
        logits = self.logits(inputs)
        nothing = torch.zeros_like(inputs["state_numbers"][:, :1])
        return Judgement(logits, nothing.squeeze(-1), nothing.repeat(1, BLINDS_AHEAD), nothing.repeat(1, LAST_ANTE))

    def logits(self, inputs: Mapping[str, Tensor]) -> Tensor:
        """Return ``[B, K]``, for any K."""
        mask = inputs["mask"]
        features, tokens = self.extractor.read({**inputs, "candidate_numbers": self._normal(inputs)})
        assert tokens is not None
        context = self.layers.mlp.forward_actor(features)
        return self.scores.scores_of(context, tokens, mask).masked_fill(~mask, NOWHERE)

    def _normal(self, inputs: Mapping[str, Tensor]) -> Tensor:
        numbers = inputs["candidate_numbers"]
        if not self.normalizes:
            return numbers
        return ((numbers / SCALE - self.mean) / self.spread).clamp(-self._most, self._most) * SCALE


def plays_candidates(model: BaseAlgorithm) -> bool:
    """Whether a model can be turned into a PolicyNetwork."""
    extractor, *_ = _parts_of_policy(model)
    return isinstance(extractor, EntityExtractor) and extractor.tokens is not None


def export_policy(model: BaseAlgorithm, algorithm: str, path: Path, about: Mapping[str, Any]) -> None:
    """Write an ONNX file that ``--agent network --set model=FILE`` plays."""
    if not plays_candidates(model):
        raise ValueError(
            'only policies over candidates can be exported: use feature_extractor_type="balatro" and '
            'actions="candidates"'
        )
    network = copy.deepcopy(PolicyNetwork(model))
    listed = network.extractor.parts.actions
    card = {"method": "sb3", "algorithm": algorithm, "candidates": listed, **about}
    path.parent.mkdir(parents=True, exist_ok=True)
    export_network(cast(EntityNetwork, network), path, card, example_decisions(min(listed, 128)))


def _parts_of_policy(model: BaseAlgorithm) -> tuple[EntityExtractor, Layers, Scores]:
    policy: Any = model.policy
    if hasattr(policy, "q_net"):
        return policy.q_net.features_extractor, policy.q_net.layers, policy.q_net.q_net
    return policy.features_extractor, policy.mlp_extractor, policy.action_net


def _statistics(model: BaseAlgorithm) -> tuple[Any, Any, float, float] | None:
    normalize = model.get_vec_normalize_env()
    if normalize is None or not normalize.norm_obs or not isinstance(normalize.obs_rms, dict):
        return None
    known = normalize.obs_rms.get("candidate_rows")
    return None if known is None else (known.mean, known.var, normalize.epsilon, normalize.clip_obs)
