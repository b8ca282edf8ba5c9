"""Which games a rollout plays."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice, repeat
from typing import Any

from jimbo.agents.registry import agent_source, option_files
from jimbo.data import versions
from jimbo.engine import batch_schema_hash
from jimbo.rollout.loop import MAX_STEPS
from jimbo.seeds import CHALLENGE_DECK
from jimbo.seeds.seed_sets import rollout_seeds

SCHEMA = "jimbo_rollout_v1"
SEED_PREFIX = "AAAAAAA"
_NONCE_BITS = 63


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Everything that decides how the games go and what is kept of them."""

    agent: str
    games: int
    format: str
    """``jsonl`` or ``parquet``."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """The agent's own."""
    deck: str = "b_red"
    stake: str = "stake_white"
    challenge: str | None = None
    """Key of a challenge; it brings its own deck."""
    seed: str | None = None
    """Of every game, where it is one."""
    seed_prefix: str = SEED_PREFIX
    """Names the list of seeds otherwise."""
    max_steps: int = MAX_STEPS
    include_obs_raw: bool = False
    backend: str = "sim"

    def __post_init__(self) -> None:
        if self.challenge:
            object.__setattr__(self, "deck", CHALLENGE_DECK)

    def seeds(self) -> Iterator[str]:
        """One for each game. None of a list is in a set for measuring, and none is there twice."""
        return islice(repeat(self.seed) if self.seed else rollout_seeds(self.seed_prefix), self.games)

    def to_data(self) -> dict[str, Any]:
        seeds = {"seed": self.seed} if self.seed else {"seed_prefix": self.seed_prefix}
        return {
            "schema": SCHEMA,
            "agent": self.agent,
            "options": dict(self.options),
            "deck": self.deck,
            "stake": self.stake,
            "challenge": self.challenge,
            **seeds,
            "games": self.games,
            "max_steps": self.max_steps,
            "format": self.format,
            "include_obs_raw": self.include_obs_raw,
            **({} if self.backend == "sim" else {"backend": self.backend}),
            "schema_hash": batch_schema_hash(),
            "versions": dict(versions()),
            **({"option_files": files} if (files := option_files(self.options)) else {}),
            **({"agent_source": source} if (source := agent_source(self.agent)) else {}),
        }


def nonce_of(index: int, number: int = 0) -> int:
    """The seed of an agent's random choices in one of many games; it knows nothing of the game's seed."""
    digest = hashlib.sha256(f"jimbo-nonce/{number}/{index}".encode()).digest()
    return int.from_bytes(digest, "big") >> (8 * len(digest) - _NONCE_BITS)
