"""Proximal policy optimisation on native games: play, find out what was better than expected, do more of it.

An update has three parts. ``collect`` (ppo_games.py) plays ``horizon`` decisions in each of ``rows`` games with the
network as it is. ``advantages`` says how much better each decision turned out than the critic expected (generalised
advantage estimation). ``improve`` makes good decisions likelier, never by more than ``clip`` at a time, and corrects
the critic.

The policy is an ``EntityNetwork`` as the other trainings make it: it scores the candidates that are listed, so an
action that is not allowed cannot be chosen. The critic is a separate head on what the network sees; it is not part of
the exported network.
"""

from __future__ import annotations

import math
import time
from collections import defaultdict, deque
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.optim import Adam, Optimizer

from jimbo.files import file_hash
from jimbo.models.checkpoint import config_of, load_network, save_network
from jimbo.models.export import example_decisions, export_saved
from jimbo.models.inputs import input_schema
from jimbo.models.network import EntityNetwork
from jimbo.run_folder import RunFolder
from jimbo.text import counted, percent_text
from jimbo.train.core.curves import Line, Panel, Picture
from jimbo.train.core.loop import TrainingFailed, TrainingMethod, run
from jimbo.train.core.schedule import newest_share, share_left
from jimbo.train.core.state import BEST, LAST, config_data, training_folder
from jimbo.train.core.watching import Progress, Row, Watcher
from jimbo.train.ppo_games import Games, PlayedBatch, collect, evaluate
from jimbo.train.ppo_model import ActorCritic, Decisions, Opinion, Workbench, outlook_loss, workbench
from jimbo.train.settings import RlSettings

Array = NDArray[Any]


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
    """Weights of the losses of an update."""

    settings: RlSettings
    entropy: float
    spread: float
    """Of the returns; the critic's mistakes are measured by it."""
    critic_alone: bool = False
    start: EntityNetwork | None = None
    """The network that the policy should not leave too far."""


def policy_loss(ratio: Tensor, gains: Tensor, clip: float) -> Tensor:
    """Return a loss for each decision, no lower for a probability that moved further than ``clip`` to the better."""
    return -torch.minimum(ratio * gains, ratio.clamp(1 - clip, 1 + clip) * gains)


def losses(opinion: Opinion, target: Targets, rule: Rule, start_logits: Tensor | None = None) -> dict[str, Tensor]:
    """Return sums over the decisions; ``loss`` is minimised, the others are reported."""
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
    optimizer: Optimizer,
    batch: PlayedBatch,
    rule: Rule,
    random: np.random.Generator,
    bench: Workbench,
) -> dict[str, float]:
    """Go through the decisions ``epochs`` times; return means of the losses in the last pass."""
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
    optimizer: Optimizer,
    decisions: Decisions,
    targets: Targets,
    indices: Array,
    rule: Rule,
    bench: Workbench,
) -> dict[str, float]:
    """Make one step of the optimizer. Gradients are added up in the order of the pieces, whoever is ready first."""
    weights = list(model.parameters())
    pieces = decisions.pieces(indices, bench.piece)

    def learn(piece: Array) -> tuple[tuple[Tensor | None, ...], dict[str, Tensor]]:
        places = torch.from_numpy(piece).to(bench.device)
        target, inputs = Targets(*(part[places] for part in targets)), decisions.inputs(piece)
        with bench.autocast():
            opinion, start = model(inputs, rule.critic_alone), None
            if rule.start is not None:
                with torch.no_grad():
                    start = rule.start(inputs).logits
        found = losses(opinion, target, rule, start)
        gradients = torch.autograd.grad(found["loss"] / len(indices), weights, allow_unused=True)
        return gradients, {name: value.detach().float() for name, value in found.items()}

    found = list(bench.map(learn, pieces))
    for weight, *parts in zip(weights, *(gradients for gradients, _ in found), strict=True):
        there = [part for part in parts if part is not None]  # a piece without jokers says nothing of jokers
        weight.grad = torch.stack(there).sum(dim=0) if there else None
    nn.utils.clip_grad_norm_(weights, rule.settings.max_gradient)
    optimizer.step()
    told = torch.stack([torch.stack(list(told.values())) for _, told in found]).sum(dim=0).tolist()
    sums = dict(zip(found[0][1], told, strict=True))
    if not math.isfinite(sums["loss"]):
        raise TrainingFailed(f"The loss became {sums['loss']}. Try a lower lr.")
    return sums


# --- A whole training -------------------------------------------------------------------------------------------------

