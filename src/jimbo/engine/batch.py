"""Many episodes side by side, stepped together by the engine into numpy arrays of the caller.

>>> import numpy as np
>>> from jimbo.engine.batch import Batch, BatchArrays
>>> batch = Batch(4, encoding="steps")
>>> arrays = BatchArrays.for_batch(batch)
>>> batch.bind(**arrays.as_arguments())
>>> batch.reset()
>>> steps = np.zeros(4, np.int32)
>>> batch.sample(steps, seed=1)
>>> batch.step(steps)
>>> arrays.stats["length"].tolist()
[1, 1, 1, 1]
"""

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from jimbo.engine import _core
from jimbo.engine.decisions import OptionSource
from jimbo.engine.observation import action_dtype, observation_dtype, reward_terms, stats_dtype

Array = npt.NDArray[Any]
Options = dict[str, Any]

REPORTED = ("rewards", "terminated", "truncated", "terms", "final_observations", "stats")
"""The arrays that report the last step; the others show where the rows stand."""
ANY_BATCH = ("deck", "stake", "challenge", "threads", "source")
"""Options in which a batch may differ from the one whose snapshot it restores: the rows know what they play."""


class Batch:
    """Episodes that the engine plays side by side; what happens in a row depends on that row alone."""

    __slots__ = ("_arrays", "_core", "_options", "encoding", "mask_width", "n")

    def __init__(
        self,
        n: int,
        *,
        encoding: str = "steps",
        deck: str | None = None,
        stake: str = "white",
        challenge: str | None = None,
        threads: int = 1,
        autoreset: str = "next_step",
        max_ante: int | None = _core.LAST_ANTE,
        max_steps: int = 0,
        moves: bool = False,
        candidates: int = 128,
        illegal_penalty: float = 0.0,
        weights: Mapping[str, float] | None = None,
        source: OptionSource | None = None,
    ) -> None:
        """Makes a batch of ``n`` rows; `bind` its arrays, then `reset` it.

        ``deck``, ``stake``, ``challenge``: keys or names (``"red"``, ``"Red Deck"``). No deck: the challenge's own, or
        the Red Deck.
        ``encoding``: ``"steps"`` (ids of `step_names`), ``"actions"`` (rows of `action_dtype`), ``"candidates"``
        (the number of one of at most ``candidates`` listed whole actions) or ``"options"`` (the number of a decision
        that ``source`` lists; a source belongs to one batch).
        ``autoreset``: an episode that ended is followed by a new one in the ``"next_step"``, which ignores its action,
        or in the ``"same_step"``, or not before a `reset` (``"disabled"``).
        ``max_ante``: 8 ends episodes with the win, another number when that ante is passed, None only when lost.
        ``max_steps``: steps after which an episode is cut off; 0 for no limit.
        ``moves``: cards may be rearranged. ``weights``: of the `reward_terms`, 0 where not named.
        """
        self._options: Options = {
            "encoding": encoding, "deck": deck, "stake": stake, "challenge": challenge, "threads": threads,
            "autoreset": autoreset, "max_ante": max_ante, "max_steps": max_steps, "moves": moves,
            "candidates": candidates, "illegal_penalty": illegal_penalty, "weights": dict(weights or {}),
            "source": source,
        }  # fmt: skip
        self._core = _core.Batch(n, **{**self._options, "source": source and source.core})
        if source:
            source.show(n)
        self._arrays: dict[str, Array] = {}
        self.n = self._core.n
        self.encoding = self._core.encoding
        self.mask_width = self._core.mask_width

    def bind(
        self,
        observations: Array | None,
        masks: Array | None,
        rewards: Array | None,
        terminated: Array | None,
        truncated: Array | None,
        *,
        terms: Array | None = None,
        candidate_ids: Array | None = None,
        candidate_rows: Array | None = None,
        final_observations: Array | None = None,
        stats: Array | None = None,
    ) -> None:
        """Sets the arrays that results are written to (see `BatchArrays`); what is None is not written.

        Observations are updated in place, so they must be zeros or earlier observations, and nobody else may write
        into them; copy what is to be kept.
        """
        _check("observations", observations, observation_dtype())
        _check("final_observations", final_observations, observation_dtype())
        _check("stats", stats, stats_dtype())
        arrays = {
            "observations": observations, "masks": masks, "rewards": rewards, "terminated": terminated,
            "truncated": truncated, "terms": terms, "candidate_ids": candidate_ids, "candidate_rows": candidate_rows,
            "final_observations": final_observations, "stats": stats,
        }  # fmt: skip
        self._core.bind(**arrays)
        self._arrays = {name: array for name, array in arrays.items() if array is not None}

    @property
    def source(self) -> OptionSource | None:
        """What lists the options, where these are the encoding."""
        source: OptionSource | None = self._options["source"]
        return source

    @property
    def arrays(self) -> dict[str, Array]:
        """The arrays that are bound, by name."""
        return dict(self._arrays)

    def seed(self, seeds: Sequence[int]) -> None:
        """One number for each row, from which it makes its game seeds (the row number if never called)."""
        self._core.seed(seeds)

    def seed_lists(self, lists: Sequence[Sequence[str]]) -> None:
        """For each row, the game seeds it plays in turn; after the last comes the first again."""
        self._core.seed_lists(lists)

    def set_start(
        self, row: int, *, deck: str | None = None, stake: str = "white", challenge: str | None = None
    ) -> None:
        """What a row plays from its next reset on."""
        self._core.set_start(row, deck=deck, stake=stake, challenge=challenge)

    def reset(self, mask: Array | None = None) -> None:
        """Starts new episodes where ``mask`` (``[n]`` bool) says so, or everywhere."""
        self._core.reset(mask)

    def step(self, actions: Array) -> None:
        """One action for each row, in the batch's encoding; a refused one changes nothing."""
        if self.encoding == "actions":
            _check("actions", actions, action_dtype())
        self._core.step(actions)

    def step_one(self, action: int | _core.Action) -> tuple[float, bool, bool, bool, int, int]:
        """One action of a batch of one row, without arrays going in: a number, or an Action where those are whole.

        Gives reward, terminated, truncated, whether the episode ended in this step, the ante and how many steps were
        refused in this episode; the bound arrays are written as `step` does it.
        """
        return self._core.step_one(action)

    def sample(self, out: Array, seed: int) -> None:
        """Writes random allowed actions, each as likely as any other; whole ones without moves, sorts and sales."""
        if self.encoding == "actions":
            _check("out", out, action_dtype())
        self._core.sample(out, seed)

    # --- Runs and snapshots ------------------------------------------------------------------------------------------

    def run(self, row: int) -> _core.Run:
        """A copy of a row's run, for tests and tools: agents must not see it."""
        return self._core.run(row)

    def set_run(self, row: int, run: _core.Run) -> None:
        """Starts a new episode in a row from a copy of ``run``, as `reset` does from the start of a game.

        A run whose episode would be over at once raises ValueError. The row's own games go on afterwards.
        """
        self._core.set_run(row, run)

    def snapshot(self) -> "BatchSnapshot":
        """Where the batch stands between two steps; `restore` goes back there any number of times."""
        last = {name: _bytes_of(self._arrays[name]).copy() for name in REPORTED if name in self._arrays}
        options = {name: value for name, value in self._options.items() if name not in ANY_BATCH}
        return BatchSnapshot(self._core.snapshot(), last, options)

    def restore(self, snapshot: "BatchSnapshot") -> None:
        """Goes back to a snapshot of this batch, or of another one with as many rows and the same options.

        Everything then goes on as it did from there, bit for bit; all bound arrays are written.
        """
        if len(snapshot.rows) != self.n:
            raise ValueError(f"the snapshot has {len(snapshot.rows)} rows, but the batch has {self.n}")
        for name, value in snapshot.options.items():
            if self._options[name] != value:
                raise ValueError(
                    f"the snapshot is of a batch with {name}={value!r}, but this one has {self._options[name]!r}"
                )
        self._core.restore(snapshot.rows)
        for name, values in snapshot.last.items():
            if name in self._arrays:
                _bytes_of(self._arrays[name])[...] = values

    def __reduce__(self) -> tuple[Callable[..., "Batch"], tuple[object, ...]]:
        """Keep the bound arrays: what shares arrays with a batch and is pickled together with it shares them again."""
        return _rebuilt, (self.n, self._options, self._arrays, self._core.snapshot())

    def __deepcopy__(self, memo: dict[int, Any]) -> "Batch":
        arrays = {name: memo.setdefault(id(array), _copied(array)) for name, array in self._arrays.items()}
        options = {**self._options, "source": copy.deepcopy(self._options["source"], memo)}
        return _rebuilt(self.n, options, arrays, self._core.snapshot())

    def __copy__(self) -> "Batch":
        return self.__deepcopy__({})  # two batches must not write into the same arrays

    def __repr__(self) -> str:
        return f"<Batch of {_rows(self.n)}, {self.encoding}, autoreset {self._options['autoreset']}>"

    def game_seed(self, row: int) -> str:
        """The seed of the game that a row plays."""
        return self._core.game_seed(row)


