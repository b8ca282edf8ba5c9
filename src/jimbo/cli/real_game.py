"""The options of the real game: where it runs, or how it is started. Several commands have them all."""

from __future__ import annotations

import functools
import inspect
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import Field, dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from jimbo.cli.errors import fail
from jimbo.cli.flags import REAL
from jimbo.cli.settings_flags import describe, keyword
from jimbo.declared import declared
from jimbo.files import add_line, reason
from jimbo.rollout.instances import Elsewhere, GameServer
from jimbo.system import state_folder
from jimbo.text import counted
from jimbo.wire.client import URL, Client, Sent
from jimbo.wire.errors import WireError
from jimbo.wire.launching import Launch, LaunchFailed, launched
from jimbo.wire.transport import address, game_at

ANSWER_WITHIN = 5.0
"""Seconds for the first answer of a game that runs already."""
_PANEL = "Real game"
LOG = Path("jimbo-actions.jsonl")
"""Where actions that are sent are written down, if nobody says otherwise."""

BaseUrl = Annotated[
    str | None,
    typer.Option(
        "--base-url",
        metavar="URL",
        help=f"With --backend real: address of the running game; default: {URL}.",
        rich_help_panel=_PANEL,
    ),
]
BARE = {"--launch-instances": "0"}
"""Options that can stand alone."""
_METAVARS = {
    "base_urls": "URL",
    "launch_instances": "[N]",
    "uvx_path": "FILE",
    "balatrobot_cmd": "TEXT",
    "love_path": "FILE",
    "lovely_path": "FILE",
    "base_host": "HOST",
    "base_port": "PORT",
    "stagger_start": "SECONDS",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RealGame(Launch):
    """Where the real game runs, or how it is started; each option of a command is a field."""

    base_urls: list[str] | None = declared(None, f"addresses of running games, separated by commas; default: {URL}")
    launch_instances: int | None = declared(
        None,
        "start N games here, and stop them at the end; without N one for each of --base-urls",
        min=0,
        max=64,
    )

    @contextmanager
    def places(self, backend: str) -> Iterator[Sequence[GameServer] | None]:
        """Where to play; None for the simulator. ValueError with a sentence if no game can be reached or started."""
        self._check(backend)
        if backend != REAL:
            yield None
        elif self.launches:
            urls = read_urls(self.base_urls) if self.base_urls else ()
            try:
                with launched(replace(self, logs=state_folder() / "games"), self.count, urls) as instances:
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
        """The options as words, for a command that people can copy."""
        if not self.launches:
            return ["--base-urls", ",".join(read_urls(self.base_urls))]
        given = [(entry.name, getattr(self, entry.name), entry.default) for entry in options()]
        differing = {name: value for name, value, default in given if value != default and name != "base_urls"}
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


def options() -> list[Field[Any]]:
    """The fields that are options of commands, in the order of their help."""
    entries = fields(RealGame)
    own = [entry for entry in entries if entry.name in ("base_urls", "launch_instances")]
    return [*own, *(entry for entry in entries if entry.metadata and entry not in own)]


def read_urls(texts: Sequence[str] | None) -> list[str]:
    """Addresses, with commas or as several options; ValueError for one that is none, or is there twice."""
    if not texts:
        return [URL]
    urls = [url.strip() for text in texts for url in text.split(",") if url.strip()]
    if not urls:
        raise ValueError(f'"{texts[0]}" is not an address such as {URL}.')
    places = [game_at(*address(url)) for url in urls]
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
    """Add these options to a command, which gets them as one parameter, ``real``."""
    names = [entry.name for entry in options()]

    @functools.wraps(command)
    def wrapped(*args: Any, **given: Any) -> None:
        real = RealGame(**{name: given.pop(name) for name in names})
        command(*args, **given, real=real)

    own = inspect.signature(command, eval_str=True).parameters
    hints = get_type_hints(RealGame)
    added = {entry.name: keyword(entry.name, _option(entry, hints[entry.name]), entry.default) for entry in options()}
    describe(wrapped, {name: parameter for name, parameter in own.items() if name != "real"} | added)
    wrapped.bare = BARE  # type: ignore[attr-defined]
    return wrapped


def _option(entry: Field[Any], hint: Any) -> Any:
    limits = entry.metadata["limits"]
    flags = ("--base-urls", "--base-url") if entry.name == "base_urls" else ()
    option = typer.Option(
        *flags,
        metavar=_METAVARS.get(entry.name),
        help=f"{limits.help[:1].upper()}{limits.help[1:]}.",
        min=limits.min,
        max=limits.max,
        rich_help_panel=_PANEL,
    )
    return Annotated[hint, option]


@contextmanager
def action_log(path: Path, url: str) -> Iterator[Sent]:
    """Write every action down before it is sent; nothing is sent that cannot be written."""
    try:
        file = path.open("ab", buffering=0)
    except OSError as error:
        fail(f"{path} cannot be written: {reason(error)}. Choose another with --log.")

    def sent(method: str, params: Mapping[str, Any]) -> None:
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        try:
            add_line(file, json.dumps({"time": now, "url": url, "method": method, "params": dict(params)}))
        except OSError as error:
            fail(f"{path} cannot be written, so nothing more is sent: {reason(error)}.")

    with file:
        yield sent
