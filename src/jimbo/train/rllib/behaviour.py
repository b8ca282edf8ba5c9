"""What is done in games: actions by phase, cards played, jokers at work. Read from what a network is shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jimbo.engine import observation_dtype, vocabulary
from jimbo.models.inputs import CARDS

Array = NDArray[Any]
_PLAY = vocabulary("action").index("play")


class Behaviour:
    """Counts decisions as they are made."""

    def __init__(self) -> None:
        self.actions: Counter[tuple[str, str]] = Counter()
        """How often which action was taken in which phase."""
        self.cards_played = 0
        self.jokers_activated = 0
        """Jokers owned when hands were played, added up over the hands."""

    def see(self, shown: Mapping[str, Array], actions: Array) -> None:
        """Packed observations ``[N, ...]`` and the places of the actions taken ``[N]``."""
        seen = np.ascontiguousarray(shown["observation"]).view(observation_dtype())[:, 0]
        taken = shown["candidate_ids"][np.arange(len(actions)), np.asarray(actions, np.intp)]
        kinds, played = taken[:, 0], taken[:, 0] == _PLAY
        self.cards_played += int((taken[played, -CARDS:] > 0).sum())
        self.jokers_activated += int(seen["n_jokers"][played].sum())
        self.actions.update(zip(_words("phase", seen["phase"]), _words("action", kinds), strict=True))

    def shares(self) -> dict[str, dict[str, float]]:
        """For each phase: the share of each action."""
        phases: dict[str, dict[str, float]] = {}
        for (phase, action), count in self.actions.most_common():
            phases.setdefault(phase, {})[action] = float(count)
        return {
            phase: {action: count / sum(found.values()) for action, count in found.items()}
            for phase, found in phases.items()
        }


def _words(name: str, ids: Array) -> list[str]:
    words = _vocabulary(name)
    return [words[place] for place in ids]


@cache
def _vocabulary(name: str) -> tuple[str, ...]:
    return tuple(vocabulary(name))
