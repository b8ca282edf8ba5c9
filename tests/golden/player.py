"""Who plays a golden run that is not recorded yet: mostly the expert, at times anybody, with help against blinds."""

import math
import random

from golden.story import Help, Move
from jimbo.agents import make_agent
from jimbo.engine import Action, Run

MAX_MOVES = 500
_ANYBODY = 0.15
_SALES = 0.2
_MAX_LEVELS = 64


class HelpedPlayer:
    """Plays until an ante begins. Every kind of action comes up: one in seven is any that is allowed but a play."""

    def __init__(self, seed: str, until_ante: int) -> None:
        self._random = random.Random(seed + "2")
        self._until_ante = until_ante
        self._expert = make_agent("fast")
        self._expert.reset(1)
        self._next: Action | None = None
        self._moves = 0

    def __call__(self, run: Run) -> Move | None:
        self._moves += 1
        arrived = run.ante >= self._until_ante and run.phase == "blind_select"
        if run.phase == "game_over" or arrived or self._moves > MAX_MOVES:
            return None
        if self._next is not None:
            action, self._next = self._next, None
            return action
        if self._random.random() < _ANYBODY and (action := self._anything(run)):
            return action
        action = self._expert.act(run.public_state()).action
        if action.kind == "play" and (run.hands_left == 1 or self._random.random() < 0.5):
            helped = _help(run, action)
            if helped is not None:
                self._next = action
                return helped
        return action

    def _anything(self, run: Run) -> Action | None:
        without = {"play"} if self._random.random() < _SALES else {"play", "sell_joker"}
        by_kind: dict[str, list[Action]] = {}
        for action in run.legal_actions(True):
            if action.kind not in without:
                by_kind.setdefault(action.kind, []).append(action)
        if not by_kind:
            return None
        kind = "reroll_boss" if "reroll_boss" in by_kind else self._random.choice(sorted(by_kind))
        return self._random.choice(by_kind[kind])


def _help(run: Run, play: Action) -> Help | None:
    """With which this play beats the blind; None if it does by itself. Few levels, or else chips."""
    hand, levels = run.preview(play.cards).hand, 0
    while levels <= _MAX_LEVELS:
        with_help = run.clone()
        with_help.debug_raise_level(hand, levels)
        if run.chips + with_help.preview(play.cards).score >= run.target:
            return Help(levels, hand) if levels else None
        levels = 2 * levels or 1
    return Help(math.ceil(run.target - run.chips))
