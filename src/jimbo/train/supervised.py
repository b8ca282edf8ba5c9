"""Networks learnt from recorded games: behaviour cloning (bc), and policy with value (pv).

The policy learns to choose as the recorded player did: its loss is the cross-entropy between the network's choice among
the allowed candidates and the player's. Where the player rated its candidates, part of the target goes to those that it
found nearly as good.

With pv the network also says from the state and the best candidates how likely the run is won, how likely one more
blind is beaten, two more, ..., and in which ante it ends. All decisions of a game have nearly the same answer, so there
are few labels to learn from, and a network would soon know the games by heart: these heads read what the policy learns
to see, and change nothing of it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, get_args

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy
from torch.optim import AdamW

from jimbo.data.curriculum import curriculum_hash, read_curriculum
from jimbo.data.record import Measure
from jimbo.data.samples import PHASES, BadData, Samples, check_named_once, read_samples
from jimbo.engine import Phase
from jimbo.files import file_hash
from jimbo.models.checkpoint import config_of, save_network
from jimbo.models.export import export_saved
from jimbo.models.graph_embedding import DIM
from jimbo.models.inputs import candidate_places, input_schema, network_inputs, padded
from jimbo.models.network import EntityNetwork, Judgement, judged
from jimbo.models.outputs import outcomes
from jimbo.run_folder import RunFolder
from jimbo.text import counted, percent_text
from jimbo.train.core.curves import Line, Panel, Picture
from jimbo.train.core.loop import TrainingFailed, TrainingMethod, run
from jimbo.train.core.schedule import warm_cosine
from jimbo.train.core.state import BEST, LAST, METRICS, config_data, training_folder
from jimbo.train.core.watching import Progress, Row, Watcher
from jimbo.train.settings import TrainSettings

Array = NDArray[Any]
Parts = dict[str, Tensor]
"""Losses by name; ``loss`` is what is minimised."""
LossOf = Callable[[Judgement, Samples, Array, TrainSettings], Parts]
_EXPORT_CHECKS = 1000
"""Recorded decisions on which the exported network must say what the network says."""
_MAX_GRADIENT = 1.0


def _both(name: str, *more: Line) -> tuple[Line, ...]:
    return (Line(f"train/{name}", "train", "o--"), Line(f"val/{name}", "val"), *more)


_PICTURE = Picture(
    "epoch",
    "epoch",
    (
        Panel("Cross-entropy of the choice", "lower is better", _both("policy")),
        Panel(
            "Agreement with the teacher",
            "share of decisions",
            _both("top1", Line("val/top3", "val, best three")),
            is_share=True,
        ),
        Panel("Log loss of the chance to win", "lower is better", _both("win")),
    ),
)

# --- Data -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class TrainingData:
    """Decisions to learn from and to validate by; both may be parts of the same samples."""

    samples: Samples
    indices: Array
    val: Samples
    val_indices: Array

    def check(self) -> None:
        if not len(self.indices):
            raise BadData("The data hold no decision to learn from: they need games in which something was chosen.")
        if not len(self.val_indices):
            raise BadData("The data hold no game for validation: record at least 10 games, or name others with --val.")


def read_data(paths: Sequence[Path], val: Sequence[Path], settings: TrainSettings) -> TrainingData:
    """Read recorded games; without ``val`` a share of them is held out. BadData if there is nothing to learn from."""
    check_named_once([*paths, *val])
    samples = read_samples(paths)
    others = read_samples(val) if val else samples
    indices, held_out = split(samples, 0.0 if val else settings.val_share)
    data = TrainingData(samples, indices, others, split(others, 0.0)[0] if val else held_out)
    data.check()
    if settings.batch_size > len(indices):
        raise ValueError(
            f"batch_size is {settings.batch_size:,}, but there are only {len(indices):,} decisions to learn "
            "from: lower it, or add games"
        )
    return data


def describe_data(data: TrainingData, paths: Sequence[Path], val: Sequence[Path]) -> dict[str, Any]:
    """Return what identifies the data of a training; it is kept with the network."""
    return {
        "files": {str(path): file_hash(path)[:16] for path in (*paths, *val)},
        "games": len(data.samples.played),
        "decisions": len(data.indices),
        "judged_by": len(data.val_indices),
        "players": sorted({game.agent for game in data.samples.played}),
    }


def split(samples: Samples, share: float) -> tuple[Array, Array]:
    """Return the decisions to learn from and those to validate by, with a listed choice each.

    A game is on one side, by its number, whatever its place in the file.
    """
    useful = (samples.chosen >= 0) & (np.diff(samples.starts) > 1)
    every = max(2, round(1 / share)) if share > 0 else 0
    numbers = np.array([game.number for game in samples.played], np.int64)[samples.games]
    held_out = (numbers % every == every - 1) if every else np.zeros(len(samples), np.bool_)
    return np.flatnonzero(useful & ~held_out), np.flatnonzero(useful & held_out)


_POOL = 32
"""Batches whose decisions are sorted by the number of candidates, before they are dealt out."""


def batches(samples: Samples, indices: Array, size: int, seed: list[int]) -> Iterator[Array]:
    """Yield decisions in random order, in batches of about equally many candidates, so that little is padding.

    The order depends on ``seed`` alone.
    """
    random = np.random.default_rng(seed)
    indices = random.permutation(indices)
    counts = np.diff(samples.starts)
    for start in range(0, len(indices), size * _POOL):
        pool = indices[start : start + size * _POOL]
        pool = pool[np.argsort(counts[pool], kind="stable")]
        cut = [pool[first : first + size] for first in range(0, len(pool), size)]
        yield from (cut[place] for place in random.permutation(len(cut)))


# --- Targets ----------------------------------------------------------------------------------------------------------

_SCALES = {"clear": 0.02, "win": 1.0}
"""By the measure of the values: differences that a teacher can tell. Scores and values of its own say nothing sure."""


class ChoiceTargets(NamedTuple):
    """``[B, K]``: how likely each candidate should be; and ``[B]``: whether anything can be learnt from it."""

    shares: Array
    counts: Array


def choices(samples: Samples, indices: Array, softness: float) -> ChoiceTargets:
    """Return the action that was taken and, with the weight ``softness``, all that its player found nearly as good."""
    rows, mask = candidate_places(samples.starts, indices)
    chosen = samples.chosen[indices]
    counts = (chosen >= 0) & (mask.sum(axis=1) > 1)
    hard = (np.arange(mask.shape[1]) == chosen[:, None]).astype(np.float32)
    values = np.where(mask, samples.values[rows], np.nan)
    soft = _soft(values, samples.measures[indices])
    known = (soft * hard).sum(axis=1) > 0  # the action taken is among the values
    weight = np.where(known, softness, 0.0).astype(np.float32)[:, None]
    return ChoiceTargets((1 - weight) * hard + weight * soft, counts)


def _soft(values: Array, measures: Array) -> Array:
    """Return shares by the player's own values; a network's probabilities are shares already."""
    names = get_args(Measure)
    scales = np.array([_SCALES.get(name, np.nan) for name in names], np.float32)[measures][:, None]
    known = ~np.isnan(values)
    best = np.max(values, axis=1, keepdims=True, initial=-np.inf, where=known)
    with np.errstate(invalid="ignore", over="ignore"):
        weights = np.exp(np.where(known, (values - best) / scales, -np.inf))
    weights = np.where(
        (measures == names.index("choice"))[:, None], np.where(known, values, 0.0), np.nan_to_num(weights)
    )
    shares: Array = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-9)
    return shares.astype(np.float32)


# --- Losses -----------------------------------------------------------------------------------------------------------


def bc_losses(judgement: Judgement, samples: Samples, indices: Array, settings: TrainSettings) -> Parts:
    policy = policy_loss(judgement, samples, indices, settings.softness, emphasis(samples, indices, settings))
    return {"loss": policy, "policy": policy}


def pv_losses(judgement: Judgement, samples: Samples, indices: Array, settings: TrainSettings) -> Parts:
    weights = emphasis(samples, indices, settings)
    policy = policy_loss(judgement, samples, indices, settings.softness, weights)
    return with_value(policy, value_losses(judgement, samples, indices, weights), settings)


def emphasis(samples: Samples, indices: Array, settings: TrainSettings) -> Array:
    """How much each decision counts, by the curriculum; without one all count alike."""
    if settings.curriculum is None:
        return np.ones(len(indices), np.float32)
    return _weights(settings.curriculum, samples)[indices]


@lru_cache(maxsize=2)
def _weights(path: str, samples: Samples) -> Array:
    in_hand = samples.phases == PHASES.index(Phase.selecting_hand)
    return read_curriculum(Path(path)).weights(samples.observations["ante"], in_hand)


def with_value(policy: Tensor, value: Parts, settings: TrainSettings) -> Parts:
    total = policy + settings.value_weight * torch.stack(list(value.values())).sum()
    return {"loss": total, "policy": policy, **value}


def policy_loss(
    judgement: Judgement, samples: Samples, indices: Array, softness: float, weights: Array | None = None
) -> Tensor:
    device = judgement.logits.device
    target = choices(samples, indices, softness)
    shares = torch.from_numpy(target.shares).to(device)
    counts = torch.from_numpy(_weighed(target.counts.astype(np.float32), weights)).to(device)
    surprise = -(shares * judgement.logits.log_softmax(dim=-1)).sum(dim=-1)
    return (surprise * counts).sum() / counts.sum().clamp(min=1.0)


def value_losses(judgement: Judgement, samples: Samples, indices: Array, weights: Array | None = None) -> Parts:
    device = judgement.win.device
    target = outcomes(samples, indices)
    win, clear, clear_known, ante, known = (torch.from_numpy(part).to(device) for part in target)
    counts = torch.from_numpy(_weighed(np.ones(len(indices), np.float32), weights)).to(device)
    return {
        "win": _mean(binary_cross_entropy_with_logits(judgement.win, win, reduction="none"), known * counts),
        "clear": _mean(
            binary_cross_entropy_with_logits(judgement.clear, clear, reduction="none"), clear_known * counts[:, None]
        ),
        "ante": _mean(cross_entropy(judgement.ante, ante, reduction="none"), known * counts),
    }


def _weighed(counts: Array, weights: Array | None) -> Array:
    return counts if weights is None else counts * weights


def _mean(losses: Tensor, weights: Tensor) -> Tensor:
    return (losses * weights).sum() / weights.sum().clamp(min=1.0)


LOSSES: dict[str, LossOf] = {"bc": bc_losses, "pv": pv_losses, "dagger": pv_losses}

# --- Validation -------------------------------------------------------------------------------------------------------

_VALIDATION_BATCH = 512
_TOP = 3


def judgement_of(network: EntityNetwork, samples: Samples, indices: Array) -> Judgement:
    """Return what the network makes of recorded decisions."""
    return judged(network, network_inputs(*padded(samples, indices)))


@torch.no_grad()
def validate(network: EntityNetwork, samples: Samples, indices: Array) -> dict[str, float]:
    """Return means: losses against the hard targets, and how often the action taken is among the best."""
    network.eval()
    sums: dict[str, float] = defaultdict(float)
    for batch in batches(samples, indices, _VALIDATION_BATCH, [0]):
        judgement = judgement_of(network, samples, batch)
        parts = {"policy": policy_loss(judgement, samples, batch, 0.0), **value_losses(judgement, samples, batch)}
        for name, loss in parts.items():
            sums[name] += float(loss) * len(batch)
        _count_hits(judgement, samples, batch, sums)
    phases = np.bincount(samples.phases[indices], minlength=len(PHASES))
    totals = {f"top1/{phase}": int(count) for phase, count in zip(PHASES, phases, strict=True) if count}
    return {name: value / totals.get(name, len(indices)) for name, value in sums.items()}


def _count_hits(judgement: Judgement, samples: Samples, batch: Array, sums: dict[str, float]) -> None:
    logits = judgement.logits.float().cpu().numpy()
    chosen = logits[np.arange(len(batch)), samples.chosen[batch]]
    better = (logits > chosen[:, None]).sum(axis=1)
    sums["top1"] += int((better < 1).sum())
    sums["top3"] += int((better < _TOP).sum())
    for place in np.unique(samples.phases[batch]):
        sums[f"top1/{PHASES[place]}"] += int(((better < 1) & (samples.phases[batch] == place)).sum())


# --- Training ---------------------------------------------------------------------------------------------------------


class Supervised(TrainingMethod):
    """Epochs of batches, with a validation after each; the network with the lowest policy loss is the best."""

    picture = _PICTURE
    optimizer: AdamW

    def __init__(
        self,
        data: TrainingData,
        settings: TrainSettings,
        device: torch.device,
        about_data: dict[str, Any],
        loss_of: LossOf | None = None,
    ) -> None:
        data.check()
        self._data, self._settings, self._loss_of = data, settings, loss_of or LOSSES[settings.method]
        self.title = f"{settings.method}, size {settings.size}, {about_data['games']:,} games"
        self.config = config_data(asdict(settings), input_schema(), data=about_data)
        torch.manual_seed(settings.seed)
        shape = replace(config_of(settings.size), dropout=settings.dropout, graph_dim=DIM if settings.graph else 0)
        self.network = EntityNetwork(shape).to(device)
        self.optimizer = AdamW(self.network.parameters(), lr=settings.lr, weight_decay=settings.weight_decay)
        self.networks = {"weight": self.network}
        self.total = settings.epochs
        self._per_epoch = sum(1 for _ in self._batches(0))

    def _batches(self, epoch: int) -> Iterator[Array]:
        data, settings = self._data, self._settings
        return batches(data.samples, data.indices, settings.batch_size, [settings.seed, epoch])

    def step(self, progress: Progress, watcher: Watcher) -> Row:
        """Pass over the decisions once. Order and dropout depend on the seed and the epoch alone."""
        settings, network, optimizer, samples = self._settings, self.network, self.optimizer, self._data.samples
        torch.manual_seed(settings.seed * 1_000_003 + progress.done)
        network.train()
        sums: dict[str, float] = defaultdict(float)
        smooth, total = 0.0, self._per_epoch * settings.epochs
        for step, batch in enumerate(self._batches(progress.done), self._per_epoch * progress.done):
            for group in optimizer.param_groups:
                group["lr"] = settings.lr * warm_cosine(step, total)
            parts = self._loss_of(judgement_of(network, samples, batch), samples, batch, settings)
            optimizer.zero_grad(set_to_none=True)
            parts["loss"].backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(network.parameters(), _MAX_GRADIENT)
            optimizer.step()
            found = {name: loss.item() for name, loss in parts.items()}
            if not math.isfinite(found["loss"]):
                raise TrainingFailed(
                    f"The loss became {found['loss']} in step {step + 1}. Try a lower --lr, or look at the data."
                )
            for name, loss in found.items():
                sums[name] += loss / self._per_epoch
            watcher.count(samples=len(batch))
            smooth = 0.98 * smooth + 0.02 * found["loss"] if smooth else found["loss"]
            watcher.progress("Learning", step + 1, total, "steps", f"loss {smooth:.3f}")
        return {"train": dict(sums)}

    def evaluate(self, number: int, watcher: Watcher) -> Row:
        return {"val": validate(self.network, self._data.val, self._data.val_indices)}

    def score(self, row: Row) -> tuple[float, ...]:
        return (-row["val"]["policy"],)

    def is_enough(self, progress: Progress) -> bool:
        return progress.done - progress.best_at >= self._settings.patience

    def keep(self, stem: Path, row: Row) -> None:
        method = self._settings.method
        about = {"method": method, "foresees": method != "bc", **self.config}
        save_network(self.network, stem, {**about, "epoch": row["epoch"], "metrics": row["val"]})

    def line(self, row: Row, progress: Progress) -> str:
        return (
            f"Epoch {row['epoch']}: loss {row['train']['loss']:.3f}; on other games choice {row['val']['policy']:.3f}, "
            f"agrees in {percent_text(row['val']['top1'])}"
        )

    def metrics(self, progress: Progress, **more: Any) -> dict[str, Any]:
        return {
            "best_epoch": progress.best_at,
            "best_policy_loss": -progress.best[0],
            **more,
            "epochs": list(progress.history),
        }

    def finish(self, folder: RunFolder, progress: Progress, watcher: Watcher) -> None:
        """Export the best and the last epoch."""
        watcher.progress("Writing ONNX", 0, 1, "files")
        indices = self._data.val_indices
        places = np.linspace(0, len(indices) - 1, min(_EXPORT_CHECKS, len(indices)), dtype=int)
        examples = self._data.val.take(indices[places])
        difference = export_saved(folder.path(BEST), examples)
        folder.write_json(METRICS, self.metrics(progress, onnx_difference=difference))
        export_saved(folder.path(LAST), examples)


def run_files(
    paths: Sequence[Path],
    val: Sequence[Path],
    settings: TrainSettings,
    out: Path,
    *,
    device: torch.device,
    watcher: Watcher,
) -> Progress:
    """Train on recorded games in a folder."""
    training_folder(out).check()
    data, about = read_and_describe(paths, val, settings, watcher)
    with training_folder(out) as folder:
        return run(Supervised(data, settings, device, about), folder, watcher)


def read_and_describe(
    paths: Sequence[Path], val: Sequence[Path], settings: TrainSettings, watcher: Watcher
) -> tuple[TrainingData, dict[str, Any]]:
    watcher.progress("Reading", 0, 1, counted(len(paths), "file"))
    data = read_data(paths, val, settings)
    return data, {**describe_data(data, paths, val), **curriculum_hash(settings.curriculum)}
