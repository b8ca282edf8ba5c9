"""Every tool, resource and prompt through the official client, in memory, over standard streams and over HTTP."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from mcp import StdioServerParameters

from serve.mcp.talking import BEFORE, NEWEST, Talk, server, talk

EFFORT = "0.05"
COMMAND = ["-m", "jimbo", "mcp", "--seeds", "--effort", EFFORT]


@contextmanager
def http_server(*options: str) -> Iterator[dict[str, Any]]:
    """Its address and token."""
    command = [sys.executable, *COMMAND, "--http", "--port", "0", "--json", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield json.loads(process.stdout.readline())
        finally:
            process.terminate()
            _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (0, "")


async def everything(talk: Talk) -> list[Any]:
    """All answers, each as data and in words."""
    answers: list[Any] = []

    async def call(tool: str, **arguments: Any) -> dict[str, Any]:
        data = await talk(tool, **arguments)
        answers.append((tool, data, talk.said))
        called.add(tool)
        return data

    called: set[str] = set()
    run = (await call("new_run", seed="TESTSEED"))["run"]
    token = (await call("look", run=run))["token"]
    await call("advise", run=run)
    await call("act", run=run, token=token, action="next")
    answers.append(await talk.refusal("act", run=run, token=token, action="next"))
    await call("look", run=run, detail="full")
    await call("score", run=run, cards=[1, 2])
    await call("what_if", run=run, actions=["discard 1 2", "play 1 2 3"])
    await call("review", run=run)
    await call("explain", item="Blueprint")
    await call("seed_show", seed="TESTSEED", antes="1")
    await call("seed_find", has=["blueprint"], limit=2)
    tools = (await talk.client.list_tools()).tools
    assert {tool.name for tool in tools} == called
    answers.append([tool.model_dump(mode="json") for tool in tools])
    for listed in (await talk.client.list_resources()).resources:
        answers.append(await talk.read(listed.uri))
    for template in (await talk.client.list_resource_templates()).resource_templates:
        answers.append(await talk.read(template.uri_template.replace("{run}", run).replace("{kind}", "tags")))
    for prompt in (await talk.client.list_prompts()).prompts:
        got = await talk.client.get_prompt(prompt.name, {"run": run})
        answers.append(got.messages[0].content.text)
    return answers


@pytest.fixture(scope="module")
def in_memory() -> list[Any]:
    return talk(server("expert", seeds=True, effort=float(EFFORT)), everything)


def test_in_memory(in_memory: list[Any]) -> None:
    assert all(in_memory)


def test_over_standard_streams(in_memory: list[Any]) -> None:
    assert talk(StdioServerParameters(command=sys.executable, args=COMMAND), everything) == in_memory


def test_over_http(in_memory: list[Any]) -> None:
    with http_server() as there:
        assert talk(there["url"], everything, there["token"]) == in_memory
        # There are no sessions: another client goes on with the run, in the version that it speaks.
        for mode in ("auto", "legacy"):
            assert talk(there["url"], goes_on, there["token"], mode)["token"].startswith("1-")
        assert talk(there["url"], version, there["token"]) == NEWEST
        assert talk(there["url"], version, there["token"], "legacy") == BEFORE
        assert talk(there["url"], lambda talk: talk("look", run="r1"), there["token"], "legacy")["token"].startswith(
            "1-"
        )


async def goes_on(talk: Talk) -> dict[str, Any]:
    return await talk("look", run="r1")


async def version(talk: Talk) -> str:
    return talk.client.protocol_version


def test_clients_of_the_version_before_get_the_same(in_memory: list[Any]) -> None:
    there = StdioServerParameters(command=sys.executable, args=COMMAND)
    assert talk(there, everything, mode="legacy") == in_memory