def _rebuilt(n: int, options: Options, arrays: dict[str, Array], rows: _core.BatchRows) -> Batch:
    batch = Batch(n, **options)
    batch._core.restore(rows)  # before the arrays are bound: they keep what they held
    if arrays:
        batch.bind(**{field.name: arrays.get(field.name) for field in fields(BatchArrays)})
    return batch


@dataclass(frozen=True, slots=True, eq=False)
class BatchSnapshot:
    """Where a batch stood between two steps. It can be kept, pickled and restored in another process."""

    rows: _core.BatchRows
    """The episodes with their runs, statistics, starts and seeds."""
    last: dict[str, Array]
    """What the last step reported, by array, as bytes."""
    options: Options
    """What a batch that restores it must have in common with the one it was taken from."""

    def __repr__(self) -> str:
        return f"<BatchSnapshot of {_rows(len(self.rows))}>"


def _bytes_of(array: Array) -> npt.NDArray[np.uint8]:
    """A view: numpy copies structures field by field and leaves out the padding between."""
    return array.view(np.uint8)


def _copied(array: Array) -> Array:
    return _bytes_of(array).copy().view(array.dtype)


def _check(name: str, array: Array | None, dtype: np.dtype[np.void]) -> None:
    if array is not None and getattr(array, "dtype", None) != dtype:
        raise ValueError(f"{name} must have the dtype that jimbo.engine makes for it, not {_dtype_text(array)}")


