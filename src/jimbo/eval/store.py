"""The folder in which an evaluation is kept: settings in ``config.json``, rows in ``episodes.jsonl``.

A comparison is a folder of such folders.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jimbo.declared import checked
from jimbo.eval.rows import Episode
from jimbo.files import LARGEST_MODEL, add_line, loads, read_bytes, read_text, reason, sentence, write_text
from jimbo.rollout.output import WriteFailed
from jimbo.run_folder import CONFIG, RunFolder, check_empty_or_ours, check_holds_only, names_in
from jimbo.seeds.starts import checked_seed

ROWS = "episodes.jsonl"
SUMMARY = "summary.json"
COMPARISON = "comparison.json"
REPORT = "report.html"
OFFLINE = "offline.json"
CALIBRATION = "calibration.json"
"""The maps to play by."""
CALIBRATED = "calibration_summary.json"
"""How good the chances are, with and without them."""
SCHEMA = "jimbo_eval_v1"
_ABOUT_SEEDS = ("seeds", "seeds_hash")
"""Settings that may grow."""
_SOURCE = "agent_source"
"""The setting that changes when the author of an agent works on it."""
_NEEDED = {
    "agent": str,
    "options": Mapping[str, Any],
    "deck": str,
    "stake": str,
    "seed_set": str,
    "seed_set_version": int,
    "seeds": tuple[str, ...],
}


class Store(RunFolder):
    """Rows are added as runs finish, so that a stopped evaluation continues where it was.

    Without ``with`` a store is for reading only.
    """

    @property
    def rows_path(self) -> Path:
        return self.folder / ROWS

    @property
    def config_path(self) -> Path:
        return self.folder / CONFIG

    def config(self) -> dict[str, Any] | None:
        """The settings of what is there; None for a new folder. ValueError for a file that is not settings."""
        try:
            data = loads(read_text(self.config_path))
            if not isinstance(data, dict) or not _NEEDED.keys() <= data.keys():
                raise ValueError("it does not hold the settings of an evaluation")
            for name, kind in _NEEDED.items():
                checked(kind, data[name], name)
            if not data["seeds"]:
                raise ValueError("seeds must not be empty")
            for seed in data["seeds"]:
                checked_seed(seed)
        except FileNotFoundError:
            return None
        except (OSError, UnicodeError) as error:
            raise ValueError(f"{self.config_path} cannot be read: {reason(error)}.") from None
        except ValueError as error:
            raise ValueError(sentence(f"{self.config_path} cannot be used: {error}")) from None
        return data

    def rows(self, settings: Mapping[str, Any]) -> list[Episode]:
        """The rows that are there for these seeds. ValueError if they come from other settings. Nothing is changed."""
        check_empty_or_ours(self.folder)
        known = self.config()
        if known is None:
            return []
        self._compare(known, settings)
        rows = read_rows(self.rows_path) if self.rows_path.exists() else []
        for number, row in enumerate(rows, 1):
            for name in ("agent", "deck", "stake", "challenge"):
                if getattr(row, name) != known.get(name):
                    raise ValueError(
                        f"{self.rows_path}, line {number}, has a different {name} from {self.config_path.name}."
                    )
            if not 0 <= row.episode_id < len(known["seeds"]) or row.seed != known["seeds"][row.episode_id]:
                raise ValueError(
                    f"{self.rows_path}, line {number}, is about game {row.episode_id} on the seed {row.seed}, "
                    f"which is not in {self.config_path.name}."
                )
        return [row for row in rows if row.episode_id < len(settings["seeds"])]

    def _compare(self, known: Mapping[str, Any], settings: Mapping[str, Any]) -> None:
        """ValueError unless all settings agree and one list of seeds begins with the other."""
        names = [name for name in {**settings, **known} if name not in _ABOUT_SEEDS]
        different = [name for name in names if settings.get(name) != known.get(name)]
        common = min(len(known["seeds"]), len(settings["seeds"]))
        if known["seeds"][:common] != settings["seeds"][:common]:
            different.append("seeds")
        if different == [_SOURCE]:
            raise ValueError(
                f"{self.folder} holds an evaluation of {settings['agent']} as it was before its source changed. "
                "Choose another folder for the changed agent."
            )
        if different:
            raise ValueError(
                f"{self.folder} holds an evaluation with other settings ({', '.join(different)}). "
                "Choose another folder, or repeat the settings in its config.json."
            )

    def open(self, settings: Mapping[str, Any]) -> list[Episode]:
        """The rows, and readiness for more: more seeds than before are noted, fewer change nothing."""
        if not self.is_held:
            raise RuntimeError("a store can only be opened inside a with statement")
        rows, known = self.rows(settings), self.config()
        try:
            if known is None or len(known["seeds"]) < len(settings["seeds"]):
                write_json(self.config_path, settings)
            self._drop_cut_line()
        except OSError as error:
            raise ValueError(f"{self.folder} cannot be used: {reason(error)}.") from None
        return rows

    def seeds_held(self) -> int:
        """How many seeds the evaluation in the folder is about; 0 for a new folder."""
        known = self.config()
        return len(known["seeds"]) if known else 0

    def _drop_cut_line(self) -> None:
        """Cuts off what is left of a row that was being written when the process was killed; that needs no space."""
        if self.rows_path.exists():
            data = read_bytes(self.rows_path, LARGEST_MODEL)
            if not data.endswith(b"\n"):
                os.truncate(self.rows_path, data.rfind(b"\n") + 1)

    def add(self, row: Episode) -> None:
        """WriteFailed if the disk does not take it; earlier rows stay."""
        try:
            with self.rows_path.open("ab", buffering=0) as file:
                add_line(file, row.to_json())
        except OSError as error:
            raise WriteFailed(f"{self.rows_path} cannot be written: {reason(error)}.") from None


def read_rows(path: Path) -> list[Episode]:
    """The rows of a file, without a last line that was cut; ValueError names the line that is not a row."""
    rows = []
    try:
        lines = read_bytes(path, LARGEST_MODEL).split(b"\n")
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {reason(error)}.") from None
    for number, line in enumerate(lines[:-1], 1):
        try:
            rows.append(Episode.from_json(line.decode("utf-8")))
        except UnicodeError as error:
            raise ValueError(f"{path}, line {number}, cannot be read: {reason(error)}.") from None
        except ValueError as error:
            raise ValueError(f"{path}, line {number}, is not a row of an evaluation: {error}.") from None
    return rows


def write_json(path: Path, data: Mapping[str, Any]) -> None:
    write_text(path, json.dumps(data, indent=2, ensure_ascii=False) + "\n")


# --- Comparisons ------------------------------------------------------------------------------------------------------


def check_only_evaluations(folder: Path) -> None:
    """ValueError for a folder that holds something other than evaluations and their comparison."""
    ours = {COMPARISON, REPORT} if _is_comparison(folder / COMPARISON) else set()
    check_holds_only(folder, lambda name: name in ours or _is_evaluation(folder / name))


def _is_evaluation(folder: Path) -> bool:
    return folder.is_dir() and ((folder / CONFIG).exists() or not names_in(folder))


def _is_comparison(path: Path) -> bool:
    try:
        data = loads(read_text(path))
    except (OSError, ValueError):
        return False
    return isinstance(data, dict) and data.get("schema") == SCHEMA
