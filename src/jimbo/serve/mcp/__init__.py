"""The game as tools for language models, by the Model Context Protocol. It needs the package mcp, and says so."""

from jimbo.extras import require

require("mcp", "mcp")

from jimbo.serve.mcp.runs import RunLimits, Runs  # noqa: E402
from jimbo.serve.mcp.server import make_server  # noqa: E402

__all__ = ["RunLimits", "Runs", "make_server"]
