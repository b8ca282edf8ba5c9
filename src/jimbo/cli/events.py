"""``jimbo events``: the aggregator of events, and its other side: watch it, test it, send it the events of a game."""

import json
import os
import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from jimbo.cli.commands import Verbs
from jimbo.cli.errors import INTERRUPTED, fail
from jimbo.cli.flags import AsJson, setting
from jimbo.colours import GREEN, QUIET, RED
from jimbo.console import make_console, make_progress
from jimbo.files import reason
from jimbo.serve.events.server import ServerSettings, farewell, greeting, run_server, settings_from
from jimbo.signals import one_interrupt
from jimbo.telemetry.program import TOKEN, HandingOn
from jimbo.telemetry.source import DEFAULT_URL

app = Verbs(help="Collect events of games and trainings, and watch them.", no_args_is_help=True)
_UNREACHABLE = 1
Url = Annotated[str, typer.Argument(metavar="[URL]", help="The aggregator.")]


@app.callback()
def events() -> None:
    """Collect events of games and trainings, and watch them.

    Commands with --telemetry URL send events; so can other programs, by WebSocket or HTTP.
    """


@app.command()
def serve(
    host: Annotated[str | None, setting(ServerSettings, "host", metavar="HOST")] = None,
    port: Annotated[int | None, setting(ServerSettings, "port", metavar="N")] = None,
    batch_window_ms: Annotated[float | None, setting(ServerSettings, "batch_window_ms", metavar="MS")] = None,
    max_batch_size: Annotated[int | None, setting(ServerSettings, "max_batch_size", metavar="N")] = None,
    max_queue_size: Annotated[int | None, setting(ServerSettings, "max_queue_size", metavar="N")] = None,
    per_minute: Annotated[int | None, setting(ServerSettings, "per_minute", metavar="N")] = None,
    keep: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Add every event to this file, as JSON lines.", dir_okay=False)
    ] = None,
    telemetry: Annotated[
        list[str] | None,
        typer.Option(metavar="URL|FILE", help="Make rows of the events, there (docs/telemetry.md); repeatable."),
    ] = None,
    log_level: Annotated[str | None, setting(ServerSettings, "log_level", metavar="LEVEL")] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the address, and at the end the health, as JSON.")
    ] = False,
) -> None:
    """Take events by WebSocket and HTTP, and hand them on in batches to whoever watches.

    Environment variables such as MCP_PORT and MCP_MAX_QUEUE_SIZE set options, too. Only this machine can reach it
    unless --host says otherwise; then callers must show a token: that of JIMBO_EVENTS_TOKEN, or a new one.
    """
    given = {
        "host": host,
        "port": port,
        "batch_window_ms": batch_window_ms,
        "max_batch_size": max_batch_size,
        "max_queue_size": max_queue_size,
        "per_minute": per_minute,
        "log_level": log_level and log_level.lower(),
    }

    def started(address: str, token: str) -> None:
        if as_json:
            told = {"url": f"ws://{address}/events", "http": f"http://{address}", "token": token or None}
            typer.echo(json.dumps(told))
        else:
            typer.echo("\n".join([*greeting(address, token), "Watch them: jimbo events watch. Ctrl-C ends it."]))

    try:
        settings = settings_from({name: value for name, value in given.items() if value is not None})
        handing_on = HandingOn(telemetry, "jimbo events serve") if telemetry else None
        try:
            with one_interrupt():
                health = run_server(settings, keep=keep, hand_on=handing_on, started=started)
        finally:
            if handing_on and (lost := handing_on.end()):
                typer.echo(f"jimbo: {lost}", err=True)
    except (ValueError, ImportError) as error:
        fail(str(error))
    except OSError as error:
        fail(f"{error.filename or keep}: {reason(error)}")
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    typer.echo(json.dumps(health) if as_json else f"{farewell(health)}.")


