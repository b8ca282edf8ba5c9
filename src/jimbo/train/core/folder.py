"""The folder of a training, and the files in it that every method writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jimbo.data import versions
from jimbo.run_folder import RunFolder

METRICS = "train_metrics.json"
SCHEMA = "jimbo_training_v1"
BEST, LAST = "best", "last"
"""Names of the networks, without endings."""


def training_folder(out: Path) -> RunFolder:
    return RunFolder(out, schema=SCHEMA, writer="training", option="--out")


def config_data(settings: dict[str, Any], schema_hash: str, **more: Any) -> dict[str, Any]:
    """Return what must be the same for a training to be resumed."""
    return {"settings": settings, **more, "schema_hash": schema_hash, "versions": dict(versions())}
