"""What was fitted to which games, and what was kept: for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from jimbo.data import versions
from jimbo.engine.catalog import DECKS, STAKES
from jimbo.eval import SeedSet
from jimbo.seeds.seed_sets import VERSION
from jimbo.text import counted
from jimbo.train.expert_constants import clearing, packs
from jimbo.train.expert_constants.estimates import MIN_GAMES, Estimate
from jimbo.train.expert_constants.fit import Fit
from jimbo.train.expert_constants.games import SEED_SET, Plan, data_hash
from jimbo.train.expert_constants.lines import Game
from jimbo.train.expert_constants.names import constants

SCHEMA = "jimbo_expert_constants_v1"
BY_HAND = "chosen by hand"
_TOWARDS_PRESENT = "drawn towards the values before"
METHODS = {
    "value": f"those under which blinds would most likely have been cleared and lost as they were; {_TOWARDS_PRESENT}",
    "unseen": f"what packs of a kind did to the chance to win; {_TOWARDS_PRESENT}",
    "unseen.tags": "what scores grew by, beyond the forecast; drawn towards zero",
    "unseen.vouchers": "the same",
    "unseen.jokers": "the same",
}
"""How each group of constants is fitted; all others are chosen by hand."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where constants come from."""

    command: str
    plan: Plan
    games: int
    won: int
    seeds: SeedSet
    sha256: str
    """Of the lines of the games, in the order of their numbers."""

    @staticmethod
    def of(command: str, plan: Plan, games: list[Game]) -> Origin:
        seeds = SeedSet(f"train-{SEED_SET}", VERSION, tuple(game.end.seed for game in games))
        won = sum(game.end.result == "win" for game in games)
        return Origin(command, plan, len(games), won, seeds, data_hash(games))

    def lines(self) -> Iterator[str]:
        yield f"Made by: {self.command}"
        yield (
            f"{counted(self.games, 'game')} on the seeds {self.seeds.name} v{self.seeds.version} ({self.seeds.hash}), "
            f"{self.won} of them won"
        )
        yield f"{DECKS[self.plan.deck].name}, {STAKES[self.plan.stake].name}, effort {self.plan.effort:g}"
        yield f"jimbo {versions()['jimbo']}, rules {versions()['rules']}"
        yield f"SHA-256 of the lines of the games: {self.sha256}"


def group_of(name: str) -> str:
    """``unseen.jokers`` of ``unseen.jokers.j_joker``, ``value`` of ``value.known.0``."""
    first, _, rest = name.partition(".")
    table = f"{first}.{rest.partition('.')[0]}"
    return table if table in METHODS else first


def group_lines(fit: Fit) -> Iterator[str]:
    """For each group of constants how many were fitted, and how."""
    fitted = {estimate.name for estimate in fit.estimates if estimate.fitted}
    groups: dict[str, list[str]] = {}
    for name in dict.fromkeys((*constants(fit.config), *(estimate.name for estimate in fit.estimates))):
        groups.setdefault(group_of(name), []).append(name)
    for group, names in groups.items():
        if group in METHODS:
            yield f"{group}: {sum(name in fitted for name in names)} of {len(names)} fitted: {METHODS[group]}"
    yield f"{', '.join(group for group in groups if group not in METHODS)}: {BY_HAND}"


def kept_because(estimate: Estimate | None) -> str:
    """Why a constant is as it was; empty for one that was fitted."""
    if estimate is None:
        return BY_HAND
    if estimate.fitted:
        return ""
    if estimate.games < MIN_GAMES:
        return f"seen in {counted(estimate.games, 'game')} only"
    return "the games tell too little of it"


def report_data(fit: Fit, origin: Origin) -> dict[str, Any]:
    asked = {estimate.name: estimate for estimate in fit.estimates}
    values = constants(fit.config)
    return {
        "schema": SCHEMA,
        "command": origin.command,
        "games": origin.games,
        "won": origin.won,
        "seed_set": origin.seeds.name,
        "seed_set_version": origin.seeds.version,
        "seeds_hash": origin.seeds.hash,
        "sha256": origin.sha256,
        "plan": origin.plan.to_data(),
        "fitted": {name: _estimate_data(entry, values) for name, entry in asked.items() if entry.fitted},
        "kept": {name: kept_because(asked.get(name)) for name in values if kept_because(asked.get(name))},
        "methods": METHODS,
        "shrinkage": {
            "value": clearing.NEAR,
            "packs": {"worth": packs.NEAR, "larger": packs.NEAR_LARGER},
            "items": fit.pull,
        },
        "held_out_log_chance": {"before": fit.log_chance[0], "fitted": fit.log_chance[1]},
        "win_rate_by_draw": {name: asdict(slope) for name, slope in fit.slopes.items()},
    }


def _estimate_data(estimate: Estimate, values: dict[str, float]) -> dict[str, Any]:
    return {
        "value": values[estimate.name],
        "before": estimate.before,
        "error": estimate.error,
        "share": estimate.share,
        "games": estimate.games,
    }
