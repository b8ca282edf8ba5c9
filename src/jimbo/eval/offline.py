"""How well a network knows recorded games: whether it would do the same, and whether it foresees how they end."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jimbo.data import versions
from jimbo.data.samples import Samples
from jimbo.engine import batch_schema_hash
from jimbo.eval.answers import Answers, ask, candidate_counts
from jimbo.eval.bootstrap import Estimate, GameBootstrap
from jimbo.eval.calibration import Forecast, forecast
from jimbo.eval.choices import Agreement, Regret, choices, regrets
from jimbo.files import file_hash
from jimbo.models.outputs import Outcomes, outcomes
from jimbo.models.runtime import Policy

Array = NDArray[Any]

SCHEMA = "jimbo_offline_v1"
WIN = "win"


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
    """By phase, and of ``all``."""
    regrets: Sequence[Regret]
    foresees: bool
    """Whether the network was taught to foresee the end; if not, there is nothing below."""
    forecasts: Mapping[str, Forecast]
    """Of ``win``, and of ``clear_1``, ``clear_2``...: as many more blinds are beaten. Empty if no game has an end."""
    ante: AnteError | None


def offline(
    policy: Policy, samples: Samples, progress: Callable[[int], None] | None = None, *, foresees: bool = True
) -> Offline:
    """``foresees``: the network was taught to. ValueError where there is nothing to judge by."""
    answers = ask(policy, samples, progress)
    bootstrap = GameBootstrap(_by_seed(samples))
    ends = outcomes(samples, np.arange(len(samples)))
    ended = ends.known > 0
    counts = candidate_counts(samples)
    told = foresees and bool(ended.any())
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
        forecasts=_forecasts(samples, answers, ends, bootstrap) if told else {},
        ante=_ante_error(answers.ante[ended] - ends.ante[ended] - 1, bootstrap.of(ended)) if told else None,
    )


def _by_seed(samples: Samples) -> Array:
    """The game of each decision, counted such that the order in which games were written down makes no difference."""
    order = sorted(range(len(samples.played)), key=lambda place: repr(samples.played[place]))
    return np.argsort(order)[samples.games]


def _forecasts(samples: Samples, answers: Answers, ends: Outcomes, bootstrap: GameBootstrap) -> dict[str, Forecast]:
    antes = samples.observations["ante"]

    def judged(predicted: Array, happened: Array, known: Array) -> Forecast:
        return forecast(predicted[known], happened[known], antes[known], bootstrap.of(known))

    forecasts = {WIN: judged(answers.win, ends.win > 0, ends.known > 0)}
    for place in range(answers.clear.shape[1]):
        known = ends.clear_known[:, place] > 0
        if known.any():
            happened = ends.clear[:, place] > 0
            forecasts[f"clear_{place + 1}"] = judged(answers.clear[:, place], happened, known)
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
