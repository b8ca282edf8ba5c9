"""``jimbo mcp``: the game as tools for language models."""

import json
import logging
import os
import secrets
import sys
from contextlib import closing, suppress
from pathlib import Path
from typing import Annotated

import typer

from jimbo.agents import make_agent
from jimbo.agents.registry import options_help
from jimbo.cli.agent_flags import advising_agent, judge_from_flags
from jimbo.cli.commands import explicit_flags
from jimbo.cli.errors import fail, report_errors
from jimbo.cli.flags import REAL, AdvisingAgent, AgentOption, Backend, Effort, Model, Telemetry, check_backend
from jimbo.cli.real_game import BaseUrl
from jimbo.signals import one_interrupt
from jimbo.wire.client import URL

epilog = options_help
TOKEN = "JIMBO_MCP_TOKEN"
FEWEST_SIGNS = 16
PORT = 8766


def mcp(
    context: typer.Context,
    agent: AdvisingAgent = None,
    model: Model = None,
    backend: Backend = "sim",
    seeds: Annotated[
        bool, typer.Option("--seeds", help="Also offer tools that tell what seeds hold, which spoils runs.")
    ] = False,
    http: Annotated[
        bool, typer.Option("--http", help="Serve over HTTP on this machine, in place of standard input and output.")
    ] = False,
    port: Annotated[int, typer.Option(min=0, max=65_535, help="With --http: the port. 0: any free port.")] = PORT,
    runs: Annotated[int, typer.Option(min=1, max=10_000, help="Runs that are held at a time.")] = 32,
    idle_minutes: Annotated[
        float, typer.Option(min=0.01, max=100_000, help="Minutes without a call after which a run is dropped.")
    ] = 120,
    record: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Record each run in a file there until it is won or lost, for jimbo replay."),
    ] = None,
    effort: Effort = None,
    option: AgentOption = None,
    telemetry: Telemetry = None,
    as_json: Annotated[bool, typer.Option("--json", help="With --http: print address and token as JSON.")] = False,
    base_url: BaseUrl = None,
    arm: Annotated[
        bool, typer.Option("--arm", help="With --backend real: allow act to play.", rich_help_panel="Real game")
    ] = False,
) -> None:
    """Serve Balatro to language models, by the Model Context Protocol.

    They play runs of the simulator, or look at the game that is open (--backend real), with advice, exact scores and
    what-if. A program such as Claude Desktop starts this command and talks to it; docs/mcp.md shows how.
    """
    flags = explicit_flags(context)
    for name in ("port", "as_json"):
        if name in flags and not http:
            fail(f"{flags[name]} is about HTTP: add --http.")
    for name in ("base_url", "arm"):
        if name in flags and backend != REAL:
            fail(f"{flags[name]} is about the real game: add --backend real.")
    if record and backend == REAL:
        fail("--record keeps runs of the simulator; leave it out, or --backend real.")
    with report_errors():
        check_backend(backend)
        from jimbo.serve.mcp import RunLimits, Runs, make_server  # only where it is asked for
        from jimbo.serve.mcp.records import keeping
        from jimbo.serve.mcp.reviewing import Reviewer
        from jimbo.serve.mcp.runs import joining, simulated

        player, options = advising_agent(agent, model, option, effort)
        if player.clairvoyant:
            fail(f"The agent {player.name} must be shown what is hidden, and nobody is shown that here. Choose another")
        held = Runs(
            joining(URL if base_url is None else base_url) if backend == REAL else simulated,
            lambda: make_agent(player.name, **options),
            RunLimits(runs=runs, idle_minutes=idle_minutes),
            armed=arm or backend != REAL,
            joins=backend == REAL,
            keep=keeping(record) if record else None,
        )
        reviewer = Reviewer(judge_from_flags(agent, model, option, effort), record)
        server = make_server(held, seeds=seeds, reviewer=reviewer)
        with closing(held), one_interrupt(), suppress(KeyboardInterrupt):
            if http:
                _serve_http(server, port, as_json)
            else:
                if sys.stdin.isatty():
                    typer.echo(
                        "jimbo: A program talks to this command; docs/mcp.md shows how. Ctrl-C ends it.", err=True
                    )
                # A task that is cut off while it reads or writes is reported by asyncio as it ends; a client sees that
                # as a failure, and it is none.
                logging.getLogger("asyncio").setLevel(logging.CRITICAL)
                server.run("stdio")


def _serve_http(server: object, port: int, as_json: bool) -> None:
    from mcp.server.mcpserver import MCPServer

    from jimbo.serve.mcp.http import HOST, PATH, listening, serve

    assert isinstance(server, MCPServer)
    token, known = _token()
    with listening(port) as link:
        url = f"http://{HOST}:{link.getsockname()[1]}{PATH}"
        if as_json:
            typer.echo(json.dumps({"url": url, "token": None if known else token}))
        else:
            shown = f"the token of {TOKEN}" if known else token
            typer.echo(f"Jimbo waits at {url}\nAuthorization: Bearer {shown}")
        serve(server, link, token)


def _token() -> tuple[str, bool]:
    """The token that callers must know, and whether they know it already from the environment."""
    given = os.environ.get(TOKEN, "")
    if not given:
        return secrets.token_urlsafe(32), False
    if len(given) < FEWEST_SIGNS or not given.isascii() or not given.isprintable() or " " in given:
        fail(f"{TOKEN} must have {FEWEST_SIGNS} letters, digits or signs at least, and no blanks.")
    return given, True
