"""``--backend``: where runs are played."""

from typing import Annotated

import typer

SIM, REAL = "sim", "real"
Backend = Annotated[
    str, typer.Option(metavar="NAME", help="Where runs are played: sim, the simulator, or real, the game itself.")
]


def check_backend(name: str, workers: int | None = None) -> None:
    """ValueError for any but these, and for a number of workers where games are spread over addresses."""
    if name not in (SIM, REAL):
        raise ValueError(f'There is no backend "{name}". Choose sim, the simulator, or real.')
    if name == REAL and workers is not None:
        raise ValueError(
            "--backend real plays one game at a time at each address, and --workers means nothing there: leave it out, "
            "and name several games with --base-urls or start them with --launch-instances."
        )
