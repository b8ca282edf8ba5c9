"""The options that say which run to play, the same in all commands."""

from pathlib import Path
from typing import Annotated

import typer

from jimbo.cli import complete

MOST_GAMES = 1_000_000
"""In one command: their seeds are listed first, which takes a while."""
MOST_WORKERS = 1024
MOST_SECONDS = 1_000_000
"""Eleven days. Clocks and locks do not take much larger numbers."""
LARGEST_SEED = 2**63 - 1

STAKE = typer.Option(help="white, red, green, black, blue, purple, orange or gold.", autocompletion=complete.stakes)

AGENT = typer.Option(
    metavar="NAME",
    help="The agent, such as greedy, or package.module:Class; jimbo agents lists them.",
    autocompletion=complete.agents,
)
AgentName = Annotated[str, AGENT]
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
    typer.Option(
        metavar="FILE", help="A network to play: an .onnx file, or the folder of a training (its best epoch)."
    ),
]
TopK = Annotated[int, typer.Option("--topk", min=1, max=9, metavar="N", help="How many suggestions are shown.")]
Seed = Annotated[str | None, typer.Option(help="The seed, such as 7LB2WVPK; default: a random one.")]
Deck = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="The deck, such as red, or its key b_red; default: red.", autocompletion=complete.decks
    ),
]
SeedCount = Annotated[
    int | None,
    typer.Option(
        "--seeds", "--episodes", min=1, max=MOST_GAMES, metavar="N", help="The first N seeds of the set; default: all."
    ),
]
SeedSetName = Annotated[
    str | None,
    typer.Option(
        "--seed-set",
        metavar="NAME",
        help="dev-100, dev-1000 or fresh; default: the smallest that has N seeds.",
        autocompletion=complete.seed_sets,
    ),
]
Workers = Annotated[int | None, typer.Option(min=1, max=MOST_WORKERS, help="Processes; default: all cores.")]
Timeout = Annotated[
    float | None,
    typer.Option(
        min=0.1,
        max=MOST_SECONDS,
        metavar="SECONDS",
        help="Give up a game that takes longer; with --backend real, an answer of the game that does (default 30).",
    ),
]
AgentNumber = Annotated[
    int, typer.Option(min=0, max=LARGEST_SEED, metavar="N", help="Seed of the agents' own random choices.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Stake = Annotated[str, STAKE]
Challenge = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="A challenge in place of a deck, such as omelette, or its key c_omelette_1.",
        autocompletion=complete.challenges,
    ),
]
