"""Agents that installed packages bring, by the names in their metadata: entry points of the group ``jimbo.agents``."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points

GROUP = "jimbo.agents"
# Such names can be typed in a shell and be the names of folders; one with a colon would be taken for a class.
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")


@dataclass(frozen=True, slots=True)
class InstalledAgent:
    """Found, but not loaded."""

    name: str
    place: str
    package: str
    """With its version."""


@cache
def installed_agents() -> tuple[InstalledAgent, ...]:
    """All that are found, in order of their names, whether they can be used or not. The search takes its time."""
    found = {_installed(entry) for entry in entry_points(group=GROUP)}  # a package can be found twice
    return tuple(sorted(found, key=lambda agent: (agent.name, agent.package, agent.place)))


def _installed(entry: EntryPoint) -> InstalledAgent:
    package = f"{entry.dist.name} {entry.dist.version}" if entry.dist else "a package without a name"
    return InstalledAgent(entry.name, entry.value.partition("[")[0].strip(), package)


def trouble_with(name: str, agents: Collection[InstalledAgent], taken: Collection[str]) -> str | None:
    """Why these agents cannot be asked for by the name that they share, as a sentence; None if there is no reason."""
    who = " and ".join(agent.package for agent in agents)
    instead = " or ".join(agent.place for agent in agents)
    if not _NAME.fullmatch(name):
        return f'The name "{name}", by {who}, is not made of letters, digits and _.- alone. Use --agent {instead}.'
    if name in taken:
        return f"{who} brings an agent {name}, too, but that name means the built-in one. Use --agent {instead}."
    if len(agents) > 1:
        return f"{who} both bring an agent {name}. Use --agent {instead}."
    return None
