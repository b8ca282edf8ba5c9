"""Whether a network would do as the player of recorded games did."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jimbo.data.samples import MEASURES, PHASES, Samples
from jimbo.eval.answers import Answers, candidate_counts
from jimbo.eval.bootstrap import Estimate, GameBootstrap, divided

Array = NDArray[Any]
ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Agreement with the player on decisions in which there was a choice."""

    decisions: int
    games: int
    candidates: float
    """The mean number of them."""
    top1: Estimate
    """How often the action taken is the network's first choice."""
    top3: Estimate
    """How often it is among the first three."""
    random_top1: float
    """What choosing by chance would agree to on these decisions."""
    random_top3: float
    lift1: Estimate
    """How many times as often as by chance."""
    lift3: Estimate
    cross_entropy: Estimate
    """In nats."""
    random_cross_entropy: float
    probability: Estimate
    """The mean probability of the action taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Regret:
    """What the network's first choices would lose, as the player valued them."""

    measure: str
    """What the values are (see `Measure`)."""
    decisions: int
    unseen: int
    """Further decisions in which the player did not look at the network's first choice, or at its own action."""
    regret: Estimate
    """Value of the action taken minus that of the first choice. Below 0 where a better value was trusted less."""
    random: float
    """The same for a choice by chance among what the player looked at."""


def choices(samples: Samples, answers: Answers, bootstrap: GameBootstrap) -> dict[str, Agreement]:
    """Of all decisions, and of each phase that has any. ValueError if there is none with a choice."""
    if not answers.counted.any():
        raise ValueError("There is no decision with several candidates and the action taken among them.")
    phases = {phase.name: samples.phases == place for place, phase in enumerate(PHASES)}
    groups = {ALL: answers.counted, **{name: answers.counted & there for name, there in phases.items()}}
    counts = candidate_counts(samples)
    return {name: _choices(answers, counts, of, bootstrap) for name, of in groups.items() if of.any()}


def _choices(answers: Answers, counts: Array, of: Array, bootstrap: GameBootstrap) -> Agreement:
    these, candidates = bootstrap.of(of), counts[of]
    chance1, chance3 = 1 / candidates, np.minimum(3, candidates) / candidates
    return Agreement(
        decisions=len(candidates),
        games=these.games,
        candidates=float(candidates.mean()),
        top1=these.mean(answers.top1[of]),
        top3=these.mean(answers.top3[of]),
        random_top1=float(chance1.mean()),
        random_top3=float(chance3.mean()),
        lift1=these.ratio(answers.top1[of], chance1),
        lift3=these.ratio(answers.top3[of], chance3),
        cross_entropy=these.mean(answers.cross_entropy[of]),
        random_cross_entropy=float(np.log(candidates).mean()),
        probability=these.mean(answers.probability[of]),
    )


def regrets(samples: Samples, answers: Answers, bootstrap: GameBootstrap) -> Iterator[Regret]:
    """One for each measure of which there are values; those of different measures cannot be added up."""
    counts, known = candidate_counts(samples), ~np.isnan(samples.values)
    owner = np.repeat(np.arange(len(samples)), counts)
    looked_at = np.bincount(owner, known, len(samples))
    mean = divided(np.bincount(owner, np.where(known, samples.values, 0.0), len(samples)), looked_at)
    first = np.full(len(samples), np.nan)
    taken = first.copy()
    first[answers.counted] = samples.values[answers.first[answers.counted]]
    taken[answers.counted] = samples.values[(samples.starts[:-1] + samples.chosen)[answers.counted]]
    for place, measure in enumerate(MEASURES):
        these = answers.counted & (samples.measures == place) & (looked_at > 0)
        compared = these & ~np.isnan(taken) & ~np.isnan(first)
        if compared.any():
            yield Regret(
                measure=measure,
                decisions=int(compared.sum()),
                unseen=int((these & ~compared).sum()),
                regret=bootstrap.of(compared).mean((taken - first)[compared]),
                random=float((taken - mean)[compared].mean()),
            )
