"""What plays by a learnt value: the solver plays the hands, and the value decides everything else."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from jimbo.agents.protocol import Considered, Decision
from jimbo.agents.reasons import best_first, hand_decision
from jimbo.declared import declared
from jimbo.engine import PublicState
from jimbo.engine.value import JudgedOption, Strategist, StrategyDecision
from jimbo.models.value_file import load_value
from jimbo.text import action_words, percent_text, points_text

_ONWARD = ("select_blind", "leave_shop", "skip_pack")
"""What can always be done; with consumables at hand it is to do nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How long it looks."""

    rollouts: int
    """Worlds that the solver plays out for each hand."""
    finalists: int
    """Options whose next blinds are forecast."""
    worlds: int
    """Worlds of such a forecast."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Abilities:
    """What it can do; without one of them it shows what that is worth."""

    solver: bool = True
    consumables: bool = True
    joker_order: bool = True
    clairvoyant: bool = False


def model_option() -> Any:
    """The option ``model`` of agents that play so."""
    return declared(
        None,
        "a .safetensors file of `jimbo train value`, in place of the value that comes with the package",
        nonempty=True,
    )


class ValuePlayer:
    """The engine's strategist with the package's own value, or that of a file, and its reasons in words."""

    def __init__(self, model: str | None, effort: Effort, abilities: Abilities | None = None) -> None:
        net, _ = load_value(Path(model) if model else None)
        self._model, self._can = model, abilities or Abilities()
        self.clairvoyant = self._can.clairvoyant
        self._strategist = Strategist(net, **asdict(effort), **asdict(self._can))

    def __repr__(self) -> str:
        parts = [type(self).__name__, *([self._model] if self._model else [])]
        return f"<{' '.join(parts)}{', clairvoyant' if self.clairvoyant else ''}>"

    def reset(self, nonce: int) -> None:
        self._strategist.reset(nonce)

    def act(self, state: PublicState) -> Decision:
        started = time.perf_counter()
        decision = self._explained(self._strategist.decide(state.imagine(0)), state)
        return replace(decision, seconds=time.perf_counter() - started)

    def _explained(self, made: StrategyDecision, state: PublicState) -> Decision:
        if made.kind == "hand":
            return hand_decision(made.action, made.solved, by_score=not self._can.solver)
        if made.kind == "option":
            return _option_decision(made, state)
        if made.kind == "order":
            name = state.jokers[made.action.index].name or "A joker that lies face down"
            return Decision(made.action, explanation=f"{name} scores more at place {made.action.to + 1}")
        return Decision(made.action, explanation="as planned" if made.kind == "planned" else "the only thing to do")


def _option_decision(made: StrategyDecision, state: PublicState) -> Decision:
    """The first option, compared with those that were looked at as long by what each adds to the chance to win."""
    best = made.options[0]
    onward = next(option for option in made.options if _is_onward(option)).win
    alike = [option for option in made.options if option.forecast == best.forecast and option.actions]
    considered = (
        Considered(option.actions[0], 100 * (option.win - onward), _then(option, state), chosen=option is best)
        for option in alike
    )
    gain = "nothing adds to" if _is_onward(best) else f"{points_text(100 * (best.win - onward))} on"
    explanation = f"{gain} a chance to win of {percent_text(onward)}"
    return Decision(made.action, best_first(considered), explanation, measure="win", win=best.win)


def _is_onward(option: JudgedOption) -> bool:
    return not option.actions or option.actions[0].kind in _ONWARD


def _then(option: JudgedOption, state: PublicState) -> str:
    """What follows the first action, in words."""
    return f"then {action_words(option.actions[1], state)}" if len(option.actions) > 1 else ""
