"""The other side of an aggregator, where something else answers."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from websockets.sync.server import ServerConnection, serve

from jimbo.serve.events.client import NoAggregator, send_mock_events


@contextmanager
def saying(text: str) -> Iterator[str]:
    """The address of a WebSocket that says a text to everybody."""

    def converse(link: ServerConnection) -> None:
        link.send(text)
        for _ in link:
            pass

    with serve(converse, "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"ws://127.0.0.1:{server.socket.getsockname()[1]}"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("text", ["hello", "[1]", "{}", '{"data": 1}', '{"data": {"dropped": "x"}}', "[" * 10_000])
def test_whatever_else_answers_is_told_in_a_sentence(text: str) -> None:
    with saying(text) as url, pytest.raises(NoAggregator, match="is no event aggregator"):
        send_mock_events(url, 20, 5)
