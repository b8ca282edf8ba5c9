"""``jimbo web``: the page in a browser."""

import json
import webbrowser
from contextlib import nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from jimbo.agents import make_agent
from jimbo.backends.real import RealBackend
from jimbo.cli.agent_flags import advising_agent
from jimbo.cli.commands import explicit_flags
from jimbo.cli.errors import fail
from jimbo.cli.flags import REAL, AdvisingAgent, AgentOption, Backend, Effort, Model, check_backend
from jimbo.cli.real_game import LOG, BaseUrl, action_log
from jimbo.cli.registry import Folder
from jimbo.files import reason
from jimbo.serve.callers import is_loopback
from jimbo.wire.client import URL, Client, Sent
from jimbo.wire.errors import WireError
from jimbo.wire.transport import url_of

PORT = 8340
_REAL_GAME = "Real game"
_OF_THE_REAL_GAME = ("base_url", "arm", "log")


def web(
    context: typer.Context,
    port: Annotated[int, typer.Option(min=0, max=65_535, help="Port to listen on; 0: any free one.")] = PORT,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the page in your browser.")] = False,
    host: Annotated[
        str, typer.Option(help="Address to listen on. One that other machines can reach gets a token of its own.")
    ] = "127.0.0.1",
    runs: Annotated[
        Path, typer.Option("--runs", metavar="DIR", help="The folder below which trainings are looked for.")
    ] = Path(),
    games: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where runs that you play are kept; default: a folder of yours.")
    ] = None,
    registry: Folder = None,
    agent: AdvisingAgent = None,
    model: Model = None,
    effort: Effort = None,
    option: AgentOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the address as JSON.")] = False,
    backend: Backend = "sim",
    base_url: BaseUrl = None,
    arm: Annotated[
        bool,
        typer.Option("--arm", help="With --backend real: allow the page to play.", rich_help_panel=_REAL_GAME),
    ] = False,
    log: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help=f"Where each action that is sent is written down; default {LOG}.",
            rich_help_panel=_REAL_GAME,
        ),
    ] = None,
) -> None:
    """Open the page: play with an adviser at your side, watch trainings, look at this machine.

    It is served to this machine alone, and loads nothing from anywhere else. With --backend real it shows the game that
    is open there, and plays only with --arm. Stop it with Ctrl-C; runs are kept.
    """
    flags = explicit_flags(context)
    if backend != REAL and (wrong := [flags[name] for name in _OF_THE_REAL_GAME if name in flags]):
        fail(f"{wrong[0]} is about the real game: add --backend real.")
    if log and not arm:
        fail("--log is about actions that are sent: add --arm, or leave it out.")
    try:
        check_backend(backend)
        from jimbo.cli.agent_flags import judge_from_flags
        from jimbo.serve.review.judging import EFFORT
        from jimbo.serve.web.app import listen, serve  # only where the extra is there
        from jimbo.serve.web.guard import new_token
        from jimbo.serve.web.state import WebSettings

        player, options = advising_agent(agent, model, option, effort)
        if player.clairvoyant:
            raise ValueError(f"The agent {player.name} must see what is hidden. Choose another.")
        judge = judge_from_flags(agent, model, option, EFFORT if effort is None else effort)
    except (ValueError, ImportError) as error:
        fail(str(error))
    try:
        listener = listen(host, port)
    except OSError as error:
        fail(f"{host}, port {port}, cannot be used: {reason(error)}. Choose another with --port, or 0 for any")
    url = base_url or URL
    with listener, action_log(log or LOG, url) if arm else nullcontext() as sent:
        token = None if is_loopback(host) else new_token()
        address = f"{url_of(host, listener.getsockname()[1])}/" + (f"?token={token}" if token else "")
        settings = WebSettings(
            new_agent=partial(make_agent, player.name, **options),
            judge=judge,
            host=host,
            token=token,
            runs=runs,
            registry=registry,
            real=_joined(url, sent) if backend == REAL else None,
            armed=arm,
            **({"games": games} if games else {}),
        )
        typer.echo(json.dumps({"url": address}) if as_json else f"The page waits at {address}")
        if open_browser:
            with suppress(webbrowser.Error):
                webbrowser.open(address)
        with suppress(KeyboardInterrupt):
            serve(settings, listener)


def _joined(url: str, sent: Sent | None) -> RealBackend:
    """Join the run that is open in the game."""
    try:
        backend = RealBackend(Client(url, sent=sent))
        backend.join()
    except (ValueError, WireError) as error:
        fail(str(error))
    return backend
