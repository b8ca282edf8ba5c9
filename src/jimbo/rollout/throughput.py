"""How fast instances of the real game play: seconds of each call, and steps a second over some of them at once."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal, get_args

import numpy as np

from jimbo.agents import make_agent
from jimbo.backends.real import RealBackend
from jimbo.engine.observation import describe
from jimbo.rollout.games import RestrictedAgent
from jimbo.rollout.loop import Rollout
from jimbo.wire.client import SETTLE, TimedClient
from jimbo.wire.gamestate import Json, cards_of

Mode = Literal["action_only", "rl_step"]
"""What a step is. ``action_only``: one call, chosen by nobody. ``rl_step``: all that a learner waits for: the action,
the state at rest, read into a public state, its observation, and the choice of a simple agent."""
MODES: tuple[Mode, ...] = get_args(Mode)
LOOKS = 20
"""Calls of ``health`` and ``gamestate`` of each instance, after its steps."""
RESET = "reset"
_AT_ONCE = 5


class TookTooLong(RuntimeError):
    """A measurement did not end in time."""


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds of some calls."""

    calls: int
    mean: float
    p50: float
    p95: float
    p99: float
    max: float


@dataclass(frozen=True, slots=True)
class GameSpeed:
    """One measurement."""

    mode: Mode
    instances: int
    steps: int
    """Steps of all instances together."""
    seconds: float
    """From the common start to the last step, with the starts of new games between them."""
    steps_s_total: float
    latency: dict[str, Latency]
    """By method; ``reset`` is the way to the first blind of a new game, which takes several calls."""


def measure(
    urls: Sequence[str],
    mode: Mode,
    steps: int,
    *,
    timeout: float = float("inf"),
    settle: float = SETTLE,
    on_step: Callable[[], None] = lambda: None,
) -> GameSpeed:
    """Lets every address take ``steps`` steps, all at the same time, each in its own games.

    WireError if one of them fails, TookTooLong after ``timeout`` seconds.
    """
    race = _Race(len(urls), time.monotonic() + timeout, on_step)
    players = [_Runner(url, place, mode, settle) for place, url in enumerate(urls)]
    with ThreadPoolExecutor(len(urls)) as threads:
        try:
            for future in [threads.submit(race.run, player, steps) for player in players]:
                future.result()
        finally:
            race.stop()
    if race.failure:
        raise race.failure
    taken = len(urls) * steps
    seconds = max(race.ended) - race.began
    return GameSpeed(mode, len(urls), taken, seconds, taken / seconds, _latency(players))


def _latency(players: Sequence[_Runner]) -> dict[str, Latency]:
    by_method: defaultdict[str, list[float]] = defaultdict(list)
    for player in players:
        for method, seconds in (*player.client.seconds.items(), (RESET, player.resets)):
            by_method[method] += seconds
    return {method: _summary(seconds) for method, seconds in sorted(by_method.items())}


def _summary(seconds: Sequence[float]) -> Latency:
    milliseconds = 1000 * np.asarray(seconds)
    middle, high, higher = np.percentile(milliseconds, (50, 95, 99))
    figures = (milliseconds.mean(), middle, high, higher, milliseconds.max())
    return Latency(len(seconds), *(round(float(figure), 3) for figure in figures))


class _Race:
    """Threads that start together. The first that fails stops the others."""

    def __init__(self, runners: int, deadline: float, on_step: Callable[[], None]) -> None:
        self.began = 0.0
        self.ended: list[float] = []
        self.failure: Exception | None = None
        self._line = threading.Barrier(runners, action=self._start)
        self._deadline, self._on_step = deadline, on_step
        self._stopped = threading.Event()

    def run(self, player: _Runner, steps: int) -> None:
        try:
            player.reset()
            self._line.wait()
            for _ in islice(player.steps(), steps):
                if self._stopped.is_set():
                    return
                if time.monotonic() > self._deadline:
                    raise TookTooLong(
                        "The measurement did not end in time. Give it more with --timeout, or fewer steps."
                    )
                self._on_step()
            self.ended.append(time.perf_counter())
            player.look()
        except threading.BrokenBarrierError:
            return
        except Exception as error:
            self.failure = self.failure or error
            self.stop()

    def stop(self) -> None:
        self._stopped.set()
        self._line.abort()

    def _start(self) -> None:
        self.began = time.perf_counter()


class _Runner:
    """One instance, game after game. The games are the same in every measurement."""

    def __init__(self, url: str, place: int, mode: Mode, settle: float) -> None:
        self.client = TimedClient(url, settle=settle)
        self.resets: list[float] = []
        self._backend = RealBackend(self.client)
        self._place, self._mode = place, mode

    def reset(self) -> None:
        start = time.perf_counter()
        self._backend.reset(deck="b_red", stake="white", seed=f"B{self._place}N{len(self.resets)}")
        self.resets.append(time.perf_counter() - start)

    def steps(self) -> Iterator[Any]:
        """Without an end."""
        while True:
            yield from self._calls() if self._mode == "action_only" else self._decisions()
            self.reset()

    def look(self) -> None:
        for _ in range(LOOKS):
            self.client.health()
            self.client.gamestate()

    def _calls(self) -> Iterator[Any]:
        state = self.client.gamestate()
        while (call := _next_call(state)) is not None:
            state = self.client.act(*call)
            yield state

    def _decisions(self) -> Iterator[Any]:
        rollout = Rollout(self._backend)
        describe(rollout.go_on(self._backend.state()))
        for moment in rollout.play(RestrictedAgent(make_agent("greedy"), self._backend), 0):
            yield describe(moment.after)


_ONWARD = {"BLIND_SELECT": "select", "ROUND_EVAL": "cash_out", "SHOP": "next_round"}


def _next_call(state: Json) -> tuple[str, dict[str, Any]] | None:
    """The first cards are discarded while that is allowed, then played; None at the end of a game."""
    if state["state"] != "SELECTING_HAND":
        onward = _ONWARD.get(state["state"])
        return (onward, {}) if onward else None
    cards = list(range(len(cards_of(state, "hand"))))[:_AT_ONCE]
    return "discard" if state["round"]["discards_left"] else "play", {"cards": cards}
