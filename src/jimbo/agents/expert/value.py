"""What a position is worth: the logarithm of the chance to win from it, by forecasts of its next blinds."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from jimbo.agents.expert.config import ExpertConfig, ValueConfig
from jimbo.engine import RoundForecast, Run, base_score, forecast

LAST_ANTE = 8
_SLOTS = ("small", "big", "boss")
_BLIND_SCORES = (1.0, 1.5, 2.0)
_MOST_GROWTH = 0.4  # of the log score, per blind
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

    def raised(self, log_score: float) -> Position:
        """As if later blinds scored more than the forecast saw."""
        later = tuple(replace(r, log_score=r.log_score + log_score) for r in self.rounds[1:])
        return replace(self, rounds=self.rounds[:1] + later)

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
        return Position(run.stake, run.ante, slot, run.dollars, tuple(map(_round, rounds)))

    def log_win(self, position: Position) -> float:
        return log_win(position, self._config.value)


def log_win(position: Position, config: ValueConfig) -> float:
    """Log of the chance to beat every blind up to the boss of ante 8."""
    if not position.rounds:
        return config.floor * 3
    return sum(max(config.floor, _log_normal(z)) for z in margins(position, config))


def margins(position: Position, config: ValueConfig) -> list[float]:
    """For each blind to come: by how many standard deviations its score should exceed the target."""
    rounds = position.rounds
    known, anchor, growth = _growth(position)
    income = (rounds[-1].dollars - position.dollars) / len(rounds)
    result = []
    for i in range(3 * (LAST_ANTE + 1 - position.ante) - position.slot):
        if i < len(rounds):
            score, target, spread = rounds[i].log_score, rounds[i].log_target, rounds[i].spread
            dollars = rounds[i - 1].dollars if i else position.dollars
        else:
            ante, slot = divmod(position.slot + i, 3)
            score = anchor + config.growth_kept * growth * (i - known)
            score -= config.unknown_boss if slot == 2 else 0.0
            target = math.log(base_score(position.stake, position.ante + ante) * _BLIND_SCORES[slot])
            spread = _USUAL_SPREAD
            dollars = rounds[-1].dollars + config.income_kept * income * (i - len(rounds) + 1)
        spent = 1 - math.exp(-i / config.money_delay)
        score += config.gain_per_blind * i
        score += config.money * math.log1p(min(max(0.0, dollars), config.money_cap) / config.money_unit) * spent
        variance = spread**2 + config.spread**2 + config.spread_per_blind**2 * i
        result.append((score - target) / math.sqrt(variance))
    return result


def _growth(position: Position) -> tuple[int, float, float]:
    """The last forecast round without a boss, its score, and the growth per blind up to it."""
    plain = [i for i in range(len(position.rounds)) if (position.slot + i) % 3 != 2] or [len(position.rounds) - 1]
    first, last = plain[0], plain[-1]
    score = position.rounds[last].log_score
    if last == first:
        return last, score, 0.0
    growth = (score - position.rounds[first].log_score) / (last - first)
    return last, score, min(max(0.0, growth), _MOST_GROWTH)


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
