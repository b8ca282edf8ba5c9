"""The policy that learns on top of a value, its critic, and one update of both by PPO."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from jimbo.engine import BLINDS_PER_ANTE
from jimbo.engine.value import ANTE_SHARE, VALUE_BLINDS, Choices, input_count
from jimbo.models.value_file import POLICY, Weights, has_policy
from jimbo.train.settings import PolicySettings
from jimbo.train.value_model import SparseModel

Array = NDArray[np.float32]
_LAST = ("third.weight", "third.bias")
_SURE = 1e-4
"""Chances nearer to 0 or 1 than this are not told apart."""
_NEVER = -1e9
"""A logit; an infinite one has no gradient."""
BOSSES = VALUE_BLINDS // BLINDS_PER_ANTE
_SHARES = ANTE_SHARE ** np.arange(BOSSES - 1, -1, -1)
_REACHED = np.concatenate([[0.0], np.cumsum(_SHARES)]) / _SHARES.sum()
"""What a run has got by the number of bosses that it beat: what it is optimised for, from 0 to 1."""

Stepped = Callable[[int, int], None]


class PolicyModel(nn.Module):
    """What is added to the worth of each option, and what the run will get from here on."""

    def __init__(self, settings: PolicySettings) -> None:
        super().__init__()
        self.correction = SparseModel(settings.widths, 1)
        self.critic = SparseModel(settings.widths, 1)
        self.start: SparseModel | None = None
        """The policy that it began with, which does not learn."""
        self.trust = nn.Parameter(torch.ones(VALUE_BLINDS))
        """How far the value's own promise is believed, by the next blind."""
        self.temperature = settings.temperature

    def take(self, weights: Weights) -> None:
        """Begin with the policy in these weights, if there is one; ValueError if it has another shape."""
        if not has_policy(weights):
            return
        given = {name.removeprefix(POLICY): weight for name, weight in weights.items() if name.startswith(POLICY)}
        for name in _LAST:
            given[name] = given[name] / self.temperature
        self.correction.take(given)
        self.start = copy.deepcopy(self.correction).requires_grad_(False)

    def promise(self, index: Tensor, value: Tensor, progress: Tensor, next_blind: Tensor) -> Tensor:
        """Return the logit of what a run will get, by the best option: [C]."""
        corrected: Tensor = self.critic(index, value).squeeze(1)
        return torch.logit(progress, _SURE) * self.trust[next_blind] + corrected

    def weights(self) -> Weights:
        """Return the weights of the policy as they are kept beside those of a value."""
        weights = self.correction.weights()
        for name in _LAST:
            weights[name] = weights[name] * self.temperature
        return {f"{POLICY}{name}": weight for name, weight in weights.items()}


@dataclass(frozen=True, slots=True, eq=False)
class ChoiceBatch:
    """Choices as tensors: C choices, O options of all of them with I inputs."""

    index: Tensor
    """[I], and one more that stands for no input."""
    value: Tensor
    """The value of each."""
    begin: Tensor
    """[O]: the first input of each option."""
    count: Tensor
    """[O]: how many inputs it has."""
    worth: Tensor
    """[O], divided by the temperature, like the next."""
    correction: Tensor
    """[O]: of the policy that played."""
    first: Tensor
    """[C]: the best option of each."""
    considered: Tensor
    """[C]."""
    taken: Tensor
    """[C]."""
    progress: Tensor
    """[C]: what the value promises, from 0 to 1."""
    next_blind: Tensor
    """[C]."""

    def inputs(self, options: Tensor) -> tuple[Tensor, Tensor]:
        """Return the inputs of some options as rows: indices and values."""
        count = self.count[options][:, None]
        place = torch.arange(int(count.max()), device=options.device)
        at = torch.where(place < count, self.begin[options][:, None] + place, len(self.index) - 1)
        return self.index[at], self.value[at]


def batch_of(choices: Choices, temperature: float, device: torch.device) -> ChoiceBatch:
    def tensor(array: NDArray[np.generic], kind: torch.dtype) -> Tensor:
        return torch.from_numpy(np.array(array)).to(device).to(kind)

    count = tensor(choices.count, torch.int64)
    considered = tensor(choices.considered, torch.int64)
    return ChoiceBatch(
        index=tensor(np.append(choices.index, np.uint16(input_count())).astype(np.int32), torch.int32),
        value=tensor(np.append(choices.value, np.float32(0)), torch.float32),
        begin=count.cumsum(0) - count,
        count=count,
        worth=tensor(choices.worth, torch.float32) / temperature,
        correction=tensor(choices.correction, torch.float32) / temperature,
        first=considered.cumsum(0) - considered,
        considered=considered,
        taken=tensor(choices.taken, torch.int64),
        progress=tensor(choices.progress / _SHARES.sum(), torch.float32),
        next_blind=tensor(choices.next, torch.int64),
    )


