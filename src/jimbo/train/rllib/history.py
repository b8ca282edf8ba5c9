"""What a training has left behind, for a report: its log, and the table by which trainings are compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jimbo.files import loads, read_text, reason

LOG = "train_log.jsonl"
Row = Mapping[str, Any]
_ALWAYS = {"kind": str, "iteration": int, "timesteps_total": int}
"""What each line has, whatever else it tells."""


@dataclass(frozen=True, slots=True)
class History:
    """Rows in the order in which they were written."""

    iterations: tuple[Row, ...]
    evaluations: tuple[Row, ...]

    def numbers(self, name: str) -> list[tuple[float, float]]:
        """Decisions made, and the number of that name after them."""
        return [(row["timesteps_total"], row[name]) for row in self.iterations if row.get(name) is not None]


def read_history(path: Path) -> History:
    """From a log file; ValueError with a sentence if it cannot be used."""
    try:
        lines = read_text(path).splitlines()
    except (OSError, UnicodeError) as error:
        raise ValueError(f"{path} cannot be read: {reason(error)}. Say where the log is with --log-file") from None
    rows = [_row(path, number, line) for number, line in enumerate(lines, 1)]
    return History(*(_kept(row for row in rows if row["kind"] == kind) for kind in ("iteration", "evaluation")))


def _kept(rows: Iterable[Row]) -> tuple[Row, ...]:
    """Without what was done again, by a training that went on from an earlier checkpoint."""
    kept: list[Row] = []
    for row in rows:
        while kept and kept[-1]["iteration"] >= row["iteration"]:
            kept.pop()
        kept.append(row)
    return tuple(kept)


def _row(path: Path, number: int, line: str) -> Row:
    try:
        row = loads(line)
    except ValueError as error:
        raise ValueError(f"{path} cannot be used: line {number}: {error}.") from None
    if not isinstance(row, dict) or not all(isinstance(row.get(name), kind) for name, kind in _ALWAYS.items()):
        raise ValueError(f"{path} cannot be used: line {number} is neither an iteration nor an evaluation.")
    return row


def benchmark(history: History) -> list[tuple[str, str, str]]:
    """The table of the documentation: what is measured, its target, and what this training did."""
    rows = history.iterations
    return [
        ("games/hour", "> 1,000", _shown(rows, "games_per_hour", "{:,.0f}")),
        ("memory (GB, the highest)", "< 8", _highest(rows, "memory_gb")),
        ("mean episode length (decisions)", "", _shown(rows, "episode_len_mean", "{:.1f}")),
        ("win rate in training", "", _shown(rows, "win_rate", "{:.1%}")),
        ("rollout steps/s", "", _shown(rows, "rollout_fps", "{:,.0f}")),
        ("training steps/s", "", _shown(rows, "training_fps", "{:,.0f}")),
        ("total steps/s", "", _shown(rows, "total_fps", "{:,.0f}")),
        ("illegal actions", "0", _shown(rows, "illegal_actions", "{:,.0f}")),
    ]


def _shown(rows: Sequence[Row], name: str, form: str) -> str:
    """What the last iteration says."""
    known = [row[name] for row in rows if row.get(name) is not None]
    return form.format(known[-1]) if known else "not measured"


def _highest(rows: Sequence[Row], name: str) -> str:
    known = [row[name] for row in rows if row.get(name) is not None]
    return f"{max(known):.1f}" if known else "not measured"
