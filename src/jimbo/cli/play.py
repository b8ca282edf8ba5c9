"""``jimbo play``: a run of the game in the terminal."""

from pathlib import Path
from typing import Annotated

import typer

from jimbo.backends import SimBackend
from jimbo.cli.errors import fail
from jimbo.cli.flags import STAKE, Challenge, Deck, Seed
from jimbo.console import make_console
from jimbo.seeds import deck_and_challenge, random_start, typed_seed
from jimbo.serve.terminal.session import Session, load
from jimbo.serve.terminal.table import NotSaved, Table
from jimbo.signals import one_interrupt


def play(
    seed: Seed = None,
    deck: Deck = None,
    stake: Annotated[str | None, STAKE] = None,
    challenge: Challenge = None,
    file: Annotated[Path | None, typer.Option("--load", metavar="FILE", help="Continue a saved run.")] = None,
) -> None:
    """Play a run by typing numbers and letters; ? lists what you can do.

    Any number of steps can be undone. Ctrl-C leaves at any time and saves the run.
    """
    if file and (seed, deck, stake, challenge) != (None, None, None, None):
        fail("A saved run already has its seed, deck and stake; give --load alone.")
    try:
        session = load(file) if file else Session(_start(seed, deck, stake, challenge))
    except ValueError as error:
        fail(str(error))
    with one_interrupt():
        try:
            Table(session, make_console()).play()
        except NotSaved as error:
            fail(str(error))


def _start(seed: str | None, deck: str | None, stake: str | None, challenge: str | None) -> SimBackend:
    deck, challenge = deck_and_challenge(deck, challenge)
    backend = SimBackend()
    backend.reset(
        deck=deck,
        stake="white" if stake is None else stake,
        seed=random_start() if seed is None else typed_seed(seed),
        challenge=challenge,
    )
    return backend
