"""Whatever chooses an action, from public information only."""

from jimbo.agents.protocol import Agent, BareAgent, Considered, Decision, Measure
from jimbo.agents.registry import agent_names, agent_options, check_option_names, make_agent

__all__ = [
    "Agent",
    "BareAgent",
    "Considered",
    "Decision",
    "Measure",
    "agent_names",
    "agent_options",
    "check_option_names",
    "make_agent",
]
