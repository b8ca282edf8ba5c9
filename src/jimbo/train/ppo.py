"""Proximal policy optimisation on native games: play, find out what was better than expected, do more of it.

An update has three parts. ``collect`` plays ``horizon`` decisions in each of ``rows`` games with the network as it is.
``advantages`` says how much better each decision turned out than the critic expected (generalised advantage
estimation). ``improve`` makes good decisions likelier, never by more than ``clip`` at a time, and corrects the critic.

The policy is an ``EntityNetwork`` as the other trainings make it: it scores the candidates that are listed, so an
action that is not allowed cannot be chosen. The critic is a separate head on what the network sees; it is not part of
the exported network.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from jimbo.engine import BatchArrays
from jimbo.models.network import EntityNetwork
from jimbo.train.core.loop import TrainingFailed
from jimbo.train.rl.games import Games, Turn
from jimbo.train.rl.outlook import Outlook, expected, outlook_loss, outlooks
from jimbo.train.rl.pieces import PIECE, Decisions
from jimbo.train.rl.settings import RlSettings

Array = NDArray[Any]
Map = Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[Any]]
"""``map``, or that of a pool of threads."""


class Opinion(NamedTuple):
    """What is thought of a batch of decisions."""

    logits: Tensor
    """[B, K]: of the candidates."""
    value: Tensor
    """[B]: the rewards that are still to come."""
    win: Tensor
    clear: Tensor
    ante: Tensor


class ActorCritic(nn.Module):
    def __init__(self, network: EntityNetwork) -> None:
        super().__init__()
        width = network.config.width
        self.network = network
        self.critic = nn.Sequential(nn.Linear(2 * width, width), nn.GELU(), nn.Linear(width, 1))

    def forward(self, inputs: Mapping[str, Tensor], critic_alone: bool = False) -> Opinion:
        """``critic_alone``: nothing is learnt but what the heads say of what the network sees."""
        seen = self.network(inputs)
        judgement = self.network.expect(seen)
        value: Tensor = self.critic(seen.known.detach() if critic_alone else seen.known)
        return Opinion(judgement.logits, value.squeeze(-1), *judgement[1:])


@dataclass(frozen=True, slots=True)
class Workbench:
    """Who computes: a device, and as many pieces at a time as there are threads."""

    device: torch.device
    map: Map
    threads: int = 1

    @property
    def piece(self) -> int:
        return PIECE if self.device.type == "cpu" else 1 << 14

    def autocast(self) -> torch.autocast:
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda")


# --- Playing ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """The decisions of one update, ``[horizon * rows]`` each."""

    decisions: Decisions
    actions: Array
    log_probs: Array
    """Of the actions, when they were taken."""
    values: Array
    """What the critic expected."""
    advantages: Array
    returns: Array
    """What the critic should have expected."""
    outlook: Outlook


def opinions(model: ActorCritic, decisions: Decisions, bench: Workbench) -> tuple[Array, Array, Outlook]:
    """``[B, K]`` logits (very low where there is no candidate), ``[B]`` values, and what is expected of the runs."""
    pieces = decisions.pieces(np.arange(len(decisions)), bench.piece)

    def think(piece: Array) -> tuple[Array, Array, Outlook]:
        with torch.inference_mode(), bench.autocast():
            found = model(decisions.inputs(piece))
        return found.logits.float().cpu().numpy(), found.value.float().cpu().numpy(), expected(*found[2:])

    found = list(bench.map(think, pieces))
    back = np.argsort(np.concatenate(pieces))
    width = max(logits.shape[1] for logits, _, _ in found)
    logits = [np.pad(part, ((0, 0), (0, width - part.shape[1])), constant_values=-1e9) for part, _, _ in found]
    parts = zip(*(outlook for _, _, outlook in found), strict=True)
    return (
        np.concatenate(logits)[back],
        np.concatenate([values for _, values, _ in found])[back],
        Outlook(*(np.concatenate(part)[back] for part in parts)),
    )


def looked_at(seen: BatchArrays, rows: Array, device: torch.device) -> Decisions:
    """What some of the games show now."""
    return Decisions.shown(
        seen.observations[rows], seen.candidate_ids[rows], seen.candidate_rows[rows], seen.masks[rows], device
    )


def choose(logits: Array, random: np.random.Generator) -> tuple[Array, Array]:
    """A candidate for each row with the probability that the logits give it, and the logarithm of that probability."""
    shares = logits - logits.max(axis=1, keepdims=True)
    shares -= np.log(np.exp(shares).sum(axis=1, keepdims=True))
    noise = -np.log(random.standard_exponential(shares.shape, np.float32) + 1e-20)
    chosen = (shares + noise).argmax(axis=1).astype(np.int32)
    return chosen, shares[np.arange(len(shares)), chosen]


def collect(
    model: ActorCritic,
    games: Games,
    settings: RlSettings,
    random: np.random.Generator,
    bench: Workbench,
) -> Batch:
    """Plays; where a game is cut off, the critic says what would have come after."""
    everywhere = np.ones(settings.rows, np.bool_)
    shape = (settings.horizon, settings.rows)
    actions, log_probs, values = np.zeros(shape, np.int64), np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    worth = np.zeros(shape, np.float32)
    decisions: list[Decisions] = []
    turns: list[Turn] = []
    cuts: list[Outlook | None] = []
    for number in range(settings.horizon):
        decisions.append(looked_at(games.seen, everywhere, bench.device))
        logits, values[number], _ = opinions(model, decisions[-1], bench)
        actions[number], log_probs[number] = choose(logits, random)
        turn, cut = games.step(actions[number].astype(np.int32)), None
        if turn.cut.any():
            _, worth[number, turn.cut], cut = opinions(model, looked_at(games.seen, turn.cut, bench.device), bench)
            games.deal(turn.cut)
        turns.append(turn)
        cuts.append(cut)
    _, last, outlook = opinions(model, looked_at(games.seen, everywhere, bench.device), bench)
    gains = _gains(turns, values, worth, last, settings)
    return Batch(
        decisions=Decisions.joined(decisions),
        actions=actions.reshape(-1),
        log_probs=log_probs.reshape(-1),
        values=values.reshape(-1),
        advantages=((gains - gains.mean()) / (gains.std() + 1e-8)).reshape(-1),
        returns=(gains + values).reshape(-1),
        outlook=outlooks(turns, cuts, outlook),
    )


def _gains(turns: list[Turn], values: Array, worth: Array, last: Array, settings: RlSettings) -> Array:
    """``worth``: of games where they were cut off; ``last``: of all games after the last turn."""
    ended, cut, lost_sight = (
        np.stack([getattr(turn, name) for turn in turns]) for name in ("ended", "cut", "lost_sight")
    )
    after = np.concatenate([values[1:], last[None]])
    after = np.where(cut, worth, np.where(ended, 0, after))
    after = np.where(lost_sight, values, after)  # what is shown no more is taken to be worth what it was just before
    rewards = np.stack([turn.rewards for turn in turns])
    return advantages(rewards, values, after, ~(ended | cut | lost_sight), settings.gamma, settings.gae_lambda)


def advantages(rewards: Array, values: Array, after: Array, goes_on: Array, gamma: float, gae_lambda: float) -> Array:
    """Generalised advantage estimation, ``[turns, rows]``.

    ``after``: what the critic expects after each decision: 0 where the game was won or lost, the value of the last
    state where it was cut off. ``goes_on``: whether the next turn belongs to the same game.
    """
    surprise = rewards + gamma * after - values
    gains = np.zeros_like(surprise)
    running = np.zeros_like(surprise[0])
    for turn in reversed(range(len(surprise))):
        running = surprise[turn] + gamma * gae_lambda * goes_on[turn] * running
        gains[turn] = running
    return gains


# --- Learning ---------------------------------------------------------------------------------------------------------


class Targets(NamedTuple):
    """A batch as tensors."""

    actions: Tensor
    log_probs: Tensor
    advantages: Tensor
    returns: Tensor
    win: Tensor
    clear: Tensor
    clear_known: Tensor
    ante: Tensor


@dataclass(frozen=True, slots=True)
class Rule:
    """What counts how much in an update."""

    settings: RlSettings
    entropy: float
    spread: float
    """Of the returns; the critic's mistakes are measured by it."""
    critic_alone: bool = False
    start: EntityNetwork | None = None
    """The network that the policy should not leave too far."""


