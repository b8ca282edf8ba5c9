"""What decisions of the expert cost at fixed efforts and where risk chooses the effort: ``python benchmarks/risk_regret.py``.

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
from jimbo.agents.told import ToldChances, told_chances
from jimbo.agents.value_player import scaled
from jimbo.backends import SimBackend
from jimbo.engine import Action, PublicState, Run
from jimbo.engine.value import Strategist, StrategyDecision
from jimbo.eval.statistics import bootstrap_mean
from jimbo.models.value_file import load_value
from jimbo.seeds import stake_key
from jimbo.seeds.seed_sets import train_seeds

EFFORTS = (0.1, 0.2, 0.35, 0.5, 1.0, 2.0)
PLAYING, REFERENCE = 0.5, 16.0
NONCES = 2**60
ROUTED = "risk_aware"

Decide = Callable[[PublicState, Run, int], StrategyDecision]
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

    def fixed(effort: float) -> Decide:
        player = make(effort)

        def decide(state: PublicState, run: Run, nonce: int) -> StrategyDecision:
            player.reset(nonce)
            return player.decide(run)

        return decide

    chances = told_chances("expert", None, None)
    players = {f"effort {effort:g}": fixed(effort) for effort in EFFORTS}
    players[ROUTED] = routed(Router(make, read_routing(options.config)), chances)
    losses: dict[str, list[float]] = {name: [] for name in players}
    times: dict[str, list[float]] = {name: [] for name in players}
    judge, chance = fixed(REFERENCE), random.Random(3)
    for state, win in positions(make(PLAYING), stake, options.games, options.share, chance):
        run, nonce = state.imagine(0), chance.getrandbits(60)
        found = {}
        for name, decide in players.items():
            if name == ROUTED:
                decide.router._win = chances.at(state).win(win)  # type: ignore[attr-defined]
            began = time.thread_time()
            found[name] = decide(state, run, nonce)
            times[name].append(1000 * (time.thread_time() - began))
        worths = {choice_of(made): made for made in found.values()}
        reference = values(judge(state, run, nonce + 1))
        lost = {name: loss(found[name], reference) for name in players}
        if worths and None not in lost.values():
            for name, one in lost.items():
                losses[name].append(100 * win * (one or 0.0))
    show(losses, times)


def routed(router: Router, chances: ToldChances) -> Decide:
    def decide(state: PublicState, run: Run, nonce: int) -> StrategyDecision:
        win = router._win
        router.reset(nonce)
        router._win = win
        return router.decide(run, chances.at(state), chances.distance(state))[0]

    decide.router = router  # type: ignore[attr-defined]
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


def choice_of(made: StrategyDecision) -> Choice:
    actions = [made.solved[0].action] if made.kind == "hand" else made.options[0].actions
    return tuple(map(plain, actions))


def plain(action: Action) -> tuple[object, ...]:
    return str(action.kind), action.index, action.to, tuple(sorted(action.cards))


def values(made: StrategyDecision) -> dict[Choice, float]:
    """What each choice is worth; of options the logarithm."""
    if made.kind == "hand":
        return {(plain(one.action),): one.value for one in made.solved if one.worlds} | {(): math.inf}
    return {tuple(map(plain, one.actions)): one.worth for one in made.options}


def loss(made: StrategyDecision, reference: dict[Choice, float]) -> float | None:
    """The share of the run's worth that a choice gives away; None if the judge has not looked at it."""
    hands = () in reference and reference[()] == math.inf
    if hands != (made.kind == "hand"):
        return None
    known = {choice: value for choice, value in reference.items() if value != math.inf}
    value = known.get(choice_of(made))
    if value is None:
        return None
    best = next(iter(known.values()))
    return max(0.0, best - value if hands else 1 - math.exp(value - best))


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
