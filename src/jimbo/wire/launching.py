"""Instances of the real game that are started from here: watched until they answer, started anew, and stopped."""

from __future__ import annotations

import os
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, Literal

from jimbo.declared import declared
from jimbo.files import reason
from jimbo.system import end_group, group_options, has_ended
from jimbo.wire.client import ASK_FOR, Client
from jimbo.wire.methods import DEFAULT_PORT
from jimbo.wire.transport import address, url_of

Launcher = Literal["uvx", "direct"]
READY_WITHIN = 60.0
"""Seconds that the game may take from its start to its first answer."""
ASK_EVERY = 0.3
STOP_WITHIN = 5.0
"""Seconds between the request to end and the end."""
LAST_PORT = 65535
_TOLD_OF_LOG = 8
_WINDOWS = sys.platform == "win32"


class LaunchFailed(RuntimeError):
    """An instance cannot be started; the sentence says why, and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """How instances are started."""

    launcher: Launcher = declared("uvx", "start them by uvx, which fetches the mod's program, or directly")
    uvx_path: str = declared("uvx", "the program uvx")
    balatrobot_cmd: str = declared("balatrobot", "what is started: a package for uvx, or a program")
    """A program may have arguments of its own."""
    love_path: Path | None = declared(None, "the program love, or the game itself")
    lovely_path: Path | None = declared(None, "the library of Lovely")
    base_host: str = declared("127.0.0.1", "where started games listen")
    base_port: int = declared(DEFAULT_PORT, "port of the first; the others follow", min=1, max=LAST_PORT)
    stagger_start: float = declared(0.2, "pause between two starts", min=0.0, max=600.0)
    logs: Path = Path("logs")
    ready_within: float = READY_WITHIN

    def arguments(self, port: int) -> list[str]:
        # Elsewhere a backslash is part of a path.
        parts = [part.strip('"') for part in shlex.split(self.balatrobot_cmd, posix=not _WINDOWS)]
        program = [self.uvx_path, *parts] if self.launcher == "uvx" else parts
        paths = {"--love-path": self.love_path, "--lovely-path": self.lovely_path}
        given = [word for flag, path in paths.items() if path is not None for word in (flag, str(path))]
        return [*program, "serve", "--headless", "--fast", "--host", self.base_host, "--port", str(port), *given]


class StartedGame:
    """One process of the game that was started here."""

    def __init__(self, launch: Launch, port: int) -> None:
        self._launch, self.port = launch, port
        self.url = url_of(launch.base_host, port)
        self.log = launch.logs / f"{port}.log"
        self._log_start = 0
        """Bytes of the log that are older than this start."""
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """LaunchFailed if the port is taken: whoever listens there is not ours."""
        if self.port > LAST_PORT:
            raise LaunchFailed(
                f"There is no port {self.port}; the last one is {LAST_PORT}. Choose a lower --base-port."
            )
        if _is_taken(self._launch.base_host, self.port):
            raise LaunchFailed(f"Port {self.port} is in use already. Choose another with --base-port.")
        arguments = self._launch.arguments(self.port)
        with self._opened_log() as log:
            self._log_start = log.tell()
            try:
                self._process = subprocess.Popen(
                    arguments,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    env=os.environ | {"BALATROBOT_LOGS_PATH": str(self.log.parent)},
                    **group_options(),
                )
            except OSError as error:
                what = f"{arguments[0]} cannot be started: {reason(error)}"
                raise LaunchFailed(f"{what}. Name it with --uvx-path or --balatrobot-cmd.") from None

    def _opened_log(self) -> BinaryIO:
        try:
            self.log.parent.mkdir(parents=True, exist_ok=True)
            return self.log.open("ab")
        except OSError as error:
            raise LaunchFailed(f"The log {self.log} cannot be written: {reason(error)}.") from None

    def wait_ready(self) -> None:
        """Until it answers; LaunchFailed with the end of its log if it ends or takes too long."""
        end = time.monotonic() + self._launch.ready_within
        while True:
            if self._process is None or has_ended(self._process):
                raise LaunchFailed(f"The game at port {self.port} ended with code {self._code()}.{self._last_words()}")
            if self.answers():
                return
            if time.monotonic() > end:
                seconds = f"{self._launch.ready_within:g} seconds"
                raise LaunchFailed(f"The game at port {self.port} does not answer after {seconds}.{self._last_words()}")
            time.sleep(ASK_EVERY)

    def answers(self) -> bool:
        return Client(self.url).answers()

    def restart(self) -> None:
        self.stop()
        self.start()
        self.wait_ready()

    def stop(self) -> None:
        """Ends the process and all that it has started, and nothing else."""
        process, self._process = self._process, None
        if process is None:
            return
        end_group(process, STOP_WITHIN)

    def _code(self) -> int | None:
        """The exit code of a process that has ended; what it has started ends too, before its number is given away."""
        process, self._process = self._process, None
        if process is None:
            return None
        end_group(process, 0.0)
        return process.returncode

    def _last_words(self) -> str:
        with suppress(OSError):
            lines = self.log.read_bytes()[self._log_start :].decode("utf-8", "replace").splitlines()
            if said := [line for line in lines if line.strip()][-_TOLD_OF_LOG:]:
                return f" Its log, {self.log}, ends with: {' / '.join(said)}"
        return f" Its log is {self.log}."


@contextmanager
def launched(launch: Launch, count: int, urls: Sequence[str] = ()) -> Iterator[Sequence[StartedGame]]:
    """Instances at these addresses, or at consecutive ports. All of them answer, and are stopped at the end, whatever
    ends it."""
    named = [address(url) for url in urls]
    places = named or [(launch.base_host, launch.base_port + place) for place in range(count)]
    instances = [StartedGame(replace(launch, base_host=host), port) for host, port in places]
    try:
        for place, instance in enumerate(instances):
            if place:
                time.sleep(launch.stagger_start)
            instance.start()
        for instance in instances:
            instance.wait_ready()
        yield instances
    finally:
        for instance in instances:
            instance.stop()


def _is_taken(host: str, port: int) -> bool:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM) as link:
        link.settimeout(ASK_FOR)
        try:
            return link.connect_ex((host, port)) == 0
        except socket.gaierror:
            raise LaunchFailed(f"There is no host {host}. Choose another with --base-host.") from None
