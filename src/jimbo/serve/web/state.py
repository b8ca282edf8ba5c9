"""What the routes share: how the page was started, its games, and the threads that think."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from starlette.requests import Request

from jimbo.agents import Agent
from jimbo.backends.real import RealBackend
from jimbo.rollout.games import RestrictedAgent
from jimbo.serve.review.judging import EFFORT, Judge
from jimbo.serve.web.game import PageGame, Start
from jimbo.serve.web.games import REAL, PageGames
from jimbo.serve.web.wire import ChangeCount
from jimbo.system import state_folder


@dataclass(frozen=True, slots=True)
class WebSettings:
    """What the page shows, and who gives advice."""

    new_agent: Callable[[], Agent]
    judge: Judge = field(default_factory=lambda: Judge("expert", {"effort": EFFORT}, EFFORT))
    """Who judges runs that are reviewed."""
    host: str = "127.0.0.1"
    token: str | None = None
    """What a caller must know; for addresses that other machines can reach."""
    games: Path = field(default_factory=lambda: state_folder() / "web")
    """Where the runs that are played are kept."""
    runs: Path = field(default_factory=Path)
    """The folder below which trainings and other runs are looked for."""
    registry: Path | None = None
    """The registry of models; without one, that of the environment or the user's own."""
    real: RealBackend | None = None
    """The real game, joined."""
    armed: bool = False
    """The real game may be played from the page."""


class Part(Protocol):
    """What has streams of its own, and must be ended."""

    def changes(self) -> list[ChangeCount]: ...

    async def close(self) -> None: ...


class Web:
    """What the routes share."""

    def __init__(self, settings: WebSettings) -> None:
        self.settings = settings
        self.pool = ThreadPoolExecutor(max(1, (os.cpu_count() or 2) - 1), "advice")
        self.games = PageGames(settings.games, settings.new_agent, self.pool)
        self.stopping = False
        """Streams end."""
        self._watched: list[ChangeCount] = []
        self._parts: list[Part] = [self.games]

    def begin(self) -> None:
        if (backend := self.settings.real) is not None:
            agent = RestrictedAgent(self.settings.new_agent(), backend)
            game = PageGame(REAL, backend, agent, Start(None), self.pool, armed=self.settings.armed)
            game.follow()
            self.games.put(game)

    def watched(self, changes: ChangeCount) -> ChangeCount:
        """Name changes that streams wait for, beside those of games."""
        self._watched.append(changes)
        return changes

    def joined(self, part: Part) -> None:
        """Name what ends with the server, beside games."""
        self._parts.append(part)

    def stop(self) -> None:
        """End all streams, so that nobody waits for them."""
        self.stopping = True
        for changes in (*self._watched, *(one for part in self._parts for one in part.changes())):
            changes.note()

    async def end(self) -> None:
        self.stop()
        for part in self._parts:
            await part.close()
        self.pool.shutdown(wait=False, cancel_futures=True)


def web_of(request: Request) -> Web:
    found: Web = request.app.state.web
    return found
