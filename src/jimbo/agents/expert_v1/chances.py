"""What may be worth doing although its outcome is hidden: rerolls, skips, another boss, tried out in sampled worlds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from jimbo.agents.expert_v1.config import Effort
from jimbo.agents.expert_v1.value import Forecaster
from jimbo.agents.seen import Seen, taken
from jimbo.engine import Action, Run

_MIN_LEFT = 3  # dollars: with less, nothing could be bought


class Gain(NamedTuple):
    """In the log chance to win."""

    log: float
    log_now: float
    """The log chance without it."""


class Chances:
    """Gains, each the mean over sampled outcomes; None for what is not allowed."""

    def __init__(self, seen: Seen, forecaster: Forecaster, effort: Effort, nonce: int, *, clairvoyant: bool) -> None:
        self._seen = seen
        self._forecaster = forecaster
        self._effort = effort
        self._nonce = nonce
        self._clairvoyant = clairvoyant

    def reroll(self, sellable: Sequence[int]) -> Gain | None:
        """A reroll and the best purchase after it; None also if nothing could be bought then."""
        state = self._seen.state
        if state.dollars - state.reroll_price < _MIN_LEFT:
            return None
        return self._mean(Action("reroll"), lambda world: self._best([world, *_purchases(world, sellable)]))

    def another_boss(self) -> Gain | None:
        return self._mean(Action("reroll_boss"), self._judged)

    def skip(self, unseen: float) -> Gain | None:
        """``unseen``: log score that the tag brings in addition to what a forecast can see."""
        return self._mean(Action("skip_blind"), lambda world: self._judged(world, unseen))

    def _mean(self, action: Action, value: Callable[[Run], float]) -> Gain | None:
        if self._seen.run.refusal(action) is not None:
            return None
        worlds = [self._world(n) for n in range(self._effort.outcomes)]
        for world in worlds:
            world.step(action)
        mean, now = sum(map(value, worlds)) / len(worlds), self._judged(self._seen.run)
        return Gain(mean - now, now)

    def _world(self, n: int) -> Run:
        if self._clairvoyant:
            return self._seen.run.clone()
        return self._seen.run.determinize((self._nonce + n) % 2**64)

    def _best(self, runs: Sequence[Run]) -> float:
        """Picked in some worlds, judged in others: in the same ones it would seem better than it is."""
        values = [self._forecaster.log_win(self._forecaster.position(run, self._effort.pick_worlds)) for run in runs]
        return self._judged(runs[values.index(max(values))])

    def _judged(self, run: Run, later: float = 0.0) -> float:
        position = self._forecaster.position(run, self._effort.judge_worlds, self._effort.pick_worlds)
        return self._forecaster.log_win(position, later=later)


def _purchases(run: Run, sellable: Sequence[int]) -> Iterator[Run]:
    """Each card in the shop bought, with a joker sold for it where there is no room; planets are used at once."""
    for index in range(len(run.shop_prices)):
        bought = taken(run, Action("buy_and_use", index=index)) or taken(run, Action("buy", index=index))
        if bought is not None:
            yield bought
            continue
        for slot in sellable:
            swapped = taken(run, Action("sell_joker", index=slot), Action("buy", index=index))
            if swapped is not None:
                yield swapped
