"""What decisions cost at fixed efforts, and where risk chooses the effort: ``python benchmarks/risk_regret.py``.

Decisions of whole games are taken again by each player. What a choice is worth is what a player of effort 16 says of
it, in chance to win: a mistake of one part in a hundred in a run that is won half the time costs 0.5 points. Times are
those of the processor. ``--help`` lists the options.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from itertools import islice

import numpy as np

from jimbo.agents.risk import Router, read_routing
from jimbo.agents.told import told_chances
from jimbo.agents.value_player import scaled
from jimbo.backends import SimBackend
from jimbo.engine import Action, PublicState, Run
from jimbo.engine.value import Strategist, StrategyDecision
from jimbo.eval.statistics import bootstrap_mean
from jimbo.models.value_file import load_value
from jimbo.seeds import stake_key
from jimbo.seeds.seed_sets import train_seeds

EFFORTS = (0.2, 0.5, 1.0, 2.0)
PLAYING, REFERENCE = 0.5, 16.0
ROUTED = "risk_aware"

Decide = Callable[[PublicState, Run, int, float], StrategyDecision]
Choice = tuple[tuple[object, ...], ...]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stake", default="gold")
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--share", type=float, default=0.08, help="of the decisions")
    parser.add_argument("--config", help="a YAML file of the agent risk_aware")
    options = parser.parse_args()
    stake = stake_key(options.stake)
    net, _ = load_value()

    def make(effort: float) -> Strategist:
        return Strategist(net, **asdict(scaled(effort)))

    chances = told_chances("expert", None, None)
    router = Router(make, read_routing(options.config))

    def routed(state: PublicState, run: Run, nonce: int, win: float) -> StrategyDecision:
        told = chances.at(state)
        router.reset(nonce, told.win(win))
        return router.decide(run, told, chances.distance(state))[0]

    players: dict[str, Decide] = {f"effort {effort:g}": fixed(make(effort)) for effort in EFFORTS} | {ROUTED: routed}
    losses: dict[str, list[float]] = {name: [] for name in players}
    times: dict[str, list[float]] = {name: [] for name in players}
    judge, chance = fixed(make(REFERENCE)), random.Random(3)
    for state, win in positions(make(PLAYING), stake, options.games, options.share, chance):
        run, nonce = state.imagine(0), chance.getrandbits(60)
        found = {}
        for name, decide in players.items():
            began = time.thread_time()
            found[name] = decide(state, run, nonce, win)
            times[name].append(1000 * (time.thread_time() - began))
        judged = judge(state, run, nonce + 1, win)
        lost = [loss(made, judged) for made in found.values()]
        if None not in lost:
            for name, one in zip(players, lost, strict=True):
                losses[name].append(100 * win * (one or 0.0))
    show(losses, times)


def fixed(player: Strategist) -> Decide:
    def decide(state: PublicState, run: Run, nonce: int, win: float) -> StrategyDecision:
        player.reset(nonce)
        return player.decide(run)

    return decide


def positions(
    player: Strategist, stake: str, games: int, share: float, chance: random.Random
) -> Iterator[tuple[PublicState, float]]:
    """States in which there is a choice, with the chance to win as it was last said."""
    for seed in islice(train_seeds("risk-regret"), games):
        backend, win = SimBackend(), 0.5
        state = backend.reset(stake=stake, seed=seed)
        player.reset(chance.getrandbits(60))
        while not state.over and not state.won:
            made = player.decide(state.imagine(0))
            win = made.options[0].win if made.kind == "option" else win
            if len(made.solved) + len(made.options) > 1 and chance.random() < share:
                yield state, win
            state = backend.apply(made.action).state


def plain(*actions: Action) -> Choice:
    return tuple((str(action.kind), action.index, action.to, tuple(sorted(action.cards))) for action in actions)


def loss(made: StrategyDecision, judged: StrategyDecision) -> float | None:
    """The share of the run's worth that a choice gives away; None if the judge has looked at other things."""
    if made.kind != judged.kind:
        return None
    if made.kind == "hand":
        values = {plain(one.action): one.value for one in judged.solved if one.worlds}
        chosen = plain(made.solved[0].action)
    elif made.kind == "option":  # by logarithms
        values = {plain(*one.actions): math.exp(one.worth - judged.options[0].worth) for one in judged.options}
        chosen = plain(*made.options[0].actions)
    else:
        return None
    return max(0.0, next(iter(values.values())) - values[chosen]) if chosen in values else None


def show(losses: dict[str, list[float]], times: dict[str, list[float]]) -> None:
    routed = np.array(losses[ROUTED])
    print(f"{len(routed)} decisions; points of the chance to win that each costs, in thousandths")
    print(f"{'player':<12} {'ms':>6} {'costs':>7}   more than {ROUTED} (95 %)")
    for name, lost in losses.items():
        more = (np.array(lost) - routed) * 1000
        low, high = bootstrap_mean(more.tolist())
        line = f"{name:<12} {np.mean(times[name]):6.2f} {1000 * np.mean(lost):7.1f}"
        print(line if name == ROUTED else f"{line}   {more.mean():+.1f} ({low:+.1f} to {high:+.1f})")


if __name__ == "__main__":
    main()
