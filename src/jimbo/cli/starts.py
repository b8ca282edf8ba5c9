"""The options that say which run to play, the same in all commands."""

from pathlib import Path
from typing import Annotated

import typer

from jimbo.cli import complete

STAKE = typer.Option(help="white, red, green, black, blue, purple, orange or gold.", autocompletion=complete.stakes)

AgentName = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="The agent, such as greedy, or package.module:Class; jimbo agents lists them.",
        autocompletion=complete.agents,
    ),
]
AdvisingAgent = Annotated[
    str | None,
    typer.Option(
        "--agent",
        metavar="NAME",
        help="The agent that suggests; default: expert. jimbo agents lists them.",
        autocompletion=complete.agents,
    ),
]
AgentOption = Annotated[
    list[str] | None, typer.Option("--option", metavar="KEY=VALUE", help="An option of the agent; repeatable.")
]
Effort = Annotated[
    float | None,
    typer.Option(metavar="FACTOR", help="The agent's option effort: how much work goes into a decision; default 1."),
]
Model = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="A trained network: the agent network with the option model=FILE."),
]
TopK = Annotated[int, typer.Option("--topk", min=1, max=9, metavar="N", help="How many suggestions are shown.")]
Seed = Annotated[str | None, typer.Option(help="1 to 8 characters of 0-9, A-Z; default: a random one.")]
Deck = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="The deck, such as red, or its key b_red; default: red.", autocompletion=complete.decks
    ),
]
Stake = Annotated[str, STAKE]
Challenge = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="A challenge in place of a deck, such as omelette, or its key c_omelette_1.",
        autocompletion=complete.challenges,
    ),
]
