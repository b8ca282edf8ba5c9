"""The value of a build, learnt generation by generation from the games that it plays itself.

A generation plays games with the value so far, keeps some of their positions, and learns from those of the last
generations what became of the blinds after them. The mean over the generations is what plays.
"""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from jimbo.data.curriculum import curriculum_hash, read_curriculum
from jimbo.engine import BLINDS_PER_ANTE
from jimbo.engine.value import VALUE_BLINDS, input_groups, value_schema_hash
from jimbo.files import file_hash
from jimbo.models.value_file import Weights, read_value, write_value
from jimbo.text import percent_text
from jimbo.train.core.curves import Line, Panel, Picture
from jimbo.train.core.loop import TrainingFailed, TrainingMethod, run
from jimbo.train.core.state import config_data, training_folder
from jimbo.train.core.watching import Progress, Row, Watcher
from jimbo.train.settings import ValueSettings
from jimbo.train.value_games import (
    PositionRows,
    evaluate,
    load_positions,
    play_generation,
    positions_hash,
    rows_of,
    save_positions,
)
from jimbo.train.value_model import ValueModel, widths_of

_TEST_SHARE = 20
"""One game in so many is kept for testing."""
_AVERAGED = 0.6
"""After this share of the steps weights are averaged: the last steps pull them to and fro."""
_MIXED_IN = 0.02
_AWKWARD = 10
"""Steps of a schedule that torch divides by zero for: its rise is a tenth of them less one."""
_TEST_ROWS = 1 << 16

Stepped = Callable[[int, int, int], None]
"""Called with the number of steps done, of all of them, and of the samples of the last."""


# --- What positions are taught ----------------------------------------------------------------------------------------


def outcomes(cleared: Tensor, game: Tensor) -> Tensor:
    """Return which blinds the run of each position cleared ([P, 24] fates); skipped ones before its last one count.

    A position knows the fates of later blinds alone, so the last one is looked for in all positions of its game.
    """
    blinds = torch.arange(VALUE_BLINDS, device=cleared.device)
    last = ((cleared == 1) * (blinds + 1)).amax(dim=1)
    _, games = torch.unique_consecutive(game, return_inverse=True)
    last = torch.zeros_like(last).scatter_reduce(0, games, last, "amax")[games]
    return (blinds < last[:, None]).float()


def returns(outcome: Tensor, chances: Tensor, next_blind: Tensor, taken: Tensor, game: Tensor, trust: float) -> Tensor:
    """Return the targets of positions that stand game by game, in the order in which they were met.

    ``trust`` is the share that what came later in the run keeps at each position on the way back; the rest is what the
    value says there. 1: only what became of the run. A way that was not taken is worth what the value says, and so is
    what came before it: the detour that the run made instead does not count against it.
    """
    if trust >= 1:
        return outcome
    blinds = torch.arange(VALUE_BLINDS, device=outcome.device)
    passed = blinds < next_blind[:, None]
    told = torch.where(passed, 1.0, chances)
    taken = taken[:, None].bool()
    targets = torch.where(taken, outcome, told)
    positions = torch.arange(len(game), device=game.device)
    ends = torch.ones_like(game, dtype=torch.bool)
    ends[:-1] = game[1:] != game[:-1]
    rows = positions[ends] - 1
    while len(rows := rows[(rows >= 0) & ~ends[rows.clamp(min=0)]]):
        later = torch.lerp(told[rows + 1], targets[rows + 1], trust)
        targets[rows] = torch.where(taken[rows], later, told[rows])
        rows = rows - 1
    return targets


# --- Learning ---------------------------------------------------------------------------------------------------------


