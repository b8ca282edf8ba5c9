"""What clients list, in its order, and the page that shows it: both change only where somebody means it."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from mcp_page import PAGE, SCHEMAS, page, schemas


def test_schemas_and_order_of_tools_are_as_they_were() -> None:
    assert SCHEMAS.read_text(encoding="utf-8") == schemas(), "if that is meant, run: python tools/mcp_page.py"


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python tools/mcp_page.py"


def test_tools_cost_a_model_little() -> None:
    """Names, descriptions and arguments are in every prompt of a client."""
    tools = json.loads(SCHEMAS.read_text(encoding="utf-8"))["tools"]
    told = [{name: tool[name] for name in ("name", "description", "input_schema")} for tool in tools]
    assert [round(len(json.dumps(told[:count])), -3) for count in (8, 10)] == [5_000, 7_000], "docs/mcp.md says so"
    assert all("output_schema" in tool and len(tool["description"]) < 400 for tool in tools)


GUIDE = PAGE.with_name("mcp.md").read_text(encoding="utf-8")


def test_the_program_of_the_guide_runs(tmp_path: Path) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.startswith("did: play Small Blind\n")


def test_the_settings_of_the_guide_are_json() -> None:
    found = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", GUIDE, re.DOTALL)]
    assert [[*one] for one in found] == [["mcpServers"], ["servers"]]
    for one in found:
        (servers,) = one.values()
        assert servers["jimbo"]["args"] == ["mcp"]
