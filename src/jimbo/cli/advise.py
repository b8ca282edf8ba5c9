"""``jimbo advise``: what to do in one state of the game."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from jimbo.agents.registry import options_help
from jimbo.cli.agent_flags import advising_agent, failure_sentence
from jimbo.cli.errors import AGENT_FAILED, fail
from jimbo.cli.flags import AdvisingAgent, AgentOption, Effort, Model, TopK
from jimbo.console import make_console
from jimbo.engine import PublicState
from jimbo.files import read_bytes, reason
from jimbo.rollout import AgentFailed
from jimbo.serve.assistant import Adviser, advice_data
from jimbo.serve.terminal.advice import advice_text

MAX_BYTES = 1 << 22
"""More than any state has."""
REMEDY = "It takes one public state (public_v1), as PublicState.to_json writes it."
epilog = options_help


def advise(
    file: Annotated[str, typer.Argument(metavar="STATE.json", help="What the player sees (public_v1); - reads input.")],
    agent: AdvisingAgent = None,
    model: Model = None,
    topk: TopK = 3,
    effort: Effort = None,
    option: AgentOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the advice as JSON (advice_v1).")] = False,
) -> None:
    """Say what to do in one state of the game, read from a file.

    The state is what a player may know, as PublicState.to_json writes it and jimbo assist --json has it in "state".
    """
    try:
        player, _ = advising_agent(agent, model, option, effort)
        if player.clairvoyant:
            raise ValueError("This agent must see what is hidden, and a public state does not hold it. Choose another.")
        state = _read(file)
    except (ValueError, ImportError) as error:
        fail(str(error))
    try:
        advice = Adviser(player).advise(state)
    except AgentFailed as error:
        typer.echo(f"jimbo: {failure_sentence(error, player.name)}", err=True)
        raise typer.Exit(AGENT_FAILED) from None
    suggestions = advice.suggestions[:topk]
    if as_json:
        typer.echo(json.dumps(advice_data(advice, suggestions)))
    else:
        console = make_console()
        console.print(advice_text(advice, suggestions, console.width))


def _read(file: str) -> PublicState:
    """ValueError with a sentence and a remedy for anything else than a state."""
    name = "Standard input" if file == "-" else file
    try:
        text = (sys.stdin.buffer.read(MAX_BYTES) if file == "-" else read_bytes(Path(file), MAX_BYTES)).decode()
    except (OSError, UnicodeError) as error:
        raise ValueError(f"{name} cannot be read: {reason(error)}. {REMEDY}") from None
    if not text.strip():
        raise ValueError(f"{name} is empty. {REMEDY}")
    try:
        return PublicState.from_json(text)
    except ValueError as error:
        raise ValueError(f"{name} is not a state that can be played: {str(error).rstrip('.')}. {REMEDY}") from None
