"""How a process is: signs of life for whoever watches it from afar."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from jimbo.telemetry.events import MetricSample

_BEGAN = time.monotonic()
_STATM = Path("/proc/self/statm")


def vitals(beats: bool) -> Iterator[MetricSample]:
    """Return what the process uses and, where it ``beats``, that it lives and for how long already."""
    if beats:
        yield MetricSample(name="heartbeat", value=round(time.monotonic() - _BEGAN, 3), unit="seconds")
    if used := memory():
        yield MetricSample(name="memory_usage", value=used, unit="bytes")
    yield from _gpu()


def memory() -> int:
    """Return the bytes of memory that the process uses; the most it ever used, or 0, where the system says no
    more."""
    try:
        return int(_STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        pass
    try:
        import resource  # not every system has it
    except ImportError:
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else 1024 * most


def _gpu() -> Iterator[MetricSample]:
    """Only where the program has torch already and uses a card."""
    torch = sys.modules.get("torch")
    if torch is None or not (cuda := getattr(torch, "cuda", None)) or not cuda.is_initialized():
        return
    yield MetricSample(name="gpu_memory_usage", value=cuda.memory_allocated(), unit="bytes")
    try:
        yield MetricSample(name="gpu_utilization", value=cuda.utilization() / 100, unit="share")
    except Exception:  # it asks a package that need not be there
        return
