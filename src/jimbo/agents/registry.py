"""Agents by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from jimbo.agents.expert import ExpertAgent
from jimbo.agents.greedy import GreedyAgent
from jimbo.agents.protocol import Agent
from jimbo.agents.random_agent import RandomAgent

_AGENTS: Mapping[str, Callable[..., Agent]] = {
    "random": RandomAgent,
    "greedy": GreedyAgent,
    "expert": ExpertAgent,
}


def agent_names() -> tuple[str, ...]:
    return tuple(_AGENTS)


def make_agent(name: str, **options: Any) -> Agent:
    """An agent by its name; options are its own (see its class)."""
    if name not in _AGENTS:
        raise ValueError(f'there is no agent "{name}": choose one of {", ".join(_AGENTS)}')
    return _AGENTS[name](**options)
