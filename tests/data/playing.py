"""Short rollouts for the tests of what is written and read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jimbo.rollout.runner import RolloutPlan, RolloutResult, roll_out

Change = Callable[[list[dict[str, Any]]], object]


def rolled_out(out: Path, **settings: Any) -> RolloutResult:
    """Greedy games, unless it is said otherwise."""
    plan = RolloutPlan(**{"agent": "greedy", "games": 3, "format": out.suffix[1:], **settings})
    return roll_out(plan, out)


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def changed(path: Path, target: Path, change: Change) -> Path:
    """A copy of a file of lines in which something is different."""
    lines = lines_of(path)
    change(lines)
    target.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return target
