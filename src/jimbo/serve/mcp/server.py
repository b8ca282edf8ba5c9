"""The server: its tools, resources and prompts, and how it refuses."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from typing import Any

from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError, ToolError, UnexpectedToolError
from mcp.server.mcpserver.prompts import Prompt
from mcp.server.mcpserver.resources import TextResource
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolResult, GetPromptResult, InputRequiredResult, ToolAnnotations
from pydantic import ValidationError

from jimbo.backends.protocol import UnsupportedAction
from jimbo.engine import IllegalAction
from jimbo.files import sentence
from jimbo.rollout.loop import AgentFailed
from jimbo.serve.game import BadInput
from jimbo.serve.mcp import board_app
from jimbo.serve.mcp.arguments import MOST_TEXT
from jimbo.serve.mcp.catalogue import items_by_kind
from jimbo.serve.mcp.guide import PROMPTS, instructions, rules
from jimbo.serve.mcp.reviewing import Reviewer
from jimbo.serve.mcp.runs import HeldRun, Runs, entry_lines
from jimbo.serve.mcp.seed_tools import seed_find, seed_show
from jimbo.serve.mcp.tools import Tools
from jimbo.wire.errors import WireError

NAME = "jimbo"
_REFUSALS = (ValueError, AgentFailed, IllegalAction, UnsupportedAction, WireError)
"""Errors whose text says what is wrong and what to do."""
_SAME_FOR_ALL: tuple[CacheableMethod, ...] = (
    "tools/list",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
)
_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)


class SayingServer(MCPServer[Any]):
    """A server whose refusals are sentences: without a prefix, a trace of the library, or arguments passed over."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        known = {tool.name: tool.input_schema["properties"] for tool in await self.list_tools()}
        if name not in known:
            raise ToolError(f'There is no tool "{name[:40]}". There are {", ".join(known)}.')
        if unknown := [argument for argument in arguments if argument not in known[name]]:
            takes = f"It takes {', '.join(known[name])}." if known[name] else "It takes nothing."
            raise ToolError(f'{name} has no argument "{unknown[0][:40]}". {takes}')
        try:
            return await super().call_tool(name, arguments, context)
        except UnexpectedToolError:
            raise
        except ToolError as error:
            cause = error.__cause__
            if isinstance(cause, ValidationError):
                raise ToolError(_invalid(name, cause)) from cause
            raise (cause if isinstance(cause, ToolError) else error) from None

    async def get_prompt(
        self, name: str, arguments: dict[str, Any] | None = None, context: Context[Any, Any] | None = None
    ) -> GetPromptResult | InputRequiredResult:
        known = {prompt.name: [one.name for one in prompt.arguments or ()] for prompt in await self.list_prompts()}
        if name not in known:
            raise _wrong(f'There is no prompt "{name[:40]}". There are {", ".join(known)}.')
        given = arguments or {}
        if set(given) != set(known[name]):
            raise _wrong(f"The prompt {name} takes {' and '.join(known[name])}.")
        if any(len(str(value)) > MOST_TEXT for value in given.values()):
            raise _wrong(f"An argument of a prompt has at most {MOST_TEXT} characters.")
        return await super().get_prompt(name, given, context)


def _wrong(sentence: str) -> MCPError:
    return MCPError(code=INVALID_PARAMS, message=sentence)


def make_server(runs: Runs, *, seeds: bool = False, reviewer: Reviewer | None = None) -> SayingServer:
    """Make a server of these runs. ``seeds``: also the tools that tell what seeds hold.
    The usual reviewer knows no records."""
    server = SayingServer(
        NAME,
        title="Jimbo: Balatro",
        description="Play and analyse Balatro: exact rules, chances to win, what-if.",
        instructions=instructions(joins=runs.joins, seeds=seeds),
        version=version("jimbo-balatro"),
        log_level="ERROR",
        cache_hints=dict.fromkeys(_SAME_FOR_ALL, CacheHint(ttl_ms=3_600_000, scope="public")),
        extensions=[board_app.apps()],
    )
    tools = Tools(runs, reviewer or Reviewer())
    acts = ToolAnnotations(read_only_hint=False, destructive_hint=runs.joins, open_world_hint=False)
    for tool, hints in (
        (tools.new_run, ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)),
        (tools.look, _READS),
        (tools.act, acts),
        (tools.advise, _READS),
        (tools.score, _READS),
        (tools.what_if, _READS),
        (tools.review, _READS),
        (tools.explain, _READS),
        *(((seed_show, _READS), (seed_find, _READS)) if seeds else ()),
    ):
        description = " ".join((tool.__doc__ or "").split())
        meta = board_app.BOUND if tool in (tools.new_run, tools.look) else None
        server.add_tool(_refusing(tool), description=description, annotations=hints, meta=meta)
    _add_resources(server, runs)
    for prompt in PROMPTS:
        server.add_prompt(Prompt.from_function(prompt))
    return server


def _refusing(tool: Callable[..., CallToolResult]) -> Callable[..., CallToolResult]:
    """Make the errors of a tool those that clients are shown."""

    @functools.wraps(tool)
    def refusing(*args: Any, **given: Any) -> CallToolResult:
        try:
            return tool(*args, **given)
        except _REFUSALS as error:
            text = sentence(str(error))
            raise ToolError(text[:1].upper() + text[1:]) from None

    return refusing


def _invalid(name: str, error: ValidationError) -> str:
    """Say of the first argument that does not fit what it should be."""
    first = error.errors(include_url=False)[0]
    path = ".".join(str(part + 1) if isinstance(part, int) else part for part in first["loc"])
    if first["type"] == "missing":
        return f"{name} needs the argument {path}."
    wrong = first["msg"].replace(" after validation", "")
    return sentence(f"{name}, argument {path}: {wrong[:1].lower()}{wrong[1:]}")


# --- Resources --------------------------------------------------------------------------------------------------------


def _add_resources(server: MCPServer[Any], runs: Runs) -> None:
    markdown = "text/markdown"
    told = "The rules in short, and how actions are written."
    server.add_resource(
        TextResource(uri="jimbo://rules", name="rules", description=told, mime_type=markdown, text=rules())
    )
    kinds = ", ".join(items_by_kind())

    told = f"All items of a kind with their texts: {kinds}."

    @server.resource("jimbo://items/{kind}", description=told, mime_type=markdown)
    def items(kind: str) -> str:
        found = items_by_kind().get(kind)
        if found is None:
            raise ResourceNotFoundError(f'There are no items "{kind[:40]}". There are {kinds}.')
        return "\n".join(f"- {item.line()}" for item in found)

    told = "Every step of a run, and what it brought."

    @server.resource("jimbo://run/{run}/log", description=told, mime_type=markdown)
    def run_log(run: str) -> str:
        with _held(runs, run) as held:
            log = enumerate(held.session.log, 1)
            lines = [line for number, entry in log for line in entry_lines(entry, f"{number}. ")]
            return "\n".join(lines) or "Nothing has been done yet."

    told = "All that the player of a run may know, as JSON (public_v1)."

    @server.resource("jimbo://run/{run}/state", description=told, mime_type="application/json")
    def run_state(run: str) -> str:
        with _held(runs, run) as held:
            return json.dumps(held.state.to_data())


@contextmanager
def _held(runs: Runs, handle: str) -> Iterator[HeldRun]:
    try:
        with runs.use(handle) as held:
            yield held
    except BadInput as error:
        raise ResourceError(str(error)) from None
