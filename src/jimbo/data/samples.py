"""The decisions of many games as arrays: what training and offline evaluation read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from jimbo.data.record import GameResult, Measure
from jimbo.engine import Phase, candidate_fields, observation_dtype

MAX_CANDIDATES = 64
"""Candidates of a decision, at most."""
MEASURES: tuple[Measure, ...] = get_args(Measure)
PHASES = tuple(Phase)
OF_CANDIDATES = ("candidate_ids", "candidate_rows", "values")
"""The arrays of samples with a row for each candidate."""


@cache
def candidate_widths() -> tuple[int, int]:
    """How many ids and how many numbers describe a candidate."""
    ids = sum(field.is_id for field in candidate_fields())
    return ids, len(candidate_fields()) - ids


class BadData(ValueError):
    """A file that does not hold what it should, with a sentence that names it and the line or row."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a file of decisions says about itself."""

    schema: str
    versions: Mapping[str, str]
    config: Mapping[str, Any]
    """The settings of the rollout."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(GameResult):
    """A game that was played: who played what, and how it ended."""

    seed: str
    deck: str
    stake: str
    agent: str
    nonce: int
    """The seed of the agent's own random choices."""
    blinds: int
    """Blinds beaten."""
    challenge: str | None = None
    number: int = 0
    """Its place in the rollout, from 0."""


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """``n`` decisions with ``m`` candidates in all."""

    observations: NDArray[np.void]
    """``[n]`` of ``observation_dtype()``."""
    starts: NDArray[np.int64]
    """``[n + 1]``: the candidates of decision ``i`` are the rows ``starts[i]`` to ``starts[i + 1]``."""
    candidate_ids: NDArray[np.uint8]
    """``[m, 22]``, as ``jimbo.engine.describe`` lists them."""
    candidate_rows: NDArray[np.float32]
    """``[m, 24]``."""
    values: NDArray[np.float32]
    """``[m]``: what the player found each candidate worth; NaN where it did not look."""
    chosen: NDArray[np.int16]
    """``[n]``: place of the action taken among its candidates; -1 where it is not listed."""
    measures: NDArray[np.uint8]
    """``[n]``: place in ``MEASURES``."""
    phases: NDArray[np.uint8]
    """``[n]``: place in ``PHASES``."""
    games: NDArray[np.int32]
    """``[n]``: place in ``played``."""
    steps: NDArray[np.int32]
    """``[n]``: from 1 in each game."""
    blinds: NDArray[np.int16]
    """``[n]``: blinds beaten in the run before this decision."""
    rewards: NDArray[np.float32]
    """``[n]``: chips scored by the decision."""
    played: tuple[Game, ...]

    def __len__(self) -> int:
        return len(self.observations)

    def __repr__(self) -> str:
        return f"<Samples: {len(self)} decisions of {len(self.played)} games>"

    def returns(self) -> NDArray[np.float64]:
        """The rewards from each decision to the end of its game; the decisions of a game stand together, in order."""
        parts = np.split(self.rewards.astype(np.float64), np.flatnonzero(np.diff(self.games)) + 1)
        return np.concatenate([np.cumsum(part[::-1])[::-1] for part in parts])

    def done(self) -> NDArray[np.bool_]:
        """Which decisions ended their game."""
        ends = np.array([game.steps if game.result != "open" else -1 for game in self.played])
        return np.asarray(self.steps == ends[self.games])

    def take(self, indices: NDArray[np.integer] | Sequence[int]) -> Samples:
        """Some of the decisions, in this order; ``played`` stays as it is."""
        places = np.asarray(indices, np.int64)
        counts = (self.starts[1:] - self.starts[:-1])[places]
        starts = _starts(counts)
        rows = np.repeat(self.starts[:-1][places] - starts[:-1], counts) + np.arange(starts[-1])
        taken = {name: getattr(self, name)[places] for name in _OF_DECISIONS}
        taken |= {name: getattr(self, name)[rows] for name in OF_CANDIDATES}
        observations = _whole(self.observations)[places].view(observation_dtype())
        return Samples(observations=observations, starts=starts, played=self.played, **taken)

    @staticmethod
    def joined(parts: Sequence[Samples]) -> Samples:
        """All of them, one after another."""
        if len(parts) == 1:
            return parts[0]
        shifts = np.cumsum([0, *(len(part.played) for part in parts)], dtype=np.int32)
        return Samples(
            observations=np.concatenate([_whole(part.observations) for part in parts]).view(observation_dtype()),
            starts=_starts(np.concatenate([np.diff(part.starts) for part in parts])),
            games=np.concatenate([part.games + shift for part, shift in zip(parts, shifts, strict=False)]),
            played=tuple(game for part in parts for game in part.played),
            **{
                name: np.concatenate([getattr(part, name) for part in parts])
                for name in (*OF_CANDIDATES, *_OF_DECISIONS)
                if name != "games"
            },
        )


_OF_DECISIONS = tuple(
    field.name for field in fields(Samples) if field.name not in ("observations", "starts", "played", *OF_CANDIDATES)
)
"""The arrays of samples with a number for each decision."""


def _whole(observations: NDArray[np.void]) -> NDArray[np.void]:
    """Each as one value: numpy would copy them field by field, and leave out what lies between."""
    return observations.view(f"V{observation_dtype().itemsize}")


def _starts(counts: NDArray[np.integer]) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)])


def has_lines(path: Path) -> bool:
    """Whether a file holds lines of RecordV1 rather than columns, by its name; BadData for any other name."""
    if path.suffix not in (".jsonl", ".parquet"):
        raise BadData(f"{path} ends neither in .jsonl nor in .parquet.")
    return path.suffix == ".jsonl"


def check_named_once(paths: Sequence[Path]) -> None:
    """BadData for a file that is named twice, in whatever way."""
    known: set[Path] = set()
    for path in paths:
        if path.resolve() in known:
            raise BadData(f"{path} is named twice. Its games must not count twice.")
        known.add(path.resolve())


def form_of(path: Path) -> Any:
    """The module that reads a file, ``record_v1_files`` or ``parquet``; each makes Samples, and one needs pyarrow."""
    return import_module(f"jimbo.data.{'record_v1_files' if has_lines(path) else 'parquet'}")


def read_samples(paths: Sequence[Path]) -> Samples:
    """The decisions of files of records (.jsonl) and columns (.parquet); BadData names the file and the line or row."""
    if not paths:
        raise BadData("No file with decisions was named.")
    return Samples.joined([form_of(path).samples_of(path) for path in paths])
