"""``--backend``: where runs are played."""

from typing import Annotated

import typer

Backend = Annotated[str, typer.Option(metavar="NAME", help="Where runs are played: sim, the simulator.")]


def check_backend(name: str) -> None:
    """ValueError for any but the simulator."""
    if name == "real":
        raise ValueError("The real game cannot be played yet. Choose --backend sim, the simulator.")
    if name != "sim":
        raise ValueError(f'There is no backend "{name}". Choose sim, the simulator.')
