"""What a player sees as fixed arrays of numbers, and everything else that goes in and out of a batch.

The compiled engine owns the list of fields; the numpy dtypes, the typed descriptions and docs/observation.md are made
from it (the page by ``python tools/observation_page.py``).

>>> observation_dtype()["joker_id"].shape
(32,)
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from jimbo.engine import _core


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One field of an observation, a candidate or the statistics."""

    name: str
    dtype: str
    """``uint8``, ``int16``, ``float32``..."""
    shape: tuple[int, ...]
    """``()`` for a single number."""
    offset: int
    """Where it lies in its struct, in bytes."""
    low: float
    high: float
    categories: int
    """0 for a number; otherwise the values are ids from 0 (nothing) to ``categories - 1``."""
    vocabulary: str
    """What the ids stand for, such as ``joker``; fields of one vocabulary can share an embedding. See `vocabulary`."""
    parts: tuple[str, ...]
    """Names of the last axis, where it has any."""
    doc: str

    @property
    def is_id(self) -> bool:
        """Whether the values are ids for an embedding."""
        return self.categories > 0


def _specs(rows: Sequence[dict[str, Any]]) -> tuple[FieldSpec, ...]:
    return tuple(FieldSpec(**{**row, "parts": tuple(row["parts"])}) for row in rows)


@cache
def observation_fields() -> tuple[FieldSpec, ...]:
    """The fields of an observation."""
    return _specs(_core.observation_fields())


@cache
def candidate_fields() -> tuple[FieldSpec, ...]:
    """What describes a candidate: first the ids (int16), then the numbers (float32).

    A field's ``offset`` is its column in ``candidate_ids`` or ``candidate_rows``.
    """
    return _specs(_core.candidate_fields())


@cache
def stats_fields() -> tuple[FieldSpec, ...]:
    """The statistics of an episode."""
    return _specs(_core.stats_fields())


def struct_dtype(fields: Sequence[FieldSpec], size: int) -> np.dtype[np.void]:
    """The structured dtype of these fields, as the engine lays them out."""
    return np.dtype(
        {
            "names": [field.name for field in fields],
            "formats": [(field.dtype, field.shape) for field in fields],
            "offsets": [field.offset for field in fields],
            "itemsize": size,
        }
    )


@cache
def observation_dtype() -> np.dtype[np.void]:
    """One observation."""
    return struct_dtype(observation_fields(), _core.OBSERVATION_SIZE)


@cache
def stats_dtype() -> np.dtype[np.void]:
    """The statistics of one episode."""
    return struct_dtype(stats_fields(), _core.STATS_SIZE)


@cache
def action_dtype() -> np.dtype[np.void]:
    """One whole action: kind (place in ``ActionKind``), index, to, and the selected hand positions as bits."""
    names, formats, offsets = ["kind", "index", "to", "cards"], ["u1", "u1", "u1", "u8"], [0, 1, 2, 8]
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": 16})


@cache
def vocabulary(name: str) -> tuple[str, ...]:
    """The names of the ids of a vocabulary, from 0 (the empty text: nothing) on."""
    names = tuple(_core.vocabulary(name))
    if not names:
        raise ValueError(f"there is no vocabulary {name!r}")
    return names


@cache
def step_names() -> tuple[str, ...]:
    """The names of the steps of the encoding "steps"; a step is its place in this list."""
    return tuple(_core.step_names())


@cache
def reward_terms() -> dict[str, str]:
    """What a reward can be made of, in the order of the columns of ``terms``, each with a sentence."""
    return dict(_core.reward_terms())


BLINDS_TO_WIN = 24
"""Three blinds in each of eight antes."""

DEFAULT_REWARDS: Mapping[str, float] = MappingProxyType({"win": 1.0, "score": 1 / BLINDS_TO_WIN})
"""Winning pays 1, and so does the way there: each of the 24 blinds pays 1/24 when beaten, the scored share when not.

The sum of an episode lies between 0 and 2, is at least 1 only for a won run, and moves with every hand that brings a
blind closer, so that an agent that never wins still sees which of its runs went better. Score beyond a blind's target
pays nothing, as in the game. A skipped blind pays nothing either; ``{"win": 1, "ante": 1 / 8}`` is neutral about skips
and gives fewer signals.
"""


def batch_schema_hash() -> str:
    """Changes when observations, steps or candidates do; stamped into whatever depends on them."""
    return _core.batch_schema_hash()


# --- Single runs ------------------------------------------------------------------------------------------------------


def observe(run: _core.Run | _core.PublicState, selected: Iterable[int] = ()) -> npt.NDArray[np.void]:
    """What the player of a run sees, from the run or from its public state: an array of one `observation_dtype`."""
    out = np.zeros(_core.OBSERVATION_SIZE, np.uint8)
    _core.observe_into(_seen(run), sum(1 << position for position in set(selected)), out)
    return out.view(observation_dtype())


def _seen(run: _core.Run | _core.PublicState) -> _core.Run:
    """Any run that looks like a public state will do: nothing hidden is looked at."""
    return run.imagine(0) if isinstance(run, _core.PublicState) else run


@dataclass(frozen=True, slots=True)
class Candidates:
    """Whole actions to choose from, with what describes each of them."""

    actions: list[_core.Action]
    ids: npt.NDArray[np.int16]
    """``[len(actions), I]``."""
    rows: npt.NDArray[np.float32]
    """``[len(actions), F]``."""

    def __repr__(self) -> str:
        return f"<Candidates: {len(self.actions)} actions>"


def candidates(run: _core.Run | _core.PublicState, k: int = 128, *, moves: bool = False) -> Candidates:
    """At most ``k`` candidates of a run or its public state, as a batch would list them (see `candidate_fields`)."""
    ids = np.zeros((k, _core.CANDIDATE_IDS), np.int16)
    rows = np.zeros((k, _core.CANDIDATE_NUMBERS), np.float32)
    actions = _core.list_candidates(_seen(run), k, moves, ids, rows)
    return Candidates(actions, ids[: len(actions)], rows[: len(actions)])


@dataclass(frozen=True, slots=True)
class Description:
    """What a network is shown of a public state."""

    observation: npt.NDArray[np.void]
    """``[1]`` of `observation_dtype`."""
    actions: npt.NDArray[np.void]
    """``[n]`` of `action_dtype`."""
    ids: npt.NDArray[np.uint8]
    """``[n, I]``."""
    rows: npt.NDArray[np.float32]
    """``[n, F]``."""

    def __repr__(self) -> str:
        return f"<Description with {len(self.actions)} actions>"


def describe(state: _core.PublicState, k: int = 64) -> Description:
    """The observation and at most ``k`` candidates of a state: as `observe` and `candidates` give them, but faster."""
    describer = _core.Describer(k)
    seen = np.zeros(_core.OBSERVATION_SIZE, np.uint8)
    ids = np.empty((k, _core.CANDIDATE_IDS), np.uint8)
    rows = np.empty((k, _core.CANDIDATE_NUMBERS), np.float32)
    count = describer.into(state, seen, ids, rows)
    actions = np.empty(count, action_dtype())
    describer.actions_into(actions)
    return Description(np.ndarray(1, observation_dtype(), seen), actions, ids[:count], rows[:count])
