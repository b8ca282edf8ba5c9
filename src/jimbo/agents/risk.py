"""How risky a decision is, and who is to take it: a cheap look first, longer ones where a mistake would cost most.

The risk is the chance to win that a mistake would cost, as far as the cheap look can tell: how likely the second option
is the better one after all, by how much, and how much of a chance there is to lose. Whoever decides is a Strategist;
they differ in effort alone.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from jimbo.agents.told import ChancesHere
from jimbo.data.record import Route
from jimbo.declared import Declared, declared, from_dict
from jimbo.engine import Run, SolvedAction
from jimbo.engine.value import JudgedOption, Strategist, StrategyDecision
from jimbo.yaml_files import read_yaml

CHEAP, CAREFUL, EXPERT = "cheap", "careful", "expert"
_SUREST = 1e-4
"""No world out of some hundred was ever lost: that says no more than this."""
_LOWEST, _HIGHEST = -10.0, 10.0
"""Efforts that a budget may ask for, as powers of two."""
_FAR = 2.0
"""Standard deviations from the games that are known, from which a state is called unfamiliar."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Routing(Declared):
    """Who decides at which risk. The efforts are those of the agent expert."""

    cheap: float = declared(0.2, "effort of the first look, which every decision has", min=0.001, max=1_000)
    careful: float = declared(0.5, "effort of the second look", min=0.001, max=1_000)
    expert: float = declared(2.0, "effort of the longest look", min=0.001, max=1_000)
    careful_from: float = declared(0.5, "risk from which a second look is taken", min=0.0, max=1.0)
    expert_from: float = declared(0.83, "risk from which it is the longest one", min=0.0, max=1.0)
    scale: float = declared(0.001, "loss of a chance to win that counts as a risk of one half", min=1e-9, max=1.0)
    doubt: float = declared(
        0.02, "how far the value may err about an option, in log odds; more where a state is unfamiliar", min=0.0
    )

    def __post_init__(self) -> None:
        Declared.__post_init__(self)
        if self.careful_from > self.expert_from:
            raise ValueError("careful_from must not be above expert_from")

    def who(self, risk: float) -> str:
        return EXPERT if risk >= self.expert_from else CAREFUL if risk >= self.careful_from else CHEAP


def read_routing(path: str | None) -> Routing:
    """The routing of a YAML file; ValueError says what is wrong with it. None: the default."""
    if path is None:
        return Routing()
    data = read_yaml(Path(path))
    return from_dict(Routing, {} if data is None else data, path)


# --- Risk -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Risk:
    """What a mistake would cost."""

    score: float
    """From 0 to 1."""
    why: str
    """What it comes from, in words."""


def risk_of(made: StrategyDecision, told: ChancesHere, win: float, far: float, routing: Routing) -> Risk:
    """The risk of a decision after the first look. ``far``: how unfamiliar the state is."""
    gap, spread, why = (
        _between_hands(made.solved, told) if made.kind == "hand" else _between_options(made.options, routing, far)
    )
    if not math.isfinite(gap + spread):
        return Risk(1.0, "the value says nothing")
    loss = win * expected_loss(gap, spread)
    return Risk(loss / (loss + routing.scale), "an unfamiliar state" if far > _FAR and made.kind != "hand" else why)


def expected_loss(gap: float, spread: float) -> float:
    """What choosing the first of two costs on average, if the first is better by ``gap``, give or take ``spread``."""
    if spread <= 0:
        return 0.0
    z = gap / spread
    return max(0.0, spread * (math.exp(-z * z / 2) / math.sqrt(2 * math.pi) - z * math.erfc(z / math.sqrt(2)) / 2))


def _between_hands(solved: Sequence[SolvedAction], told: ChancesHere) -> tuple[float, float, str]:
    """The gap between the first hand or discard and the next best, and its standard error, by what is left of the run.

    Worlds in which a blind is cleared, and the calibrated chance of that, say how sure their values are.
    """
    others = [one for one in solved[1:] if one.worlds]
    if not others or not solved[0].worlds:
        return 1.0, 0.0, ""
    first, second = solved[0], max(others, key=lambda one: one.value)
    chances = [min(max(told.clear(one.clear), _SUREST), 1 - _SUREST) for one in (first, second)]
    squares = sum(p * (1 - p) / one.worlds for p, one in zip(chances, (first, second), strict=True))
    return first.value - second.value, math.sqrt(squares), "a dangerous blind" if chances[0] < 0.9 else "a close choice"


