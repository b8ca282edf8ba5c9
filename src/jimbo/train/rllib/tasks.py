"""Tasks of growing difficulty, and when each of them begins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jimbo.declared import short_repr
from jimbo.engine import LAST_ANTE


@dataclass(frozen=True, slots=True)
class Task:
    """How far a run goes: it is cut off (truncated, not lost) once the ante lies beyond ``max_ante``."""

    name: str
    max_ante: int


TASKS = {task.name: task for task in (Task("easy", 2), Task("medium", 4), Task("hard", LAST_ANTE))}

Schedule = tuple[tuple[int, str], ...]
"""Decisions after which a task begins, and its name; in order."""


def read_schedule(data: Any) -> Schedule:
    """From ``{0: easy, 500000: medium}``; ValueError says what does not fit."""
    if not isinstance(data, Mapping):
        raise ValueError(
            f"difficulty_schedule must be named values such as {{0: easy, 500000: hard}}, not {short_repr(data)}"
        )
    found = sorted(((_timestep(start), name) for start, name in data.items()), key=lambda entry: entry[0])
    for _, name in found:
        if not isinstance(name, str) or name not in TASKS:
            raise ValueError(f"difficulty_schedule must name {', '.join(TASKS)}, not {short_repr(name)}")
    if found and found[0][0] != 0:
        raise ValueError("difficulty_schedule must say what is played first: give it an entry 0")
    return tuple(found)


def _timestep(value: Any) -> int:
    if isinstance(value, str) and value.isdigit():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(f"difficulty_schedule must have numbers of timesteps as names, not {short_repr(value)}")
    return value


def task_at(schedule: Schedule, timestep: int) -> Task | None:
    """The task that is played after this many decisions; None without a schedule."""
    begun = [name for start, name in schedule if start <= timestep]
    return TASKS[begun[-1]] if begun else None
