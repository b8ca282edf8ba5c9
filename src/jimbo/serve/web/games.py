"""The games of the page: those in memory, and the folder in which they are kept as records."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from pathlib import Path
from typing import Any

from jimbo.agents import Agent
from jimbo.backends.sim import SimBackend
from jimbo.data.record import BadRecord, Decision, Header, Record
from jimbo.data.record_files import new_header, read_record
from jimbo.engine import PublicState
from jimbo.rollout.loop import Rollout
from jimbo.serve.game import BadInput
from jimbo.serve.web.board import Json
from jimbo.serve.web.game import PageGame, Start
from jimbo.serve.web.wire import ChangeCount
from jimbo.text import game_text, place_name

ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
REAL = "real"
MOST_IN_MEMORY = 32
LISTED = 30
PLAYER = "player"
_DEALS = ("same", "anew")


class PageGames:
    """Games by id. What is not in memory is read from its record and played again, which takes a moment."""

    def __init__(self, folder: Path, new_agent: Callable[[], Agent], pool: Executor) -> None:
        self._folder, self._new_agent, self._pool = folder, new_agent, pool
        self._games: dict[str, PageGame] = {}
        self._told: dict[tuple[str, int, int], Json] = {}
        """What a list says of a file, by its name, time and size."""

    async def begin(self, seed: str | None, deck: str | None, stake: str, challenge: str | None) -> PageGame:
        """Start a run; BadInput for a name or a seed that there is not."""
        try:
            header = new_header(PLAYER, {}, seed, deck, stake, challenge)
            backend = SimBackend()
            Rollout(backend).start_as(header)
        except ValueError as error:
            raise BadInput(str(error)) from None
        id = self._new_id(header.seed)
        game = self._made(id, backend, Start(header), self._folder / f"{id}.jsonl")
        return await self._added(game)

    async def get(self, id: str) -> PageGame:
        """Return a game; KeyError for one that there is not, BadInput for one that cannot be read."""
        if id not in self._games:
            path = self.path_of(id)
            if path is None:
                raise KeyError(id)
            record, backend = _played(path)
            game = self._made(id, backend, Start(record.header), path)
            game.take_again(record.decisions, on_disk=_is_whole(path, 1 + len(record.decisions)))
            await self._added(game)
        game = self._games[id]
        game.used = time.monotonic()
        return game

    async def branch(self, game: PageGame, deal: str) -> PageGame:
        """Return a game that goes on from another, with the same cards to come or with others that may come as well."""
        if deal not in _DEALS:
            raise BadInput(f"What is to come is dealt the {_DEALS[0]} or {_DEALS[1]}.")
        state, steps = game.session.state, game.decisions
        if deal == "same":
            if game.start.header is None or game.is_real:
                raise BadInput("What comes next is not known here; branch off with cards dealt anew.")
            made = await self.again(game.start.header, game.taken, game.id)
        else:
            made = await self.anew(state, game.session.game.seed, game.id, steps)
        made.mode = game.mode
        return made

    async def again(self, header: Header, decisions: Sequence[Decision], parent: str = "") -> PageGame:
        """Return a game that begins like another, with the same decisions taken."""
        backend = SimBackend()
        Rollout(backend).start_as(header)
        id = self._new_id(header.seed)
        made = self._made(id, backend, Start(header, parent, len(decisions)), self._folder / f"{id}.jsonl")
        made.take_again(decisions)
        return await self._added(made)

    async def anew(self, state: PublicState, seed: str = "", parent: str = "", at: int = 0) -> PageGame:
        """Return a game that goes on from a state, with what is hidden dealt anew; ValueError where none can."""
        backend = SimBackend()
        backend.load(state.imagine(secrets.randbelow(1 << 31)).save())
        return await self._added(self._made(self._new_id(seed or "anew"), backend, Start(None, parent, at), None))

    def put(self, game: PageGame) -> None:
        """Keep a game that was made elsewhere, such as the real one."""
        self._games[game.id] = game

    def path_of(self, id: str) -> Path | None:
        """The file of a game that is kept; None where there is none."""
        path = self._folder / f"{id}.jsonl"
        return path if ID.fullmatch(id) and path.is_file() else None

    def listed(self) -> list[Json]:
        """Return the newest games of the folder, as far as they can be read."""
        files = []
        with suppress(OSError):
            for path in self._folder.glob("*.jsonl"):
                with suppress(OSError):
                    found = path.stat()
                    files.append((found.st_mtime_ns, found.st_size, path))
        rows = []
        for at, size, path in sorted(files, reverse=True)[:LISTED]:
            if not ID.fullmatch(path.stem):
                continue
            key = (path.name, at, size)
            if key not in self._told:
                with suppress(BadInput):
                    self._told[key] = _about(path)
            if key in self._told:
                rows.append({"id": path.stem, "at": at / 1e9, **self._told[key]})
        return rows

    def changes(self) -> list[ChangeCount]:
        """Return what streams of games wait for."""
        return [game.changes for game in self._games.values()]

    async def close(self) -> None:
        for game in self._games.values():
            await game.close()

    def _new_id(self, seed: str) -> str:
        stem = re.sub(r"[^A-Za-z0-9]", "", seed)[:12] or "run"
        return f"{stem}-{secrets.token_hex(3)}"

    def _made(self, id: str, backend: SimBackend, start: Start, path: Path | None) -> PageGame:
        return PageGame(id, backend, self._new_agent(), start, self._pool, path=path)

    async def _added(self, game: PageGame) -> PageGame:
        self._games[game.id] = game
        game.keep()
        idle = sorted(
            (one for one in self._games.values() if not one.changes.watchers and one is not game and not one.is_real),
            key=lambda one: one.used,
        )
        for old in idle[: max(0, len(self._games) - MOST_IN_MEMORY)]:
            await old.close()
            del self._games[old.id]
        return game


def _played(path: Path) -> tuple[Record, SimBackend]:
    try:
        record, backend = read_record(path), SimBackend()
        Rollout(backend).start_as(record.header)
    except ValueError as error:
        raise BadInput(str(error).replace(f"{path.parent}/", "")) from None
    return record, backend


def _is_whole(path: Path, lines: int) -> bool:
    """Whether a file holds so many lines and nothing else, such as a line that was cut."""
    data = path.read_bytes()
    return data.endswith(b"\n") and data.count(b"\n") == lines


def _about(path: Path) -> Json:
    """Return how a run stands that a file holds."""
    record, backend = _played(path)
    rollout = Rollout(backend)
    rollout.go_on(backend.state())
    try:
        for _ in rollout.replay(record.decisions):
            pass
    except BadRecord as error:
        raise BadInput(str(error)) from None
    state, header = backend.state(), record.header
    about: dict[str, Any] = {
        "seed": header.seed,
        "game": game_text(header.deck, header.stake, header.challenge),
        "ante": state.ante,
        "place": place_name(state),
        "decisions": len(record.decisions),
        "won": bool(state.won),
        "over": bool(state.over),
    }
    return about