def advantages(choices: Choices, promised: Array, gae_lambda: float) -> Array:
    """Return how much better each choice turned out than was promised; the promise plus this is what to promise."""
    found = np.zeros_like(promised)
    later, ahead, attempt = 0.0, 0.0, -1
    for i in range(len(promised) - 1, -1, -1):
        if choices.attempt[i] != attempt:
            attempt = int(choices.attempt[i])
            later, ahead = 0.0, float(_REACHED[choices.bosses[attempt]])
        later = ahead - promised[i] + gae_lambda * later
        ahead = promised[i]
        found[i] = later
    return found


def update(
    model: PolicyModel,
    optimizer: torch.optim.Optimizer,
    choices: Choices,
    settings: PolicySettings,
    number: int,
    stepped: Stepped,
) -> dict[str, float]:
    """Learn from choices; return what is to be known of it."""
    torch.manual_seed(settings.seed * 1_000_003 + number)
    device = model.trust.device
    batch = batch_of(choices, settings.temperature, device)
    count = len(batch.taken)
    size = min(settings.minibatch, count)
    with torch.no_grad():
        promised = torch.cat(
            [_promise(model, batch, part) for part in torch.split(torch.arange(count, device=device), size)]
        )
    chances = promised.sigmoid().cpu().numpy()
    gained = advantages(choices, chances, settings.gae_lambda)
    target = torch.from_numpy(chances + gained).clamp(0, 1).to(device)
    advantage = torch.from_numpy((gained - gained.mean()) / (gained.std() + 1e-8)).to(device)
    played = _logits(batch, torch.arange(count, device=device), batch.worth + batch.correction)
    before = functional.log_softmax(played, 1).gather(1, batch.taken[:, None]).squeeze(1)
    parts, steps, sums = count // size, settings.epochs * (count // size), torch.zeros(4, device=device)
    for epoch in range(settings.epochs):
        for done, rows in enumerate(torch.split(torch.randperm(count).to(device), size)[:parts], 1):
            loss = functional.binary_cross_entropy_with_logits(_promise(model, batch, rows), target[rows])
            if number > settings.critic_warm_up:
                policy, told = _policy_loss(model, batch, rows, before[rows], advantage[rows], settings)
                loss = loss + policy
                sums += told
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(model.parameters(), settings.max_gradient)
            optimizer.step()
            stepped(epoch * parts + done, steps)
    entropy, leash, moved, clipped = (sums / steps).tolist()
    end = _REACHED[choices.bosses[choices.attempt]]
    return {
        "choices": count,
        "entropy": entropy,
        "kl_start": leash,
        "kl": moved,
        "clipped": clipped,
        "explained": float(1 - np.var(end - chances) / max(float(np.var(end)), 1e-12)),
    }


def _promise(model: PolicyModel, batch: ChoiceBatch, rows: Tensor) -> Tensor:
    best = batch.first[rows]
    return model.promise(*batch.inputs(best), batch.progress[rows], batch.next_blind[rows])


def _policy_loss(
    model: PolicyModel, batch: ChoiceBatch, rows: Tensor, before: Tensor, advantage: Tensor, settings: PolicySettings
) -> tuple[Tensor, Tensor]:
    """Return the loss; and entropy, distance from the start and from what played, and the share that was clipped."""
    options, place = _options(batch, rows)
    inputs, worth = batch.inputs(options), batch.worth[options]
    new = functional.log_softmax(_spread(batch, rows, place, worth + model.correction(*inputs).squeeze(1)), 1)
    began = worth if model.start is None else worth + model.start(*inputs).squeeze(1)
    start = functional.log_softmax(_spread(batch, rows, place, began), 1)
    chances = new.exp()
    ratio = (new.gather(1, batch.taken[rows][:, None]).squeeze(1) - before).exp()
    near = ratio.clamp(1 - settings.clip, 1 + settings.clip)
    gain = torch.minimum(ratio * advantage, near * advantage).mean()
    leash = (chances * (new - start)).sum(1).mean()
    with torch.no_grad():
        entropy = -(chances * new).sum(1).mean()
        moved = (ratio - 1 - ratio.log()).mean()
        told = torch.stack([entropy, leash, moved, ((ratio - 1).abs() > settings.clip).float().mean()])
    return settings.leash * leash - gain, told


def _options(batch: ChoiceBatch, rows: Tensor) -> tuple[Tensor, Tensor]:
    """Return the options of choices one after another, and the place of each among those of its choice."""
    counts = batch.considered[rows]
    starts = counts.cumsum(0) - counts
    place = torch.arange(int(counts.sum()), device=rows.device) - starts.repeat_interleave(counts)
    return batch.first[rows].repeat_interleave(counts) + place, place


def _spread(batch: ChoiceBatch, rows: Tensor, place: Tensor, logits: Tensor) -> Tensor:
    """Return logits of options one after another as [C, most options], with none of the chance where there is none."""
    counts = batch.considered[rows]
    spread = logits.new_full((len(rows), int(counts.max())), _NEVER)
    row = torch.arange(len(rows), device=rows.device).repeat_interleave(counts)
    return spread.index_put((row, place), logits)


def _logits(batch: ChoiceBatch, rows: Tensor, of_options: Tensor) -> Tensor:
    options, place = _options(batch, rows)
    return _spread(batch, rows, place, of_options[options])
