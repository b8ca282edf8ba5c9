"""The options of the real game: where it runs, or how it is started. Several commands have them all."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any

import typer

from jimbo.cli.flags import REAL
from jimbo.rollout.instances import Elsewhere, GameServer
from jimbo.system import state_folder
from jimbo.text import counted
from jimbo.wire.client import URL, Client
from jimbo.wire.errors import WireError
from jimbo.wire.launching import COMMAND, STAGGER, Launch, Launcher, LaunchFailed, launched
from jimbo.wire.methods import DEFAULT_PORT
from jimbo.wire.transport import address, place

ANSWER_WITHIN = 5.0
"""Seconds for the first answer of a game that runs already."""
_PANEL = "Real game"
_TEXT = functools.partial(typer.Option, rich_help_panel=_PANEL)

BaseUrl = Annotated[
    str | None,
    _TEXT("--base-url", metavar="URL", help=f"With --backend real: address of the running game; default: {URL}."),
]
OPTIONS: dict[str, tuple[Any, Any]] = {
    "base_urls": (
        Annotated[
            list[str] | None,
            _TEXT(
                "--base-urls",
                "--base-url",
                metavar="URL",
                help=f"Addresses of running games, separated by commas; default: {URL}.",
            ),
        ],
        None,
    ),
    "launch_instances": (
        Annotated[
            int | None,
            _TEXT(
                min=0,
                max=64,
                metavar="[N]",
                help="Start N games here, and stop them at the end; without N one for each of --base-urls.",
            ),
        ],
        None,
    ),
    "launcher": (
        Annotated[Launcher, _TEXT(help="Start them by uvx, which fetches the mod's program, or directly.")],
        "uvx",
    ),
    "uvx_path": (Annotated[str, _TEXT(metavar="FILE", help="The program uvx.")], "uvx"),
    "balatrobot_cmd": (
        Annotated[str, _TEXT(metavar="TEXT", help="What is started: a package for uvx, or a program.")],
        COMMAND,
    ),
    "love_path": (Annotated[Path | None, _TEXT(metavar="FILE", help="The program love, or the game itself.")], None),
    "lovely_path": (Annotated[Path | None, _TEXT(metavar="FILE", help="The library of Lovely.")], None),
    "base_host": (Annotated[str, _TEXT(metavar="HOST", help="Where started games listen.")], "127.0.0.1"),
    "base_port": (
        Annotated[int, _TEXT(min=1, max=65535, metavar="PORT", help="Port of the first; the others follow.")],
        DEFAULT_PORT,
    ),
    "stagger_start": (
        Annotated[float, _TEXT(min=0.0, max=600.0, metavar="SECONDS", help="Pause between two starts.")],
        STAGGER,
    ),
}
BARE = {"--launch-instances": "0"}
"""Options that can stand alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RealGame:
    """The options as they were given."""

    base_urls: list[str] | None
    launch_instances: int | None
    launcher: Launcher
    uvx_path: str
    balatrobot_cmd: str
    love_path: Path | None
    lovely_path: Path | None
    base_host: str
    base_port: int
    stagger_start: float

    @contextmanager
    def places(self, backend: str) -> Iterator[Sequence[GameServer] | None]:
        """Where to play; None for the simulator. ValueError with a sentence if no game can be reached or started."""
        self._check(backend)
        if backend != REAL:
            yield None
        elif self.launches:
            logs, urls = state_folder() / "games", read_urls(self.base_urls) if self.base_urls else ()
            try:
                with launched(self._launch(logs), self.count, urls) as instances:
                    yield instances
            except LaunchFailed as error:
                raise ValueError(str(error)) from None
        else:
            urls = read_urls(self.base_urls)
            check_games(urls)
            yield [Elsewhere(url) for url in urls]

    @property
    def launches(self) -> bool:
        """Games are started here."""
        return self.launch_instances is not None

    @property
    def count(self) -> int:
        """How many games there are."""
        return self.launch_instances or len(read_urls(self.base_urls))

    def words(self) -> list[str]:
        """The same options, for a command that is told to people."""
        if not self.launches:
            return ["--base-urls", ",".join(read_urls(self.base_urls))]
        named = {name: getattr(self, name) for name in OPTIONS if name != "base_urls"}
        differing = {name: value for name, value in named.items() if value != OPTIONS[name][1]}
        return [word for name, value in differing.items() for word in (f"--{name.replace('_', '-')}", str(value))]

    def _check(self, backend: str) -> None:
        given = "--base-urls" if self.base_urls else "--launch-instances" if self.launches else ""
        if backend != REAL and given:
            raise ValueError(f"{given} is about the real game: add --backend real.")
        if self.base_urls and self.launch_instances and self.count != (named := len(read_urls(self.base_urls))):
            raise ValueError(
                f"--launch-instances starts {self.count}, and --base-urls names {counted(named, 'address')}: "
                "leave the number out, or --base-urls."
            )

    def _launch(self, logs: Path) -> Launch:
        return Launch(
            launcher=self.launcher,
            uvx_path=self.uvx_path,
            command=self.balatrobot_cmd,
            love_path=self.love_path,
            lovely_path=self.lovely_path,
            host=self.base_host,
            base_port=self.base_port,
            stagger=self.stagger_start,
            logs=logs,
        )


def read_urls(texts: Sequence[str] | None) -> list[str]:
    """Addresses, with commas or as several options; ValueError for one that is none, or is there twice."""
    if not texts:
        return [URL]
    urls = [url.strip() for text in texts for url in text.split(",") if url.strip()]
    if not urls:
        raise ValueError(f'"{texts[0]}" is not an address such as {URL}.')
    places = [place(*address(url)) for url in urls]
    if len(set(places)) < len(places):
        raise ValueError("--base-urls names a game twice, and each plays one run at a time.")
    return urls


def check_games(urls: Sequence[str]) -> None:
    """ValueError with a sentence for a game that does not answer."""
    for url in urls:
        try:
            Client(url).health(timeout=ANSWER_WITHIN)
        except WireError as error:
            raise ValueError(str(error)) from None


def with_real_game(command: Callable[..., None]) -> Callable[..., None]:
    """Adds these options to a command, which gets them as one parameter, ``real``."""
    names = [field.name for field in fields(RealGame)]

    @functools.wraps(command)
    def wrapped(*args: Any, **given: Any) -> None:
        real = RealGame(**{name: given.pop(name) for name in names})
        command(*args, **given, real=real)

    own = inspect.signature(command, eval_str=True)
    kept = [parameter for name, parameter in own.parameters.items() if name != "real"]
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=default)
        for name, (kind, default) in OPTIONS.items()
    ]
    wrapped.__signature__ = own.replace(parameters=[*kept, *added])  # type: ignore[attr-defined]
    wrapped.bare = BARE  # type: ignore[attr-defined]
    wrapped.__annotations__ = {one.name: one.annotation for one in (*kept, *added)}
    return wrapped
