"""Where a program's events go: to the places that JIMBO_EVENTS names, from every process that works for it.

The environment carries the addresses, one on a line, to processes that are started from here. Each has a sender of its
own for each address.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from multiprocessing import active_children, parent_process
from multiprocessing.util import Finalize
from time import monotonic
from typing import Any

from jimbo.telemetry.events import EventData, MetricSample, ProgramEnded, ProgramStarted
from jimbo.telemetry.sender import LAST_PATIENCE, Sender, Teller, TimedEvent
from jimbo.telemetry.targets import PROMETHEUS, checked_target, is_aggregator, sender_to, served

URL, TOKEN, PROGRAM = "JIMBO_EVENTS", "JIMBO_EVENTS_TOKEN", "JIMBO_PROGRAM"
_senders: dict[tuple[int, str], Sender] = {}
"""By process: a copy of a process has no thread that would send."""


class Tellers:
    """Several senders at once."""

    def __init__(self, senders: Sequence[Sender]) -> None:
        self._senders = senders

    def tell(self, event: EventData, game_id: str = "") -> None:
        for sender in self._senders:
            sender.tell(event, game_id)

    def skip(self, decisions: int) -> None:
        for sender in self._senders:
            sender.skip(decisions)

    def may_tell(self) -> bool:
        return all(sender.may_tell() for sender in self._senders)

    @contextmanager
    def spending(self) -> Iterator[None]:
        with ExitStack() as stack:
            for sender in self._senders:
                stack.enter_context(sender.spending())
            yield


def events_url() -> str | None:
    """Return where this program's events go, if anywhere: an address, or several on lines of their own."""
    return os.environ.get(URL) or None


def source_of(urls: str | None) -> Teller | None:
    """Return this process's senders of events to some addresses; what is left is sent when the process ends."""
    senders = [_sender(url) for url in _lines(urls)]
    return Tellers(senders) if len(senders) > 1 else senders[0] if senders else None


def metric(name: str, value: float, unit: str | None = None) -> None:
    """Tell a number that was measured to whoever wants to know, if anybody does."""
    if (source := source_of(events_url())) is not None:
        source.tell(MetricSample(name=name, value=value, unit=unit))


def sendable(url: str) -> str:
    """Return an address to which a few events can be sent; ValueError or OSError for what is none."""
    target = checked_target(url)
    if target.startswith(PROMETHEUS):
        raise ValueError(f"Prometheus fetches from programs that go on, and nothing can be sent to {url}")
    return target


def send(target: str, program: str, events: Iterable[EventData]) -> str:
    """Send a few events to an address; return a sentence where they did not arrive."""
    sender = sender_to(target, name=program, token=os.environ.get(TOKEN, ""))
    for event in events:
        sender.tell(event)
    sender.close()
    return _losses(sender)


class HandingOn:
    """Hands messages about events on to some places, as an aggregator does. ValueError or OSError for what is none."""

    def __init__(self, urls: Sequence[str], program: str) -> None:
        targets = [checked_target(url) for url in urls]
        if toward := next((target for target in targets if is_aggregator(target)), None):
            raise ValueError(
                f"{toward} is an aggregator itself. Events are handed on to files, databases and Prometheus"
            )
        token = os.environ.get(TOKEN, "")
        with ExitStack() as stack:
            for target in targets:
                if (stop := served(target, token)) is not None:
                    stack.callback(stop)
            self._senders = [sender_to(target, name=program, token=token) for target in targets]
            self._servers = stack.pop_all()

    def __call__(self, messages: Iterable[Mapping[str, Any]]) -> None:
        for message in messages:
            for sender in self._senders:
                sender.put(TimedEvent(message["timestamp"], message["game_id"], message))

    def end(self) -> str:
        """Send what is left; return a sentence on what was lost, if anything was."""
        for sender in self._senders:
            sender.close()
        self._servers.close()
        return " ".join(filter(None, map(_losses, self._senders)))


def begin(urls: str | Sequence[str], program: str) -> Callable[[], str]:
    """Send the events of this program to some addresses; ValueError or OSError for what is none.

    Return a function that ends it: it sends what is left and returns a sentence on what was lost, if anything was.
    """
    targets = [checked_target(url) for url in ([urls] if isinstance(urls, str) else urls)]
    with ExitStack() as stack:
        for target in targets:
            if (stop := served(target, os.environ.get(TOKEN, ""))) is not None:
                stack.callback(stop)
        before = {name: os.environ.get(name) for name in (URL, PROGRAM)}
        os.environ[URL], os.environ[PROGRAM] = "\n".join(targets), program
        senders = [_sender(target) for target in targets]
        servers = stack.pop_all()
    for sender in senders:
        sender.beats = True
        sender.tell(ProgramStarted(program=program))

    def end() -> str:
        _await_children()
        for sender in senders:
            sender.tell_skipped()
            sender.tell(ProgramEnded(program=program, dropped=sender.dropped))
        for target, sender in zip(targets, senders, strict=True):
            sender.close()
            _senders.pop((os.getpid(), target), None)
        for name, value in before.items():
            os.environ.pop(name, None) if value is None else os.environ.update({name: value})
        servers.close()
        return " ".join(filter(None, map(_losses, senders)))

    return end


def _sender(url: str) -> Sender:
    key = os.getpid(), url
    if key not in _senders:
        sender = sender_to(url, name=os.environ.get(PROGRAM, "jimbo"), token=os.environ.get(TOKEN, ""))
        _senders[key] = sender
        Finalize(sender, sender.close, exitpriority=10)
    return _senders[key]


def _lines(urls: str | None) -> list[str]:
    return list(dict.fromkeys(filter(None, (urls or "").split("\n"))))


def _await_children() -> None:
    """Let processes that have nothing more to do send what they have."""
    if parent_process() is None:
        deadline = monotonic() + LAST_PATIENCE
        for child in active_children():
            child.join(max(0.0, deadline - monotonic()))


def _losses(sender: Sender) -> str:
    lost = sender.dropped + sender.left
    if not lost:
        return ""
    why = f" {sender.trouble[:1].upper()}{sender.trouble[1:].rstrip('.')}." if sender.trouble else ""
    return f"{lost:,} of {sender.told:,} events did not reach {sender.url}.{why}"
