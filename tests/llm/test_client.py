"""One question over HTTP: what goes out, what comes back, and all that can go wrong on the way."""

import json
import time
from dataclasses import replace

import pytest

from jimbo.llm import bodies
from jimbo.llm.bodies import MAX_TEXT, clean
from jimbo.llm.client import make_client
from jimbo.llm.protocol import AnsweredCall, ModelQuestion, ModelTool, NoAnswer, ToolCall, Usage, answering
from llm.stand_in import FAULTS, Service

WORDS = {"type": "string"}
CHOOSE = answering(
    "choose", "Choose.", {"reason": WORDS, "option": WORDS | {"enum": ["A", "B"]}, "confidence": {"type": "number"}}
)
QUESTION = ModelQuestion("You advise.", "What now?", [CHOOSE], 200)
LOOK = {"type": "object", "properties": {"run": WORDS}, "required": ["run"]}
TALK = ModelQuestion(
    "You play.",
    "The run has begun.",
    [ModelTool("look", "See.", LOOK), ModelTool("act", "Act.", LOOK | {"required": []})],
    200,
    [
        AnsweredCall(ToolCall("look", {"run": "r1"}, "c1", "First I look."), "a shop"),
        AnsweredCall(ToolCall("act", {"run": "r7"}, "c2"), "There is no run r7.", failed=True),
    ],
    forced=False,
)
APIS = ("anthropic", "openai")
KINDS = {
    "limited": "rate_limited",
    "overloaded": "server_error",
    "broken": "server_error",
    "unauthorized": "refused",
    "redirected": "refused",
    "hangs_up": "unreachable",
    "half": "unreachable",
    "stalls": "timeout",
    "drips": "timeout",
}


@pytest.mark.parametrize("api", APIS)
def test_a_question_is_answered_by_a_tool(api: str, stand_in: Service, key: str) -> None:
    answer = make_client(api, "some-model", stand_in.url).ask(QUESTION, 5.0)  # type: ignore[arg-type]
    assert answer.arguments == {"reason": "n", "option": "A", "confidence": 0.5}
    assert answer.usage == Usage(1200, 80)
    (body,), (headers,) = stand_in.seen, stand_in.headers
    assert key in (headers.get("x-api-key"), headers.get("authorization", "").removeprefix("Bearer "))
    assert (body["model"], body["max_tokens"]) == ("some-model", 200)
    assert "temperature" not in body  # newer models refuse it
    told = str(body["messages"]) + str(body.get("system"))
    assert "What now?" in told
    assert "You advise." in told


def test_the_tool_is_forced(stand_in: Service) -> None:
    for api in APIS:
        make_client(api, "m", stand_in.url).ask(QUESTION, 5.0)  # type: ignore[arg-type]
    messages, chat = stand_in.seen
    assert messages["tool_choice"] == {"type": "tool", "name": "choose", "disable_parallel_tool_use": True}
    assert messages["tools"][0]["input_schema"]["properties"]["option"]["enum"] == ["A", "B"]
    assert chat["tool_choice"] == {"type": "function", "function": {"name": "choose"}}
    assert messages["thinking"] == {"type": "disabled"}


def test_a_model_that_thinks_is_not_forced(stand_in: Service) -> None:
    for api in APIS:
        make_client(api, "m", stand_in.url, thinking=True).ask(QUESTION, 5.0)  # type: ignore[arg-type]
    messages, chat = stand_in.seen
    assert "thinking" not in messages
    free = {"type": "auto", "disable_parallel_tool_use": True}
    assert (messages["tool_choice"], chat["tool_choice"]) == (free, "auto")


def test_a_conversation_of_calls_goes_out_as_each_service_wants_it(stand_in: Service) -> None:
    stand_in.words = "Then I act."
    for api in APIS:
        answer = make_client(api, "m", stand_in.url).ask(TALK, 5.0)  # type: ignore[arg-type]
        assert (answer.call.tool, answer.call.words, answer.arguments) == ("act", "Then I act.", {"run": "n"})
        make_client(api, "m", stand_in.url).ask(replace(TALK, forced=True), 5.0)  # type: ignore[arg-type]
    messages, forced, chat, forced_chat = stand_in.seen
    used = {"type": "tool_use", "id": "c1", "name": "look", "input": {"run": "r1"}}
    assert messages["messages"][1]["content"] == [{"type": "text", "text": "First I look."}, used]
    refused = {"type": "tool_result", "tool_use_id": "c2", "content": "There is no run r7.", "is_error": True}
    assert messages["messages"][4] == {"role": "user", "content": [refused]}
    assert [message["role"] for message in messages["messages"]] == ["user", *("assistant", "user") * 2]
    function = {"name": "look", "arguments": '{"run": "r1"}'}
    assert chat["messages"][2]["content"] == "First I look."
    assert chat["messages"][2]["tool_calls"] == [{"id": "c1", "type": "function", "function": function}]
    assert chat["messages"][5] == {"role": "tool", "tool_call_id": "c2", "content": "There is no run r7."}
    assert [one["tool_choice"] for one in (messages, chat)] == [
        {"type": "auto", "disable_parallel_tool_use": True},
        "auto",
    ]
    assert [one["tool_choice"] for one in (forced, forced_chat)] == [
        {"type": "any", "disable_parallel_tool_use": True},
        "required",
    ]


