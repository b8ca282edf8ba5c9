"""Rows of a native batch with the arrays it writes, and their snapshots: what single and vector environments share."""

from __future__ import annotations

import copy
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, cast

import numpy as np
from gymnasium import spaces
from gymnasium.error import ClosedEnvironmentError
from numpy.typing import NDArray

from jimbo.engine import (
    Action,
    Batch,
    BatchArrays,
    BatchSnapshot,
    Run,
    action_dtype,
    candidate_fields,
    observation_fields,
)
from jimbo.env.decisions import layout_of, source_of
from jimbo.env.flat import FlatLayout
from jimbo.env.layouts import Arrays, BatchView, FieldLayout, Observation, ObservationLayout, PackedLayout, Showing
from jimbo.env.options import STARTS, CampaignOptions, EpisodeOptions, ResetChoices, RunOptions
from jimbo.env.rewards import Transition, custom_reward, split_weights
from jimbo.env.whole import row_of, whole_actions, whole_rows, whole_space
from jimbo.text import counted

ENDS = ("running", "won", "lost", "no_room", "max_ante", "max_steps")
"""How an episode can end, by the number in its statistics."""
LAYOUTS: Mapping[str, Callable[..., ObservationLayout]] = {
    "fields": FieldLayout,
    "flat": FlatLayout,
    "packed": PackedLayout,
}
ENCODINGS = {"steps": "steps", "candidates": "candidates", "whole": "actions"}
_NATIVE = ("deck", "stake", "challenge", "threads", "max_ante", "max_steps", "illegal_penalty")
"""Options that the batch takes as they are."""
FINAL_BLOCKS = 64
"""Episodes that end in one step keep their last observations apart."""
WORD = (1 << 64) - 1
_KEPT = ("rewards", "finished", "game_seeds", "_ended_seeds", "_returns", "_over", "_numbers")
"""What rows hold besides their batch and its arrays."""


@dataclass(frozen=True, slots=True, eq=False)
class RowsSnapshot:
    """Where rows stood between two steps."""

    batch: BatchSnapshot
    kept: dict[str, Any]

    def __repr__(self) -> str:
        return f"<RowsSnapshot of {counted(len(self.batch.rows), 'row')}>"


