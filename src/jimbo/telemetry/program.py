"""Where a program's events go: to the aggregator that JIMBO_EVENTS names, from every process that works for it.

The environment carries the address to processes that are started from here. Each has a source of its own.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from multiprocessing import active_children, parent_process
from multiprocessing.util import Finalize
from time import monotonic

from jimbo.telemetry.events import ProgramEnded, ProgramStarted
from jimbo.telemetry.source import LAST_PATIENCE, EventSource, place_of

URL, TOKEN, PROGRAM = "JIMBO_EVENTS", "JIMBO_EVENTS_TOKEN", "JIMBO_PROGRAM"
_sources: dict[tuple[int, str], EventSource] = {}
"""By process: a copy of a process has no thread that would send."""


def events_url() -> str | None:
    """Return where this program's events go, if anywhere."""
    return os.environ.get(URL) or None


def source_of(url: str | None) -> EventSource | None:
    """Return this process's source of events for an aggregator; what is left is sent when the process ends."""
    if not url:
        return None
    key = os.getpid(), url
    if key not in _sources:
        source = EventSource(url, name=os.environ.get(PROGRAM, "jimbo"), token=os.environ.get(TOKEN, ""))
        _sources[key] = source
        Finalize(source, source.close, exitpriority=10)
    return _sources[key]


def begin(url: str, program: str) -> Callable[[], str]:
    """Send the events of this program to an aggregator; ValueError for what is no address of one.

    Return a function that ends it: it sends what is left and returns a sentence on what was lost, if anything was.
    """
    place_of(url)
    before = {name: os.environ.get(name) for name in (URL, PROGRAM)}
    os.environ[URL], os.environ[PROGRAM] = url, program
    source = source_of(url)
    assert source
    source.tell(ProgramStarted(program=program))

    def end() -> str:
        _await_children()
        source.tell(ProgramEnded(program=program, dropped=source.dropped))
        source.close()
        _sources.pop((os.getpid(), url), None)
        for name, value in before.items():
            os.environ.pop(name, None) if value is None else os.environ.update({name: value})
        return _losses(source)

    return end


def _await_children() -> None:
    """Let processes that have nothing more to do send what they have."""
    if parent_process() is None:
        deadline = monotonic() + LAST_PATIENCE
        for child in active_children():
            child.join(max(0.0, deadline - monotonic()))


def _losses(source: EventSource) -> str:
    lost = source.dropped + source.left
    if not lost:
        return ""
    why = f" {source.trouble[:1].upper()}{source.trouble[1:].rstrip('.')}." if source.trouble else ""
    return f"{lost:,} of {source.told:,} events did not reach {source.url}.{why}"
