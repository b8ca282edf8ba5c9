"""How much memory a training takes on this machine."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path


def memory_in_use(cluster: str) -> int:
    """Bytes of this process and of all that it or the Ray cluster of that address has started on this machine.

    Memory that processes share is counted once.
    """
    children, waiting = _children(), [os.getpid(), *_started_by_ray(cluster)]
    found: set[int] = set()
    while waiting:
        process = waiting.pop()
        if process not in found:
            found.add(process)
            waiting += children[process]
    return sum(map(_proportional, found))


def _started_by_ray(cluster: str) -> list[int]:
    """The processes under which its workers live, one for each node of the cluster on this machine."""
    address = f"--gcs-address={cluster}".encode()
    return [process for process, words in _all("cmdline") if words[0].endswith(b"/raylet") and address in words]


def _children() -> dict[int, list[int]]:
    found: dict[int, list[int]] = defaultdict(list)
    for process, (words, *_) in _all("stat"):
        # The name of the program, which may hold anything, stands in parentheses before the parent.
        found[int(words.rsplit(b")", 1)[1].split()[1])].append(process)
    return found


def _all(file: str) -> Iterator[tuple[int, list[bytes]]]:
    """What is told of every process, in words that end with a zero byte."""
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended
            if told := (folder / file).read_bytes():
                yield int(folder.name), told.split(b"\0")


def _proportional(process: int) -> int:
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
