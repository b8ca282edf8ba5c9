"""Games by their numbers: who plays them, how each ended, what is kept of it; and the player that plays them."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from jimbo.agents import Agent, make_agent
from jimbo.agents.registry import agent_source, option_files
from jimbo.backends.protocol import Backend
from jimbo.backends.real import RealBackend
from jimbo.backends.sim import SimBackend
from jimbo.data.record import Decision, result_of, versions
from jimbo.data.samples import Game
from jimbo.engine import Action, PublicState
from jimbo.rollout.events import game_observers
from jimbo.rollout.loop import MAX_STEPS, AgentFailed, Observer, Rollout
from jimbo.rollout.output import Sink
from jimbo.rollout.pool import Lost
from jimbo.seeds.starts import CHALLENGE_DECK
from jimbo.signals import uninterrupted
from jimbo.telemetry.program import events_url

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
        """Forgets everything."""
        raise NotImplementedError


# --- Playing ----------------------------------------------------------------------------------------------------------


class Seating:
    """A player at a backend, and the buffer that keeps its games."""

    def __init__(self, agent: Agent, backend: Backend, buffer: GameBuffer, observers: Sequence[Observer] = ()) -> None:
        """``observers`` also follow the games."""
        self._agent, self._rollout, self.buffer = agent, Rollout(backend, [buffer, *observers]), buffer

    def play(self, spec: GamesSpec, game: GameId, seed: str, nonce: int) -> Any:
        """One game, which is kept; returns its end."""
        began, failure = time.perf_counter(), None
        deck, stake, challenge = spec.start(game[1])
        state = self._rollout.start(deck=deck, stake=stake, seed=seed, challenge=challenge)
        try:
            for moment in self._rollout.play(self._agent, nonce, max_steps=spec.max_steps):
                state = moment.after
        except AgentFailed as error:
            failure = error
        self._rollout.leave(failure.what if failure else "")
        ended = EndedGame(
            spec=spec,
            id=game,
            seed=seed,
            nonce=nonce,
            state=state,
            steps=self._rollout.steps,
            seconds=time.perf_counter() - began,
            failure=failure,
        )
        with uninterrupted():
            return self.buffer.ended(ended)


class GamePlayer:
    """Plays the games of some specs. It goes to other processes as it is before its first game.

    An agent is made once in each process, also where several specs name it.
    """

    def __init__(self, specs: Sequence[GamesSpec], backend: RealBackend | None = None) -> None:
        """In the simulator, unless there is another backend."""
        self._specs, self._backend = tuple(specs), backend
        self._events = events_url()
        self._seeds = [tuple(spec.game_seeds()) for spec in self._specs]
        self._seatings: dict[int, Seating] = {}

    def at(self, backend: RealBackend) -> GamePlayer:
        """A player of the same games, at the real game."""
        return GamePlayer(self._specs, backend)

    def __call__(self, game: GameId) -> tuple[Any, Any]:
        """Play a game; return its end, and what is to be written of it.

        The next game writes over the arrays: send or copy them first.
        """
        buffer = self._seating(game[0]).buffer
        buffer.clear()
        return self.play(game), buffer.gathered()

    def __len__(self) -> int:
        """Decisions that are kept and not yet written."""
        return sum(len(seating.buffer) for seating in self._seatings.values())

    def hand_over(self, sink: Sink) -> None:
        """Writes what is kept."""
        with uninterrupted():
            for seating in self._seatings.values():
                if (gathered := seating.buffer.gathered()) is not None:
                    sink.add(gathered)
                    sink.flush()
                    seating.buffer.clear()

    def lost(self, game: GameId, lost: Lost) -> tuple[Any, Any]:
        """The end of a game that nobody finished, and what is to be written of it."""
        place, number = game
        return self._specs[place].lost(game, self._seeds[place][number], lost)

    def play(self, game: GameId) -> Any:
        """One game, which is kept; returns its end."""
        place, number = game
        spec = self._specs[place]
        return self._seating(place).play(spec, game, self._seeds[place][number], spec.nonce(number))

    def _seating(self, place: int) -> Seating:
        spec = self._specs[place]
        same = (one.agent == spec.agent and one.options == spec.options for one in self._specs)
        first = next(place for place, is_same in enumerate(same) if is_same)
        if first not in self._seatings:
            agent = spec.make_player()
            real = self._backend
            backend: Backend = real or SimBackend(reveal=agent.clairvoyant)
            buffer = spec.make_buffer(agent, real.client.url if real else None)
            player = RestrictedAgent(agent, real) if real else agent
            watching = game_observers(self._events, agent=agent.name, seed=lambda: str(getattr(backend, "seed", "")))
            self._seatings[first] = Seating(player, backend, buffer, watching)
        return self._seatings[first]


class RestrictedAgent:
    """Asks another agent, and chooses something else only where the world cannot do what that agent chose."""

    clairvoyant = False

    def __init__(self, agent: Agent, backend: Backend) -> None:
        if agent.clairvoyant:
            raise ValueError(
                f"The agent {agent.name} must be shown what is hidden, and the real game does not show it."
            )
        self.name = agent.name
        self._agent, self._backend = agent, backend
        self._plain = make_agent("greedy")

    def __repr__(self) -> str:
        return f"<RestrictedAgent at {self._backend!r}: {self._agent!r}>"

    def reset(self, nonce: int) -> None:
        self._agent.reset(nonce)
        self._plain.reset(nonce)

    def act(self, state: PublicState, /) -> Decision:
        decision = self._agent.act(state)
        why = self._backend.cannot(decision.action) if state.refusal(decision.action) is None else None
        if why is None:
            return decision
        action = next(one for one in self._others(decision, state) if self._is_possible(one, state))
        considered = tuple(replace(one, chosen=one.action == action) for one in decision.considered)
        return replace(decision, action=action, considered=considered, explanation=f"the next best: {why}")

    def _others(self, decision: Decision, state: PublicState) -> Iterator[Action]:
        """The agent's own order, then the choice of a plain player, then any legal action."""
        yield from (one.action for one in sorted(decision.considered, key=lambda one: -one.value))
        yield self._plain.act(state).action
        yield from state.legal_actions()

    def _is_possible(self, action: Action, state: PublicState) -> bool:
        return state.refusal(action) is None and self._backend.cannot(action) is None
