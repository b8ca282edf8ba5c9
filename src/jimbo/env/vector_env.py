"""Many runs in one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from jimbo.engine import MAX_ROWS, Run
from jimbo.env.layouts import Observation
from jimbo.env.options import EpisodeOptions, RunOptions, choices_of_many, options_from
from jimbo.env.rows import ClosedRows, EnvRows, SnapshotMixin, plain_rows

AUTORESET_NAMES = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "disabled",
}


class RunVectorEnv(SnapshotMixin, VectorEnv[Observation, NDArray[Any], NDArray[Any]]):
    """``num_envs`` environments ``jimbo/Run-v0`` that the compiled core steps together.

    ``gymnasium.make_vec("jimbo/Run-v0", num_envs=256, threads=2)`` makes one. Row i is, bit for bit, a ``RunEnv`` with
    ``reset(seed=seed + i)``, whatever the number of rows and threads.

    Keyword arguments are the fields of ``RunOptions``, and ``autoreset_mode``:

    - ``NEXT_STEP``: the step after an end ignores the row's action and shows the new episode, with reward 0;
    - ``SAME_STEP``: the step that ends an episode shows the new one; ``info`` has ``final_obs`` and ``final_info``;
    - ``DISABLED``: a finished row stays as it is until ``reset(options={"reset_mask": ...})``.

    ``info`` holds what ``RunEnv`` gives, as arrays ``[n]`` with a mask ``_key`` for every key. ``reset`` takes for
    ``seed`` a number (row i gets the number + i) or one number for each row, and in ``options`` ``reset_mask``
    ``[n]``, ``seed`` (one game seed for each row), ``deck``, ``stake`` and ``challenge``, or ``runs``: for each row the
    run (or the bytes of ``run.save()``) from which its episode starts, None for a game of its own.
    """

    options_type: ClassVar[type[EpisodeOptions]] = RunOptions

    def __init__(
        self, num_envs: int = 1, *, autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP, **options: Any
    ) -> None:
        if not 1 <= num_envs <= MAX_ROWS:
            raise ValueError(f"num_envs must be at least 1 and at most {MAX_ROWS:,}, not {num_envs}")
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": self.autoreset_mode}
        self.num_envs = num_envs
        self.options = options_from(options, self.options_type)
        self._rows = EnvRows(num_envs, self.options, AUTORESET_NAMES[self.autoreset_mode])
        self.single_observation_space = self._rows.layout.space
        self.single_action_space = self._rows.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        choices = choices_of_many(options or {}, self.num_envs)
        chosen = self._read_mask((options or {}).get("reset_mask"))
        if not chosen.all() and (seed is not None or choices.game_seeds is not None):
            raise ValueError("seeds are given to all rows at once: reset without reset_mask, or without seeds")
        if seed is not None or not self._rows.seeded:
            self._rows.seed(self._numbers(seed))
        self._rows.reset(chosen, choices)
        chosen_rows = np.flatnonzero(chosen)
        status = {name: values[chosen_rows] for name, values in self._rows.status().items()}
        return self._rows.observations(), spread(status, chosen_rows, self.num_envs)

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        rows = self._rows
        rows.step(actions)
        info = self._status()
        ended = np.flatnonzero(rows.finished)
        if len(ended):
            same_step = self.autoreset_mode is AutoresetMode.SAME_STEP
            info.update(self._final_info(ended) if same_step else self._result(ended))
        return rows.observations(), rows.rewards, rows.terminated, rows.truncated, info

    def step_plainly(
        self, actions: NDArray[Any]
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], list[dict[str, Any]]]:
        """``step`` in the mode ``SAME_STEP`` with infos as Stable-Baselines3 has them: a dict for each row.

        An episode that ended has what ``RunEnv`` gives in its last step, and ``terminal_observation``.
        """
        rows = self._rows
        rows.step(actions)
        infos = self.plain_infos()
        ended = np.flatnonzero(rows.finished)
        last = zip(plain_rows(rows.ended_status(ended)), plain_rows(rows.results(ended)), strict=True)
        for row, (status, result) in zip(ended.tolist(), last, strict=True):
            infos[row] = {**status, "result": result, "terminal_observation": rows.final_observation(row)}
        return rows.observations(), rows.rewards, rows.terminated, rows.truncated, infos

    def plain_infos(self) -> list[dict[str, Any]]:
        """Return where each row stands, in Python's own numbers."""
        return plain_rows(self._rows.status())

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are allowed now, ``[n, A]``."""
        return self._rows.masks

    def sample_actions(self, seed: int) -> NDArray[Any]:
        """Return random allowed actions, ``[n]`` (whole ones ``[n, 67]``), each equally likely, made from ``seed``."""
        return self._rows.sample(seed)

    def run(self, row: int) -> Run:
        """Return a copy of a row's run, hidden things included: for tools, not for agents."""
        return self._rows.batch.run(row)

    def close_extras(self, **kwargs: Any) -> None:
        self._rows = ClosedRows.instead()

    def _shown(self) -> tuple[Observation, dict[str, Any]]:
        return self._rows.observations(), self._status()

    # --- Reading what was given --------------------------------------------------------------------------------------

    def _read_mask(self, mask: NDArray[np.bool_] | None) -> NDArray[np.bool_]:
        if mask is None:
            return np.ones(self.num_envs, np.bool_)
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            raise ValueError(f'options["reset_mask"] must be a numpy array of {self.num_envs} bools')
        if not (mask.any() and (self._rows.seeded or mask.all())):
            raise ValueError('options["reset_mask"] must choose at least one row, and all of them in the first reset')
        return mask.copy()

    def _numbers(self, seed: int | Sequence[int] | None) -> Sequence[int]:
        """Return a number for the generator of each row."""
        if seed is None:
            numbers: list[int] = np.random.SeedSequence().generate_state(self.num_envs, np.uint64).tolist()
            return numbers
        if isinstance(seed, int | np.integer):
            super().reset(seed=int(seed))
            return [int(seed) + row for row in range(self.num_envs)]
        if len(seed) != self.num_envs or not all(isinstance(number, int | np.integer) for number in seed):
            raise ValueError(f"seed must be one number, or {self.num_envs} of them")
        return [int(number) for number in seed]

    # --- Infos -------------------------------------------------------------------------------------------------------

    def _status(self) -> dict[str, Any]:
        info: dict[str, Any] = {}
        for name, values in self._rows.status().items():
            info[name], info[f"_{name}"] = values, np.ones(self.num_envs, np.bool_)
        return info

    def _result(self, ended: NDArray[np.intp]) -> dict[str, Any]:
        return spread({"result": self._rows.results(ended)}, ended, self.num_envs)

    def _final_info(self, ended: NDArray[np.intp]) -> dict[str, Any]:
        rows = self._rows
        finals = np.full(len(ended), None, object)
        for place, row in enumerate(ended.tolist()):
            finals[place] = rows.final_observation(row)
        final_info = {**rows.ended_status(ended), "result": rows.results(ended)}
        return spread({"final_obs": finals, "final_info": final_info}, ended, self.num_envs)


def spread(values: Mapping[str, Any], rows: NDArray[np.intp], n: int) -> dict[str, Any]:
    """Return infos of some rows as gymnasium wants: ``[n]``, zero or None elsewhere, with a mask ``_key`` for each."""
    info: dict[str, Any] = {}
    mask = np.zeros(n, np.bool_)
    mask[rows] = True
    for name, value in values.items():
        if isinstance(value, Mapping):
            info[name] = spread(value, rows, n)
        else:
            info[name] = np.full(n, None, object) if value.dtype == object else np.zeros(n, value.dtype)
            info[name][rows] = value
        info[f"_{name}"] = mask.copy()
    return info
