"""Agents by name: those of this package, those that installed packages bring, and any class as ``module:Class``.

None is loaded before it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from jimbo.agents.installed import InstalledAgent, installed_agents, trouble_with
from jimbo.agents.loading import EXAMPLE, instance, load_class, options_of, source_file, source_hash
from jimbo.agents.protocol import Agent
from jimbo.agents.seat import Seat
from jimbo.declared import Declared, fields_of, from_dict, is_required
from jimbo.files import file_hash, named_file

BUILT_IN = {
    "random": "jimbo.agents.random_agent:RandomAgent",
    "greedy": "jimbo.agents.greedy:GreedyAgent",
    "expert": "jimbo.agents.expert:ExpertAgent",
    "fast": "jimbo.agents.fast:FastAgent",
    "network": "jimbo.agents.network:NetworkAgent",
}


@dataclass(frozen=True, slots=True)
class KnownAgent:
    """Where an agent is."""

    name: str
    """What people type: a name, or the place itself."""
    place: str
    """``module:Class``."""
    package: str = ""
    """What brings it, with the version, where that is an installed package."""


def agent_names() -> tuple[str, ...]:
    """Those that can be asked for by a name; whether they can be loaded shows when they are."""
    return tuple(agent.name for agent in known_agents()[0])


def known_agents() -> tuple[list[KnownAgent], list[str]]:
    """All agents that have names, and a sentence about each that has one but cannot be asked for by it."""
    known = [KnownAgent(name, place) for name, place in BUILT_IN.items()]
    troubles = []
    for name, group in groupby(installed_agents(), lambda agent: agent.name):
        agents = list(group)
        if trouble := trouble_with(name, agents, BUILT_IN):
            troubles.append(trouble)
        else:
            known.append(_known(agents[0]))
    return known, troubles


def find_agent(name: str) -> KnownAgent:
    """ValueError for a name that means no agent, or more than one. A place is taken at its word."""
    if name in BUILT_IN:
        return KnownAgent(name, BUILT_IN[name])
    if ":" in name:
        return KnownAgent(name, name)
    agents = [agent for agent in installed_agents() if agent.name == name]
    if not agents:
        names = ", ".join(agent_names())
        raise ValueError(f'There is no agent "{name}". Choose one of {names}, or name a class: {EXAMPLE}.')
    if trouble := trouble_with(name, agents, BUILT_IN):
        raise ValueError(trouble)
    return _known(agents[0])


def _known(agent: InstalledAgent) -> KnownAgent:
    return KnownAgent(agent.name, agent.place, agent.package)


def agent_class(name: str) -> type[Any]:
    """ValueError with a sentence if it cannot be loaded."""
    agent = find_agent(name)
    try:
        return load_class(agent.place)
    except ValueError as error:
        if not agent.package:
            raise
        raise ValueError(f"The agent {name}, which {agent.package} brings, cannot be used. {error}") from error


def make_agent(name: str, /, **options: Any) -> Agent:
    """An agent with options of its own; ValueError with a sentence for any that it does not take.

    ImportError where it needs a package that is not installed.
    """
    kind, declares = agent_class(name), agent_options(name)
    check_option_names(name, options)
    if missing := [entry.name for entry in fields_of(declares) if is_required(entry) and entry.name not in options]:
        raise ValueError(f"The agent {name} must be given the option {missing[0]}: --set {missing[0]}=VALUE.")
    try:
        return Seat(instance(kind, from_dict(declares, options)), name)
    except ValueError as error:
        raise ValueError(f"The agent {name} cannot be made: {error}.") from error


def agent_options(name: str) -> type[Declared]:
    """The options of an agent, as the dataclass that declares them."""
    return options_of(agent_class(name))


def check_option_names(name: str, given: Iterable[str]) -> None:
    """ValueError for an option that the agent does not have, with those it has."""
    known = [entry.name for entry in fields_of(agent_options(name))]
    unknown = ", ".join(option for option in given if option not in known)
    if unknown and not known:
        raise ValueError(f"The agent {name} has no options, so {unknown} cannot be given.")
    if unknown:
        raise ValueError(f"The agent {name} has no option {unknown}. Its options are {', '.join(known)}.")


def agent_source(name: str) -> dict[str, str]:
    """What tells whether an agent is still the same: class, package and version, hash of the source file.

    Nothing for a built-in agent, which is as old as this package, and for one that cannot be loaded: making it says so.
    """
    if name in BUILT_IN:
        return {}
    try:
        agent, kind = find_agent(name), agent_class(name)
    except ValueError:
        return {}
    parts = {"class": agent.place, "package": agent.package, "source_hash": source_hash(kind) or ""}
    return {part: text for part, text in parts.items() if text}


def option_files(options: Mapping[str, Any]) -> dict[str, str]:
    """Hashes of the files that options name: their content decides as much as the options do."""
    texts = {name: value for name, value in options.items() if isinstance(value, str)}
    return {name: file_hash(path)[:16] for name, value in texts.items() if (path := named_file(value))}


def agent_file(name: str) -> Path | None:
    """Where the class of an agent is written."""
    return source_file(agent_class(name))


def agent_folder(name: str) -> Path | None:
    """The current folder, where the class of an agent is found because it is there, and nowhere else."""
    if name in BUILT_IN or ":" not in name:
        return None
    file, here = agent_file(name), Path.cwd()
    return here if file and file.is_relative_to(here) else None
