"""The event aggregator: takes events from many programs, hands them on in batches, and counts what it cannot take."""

from jimbo.lazy import lazily

_MODULES = {
    "jimbo.serve.events.aggregator": ("BatchStats", "EventAggregator"),
    "jimbo.serve.events.app": ("EventApp",),
    "jimbo.serve.events.server": ("ServerSettings", "run_server"),
}
__all__, __getattr__, __dir__ = lazily(__name__, _MODULES)
