"""What clients list, in its order, and the page that shows it: both change only where somebody means it."""

import json

from mcp_page import PAGE, SCHEMAS, page, schemas


def test_schemas_and_order_of_tools_are_as_they_were() -> None:
    assert SCHEMAS.read_text(encoding="utf-8") == schemas(), "if that is meant, run: python tools/mcp_page.py"


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python tools/mcp_page.py"


def test_tools_cost_a_model_little() -> None:
    """Names, descriptions and arguments are in every prompt of a client."""
    tools = json.loads(SCHEMAS.read_text(encoding="utf-8"))["tools"]
    told = [{name: tool[name] for name in ("name", "description", "input_schema")} for tool in tools]
    assert len(json.dumps(told)) < 7_000
    assert all("output_schema" in tool and len(tool["description"]) < 400 for tool in tools)
