"""Which requests a server answers, by the headers that say where they come from."""

import socket

import pytest

from jimbo.serve.callers import Callers, is_loopback


@pytest.mark.parametrize(
    "host", ["192.168.1.5:12346", "GAMES.lan:12346", "[fd00::1]", "localhost", "127.0.0.1:1", None]
)
def test_a_server_for_other_machines_has_many_addresses(host: str | None) -> None:
    assert Callers("games.lan").refusal(host, None) is None
    assert Callers("0.0.0.0").refusal(socket.gethostname(), None) is None


@pytest.mark.parametrize(
    "host", ["evil.example", "games.lan.evil.example", "x@evil.example:80", "evil.example/localhost"]
)
def test_but_not_those_of_others(host: str) -> None:
    assert "is not an address of this server" in str(Callers("games.lan").refusal(host, None))


def test_a_server_for_this_machine_has_no_address_outside() -> None:
    assert Callers("127.0.0.1").refusal("192.168.1.5:12346", None)


@pytest.mark.parametrize(
    "origin", ["http://localhost:80", "https://localhost:12346", "null", "", "http://evil.example"]
)
def test_pages_of_others_are_refused(origin: str) -> None:
    callers = Callers("127.0.0.1")
    assert "web pages" in str(callers.refusal("localhost:12346", origin))
    assert callers.refusal("localhost:12346", "http://localhost:12346") is None


def test_loopback() -> None:
    assert [is_loopback(host) for host in ("127.0.0.1", "127.9.9.9", "::1", "localhost")] == [True] * 4
    assert [is_loopback(host) for host in ("0.0.0.0", "::", "192.168.1.5", "localhost.evil.example", "")] == [False] * 5