def test_thoughts_go_back_as_they_came() -> None:
    thought = {"type": "thinking", "thinking": "hm", "signature": "s"}
    call = {"type": "tool_use", "id": "c9", "name": "act", "input": {"run": "r1"}}
    made = bodies.from_messages({"content": [thought, call]}, TALK)
    assert made.usage is None
    again = replace(TALK, calls=[AnsweredCall(made.call, "done")])
    assert bodies.messages(again)[1]["content"] == [thought, call]


@pytest.mark.parametrize(
    ("written", "call"),
    [
        ('{"name": "act", "arguments": {"run": "r1"}}', ("act", {"run": "r1"})),
        ('{"name": "fly", "arguments": {}}', None),
        ('{"run": "r1"}', None),
        ("act", None),
        ("[1]", None),
        (None, None),
    ],
)
def test_a_call_may_be_written_as_text(written: str | None, call: tuple[str, dict[str, str]] | None) -> None:
    data = {"choices": [{"message": {"content": written}}]}
    if call:
        made = bodies.from_chat(data, TALK).call
        assert (made.tool, made.arguments) == call
    else:
        with pytest.raises(NoAnswer, match="does not call the tool look or act"):
            bodies.from_chat(data, TALK)


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_ends_in_time_with_a_sentence(api: str, fault: str, stand_in: Service, key: str) -> None:
    stand_in.faults = [fault]
    client, began = make_client(api, "m", stand_in.url), time.monotonic()  # type: ignore[arg-type]
    with pytest.raises(NoAnswer) as found:
        client.ask(QUESTION, 0.5)
    assert time.monotonic() - began < 5
    assert found.value.kind == KINDS.get(fault, "nonsense")
    assert found.value.wait == (2.0 if fault == "limited" else None)
    assert key not in f"{found.value!r} {found.value} {found.value.__cause__!r} {client!r}"
    assert len(stand_in.seen) == 1  # nothing is repeated, no redirect followed


def test_what_a_useless_answer_took_is_known(stand_in: Service) -> None:
    stand_in.faults = ["free_text"]
    with pytest.raises(NoAnswer) as found:
        make_client("anthropic", "m", stand_in.url).ask(QUESTION, 5.0)
    assert found.value.usage == Usage(900, 20)


@pytest.mark.parametrize("api", APIS)
def test_a_key_is_cut_out_of_answers(api: str, stand_in: Service, key: str) -> None:
    stand_in.faults = ["echo"]
    answer = make_client(api, "m", stand_in.url).ask(QUESTION, 5.0)  # type: ignore[arg-type]
    assert "[key]" in answer.arguments["reason"]
    assert key not in answer.arguments["reason"]


def test_a_local_model_needs_no_key_and_may_answer_in_json(stand_in: Service) -> None:
    client = make_client("openai", "m", f"{stand_in.url}/v1")
    client.ask(QUESTION, 5.0)
    assert "authorization" not in stand_in.headers[0]


def test_nobody_at_the_place(stand_in: Service) -> None:
    client = make_client("anthropic", "m", "http://127.0.0.1:9")
    with pytest.raises(NoAnswer, match=r"http://127\.0\.0\.1:9 cannot be reached") as found:
        client.ask(QUESTION, 5.0)
    assert (found.value.kind, found.value.free) == ("unreachable", True)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"base_url": "ftp://x"}, "base_url must be a web address"),
        ({"base_url": "http://"}, "base_url must be a web address"),
        ({"base_url": "http://[::1"}, "base_url must be a web address"),
        ({"base_url": "https://me:pass-word@host/v1"}, "keys come from the environment"),
        ({"base_url": "https://host/v1?key=pass-word"}, "keys come from the environment"),
        ({"key_env": "sk-ant-pass-word"}, "never the key itself"),
        ({"key_env": "NO_SUCH_KEY"}, "put it into the environment variable NO_SUCH_KEY"),
        ({}, "put it into the environment variable ANTHROPIC_API_KEY"),
    ],
)
def test_what_is_missing_is_said(arguments: dict[str, str], said: str) -> None:
    with pytest.raises(ValueError, match=said) as found:
        make_client("anthropic", "m", **arguments)
    assert "pass-word" not in str(found.value)


def test_a_key_does_not_travel_in_the_open(key: str) -> None:
    with pytest.raises(ValueError, match="must not travel in the open") as found:
        make_client("anthropic", "m", "http://models.example.org")
    assert key not in str(found.value)


def test_a_broken_key_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "pass\nword")
    with pytest.raises(ValueError, match="holds what cannot be a key") as found:
        make_client("anthropic", "m")
    assert "word" not in str(found.value)


def test_texts_from_outside_are_tamed() -> None:
    assert clean("a\x1b[31mb\r\n c") == "a [31mb c"
    assert len(clean("x" * 10_000)) == MAX_TEXT


def test_no_request_has_more_tokens_than_bytes() -> None:
    longer = replace(QUESTION, prompt="♠" * 100)
    assert longer.most_input_tokens - QUESTION.most_input_tokens == 3 * 100 - len("What now?")
    for body in (bodies.messages(TALK), bodies.chat_messages(TALK)):
        tools = [bodies.tool(one) for one in TALK.tools]
        assert TALK.most_input_tokens > len(json.dumps([body, tools, TALK.system], ensure_ascii=False).encode())
