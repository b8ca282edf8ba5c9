"""Rows for time-series databases in InfluxDB's line protocol, over HTTP and TCP: QuestDB, InfluxDB, VictoriaMetrics."""

from __future__ import annotations

import base64
import re
import socket
from collections.abc import Sequence
from contextlib import suppress
from urllib.parse import SplitResult, parse_qsl, urlencode

from jimbo.telemetry.row_sink import RowSink
from jimbo.telemetry.sender import Packed
from jimbo.telemetry.source import PATIENCE, HttpLink, ServerPlace
from jimbo.telemetry.tables import COLUMNS, TableRow, values_of

WRITE = "/write"
HTTP_PORT, TCP_PORT = 9000, 9009
"""QuestDB's."""
_NO_TAG = re.compile(r"[\\\x00-\x1f\x7f]")
"""What stands in no tag: databases differ in how, and whether, it is escaped there. Such a value becomes a field."""
_TAG_SIGNS = str.maketrans({",": "\\,", "=": "\\=", " ": "\\ "})
_TEXT_SIGNS = str.maketrans({'"': '\\"', "\\": "\\\\"})
_DROPPED = re.compile(r"dropped=(\d+)")
_BAD = (400, 413, 422)
"""Statuses of a server that has read the rows and will not take them later, either."""


def ilp_line(row: TableRow) -> str:
    """Return a row as a line of the protocol. Texts arrive as they are, whatever signs they have."""
    tags, entries = "", []
    for (name, shape), value in zip(COLUMNS[row.TABLE].items(), values_of(row), strict=True):
        if value is None or value == "":
            continue
        if shape == "number":
            entries.append(f"{name}={float(value)!r}")
        elif shape == "tag" and not _NO_TAG.search(value):
            tags += f",{name}={value.translate(_TAG_SIGNS)}"
        elif shape == "whole":
            entries.append(f"{name}={value}i")
        elif shape == "flag":
            entries.append(f"{name}={'t' if value else 'f'}")
        else:
            entries.append(f'{name}="{value.translate(_TEXT_SIGNS)}"')
    return f"{row.TABLE}{tags} {','.join(entries) or 'rows=1i'} {row.timestamp}\n"


def _lines(rows: Sequence[TableRow]) -> bytes:
    return "".join(map(ilp_line, rows)).encode("utf-8", "replace")


class IlpHttpSink(RowSink):
    """A database that takes lines over HTTP and says whether it has them."""

    def __init__(self, url: SplitResult, session_id: str, program: str, token: str = "") -> None:
        """``token``: a token, or user and password with a colon between them."""
        super().__init__(session_id, program)
        secure = url.scheme.endswith("https")
        place = ServerPlace(secure, url.hostname or "", url.port or (443 if secure else HTTP_PORT))
        query = urlencode(parse_qsl(url.query, keep_blank_values=True))
        self._path = f"{url.path.rstrip('/') or WRITE}{'?' if query else ''}{query}"
        headers = {"Content-Type": "text/plain; charset=utf-8"}
        if ":" in token:
            headers["Authorization"] = f"Basic {base64.b64encode(token.encode()).decode()}"
        elif token:
            headers["Authorization"] = f"Token {token}" if "/api/v2/" in url.path else f"Bearer {token}"
        self._link = HttpLink(place, headers)

    def encoded(self, rows: Sequence[TableRow]) -> bytes:
        return _lines(rows)

    def send(self, packed: Packed) -> tuple[int, str]:
        status, answer = self._link.post(self._path, packed.body)
        if status // 100 == 2:
            return packed.events, ""
        said = " ".join(answer[:300].decode("utf-8", "replace").split())
        message = f"The database answered with status {status}: {said}"
        if status not in _BAD:
            raise ValueError(message)
        found = _DROPPED.search(said)
        return packed.events - min(int(found[1]) if found else packed.events, packed.events), message

    def hang_up(self) -> None:
        self._link.hang_up()


class IlpTcpSink(RowSink):
    """A database that takes lines over TCP. It says nothing: rows that were on their way when a connection broke are
    sent again, and what it did not understand is known to nobody but its log."""

    def __init__(self, host: str, port: int, session_id: str, program: str) -> None:
        super().__init__(session_id, program)
        self._place = host, port
        self._socket: socket.socket | None = None

    def encoded(self, rows: Sequence[TableRow]) -> bytes:
        return _lines(rows)

    def send(self, packed: Packed) -> tuple[int, str]:
        if self._socket is not None and _is_closed(self._socket):
            self.hang_up()
        if self._socket is None:
            self._socket = socket.create_connection(self._place, PATIENCE)
        self._socket.sendall(packed.body)
        return packed.events, ""

    def hang_up(self) -> None:
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_WR)
            self._socket.close()
            self._socket = None


def _is_closed(link: socket.socket) -> bool:
    """Whether the other end has closed a connection. It would not be noticed before the second batch from now."""
    link.setblocking(False)
    try:
        return link.recv(1) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True
    finally:
        link.settimeout(PATIENCE)
