"""The assistant on the whole screen. It needs Textual; importing this says so where it is missing."""

from jimbo.extras import require

require("textual", "tui")

from jimbo.serve.tui.app import AssistantApp, run_app  # noqa: E402
from jimbo.serve.tui.threads import PlayedElsewhere  # noqa: E402

__all__ = ["AssistantApp", "PlayedElsewhere", "run_app"]
