"""Who plays under a name of the registry: an agent with its options, and the files that they mean."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jimbo.league.entry import PREFIX, Entry
from jimbo.league.journal import Damaged
from jimbo.league.registry import Registry, difference

MODEL = "model"
"""The option of agents that a file of weights belongs to."""


def player_of(text: str, registry: Registry | None = None) -> tuple[str, dict[str, Any]]:
    """The agent and its options of an entry, by name, alias or id; ValueError if it cannot play, or has changed."""
    registry = registry or Registry()
    entry = registry.resolve(text)
    if not isinstance(agent := entry.spec.get("agent"), str):
        raise ValueError(f"{entry.name} is registered as {entry.kind}, which cannot play.")
    files = {option: str(_unchanged(registry, entry, file)) for option, file in entry.spec.get("files", {}).items()}
    return agent, {**entry.spec.get("options", {}), **files}


def registered_file(text: str) -> str:
    """The path of the weights for ``registry:NAME``; any other text as it is."""
    if not text.startswith(PREFIX):
        return text
    agent, options = player_of(text)
    if MODEL not in options:
        raise ValueError(f"{text} is the agent {agent} without a file of weights. Say --agent {text}.")
    return str(options[MODEL])


def _unchanged(registry: Registry, entry: Entry, file: str) -> Path:
    path = registry.path_of(entry, file)
    if what := difference(path, entry.files[file]):
        raise Damaged(what)
    return path