@app.command()
def watch(
    url: Url = DEFAULT_URL,
    types: Annotated[
        list[str] | None,
        typer.Option("--type", metavar="NAME", help="Only this type, or all that begin so: training.*; repeatable."),
    ] = None,
    game: Annotated[list[str] | None, typer.Option("--game", metavar="ID", help="Only this run; repeatable.")] = None,
    recent: Annotated[int, typer.Option(min=0, max=1000, metavar="N", help="Begin with the last N events.")] = 0,
    everything: Annotated[
        bool, typer.Option("--all", help="Also every decision and every joker that is triggered.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the messages as they are, one on a line.")] = False,
) -> None:
    """Show events as they come, until Ctrl-C."""
    from jimbo.serve.events.client import NoAggregator, stream
    from jimbo.serve.events.words import NOISY, event_words

    console = make_console()
    try:
        with one_interrupt():
            for event in stream(url, _token(), types=types or (), games=game or (), recent=recent):
                if as_json:
                    console.file.write(f"{json.dumps(event, ensure_ascii=False)}\n")
                    console.file.flush()
                elif everything or types or event["type"] not in NOISY:
                    console.print(_line(event, event_words(event)), soft_wrap=True)
    except (ValueError, ImportError) as error:
        fail(str(error))
    except NoAggregator as error:
        fail(str(error), _UNREACHABLE)
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None


def _line(event: dict[str, Any], words: str) -> Text:
    """A line on the screen: when, of which run, what."""
    at = time.strftime("%H:%M:%S", time.localtime(event.get("timestamp", time.time())))
    who = str(event.get("game_id") or event.get("source") or "")
    colour = {"game_start": "bold", "game_over": "bold", "blind_defeated": GREEN, "error": RED, "gap": RED}
    safe = "".join(sign if sign.isprintable() else " " for sign in words)
    name = "".join(sign if sign.isprintable() else " " for sign in who)
    return Text.assemble((f"{at} ", QUIET), (f"{name:<16.24} ", QUIET), (safe, colour.get(event["type"], "")))


@app.command("test")
def check(url: Url = DEFAULT_URL, as_json: AsJson = False) -> None:
    """Test whether an aggregator answers, by WebSocket and by HTTP."""
    from jimbo.serve.events.client import NoAggregator, check_connection

    try:
        found = check_connection(url, _token())
    except (ValueError, ImportError) as error:
        fail(str(error))
    except NoAggregator as error:
        fail(str(error), _UNREACHABLE)
    if as_json:
        typer.echo(json.dumps(found))
    else:
        typer.echo(f"{url} answers within {found['round_trip_ms']:g} ms; it is {found['status']}.")
        typer.echo(f"{farewell(found)} in {found['uptime']:,.0f} seconds.")


@app.command()
def mock(
    url: Url = DEFAULT_URL,
    rate: Annotated[float, typer.Option(min=0.01, max=100_000, metavar="N", help="Events in a second.")] = 5.0,
    duration: Annotated[
        float, typer.Option(min=0, max=1_000_000, metavar="SECONDS", help="For how long; 0: until Ctrl-C.")
    ] = 10.0,
    as_json: AsJson = False,
) -> None:
    """Send the events of simulated games, at a steady rate, to try an aggregator.

    An aggregator takes 600 events a minute of each client unless it was started with another --per-minute.
    """
    from jimbo.serve.events.client import NoAggregator, send_mock_events

    try:
        with one_interrupt(), make_progress(make_console(stderr=True), "{task.completed:,.0f} events") as progress:
            task = progress.add_task("", total=rate * duration or None)
            sent = send_mock_events(
                url, rate, duration, _token(), progress=lambda done: progress.update(task, completed=done)
            )
    except (ValueError, ImportError) as error:
        fail(str(error))
    except NoAggregator as error:
        fail(str(error), _UNREACHABLE)
    for complaint in sent.complaints:
        typer.echo(complaint, err=True)
    if as_json:
        told = {"sent": sent.sent, "seconds": sent.seconds, "dropped": sent.dropped, "refused": sent.refused}
        typer.echo(json.dumps(told))
    else:
        became = f"{sent.dropped:,} dropped, {sent.refused:,} refused"
        typer.echo(f"{sent.sent:,} events sent in {sent.seconds:.1f} seconds, {became}.")


def _token() -> str:
    return os.environ.get(TOKEN, "")
