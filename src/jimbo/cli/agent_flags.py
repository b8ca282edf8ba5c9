"""The agent that a command names, with its options."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from jimbo.agents import Agent, make_agent
from jimbo.agents.loading import raised_in
from jimbo.agents.registry import agent_file, agent_options, read_options
from jimbo.cli.errors import AGENT_FAILED
from jimbo.declared import fields_of
from jimbo.league.entry import PREFIX
from jimbo.league.players import player_of, registered_file
from jimbo.rollout.loop import AgentFailed

if TYPE_CHECKING:
    from jimbo.serve.review.judging import Judge

EXPERT, NETWORK = "expert", "network"


def agent_from_flags(
    name: str, texts: Sequence[str] | None, effort: float | None = None, budget_ms: float | None = None
) -> tuple[Agent, dict[str, Any]]:
    """The agent and its options; ValueError with a sentence if it cannot be made with them.

    Of ``registry:NAME`` it is the registered one, with its options under those that are typed.
    """
    known: dict[str, Any] = {}
    if name.startswith(PREFIX):
        name, known = player_of(name)
    import_from_here(name)
    flags = {"effort": effort, "budget_ms": budget_ms}
    given = {flag: value for flag, value in flags.items() if value is not None}
    options = known | read_options(name, texts or (), given)
    if isinstance(options.get("model"), str):
        options["model"] = registered_file(options["model"])
        if name == NETWORK:
            options["model"] = str(network_file(Path(options["model"])))
    return make_agent(name, **options), options


def contestant(
    name: str, texts: Sequence[str] | None, effort: float | None = None, budget_ms: float | None = None
) -> tuple[str, dict[str, Any]]:
    """The name and the options of the agent that ``agent_from_flags`` makes."""
    player, options = agent_from_flags(name, texts, effort, budget_ms)
    return player.name, options


def with_model(name: str | None, model: Path | None, texts: Sequence[str] | None) -> tuple[str, list[str]]:
    """The agent that is meant, with its options: ``--model FILE`` is short for the network with the option model."""
    options = list(texts or ())
    if model is None:
        if name is None:
            raise ValueError("Say who plays: --agent NAME, or --model FILE for a network.")
        return name, options
    if name not in (None, NETWORK):
        raise ValueError(f"--model is about the agent {NETWORK}, not about {name}. Leave one of them out.")
    return NETWORK, [*options, f"model={model}"]


def advising_agent(
    name: str | None, model: Path | None, texts: Sequence[str] | None, effort: float | None
) -> tuple[Agent, dict[str, Any]]:
    """The agent that is to give advice: the expert, if nothing is said."""
    meant, options = with_model(EXPERT if name is None and model is None else name, model, texts)
    return agent_from_flags(meant, options, effort)


def judge_from_flags(name: str | None, model: Path | None, texts: Sequence[str] | None, effort: float | None) -> Judge:
    """What judges the decisions of a review: the agent with the same effort, where it has such an option."""
    from jimbo.serve.review.judging import EFFORT, Judge  # only where runs are reviewed

    effort = EFFORT if effort is None else effort
    meant = name or EXPERT
    typed = any(text.startswith("effort=") for text in texts or ())
    scaled = model is None and ":" not in meant and not typed
    scaled = scaled and any(entry.name == "effort" for entry in fields_of(agent_options(meant)))
    player, options = advising_agent(name, model, texts, effort if scaled else None)
    if player.clairvoyant:
        raise ValueError(
            "This agent must see what is hidden, and a review shows only what the player saw. Choose another."
        )
    return Judge(player.name, options, effort)


def network_file(path: Path) -> Path:
    """Return the file that plays, and say which it is where another one is named, such as ``best.pt``."""
    from jimbo.models.runtime import model_file  # only where a network plays

    path = Path(registered_file(str(path)))
    found = model_file(path)
    if not path.is_dir() and found != path:
        typer.echo(f"--model {path}: networks play as .onnx files, so {found} is used.", err=True)
    return found


def import_from_here(name: str) -> None:
    """For an agent that is named as ``module:Class``, modules of the current folder come first, as with ``python -m``.

    Worker processes inherit it. Agents with names of their own are in no need of it, and files of the current folder
    that happen to be called like a module of Python do them no harm.
    """
    with suppress(FileNotFoundError):  # the folder may be gone
        if ":" in name and (here := os.getcwd()) not in sys.path:
            sys.path.insert(0, here)


@contextmanager
def agent_failures(name: str) -> Iterator[None]:
    """End the command with a sentence if the agent fails, with the line of its file where there is one."""
    try:
        yield
    except AgentFailed as error:
        cause, source = error.__cause__, agent_file(name)
        line = raised_in(cause, source) if cause and source else ""
        typer.echo(f"jimbo: {error}{line}", err=True)
        raise typer.Exit(AGENT_FAILED) from None
