"""Questions as services want them, and what their answers hold: the Messages API, and one like OpenAI's."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from jimbo.llm.protocol import AnsweredCall, ModelAnswer, ModelQuestion, ModelTool, NoAnswer, ToolCall, Usage

MAX_TEXT = 400
"""Letters of a text from outside that are kept."""
_THOUGHTS = ("thinking", "redacted_thinking")
Body = dict[str, Any]


def clean(text: object, longest: int = MAX_TEXT) -> str:
    """A text from outside on one line, without signs that steer a terminal."""
    words = " ".join("".join(sign if sign.isprintable() else " " for sign in str(text)[: 4 * longest]).split())
    return words if len(words) <= longest else f"{words[: longest - 3]}..."


# --- The Messages API -------------------------------------------------------------------------------------------------


def tool(one: ModelTool) -> Body:
    return {"name": one.name, "description": one.about, "input_schema": dict(one.schema)}


def choice(question: ModelQuestion, *, free: bool) -> Body:
    """``free``: a model that thinks cannot be forced."""
    more = {"disable_parallel_tool_use": True}
    if free or not question.forced:
        return {"type": "auto", **more}
    if len(question.tools) > 1:
        return {"type": "any", **more}
    return {"type": "tool", "name": question.tools[0].name, **more}


def messages(question: ModelQuestion) -> list[Body]:
    """The prompt, and in turn what the model called and what that was answered."""
    made: list[Body] = [{"role": "user", "content": question.prompt}]
    for one in question.calls:
        call = one.call
        said = [{"type": "text", "text": call.words}] if call.words else []
        used = {"type": "tool_use", "id": call.id, "name": call.tool, "input": dict(call.arguments)}
        result = {"type": "tool_result", "tool_use_id": call.id, "content": one.answer, "is_error": one.failed}
        made.append({"role": "assistant", "content": [*map(dict, call.thoughts), *said, used]})
        made.append({"role": "user", "content": [result]})
    return made


def from_messages(data: Any, question: ModelQuestion) -> ModelAnswer:
    usage = _usage(data, ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"), "output_tokens")
    found = data.get("content") if isinstance(data, dict) else None
    blocks = [block for block in (found if isinstance(found, list) else ()) if isinstance(block, dict)]
    for place, block in enumerate(blocks):
        if block.get("type") == "tool_use" and block.get("name") in _names(question):
            words = " ".join(str(one.get("text")) for one in blocks[:place] if one.get("type") == "text")
            thoughts = tuple(one for one in blocks[:place] if one.get("type") in _THOUGHTS)
            arguments = _fitting(block["name"], block.get("input"), question, usage)
            made = ToolCall(block["name"], arguments, str(block.get("id") or "call"), words.strip(), thoughts)
            return ModelAnswer(made, usage)
    raise _no_call(question, usage)


# --- Services like OpenAI's -------------------------------------------------------------------------------------------


def chat_tool(one: ModelTool) -> Body:
    return {
        "type": "function",
        "function": {"name": one.name, "description": one.about, "parameters": dict(one.schema)},
    }


def chat_choice(question: ModelQuestion, *, free: bool) -> Body | str:
    if free or not question.forced:
        return "auto"
    if len(question.tools) > 1:
        return "required"
    return {"type": "function", "function": {"name": question.tools[0].name}}


def chat_messages(question: ModelQuestion) -> list[Body]:
    made: list[Body] = [
        {"role": "system", "content": question.system},
        {"role": "user", "content": question.prompt},
    ]
    for one in question.calls:
        made += _chat_call(one)
    return made


def _chat_call(one: AnsweredCall) -> list[Body]:
    call = one.call
    function = {"name": call.tool, "arguments": json.dumps(dict(call.arguments))}
    used = {"id": call.id, "type": "function", "function": function}
    return [
        {"role": "assistant", "content": call.words or None, "tool_calls": [used]},
        {"role": "tool", "tool_call_id": call.id, "content": one.answer},
    ]


def from_chat(data: Any, question: ModelQuestion) -> ModelAnswer:
    usage = _usage(data, ("prompt_tokens",), "completion_tokens")
    try:
        message = data["choices"][0]["message"]
        words = message.get("content")
        calls = message.get("tool_calls")
        called = calls[0] if calls else {"function": _written(words, question)}
        name, arguments = called["function"]["name"], called["function"]["arguments"]
        arguments = json.loads(arguments) if isinstance(arguments, str) else arguments
    except (LookupError, TypeError, AttributeError, ValueError, RecursionError):
        raise _no_call(question, usage) from None
    if name not in _names(question):
        raise _no_call(question, usage)
    said = words.strip() if calls and isinstance(words, str) else ""
    made = ToolCall(name, _fitting(name, arguments, question, usage), str(called.get("id") or "call"), said)
    return ModelAnswer(made, usage)


def _written(words: Any, question: ModelQuestion) -> Body:
    """A call that a model has written as text: the arguments of the only tool, or name and arguments of one."""
    found = json.loads(words)
    return {"name": question.tools[0].name, "arguments": found} if len(question.tools) == 1 else dict(found)


# --- Both -------------------------------------------------------------------------------------------------------------


def _names(question: ModelQuestion) -> list[str]:
    return [one.name for one in question.tools]


def _no_call(question: ModelQuestion, usage: Usage | None) -> NoAnswer:
    names = " or ".join(_names(question))
    return NoAnswer("nonsense", f"The answer does not call the tool {names}.", usage=usage)


def _usage(data: Any, inputs: tuple[str, ...], output: str) -> Usage | None:
    """None where the service does not say what it took."""
    said = data.get("usage") if isinstance(data, dict) else None
    if not isinstance(said, dict):
        return None
    if not {inputs[0], output} <= said.keys():
        return None
    counts = [said.get(name) or 0 for name in (*inputs, output)]
    if not all(isinstance(count, int) and 0 <= count < 1e8 for count in counts):
        return None
    return Usage(sum(counts[:-1]), counts[-1])


def _fitting(name: str, arguments: Any, question: ModelQuestion, usage: Usage | None) -> Mapping[str, Any]:
    """The arguments, if they are what the schema asks for."""
    called = next(one for one in question.tools if one.name == name)
    if not isinstance(arguments, dict):
        raise NoAnswer("nonsense", f"The tool {name} was called without arguments.", usage=usage)
    if not called.checked:
        return arguments
    properties = called.schema["properties"]
    for part, schema in properties.items():
        if not _fits(arguments.get(part), schema):
            shown = clean(repr(arguments.get(part)), 60)
            raise NoAnswer("nonsense", f"{part} of the tool {name} cannot be {shown}.", usage=usage)
    return {part: arguments[part] for part in properties}


def _fits(value: Any, schema: Mapping[str, Any]) -> bool:
    match schema["type"]:
        case "string":
            return isinstance(value, str) and ("enum" not in schema or value in schema["enum"])
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
        case "array":
            return isinstance(value, list) and all(_fits(one, schema["items"]) for one in value)
    return False
