"""``jimbo watch``: an agent plays a run, and says why."""

import contextlib
from pathlib import Path
from typing import Annotated, TextIO

import typer

from jimbo.cli import complete
from jimbo.cli.errors import fail
from jimbo.cli.watch_show import DELAY, Show
from jimbo.engine.seeds import checked_seed, deck_key, random_start, stake_key
from jimbo.eval.agent_options import checked_agent, read_options
from jimbo.eval.recording import AgentFailed, Header, ending, watched

AGENT_FAILED = 1


def watch(
    agent: Annotated[
        str, typer.Option(metavar="NAME", help="The agent, such as greedy.", autocompletion=complete.agents)
    ],
    seed: Annotated[str | None, typer.Option(help="1 to 8 characters of 0-9, A-Z; default: a random one.")] = None,
    deck: Annotated[
        str, typer.Option(help="Key of the deck, such as b_red or just red.", autocompletion=complete.decks)
    ] = "b_red",
    stake: Annotated[
        str,
        typer.Option(help="white, red, green, black, blue, purple, orange or gold.", autocompletion=complete.stakes),
    ] = "white",
    delay: Annotated[
        float | None, typer.Option(min=0.0, metavar="SECONDS", help=f"Pause after a decision; default {DELAY:g}.")
    ] = None,
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter after each decision.")] = False,
    until_ante: Annotated[int | None, typer.Option(min=2, metavar="N", help="Stop when this ante begins.")] = None,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep the run here, for jimbo replay.", dir_okay=False)
    ] = None,
    nonce: Annotated[int, typer.Option(min=0, metavar="N", help="Where the agent's own chance comes from.")] = 0,
    budget_ms: Annotated[
        float | None, typer.Option(min=0.0, help="The agent's option budget_ms: time for a decision.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="An option of the agent; repeatable.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the run as JSON lines and nothing else.")] = False,
) -> None:
    """Watch an agent play a run, with what it considered and why it chose.

    Without a terminal it is plain text without pauses. Ctrl-C leaves at any time.
    """
    try:
        options = read_options(option or [])
        if budget_ms is not None:
            options["budget_ms"] = budget_ms
        player = checked_agent(agent, options)
        header = Header(
            seed=checked_seed(seed) if seed else random_start(),
            deck=deck_key(deck),
            stake=stake_key(stake),
            agent=agent,
            options=options,
            nonce=nonce,
        )
    except ValueError as error:
        fail(str(error))
    with _opened(record) as file:
        show = Show(as_json=as_json, delay=delay, step=step, file=file)
        show.begin(header)
        run, steps, failure = header.start(), 0, None
        try:
            for moment in watched(player, run, nonce, until_ante):
                steps = moment.step
                show.moment(moment)
        except (KeyboardInterrupt, EOFError):
            pass
        except AgentFailed as error:
            failure = str(error)
        show.finish(ending(run, steps))
    if failure:
        typer.echo(f"jimbo: {failure}", err=True)
        raise typer.Exit(AGENT_FAILED)


def _opened(path: Path | None) -> contextlib.AbstractContextManager[TextIO | None]:
    """A new file for the record; none that is there is overwritten."""
    if path is None:
        return contextlib.nullcontext()
    try:
        return path.open("x", encoding="utf-8")
    except FileExistsError:
        fail(f"{path} exists already and is left alone. Choose another name.")
    except OSError as error:
        fail(f"{path} cannot be written: {error.strerror or error}.")
