"""The compiled rules engine and its typed view; the only place that imports the extension ``_core``."""

from jimbo.engine import catalog
from jimbo.engine._core import Action, Event, IllegalAction, Preview, Run, action_kinds, build_info

__all__ = ["Action", "Event", "IllegalAction", "Preview", "Run", "action_kinds", "build_info", "catalog"]
