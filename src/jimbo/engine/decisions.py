"""Whole runs at the decisions of the strategic player: what can be decided, as arrays, for a batch of such runs.

>>> from jimbo.engine.batch import Batch, BatchArrays
>>> from jimbo.engine.decisions import OptionSource
>>> source = OptionSource("summary")
>>> batch = Batch(4, encoding="options", source=source)
>>> batch.bind(**BatchArrays.for_batch(batch).as_arguments())
>>> batch.reset()
>>> source.arrays["option_summary"].shape[:2]
(4, 48)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from jimbo.engine import _core
from jimbo.engine.value import ValueNet, value_net

Arrays = dict[str, NDArray[Any]]
Layers = Sequence[tuple[NDArray[Any], NDArray[Any]]]
"""Weights and biases of a value's three layers."""
OptionLayout = Literal["sparse", "dense", "summary"]

LAYOUTS: tuple[OptionLayout, ...] = ("sparse", "dense", "summary")
SPARSE_WIDTH: int = _core.SPARSE_WIDTH
"""Most inputs of an option that are shown as pairs."""
INPUTS: int = _core.VALUE_INPUTS
MOST_OPTIONS = 48
"""How many are shown where nobody says otherwise."""
MANY_ROLLOUTS: int = _core.MANY_ROLLOUTS
"""From so many on, hands count by the value of the run after the blind."""


@cache
def option_kinds() -> dict[str, str]:
    """Kinds of options and what they mean; the place of a name is its number in the array ``kinds``."""
    return dict(_core.option_kind_words())


@cache
def summary_numbers() -> dict[str, str]:
    """The numbers of a summary, in order, and what they mean."""
    return dict(_core.summary_words())


class OptionSource:
    """Lists what can be decided in the rows of one batch, and plays everything between two decisions.

    Hands, the order of jokers and cards, what a blind pays, and whatever has no alternative are played by the engine.
    What is left are the options of the agents ``expert`` and ``fast``. ``arrays`` shows them, row by row:

    - ``kinds`` ``[n, K]``: numbers of `option_kinds`; 0 where there is no further option;
    - ``sparse``: the inputs of the value that are not zero (see `jimbo.engine.value.input_groups`), as pairs of
      ``state_indices`` and ``state_values`` ``[n, W]``, ``option_indices`` and ``option_values`` ``[n, K, W]``; pairs
      that are not used are 0, 0;
    - ``dense``: all of them, ``state_inputs`` ``[n, I]`` and ``option_inputs`` ``[n, K, I]``, as float32 or float16;
    - ``summary``: ``state_summary`` ``[n, S]`` and ``option_summary`` ``[n, K, S]``, see `summary_numbers`.

    Options are shown by the run as it stands after them; where the outcome is hidden, by what they cost and what is
    pending. ``final_arrays`` shows how the runs of episodes stood that were replaced in the same step.
    """

    def __init__(
        self,
        layout: OptionLayout = "sparse",
        *,
        options: int = MOST_OPTIONS,
        rollouts: int = 1,
        finalists: int = 0,
        worlds: int = 2,
        shaping: bool = False,
        gamma: float = 1.0,
        half: bool = False,
        layers: Layers | None = None,
    ) -> None:
        """Makes a source for one batch.

        ``options``: shown at most. ``rollouts``: of the blind solver for each hand; 1: the quick player. ``finalists``:
        best options by the value whose next blinds are forecast, in ``worlds`` worlds. ``shaping``: each step pays
        ``gamma * phi(after) - phi(before)`` more, where phi is what the value expects of the rewards ``win``, ``boss``
        and ``blind`` by their weights. ``half``: dense inputs are float16. ``layers``: the value that is asked.
        """
        if layout not in LAYOUTS:
            raise ValueError(f"layout is {', '.join(LAYOUTS[:-1])} or {LAYOUTS[-1]}, not {layout!r}")
        self.layout: OptionLayout = layout
        self.width = options
        self._half = half
        self._layers = layers
        self._settings: dict[str, Any] = {
            "options": options, "rollouts": rollouts, "finalists": finalists, "worlds": worlds, "shaping": shaping,
            "gamma": gamma,
        }  # fmt: skip
        net: ValueNet | None = value_net(layers) if layers is not None else None
        self.core = _core.CampaignSource(net, **self._settings)
        self.arrays: Arrays = {}
        self.final_arrays: Arrays = {}

    def show(self, n: int) -> None:
        """Makes the arrays for a batch of ``n`` rows, or clears those there are."""
        self.arrays = self.arrays or self._made(n)
        self.final_arrays = self.final_arrays or {
            name: array.copy() for name, array in self.arrays.items() if "state" in name
        }
        for array in (*self.arrays.values(), *self.final_arrays.values()):
            array[...] = 0
        self.core.bind(self.arrays, self.final_arrays)

    def actions(self, row: int) -> list[list[_core.Action]]:
        """What each option of a row does: actions that follow one another; none: nothing."""
        return self.core.actions(row)

    def all_options(self, row: int) -> int:
        """How many options a row has, shown or not."""
        return self.core.all_options(row)

    def _made(self, n: int) -> Arrays:
        k = self.width
        arrays: Arrays = {"kinds": np.zeros((n, k), np.uint8)}
        if self.layout == "sparse":
            for name, kind in (("indices", np.int16), ("values", np.float32)):
                arrays[f"state_{name}"] = np.zeros((n, SPARSE_WIDTH), kind)
                arrays[f"option_{name}"] = np.zeros((n, k, SPARSE_WIDTH), kind)
        elif self.layout == "dense":
            prefix, dtype = ("half_", np.float16) if self._half else ("", np.float32)
            arrays[f"{prefix}state_inputs"] = np.zeros((n, INPUTS), dtype)
            arrays[f"{prefix}option_inputs"] = np.zeros((n, k, INPUTS), dtype)
        else:
            size = len(summary_numbers())
            arrays["state_summary"] = np.zeros((n, size), np.float32)
            arrays["option_summary"] = np.zeros((n, k, size), np.float32)
        return arrays

    def __reduce__(self) -> tuple[Callable[..., OptionSource], tuple[object, ...]]:
        """Keep the arrays: what shares them and is pickled together shares them again."""
        options = {**self._settings, "half": self._half, "layers": self._layers}
        return _remade, (self.layout, options, self.arrays, self.final_arrays)

    def __repr__(self) -> str:
        return f"<OptionSource of at most {self.width} options, {self.layout}>"


def _remade(layout: OptionLayout, options: dict[str, Any], arrays: Arrays, final_arrays: Arrays) -> OptionSource:
    source = OptionSource(layout, **options)
    source.arrays, source.final_arrays = arrays, final_arrays
    return source