def _dtype_text(array: object) -> str:
    dtype = getattr(array, "dtype", None)
    if dtype is None:
        return type(array).__name__
    return "another structure" if dtype.names else str(dtype)


@dataclass(frozen=True, slots=True)
class BatchArrays:
    """The arrays of a batch."""

    observations: Array
    """``[n]`` of `observation_dtype`."""
    masks: Array
    """``[n, A]`` bool: allowed steps, or listed candidates or options."""
    rewards: Array
    """``[n]`` float32."""
    terminated: Array
    """``[n]`` bool: won or lost."""
    truncated: Array
    """``[n]`` bool: stopped for another reason."""
    terms: Array
    """``[n, T]`` float32, columns as in `reward_terms`."""
    candidate_ids: Array
    """``[n, K, I]`` int16: ids of each candidate (``K`` = 0 in other encodings)."""
    candidate_rows: Array
    """``[n, K, F]`` float32: numbers of each candidate."""
    final_observations: Array
    """``[n]`` of `observation_dtype`: the last of an episode that was reset in the same step."""
    stats: Array
    """``[n]`` of `stats_dtype`."""

    @classmethod
    def for_batch(cls, batch: Batch) -> "BatchArrays":
        """New arrays of the right shapes, all zeros."""
        n, k = batch.n, batch.mask_width if batch.encoding == "candidates" else 0
        return cls(
            observations=np.zeros(n, observation_dtype()),
            masks=np.zeros((n, batch.mask_width), np.bool_),
            rewards=np.zeros(n, np.float32),
            terminated=np.zeros(n, np.bool_),
            truncated=np.zeros(n, np.bool_),
            terms=np.zeros((n, len(reward_terms())), np.float32),
            candidate_ids=np.zeros((n, k, _core.CANDIDATE_IDS), np.int16),
            candidate_rows=np.zeros((n, k, _core.CANDIDATE_NUMBERS), np.float32),
            final_observations=np.zeros(n, observation_dtype()),
            stats=np.zeros(n, stats_dtype()),
        )

    def __repr__(self) -> str:
        n, width = self.masks.shape
        return f"<BatchArrays for {_rows(n)} of {width} actions>"

    def as_arguments(self) -> dict[str, Array]:
        """The arguments of `Batch.bind`."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count:,} rows"
