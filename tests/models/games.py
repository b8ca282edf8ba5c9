"""A few recorded games, played once for all tests that need decisions."""

from __future__ import annotations

from functools import cache

from jimbo.agents import make_agent
from jimbo.backends import SimBackend
from jimbo.data import result_of
from jimbo.data.columns import GameRows
from jimbo.data.samples import Game, Samples
from jimbo.rollout import Rollout
from jimbo.rollout.runner import RecordBuffer

SEEDS = ("JIMBO1", "JIMBO2", "JIMBO3", "JIMBO4")


@cache
def recorded(agent: str = "expert", games: int = 3) -> Samples:
    """Decisions of an agent that thinks little."""
    options = {"effort": 0.01, "joker_order": False} if agent == "expert" else {}
    player, collector = make_agent(agent, **options), RecordBuffer(GameRows())
    rollout = Rollout(SimBackend(), [collector])
    for number, seed in enumerate(SEEDS[:games]):
        state = rollout.start(seed=seed)
        for moment in rollout.play(player, number):
            state = moment.after
        collector.games.end(
            Game(
                seed=seed,
                deck=state.deck,
                stake=state.stake,
                agent=agent,
                nonce=number,
                result=result_of(state),
                ante=state.ante,
                round=state.round,
                blinds=collector.games.beaten,
                steps=rollout.steps,
                number=number,
            )
        )
    rows = collector.gathered()
    assert rows is not None
    return rows.samples
