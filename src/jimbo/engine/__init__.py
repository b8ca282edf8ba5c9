"""The compiled rules engine and its typed view; the only place that imports the extension ``_core``."""

from jimbo.engine._core import build_info

__all__ = ["build_info"]
