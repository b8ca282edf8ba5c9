"""The player by a learnt value: the solver plays the hands, and the value decides everything else."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path

from jimbo.agents.protocol import Considered, Decision
from jimbo.agents.risk import Router, Routing
from jimbo.agents.told import ChancesHere, ToldChances
from jimbo.engine import Action, PublicState, SolvedAction
from jimbo.engine.value import JudgedOption, Strategist, StrategyDecision
from jimbo.models.value_file import OWN_FILE, load_value
from jimbo.text import action_words

_ONWARD = ("select_blind", "leave_shop", "skip_pack")
"""What can always be done; with consumables at hand it is to do nothing."""
_SHOWN = 5
"""Considered actions that are listed with a decision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How long a player looks."""

    rollouts: int
    """Worlds that the solver plays out for each hand."""
    finalists: int
    """Options whose next blinds are forecast."""
    worlds: int
    """Worlds of such a forecast."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Abilities:
    """What a player can do; without one of them it shows what that is worth."""

    solver: bool = True
    consumables: bool = True
    joker_order: bool = True
    clairvoyant: bool = False


def scaled(effort: float) -> Effort:
    """More or less work: more worlds for hands, and more options that are looked at longer."""
    longer = math.sqrt(effort)
    return Effort(
        rollouts=max(2, round(800 * effort)),
        finalists=max(2, round(8 * longer)),
        worlds=max(1, round(8 * longer)),
    )


class ValuePlayer:
    """The engine's strategist with the package's own value, or that of a file, and what it considered.

    ``effort`` may be a routing: then each decision is taken by the effort that its risk asks for.
    """

    own_model = OWN_FILE
    """What plays where the option model is not given."""

    def __init__(
        self,
        model: str | None,
        effort: Effort | Routing,
        abilities: Abilities | None = None,
        chances: ToldChances | None = None,
        budget_ms: float | None = None,
    ) -> None:
        net, _ = load_value(Path(model) if model else None)
        self._model, self._can = model, abilities or Abilities()
        self._chances = chances or ToldChances()
        self.clairvoyant = self._can.clairvoyant

        def make(effort: Effort) -> Strategist:
            return Strategist(net, **asdict(effort), **asdict(self._can))

        self._player = (
            make(effort)
            if isinstance(effort, Effort)
            else Router(lambda factor: make(scaled(factor)), effort, budget_ms)
        )

    def __repr__(self) -> str:
        parts = [type(self).__name__, *([self._model] if self._model else [])]
        return f"<{' '.join(parts)}{', clairvoyant' if self.clairvoyant else ''}>"

    def reset(self, nonce: int) -> None:
        self._player.reset(nonce)

    def act(self, state: PublicState) -> Decision:
        started = time.perf_counter()
        run, told, route = state.imagine(0), self._chances.at(state), None
        if isinstance(self._player, Router):
            made, route = self._player.decide(run, told, self._chances.distance(state))
        else:
            made = self._player.decide(run)
        decision = self._explained(made, state, told)
        return replace(decision, seconds=time.perf_counter() - started, route=route)

    def _explained(self, made: StrategyDecision, state: PublicState, told: ChancesHere) -> Decision:
        if made.kind == "hand":
            return _hand_decision(made.action, made.solved, told, by_score=not self._can.solver)
        if made.kind == "option":
            return _option_decision(made, state, told)
        return Decision(made.action)


# --- Decisions in numbers that people know ----------------------------------------------------------------------------


def _option_decision(made: StrategyDecision, state: PublicState, told: ChancesHere) -> Decision:
    """The first option, compared with those that were looked at as long by what each adds to the chance to win."""
    best = made.options[0]
    win, onward = told.win(best.win), told.win(next(option for option in made.options if _is_onward(option)).win)
    alike = [option for option in made.options if option.forecast == best.forecast and option.actions]
    considered = (
        Considered(
            option.actions[0], 100 * (told.win(option.win) - onward), _then(option, state), chosen=option is best
        )
        for option in alike
    )
    return Decision(made.action, _best_first(considered), measure="win", win=win)


def _is_onward(option: JudgedOption) -> bool:
    return not option.actions or option.actions[0].kind in _ONWARD


def _then(option: JudgedOption, state: PublicState) -> str:
    """What follows the first action, in words."""
    return f"then {action_words(option.actions[1], state)}" if len(option.actions) > 1 else ""


def _hand_decision(action: Action, solved: Sequence[SolvedAction], told: ChancesHere, *, by_score: bool) -> Decision:
    """A play or discard, the first of those solved; ``by_score``: for nothing but its score."""
    best = solved[0]
    if by_score:
        scored = (Considered(one.action, one.score, "", chosen=one is best) for one in solved)
        return Decision(action, _best_first(scored), "scores most", measure="score")
    listed = _best_first(_solved(one, told, chosen=one is best) for one in solved)
    return Decision(action, listed, measure="clear")


def _solved(one: SolvedAction, told: ChancesHere, *, chosen: bool) -> Considered:
    clear, error = (told.clear(one.clear), told.error(one.clear, one.error)) if one.worlds else (None, None)
    return Considered(one.action, one.value, "", clear, error, chosen=chosen)


def _best_first(considered: Iterable[Considered]) -> tuple[Considered, ...]:
    """Those that were ranked highest, by their values; among equals the chosen one leads."""
    listed = islice(considered, _SHOWN)
    return tuple(sorted(listed, key=lambda one: (-round(one.value, 3), not one.chosen)))
