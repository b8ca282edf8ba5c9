"""``--backend``: where runs are played."""

from typing import Annotated

import typer

SIM, REAL = "sim", "real"
Backend = Annotated[
    str, typer.Option(metavar="NAME", help="Where runs are played: sim, the simulator, or real, the game itself.")
]


def check_backend(name: str) -> None:
    """ValueError for any but these."""
    if name not in (SIM, REAL):
        raise ValueError(f'There is no backend "{name}". Choose sim, the simulator, or real.')
