"""Where events can go, by the address: an aggregator, a database, Prometheus, a file or a folder.

What only some of them need is imported where it is used: HTTP alone takes as long as a hundred games of a fast agent.
"""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import SplitResult, urlsplit

from jimbo.telemetry.row_sink import LinesSink, lines_place
from jimbo.telemetry.sender import QUEUE, Destination, Sender, new_session

AGGREGATORS = ("ws", "wss", "http", "https")
ILP_HTTP, ILP_TCP, PROMETHEUS = ("ilp+http", "ilp+https"), "ilp+tcp", "prometheus"
EXAMPLES = (
    "telemetry.jsonl, a folder such as telemetry/, ws://127.0.0.1:8765/events, ilp+http://127.0.0.1:9000, "
    "ilp+tcp://127.0.0.1:9009 or prometheus://127.0.0.1:9108"
)


def checked_target(text: str) -> str:
    """Return an address as other processes can use it: files by their whole path. ValueError or OSError with what is
    wrong with it."""
    if "://" not in text:
        path = lines_place(text)
        return f"{path}/" if path.is_dir() else str(path)
    if _scheme(text) in AGGREGATORS:
        from jimbo.telemetry.source import place_of

        place_of(text)
    else:
        _parts(text)
    return text


def sender_to(target: str, *, name: str = "jimbo", token: str = "", size: int = QUEUE) -> Sender:
    """Return what sends events to an address; ValueError for what is none."""
    scheme = _scheme(target)
    if scheme in AGGREGATORS:
        from jimbo.telemetry.source import EventSource

        return EventSource(target, name=name, token=token, size=size)
    return Sender(_sink(target, scheme, name, token), target, size=size)


def is_aggregator(target: str) -> bool:
    return _scheme(target) in AGGREGATORS


def served(target: str, token: str) -> Callable[[], None] | None:
    """Begin to serve what is fetched from this program, if that is how an address works; return what ends that."""
    if _scheme(target) != PROMETHEUS:
        return None
    from jimbo.telemetry.prometheus import PORT, show

    parts = _parts(target)
    return show(parts.hostname or "127.0.0.1", PORT if parts.port is None else parts.port, token)


def _sink(target: str, scheme: str, name: str, token: str) -> Destination:
    session = new_session()
    if not scheme:
        return LinesSink(lines_place(target), session, name)
    parts = _parts(target)
    from jimbo.telemetry.ilp import TCP_PORT, IlpHttpSink, IlpTcpSink

    if scheme in ILP_HTTP:
        return IlpHttpSink(parts, session, name, token)
    if scheme == ILP_TCP:
        return IlpTcpSink(parts.hostname or "", parts.port or TCP_PORT, session, name)
    from jimbo.telemetry.prometheus import PrometheusSink  # its package is an extra

    return PrometheusSink(session, name)


def _scheme(target: str) -> str:
    return target.partition("://")[0].lower() if "://" in target else ""


def _parts(target: str) -> SplitResult:
    try:
        parts = urlsplit(target)
        _ = parts.port
    except ValueError:
        parts = urlsplit("")
    known = (*ILP_HTTP, ILP_TCP, PROMETHEUS)
    if parts.scheme not in known or not parts.hostname or parts.username is not None or not target.isprintable():
        hint = " Passwords and tokens go into JIMBO_EVENTS_TOKEN." if parts.username is not None else ""
        raise ValueError(f'"{target}" is not an address for events. Write one such as {EXAMPLES}.{hint}')
    return parts
