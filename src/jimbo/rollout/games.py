"""What is played: who plays which games, how a game ended, and what is kept of it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from jimbo.agents import Agent, make_agent
from jimbo.agents.registry import agent_source, option_files
from jimbo.data import versions
from jimbo.data.results import result_of
from jimbo.data.samples import Game
from jimbo.engine import PublicState
from jimbo.rollout.loop import MAX_STEPS, AgentFailed, Observer
from jimbo.rollout.pool import Lost
from jimbo.seeds import CHALLENGE_DECK

GameId = tuple[int, int]
"""Place of the spec among those that are played together, and number of the game in it, from 0."""
Start = tuple[str, str, str | None]
"""Keys of the deck, the stake and the challenge of a game."""
_NONCE_BITS = 63


@dataclass(frozen=True, slots=True, kw_only=True)
class GamesSpec:
    """Who plays which games: everything that decides how they go. Subclasses say on which seeds, and what is kept."""

    agent: str
    options: Mapping[str, Any] = field(default_factory=dict)
    """The agent's own."""
    deck: str = "b_red"
    stake: str = "stake_white"
    challenge: str | None = None
    """Key of a challenge; it brings its own deck."""
    agent_number: int = 0
    """Seeds the agent's random choices, together with the number of the game; it never touches the game's seed."""
    max_steps: int = MAX_STEPS
    backend: str = "sim"

    def __post_init__(self) -> None:
        if self.challenge:
            object.__setattr__(self, "deck", CHALLENGE_DECK)

    def game_seeds(self) -> Sequence[str]:
        """One for each game."""
        raise NotImplementedError

    def nonce(self, number: int) -> int:
        return nonce_of(number, self.agent_number)

    def start(self, number: int) -> Start:
        return self.deck, self.stake, self.challenge

    def make_player(self) -> Agent:
        return make_agent(self.agent, **self.options)

    @property
    def player_name(self) -> str:
        """In a sentence."""
        return f"the agent {self.agent}"

    def make_buffer(self, player: Agent, url: str | None) -> GameBuffer:
        """What follows the games of a player and keeps them. ``url`` of the real game; None for the simulator."""
        raise NotImplementedError

    def lost(self, game: GameId, seed: str, lost: Lost) -> tuple[Any, Any]:
        """The end of a game that nobody finished, and what is written of it."""
        return GivenUp(game[1], seed, lost.why), None

    def backend_data(self) -> dict[str, Any]:
        return {} if self.backend == "sim" else {"backend": self.backend}

    def source_data(self) -> dict[str, Any]:
        """Versions, and hashes of what an agent is made of."""
        return {
            "versions": dict(versions()),
            **({"option_files": files} if (files := option_files(self.options)) else {}),
            **({"agent_source": source} if (source := agent_source(self.agent)) else {}),
        }


def nonce_of(index: int, number: int = 0) -> int:
    """The seed of an agent's random choices in one of many games; it knows nothing of the game's seed."""
    digest = hashlib.sha256(f"jimbo-nonce/{number}/{index}".encode()).digest()
    return int.from_bytes(digest, "big") >> (8 * len(digest) - _NONCE_BITS)


@dataclass(frozen=True, slots=True)
class GivenUp:
    """A game that is not kept."""

    number: int
    seed: str
    why: str
    """As the end of a sentence: "the agent greedy failed in decision 3: ..."."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedGame:
    """A game that its player has left."""

    spec: GamesSpec
    id: GameId
    seed: str
    nonce: int
    state: PublicState
    """The last."""
    steps: int
    seconds: float
    failure: AgentFailed | None
    """Why the player could not go on."""

    def game(self, blinds: int) -> Game:
        """Its record, with the blinds beaten in it."""
        return Game(
            seed=self.seed,
            deck=self.state.deck,
            stake=self.state.stake,
            challenge=self.state.challenge,
            agent=self.spec.agent,
            nonce=self.nonce,
            result=result_of(self.state),
            ante=self.state.ante,
            round=self.state.round,
            blinds=blinds,
            steps=self.steps,
            number=self.id[1],
        )

    def given_up(self, failure: AgentFailed) -> GivenUp:
        why = f"{self.spec.player_name} failed in decision {self.steps + 1}: {failure.what}"
        return GivenUp(self.id[1], self.seed, why)


class GameBuffer(Observer):
    """Keeps one game after another. What a game that has not ended left behind goes when the next one starts."""

    def __len__(self) -> int:
        """Decisions of games that have ended."""
        raise NotImplementedError

    def ended(self, ended: EndedGame) -> Any:
        """Keeps the present game, or drops it; returns its end as it is reported."""
        raise NotImplementedError

    def gathered(self) -> Any:
        """What is to be written of the games that have ended since the last ``clear``; None where there are none."""
        raise NotImplementedError

    def clear(self) -> None:
        """Begins anew."""
        raise NotImplementedError
