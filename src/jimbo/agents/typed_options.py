"""Options of agents as people write them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from jimbo.agents import agent_options, check_option_names
from jimbo.agents.registry import BUILT_IN
from jimbo.declared import from_text, help_lines
from jimbo.files import named_file


def read_options(agent: str, texts: Sequence[str] = (), effort: float | None = None) -> dict[str, Any]:
    """``key=value`` texts, each value read as its option declares it. ValueError says what is wrong with one.

    ``effort`` is the option that also has a flag of its own. The agent says whether the values are in range
    when it is made.
    """
    options: dict[str, Any] = {} if effort is None else {"effort": effort}
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
    """What the built-in agents can be told, for the help of a command. It loads no others: they may take long."""
    lists = {name: help_lines(agent_options(name)) for name in BUILT_IN}
    parts = [part for name, lines in lists.items() if lines for part in (f"Options of {name}:", *lines)]
    return "\n\n".join((*parts, "jimbo agents NAME lists those of any agent."))
