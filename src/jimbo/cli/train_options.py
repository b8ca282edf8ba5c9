"""The options that the verbs of ``jimbo train`` share."""

from pathlib import Path
from typing import Annotated

import typer

from jimbo.cli.starts import LARGEST_SEED, MOST_GAMES, MOST_WORKERS

Data = Annotated[
    list[Path],
    typer.Option(
        "--data", "--train-jsonl", metavar="FILE", help="Recorded games, .parquet or .jsonl, to learn from; repeatable."
    ),
]
Val = Annotated[
    list[Path] | None,
    typer.Option(
        "--val", "--val-jsonl", metavar="FILE", help="Recorded games to judge by; default: a tenth of those of --data."
    ),
]
OutDir = Annotated[
    Path, typer.Option(metavar="DIR", help="Write everything here; the same command goes on where it was stopped.")
]
Size = Annotated[str, typer.Option(help="Of the network: tiny, small or base.")]
Epochs = Annotated[int, typer.Option(min=1, max=10_000, help="Times that all decisions are gone through.")]
BatchSize = Annotated[int, typer.Option(min=1, max=1_000_000, help="Decisions at a time.")]
Lr = Annotated[float, typer.Option(metavar="RATE", help="The highest learning rate.")]
WeightDecay = Annotated[float, typer.Option(help="How strongly weights are pulled to 0.")]
Dropout = Annotated[float, typer.Option(help="Share of numbers left out while learning.")]
Softness = Annotated[
    float, typer.Option(help="Share of the target that goes to what the teacher found nearly as good.")
]
ValueWeight = Annotated[float, typer.Option(help="How much the value heads count beside the choice.")]
Patience = Annotated[int, typer.Option(min=1, max=10_000, help="Epochs without progress before it stops.")]
Seed = Annotated[int, typer.Option(min=0, max=LARGEST_SEED, help="Of the weights and of the order.")]
Device = Annotated[str, typer.Option(help="auto, cpu, cuda or mps.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
EvalGames = Annotated[
    int,
    typer.Option(
        min=0, max=MOST_GAMES, metavar="N", help="Games that the student plays at the end, on seeds for measuring."
    ),
]
Workers = Annotated[int | None, typer.Option(min=1, max=MOST_WORKERS, help="Processes that play; default: all cores.")]
