"""How well a network knows recorded games: whether it would do the same, and whether it foresees how they end."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jimbo.data.record import versions
from jimbo.data.samples import MEASURES, PHASES, Samples
from jimbo.engine import batch_schema_hash
from jimbo.eval.calibration import Estimate, Forecast, GameBootstrap, divided, forecast
from jimbo.files import file_hash
from jimbo.models.inputs import padded
from jimbo.models.outputs import BLINDS_AHEAD, Outcomes, outcomes
from jimbo.models.runtime import Policy

Array = NDArray[Any]

SCHEMA = "jimbo_offline_v1"
WIN, ALL = "win", "all"
_BATCH = 256


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
    """The mean, in nats."""
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
    """The regret of a choice by chance among what the player looked at."""


@dataclass(frozen=True, slots=True)
class AnteError:
    """How far off the expected final ante is."""

    mean: Estimate
    """Expected minus real."""
    absolute: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Offline:
    """A network against recorded games."""

    games: int
    decisions: int
    not_listed: int
    """Decisions whose action is not among the candidates; they do not count as choices."""
    single: int
    """Decisions with one candidate only; they do not count as choices, either."""
    tied: int
    """Choices in which the network rates the action taken and others alike; each agrees by a share."""
    open_games: int
    """Games without an end: nothing is known about what was to come."""
    agents: Sequence[str]
    """Who played."""
    choices: Mapping[str, Agreement]
    """By phase; ``all`` for all of them."""
    regrets: Sequence[Regret]
    foresees: bool
    """Whether the network was taught to foresee the end; if not, there is nothing below."""
    forecasts: Mapping[str, Forecast]
    """By ``win``, ``clear_1``, ``clear_2``...: as many more blinds are beaten. Empty if no game has an end."""
    ante: AnteError | None


def offline(
    policy: Policy, samples: Samples, progress: Callable[[int], None] | None = None, *, foresees: bool = True
) -> Offline:
    """Evaluate a network, which was taught to foresee or not; ValueError where there is nothing to compare."""
    answers = ask(policy, samples, progress)
    bootstrap = GameBootstrap(_by_seed(samples))
    ends = outcomes(samples, np.arange(len(samples)))
    ended = ends.known > 0
    counts = candidate_counts(samples)
    forecasts = foresees and bool(ended.any())
    return Offline(
        games=bootstrap.games,
        decisions=len(samples),
        not_listed=int(((samples.chosen < 0) & (counts > 1)).sum()),
        single=int((counts <= 1).sum()),
        tied=int(((answers.top1 % 1 > 0) | (answers.top3 % 1 > 0)).sum()),
        open_games=len(np.unique(samples.games[~ended])),
        agents=sorted({samples.played[game].agent for game in np.unique(samples.games)}),
        foresees=foresees,
        choices=choices(samples, answers, bootstrap),
        regrets=tuple(regrets(samples, answers, bootstrap)),
        forecasts=_forecasts(samples, answers, ends, bootstrap) if forecasts else {},
        ante=_ante_error(answers.ante[ended] - ends.ante[ended] - 1, bootstrap.of(ended)) if forecasts else None,
    )


def _by_seed(samples: Samples) -> Array:
    """The game of each decision, counted such that the order in which games were written down makes no difference."""
    order = sorted(range(len(samples.played)), key=lambda place: repr(samples.played[place]))
    return np.argsort(order)[samples.games]


def _forecasts(samples: Samples, answers: Answers, ends: Outcomes, bootstrap: GameBootstrap) -> dict[str, Forecast]:
    antes = samples.observations["ante"]

    def checked(predicted: Array, happened: Array, known: Array) -> Forecast:
        return forecast(predicted[known], happened[known], antes[known], bootstrap.of(known))

    forecasts = {WIN: checked(answers.win, ends.win > 0, ends.known > 0)}
    for place in range(answers.clear.shape[1]):
        known = ends.clear_known[:, place] > 0
        if known.any():
            happened = ends.clear[:, place] > 0
            forecasts[f"clear_{place + 1}"] = checked(answers.clear[:, place], happened, known)
    return forecasts


def _ante_error(error: Array, bootstrap: GameBootstrap) -> AnteError:
    return AnteError(bootstrap.mean(error), bootstrap.mean(np.abs(error)))


def offline_data(result: Offline, model: Path, datasets: Sequence[Path]) -> dict[str, Any]:
    """An offline evaluation for machines, with what it was made of."""
    files = [{"path": str(path), "sha256": file_hash(path)} for path in datasets]
    together = hashlib.sha256("\n".join(sorted(file["sha256"] for file in files)).encode()).hexdigest()
    return {
        "schema": SCHEMA,
        "model": {"path": str(model), "sha256": file_hash(model)},
        "dataset": {"files": files, "sha256": together},
        "schema_hash": batch_schema_hash(),
        "versions": dict(versions()),
        **asdict(result),
    }


# --- Answers ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """Rows are the decisions. What is about the action taken is nothing (NaN) where ``counted`` says no."""

    counted: Array
    """Whether there was a choice: more than one candidate, and the action taken among them."""
    top1: Array
    """1 where the action taken is the network's first choice, else 0; a share where several are equally good to it."""
    top3: Array
    """``top1`` for its first three choices."""
    probability: Array
    """The probability with which the network would choose the action taken."""
    cross_entropy: Array
    """Minus the logarithm of it."""
    first: Array
    """The row of the network's first choice among all candidates."""
    win: Array
    """P(win)."""
    clear: Array
    """``[n, BLINDS_AHEAD]``: P(at least 1, 2, ... further blinds are beaten)."""
    ante: Array
    """The final ante that is expected."""


