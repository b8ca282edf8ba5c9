"""A weaker player is noticed: the same seeds as in a stored result, compared one by one.

A game counts as the blinds that it passed, 24 for a won one. For each seed the stored number is subtracted from the new
one. Two players of the same strength who decide differently differ by chance alone, so the mean of these gaps, divided
by its standard error, is about normal: the test fails below -3.1, which happens once in a thousand times by chance
alone. Where no decision has changed, every gap is 0.

Nearly all stored games are won, so what it notices are losses: a player who ends k more of the 150 games early, and
wins none that were lost, has a z of about minus the square root of k. Ten more lost games (7 %) are noticed, five not.
A change that means to trade strength for time needs a new result:
``pytest tests/agents/test_strength.py --golden-update``.
"""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, stdev

import pytest

from jimbo.agents import make_agent
from jimbo.backends import SimBackend
from jimbo.eval import play_episode
from jimbo.seeds.seed_sets import seed_set

STORED = Path(__file__).with_name("strength.json")
GAMES = 150
LOWEST_Z = -3.1
PLAYERS = {"fast": ("fast", {}), "expert effort=0.2": ("expert", {"effort": 0.2})}


def blinds_passed(name: str, options: dict[str, float], games: int = GAMES) -> list[int]:
    agent = make_agent(name, **options)
    played = (play_episode(agent, SimBackend(), seed=seed) for seed in seed_set("dev-1000").seeds[:games])
    return [min(24, row.blinds_passed) for row in played]


def z_of(now: Sequence[int], before: Sequence[int]) -> float:
    gaps = [new - old for new, old in zip(now, before, strict=True)]
    error = stdev(gaps) / math.sqrt(len(gaps))
    return fmean(gaps) / error if error else math.copysign(math.inf, fmean(gaps)) if any(gaps) else 0.0


@pytest.mark.slow
@pytest.mark.parametrize("player", PLAYERS)
def test_no_player_has_become_weaker(player: str, request: pytest.FixtureRequest) -> None:
    now = blinds_passed(*PLAYERS[player])
    stored = json.loads(STORED.read_text()) if STORED.exists() else {}
    if request.config.getoption("--golden-update"):
        STORED.write_text(json.dumps({**stored, player: now}) + "\n")
        return
    before = stored[player]
    assert z_of(now, before) >= LOWEST_Z, f"{fmean(now):.2f} blinds a game, and {fmean(before):.2f} before"


def test_a_weaker_player_is_noticed() -> None:
    before = json.loads(STORED.read_text())["fast"][:20]
    assert z_of(blinds_passed("greedy", {}, 20), before) < LOWEST_Z


def test_chance_alone_is_not() -> None:
    """The first half of the seeds is to the second half what one player is to another of the same strength."""
    before = json.loads(STORED.read_text())["fast"]
    half = len(before) // 2
    assert abs(z_of(before[:half], before[half:])) < -LOWEST_Z
    assert z_of(before, before) == 0.0
    assert z_of([passed - 1 for passed in before], before) == -math.inf
