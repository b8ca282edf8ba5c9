"""What a position is worth: the logarithm of the chance to win from it, by forecasts of its next blinds."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from jimbo.agents.expert_v1.config import ExpertConfig, Unseen, ValueConfig
from jimbo.engine import BLINDS_PER_ANTE, LAST_ANTE, USUAL_BOSS_SCORE, RoundForecast, Run, base_score, forecast
from jimbo.engine.catalog import BLINDS

_SLOTS = ("small", "big", "boss")
_BLIND_SCORES = (BLINDS["bl_small"].score, BLINDS["bl_big"].score, USUAL_BOSS_SCORE)
_MIN_CHANCE = 1e-30
# Gauss-Hermite quadrature of the standard normal distribution: values with their weights.
FORTUNES = (
    (-2.856970013872806, 0.011257411327720689),
    (-1.355626179974266, 0.22207592200561266),
    (0.0, 0.5333333333333333),
    (1.355626179974266, 0.22207592200561266),
    (2.856970013872806, 0.011257411327720689),
)


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

    deck: str
    stake: str
    ante: int
    slot: int
    """Of the next blind: 0 small, 1 big, 2 boss."""
    dollars: int
    rounds: tuple[Round, ...]
    unseen: float = 0.0
    """Log score that the rounds do not show, to come in time ..."""
    at_once: float = 0.0
    """... and from the next blind on."""

    def with_more(self, other: Position) -> Position:
        """Two forecasts of the same position in different worlds taken together."""
        return replace(self, rounds=tuple(map(_merged, self.rounds, other.rounds)))


class Margin(NamedTuple):
    """Log score less log target of one blind."""

    mean: float
    drift: float
    """Standard deviation of what all blinds share, as far as it concerns this one."""
    noise: float
    """Standard deviation of what is its own."""


class Forecaster:
    """Forecasts positions, all in the same worlds, so that differences between them are not luck."""

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
        unseen = unseen_worth(self._config.unseen, run.joker_keys, run.voucher_keys)
        return Position(run.deck, run.stake, run.ante, slot, run.dollars, tuple(map(_round, rounds)), unseen)

    def log_win(self, position: Position, *, at_once: float = 0.0, later: float = 0.0) -> float:
        """With more log score than the forecast shows."""
        changed = replace(position, unseen=position.unseen + later, at_once=position.at_once + at_once)
        return log_win(changed, self._config.value)


def unseen_worth(worths: Unseen, jokers: Iterable[str], vouchers: Iterable[str]) -> float:
    """Log score that these bring in time beside what a forecast can see."""
    return sum(worths.jokers.get(key, 0.0) for key in jokers) + sum(worths.vouchers.get(key, 0.0) for key in vouchers)


def log_win(position: Position, config: ValueConfig) -> float:
    """Log of the chance to beat every blind up to the boss of the last ante.

    How the build will turn out is uncertain, and the more so the further ahead, but it is one build: if it does well,
    it does so at every blind. So the chance is a mean over how it may turn out, each time a product over the blinds.
    """
    margins = blind_margins(position, config)
    chance = sum(
        weight * math.prod(_normal((margin.mean + fortune * margin.drift) / margin.noise) for margin in margins)
        for fortune, weight in FORTUNES
    )
    return math.log(max(chance, _MIN_CHANCE))


def blind_margins(position: Position, config: ValueConfig) -> list[Margin]:
    """For each blind to come: by how much its log score should exceed its target."""
    rounds = position.rounds
    if not rounds:
        return [Margin(-math.inf, 0.0, 1.0)]
    anchor = _plain_score(position)
    income = (rounds[-1].dollars - position.dollars) / len(rounds)
    passed = BLINDS_PER_ANTE * (position.ante - 1) + position.slot
    margins = []
    for i in range(BLINDS_PER_ANTE * LAST_ANTE - passed):
        ante, slot = divmod(position.slot + i, BLINDS_PER_ANTE)
        boss = 2 if passed + i == BLINDS_PER_ANTE * LAST_ANTE - 1 else int(slot == 2)
        if i < len(rounds):
            score, target, spread = rounds[i].log_score, rounds[i].log_target, rounds[i].spread
            dollars = rounds[i - 1].dollars if i else position.dollars
            score += config.known[boss]
        else:
            score, spread = anchor + config.unknown[boss], config.unknown_spread[boss]
            target = math.log(base_score(position.deck, position.stake, position.ante + ante) * _BLIND_SCORES[slot])
            dollars = rounds[-1].dollars + config.income_kept * income * (i - len(rounds) + 1)
        early = math.exp(-passed / config.early_blinds) - math.exp(-(passed + i) / config.early_blinds)
        score += config.gain_per_blind * i + config.early_gain * early
        score += position.at_once + position.unseen * (1 - math.exp(-i / config.unseen_delay))
        spent = 1 - math.exp(-i / config.money_delay)
        score += config.money * math.log1p(max(0.0, dollars) / config.money_unit) * spent
        margins.append(Margin(score - target, config.drift * math.sqrt(i), math.hypot(spread, config.spread)))
    return margins


def _plain_score(position: Position) -> float:
    """Of the last forecast blind that is not a boss."""
    plain = [r for i, r in enumerate(position.rounds) if (position.slot + i) % BLINDS_PER_ANTE != 2]
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


def _normal(z: float) -> float:
    """The standard normal distribution function."""
    return 0.5 * math.erfc(-z / math.sqrt(2))
