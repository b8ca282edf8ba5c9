"""Options of agents as people write them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from jimbo.agents import Agent, agent_names, make_agent

_UNKNOWN = re.compile(r"unexpected keyword argument '(\w+)'")
_MISSING = re.compile(r"missing .* argument\w*: (.*)")


def read_options(texts: Sequence[str]) -> dict[str, Any]:
    """``key=value`` texts; values that are JSON (numbers, true, lists) are read as such. ValueError otherwise."""
    options: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.isidentifier():
            raise ValueError(f'"{text}" is no option of an agent. Write key=value, such as rollouts=200.')
        if not _is_writable(text):
            raise ValueError(f"The option {name} of the agent is not UTF-8 text.")
        options[name] = _value(value)
    return options


def option_text(value: Any) -> str:
    """A value such that ``read_options`` reads it back."""
    return value if isinstance(value, str) and _value(value) == value else json.dumps(value)


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _is_writable(text: str) -> bool:
    """Bytes of the command line that are no text are half a surrogate pair here, and can be put in no file."""
    return text.encode("utf-8", "ignore").decode("utf-8") == text


def checked_agent(name: str, options: Mapping[str, Any]) -> Agent:
    """The agent; ValueError with a sentence if there is none or it does not take these options."""
    if name not in agent_names():
        raise ValueError(f'There is no agent "{name}". Choose one of {", ".join(agent_names())}.')
    try:
        return make_agent(name, **options)
    except (TypeError, OverflowError) as error:
        if unknown := _UNKNOWN.search(str(error)):
            raise ValueError(f"The agent {name} has no option {unknown[1]}.") from None
        if missing := _MISSING.search(str(error)):
            raise ValueError(f"The agent {name} needs {missing[1]}: give it with --option.") from None
        if "takes no arguments" in str(error):
            raise ValueError(f"The agent {name} has no options, so {', '.join(options)} cannot be given.") from None
        raise ValueError(f"The agent {name} cannot be made with {_listed(options)}: {error}.") from None
    except (ValueError, OSError) as error:
        raise ValueError(f"The agent {name} cannot be made: {error}") from None


def _listed(options: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={option_text(value)}" for name, value in options.items())
