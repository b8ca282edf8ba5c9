"""Agents by name: those of this package, those that installed packages bring, and any class as ``module:Class``.

None is loaded before it is asked for. Installed packages bring agents by the names in their metadata: entry points of
the group ``jimbo.agents``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from itertools import groupby
from pathlib import Path
from typing import Any

from jimbo.agents.loading import EXAMPLE, instance, load_class, options_of, source_file, source_hash
from jimbo.agents.protocol import Agent, Seat
from jimbo.declared import Declared, fields_of, from_dict, from_text, help_lines, is_required
from jimbo.files import file_hash, named_file

BUILT_IN = {
    "random": "jimbo.agents.baselines:RandomAgent",
    "greedy": "jimbo.agents.baselines:GreedyAgent",
    "expert": "jimbo.agents.expert:ExpertAgent",
    "fast": "jimbo.agents.expert:FastAgent",
    "risk_aware": "jimbo.agents.expert:RiskAwareAgent",
    "network": "jimbo.agents.network:NetworkAgent",
    "claude": "jimbo.llm.adviser:ClaudeAgent",
    "llm": "jimbo.llm.player:LlmAgent",
}
GROUP = "jimbo.agents"
# Such names can be typed in a shell and be the names of folders; one with a colon would be taken for a class.
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")


@dataclass(frozen=True, slots=True)
class KnownAgent:
    """Where an agent is."""

    name: str
    """What people type: a name, or the place itself."""
    place: str
    """``module:Class``."""
    package: str = ""
    """What brings it, with the version, where that is an installed package."""


# --- Names ------------------------------------------------------------------------------------------------------------


def agent_names() -> tuple[str, ...]:
    """Those that can be asked for by a name; whether they can be loaded shows when they are."""
    return tuple(agent.name for agent in known_agents()[0])


def known_agents() -> tuple[list[KnownAgent], list[str]]:
    """All agents that have names, and a sentence about each that has one but cannot be asked for by it."""
    known = [KnownAgent(name, place) for name, place in BUILT_IN.items()]
    troubles = []
    for name, group in groupby(installed_agents(), lambda agent: agent.name):
        agents = list(group)
        if trouble := _trouble_with(name, agents):
            troubles.append(trouble)
        else:
            known.append(agents[0])
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
    if trouble := _trouble_with(name, agents):
        raise ValueError(trouble)
    return agents[0]


@cache
def installed_agents() -> tuple[KnownAgent, ...]:
    """All that are found, in order of their names, whether they can be used or not. The search takes its time."""
    found = {_installed(entry) for entry in entry_points(group=GROUP)}  # a package can be found twice
    return tuple(sorted(found, key=lambda agent: (agent.name, agent.package, agent.place)))


def _installed(entry: EntryPoint) -> KnownAgent:
    package = f"{entry.dist.name} {entry.dist.version}" if entry.dist else "a package without a name"
    return KnownAgent(entry.name, entry.value.partition("[")[0].strip(), package)


def _trouble_with(name: str, agents: Collection[KnownAgent]) -> str | None:
    """Why these agents cannot be asked for by the name that they share, as a sentence; None if there is no reason."""
    who = " and ".join(agent.package for agent in agents)
    instead = " or ".join(agent.place for agent in agents)
    if not _NAME.fullmatch(name):
        return f'The name "{name}", by {who}, is not made of letters, digits and _.- alone. Use --agent {instead}.'
    if name in BUILT_IN:
        return f"{who} brings an agent {name}, too, but that name means the built-in one. Use --agent {instead}."
    if len(agents) > 1:
        return f"{who} both bring an agent {name}. Use --agent {instead}."
    return None


# --- Agents -----------------------------------------------------------------------------------------------------------


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


def agent_file(name: str) -> Path | None:
    """Where the class of an agent is written."""
    return source_file(agent_class(name))


def agent_folder(name: str) -> Path | None:
    """The current folder, where the class of an agent is found because it is there, and nowhere else."""
    if name in BUILT_IN or ":" not in name:
        return None
    file, here = agent_file(name), Path.cwd()
    return here if file and file.is_relative_to(here) else None


# --- Options ----------------------------------------------------------------------------------------------------------


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


def option_files(options: Mapping[str, Any]) -> dict[str, str]:
    """Hashes of the files that options name: their content decides as much as the options do."""
    texts = {name: value for name, value in options.items() if isinstance(value, str)}
    return {name: file_hash(path)[:16] for name, value in texts.items() if (path := named_file(value))}


def read_options(agent: str, texts: Sequence[str] = (), flags: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """``key=value`` texts, each value read as its option declares it. ValueError says what is wrong with one.

    ``flags`` are options that were given by flags of their own. The agent says whether the values are in range when it
    is made.
    """
    options: dict[str, Any] = dict(flags or {})
    check_option_names(agent, options)
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.isidentifier() or not text.isprintable():
            raise ValueError(f'"{text}" is not an option of an agent. Write key=value, such as effort=4.')
        check_option_names(agent, [name])
        if name in options:
            raise ValueError(f"The option {name} of the agent {agent} is given twice. Give it once.")
        options[name] = from_text(agent_options(agent), name, value)
    return options


def option_text(value: Any) -> str:
    """A value written such that ``read_options`` reads it back, in any folder."""
    if not isinstance(value, str):
        return json.dumps(value)
    path = named_file(value)
    return str(path.resolve()) if path else value


def options_help() -> str:
    """The options of the built-in agents, for the help of a command. It loads no others: they may take long."""
    lists = {name: help_lines(agent_options(name)) for name in BUILT_IN}
    parts = [part for name, lines in lists.items() if lines for part in (f"Options of {name}:", *lines)]
    return "\n\n".join((*parts, "jimbo agents NAME lists those of any agent."))
