"""What a language model is asked and what it answers, whatever the service: a call of one of some tools."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

Failure = Literal["timeout", "unreachable", "rate_limited", "refused", "server_error", "nonsense"]
_OVERHEAD = 1000
"""Tokens that a service may add to a request for the sake of its tools."""


@dataclass(frozen=True, slots=True)
class ModelTool:
    """Something that a model can call."""

    name: str
    about: str
    """What it does."""
    schema: Mapping[str, Any]
    """A JSON Schema of its arguments."""
    checked: bool = False
    """Arguments that do not fit are no answer. Otherwise whoever carries out the call looks at them."""


def answering(name: str, about: str, properties: Mapping[str, Mapping[str, Any]]) -> ModelTool:
    """A tool whose arguments are the answer itself: all of ``properties``, each by its JSON schema."""
    schema = {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }
    return ModelTool(name, about, schema, checked=True)


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that a model has made."""

    tool: str
    arguments: Mapping[str, Any]
    id: str = "call"
    """By which the service knows it."""
    words: str = ""
    """What the model said before it."""
    thoughts: Sequence[Mapping[str, Any]] = ()
    """As the service sent them, which wants them back."""


@dataclass(frozen=True, slots=True)
class AnsweredCall:
    """A call, and what the tool answered."""

    call: ToolCall
    answer: str
    failed: bool = False

    @property
    def bytes(self) -> int:
        """The size of all that is sent of it."""
        call = self.call
        parts = (call.tool, json.dumps(dict(call.arguments)), call.id, call.words, json.dumps([*call.thoughts]))
        return sum(len(part.encode()) for part in (*parts, self.answer))


@dataclass(frozen=True, slots=True)
class ModelQuestion:
    """What is asked. The answer is a call of one of the tools."""

    system: str
    prompt: str
    tools: Sequence[ModelTool]
    max_tokens: int
    calls: Sequence[AnsweredCall] = ()
    """What the model has called since the prompt."""
    forced: bool = True
    """It must call a tool at once, without a word before it."""

    @property
    def most_input_tokens(self) -> int:
        """No token is shorter than a byte."""
        told = [self.system, self.prompt]
        for tool in self.tools:
            told += [tool.name, tool.about, json.dumps(dict(tool.schema))]
        calls = sum(one.bytes + 100 for one in self.calls)
        return sum(len(text.encode()) for text in told) + calls + _OVERHEAD


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as a service counts them."""

    input_tokens: int = 0
    output_tokens: int = 0

    def dollars(self, price: tuple[float, float]) -> float:
        """``price``: dollars for a million tokens of input and of output."""
        return (self.input_tokens * price[0] + self.output_tokens * price[1]) / 1e6


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    call: ToolCall
    usage: Usage | None
    """None where the service does not say."""

    @property
    def arguments(self) -> Mapping[str, Any]:
        return self.call.arguments


class NoAnswer(Exception):
    """No answer that can be used; says why, as a sentence."""

    def __init__(
        self, kind: Failure, why: str, *, usage: Usage | None = None, free: bool = False, wait: float | None = None
    ) -> None:
        """``usage``: what it took nevertheless; None where nobody says. ``free``: it surely cost nothing. ``wait``:
        seconds for which the service wants to be left alone."""
        super().__init__(why)
        self.kind, self.usage, self.free, self.wait = kind, usage, free, wait


class ModelClient(Protocol):
    """What asks a model."""

    name: str
    """The name of the model."""

    def ask(self, question: ModelQuestion, timeout: float) -> ModelAnswer:
        """NoAnswer after ``timeout`` seconds at the latest."""
