"""Typed events about games, trainings and decisions, and a sender that never holds up the program it tells of."""

from jimbo.lazy import lazily

_MODULES = {
    "jimbo.telemetry.events": ("EVENTS", "EventData"),
    "jimbo.telemetry.messages": ("BadMessage", "checked_message"),
    "jimbo.telemetry.source": ("EventSource",),
}
__all__, __getattr__, __dir__ = lazily(__name__, _MODULES)