def candidate_counts(samples: Samples) -> Array:
    return np.diff(samples.starts)


def ask(policy: Policy, samples: Samples, progress: Callable[[int], None] | None = None) -> Answers:
    """Ask for all decisions; ``progress`` gets how many more are done. ValueError for answers that are no numbers."""
    size = len(samples)
    counts = candidate_counts(samples)
    answers = Answers(
        counted=(counts > 1) & (samples.chosen >= 0),
        first=np.zeros(size, np.int64),
        clear=np.zeros((size, BLINDS_AHEAD)),
        **{name: np.full(size, np.nan) for name in ("top1", "top3", "probability", "cross_entropy", "win", "ante")},
    )
    order = np.argsort(counts, kind="stable")  # lists of about the same length together: less to fill up
    for begin in range(0, size, _BATCH):
        indices = order[begin : begin + _BATCH]
        _ask_some(policy, samples, indices, answers)
        if progress:
            progress(len(indices))
    return answers


def _ask_some(policy: Policy, samples: Samples, indices: Array, answers: Answers) -> None:
    inputs = padded(samples, indices)
    outputs = policy.evaluate(*inputs)
    answers.win[indices], answers.clear[indices], answers.ante[indices] = outputs.win, outputs.clear, outputs.ante
    logits = np.where(inputs[-1], outputs.logits.astype(float), -np.inf)
    answers.first[indices] = samples.starts[indices] + logits.argmax(axis=1)
    here = answers.counted[indices]
    _judge(logits[here], samples.chosen[indices][here], indices[here], answers)
    sound = np.isfinite(outputs.win) & np.isfinite(outputs.clear).all(axis=1) & np.isfinite(outputs.ante)
    sound &= ~here | ~np.isnan(answers.cross_entropy[indices])
    if not sound.all():
        at = indices[~sound][0]
        game = samples.played[samples.games[at]]
        raise ValueError(
            f"The network's answer to decision {samples.steps[at]} on the seed {game.seed} is not a number."
        )


def _judge(logits: Array, chosen: Array, indices: Array, answers: Answers) -> None:
    taken = np.take_along_axis(logits, chosen[:, None].astype(np.intp), axis=1)
    better, equal = (logits > taken).sum(axis=1), (logits == taken).sum(axis=1)
    for k, share in ((1, answers.top1), (3, answers.top3)):
        share[indices] = np.clip((k - better) / equal, 0.0, 1.0)
    best = logits.max(axis=1, keepdims=True)
    loss = best[:, 0] + np.log(np.exp(logits - best).sum(axis=1)) - taken[:, 0]
    answers.cross_entropy[indices], answers.probability[indices] = loss, np.exp(-loss)


# --- Choices ----------------------------------------------------------------------------------------------------------


def choices(samples: Samples, answers: Answers, bootstrap: GameBootstrap) -> dict[str, Agreement]:
    """Agreement on all decisions, and on those of each phase; ValueError if there is none with a choice."""
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
