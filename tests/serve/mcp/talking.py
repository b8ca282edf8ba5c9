"""The official client, talking to a server in this process or elsewhere."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from typing import Any, TypeVar

import anyio
from mcp import Client
from mcp.client import ClientExtension, advertise
from mcp.client.streamable_http import streamable_http_client
from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID
from mcp.shared._httpx_utils import create_mcp_http_client

from jimbo.agents import make_agent
from jimbo.serve.mcp import RunLimits, Runs, make_server
from jimbo.serve.mcp.reviewing import Reviewer
from jimbo.serve.mcp.runs import simulated
from jimbo.serve.mcp.server import SayingServer
from jimbo.serve.review.judging import EFFORT, Judge

T = TypeVar("T")
NEWEST, BEFORE = "2026-07-28", "2025-11-25"
"""Versions of the protocol."""


class Refused(Exception):
    """What a tool answered as an error."""


class Talk:
    """Calls of one client; answers are the structured content, and ``said`` the words of the last."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.said = ""
        self.heard: list[tuple[float, float | None]] = []
        """How far tools said that they were."""

    async def _hear(self, done: float, total: float | None, message: str | None) -> None:
        self.heard.append((done, total))

    async def __call__(self, tool: str, **arguments: Any) -> dict[str, Any]:
        answer = await self.client.call_tool(tool, arguments, progress_callback=self._hear)
        assert [part.type for part in answer.content] == ["text"]
        self.said = answer.content[0].text
        if answer.is_error:
            raise Refused(self.said)
        assert isinstance(answer.structured_content, dict)
        return answer.structured_content

    async def refusal(self, tool: str, **arguments: Any) -> str:
        """The sentence with which a call is refused."""
        try:
            await self(tool, **arguments)
        except Refused as refused:
            return str(refused)
        raise AssertionError(f"{tool} was not refused: {self.said}")

    async def read(self, uri: str) -> str:
        (content,) = (await self.client.read_resource(uri)).contents
        return content.text


def server(
    agent: str = "greedy", *, seeds: bool = False, limits: RunLimits | None = None, **options: Any
) -> SayingServer:
    """A server of simulated runs."""
    runs = Runs(simulated, lambda: make_agent(agent, **options), limits or RunLimits())
    return make_server(runs, seeds=seeds, reviewer=Reviewer(Judge(agent, options, options.get("effort", EFFORT))))


SHOWS = advertise(EXTENSION_ID, {"mimeTypes": [APP_MIME_TYPE]})
"""By which a client says that it draws MCP Apps."""


def talk(
    target: Any,
    conversation: Callable[[Talk], Awaitable[T]],
    token: str = "",
    mode: str = "auto",
    extensions: Sequence[ClientExtension] = (),
) -> T:
    """Hold a conversation with a server, a command or an address; with a token over HTTP. ``mode``: "legacy" is the
    protocol with a handshake, which many clients still speak."""

    async def hold() -> T:
        async with AsyncExitStack() as stack:
            where = target
            if token:
                http = create_mcp_http_client({"Authorization": f"Bearer {token}"})
                where = streamable_http_client(target, http_client=await stack.enter_async_context(http))
            made = Client(where, read_timeout_seconds=60, mode=mode, extensions=extensions)
            client = await stack.enter_async_context(made)
            return await conversation(Talk(client))

    return anyio.run(hold)