class EnvRows:
    """``n`` episodes side by side.

    The batch writes over its arrays with every call, so only copies leave this class.
    """

    def __init__(self, n: int, options: EpisodeOptions, autoreset: str, alone: bool = False) -> None:
        """``alone``: the only row is shown without an axis for rows."""
        weights, self._custom_weights = split_weights(options.rewards, options.custom_rewards)
        self.n = n
        self.options = options
        self._same_step = autoreset == "same_step"
        self._seed_lists = [list(options.seeds[row::n]) for row in range(n)]
        if options.seeds and not all(self._seed_lists):
            raise ValueError(f"{n} environments need at least {n} game seeds, but seeds has {len(options.seeds)}")
        self.batch = Batch(
            n,
            autoreset=autoreset,
            weights=weights,
            **{name: getattr(options, name) for name in _NATIVE},
            **_encoding(options),
        )
        if options.seeds:
            self.batch.seed_lists(self._seed_lists)
        self._arrays = BatchArrays.for_batch(self.batch)
        self.batch.bind(**self._arrays.as_arguments())
        self._whole = self.batch.encoding == "actions"
        self._moves = isinstance(options, RunOptions) and options.moves
        self.action_space: spaces.Space[Any] = whole_space() if self._whole else spaces.Discrete(self.batch.mask_width)
        at = self._arrays
        self.layout = self._layout()
        listed = self.batch.source.arrays if self.batch.source else None
        shown = BatchView(at.observations, at.masks, at.candidate_ids, at.candidate_rows, listed)
        self._showing = Showing(self.layout, shown, None if alone else n)
        self._final_showing = Showing(self.layout, self._final_view(), None, FINAL_BLOCKS)
        self.rewards = np.zeros(n)
        self.finished = np.zeros(n, np.bool_)
        self.game_seeds = np.full(n, None, object)
        self._ended_seeds = self.game_seeds
        self._returns = np.zeros(n)
        self._over = np.zeros(n, np.bool_)
        self._numbers: list[int] = []

    def _layout(self) -> ObservationLayout:
        options = self.options
        if isinstance(options, RunOptions):
            listed = candidate_fields() if options.actions == "candidates" else ()
            return LAYOUTS[options.observation](
                observation_fields(), self.batch.mask_width, listed, self._arrays.candidate_ids.shape[1]
            )
        assert isinstance(options, CampaignOptions)
        assert self.batch.source
        return layout_of(options, self.batch.source.arrays)

    # --- Starting episodes -------------------------------------------------------------------------------------------

    @property
    def seeded(self) -> bool:
        """Whether ``seed`` was called; without it every batch plays the same games."""
        return bool(self._numbers)

    def seed(self, numbers: Sequence[int]) -> None:
        """Set the rows' generators of game seeds, and start their lists of game seeds from the first one."""
        self._numbers = [number & WORD for number in numbers]
        self.batch.seed(self._numbers)
        if self.options.seeds:
            self.batch.seed_lists(self._seed_lists)

    def reset(self, chosen: NDArray[np.bool_], choices: ResetChoices) -> None:
        """Start new episodes in the chosen rows; what ``choices`` names holds for these episodes only."""
        if choices.runs is not None:
            self._start_runs(chosen, choices.runs)
        else:
            self._start_games(chosen, choices)
        self.finished = np.zeros(self.n, np.bool_)
        self._over &= ~chosen
        self._returns[chosen] = 0
        self._note_game_seeds(chosen)

    def _start_games(self, chosen: NDArray[np.bool_], choices: ResetChoices) -> None:
        if choices.start:
            self._set_start(choices.start)
        try:
            if choices.game_seeds is not None:
                self.batch.seed_lists([[seed] for seed in choices.game_seeds])
            self.batch.reset(chosen)
        finally:
            if choices.start:
                self._set_start({})
        if choices.game_seeds is not None:
            self.seed([_next_number(number) for number in self._numbers])

    def _start_runs(self, chosen: NDArray[np.bool_], runs: Sequence[Run | None]) -> None:
        before = self.batch.snapshot()
        self.batch.reset(chosen & np.array([run is None for run in runs]))
        for row, run in enumerate(runs):
            if run is None or not chosen[row]:
                continue
            try:
                self.batch.set_run(row, run)
            except ValueError as error:
                self.batch.restore(before)
                raise ValueError(f"row {row}: {error}" if self.n > 1 else str(error)) from None

    def _set_start(self, start: Mapping[str, Any]) -> None:
        """Set what the rows play from their next reset on: what the options say, apart from what ``start`` names."""
        usual = {name: getattr(self.options, name) for name in STARTS}
        if start.get("challenge"):
            usual["deck"] = None  # a challenge brings its own
        for row in range(self.n):
            self.batch.set_start(row, **{**usual, **start})

    def _note_game_seeds(self, rows: NDArray[np.bool_]) -> None:
        self._ended_seeds = self.game_seeds
        if rows.any():
            self.game_seeds = self.game_seeds.copy()
            for row in np.flatnonzero(rows).tolist():
                self.game_seeds[row] = self.batch.game_seed(row)

    # --- Snapshots ---------------------------------------------------------------------------------------------------

    def snapshot(self) -> RowsSnapshot:
        return RowsSnapshot(self.batch.snapshot(), {name: copy.copy(getattr(self, name)) for name in _KEPT})

    def restore(self, snapshot: RowsSnapshot) -> None:
        self.batch.restore(snapshot.batch)
        for name, value in snapshot.kept.items():
            setattr(self, name, copy.copy(value))

    # --- Steps -------------------------------------------------------------------------------------------------------

    def step(self, actions: Any) -> None:
        """Take one action in each row: set ``rewards``, ``finished`` and what the methods below read."""
        resting = np.zeros_like(self._over) if self._same_step else self._over
        before = _copied(self._arrays.observations) if self._custom_weights else None
        self.batch.step(self._native(actions))
        self.finished = self._arrays.stats["finished"].copy()
        self.rewards = self._arrays.rewards.astype(np.float64)
        if before is not None:
            self.rewards += np.where(resting, 0.0, self._custom_reward(before))
        self._returns[self._over] = 0
        self._returns += self.rewards
        self._over = self._arrays.terminated | self._arrays.truncated
        self._note_game_seeds(self.finished if self._same_step else resting & ~self._over)

    def step_one(self, action: Any) -> tuple[float, bool, bool, bool, int, int]:
        """Take an action in the only row, which does not start again by itself.

        Return reward, terminated, truncated, whether the episode ended in this step, ante and refused actions.
        """
        native = self._native_one(action)
        if self._custom_weights or native is None:
            given = row_of(action) if isinstance(action, Action) else action
            self.step(np.expand_dims(given, 0) if self._whole else np.reshape(given, 1))
            at = self._arrays
            flags = bool(at.terminated[0]), bool(at.truncated[0]), bool(self.finished[0])
            return float(self.rewards[0]), *flags, int(at.observations["ante"][0]), int(at.stats["illegal"][0])
        report: tuple[float, bool, bool, bool, int, int] = self.batch.step_one(native)
        reward, terminated, truncated, finished, _, _ = report
        self._returns[0] = reward if self._over[0] else self._returns[0] + reward
        self._over[0] = terminated or truncated
        self.finished[0] = finished
        self.rewards[0] = reward
        return report

    def _native_one(self, action: Any) -> int | Action | None:
        """Return the only row's action as the batch takes it at once; None for one that ``step`` must check."""
        if self._whole:
            fits = isinstance(action, Action) and (self._moves or not action.kind.startswith(("move_", "sort_")))
            return action if fits else None
        try:
            number = operator.index(action)
        except TypeError:
            return None
        return number if 0 <= number < self.batch.mask_width else -1

    def _native(self, actions: Any) -> NDArray[Any]:
        """Return actions as the batch takes them; a number that is not an action becomes -1."""
        if self._whole:
            return whole_actions(actions, self.n, self._moves)
        ids = np.asarray(actions)
        if ids.shape != (self.n,) or ids.dtype.kind not in "iu":
            raise ValueError(f"actions must be {self.n} whole numbers, not {ids.dtype} of shape {ids.shape}")
        if ids.dtype == np.int32:
            return np.ascontiguousarray(ids)  # the engine refuses what is not an action
        is_action = (ids >= 0) & (ids < self.batch.mask_width)
        known = np.full(self.n, -1, np.int32)
        known[is_action] = ids[is_action]
        return known

    def sample(self, seed: int) -> NDArray[Any]:
        """Return random allowed actions as ``step`` takes them."""
        if self._whole:
            actions = np.zeros(self.n, action_dtype())
            self.batch.sample(actions, seed)
            return whole_rows(actions)
        ids = np.zeros(self.n, np.int32)
        self.batch.sample(ids, seed)
        return ids

    def _custom_reward(self, before: NDArray[np.void]) -> NDArray[np.float64]:
        after = _copied(self._arrays.observations)
        if self._same_step:
            after[self.finished] = self._arrays.final_observations[self.finished]
        transition = Transition(before, after, self._arrays.stats.copy())
        return custom_reward(transition, self._custom_weights, self.options.custom_rewards)

    # --- Results: nothing changes that was given out -----------------------------------------------------------------

    @property
    def terminated(self) -> NDArray[np.bool_]:
        return self._arrays.terminated.copy()

    @property
    def truncated(self) -> NDArray[np.bool_]:
        return self._arrays.truncated.copy()

    @property
    def masks(self) -> NDArray[np.bool_]:
        """Allowed actions, ``[n, A]``; in an episode that is over only the first one, which will be ignored."""
        return self._arrays.masks.copy()

    def observations(self) -> Arrays:
        """Return what the rows show now, ``[n, ...]``; without the first axis if there is one row alone."""
        return self._showing.take()

    def final_observation(self, row: int) -> Arrays:
        """Return what an episode showed last that ended and was replaced in this step, ``[...]``."""
        return self._final_showing.take(row)

    def _final_view(self) -> BatchView:
        """Return a view of episodes that are over: nothing is listed, the first choice of each number is allowed."""
        at = self._arrays
        masks = np.zeros((1, self.batch.mask_width), np.bool_)
        sizes = self.action_space.nvec if isinstance(self.action_space, spaces.MultiDiscrete) else [0]
        masks[0, np.cumsum([0, *sizes[:-1]])] = True
        ids, rows = (np.zeros((1, *table.shape[1:]), table.dtype) for table in (at.candidate_ids, at.candidate_rows))
        listed: Arrays | None = None
        if source := self.batch.source:
            unlisted = {name: np.zeros((1, *table.shape[1:]), table.dtype) for name, table in source.arrays.items()}
            listed = {**unlisted, **source.final_arrays}
        return BatchView(at.final_observations, masks, ids, rows, listed)

    def option_actions(self, row: int) -> list[list[Action]]:
        assert self.batch.source
        return self.batch.source.actions(row)

    def status(self) -> Arrays:
        """Return where the rows stand, ``[n]`` each."""
        illegal = self._arrays.stats["illegal"].astype(np.int64)
        if self._same_step:
            illegal[self.finished] = 0
        ante = self._arrays.observations["ante"].astype(np.int64)
        return {"game_seed": self.game_seeds.copy(), "ante": ante, "illegal": illegal}

    def ended_status(self, rows: NDArray[np.intp]) -> Arrays:
        """Return where episodes stood that ended and were replaced in this step, ``[len(rows)]`` each."""
        stats = self._arrays.stats[rows]
        ante, illegal = stats["ante"].astype(np.int64), stats["illegal"].astype(np.int64)
        return {"game_seed": self._ended_seeds[rows], "ante": ante, "illegal": illegal}

    def results(self, rows: NDArray[np.intp]) -> Arrays:
        """Return statistics of the episodes that the last step of some rows belonged to, ``[len(rows)]`` each."""
        stats = self._arrays.stats[rows]
        wholes = ("ante", "round", "blinds", "money", "length", "decisions", "illegal")
        return {
            "won": stats["won"].copy(),
            "end": np.array(ENDS, object)[stats["end"]],
            "return": self._returns[rows],
            "best_hand": stats["best_hand"].copy(),
            **{name: stats[name].astype(np.int64) for name in wholes},
        }


