"""What plays by a learnt value: the solver plays the hands, and the value decides everything else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jimbo.agents.plans import Planner, in_best_order, joker_move
from jimbo.agents.protocol import Considered, Decision
from jimbo.agents.reasons import best_first, hand_decision
from jimbo.agents.seen import Seen
from jimbo.declared import declared
from jimbo.engine import Action, PublicState, solve_blind
from jimbo.engine.catalog import BOOSTERS
from jimbo.engine.value import JudgedOption, judge_options
from jimbo.models.value_file import load_value
from jimbo.text import action_words, percent_text, points_text

_ONWARD = ("select_blind", "leave_shop", "skip_pack")
"""What can always be done; with consumables at hand it is to do nothing."""

_OF_CONSUMABLES = ("Arcana", "Celestial", "Spectral")


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How long it looks."""

    rollouts: int
    """Worlds that the solver plays out for each hand."""
    finalists: int
    """Options whose next blinds are forecast."""
    worlds: int
    """Of such a forecast."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Abilities:
    """What it can do; without one of them it shows what that is worth."""

    solver: bool = True
    consumables: bool = True
    joker_order: bool = True
    clairvoyant: bool = False


def model_option() -> Any:
    """Of agents that play so."""
    return declared(
        None,
        "a .safetensors file of `jimbo train value`, in place of the value that comes with the package",
        nonempty=True,
    )


class ValuePlayer(Planner):
    """Decides by the package's own value, or by one of a file."""

    def __init__(self, model: str | None, effort: Effort, abilities: Abilities | None = None) -> None:
        self._net, _ = load_value(Path(model) if model else None)
        self._model, self._effort, self._can = model, effort, abilities or Abilities()
        self.clairvoyant = self._can.clairvoyant
        super().__init__()

    def __repr__(self) -> str:
        parts = [type(self).__name__, *([self._model] if self._model else [])]
        return f"<{' '.join(parts)}{', clairvoyant' if self.clairvoyant else ''}>"

    def _decide(self, seen: Seen) -> Decision:
        phase = seen.state.phase
        if phase == "round_eval":
            return Decision(Action("cash_out"), explanation="the only thing to do")
        if phase == "selecting_hand":
            return self._use_consumable(seen) or self._play_hand(seen)
        if phase == "blind_select" and self._can.joker_order and (move := joker_move(seen, self._fresh_nonce())):
            return move
        return self._choose(seen, self._judged(seen))

    def _use_consumable(self, seen: Seen) -> Decision | None:
        """Before the first hand of a blind."""
        if not self._can.consumables or not seen.state.consumables or seen.state.chips > 0:
            return None
        judged = self._judged(seen)
        return self._choose(seen, judged) if judged[0].actions else None

    def _play_hand(self, seen: Seen) -> Decision:
        solved = solve_blind(
            seen.run,
            rollouts=self._effort.rollouts if self._can.solver else 1,
            nonce=self._fresh_nonce(),
            clairvoyant=self.clairvoyant,
            value=self._net,
        )
        if not self._can.solver:
            solved = sorted((s for s in solved if s.action.kind == "play"), key=lambda s: -s.score)
        best = solved[0].action
        first = self._plan.begin(in_best_order(seen, best) if self._can.joker_order else [best])
        return hand_decision(first, solved, by_score=not self._can.solver)

    def _judged(self, seen: Seen) -> list[JudgedOption]:
        effort = self._effort
        judged = judge_options(
            self._net,
            seen.run,
            effort.rollouts,
            effort.finalists,
            effort.worlds,
            nonce=self._fresh_nonce(),
            clairvoyant=self.clairvoyant,
        )
        return judged if self._can.consumables else [one for one in judged if not _wants_consumable(one, seen.state)]

    def _choose(self, seen: Seen, judged: Sequence[JudgedOption]) -> Decision:
        """The first one; told with those that were looked at as long, by what each adds to the chance to win."""
        best = judged[0]
        onward = next(option for option in judged if _is_onward(option)).win
        alike = [option for option in judged if option.forecast == best.forecast and option.actions]
        considered = (
            Considered(option.actions[0], 100 * (option.win - onward), _then(option, seen), chosen=option is best)
            for option in alike
        )
        gain = "nothing adds to" if _is_onward(best) else f"{points_text(100 * (best.win - onward))} on"
        explanation = f"{gain} a chance to win of {percent_text(onward)}"
        action = self._plan.begin(best.actions)
        return Decision(action, best_first(considered), explanation, measure="win", win=best.win)


def _is_onward(option: JudgedOption) -> bool:
    return not option.actions or option.actions[0].kind in _ONWARD


def _wants_consumable(option: JudgedOption, state: PublicState) -> bool:
    """Buys, takes or uses one, or opens a pack of them."""
    return any(
        action.kind in ("use", "buy_and_use")
        or (action.kind == "open_booster" and BOOSTERS[state.shop_boosters[action.index].key].kind in _OF_CONSUMABLES)
        or (action.kind == "buy" and state.shop[action.index].consumable)
        or (action.kind == "pick" and state.pack and state.pack.cards[action.index].consumable)
        for action in option.actions
    )


def _then(option: JudgedOption, seen: Seen) -> str:
    """What follows the first action, in words."""
    return f"then {action_words(option.actions[1], seen.state)}" if len(option.actions) > 1 else ""
