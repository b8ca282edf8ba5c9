"""``jimbo agents``: who can play, and with which options."""

import inspect
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from jimbo.agents.loading import EXAMPLE
from jimbo.agents.registry import KnownAgent, agent_class, agent_options, find_agent, known_agents
from jimbo.cli.agent_flags import import_from_here
from jimbo.cli.errors import fail
from jimbo.cli.flags import complete_agents
from jimbo.colours import CYAN, QUIET, RED
from jimbo.console import make_console
from jimbo.declared import help_lines
from jimbo.league.entry import PREFIX
from jimbo.league.players import player_of


def agents(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help=f"One agent, or {EXAMPLE}.", autocompletion=complete_agents),
    ] = None,
) -> None:
    """List the agents, or describe one and its options.

    Installed packages can bring more of them; docs/agents.md says how to write one.
    """
    try:
        if name and name.startswith(PREFIX):
            name = player_of(name)[0]
        import_from_here(name or "")
        shown = _all() if name is None else _one(find_agent(name))
    except ValueError as error:
        fail(str(error))
    make_console().print(shown)


def _all() -> RenderableType:
    known, troubles = known_agents()
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), show_header=False)
    table.add_column(style=f"bold {CYAN}", no_wrap=True)
    table.add_column(style=QUIET)
    table.add_column()
    for agent in known:
        table.add_row(agent.name, agent.package or "built in", _summary(agent))
    notes = [Text(trouble, style=RED) for trouble in troubles]
    advice = Text(f"jimbo agents NAME lists its options. --agent takes any other class, too: {EXAMPLE}.", style=QUIET)
    return Group(table, *notes, advice)


def _summary(agent: KnownAgent) -> Text:
    """Its first line about itself, or why it cannot be used, which stops no other."""
    try:
        agent_options(agent.name)
        return Text(_about(agent.name).partition("\n")[0])
    except ValueError as error:
        return Text(str(error), style=RED)


def _one(agent: KnownAgent) -> RenderableType:
    options = help_lines(agent_options(agent.name))
    from_where = f"{agent.package or 'built in'} · {agent.place}" if agent.name != agent.place else agent.package
    lines = [Text.assemble((agent.name, f"bold {CYAN}"), (f"   {from_where}".rstrip(), QUIET))]
    lines += [Text(_about(agent.name))]
    lines += [Text(), Text("Options, each as --set NAME=VALUE:" if options else "It has no options.", style=QUIET)]
    return Group(*lines, *(Padding(line, (0, 0, 0, 2)) for line in map(Text, options)))


def _about(name: str) -> str:
    """What the author says of the class; not of its bases."""
    return inspect.cleandoc(agent_class(name).__doc__ or "Its author says nothing about it.")
