"""What agents that look ahead share: plans of several actions, and the orders of jokers and cards."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace

from jimbo.agents.protocol import Decision
from jimbo.agents.seen import Seen
from jimbo.engine import Action, PublicState, best_hand_order, best_joker_order


class Plan:
    """Actions to take one after another, for as long as each is allowed."""

    def __init__(self) -> None:
        self._actions: list[Action] = []

    def forget(self) -> None:
        self._actions = []

    def begin(self, actions: Sequence[Action]) -> Action:
        """The first of them; the others are planned."""
        first, *self._actions = actions
        return first

    def follow(self, seen: Seen) -> Decision | None:
        """What was planned, if it can still be done."""
        if not self._actions:
            return None
        action = self._actions.pop(0)
        if seen.run.refusal(action) is None:
            return Decision(action, explanation="as planned")
        self.forget()
        return None


class Planner(ABC):
    """An agent that makes plans and follows them, with a nonce of its own for every decision."""

    def __init__(self) -> None:
        self._plan = Plan()
        self.reset(0)

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

    @abstractmethod
    def _decide(self, seen: Seen) -> Decision:
        """Where nothing is planned."""


def decision_nonce(nonce: int, decisions: int) -> int:
    """From the nonce of a run and the number of decisions so far: another one for each."""
    return (nonce * 0x9E3779B97F4A7C15 + decisions * 0xD1B54A32D192ED03) % 2**64


def joker_move(seen: Seen, nonce: int) -> Decision | None:
    """The next move that brings the jokers into the order that scores best."""
    for slot, joker in enumerate(best_joker_order(seen.run, nonce)):
        if joker == slot:
            continue
        move = Action("move_joker", index=joker, to=slot)
        if seen.run.refusal(move) is None:
            name = seen.state.jokers[joker].name or "A joker that lies face down"
            return Decision(move, explanation=f"{name} scores more at place {slot + 1}")
    return None


def in_best_order(seen: Seen, action: Action) -> list[Action]:
    """Moves that put the played cards in order, and the play; a discard as it is."""
    if action.kind != "play":
        return [action]
    order = best_hand_order(seen.run, action)
    if order == action.cards:
        return [action]
    hand = list(range(len(seen.state.hand)))
    moves = []
    for to, card in enumerate(order):
        place = hand.index(card)
        if place != to:
            moves.append(Action("move_card", index=place, to=to))
            hand.insert(to, hand.pop(place))
    return [*moves, Action("play", cards=range(len(order)))]
