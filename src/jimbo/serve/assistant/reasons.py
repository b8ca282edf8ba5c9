"""Why: for every suggestion the claims that make the difference, computed from the state, and their words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from jimbo.data import Considered, Decision
from jimbo.engine import Action, ActionKind, Phase
from jimbo.engine.value import judge_options
from jimbo.serve.assistant.build_reasons import BuildReasons
from jimbo.serve.assistant.hand_reasons import HandReasons, joker_order
from jimbo.serve.assistant.prospects import Prospects
from jimbo.serve.assistant.what_if import own_value
from jimbo.text import action_words
from jimbo.text.reasons import Claim, GoesOn, Only, sentences

THEN = "then "
"""Words of an agent that begin so are no reason, but what follows the action."""
_HANDS = (ActionKind.play, ActionKind.discard, ActionKind.move_card)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is suggested, or is not the choice."""

    text: str = ""
    claims: tuple[Claim, ...] = ()
    """What the text says, to be worked out again; none in an agent's own words."""


class Reasoner:
    """Reasons for what can be done in one state."""

    def __init__(self, prospects: Prospects, decision: Decision, chosen: Considered | None) -> None:
        self._prospects, self._decision, self._chosen = prospects, decision, chosen

    def reason(self, action: Action, one: Considered | None, *, is_choice: bool) -> Reason:
        """Return claims in at most two sentences; an agent that has words of its own is left them."""
        if own := self._own_words(one, is_choice=is_choice):
            return Reason(own)
        groups = self._groups(action, one, is_choice=is_choice)
        groups = [group for group in groups if group][:2]
        return Reason(sentences(*groups), tuple(claim for group in groups for claim in group))

    def _own_words(self, one: Considered | None, *, is_choice: bool) -> str:
        if is_choice and self._decision.explanation:
            return self._decision.explanation
        return one.text if one and not one.text.startswith(THEN) else ""

    def _groups(self, action: Action, one: Considered | None, *, is_choice: bool) -> list[Sequence[Claim]]:
        state = self._prospects.state
        if action.kind == ActionKind.cash_out or (state.phase == Phase.selecting_hand and len(self._legal) == 1):
            return [[Only()]]
        if action.kind == ActionKind.move_joker:
            return [[ordered]] if (ordered := joker_order(state)) else []
        if action.kind == ActionKind.move_card and one is None:
            return [[GoesOn()]]
        if action.kind in _HANDS:
            return list(self._hands.groups(action, one, is_choice=is_choice))
        return list(self._builds.groups(self._steps(action, one), one, is_choice=is_choice))

    @cached_property
    def _legal(self) -> list[Action]:
        return self._prospects.run.legal_actions()

    @cached_property
    def _hands(self) -> HandReasons:
        return HandReasons(self._prospects, self._decision, self._chosen)

    @cached_property
    def _builds(self) -> BuildReasons:
        return BuildReasons(self._prospects, self._decision, self._chosen)

    def _steps(self, action: Action, one: Considered | None) -> list[Action]:
        """The action with what follows it, which an agent tells in words alone."""
        if one is None or not one.text.startswith(THEN):
            return [action]
        for option in judge_options(own_value(), self._prospects.run, 1, 0, 1):
            follows = [f"{THEN}{action_words(then, self._prospects.state)}" for then in option.actions[1:]]
            if follows == [one.text] and option.actions[0] == action:
                return list(option.actions)
        return [action]
