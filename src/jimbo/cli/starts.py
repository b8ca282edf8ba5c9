"""The options that say which run to play, the same in all commands."""

from pathlib import Path
from typing import Annotated

import typer

from jimbo.cli import complete

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
    typer.Option(metavar="FILE", help="A network: best.onnx, or the folder of a training. The agent network plays it."),
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
    typer.Option("--seeds", "--episodes", min=1, metavar="N", help="The first N seeds of the set; default: all."),
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
Workers = Annotated[int | None, typer.Option(min=1, help="Processes; default: all cores.")]
AgentNumber = Annotated[int, typer.Option(min=0, metavar="N", help="Seed of the agents' own random choices.")]
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
