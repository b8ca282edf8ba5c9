"""The folder in which an evaluation is kept: settings in ``config.json``, rows in ``episodes.jsonl``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jimbo.eval.rows import Episode


class Store:
    """Rows are added as runs finish, so that a stopped evaluation goes on where it was."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __repr__(self) -> str:
        return f"Store({str(self.folder)!r})"

    @property
    def rows_path(self) -> Path:
        return self.folder / "episodes.jsonl"

    @property
    def config_path(self) -> Path:
        return self.folder / "config.json"

    def config(self) -> dict[str, Any] | None:
        """The settings of what is there; None for a new folder. ValueError for a file that holds none."""
        if not self.config_path.exists():
            return None
        try:
            data: Any = json.loads(self.config_path.read_text(encoding="utf-8"))
        except (ValueError, OSError) as error:
            raise ValueError(f"{self.config_path} cannot be read: {error}.") from None
        if not isinstance(data, dict):
            raise ValueError(f"{self.config_path} holds no settings.")
        return data

    def open(self, settings: Mapping[str, Any]) -> list[Episode]:
        """The rows that are there. ValueError if they come from other settings, or the folder cannot be used."""
        known = self.config()
        if known is None:
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
                if self.rows_path.exists():
                    raise ValueError(f"{self.rows_path} exists without its config.json. Choose another folder.")
                write_json(self.config_path, settings)
            except OSError as error:
                raise ValueError(f"{self.folder} cannot be used: {error.strerror or error}.") from None
            return []
        different = [name for name in {**settings, **known} if settings.get(name) != known.get(name)]
        if different:
            raise ValueError(
                f"{self.folder} holds an evaluation with other settings ({', '.join(different)}). "
                "Choose another folder, or repeat the settings in its config.json."
            )
        return self._rows()

    def _rows(self) -> list[Episode]:
        if not self.rows_path.exists():
            return []
        text = self.rows_path.read_text(encoding="utf-8")
        whole, _, cut = text.rpartition("\n")
        if cut:
            # The last line was being written when the evaluation was stopped.
            self.rows_path.write_text(f"{whole}\n" if whole else "", encoding="utf-8")
        return read_rows(self.rows_path)

    def add(self, row: Episode) -> None:
        with self.rows_path.open("a", encoding="utf-8") as file:
            file.write(f"{row.to_json()}\n")


def read_rows(path: Path) -> list[Episode]:
    """The rows of a file; ValueError names the line that is none."""
    rows = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            rows.append(Episode.from_json(line))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"{path}, line {number}: {error}.") from None
    return rows


def write_json(path: Path, data: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
