"""``jimbo serve``: the simulator for programs that talk to the game."""

import asyncio
import ipaddress
import json
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from jimbo.cli.errors import fail
from jimbo.signals import one_interrupt
from jimbo.wire.methods import DEFAULT_PORT

app = typer.Typer(help="Serve the simulator to programs that talk to the game.", no_args_is_help=True)
MOST_INSTANCES = 256


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
        bool, typer.Option("--open", help="Allow an address that other machines can reach. Nobody is asked who he is.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the addresses as one line of JSON.")] = False,
) -> None:
    """Play the simulator behind the JSON-RPC of the balatrobot mod.

    Whoever plays the real game through the mod can play this instead: the same states, methods and errors. Stop it with
    Ctrl-C.
    """
    from jimbo.serve.balatrobot import Servers  # only where it is asked for

    if not open_to_others and not _is_loopback(host):
        fail(f"{host} can be reached from other machines, and the mod's language has no passwords. Add --open to do so")
    servers = Servers(host, port, instances, folder)

    def ready(ports: list[int]) -> None:
        urls = [f"http://{f'[{host}]' if ':' in host else host}:{port}" for port in ports]
        typer.echo(json.dumps({"urls": urls}) if as_json else "\n".join(f"A game waits at {url}" for url in urls))

    try:
        with one_interrupt(), suppress(KeyboardInterrupt):
            asyncio.run(servers.serve(ready))
    except OSError as error:
        fail(str(error))


def _is_loopback(host: str) -> bool:
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"
