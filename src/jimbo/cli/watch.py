"""``jimbo watch``: an agent plays a run, and says why."""

from pathlib import Path
from typing import Annotated

import typer

from jimbo.agents import Agent
from jimbo.agents.registry import options_help
from jimbo.backends import SimBackend
from jimbo.cli.agent_flags import agent_from_flags, failure_sentence
from jimbo.cli.errors import AGENT_FAILED, fail
from jimbo.cli.flags import AgentName, AgentOption, Challenge, Deck, Effort, Seed, Stake
from jimbo.cli.recording import Reached, opened_record
from jimbo.data import Header, RecordFile, RecordStopped
from jimbo.declared import LARGEST
from jimbo.rollout import AgentFailed, Observer, Recorder, Rollout
from jimbo.seeds import deck_and_challenge, random_start, stake_key, typed_seed
from jimbo.serve.terminal.show import DELAY, Show
from jimbo.signals import one_interrupt

epilog = options_help


def watch(
    agent: AgentName,
    seed: Seed = None,
    deck: Deck = None,
    stake: Stake = "white",
    challenge: Challenge = None,
    delay: Annotated[
        float | None, typer.Option(metavar="SECONDS", help=f"Pause after a decision; default {DELAY:g}.")
    ] = None,
    on_enter: Annotated[bool, typer.Option("--step", help="Wait for Enter after each decision.")] = False,
    until_ante: Annotated[int | None, typer.Option(min=2, metavar="N", help="Stop when this ante begins.")] = None,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Record the run in this file, for jimbo replay.", dir_okay=False)
    ] = None,
    nonce: Annotated[
        int, typer.Option(min=0, max=LARGEST, metavar="N", help="Seed of the agent's own random choices.")
    ] = 0,
    effort: Effort = None,
    option: AgentOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the run as JSON lines and nothing else.")] = False,
) -> None:
    """Watch an agent play a run, with what it considered and why it chose as it did.

    Without a terminal the output is plain text without pauses. Ctrl-C leaves at any time.
    """
    try:
        show = Show(as_json=as_json, delay=delay, on_enter=on_enter)
        player, options = agent_from_flags(agent, option, effort)
        deck_played, challenge_played = deck_and_challenge(deck, challenge)
        header = Header(
            seed=random_start() if seed is None else typed_seed(seed),
            deck=deck_played,
            stake=stake_key(stake),
            challenge=challenge_played,
            agent=agent,
            options=options,
            nonce=nonce,
        )
    except (ValueError, ImportError) as error:
        fail(str(error))
    with opened_record(record, header) as file, one_interrupt():
        try:
            failure = _play(player, header, until_ante, show, file)
        except RecordStopped as stopped:
            fail(f"{record} cannot be written: {stopped}. It holds the run so far.")
    if failure:
        typer.echo(f"jimbo: {failure}", err=True)
        raise typer.Exit(AGENT_FAILED)


def _play(player: Agent, header: Header, until_ante: int | None, show: Show, file: RecordFile | None) -> str | None:
    """Shows and records a run; returns why the agent failed, if it did. Whatever stops it, the record gets its end."""
    backend = SimBackend(reveal=player.clairvoyant)
    reached = Reached(backend, Recorder(file) if file else Observer())
    rollout = Rollout(backend, [reached])
    failure = None
    rollout.start_as(header)
    try:
        show.begin(header)
        for moment in rollout.play(player, header.nonce, until_ante=until_ante):
            show.moment(moment)
    except (KeyboardInterrupt, EOFError):
        pass
    except AgentFailed as error:
        failure = failure_sentence(error, header.agent)
    finally:
        if file:
            file.end(reached.ending())
    show.finish(reached.ending())
    return failure
