"""Whatever chooses an action, by public information only."""

from jimbo.agents.protocol import Agent, Candidate, Decision, Measure
from jimbo.agents.registry import agent_names, make_agent

__all__ = ["Agent", "Candidate", "Decision", "Measure", "agent_names", "make_agent"]
