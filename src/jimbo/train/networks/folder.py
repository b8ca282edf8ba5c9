"""The folder of a training: ``config.json`` says what it is, so that the same command can go on with it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jimbo.eval.folders import CONFIG, OwnFolder
from jimbo.files import loads, read_text, reason, write_text

METRICS = "train_metrics.json"
SCHEMA = "jimbo_training_v1"


class TrainingFolder(OwnFolder):
    """Use it in a ``with`` statement."""

    _writer = "training"

    def open(self, config: Mapping[str, Any]) -> None:
        """Notes what is trained here; ValueError if it is something else."""
        path = self.folder / CONFIG
        wanted = json.loads(json.dumps({"schema": SCHEMA, **config}))
        known = self.config()
        if known is None:
            self.write(CONFIG, wanted)
        elif known != wanted:
            names = [name for name in {**wanted, **known} if known.get(name) != wanted.get(name)]
            raise ValueError(
                f"{self.folder} holds a training with other settings or data ({', '.join(names)}). "
                f"Choose another --out-dir, or repeat the settings in {path.name}."
            )

    def config(self) -> dict[str, Any] | None:
        """What is there; None for a new folder."""
        path = self.folder / CONFIG
        try:
            data = loads(read_text(path))
        except FileNotFoundError:
            return None
        except (OSError, UnicodeError) as error:
            raise ValueError(f"{path} cannot be read: {reason(error)}.") from None
        except ValueError as error:
            raise ValueError(f"{path} cannot be used: {error}.") from None
        if not isinstance(data, dict) or data.get("schema") != SCHEMA:
            raise ValueError(f"{self.folder} does not hold a training. Choose another --out-dir.")
        return data

    def write(self, name: str, data: object) -> None:
        try:
            write_text(self.folder / name, json.dumps(data, indent=2) + "\n")
        except OSError as error:
            raise ValueError(f"{self.folder / name} cannot be written: {reason(error)}.") from None

    def path(self, name: str) -> Path:
        return self.folder / name
