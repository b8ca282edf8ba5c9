"""``jimbo serve``: the simulator for programs that talk to the game."""

import json
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from jimbo.cli.commands import Verbs
from jimbo.cli.errors import fail
from jimbo.cli.flags import Telemetry
from jimbo.signals import one_interrupt
from jimbo.wire.methods import DEFAULT_PORT
from jimbo.wire.transport import url_of

app = Verbs(help="Serve the simulator to programs that talk to the game.", no_args_is_help=True)
MOST_INSTANCES = 256
_LAUNCHING = "Options of the mod's own launcher (they change nothing here)"


@app.callback()
def serve() -> None:
    """Serve the simulator to programs that talk to the game."""


@app.command()
def balatrobot(
    port: Annotated[
        int, typer.Option(min=0, max=65_535, help="Port of the first game; the next ones follow. 0: any free ports.")
    ] = DEFAULT_PORT,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    instances: Annotated[int, typer.Option(min=1, max=MOST_INSTANCES, help="Games, each on a port of its own.")] = 1,
    folder: Annotated[
        Path, typer.Option(metavar="DIR", help="The only folder in which save, load and screenshot may use files.")
    ] = Path("balatrobot"),
    open_to_others: Annotated[
        bool, typer.Option("--open", help="Allow an address that other machines can reach. There is no authentication.")
    ] = False,
    measure: Annotated[
        bool, typer.Option("--measure", help="Measure what the wire adds to a call on this machine, and end.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the addresses, or what was measured, as JSON.")
    ] = False,
    telemetry: Telemetry = None,
    headless: Annotated[
        bool, typer.Option("--headless", help="There is no window.", rich_help_panel=_LAUNCHING)
    ] = False,
    fast: Annotated[bool, typer.Option("--fast", help="It is always fast.", rich_help_panel=_LAUNCHING)] = False,
    love_path: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The game is not needed.", rich_help_panel=_LAUNCHING)
    ] = None,
    lovely_path: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The mod is not needed.", rich_help_panel=_LAUNCHING)
    ] = None,
) -> None:
    """Play the simulator behind the JSON-RPC of the balatrobot mod.

    Whoever plays the real game through the mod can play this instead: the same states, methods and errors. Stop it with
    Ctrl-C.
    """
    from jimbo.serve.balatrobot import Servers  # only where it is asked for
    from jimbo.serve.callers import is_loopback

    if measure:
        _measure(as_json)
        return
    if not open_to_others and not is_loopback(host):
        fail(f"{host} can be reached from other machines, and the mod's language has no passwords. Add --open to do so")
    try:
        servers = Servers(host, port, instances, folder)
    except OSError as error:
        fail(str(error))
    urls = [url_of(host, port) for port in servers.ports]
    typer.echo(json.dumps({"urls": urls}) if as_json else "\n".join(f"A game waits at {url}" for url in urls))
    with one_interrupt(), suppress(KeyboardInterrupt):
        servers.serve()


def _measure(as_json: bool) -> None:
    from jimbo.serve.balatrobot.speed import measure

    found = measure()
    if as_json:
        typer.echo(json.dumps(asdict(found)))
        return
    typer.echo(
        f"The wire adds {found.overhead_ms:.3f} ms to a call, the median of {found.calls:,} calls of whole games:"
    )
    typer.echo(f"{found.over_the_wire_ms:.3f} ms over the wire, {found.without_ms:.3f} ms without it.")
    if found.processor_ms is not None:
        typer.echo(f"Of processor time, at both ends together, it is {found.processor_ms:.3f} ms on average.")
    typer.echo(f"A call that does nothing takes {found.health_ms:.3f} ms. The load of the machine was {found.load}.")