def _between_options(options: Sequence[JudgedOption], routing: Routing, far: float) -> tuple[float, float, str]:
    """The gap between the first two in the logarithm that options are compared by, and how sure that is."""
    if len(options) < 2:
        return 1.0, 0.0, ""
    doubt = routing.doubt * (1 + max(0.0, far - _FAR)) * (1 - min(options[0].win, 1 - _SUREST))
    return options[0].preference - options[1].preference, doubt, "a close choice"


# --- Who decides ------------------------------------------------------------------------------------------------------

_RUNGS_PER_DOUBLING = 2
"""With a budget, efforts are rounded to steps of this size, so that few players are made."""
_USUAL_MS = 3.0
"""About what a decision takes at the efforts of a routing; the clock corrects it."""
_MADE_GOOD, _LEARNT = 10, 100
"""Decisions within which what was used too much or too little of a budget is made good, and learnt for good."""


class Router:
    """Takes decisions by the effort that their risk asks for.

    With a budget all efforts are raised or lowered so that decisions take so many milliseconds in the mean of a run.
    Then the clock decides, and a run is not the same again.
    """

    def __init__(self, make: Callable[[float], Strategist], routing: Routing, budget_ms: float | None = None) -> None:
        """``make`` gives the player of an effort."""
        self._make, self._routing, self._budget = make, routing, budget_ms
        self._players: dict[float, Strategist] = {}
        self._pace = math.log2(budget_ms / _USUAL_MS) if budget_ms else 0.0
        self.reset(0)

    def reset(self, nonce: int, win: float = 0.5) -> None:
        """A new run begins, with this chance to win until one is known."""
        self._nonce, self._fresh, self._owed = nonce, 0, 0.0
        self._acting: Strategist | None = None
        self._planned = 0
        self._win = win

    def decide(self, run: Run, told: ChancesHere, far: float) -> tuple[StrategyDecision, Route | None]:
        """Decide; without a route where nothing was to be weighed. ``far``: how unfamiliar the state is."""
        began = time.thread_time()
        found = self._decided(run, told, far)
        if self._budget:
            left = (self._budget - 1000 * (time.thread_time() - began)) / self._budget
            self._owed += left
            self._pace += left / _LEARNT
        return found

    def _decided(self, run: Run, told: ChancesHere, far: float) -> tuple[StrategyDecision, Route | None]:
        if self._acting and self._planned:
            made = self._acting.decide(run)
            if made.kind == "planned":
                self._planned = self._planned - 1 if made.action.kind != "play" else 0
                return made, None
        self._fresh += 1
        made = self._asked(CHEAP, run)
        if made.kind not in ("hand", "option"):
            return made, None
        if made.kind == "option":
            self._win = told.win(made.options[0].win)
        risk = risk_of(made, told, self._win, far, self._routing)
        who = self._routing.who(risk.score)
        if who != CHEAP:
            made = self._asked(who, run)
        return made, Route(who, risk.score, risk.why if who != CHEAP else "")

    def _asked(self, who: str, run: Run) -> StrategyDecision:
        """Each decision has a nonce of its own, and goes on with no other player's plan."""
        self._acting = self._player(getattr(self._routing, who))
        self._acting.reset(random.Random(f"{self._nonce}/{self._fresh}").getrandbits(63))
        made = self._acting.decide(run)
        if made.kind == "option":
            self._planned = len(made.options[0].actions) - 1
        else:  # cards are put in order before they are played, at most each of them once
            self._planned = len(run.hand) if made.action.kind == "move_card" else 0
        return made

    def _player(self, effort: float) -> Strategist:
        if self._budget:
            steps = math.log2(effort) + self._pace + self._owed / _MADE_GOOD
            effort = 2.0 ** (round(_RUNGS_PER_DOUBLING * min(max(steps, _LOWEST), _HIGHEST)) / _RUNGS_PER_DOUBLING)
        if effort not in self._players:
            self._players[effort] = self._make(effort)
        return self._players[effort]