def policy_loss(ratio: Tensor, gains: Tensor, clip: float) -> Tensor:
    """For each decision: what is lost, no less for a probability that moved further than ``clip`` to the better."""
    return -torch.minimum(ratio * gains, ratio.clamp(1 - clip, 1 + clip) * gains)


def losses(opinion: Opinion, target: Targets, rule: Rule, start_logits: Tensor | None = None) -> dict[str, Tensor]:
    """Sums over the decisions; ``loss`` is what is made smaller, the others are told."""
    settings = rule.settings
    shares = opinion.logits.float().log_softmax(dim=-1)
    moved = shares.gather(1, target.actions[:, None]).squeeze(1) - target.log_probs
    ratio = moved.exp()
    entropy = -(shares.exp() * shares).sum()
    policy = policy_loss(ratio, target.advantages, settings.clip).sum()
    value = 0.5 * (opinion.value.float() - target.returns).square().sum() / rule.spread
    outlook = outlook_loss(opinion.win.float(), opinion.clear.float(), opinion.ante.float(), target[4:])
    loss = settings.value_weight * value + outlook
    if not rule.critic_alone:
        loss = loss + policy - rule.entropy * entropy
    told = {"policy": policy, "value": value, "outlook": outlook, "entropy": entropy}
    if start_logits is not None:
        first = start_logits.float().log_softmax(dim=-1)
        left = (first.exp() * (first - shares)).sum()
        told["start_kl"] = left
        if not rule.critic_alone:
            loss = loss + settings.start_kl * left
    told["kl"] = (ratio - 1 - moved).sum()
    told["clipped"] = ((ratio - 1).abs() > settings.clip).sum()
    return {"loss": loss, **told}