@dataclass(frozen=True, slots=True, eq=False)
class EnvSnapshot:
    """Where an environment stood between two steps. It can be kept, pickled and restored in another process."""

    rows: RowsSnapshot
    random: np.random.Generator | None
    """The environment's own generator, which chooses games when no seed was ever given."""
    random_seed: int | None

    def __repr__(self) -> str:
        return f"<EnvSnapshot of {counted(len(self.rows.batch.rows), 'row')}>"


class SnapshotMixin:
    """Snapshots of an environment that plays ``_rows``."""

    _rows: EnvRows
    _np_random: np.random.Generator | None
    _np_random_seed: int | None

    def snapshot(self) -> EnvSnapshot:
        """Return where the environment stands; ``restore`` goes back there any number of times.

        It holds the episodes and all that decides which games follow, not the counters of wrappers.
        """
        return EnvSnapshot(self._rows.snapshot(), copy.deepcopy(self._np_random), self._np_random_seed)

    def restore(self, snapshot: EnvSnapshot) -> tuple[Observation, dict[str, Any]]:
        """Go back to a snapshot of this environment, or of one with the same options; return what ``reset`` returns.

        Everything continues from there as it did: observations, masks, rewards, statistics and the games that follow.
        """
        self._rows.restore(snapshot.rows)
        self._np_random, self._np_random_seed = copy.deepcopy(snapshot.random), snapshot.random_seed
        return self._shown()

    def _shown(self) -> tuple[Observation, dict[str, Any]]:
        """Return observation and info."""
        raise NotImplementedError


