"""Whatever chooses an action, from public information only."""

from jimbo.lazy import lazily

_MODULES = {
    "jimbo.agents.protocol": ("Agent", "BareAgent", "Considered", "Decision", "Measure"),
    "jimbo.agents.registry": ("agent_names", "agent_options", "check_option_names", "make_agent"),
}
__all__, __getattr__, __dir__ = lazily(__name__, _MODULES)