def improve(
    model: ActorCritic,
    optimizer: torch.optim.Optimizer,
    batch: Batch,
    rule: Rule,
    random: np.random.Generator,
    bench: Workbench,
) -> dict[str, float]:
    """Goes through the decisions ``epochs`` times; returns means of what was lost in the last of them."""
    arrays = (batch.actions, batch.log_probs, batch.advantages, batch.returns, *batch.outlook)
    targets = Targets(*(torch.from_numpy(array).to(bench.device) for array in arrays))
    count = len(batch.actions)
    for _ in range(rule.settings.epochs):
        told: dict[str, float] = defaultdict(float)
        for indices in np.array_split(random.permutation(count), math.ceil(count / rule.settings.minibatch)):
            for name, value in _step(model, optimizer, batch.decisions, targets, indices, rule, bench).items():
                told[name] += value / count
    return told


def _step(
    model: ActorCritic,
    optimizer: torch.optim.Optimizer,
    decisions: Decisions,
    targets: Targets,
    indices: Array,
    rule: Rule,
    bench: Workbench,
) -> dict[str, float]:
    """One step of the optimizer. Gradients are added up in the order of the pieces, whoever is ready first."""
    weights = list(model.parameters())
    pieces = decisions.pieces(indices, bench.piece)

    def learn(piece: Array) -> tuple[tuple[Tensor | None, ...], Tensor]:
        places = torch.from_numpy(piece).to(bench.device)
        known = Targets(*(part[places] for part in targets))
        return _gradients(model, weights, rule, len(indices), bench, decisions.inputs(piece), known)

    found = list(bench.map(learn, pieces))
    for weight, *parts in zip(weights, *(gradients for gradients, _ in found), strict=True):
        there = [part for part in parts if part is not None]  # a piece without jokers says nothing of jokers
        weight.grad = torch.stack(there).sum(dim=0) if there else None
    nn.utils.clip_grad_norm_(weights, rule.settings.max_gradient)
    optimizer.step()
    told = torch.stack([told for _, told in found]).sum(dim=0).tolist()
    names = _told_names(rule)
    sums = dict(zip(names, told, strict=True))
    if not math.isfinite(sums["loss"]):
        raise TrainingFailed(f"The loss became {sums['loss']}. Try a lower lr.")
    return sums


def _gradients(
    model: ActorCritic,
    weights: list[nn.Parameter],
    rule: Rule,
    count: int,
    bench: Workbench,
    inputs: Mapping[str, Tensor],
    targets: Targets,
) -> tuple[tuple[Tensor | None, ...], Tensor]:
    """Of one piece; ``count``: decisions of the whole step."""
    with bench.autocast():
        opinion = model(inputs, rule.critic_alone)
        start = None
        if rule.start is not None:
            with torch.no_grad():
                start = rule.start(inputs).logits
    found = losses(opinion, targets, rule, start)
    gradients = torch.autograd.grad(found["loss"] / count, weights, allow_unused=True)
    return gradients, torch.stack([value.detach().float() for value in found.values()])


def _told_names(rule: Rule) -> list[str]:
    start = ["start_kl"] if rule.start is not None else []
    return ["loss", "policy", "value", "outlook", "entropy", *start, "kl", "clipped"]
