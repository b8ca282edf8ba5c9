"""Sockets that servers listen on."""

import socket
from collections.abc import Callable

import pytest

from jimbo.serve.events.server import listen as listen_for_events
from jimbo.serve.mcp.http import listening
from jimbo.serve.web.app import listen


@pytest.mark.parametrize(
    "opened",
    [lambda: listen("127.0.0.1", 0), lambda: listen_for_events("127.0.0.1", 0), lambda: listening(0)],
    ids=["web", "events", "mcp"],
)
def test_answers_do_not_wait_to_be_acknowledged(opened: Callable[[], socket.socket]) -> None:
    with opened() as server, socket.create_connection(server.getsockname()):
        connection, _ = server.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
