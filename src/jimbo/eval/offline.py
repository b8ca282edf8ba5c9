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
from jimbo.engine import LAST_ANTE, batch_schema_hash
from jimbo.eval.answers import Answers, ask, candidate_counts
from jimbo.eval.bootstrap import Estimate, GameBootstrap
from jimbo.eval.calibration import Calibration, calibration
from jimbo.eval.choices import Choices, Regret, choices, regrets
from jimbo.models.runtime import Policy

Array = NDArray[Any]

SCHEMA = "jimbo_offline_v1"
WIN = "win"


@dataclass(frozen=True, slots=True)
class Forecast:
    """How good the probabilities of one thing are, on all decisions and on those of each ante."""

    all: Calibration
    by_ante: Mapping[int, Calibration]


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
    open_games: int
    """Games without an end: nothing is known about what was to come."""
    agents: Sequence[str]
    """Who played."""
    choices: Mapping[str, Choices]
    """By phase, and of ``all``."""
    regrets: Sequence[Regret]
    forecasts: Mapping[str, Forecast]
    """Of ``win``, and of ``clear_1`` to ``clear_6``: so many further blinds are beaten. Empty if no game has an end."""
    ante: AnteError | None


def offline(policy: Policy, samples: Samples, progress: Callable[[int], None] | None = None) -> Offline:
    """ValueError where there is nothing to judge by."""
    answers = ask(policy, samples, progress)
    bootstrap = GameBootstrap(samples.games)
    results = np.array([game.result for game in samples.played])[samples.games]
    ended = results != "open"
    counts = candidate_counts(samples)
    return Offline(
        games=bootstrap.games,
        decisions=len(samples),
        not_listed=int(((samples.chosen < 0) & (counts > 1)).sum()),
        single=int((counts <= 1).sum()),
        open_games=len(np.unique(samples.games[~ended])),
        agents=sorted({samples.played[game].agent for game in np.unique(samples.games)}),
        choices=choices(samples, answers, bootstrap),
        regrets=tuple(regrets(samples, answers, bootstrap)),
        forecasts=_forecasts(samples, answers, results, bootstrap) if ended.any() else {},
        ante=_ante_error(samples, answers, ended, bootstrap) if ended.any() else None,
    )


def _forecasts(samples: Samples, answers: Answers, results: Array, bootstrap: GameBootstrap) -> dict[str, Forecast]:
    beaten = np.array([game.blinds for game in samples.played])[samples.games] - samples.blinds
    predictions = {WIN: (answers.win, results == "win")}
    for place in range(answers.clear.shape[1]):
        predictions[f"clear_{place + 1}"] = (answers.clear[:, place], beaten > place)
    antes = samples.observations["ante"]
    ended = results != "open"

    def judged(predicted: Array, happened: Array, of: Array) -> Calibration:
        return calibration(predicted[of], happened[of], bootstrap.of(of))

    return {
        name: Forecast(
            judged(predicted, happened, ended),
            {int(ante): judged(predicted, happened, ended & (antes == ante)) for ante in np.unique(antes[ended])},
        )
        for name, (predicted, happened) in predictions.items()
    }


def _ante_error(samples: Samples, answers: Answers, ended: Array, bootstrap: GameBootstrap) -> AnteError:
    reached = np.array([min(game.ante, LAST_ANTE) for game in samples.played])[samples.games]  # a win counts as ante 8
    error, these = (answers.ante - reached)[ended], bootstrap.of(ended)
    return AnteError(these.mean(error), these.mean(np.abs(error)))


def offline_data(result: Offline, model: Path, datasets: Sequence[Path]) -> dict[str, Any]:
    """An offline evaluation for machines, with what it was made of."""
    files = [{"path": str(path), "sha256": _hash(path)} for path in datasets]
    together = hashlib.sha256("\n".join(sorted(file["sha256"] for file in files)).encode()).hexdigest()
    return {
        "schema": SCHEMA,
        "model": {"path": str(model), "sha256": _hash(model)},
        "dataset": {"files": files, "sha256": together},
        "schema_hash": batch_schema_hash(),
        "versions": dict(versions()),
        **asdict(result),
    }


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