SUMMARY = "rl_train_summary.json"
_CRITIC_LR = 2.5e-3
"""Lowest rate of a critic that learns alone: it starts with nothing, and can spoil nothing."""
_RECENT = 8
"""Updates over which speed and games are averaged for the bar: few games end in one."""
_PHASE, _UNIT = "Playing and learning", "decisions"


def _panel(name: str, title: str, unit: str) -> Panel:
    learning, evaluated = Line(name, "while learning", "-", smooth=True), Line(f"judged/{name}", "evaluated")
    return Panel(title, unit, (learning, evaluated))


_PICTURE = Picture(
    "steps",
    "decisions",
    (
        _panel("mean_ante", "Mean ante", "of the games that ended"),
        _panel("win_rate", "Won", "share of games"),
        Panel("Entropy of the choice", "0: always the same one", (Line("entropy", style="-", smooth=True),)),
        Panel("KL of an update", "how far the choices moved", (Line("kl", style="-", smooth=True),)),
    ),
)


def run_rl(settings: RlSettings, out: Path, *, device: torch.device, threads: int, watcher: Watcher) -> Progress:
    """Train in a folder; a training of the same settings that was stopped there is resumed."""
    training_folder(out).check()
    with workbench(device, threads) as bench:
        method = Ppo(settings, bench)
        with training_folder(out) as folder:
            return run(method, folder, watcher)


