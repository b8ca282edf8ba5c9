"""The options that the verbs of ``jimbo train`` share."""

from pathlib import Path
from typing import Annotated

import typer

from jimbo.cli.flags import MOST_GAMES

Data = Annotated[
    list[Path],
    typer.Option("--data", "--train-jsonl", metavar="FILE", help="Recorded games, .parquet or .jsonl; repeatable."),
]
Val = Annotated[
    list[Path] | None,
    typer.Option(
        "--val", "--val-jsonl", metavar="FILE", help="Recorded games for validation; default: a tenth of --data."
    ),
]
Size = Annotated[str, typer.Option(help="Network size: tiny, small or base.")]
Epochs = Annotated[int, typer.Option(min=1, max=10_000, help="Passes over the data.")]
BatchSize = Annotated[int, typer.Option(min=1, max=1_000_000, help="Decisions per batch.")]
Lr = Annotated[float, typer.Option(metavar="RATE", help="Peak learning rate.")]
WeightDecay = Annotated[float, typer.Option(help="Weight decay.")]
Dropout = Annotated[float, typer.Option(help="Dropout rate.")]
Softness = Annotated[
    float, typer.Option(help="Share of the target given to the options that the teacher rated nearly as good.")
]
ValueWeight = Annotated[float, typer.Option(help="Weight of the value loss relative to the policy loss.")]
Patience = Annotated[int, typer.Option(min=1, max=10_000, help="Epochs without improvement before training stops.")]
Device = Annotated[str, typer.Option(help="auto, cpu, cuda or mps.")]
EvalGames = Annotated[
    int, typer.Option(min=0, max=MOST_GAMES, metavar="N", help="Games for the final evaluation, on evaluation seeds.")
]