class ClosedRows:
    """Takes the place of the rows of an environment that was closed, and refuses everything."""

    def __getattr__(self, name: str) -> NoReturn:
        raise ClosedEnvironmentError("The environment has been closed. Make a new one.")

    @classmethod
    def instead(cls) -> EnvRows:
        return cast(EnvRows, cls())


def _encoding(options: EpisodeOptions) -> dict[str, Any]:
    """Return the arguments of a batch that say what its actions are."""
    if isinstance(options, CampaignOptions):
        return {"encoding": "options", "source": source_of(options)}
    assert isinstance(options, RunOptions)
    return {"encoding": ENCODINGS[options.actions], "moves": options.moves, "candidates": options.candidates}


def plain_rows(values: Arrays) -> list[dict[str, Any]]:
    """Return arrays ``[n]`` as one dict for each row, with Python's own numbers."""
    names = list(values)
    return [dict(zip(names, row, strict=True)) for row in zip(*(v.tolist() for v in values.values()), strict=True)]


def _copied(observations: NDArray[np.void]) -> NDArray[np.void]:
    """Copy as bytes: numpy copies structures field by field."""
    return observations.view(np.uint8).copy().view(observations.dtype)


def _next_number(number: int) -> int:
    """Return another number for a generator, so that it does not repeat its games."""
    return (number * 6364136223846793005 + 1442695040888963407) & WORD
