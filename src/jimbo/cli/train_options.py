"""The options that the verbs of ``jimbo train`` share."""

from pathlib import Path
from typing import Annotated

import typer

from jimbo.cli.starts import LARGEST_SEED, MOST_GAMES, MOST_WORKERS

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
OutDir = Annotated[
    Path, typer.Option(metavar="DIR", help="Write everything here; run the same command again to resume.")
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
Seed = Annotated[int, typer.Option(min=0, max=LARGEST_SEED, help="Random seed for weights and batch order.")]
Device = Annotated[str, typer.Option(help="auto, cpu, cuda or mps.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
EvalGames = Annotated[
    int, typer.Option(min=0, max=MOST_GAMES, metavar="N", help="Games for the final evaluation, on evaluation seeds.")
]
Workers = Annotated[int | None, typer.Option(min=1, max=MOST_WORKERS, help="Worker processes; default: all cores.")]
Config = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Settings as YAML; command-line options override it.")
]
Threads = Annotated[
    int | None,
    typer.Option(min=1, max=1024, help="Threads that play; default: all cores. Results do not depend on it."),
]
AnySetting = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="Any setting by its name; `--set help` lists them."),
]
