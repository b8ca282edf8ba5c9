"""Agents by name, with the options that each takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from jimbo.agents.expert import ExpertAgent, ExpertOptions
from jimbo.agents.greedy import GreedyAgent
from jimbo.agents.protocol import Agent
from jimbo.agents.random_agent import RandomAgent
from jimbo.declared import Declared, fields_of


@dataclass(frozen=True, slots=True)
class NoOptions(Declared):
    """For an agent that takes none."""


_AGENTS: dict[str, tuple[type[Declared], Callable[[Any], Agent]]] = {
    "random": (NoOptions, lambda _: RandomAgent()),
    "greedy": (NoOptions, lambda _: GreedyAgent()),
    "expert": (ExpertOptions, ExpertAgent),
}


def agent_names() -> tuple[str, ...]:
    return tuple(_AGENTS)


def make_agent(name: str, **options: Any) -> Agent:
    """An agent by its name, with options of its own; ValueError with a sentence for any that it does not take."""
    kind = agent_options(name)
    check_option_names(name, options)
    try:
        return _AGENTS[name][1](kind(**options))
    except ValueError as error:
        raise ValueError(f"The agent {name} cannot be made: {error}.") from None


def agent_options(name: str) -> type[Declared]:
    """The options of an agent, as the dataclass that declares them."""
    if name not in _AGENTS:
        raise ValueError(f'There is no agent "{name}". Choose one of {", ".join(_AGENTS)}.')
    return _AGENTS[name][0]


def check_option_names(name: str, given: Iterable[str]) -> None:
    """ValueError for an option that the agent does not have, with those it has."""
    known = [entry.name for entry in fields_of(agent_options(name))]
    unknown = ", ".join(option for option in given if option not in known)
    if unknown and not known:
        raise ValueError(f"The agent {name} has no options, so {unknown} cannot be given.")
    if unknown:
        raise ValueError(f"The agent {name} has no option {unknown}. Its options are {', '.join(known)}.")
