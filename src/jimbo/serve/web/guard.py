"""What stands before every request: who may call, with which password, and what a browser may load."""

from __future__ import annotations

import secrets
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from jimbo.serve.callers import Callers

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "jimbo"
TOKEN = "token"
_REFUSED_SOCKET = 1008


class Guard:
    """Refuses requests of other pages, and those without the token where there is one; adds the headers of safety.

    It stands before routes, so nothing is parsed, run or opened for a request that is refused. ``scripts`` is the hash
    of the one script that stands in the page itself.
    """

    def __init__(self, app: ASGIApp, host: str, token: str | None, scripts: str) -> None:
        self._app, self._callers, self._token = app, Callers(host), token
        policy = f"default-src 'self'; script-src 'self' {scripts}; img-src 'self' data: blob:; object-src 'none'; "
        policy += "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
        self._headers = [
            (b"content-security-policy", policy.encode()),
            (b"x-content-type-options", b"nosniff"),
            (b"referrer-policy", b"no-referrer"),
            (b"cross-origin-resource-policy", b"same-origin"),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = _headers(scope)
        if refusal := self._refusal(headers):
            await _refuse(scope, send, 403, refusal)
            return
        if self._token is not None and not self._knows(headers):
            if scope["type"] == "http" and scope["method"] == "GET" and self._told(scope):
                await self._welcome(scope, send)
            else:
                sentence = "This page needs its token: open the address that jimbo web printed when it started."
                await _refuse(scope, send, 401, sentence)
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *self._headers]
            await send(message)

        await self._app(scope, receive, sent)

    def _refusal(self, headers: dict[str, str]) -> str | None:
        host = headers.get("host")
        if host is None:
            return "A request without a Host is refused."
        if refusal := self._callers.refusal(host, headers.get("origin")):
            return f"{refusal}."
        # Browsers say where a request comes from even where they leave the Origin out. Links from elsewhere are fine.
        foreign = headers.get("sec-fetch-site") in ("cross-site", "same-site")
        if foreign and headers.get("sec-fetch-mode") != "navigate":
            return "Requests from other web pages are refused."
        return None

    def _knows(self, headers: dict[str, str]) -> bool:
        assert self._token is not None
        given = headers.get("authorization", "").removeprefix("Bearer ")
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            cookie = None
        return any(_same(text, self._token) for text in (given, cookie.value if cookie else ""))

    def _told(self, scope: Scope) -> bool:
        assert self._token is not None
        return any(
            name == TOKEN and _same(value, self._token)
            for name, value in parse_qsl(scope["query_string"].decode("latin-1"))
        )

    async def _welcome(self, scope: Scope, send: Send) -> None:
        """Keep the token in a cookie that no script can read, and take it out of the address."""
        path = f"/{scope['path'].lstrip('/')}"
        headers = [
            (b"location", path.encode("ascii", "replace").replace(b"\r", b"").replace(b"\n", b"")),
            (b"set-cookie", f"{COOKIE}={self._token}; Path=/; HttpOnly; SameSite=Strict".encode()),
            (b"cache-control", b"no-store"),
        ]
        await send({"type": "http.response.start", "status": 303, "headers": headers})
        await send({"type": "http.response.body", "body": b""})


def new_token() -> str:
    return secrets.token_urlsafe(24)


def _same(given: str, token: str) -> bool:
    return secrets.compare_digest(given.encode(), token.encode())


def _headers(scope: Scope) -> dict[str, str]:
    """Return headers by name; one that is there twice has both values, so that it is refused."""
    found: dict[str, str] = {}
    for key, data in scope["headers"]:
        name, value = key.decode("latin-1").lower(), data.decode("latin-1")
        found[name] = f"{found[name]}, {value}" if name in found else value
    return found


async def _refuse(scope: Scope, send: Send, status: int, sentence: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": _REFUSED_SOCKET, "reason": sentence[:120]})
        return
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": sentence.encode("utf-8", "replace")})
