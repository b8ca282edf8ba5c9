"""The files of an evaluation and of a comparison."""

from __future__ import annotations

from pathlib import Path

from jimbo.files import loads, read_text
from jimbo.run_folder import CONFIG, check_holds_only, names_in

ROWS = "episodes.jsonl"
SUMMARY = "summary.json"
COMPARISON = "comparison.json"
REPORT = "report.html"
OFFLINE = "offline.json"
SCHEMA = "jimbo_eval_v1"


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
