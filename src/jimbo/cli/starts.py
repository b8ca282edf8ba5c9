"""Which run the options of a command ask for, and the options themselves, which many commands have."""

from typing import Annotated

import typer

from jimbo.cli import complete
from jimbo.engine.seeds import challenge_key, deck_key
from jimbo.eval.rows import CHALLENGE_DECK

DECK = "b_red"
STAKE = typer.Option(help="white, red, green, black, blue, purple, orange or gold.", autocompletion=complete.stakes)

AgentName = Annotated[
    str, typer.Option(metavar="NAME", help="The agent, such as greedy.", autocompletion=complete.agents)
]
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


def deck_and_challenge(deck: str | None, challenge: str | None) -> tuple[str, str | None]:
    """Their keys; ValueError for what does not exist, and for a deck beside a challenge."""
    if challenge is None:
        return deck_key(DECK if deck is None else deck), None
    if deck is not None:
        raise ValueError("A challenge brings its own deck; choose either --challenge or --deck.")
    return CHALLENGE_DECK, challenge_key(challenge)
