"""The agent that a command names, with its options."""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from jimbo.agents import Agent, make_agent
from jimbo.agents.loading import raised_in
from jimbo.agents.registry import agent_file
from jimbo.eval.agent_options import read_options
from jimbo.rollout import AgentFailed


def asked_agent(name: str, texts: Sequence[str] | None, effort: float | None = None) -> tuple[Agent, dict[str, Any]]:
    """The agent and its options; ValueError with a sentence if it cannot be made with them."""
    import_from_here(name)
    options = read_options(name, texts or (), effort)
    return make_agent(name, **options), options


def advising_agent(
    name: str | None, model: Path | None, texts: Sequence[str] | None, effort: float | None
) -> tuple[Agent, dict[str, Any]]:
    """The agent that is to give advice: a network if a model is given, the expert if nothing is said."""
    if model is None:
        return asked_agent(name or "expert", texts, effort)
    if name not in (None, "network"):
        raise ValueError(f"A model is played by the agent network, not by {name}. Give either --agent or --model.")
    return asked_agent("network", [*(texts or ()), f"model={model}"], effort)


def import_from_here(name: str) -> None:
    """For an agent that is named as ``module:Class``, modules of the current folder come first, as with ``python -m``.

    Worker processes inherit it. Agents with names of their own are in no need of it, and files of the current folder
    that happen to be called like a module of Python do them no harm.
    """
    with suppress(FileNotFoundError):  # the folder may be gone
        if ":" in name and (here := os.getcwd()) not in sys.path:
            sys.path.insert(0, here)


def failure_sentence(error: AgentFailed, name: str) -> str:
    """Why an agent could not go on, with the line of its file where there is one."""
    cause, source = error.__cause__, agent_file(name)
    return f"{error}{raised_in(cause, source) if cause and source else ''}"
