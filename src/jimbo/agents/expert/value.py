"""What a position is worth: the logarithm of the chance to win from it, by forecasts of its next blinds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from jimbo.agents.expert.config import ExpertConfig, ValueConfig
from jimbo.engine import RoundForecast, Run, base_score, forecast

LAST_ANTE = 8
_SLOTS = ("small", "big", "boss")
_BLIND_SCORES = (1.0, 1.5, 2.0)
_USUAL_SPREAD = 0.35


@dataclass(frozen=True, slots=True)
class Round:
    """One blind of a forecast."""

    log_score: float
    log_target: float
    spread: float
    dollars: float
    """After its cash-out."""
    worlds: int


@dataclass(frozen=True, slots=True)
class Position:
    """Where a run stands and what its next blinds will be like."""

    stake: str
    ante: int
    slot: int
    """Of the next blind: 0 small, 1 big, 2 boss."""
    dollars: int
    rounds: tuple[Round, ...]
    unseen: float = 0.0
    """Log score to come that the rounds do not show."""

    def with_more(self, other: Position) -> Position:
        """Two forecasts of the same position in different worlds taken together."""
        return replace(self, rounds=tuple(map(_merged, self.rounds, other.rounds)))


class Forecaster:
    """Forecasts positions, all in the same worlds, so that differences between them are no luck."""

    def __init__(self, config: ExpertConfig, nonce: int, *, clairvoyant: bool = False) -> None:
        self._config = config
        self._nonce = nonce
        self._clairvoyant = clairvoyant

    def position(self, run: Run, worlds: int, first_world: int = 0) -> Position:
        slot = _SLOTS.index(run.on_deck)
        rounds = forecast(
            run,
            rounds=3 - slot + self._config.forecast.rounds_beyond_boss,
            worlds=worlds,
            first_world=first_world,
            nonce=self._nonce,
            clairvoyant=self._clairvoyant,
        )
        return Position(run.stake, run.ante, slot, run.dollars, tuple(map(_round, rounds)), self._unseen(run))

    def _unseen(self, run: Run) -> float:
        worths = self._config.unseen
        jokers = sum(worths.jokers.get(key, 0.0) for key in run.joker_keys)
        return jokers + sum(worths.vouchers.get(key, 0.0) for key in run.voucher_keys)

    def log_win(self, position: Position, unseen: float = 0.0) -> float:
        """``unseen``: more log score that the forecast does not show."""
        return log_win(replace(position, unseen=position.unseen + unseen), self._config.value)


def log_win(position: Position, config: ValueConfig) -> float:
    """Log of the chance to beat every blind up to the boss of ante 8."""
    if not position.rounds:
        return config.floor * 3
    return sum(max(config.floor, log_clear) for log_clear in log_clears(position, config))


def log_clears(position: Position, config: ValueConfig) -> list[float]:
    """For each blind to come: the log of the chance to clear it."""
    rounds = position.rounds
    anchor = _plain_score(position)
    income = (rounds[-1].dollars - position.dollars) / len(rounds)
    passed = 3 * (position.ante - 1) + position.slot
    result = []
    for i in range(3 * LAST_ANTE - passed):
        ante, slot = divmod(position.slot + i, 3)
        last = passed + i == 3 * LAST_ANTE - 1
        if i < len(rounds):
            score, target, spread = rounds[i].log_score, rounds[i].log_target, rounds[i].spread
            dollars = rounds[i - 1].dollars if i else position.dollars
            score += config.edge_last if last else config.edge_boss if slot == 2 else config.edge
            handicaps: Sequence[float] = (0.0,)
        else:
            score = anchor + config.edge
            target = math.log(base_score(position.stake, position.ante + ante) * _BLIND_SCORES[slot])
            spread = _USUAL_SPREAD
            dollars = rounds[-1].dollars + config.income_kept * income * (i - len(rounds) + 1)
            handicaps = config.last_boss if last else config.unknown_boss if slot == 2 else (0.0,)
        early = math.exp(-passed / config.early_blinds) - math.exp(-(passed + i) / config.early_blinds)
        score += config.gain_per_blind * i + config.early_gain * early
        score += position.unseen * (1 - math.exp(-i / config.unseen_delay))
        spent = 1 - math.exp(-i / config.money_delay)
        score += config.money * math.log1p(max(0.0, dollars) / config.money_unit) * spent
        deviation = math.sqrt(spread**2 + config.spread**2 + config.spread_per_blind**2 * i)
        result.append(_log_mean_normal([(score - handicap - target) / deviation for handicap in handicaps]))
    return result


def _log_mean_normal(zs: Sequence[float]) -> float:
    if len(zs) == 1:
        return _log_normal(zs[0])
    return math.log(sum(math.exp(_log_normal(z)) for z in zs) / len(zs))


def _plain_score(position: Position) -> float:
    """Of the last forecast blind that is no boss."""
    plain = [r for i, r in enumerate(position.rounds) if (position.slot + i) % 3 != 2]
    return (plain or position.rounds)[-1].log_score


def _round(r: RoundForecast) -> Round:
    return Round(r.log_score, r.target, r.spread, r.dollars, r.worlds)


def _merged(a: Round, b: Round) -> Round:
    share = b.worlds / (a.worlds + b.worlds)

    def mix(x: float, y: float) -> float:
        return x + (y - x) * share

    score = mix(a.log_score, b.log_score)
    square = mix(a.spread**2 + a.log_score**2, b.spread**2 + b.log_score**2)
    return Round(
        score,
        mix(a.log_target, b.log_target),
        math.sqrt(max(0.0, square - score**2)),
        mix(a.dollars, b.dollars),
        a.worlds + b.worlds,
    )


def _log_normal(z: float) -> float:
    """Log of the standard normal distribution function."""
    if z < -5:
        return -z * z / 2 - math.log(-z * math.sqrt(2 * math.pi))
    return math.log(0.5 * math.erfc(-z / math.sqrt(2)))
