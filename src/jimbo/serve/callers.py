"""Who may call a server on this machine.

Any page that a browser shows can send requests to servers on the same machine. The browser names the page in the header
``Origin``; and if the page's own domain has been pointed at this machine, ``Host`` still has that domain.
"""

from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress
from urllib.parse import urlsplit


class Callers:
    """The callers of a server that listens at ``host``, as its user wrote it."""

    def __init__(self, host: str) -> None:
        self._names = {"localhost", host.lower()}
        self._open = not is_loopback(host)
        if self._open:
            self._names.add(socket.gethostname().lower())

    def refusal(self, host: str | None, origin: str | None) -> str | None:
        """Return why a request with these headers is refused, or None. Programs may leave both out."""
        if host is not None and not self._is_here(host):
            return f'Host "{host}" is not an address of this server. Use the address that it printed when it started'
        if origin is not None and (host is None or origin.lower() != f"http://{host.lower()}"):
            return f'Requests from web pages are refused (Origin "{origin}")'
        return None

    def _is_here(self, host: str) -> bool:
        """Whether this is a name of the server. Its port may differ: tunnels and containers have their own."""
        try:
            parts = urlsplit(f"//{host}")
            name, _ = parts.hostname or "", parts.port
        except ValueError:  # also for an invalid port
            return False
        if name in self._names or is_loopback(name):
            return True
        # A server for other machines has more addresses than the one it listens at. No domain looks like a number.
        return self._open and _is_address(name)


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach it."""
    return ipaddress.ip_address(host).is_loopback if _is_address(host) else host == "localhost"


def _is_address(host: str) -> bool:
    with suppress(ValueError):
        ipaddress.ip_address(host)
        return True
    return False