class Ppo(TrainingMethod):
    """Network, games and optimizer, from update to update."""

    unit = "update"
    picture = _PICTURE
    optimizer: Adam

    def __init__(self, settings: RlSettings, bench: Workbench) -> None:
        self._settings, self._bench = settings, bench
        self.title = f"rl, {settings.init or settings.size}, {settings.decisions:,} decisions"
        told = {"method": "rl", **asdict(settings)}
        self.config = config_data(told, input_schema(), init_hash=_start_hash(settings))
        torch.manual_seed(settings.seed)
        network = _start_network(settings)
        self._start = network.eval().to(bench.device) if settings.init and settings.start_kl > 0 else None
        self.model = ActorCritic(_without_dropout(network)).to(bench.device)
        self.average = deepcopy(self.model).eval().requires_grad_(False)
        """Mean of the weights over the last updates, which is evaluated and kept; the learner continues its own."""
        self.networks = {"weight": self.model, "average": self.average}
        self.optimizer = Adam(self.model.parameters(), lr=settings.lr, eps=1e-5, fused=bench.device.type == "cpu")
        self.total = settings.updates
        self._games = Games(settings, bench.threads)
        self._recent: deque[float] = deque(maxlen=_RECENT)

    def begin(self, progress: Progress, watcher: Watcher) -> Row | None:
        settings = self._settings
        size = f"{settings.batch:,} decisions (rows {settings.rows:,} x horizon {settings.horizon:,})"
        asked = "" if settings.decisions == settings.steps else f", where {settings.steps:,} were asked"
        updates = counted(settings.updates, "update")
        watcher.say(f"{updates} of {size}: {settings.decisions:,} decisions in all{asked}.")
        self._show(watcher, _PHASE, progress.done)
        return None if progress.history else {"update": 0, "steps": 0, **self.evaluate(0, watcher)}

    def step(self, progress: Progress, watcher: Watcher) -> Row:
        """Play and learn; random numbers depend on the seed and the number of the update alone."""
        settings, began, number = self._settings, time.perf_counter(), progress.done
        random = np.random.default_rng([settings.seed, number])
        done = number / settings.updates
        alone = settings.init is not None and number < settings.critic_warm_up
        rate = max(_CRITIC_LR, settings.lr) if alone else settings.lr * share_left(settings.schedule, done)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.model.eval()
        batch = collect(self.model, self._games, settings, random, self._bench)
        rule = Rule(
            settings,
            entropy=settings.entropy + (settings.entropy_end - settings.entropy) * done,
            spread=max(float(batch.returns.var()), 1e-8),
            critic_alone=alone,
            start=self._start,
        )
        told = improve(self.model, self.optimizer, batch, rule, random, self._bench)
        for mean, weight in zip(self.average.parameters(), self.model.parameters(), strict=True):
            mean.lerp_(weight.detach(), newest_share(settings.average, number + 1))
        explained = 1 - float((batch.returns - batch.values).var()) / rule.spread
        self._recent.append(time.perf_counter() - began)
        self.seconds += self._recent[-1]
        steps = (number + 1) * settings.batch
        played = self._games.report()
        watcher.count(games=int(played["games"]), samples=settings.batch * settings.epochs)
        row = {"steps": steps, "lr": rate, **told, "explained": explained, **played}
        self._show(watcher, _PHASE, number + 1, self._note([*progress.history, row]))
        return row

    def _show(self, watcher: Watcher, phase: str, updates: int, note: str = "") -> None:
        watcher.progress(phase, updates * self._settings.batch, self._settings.decisions, _UNIT, note)

    def _note(self, history: list[Row]) -> str:
        """Return how fast it is, and how the games of the last updates went."""
        rows = [row for row in history[-_RECENT:] if row.get("games")]
        games = sum(row["games"] for row in rows) or 1
        ante = sum(row["games"] * row["mean_ante"] for row in rows) / games
        won = sum(row["games"] * row["win_rate"] for row in rows) / games
        speed = self._settings.batch * len(self._recent) / max(1e-9, sum(self._recent))
        last = history[-1]
        return (
            f"{speed:,.0f} steps/s, ante {ante:.2f}, won {percent_text(won)}, "
            f"entropy {last['entropy']:.2f}, KL {last['kl']:.3f}"
        )

    def evaluate(self, number: int, watcher: Watcher) -> Row:
        if number % self._settings.eval_every and number != self.total:
            return {}
        self._show(watcher, "Evaluating", number)
        return {"judged": evaluate(self.average, self._settings, self._bench)}

    def score(self, row: Row) -> tuple[float, ...] | None:
        judged = row.get("judged")
        return (judged["antes_cleared"], judged["mean_blinds"]) if judged else None

    def keep(self, stem: Path, row: Row) -> None:
        about = {"method": "rl", "candidates": self._settings.candidates, **self.config}
        card = {**about, "update": row["update"], "steps": row["steps"], "metrics": row["judged"]}
        save_network(self.average.network, stem, card)
        if stem.name == BEST:
            self._export(stem)

    def line(self, row: Row, progress: Progress) -> str:
        judged = row.get("judged")
        if not judged:
            return ""
        return (
            f"{row['steps']:>11,} decisions: evaluated on {judged['games']:,} games, "
            f"mean ante {judged['mean_ante']:.2f}, won {percent_text(judged['win_rate'])}"
        )

    def files(self, progress: Progress) -> Mapping[str, Any]:
        return {**super().files(progress), SUMMARY: self._summary(progress)}

    def _summary(self, progress: Progress) -> dict[str, Any]:
        judged = {row["update"]: row["judged"] for row in progress.history if "judged" in row}
        steps = progress.done * self._settings.batch
        return {
            "updates": progress.done,
            "steps": steps,
            "games": sum(int(row.get("games", 0)) for row in progress.history),
            "illegal_actions": sum(int(row.get("illegal", 0)) for row in progress.history),
            "seconds": round(self.seconds, 3),
            "steps_per_s": round(steps / self.seconds, 1) if self.seconds else 0.0,
            "start": judged[0],
            "best": {"update": progress.best_at, **judged[progress.best_at]},
            "last": {"update": progress.done, **judged[max(judged)]},
            **self.config,
        }

    def texts(self) -> Mapping[str, str]:
        return {"games": self._games.save()}

    def restore(self, texts: Mapping[str, str]) -> None:
        self._games.load(texts["games"])

    def finish(self, folder: RunFolder, progress: Progress, watcher: Watcher) -> None:
        self._show(watcher, "Writing ONNX", progress.done)
        self._export(folder.path(LAST))

    def _export(self, stem: Path) -> None:
        settings = self._settings
        export_saved(stem, example_decisions(settings.candidates, settings.deck, settings.stake))


def _start_network(settings: RlSettings) -> EntityNetwork:
    if settings.init is None:
        return EntityNetwork(config_of(settings.size))
    network = load_network(_weights(settings.init))[0]
    # Whoever learnt from records plays far worse by drawing than by its first choice, and drawn games are learnt from.
    with torch.no_grad():
        for weight in network.candidates.score.parameters():
            weight.mul_(settings.sharpness)
    return network


def _without_dropout(network: EntityNetwork) -> EntityNetwork:
    """Copy a network: the probabilities of an update must be those with which the actions were chosen."""
    copy = EntityNetwork(replace(network.config, dropout=0.0))
    copy.load_state_dict(network.state_dict())
    return copy


def _weights(init: str) -> Path:
    """Return the weights in the folder of a training, or a file."""
    path = Path(init)
    return path / f"{BEST}.safetensors" if path.is_dir() else path.with_suffix(".safetensors")


def _start_hash(settings: RlSettings) -> str | None:
    if settings.init is None:
        return None
    path = _weights(settings.init)
    if not path.is_file():
        raise ValueError(f"init: there is no {path}. Name the folder of a training by bc, pv, dagger, distill or rl.")
    return file_hash(path)
