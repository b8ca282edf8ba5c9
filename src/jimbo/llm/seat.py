"""A seat at the tools of ``jimbo mcp`` for a model that plays: the same tools, carried out by the same functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

from anyio.from_thread import start_blocking_portal
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, TextContent

from jimbo.agents import Agent
from jimbo.backends.protocol import Applied
from jimbo.engine import Action, Event, PublicState
from jimbo.llm.protocol import ModelTool
from jimbo.serve.mcp.runs import RunLimits, Runs
from jimbo.serve.mcp.server import make_server
from jimbo.serve.terminal.input import typed

PLAYING = ("look", "act", "score", "explain")
ADVISING = ("advise", "what_if")
"""Tools whose answers hold what an agent thinks of the run."""
_ACT = "act"
RUN = "r1"
"""The only one that a seat has."""


class _StepChosen(Exception):
    """An action that the rules allow; somebody else carries it out."""

    def __init__(self, action: Action) -> None:
        super().__init__(typed(action))
        self.action = action


class WatchedRun:
    """A run that is played elsewhere: an action is only chosen here, until it is known what came of it."""

    def __init__(self, state: PublicState) -> None:
        self._state = state
        self._known: Applied | None = None

    def state(self) -> PublicState:
        return self._state

    def reset(
        self, *, deck: str | None = None, stake: str = "white", seed: str | None = None, challenge: str | None = None
    ) -> PublicState:
        raise NotImplementedError

    def cannot(self, action: Action) -> str | None:
        return None

    def expect(self, state: PublicState, events: Sequence[Event]) -> None:
        """Say what the next action leads to."""
        self._known = Applied(state, events)

    def apply(self, action: Action) -> Applied:
        known, self._known = self._known, None
        if known is None:
            raise _StepChosen(action)
        self._state = known.state
        return known

    def full_state(self) -> Mapping[str, Any] | None:
        return None

    def close(self) -> None:
        """Nothing is held."""


class ToolSeat:
    """The tools of one run."""

    def __init__(self, state: PublicState, agents: Callable[[], Agent], *, advised: bool = False) -> None:
        """``agents`` makes who advises, if the model is to be ``advised``."""
        self._run = WatchedRun(state)
        self._server = make_server(Runs(lambda asked: self._run, agents, RunLimits(), joins=True))
        self._names = (*PLAYING, *ADVISING) if advised else PLAYING
        self._token = ""
        self.opening, _ = self._call("new_run", {})
        """What a client sees of the run at first."""

    def tools(self, *, acting: bool = False) -> list[ModelTool]:
        """Those that may be called, as the server lists them; ``acting``: only the one that acts."""
        return [one for one in self._tools if one.name == _ACT or not acting]

    @cached_property
    def _tools(self) -> list[ModelTool]:
        with start_blocking_portal() as portal:
            listed = {tool.name: tool for tool in portal.call(self._server.list_tools)}
        return [ModelTool(name, listed[name].description or "", listed[name].input_schema) for name in self._names]

    def call(self, tool: str, arguments: Mapping[str, Any]) -> tuple[str, bool] | Action:
        """Carry out a call: what the tool answers, and whether that is a refusal. Of an act that the rules allow the
        action; ``happened`` has the answer, when it was carried out."""
        if tool not in self._names:
            return f'There is no tool "{tool[:40]}". There are {", ".join(self._names)}.', True
        try:
            return self._call(tool, arguments)
        except _StepChosen as chosen:
            return chosen.action

    def happened(self, action: Action, state: PublicState, events: Sequence[Event]) -> str:
        """Take note of a step: what ``act`` answers to it."""
        self._run.expect(state, events)
        return self._call(_ACT, {"run": RUN, "token": self._token, "action": typed(action)})[0]

    def _call(self, tool: str, arguments: Mapping[str, Any]) -> tuple[str, bool]:
        try:
            with start_blocking_portal() as portal:
                result = portal.call(self._server.call_tool, tool, dict(arguments))
        except ToolError as error:
            if isinstance(error.__cause__, _StepChosen):
                raise error.__cause__ from None
            return str(error), True
        assert isinstance(result, CallToolResult)
        self._token = (result.structured_content or {}).get("token", self._token)
        return "\n".join(part.text for part in result.content if isinstance(part, TextContent)), False
