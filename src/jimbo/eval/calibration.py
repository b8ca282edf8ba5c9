"""Whether what is said to happen in 70 of 100 cases does happen in 70 of 100."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jimbo.eval.bootstrap import Estimate, GameBootstrap, divided

Array = NDArray[Any]

BINS = 10
_LEVELS = 50
"""The interval of the AUC comes from probabilities in that many steps; its value does not."""
_SMALLEST = 1e-7
"""A network may say 0 or 1, and be infinitely wrong."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Predictions of about the same probability."""

    low: float
    high: float
    decisions: int
    games: int
    predicted: float
    """Their mean."""
    happened: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """How good some probabilities are."""

    decisions: int
    games: int
    predicted: float
    """Their mean."""
    happened: Estimate
    """How often it came true."""
    brier: Estimate
    """The mean of (probability - what happened) squared, what happened being 0 or 1."""
    base_brier: float
    """Of one who always says ``happened``."""
    log_loss: Estimate
    ece: Estimate
    """Expected calibration error: the mean distance between ``predicted`` and ``happened`` of ten bins."""
    auc: Estimate
    """How often the probability is the higher one where it happened, of all pairs of one case where it happened and one
    where it did not. Nothing where it always happened, or never."""
    bins: tuple[Bin, ...]
    """Those with a prediction in them."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """How good the probabilities of one thing are, on all decisions and on those of each ante."""

    all: Calibration
    by_ante: Mapping[int, Calibration]


def forecast(predicted: Array, happened: Array, antes: Array, bootstrap: GameBootstrap) -> Forecast:
    """``[n]`` probabilities, whether it happened, and the antes they were given in; at least one."""

    def row(of: Array) -> Calibration:
        return calibration(predicted[of], happened[of], bootstrap.of(of))

    by_ante = {int(ante): row(antes == ante) for ante in np.unique(antes)}
    return Forecast(calibration(predicted, happened, bootstrap), by_ante)


def calibration(predicted: Array, happened: Array, bootstrap: GameBootstrap) -> Calibration:
    """``[n]`` probabilities, and whether it happened; at least one."""
    p, y = predicted.astype(float), happened.astype(float)
    sure = np.clip(p, _SMALLEST, 1 - _SMALLEST)
    places = np.minimum((p * BINS).astype(int), BINS - 1)
    binned = [bootstrap.sums(values, places, BINS) for values in (np.ones_like(p), p, y)]
    return Calibration(
        decisions=len(p),
        games=bootstrap.games,
        predicted=float(p.mean()),
        happened=bootstrap.mean(y),
        brier=bootstrap.mean((p - y) ** 2),
        base_brier=float(y.var()),
        log_loss=bootstrap.mean(-np.where(happened, np.log(sure), np.log1p(-sure))),
        ece=bootstrap.estimate(binned, _ece),
        auc=_auc_estimate(p, happened, bootstrap),
        bins=tuple(_bin(place, p, y, places == place, bootstrap) for place in np.unique(places).tolist()),
    )


def _bin(place: int, p: Array, y: Array, inside: Array, bootstrap: GameBootstrap) -> Bin:
    these = bootstrap.of(inside)
    return Bin(
        low=place / BINS,
        high=(place + 1) / BINS,
        decisions=int(inside.sum()),
        games=these.games,
        predicted=float(p[inside].mean()),
        happened=these.mean(y[inside]),
    )


def _ece(sums: Array) -> Array:
    counts, predicted, happened = np.split(sums, 3, axis=1)
    return divided(np.abs(predicted - happened).sum(axis=1), counts.sum(axis=1))


def auc(predicted: Array, happened: Array) -> float:
    """The area under the ROC curve, equal probabilities counting half; NaN unless both cases occur."""
    _, level = np.unique(predicted, return_inverse=True)
    yes, no = (np.bincount(level[which], minlength=level.max(initial=0) + 1) for which in (happened, ~happened))
    return float(_level_auc(np.concatenate([yes, no])[None].astype(float))[0])


def _level_auc(sums: Array) -> Array:
    """Of ``[R, 2 L]`` counts: at each level of probability those where it happened, then those where it did not."""
    yes, no = np.split(sums, 2, axis=1)
    below = np.cumsum(no, axis=1) - no / 2
    return divided((yes * below).sum(axis=1), yes.sum(axis=1) * no.sum(axis=1))


def _auc_estimate(p: Array, happened: Array, bootstrap: GameBootstrap) -> Estimate:
    exact = auc(p, happened)
    if not np.isfinite(exact):
        return Estimate(None, None)
    edges = np.unique(np.quantile(p, np.linspace(0, 1, _LEVELS + 1)[1:-1]))
    level = np.searchsorted(edges, p)
    cases = [bootstrap.sums(case, level, len(edges) + 1) for case in (happened, ~happened)]
    return Estimate(exact, bootstrap.estimate(cases, _level_auc).ci95)
