"""``jimbo score``: what a selection of cards scores, exactly where no chance is in it."""

import json
from typing import Annotated

import typer

from jimbo.cli.errors import fail
from jimbo.cli.flags import At
from jimbo.console import make_console
from jimbo.data.game_files import read_game
from jimbo.serve.assistant.scoring import (
    WORLDS,
    best_selection,
    better_orders,
    edited,
    places_of,
    score_data,
    score_selection,
)
from jimbo.serve.terminal.scoring import scored_text

MOST_WORLDS = 1_000_000


def score(
    game: Annotated[
        str,
        typer.Argument(metavar="GAME", help="A file with a run or a state, a typed position, or - for standard input."),
    ],
    cards: Annotated[
        str | None, typer.Option(metavar="CARDS", help='What is played, such as "As Kd"; default: the best play.')
    ] = None,
    at: At = None,
    mute: Annotated[list[str] | None, typer.Option(metavar="JOKER", help="As if this joker did nothing.")] = None,
    numbers: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="JOKER:NUMBER", help='Another number on a joker, as in "Ride the Bus: mult 12".'),
    ] = None,
    worlds: Annotated[
        int, typer.Option(min=100, max=MOST_WORLDS, metavar="N", help="Worlds in which chance is tried.")
    ] = WORLDS,
    as_json: Annotated[bool, typer.Option("--json", help="Print the score as JSON (score_v1).")] = False,
) -> None:
    """Say what a play scores, effect by effect, and whether it beats the blind.

    Where chance has a say, its distribution over worlds that look the same is told, with the error of the chance to
    beat the blind. The best play, and better orders of jokers and cards, are named.
    """
    try:
        found = read_game(game, at)
        if found.over:
            raise ValueError(found.over)
        state = edited(found.state, mute or (), numbers or ())
        best = best_selection(state)
        places = best if cards is None else places_of(cards, state)
        scored = score_selection(state, places, worlds=worlds)
    except ValueError as error:
        fail(str(error))
    for note in found.notes:
        typer.echo(f"jimbo: {note}", err=True)
    if as_json:
        other = scored if places == best else score_selection(state, best, worlds=worlds)
        typer.echo(json.dumps(score_data(state, scored, other, better_orders(state, scored))))
    else:
        console = make_console()
        console.print(scored_text(state, scored, console.width))
