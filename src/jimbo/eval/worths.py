"""What things are worth to a learnt value: by how much each would change the chance to win, ante by ante.

Positions come from games of the agent fast. To each of them everything is added once, as a gift, and the value is
asked again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from jimbo.agents import Agent, make_agent
from jimbo.backends.sim import SimBackend
from jimbo.engine import Action, PublicState, Run
from jimbo.engine.catalog import HANDS, JOKERS, VOUCHERS
from jimbo.engine.value import ValueNet, judge_options
from jimbo.models.value_file import load_value
from jimbo.rollout.loop import Rollout
from jimbo.seeds.seed_sets import train_seeds

SEEDS = "worths"
MONEY = (0, 5, 10, 15, 20, 25, 30, 40, 50, 75, 100)
PER_ANTE = 60
"""Positions of an ante, at most: the error of a mean is then small compared with the differences between things."""
_NEGATIVE = "e_negative"
_CHOOSING = ("select_blind", "skip_blind")

Gift = Callable[[Run], None]
Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and of how much."""


@dataclass(frozen=True, slots=True)
class Worth:
    """What a thing adds to the chance to win in one ante, in points, over positions."""

    mean: float
    error: float
    """Its standard error."""
    positions: int


@dataclass(frozen=True, slots=True)
class Worths:
    """All of one stake; antes from 1, those that no game came to are missing."""

    stake: str
    games: int
    win: dict[int, float]
    """The mean chance to win in each ante, according to the value."""
    jokers: dict[str, dict[int, Worth]]
    vouchers: dict[str, dict[int, Worth]]
    hands: dict[str, dict[int, Worth]]
    """One more level of each poker hand."""
    money: dict[int, dict[int, float]]
    """The mean chance to win with just that much, by ante and sum."""


def find_worths(
    stake: str, games: int, progress: Progress = lambda doing, done, of: None, model: Path | None = None
) -> Worths:
    """Always from the same games, so the same every time."""
    net, _ = load_value(model)
    states = _positions(make_agent("fast", model=str(model) if model else None), stake, games, progress)
    found: dict[tuple[str, Any], dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for number, state in enumerate(states, start=1):
        run = state.imagine(0)
        now = _chance(net, run)
        found["win", ""][run.ante].append(now)
        for kind, key, gift in _gifts(run):
            found[kind, key][run.ante].append(100 * (_with(net, run, gift) - now))
        for dollars in MONEY:
            found["money", dollars][run.ante].append(_with(net, run, _purse(dollars)))
        progress("positions", number, len(states))

    def worths(kind: str) -> dict[str, dict[int, Worth]]:
        return {
            key: {ante: _worth(values) for ante, values in sorted(by_ante.items())}
            for (own, key), by_ante in found.items()
            if own == kind
        }

    def mean(kind: str, key: Any, ante: int) -> float:
        return float(np.mean(found[kind, key][ante]))

    antes = sorted(found["win", ""])
    return Worths(
        stake,
        games,
        {ante: mean("win", "", ante) for ante in antes},
        worths("joker"),
        worths("voucher"),
        worths("hand"),
        {ante: {dollars: mean("money", dollars, ante) for dollars in MONEY} for ante in antes},
    )


def _positions(agent: Agent, stake: str, games: int, progress: Progress) -> list[PublicState]:
    """Moments at which a blind is chosen, at most ``PER_ANTE`` of an ante, spread over the games."""
    found: dict[int, list[PublicState]] = defaultdict(list)
    for nonce, seed in enumerate(islice(train_seeds(SEEDS), games)):
        rollout = Rollout(SimBackend())
        rollout.start(seed=seed, stake=stake)
        for moment in rollout.play(agent, nonce):
            if moment.decision.action.kind in _CHOOSING:
                found[moment.before.ante].append(moment.before)
        progress("games", nonce + 1, games)
    return [state for _, states in sorted(found.items()) for state in _spread(states)]


def _spread(states: Sequence[PublicState]) -> list[PublicState]:
    places = np.linspace(0, len(states) - 1, min(PER_ANTE, len(states))).round().astype(int)
    return [states[place] for place in places]


def _gifts(run: Run) -> Iterable[tuple[str, str, Gift]]:
    """Jokers are negative, so that they need no room; nothing is given that the run has already."""
    for key in JOKERS:
        if key not in run.joker_keys:
            yield "joker", key, partial(Run.debug_add_joker, key=key, edition=_NEGATIVE)
    for key, voucher in VOUCHERS.items():
        held = run.voucher_keys
        if key not in held and (voucher.prerequisite is None or voucher.prerequisite in held):
            yield "voucher", key, partial(Run.debug_redeem, key=key)
    for key in HANDS:
        yield "hand", key, partial(Run.debug_raise_level, hand=key, levels=1)


def _purse(dollars: int) -> Gift:
    def fill(run: Run) -> None:
        run.dollars = dollars

    return fill


def _with(net: ValueNet, run: Run, gift: Gift) -> float:
    """A new joker may stand at either end; the order that is worth more counts, as an agent would put them."""
    given = run.clone()
    gift(given)
    chance = _chance(net, given)
    last = len(given.joker_keys) - 1
    if last == len(run.joker_keys) and last > 0:
        given.step(Action("move_joker", index=last, to=0))
        chance = max(chance, _chance(net, given))
    return chance


def _chance(net: ValueNet, run: Run) -> float:
    """The chance to win from here, if the blind is played."""
    return next(
        option.win for option in judge_options(net, run, finalists=0) if option.actions[0].kind == "select_blind"
    )


def _worth(values: Sequence[float]) -> Worth:
    count = len(values)
    error = float(np.std(values, ddof=1)) / count**0.5 if count > 1 else float("inf")
    return Worth(float(np.mean(values)), error, count)
