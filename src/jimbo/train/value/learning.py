"""One generation's learning: from positions to what became of the blinds after them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from jimbo.engine.value import VALUE_BLINDS, input_groups
from jimbo.train.core.loop import TrainingFailed
from jimbo.train.value.model import ValueModel
from jimbo.train.value.positions import Rows
from jimbo.train.value.returns import outcomes, returns
from jimbo.train.value.settings import ValueSettings

_TEST_SHARE = 20
"""One game in so many is kept for testing."""
_AVERAGED = 0.6
"""After this share of the steps weights are averaged: the last steps pull them to and fro."""
_MIXED_IN = 0.02
_AWKWARD = 10
"""Steps of a schedule that torch divides by zero for: its rise is a tenth of them less one."""
_TEST_ROWS = 1 << 16

Stepped = Callable[[int, int], None]
"""Is told the steps done, and all of them."""


class Losses(NamedTuple):
    """Sums over the blinds ahead, means over positions."""

    clear: Tensor
    """Cross-entropy of clearing each blind ahead, whatever comes before; a lost run clears none that follows."""
    margin: Tensor
    dollars: Tensor


class Learner:
    """Positions on the device that learns, and what is lost on them."""

    def __init__(
        self,
        model: ValueModel,
        rows: Rows,
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
        self._weight = torch.ones(VALUE_BLINDS, device=device)
        self._weight[-1] = settings.win_weight
        self._forecast = next(group.start for group in input_groups() if group.name == "forecast_known")
        tests, taken = self._game % _TEST_SHARE == 0, self._taken == 1
        self.learnt = torch.nonzero(~tests & taken).squeeze(1)
        self.tested = torch.nonzero(tests & taken).squeeze(1)

    def teach(self) -> None:
        """Makes the targets anew, with what the teacher says by now; without another one it is the model itself."""
        self._target = returns(self._outcome, self._chances(), self._next, self._taken, self._game, self._trust)

    def _chances(self) -> Tensor:
        """What the teacher says of each position."""
        if not len(self._next):
            return torch.empty(0, VALUE_BLINDS)
        with torch.no_grad():
            pieces = zip(torch.split(self._index, _TEST_ROWS), torch.split(self._value, _TEST_ROWS), strict=True)
            found = [self._teacher(index.int(), value.float())[:, :VALUE_BLINDS] for index, value in pieces]
        return torch.sigmoid(torch.cat(found))

    def losses(self, rows: Tensor, *, blind_eye: bool) -> Losses:
        """``blind_eye``: as in learning, so against what is taught, and with some positions without their forecast."""
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
        return Losses(*(part.sum() / len(rows) for part in parts))

    def total(self, losses: Losses) -> Tensor:
        settings = self._settings
        return losses.clear + settings.margin_weight * losses.margin + settings.dollar_weight * losses.dollars

    def tests(self) -> dict[str, float]:
        """On games that were not learnt from."""
        if not len(self.tested):
            return {}
        with torch.no_grad():
            pieces = torch.split(self.tested, _TEST_ROWS)
            parts = [torch.stack(self.losses(rows, blind_eye=False)) * len(rows) for rows in pieces]
        means = (torch.stack(parts).sum(dim=0) / len(self.tested)).tolist()
        return dict(zip(Losses._fields, means, strict=True))


def learn(
    model: ValueModel,
    rows: Rows,
    settings: ValueSettings,
    generation: int,
    device: torch.device,
    stepped: Stepped,
    teacher: ValueModel | None = None,
) -> dict[str, float]:
    """Random numbers depend on the seed and the number of the generation alone; returns what is lost on other games."""
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
            stepped(done, steps)
    if not math.isfinite(loss.item()):
        raise TrainingFailed(f"The loss became {loss.item()}. Try a lower lr.")
    average.finish()
    model.eval()
    return learner.tests()


class _Average:
    """Of the weights over the last steps."""

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
