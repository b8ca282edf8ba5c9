"""The folder of a training: ``config.json`` says what it is, so that the same command resumes it."""

from __future__ import annotations

from pathlib import Path

from jimbo.run_folder import RunFolder

METRICS = "train_metrics.json"
SCHEMA = "jimbo_training_v1"


def training_folder(out: Path) -> RunFolder:
    return RunFolder(out, schema=SCHEMA, writer="training", option="--out")
