"""Several games side by side in one process, each on a port of its own."""

from __future__ import annotations

import asyncio
import contextlib
import errno
from collections.abc import Callable
from pathlib import Path

from jimbo.files import trouble
from jimbo.serve.balatrobot.http import Connection, Connections
from jimbo.serve.balatrobot.instance import Instance
from jimbo.serve.balatrobot.rpc import answer

BACKLOG = 1024
SPARE_FILES = 64
"""Of the files that a process may open, these are kept for other things than connections."""
SWEEP = 1.0


class Servers:
    """``instances`` games on the ports from ``port`` on; port 0 lets the system choose them."""

    def __init__(self, host: str, port: int, instances: int, folder: Path) -> None:
        self._host, self._port = host, port
        self._games = [Instance(folder) for _ in range(instances)]
        self._connections = Connections(_most_connections())
        self._servers: list[asyncio.Server] = []

    @property
    def ports(self) -> list[int]:
        return [int(server.sockets[0].getsockname()[1]) for server in self._servers]

    async def open(self) -> None:
        """OSError with a sentence where a port cannot be had."""
        for place, game in enumerate(self._games):
            port = self._port + place if self._port else 0
            try:
                self._servers.append(await self._listen(game, port))
            except (OSError, OverflowError) as error:
                await self.close()
                raise OSError(_sentence(self._host, port, error)) from None

    async def _listen(self, game: Instance, port: int) -> asyncio.Server:
        loop = asyncio.get_running_loop()

        def connection() -> Connection:
            return Connection(lambda body: answer(game, body), self._connections)

        return await loop.create_server(connection, self._host, port, backlog=BACKLOG)

    async def serve(self, ready: Callable[[list[int]], None] = lambda ports: None) -> None:
        """Until it is cancelled."""
        await self.open()
        ready(self.ports)
        try:
            while True:
                await asyncio.sleep(SWEEP)
                self._connections.sweep()
        finally:
            await self.close()

    async def close(self) -> None:
        for server in self._servers:
            server.close()
        self._connections.close()
        for server in self._servers:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(server.wait_closed(), SWEEP)


def _most_connections() -> int:
    """As many files as the system lets a process have, less a few."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return 2 * BACKLOG
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 4 * BACKLOG if hard == resource.RLIM_INFINITY else min(hard, 4 * BACKLOG)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return int(wanted if soft == resource.RLIM_INFINITY else min(soft, 4 * BACKLOG)) - SPARE_FILES


def _sentence(host: str, port: int, error: OSError | OverflowError) -> str:
    if isinstance(error, OverflowError) or port > 65_535:
        return f"There is no port {port}; the last one is 65535."
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} of {host} is in use. Choose another with --port, or stop what uses it."
    return f"Port {port} of {host} cannot be opened: {trouble(error)}."