def emphasis(rows: PositionRows, settings: ValueSettings) -> NDArray[np.float32]:
    """Return how much each position counts, by the ante of its next blind; without a curriculum all count alike."""
    if settings.curriculum is None:
        return np.ones(len(rows.next), np.float32)
    return read_curriculum(Path(settings.curriculum)).weights(rows.next // BLINDS_PER_ANTE + 1)


class Losses(NamedTuple):
    """Sums over the blinds ahead, means over positions."""

    clear: Tensor
    """Cross-entropy of clearing each blind ahead, whatever comes before; a lost run clears none that follows."""
    margin: Tensor
    dollars: Tensor


class Learner:
    """Positions on the device that learns, and the losses on them."""

    def __init__(
        self,
        model: ValueModel,
        rows: PositionRows,
        settings: ValueSettings,
        device: torch.device,
        trust: float = 1.0,
        teacher: ValueModel | None = None,
    ) -> None:
        self._model, self._settings, self._trust, self._teacher = model, settings, trust, teacher or model
        found = {name: torch.from_numpy(array).to(device) for name, array in rows._asdict().items()}
        self._index, self._value, self._next = found["inputs"], found["values"], found["next"].long()
        self._taken, self._game = found["taken"], found["game"]
        self._cleared, self._margin, self._dollars = found["cleared"], found["margin"], found["dollars"]
        self._blinds = torch.arange(VALUE_BLINDS, device=device)
        self._outcome = outcomes(self._cleared, self._game)
        self.teach()
        self._emphasis = torch.from_numpy(emphasis(rows, settings)).to(device)
        self._weight = torch.ones(VALUE_BLINDS, device=device)
        self._weight[-1] = settings.win_weight
        self._forecast = next(group.start for group in input_groups() if group.name == "forecast_known")
        tests, taken = self._game % _TEST_SHARE == 0, self._taken == 1
        self.learnt = torch.nonzero(~tests & taken).squeeze(1)
        self.tested = torch.nonzero(tests & taken).squeeze(1)

    def teach(self) -> None:
        """Make the targets again with what the teacher says by now; without another one it is the model itself."""
        self._target = returns(self._outcome, self._chances(), self._next, self._taken, self._game, self._trust)

    def _chances(self) -> Tensor:
        """Return what the teacher says of each position."""
        if not len(self._next):
            return torch.empty(0, VALUE_BLINDS)
        with torch.no_grad():
            pieces = zip(torch.split(self._index, _TEST_ROWS), torch.split(self._value, _TEST_ROWS), strict=True)
            found = [self._teacher(index.int(), value.float())[:, :VALUE_BLINDS] for index, value in pieces]
        return torch.sigmoid(torch.cat(found))

    def losses(self, rows: Tensor, *, blind_eye: bool) -> Losses:
        """Return losses. ``blind_eye``: as in learning, against the targets and with some forecasts left out."""
        index, value = self._index[rows].int(), self._value[rows].float()
        share = self._settings.blind_eye if blind_eye else 0.0
        unseen = torch.rand(len(rows), 1, device=rows.device) < share
        found = self._model(index, value.masked_fill(unseen & (index >= self._forecast), 0))
        logits, margins, dollars = torch.split(found, VALUE_BLINDS, dim=1)
        cleared = self._cleared[rows]
        ahead = self._blinds >= self._next[rows][:, None]
        known = (cleared >= 0) & ahead
        labels = (self._target if blind_eye else self._outcome)[rows]
        clear = functional.binary_cross_entropy_with_logits(logits, labels, reduction="none")
        margin = functional.smooth_l1_loss(margins, self._margin[rows].float().clamp(-6, 8), reduction="none")
        money = torch.log1p(self._dollars[rows].float().clamp(min=0)) / 2
        dollar = functional.smooth_l1_loss(dollars, money, reduction="none")
        parts = (clear * ahead * self._weight, margin * known, dollar * known)
        counts = self._emphasis[rows][:, None] if blind_eye else 1.0
        return Losses(*((part * counts).sum() / len(rows) for part in parts))

    def total(self, losses: Losses) -> Tensor:
        settings = self._settings
        return losses.clear + settings.margin_weight * losses.margin + settings.dollar_weight * losses.dollars

    def tests(self) -> dict[str, float]:
        """Return losses on games that were not learnt from."""
        if not len(self.tested):
            return {}
        with torch.no_grad():
            pieces = torch.split(self.tested, _TEST_ROWS)
            parts = [torch.stack(self.losses(rows, blind_eye=False)) * len(rows) for rows in pieces]
        means = (torch.stack(parts).sum(dim=0) / len(self.tested)).tolist()
        return dict(zip(Losses._fields, means, strict=True))


def learn(
    model: ValueModel,
    rows: PositionRows,
    settings: ValueSettings,
    generation: int,
    device: torch.device,
    stepped: Stepped,
    teacher: ValueModel | None = None,
) -> dict[str, float]:
    """Learn; return the losses on other games. Random numbers depend on the seed and the generation alone."""
    torch.manual_seed(settings.seed * 1_000_003 + generation)
    stage = settings.stage(generation)
    learner = Learner(model, rows, settings, device, stage.trust, teacher)
    size = min(settings.batch, len(learner.learnt))
    if size == 0:
        raise TrainingFailed("No position was kept to learn from. Raise games or kept.")
    steps = stage.epochs * (len(learner.learnt) // size)
    optimizer = torch.optim.AdamW(model.parameters(), lr=stage.lr, weight_decay=settings.weight_decay)
    total = max(steps, 2) + (steps == _AWKWARD)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, stage.lr, total_steps=total, pct_start=0.1)
    average = _Average(model, round(steps * _AVERAGED))
    apart = model.second.weight.register_hook(model.apart().mul)  # type: ignore[no-untyped-call]
    done = 0
    for epoch in range(stage.epochs):
        if epoch > 0:
            model.eval()
            learner.teach()
        model.train()
        order = learner.learnt[torch.randperm(len(learner.learnt)).to(device)]
        for batch in torch.split(order, size)[: len(order) // size]:
            loss = learner.total(learner.losses(batch, blind_eye=True))
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            done += 1
            average.add(done)
            stepped(done, steps, len(batch))
    if not math.isfinite(loss.item()):
        raise TrainingFailed(f"The loss became {loss.item()}. Try a lower lr.")
    apart.remove()
    average.finish()
    model.eval()
    return learner.tests()


class _Average:
    """Mean of the weights over the last steps."""

    def __init__(self, model: ValueModel, after: int) -> None:
        self._model, self._after = model, after
        self._mean: dict[str, Tensor] | None = None

    def add(self, step: int) -> None:
        if step <= self._after:
            return
        weights = self._model.state_dict()
        if self._mean is None:
            self._mean = {name: weight.detach().clone() for name, weight in weights.items()}
            return
        for name, weight in weights.items():
            self._mean[name].lerp_(weight, _MIXED_IN)

    def finish(self) -> None:
        if self._mean is not None:
            self._model.load_state_dict(self._mean)


# --- A whole training -------------------------------------------------------------------------------------------------


class _Growth(NamedTuple):
    """The value that a training starts from, and the new one that joins it."""

    elder: ValueModel
    young: ValueModel


_PICTURE = Picture(
    "games",
    "games learnt from",
    (
        Panel("Won", "share of the games for evaluation", (Line("judged/win_rate"),)),
        Panel("Mean last round", "24 wins", (Line("judged/mean_round"),)),
        Panel("Log loss of all blinds ahead", "on other games", (Line("tests/clear"),)),
    ),
)


def run_value(
    settings: ValueSettings,
    out: Path,
    *,
    device: torch.device,
    threads: int,
    watcher: Watcher,
    seconds: float | None = None,
) -> Progress:
    """Train in a folder; a training of the same settings that was stopped there is resumed.

    ``seconds``: no further generation begins after so many of this call.
    """
    training_folder(out).check()
    method = ValueTraining(settings, out, device, threads, seconds)
    with training_folder(out) as folder:
        return run(method, folder, watcher)


class ValueTraining(TrainingMethod):
    """The model that learns, and the one that plays: its mean over the generations.

    If the value to start from is narrower, a new network of the missing width first learns next to it, taught by it and
    by its games: two that err differently are better than either.
    """

    unit = "generation"
    picture = _PICTURE

    def __init__(
        self, settings: ValueSettings, out: Path, device: torch.device, threads: int, seconds: float | None = None
    ) -> None:
        self._settings, self._out, self._device, self._threads = settings, out, device, threads
        self._until = math.inf if seconds is None else time.perf_counter() + seconds
        self.title = f"value, widths {settings.widths[0]} and {settings.widths[1]}"
        self.total = settings.generations
        init = Path(settings.init) if settings.init else None
        torch.manual_seed(settings.seed)
        self.model = ValueModel(settings.widths, settings.dropout)
        self._growth = self._started(read_value(init)[0]) if init else None
        self.model.to(device).eval()
        self.player = copy.deepcopy(self.model)
        self.networks = {"learner": self.model, "player": self.player}
        # A training with more generations is the same training, resumed.
        told = {name: value for name, value in asdict(settings).items() if name != "generations"}
        self.config = config_data(
            {"method": "value", **told},
            value_schema_hash(),
            init_hash=file_hash(init) if init else None,
            **curriculum_hash(settings.curriculum),
        )

    def _started(self, weights: Weights) -> _Growth | None:
        """Take the weights, or return what grows if the model is wider than them."""
        widths, dropout = widths_of(weights), self._settings.dropout
        first, second = (wanted - given for wanted, given in zip(self._settings.widths, widths, strict=True))
        if min(first, second) <= 0:
            self.model.take(weights)
            return None
        elder, young = ValueModel(widths, dropout), ValueModel((first, second), dropout)
        elder.take(weights)
        return _Growth(elder.to(self._device).eval(), young.to(self._device))

    def is_enough(self, progress: Progress) -> bool:
        return time.perf_counter() >= self._until

    def step(self, progress: Progress, watcher: Watcher) -> Row:
        self._began, number, settings = time.perf_counter(), progress.done, self._settings
        self._positions(number - settings.window).unlink(missing_ok=True)  # never needed again
        games = settings.stage(number).games
        player = self._growth.elder if self._growth and number == 0 else self.player
        found, positions = play_generation(
            player.native(), settings, number, self._threads, self._told(watcher, number, "playing", games)
        )
        save_positions(self._positions(number), positions)
        window = range(max(0, number + 1 - settings.window), number + 1)
        rows = rows_of([load_positions(self._positions(past)) for past in window])
        before = progress.history[-1]["games"] if progress.history else 0
        return {
            "games": before + games,
            **found,
            "positions": len(rows.game),
            "data_hash": positions_hash(positions),
            "tests": self._learn(rows, number, watcher),
        }

    def _positions(self, generation: int) -> Path:
        return self._out / f"positions-{generation + 1:04d}.npz"

    def _phase(self, number: int, phase: str) -> str:
        return f"Generation {number + 1} of {self.total}: {phase}"

    def _told(self, watcher: Watcher, number: int, phase: str, games: int) -> Callable[[int], None]:
        return lambda done: watcher.progress(self._phase(number, phase), done, games, "games")

    def _learn(self, rows: PositionRows, number: int, watcher: Watcher) -> dict[str, float]:
        """Return the losses on games that were not learnt from."""
        settings, growth = self._settings, self._growth if number == 0 else None

        def stepped(done: int, steps: int, samples: int) -> None:
            watcher.count(samples=samples)
            watcher.progress(self._phase(number, "learning"), done, steps, "steps")

        if growth:
            tests = learn(growth.young, rows, settings, number, self._device, stepped, teacher=growth.elder)
            self.model.join(*growth)
        else:
            tests = learn(self.model, rows, settings, number, self._device, stepped)
        new = growth is not None or (number == 0 and settings.init is None)
        self.player.approach(self.model, 1.0 if new else settings.stage(number).renewed)
        return tests

    def evaluate(self, number: int, watcher: Watcher) -> Row:
        settings = self._settings
        told = self._told(watcher, number - 1, "evaluating", settings.judge_games)
        judged = evaluate(self.player.native(), settings, self._threads, told)
        seconds = round(time.perf_counter() - self._began, 1)
        self.seconds += seconds
        return {"judged": judged, "seconds": seconds}

    def score(self, row: Row) -> tuple[float, ...]:
        return (row["judged"]["win_rate"], row["judged"]["mean_round"])

    def keep(self, stem: Path, row: Row) -> None:
        write_value(stem.with_suffix(".safetensors"), self.player.weights(), {**self.config, "trained": dict(row)})

    def line(self, row: Row, progress: Progress) -> str:
        judged = row["judged"]
        return (
            f"Generation {row['generation']}, {row['games']:,} games so far: evaluated on {judged['games']:,} games, "
            f"won {percent_text(judged['win_rate'])}, mean ante {judged['mean_ante']:.2f} ({row['seconds']:.0f} s)"
        )
