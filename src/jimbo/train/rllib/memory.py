"""How much memory a training takes on this machine."""

from __future__ import annotations

import os
from collections import defaultdict
from pathlib import Path


def memory_in_use() -> int:
    """Bytes of this process and all that it has started; memory that processes share is counted once."""
    children = _children()
    waiting, found = [os.getpid()], 0
    while waiting:
        process = waiting.pop()
        found += _proportional(process)
        waiting += children[process]
    return found


def _children() -> dict[int, list[int]]:
    found: dict[int, list[int]] = defaultdict(list)
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            # The name of the program, which may hold anything, stands in parentheses before the parent.
            parent = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except (OSError, ValueError, IndexError):
            continue  # it has ended
        found[parent].append(int(folder.name))
    return found


def _proportional(process: int) -> int:
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
