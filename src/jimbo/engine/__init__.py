"""The compiled rules engine and its typed view; the only place that imports the extension ``_core``."""

from jimbo.engine import catalog
from jimbo.engine._core import (
    Action,
    Event,
    IllegalAction,
    Preview,
    RoundForecast,
    Run,
    SolvedAction,
    action_kinds,
    base_score,
    best_hand_order,
    best_joker_order,
    build_info,
    forecast,
    solve_blind,
)

__all__ = [
    "Action",
    "Event",
    "IllegalAction",
    "Preview",
    "RoundForecast",
    "Run",
    "SolvedAction",
    "action_kinds",
    "base_score",
    "best_hand_order",
    "best_joker_order",
    "build_info",
    "catalog",
    "forecast",
    "solve_blind",
]
