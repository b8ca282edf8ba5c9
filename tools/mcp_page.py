"""docs/mcp-tools.md and the schemas that tests keep, from the server itself: ``python tools/mcp_page.py``."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
from mcp import Client

from jimbo.agents import make_agent
from jimbo.serve.mcp import RunLimits, Runs, make_server
from jimbo.serve.mcp.guide import instructions
from jimbo.serve.mcp.reviewing import Reviewer
from jimbo.serve.mcp.runs import simulated
from jimbo.serve.review import Judge

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "mcp-tools.md"
SCHEMAS = ROOT / "tests" / "serve" / "mcp" / "schemas.json"
SEED = "ALEEB"
POSITION = "hand: As Ah Kd 9c 7d 4s 3h 2c; jokers: Joker; ante: 2; blind: The Needle; needs: 150; hands: 1; discards: 0"
EFFORT = 0.1
_WIDTH = 120
_HEAD = f"""# What the tools for language models answer

Every tool, resource and prompt of `jimbo mcp` ([mcp.md](mcp.md)), with an answer of each: the words that a model reads,
from a run of the seed {SEED} with advice of `--effort {EFFORT:g}`; long lines are folded. The same answers come as data
(structured content), whose schemas the server lists. `python tools/mcp_page.py` writes this page.

What a model is told first:

"""
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("new_run", {"seed": SEED}),
    ("look", {"run": "r1"}),
    ("act", {"run": "r1", "action": "next"}),
    ("act", {"run": "r1", "token": "0-000000", "action": "next"}),
    ("advise", {"run": "r1", "top": 2}),
    ("score", {"run": "r1", "cards": [1, 2]}),
    ("what_if", {"run": "r1", "actions": ["discard 3 4 5 6 7"]}),
    ("new_run", {"position": POSITION}),
    ("act", {"run": "r2", "action": "play 8"}),
    ("review", {"run": "r2", "top": 1}),
    ("explain", {"item": "gold"}),
    ("explain", {"item": "bluprint"}),
    ("seed_show", {"seed": SEED, "antes": "1", "queue": 4}),
    ("seed_find", {"has": ["negative perkeo @ 1-8"], "by_ante": 8, "limit": 1}),
)


def page() -> str:
    """The page as it is now."""
    return anyio.run(_with_client, _page)


def schemas() -> str:
    """Tools, resources and prompts as clients list them, in order."""
    return anyio.run(_with_client, _schemas)


async def _with_client(ask: Callable[[Client], Awaitable[str]]) -> str:
    runs = Runs(simulated, lambda: make_agent("expert", effort=EFFORT), RunLimits())
    reviewer = Reviewer(Judge("expert", {"effort": EFFORT}, EFFORT))
    async with Client(make_server(runs, seeds=True, reviewer=reviewer)) as client:
        return await ask(client)


async def _schemas(client: Client) -> str:
    listed: dict[str, list[Any]] = {
        "tools": list((await client.list_tools()).tools),
        "resources": list((await client.list_resources()).resources),
        "resource_templates": list((await client.list_resource_templates()).resource_templates),
        "prompts": list((await client.list_prompts()).prompts),
    }
    data = {name: [one.model_dump(mode="json", exclude_none=True) for one in ones] for name, ones in listed.items()}
    return json.dumps(data, indent=1) + "\n"


async def _page(client: Client) -> str:
    parts = [
        _HEAD + "\n".join(f"> {line}" for line in _wrapped(instructions(joins=False, seeds=True), _WIDTH - 2)) + "\n"
    ]
    answers: dict[str, list[str]] = {}
    token = ""
    for tool, given in CALLS:
        arguments = given | ({"token": token} if tool == "act" and "token" not in given else {})
        answer = await client.call_tool(tool, arguments)
        token = (answer.structured_content or {}).get("token", token)
        said = "\n".join(getattr(part, "text", "") for part in answer.content)
        call = f"{tool} {json.dumps(arguments)}"
        answers.setdefault(tool, []).append("\n".join(["```text", *_folded(f"> {call}"), *_folded(said), "```", ""]))
    for tool_listed in (await client.list_tools()).tools:
        parts.append(f"## {tool_listed.name}\n\n" + "\n".join(_wrapped(tool_listed.description or "")) + "\n")
        parts.append(_arguments(tool_listed.input_schema))
        parts += answers[tool_listed.name]
    parts.append("## Resources\n\n| address | what |\n|---|---|")
    resources = [(one.uri, one.description) for one in (await client.list_resources()).resources]
    templates = (await client.list_resource_templates()).resource_templates
    rows = [*resources, *((one.uri_template, one.description) for one in templates)]
    parts[-1] += "".join(f"\n| `{uri}` | {what} |" for uri, what in rows) + "\n"
    parts.append("## Prompts\n\n| prompt | what |\n|---|---|")
    prompts = (await client.list_prompts()).prompts
    parts[-1] += "".join(f"\n| `{one.name}` | {one.description} |" for one in prompts) + "\n"
    return "\n".join(parts).rstrip() + "\n"


def _arguments(schema: dict[str, Any]) -> str:
    rows = ["| argument | type | meaning |", "|---|---|---|"]
    for name, one in schema["properties"].items():
        kind = f"list of {one['items']['type']}s" if one["type"] == "array" else one["type"]
        kind = " or ".join(f"`{value}`" for value in one["enum"]) if "enum" in one else kind
        default = one.get("default")
        more = f"default {json.dumps(default)}" if default not in (None, "", []) else ""
        needed = "needed" if name in schema.get("required", ()) else more
        meaning = "; ".join(filter(None, (one.get("description", ""), needed)))
        rows.append(f"| `{name}` | {kind} | {meaning} |".replace("a|b", "a\\|b"))
    return "\n".join(rows) + "\n"


def _folded(text: str) -> Iterator[str]:
    for line in text.splitlines():
        yield from _wrapped(line, indent="  ")


def _wrapped(text: str, width: int = _WIDTH, indent: str = "") -> list[str]:
    return textwrap.wrap(text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    SCHEMAS.write_text(schemas(), encoding="utf-8")
