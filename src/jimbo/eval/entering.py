"""How a run stands when it enters a blind, and what it traded before: what is needed to say why runs are lost.

All of it is seen from outside: the public state, the actions, and what the agent tells with its decisions. Nothing of
it reaches the agent.
"""

from __future__ import annotations

import math
import re

from jimbo.data import Decision
from jimbo.engine import PublicState, forecast
from jimbo.engine.catalog import JOKERS
from jimbo.eval.rows import BlindEntry
from jimbo.rollout import Moment

MULTIPLIERS = frozenset(key for key, fact in JOKERS.items() if re.search(r"\bX\d", fact.text))
"""Jokers that multiply Mult, by what their texts say."""
SOON = 2
"""Rounds: a joker that is sold so soon after it was bought was bought for nothing."""
_POLYCHROME = "e_polychrome"
_WORLDS = 8
_LARGEST_LOG = 700.0


class Notebook:
    """Follows a run; a page holds what belongs to one blind, from the end of the blind before it to its own end."""

    def __init__(self) -> None:
        self._bought_in: dict[int, int] = {}
        self._turn_over()

    def _turn_over(self) -> None:
        self._clear: float | None = None
        self._win: float | None = None
        self._power: float | None = None
        self._jokers = self._multipliers = 0
        self._interest = self._bought = self._sold = self._sold_soon = 0

    def happened(self, moment: Moment) -> None:
        action, before = moment.decision.action, moment.before
        self._told(before, moment.decision)
        if action.kind == "cash_out":
            self._interest += before.payout.interest
        elif action.kind in ("buy", "pick"):
            self._take(before, action.index, in_shop=action.kind == "buy")
        elif action.kind == "sell_joker":
            self._sell(before.jokers[action.index].id, before.round)
        elif action.kind == "select_blind":
            self._power = power(before)
            self._jokers, self._multipliers = len(before.jokers), multipliers(before)

    def _told(self, state: PublicState, decision: Decision) -> None:
        if state.phase != "selecting_hand":
            self._win = self._win if decision.win is None else _chance(decision.win)
        elif self._clear is None and state.hands_played == state.discards_used == 0:
            self._clear = _chance(next((each.clear for each in decision.considered if each.chosen), None))

    def _take(self, state: PublicState, place: int, *, in_shop: bool) -> None:
        offers = state.shop if in_shop else state.pack.cards if state.pack else []
        offer = offers[place]
        if offer.kind == "joker":
            self._bought += 1
            self._bought_in[offer.id] = state.round

    def _sell(self, joker: int, round_: int) -> None:
        self._sold += 1
        self._sold_soon += round_ - self._bought_in.get(joker, -math.inf) <= SOON

    def end_page(self) -> BlindEntry:
        """What belongs to the blind that has ended."""
        entry = BlindEntry(
            clear=self._clear,
            win=self._win,
            power=self._power,
            jokers=self._jokers,
            multipliers=self._multipliers,
            interest=self._interest,
            bought=self._bought,
            sold=self._sold,
            sold_soon=self._sold_soon,
        )
        self._turn_over()
        return entry


def power(state: PublicState) -> float | None:
    """What a quick player would score with all hands of the next blind, over its target; in the geometric mean.

    The worlds are drawn anew from what is public, always by the same numbers.
    """
    rounds = forecast(state.imagine(0), rounds=1, worlds=_WORLDS)
    return math.exp(min(rounds[0].log_score - rounds[0].target, _LARGEST_LOG)) if rounds else None


def multipliers(state: PublicState) -> int:
    """Jokers held that multiply Mult, Polychrome ones among them, without those that do nothing any more."""
    working = (joker for joker in state.jokers if not joker.debuffed)
    return sum(joker.key in MULTIPLIERS or joker.edition == _POLYCHROME for joker in working)


def _chance(told: float | None) -> float | None:
    """None also for what is no chance: agents may say anything."""
    return float(told) if told is not None and 0 <= told <= 1 else None
