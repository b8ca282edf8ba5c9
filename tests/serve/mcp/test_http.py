"""The server over HTTP: who may call, and what hostile callers get."""

import http.client
import json
import socket
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from serve.mcp.talking import talk
from serve.mcp.test_transports import http_server

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}


@pytest.fixture(scope="module")
def there() -> Iterator[dict[str, Any]]:
    with http_server() as address:
        yield address


def port(there: dict[str, Any]) -> int:
    return int(there["url"].split(":")[2].split("/")[0])


def asked(there: dict[str, Any], body: bytes | None = None, method: str = "POST", **headers: str) -> tuple[int, str]:
    """Status and body of the answer; headers in place of the right ones, none where they are empty."""
    link = http.client.HTTPConnection("127.0.0.1", port(there), timeout=20)
    usual = {
        "Host": f"127.0.0.1:{port(there)}",
        "Authorization": f"Bearer {there['token']}",
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
    }
    sent = {name: value for name, value in (usual | headers).items() if value}
    link.putrequest(method, "/mcp", skip_host=True)
    for name, value in sent.items():
        link.putheader(name, value)
    data = json.dumps(HELLO).encode() if body is None else body
    link.putheader("Content-Length", str(len(data)))
    link.endheaders(data)
    with closing(link):
        answer = link.getresponse()
        return answer.status, answer.read().decode()


def test_a_program_with_the_token_is_answered(there: dict[str, Any]) -> None:
    """Also one that speaks the version before."""
    status, body = asked(there)
    assert status == 200
    assert json.loads(body)["result"]["serverInfo"]["name"] == "jimbo"


@pytest.mark.parametrize(
    "given", ["", "Bearer", "Bearer wrong", "Basic TOKEN", "TOKEN", "Bearer TOKENx", "Bearer \xe9"]
)
def test_nobody_else_is(there: dict[str, Any], given: str) -> None:
    status, body = asked(there, Authorization=given.replace("TOKEN", there["token"]))
    assert status == 401
    assert json.loads(body) == {
        "error": "The header Authorization must be Bearer and the token that the server printed."
    }
    assert there["token"] not in body


@pytest.mark.parametrize("origin", ["http://evil.example", "http://127.0.0.1:5173", "null", "http://localhost"])
def test_no_web_page_is(there: dict[str, Any], origin: str) -> None:
    status, body = asked(there, Origin=origin)
    assert status == 403
    assert json.loads(body) == {"error": f'Requests from web pages are refused (Origin "{origin}").'}


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8766", "10.0.0.1", "[::ffff:1.2.3.4]:80"])
def test_no_other_name_is(there: dict[str, Any], host: str) -> None:
    status, body = asked(there, Host=host)
    assert status == 403
    assert json.loads(body)["error"].startswith(f'Host "{host}" is not an address of this server.')


def test_only_this_machine_is_listened_to(there: dict[str, Any]) -> None:
    with (
        pytest.raises((ConnectionRefusedError, TimeoutError)),
        socket.create_connection((other_address(), port(there)), timeout=2),
    ):
        pass


def other_address() -> str:
    """An address of this machine that is not the one that is listened to."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.2"
        return str(probe.getsockname()[0])


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 400),
        (b"", 400),
        (b"\xff\xfe", 400),
        (b"[]", 400),
        (b"7", 400),
        (b'{"jsonrpc": "2.0"}', 400),
        (b"[" * 50_000, 400),
        (b'"' + b"x" * (1 << 16) + b'"', 413),
    ],
)
def test_what_is_no_request_is_refused(there: dict[str, Any], body: bytes, status: int) -> None:
    assert asked(there, body)[0] == status
    assert asked(there)[0] == 200


def test_callers_that_say_nothing_stop_nobody(there: dict[str, Any]) -> None:
    links = [socket.create_connection(("127.0.0.1", port(there)), timeout=20) for _ in range(20)]
    for link in links:
        link.sendall(b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{")
    assert talk(there["url"], lambda talk: talk("new_run"), there["token"])["run"].startswith("r")
    for link in links:
        link.close()
    assert asked(there)[0] == 200
