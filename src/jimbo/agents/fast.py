"""A learnt value as an agent: the solver plays the hands, and the value decides everything else."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from jimbo.agents.expert.reasons import best_first, hand_decision
from jimbo.agents.plans import Plan, decision_nonce, in_best_order, joker_move
from jimbo.agents.protocol import Considered, Decision
from jimbo.agents.seen import Seen
from jimbo.declared import Declared, declared
from jimbo.engine import Action, PublicState, solve_blind
from jimbo.engine.value import JudgedOption, judge_options
from jimbo.models.value_file import load_value
from jimbo.text import action_words, percent_text, points_text

_ONWARD = ("select_blind", "leave_shop", "skip_pack")
"""What can always be done; with consumables at hand it is to do nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FastOptions(Declared):
    rollouts: int = declared(30, "worlds that the solver plays out for each hand", min=2, max=1_000_000)
    finalists: int = declared(4, "options whose next blinds are forecast", min=0, max=1_000)
    worlds: int = declared(2, "worlds of such a forecast", min=1, max=10_000)
    model: str | None = declared(
        None,
        "a .safetensors file of `jimbo train value`, in place of the value that comes with the package",
        nonempty=True,
    )


class FastAgent:
    """Solves blinds over few worlds and decides everything else by a learnt value: some milliseconds a decision."""

    Options = FastOptions

    def __init__(self, options: FastOptions | None = None) -> None:
        self._options = options or FastOptions()
        model = self._options.model
        self._net, _ = load_value(Path(model) if model else None)
        self._plan = Plan()
        self.reset(0)

    def __repr__(self) -> str:
        return f"<FastAgent {self._options.model}>" if self._options.model else "<FastAgent>"

    def reset(self, nonce: int) -> None:
        self._nonce = nonce
        self._decisions = 0
        self._plan.forget()

    def act(self, state: PublicState) -> Decision:
        started = time.perf_counter()
        self._decisions += 1
        seen = Seen(state)
        decision = self._plan.follow(seen) or self._decide(seen)
        return replace(decision, seconds=time.perf_counter() - started)

    def _fresh_nonce(self) -> int:
        return decision_nonce(self._nonce, self._decisions)

    def _decide(self, seen: Seen) -> Decision:
        phase = seen.state.phase
        if phase == "round_eval":
            return Decision(Action("cash_out"), explanation="the only thing to do")
        if phase == "selecting_hand":
            return self._use_consumable(seen) or self._play_hand(seen)
        if phase == "blind_select" and (move := joker_move(seen, self._fresh_nonce())):
            return move
        return self._choose(seen, self._judged(seen))

    def _use_consumable(self, seen: Seen) -> Decision | None:
        """Before the first hand of a blind."""
        if not seen.state.consumables or seen.state.chips > 0:
            return None
        judged = self._judged(seen)
        return self._choose(seen, judged) if judged[0].actions else None

    def _play_hand(self, seen: Seen) -> Decision:
        solved = solve_blind(seen.run, rollouts=self._options.rollouts, nonce=self._fresh_nonce())
        first = self._plan.begin(in_best_order(seen, solved[0].action))
        return hand_decision(first, solved, by_score=False)

    def _judged(self, seen: Seen) -> list[JudgedOption]:
        given = self._options
        return judge_options(
            self._net, seen.run, given.rollouts, given.finalists, given.worlds, nonce=self._fresh_nonce()
        )

    def _choose(self, seen: Seen, judged: Sequence[JudgedOption]) -> Decision:
        """The first one; told with those that were looked at as long, by what each adds to the chance to win."""
        best = judged[0]
        onward = next(option for option in judged if _is_onward(option)).win
        alike = [option for option in judged if option.forecast == best.forecast and option.actions]
        considered = (
            Considered(option.actions[0], 100 * (option.win - onward), _then(option, seen), chosen=option is best)
            for option in alike
        )
        gain = points_text(100 * (best.win - onward))
        explanation = f"{gain} on a chance to win of {percent_text(onward)}"
        action = self._plan.begin(best.actions)
        return Decision(action, best_first(considered), explanation, measure="win", win=best.win)


def _is_onward(option: JudgedOption) -> bool:
    return not option.actions or option.actions[0].kind in _ONWARD


def _then(option: JudgedOption, seen: Seen) -> str:
    """What follows the first action, in words."""
    return f"then {action_words(option.actions[1], seen.state)}" if len(option.actions) > 1 else ""
