"""Games spread over processes, machines or instances of the real game, and written as they end."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import Any, Protocol

from jimbo.pace import Pace
from jimbo.rollout.games import GameId, GamePlayer, GivenUp
from jimbo.rollout.output import Sink, WriteFailed
from jimbo.rollout.pool import Lost, WorkFailed, run_tasks
from jimbo.signals import uninterrupted

SECONDS_AT_RISK = 20.0
"""What was played is saved at least this often."""
TRIES = 3
"""Number of times that a game whose process died is tried, where it may be tried again."""


class Spread(Protocol):
    """How the games of a GamePlayer are spread: over the processes of this machine (``pool``), over a cluster
    (``ray_pool``), over instances of the real game (``instances``, of which there are as many as were started)."""

    def __call__(
        self,
        work: Any,
        tasks: Iterable[Any],
        workers: int,
        *,
        timeout: float | None = None,
        tries: int = 1,
    ) -> Generator[tuple[Any, Any]]: ...


@dataclass(frozen=True, slots=True)
class Stop:
    """Why not all games were played; nothing where they were."""

    stopped: bool = False
    """By Ctrl-C."""
    trouble: str = ""
    """A sentence."""


class Enough(Exception):
    """Raised where the end of a game is reported: no more games are wanted, and what was played is kept."""


def play_games(
    player: GamePlayer,
    games: list[GameId],
    sink: Sink,
    progress: Callable[[GameId, Any], None],
    *,
    workers: int = 1,
    restart: bool = False,
    timeout: float | None = None,
    spread: Spread | None = None,
) -> Stop:
    """Plays games and hands them to a sink. ``progress`` is called with the end of each.

    Ctrl-C ends it early and keeps what is finished; so does Enough, raised by ``progress``, or a full disk, or worker
    processes that keep dying. Without ``spread`` they are played by processes of this machine, and a game whose process
    died is tried again only with ``restart``; with one it always is. A game that takes more than ``timeout`` seconds is
    ended.
    """
    if spread is None and workers == 1 and timeout is None:
        ends = _alone(player, games, sink)
    else:
        tries = TRIES if restart or spread else 1
        results = (spread or run_tasks)(player, games, workers, timeout=timeout, tries=tries)
        ends = _together(player, results, sink)
    try:
        with closing(ends), _Paces(sink, games) as paces:
            for game, end in ends:
                paces.add(game, end)
                progress(game, end)
        with uninterrupted():
            sink.finish()
    except Enough:
        return Stop(trouble=_kept(sink))
    except KeyboardInterrupt:
        return Stop(stopped=True, trouble=_kept(sink))
    except WriteFailed as error:
        return Stop(trouble=str(error))
    except WorkFailed as error:
        return Stop(trouble=f"{error} {_kept(sink)}".rstrip())
    return Stop()


def _kept(sink: Sink) -> str:
    """Saves what was played; a sentence where that fails."""
    try:
        sink.keep()
    except WriteFailed as error:
        return str(error)
    return ""


class _Paces:
    """Notes how fast the games of each plan are played."""

    def __init__(self, sink: Sink, games: Iterable[GameId]) -> None:
        self._stack = ExitStack()
        self._paces = {place: Pace(sink.pace(place)) for place in dict.fromkeys(place for place, _ in games)}

    def __enter__(self) -> _Paces:
        for pace in self._paces.values():
            self._stack.enter_context(pace)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def add(self, game: GameId, end: Any) -> None:
        if not isinstance(end, GivenUp):
            self._paces[game[0]].add(games=1, decisions=getattr(end, "steps", 0))


class _Clock:
    """Whether it is time to make safe what was played."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def rings(self) -> bool:
        if time.monotonic() - self._last < SECONDS_AT_RISK:
            return False
        self._last = time.monotonic()
        return True


def _alone(player: GamePlayer, games: list[GameId], sink: Sink) -> Generator[tuple[GameId, Any]]:
    """In this process; games are kept where they are played until there are enough of them to be written."""
    clock = _Clock()
    try:
        for game in games:
            end = player.play(game)
            if len(player) >= sink.at_once:
                player.hand_over(sink)
            if clock.rings():
                player.hand_over(sink)
                with uninterrupted():
                    sink.keep()
            yield game, end
    finally:
        player.hand_over(sink)


def _together(player: GamePlayer, results: Generator[tuple[GameId, Any]], sink: Sink) -> Generator[tuple[GameId, Any]]:
    """Elsewhere, from where whole games come."""
    clock = _Clock()
    with closing(results):
        for game, result in results:
            end, gathered = player.lost(game, result) if isinstance(result, Lost) else result
            with uninterrupted():
                if gathered is not None:
                    sink.add(gathered)
                if clock.rings():
                    sink.keep()
            yield game, end
