"""docs/api.md and the ``__init__.pyi`` of packages, from the names modules export; ``python tools/api_page.py``."""

from __future__ import annotations

import enum
import inspect
import re
import textwrap
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, get_args, get_origin

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "api.md"
MODULES = (
    "jimbo",
    "jimbo.engine",
    "jimbo.text",
    "jimbo.seeds",
    "jimbo.data",
    "jimbo.data.record_v1_actions",
    "jimbo.backends",
    "jimbo.wire",
    "jimbo.declared",
    "jimbo.agents",
    "jimbo.telemetry",
    "jimbo.env",
    "jimbo.rollout",
    "jimbo.models",
    "jimbo.eval",
    "jimbo.league",
    "jimbo.serve.assistant",
    "jimbo.serve.review",
    "jimbo.serve.events",
    "jimbo.llm",
    "jimbo.training.framework",
    "jimbo.training.utils",
    "jimbo.training.env_wrapper",
    "jimbo.training.metrics",
    "jimbo.training.experiment",
    "jimbo.training.behavioral_cloning",
    "jimbo.training.performance_analysis",
    "jimbo.training.sb3_trainer",
)
"""What programs may import from; all else can change without notice."""
_HEAD = """# Python API

Written by `python tools/api_page.py`, from the names that each module exports in `__all__`. Programs should import only
these; everything else is implementation and can change without notice. `import jimbo` alone gives the names of the
first section, each loaded when it is first used. Environments, networks and training need packages of their own
(`jimbo doctor` names them).
"""
_LONGEST = 24
"""Characters of a default that is shown."""


def markdown() -> str:
    """The whole page."""
    return "\n".join([_HEAD, *(_section(name) for name in MODULES)])


def stubs() -> dict[Path, str]:
    """What type checkers see of each package whose names are imported when they are asked for."""
    return {ROOT / "src" / Path(*name.split(".")) / "__init__.pyi": _stub(name) for name in MODULES if lazy_names(name)}


def lazy_names(name: str) -> dict[str, tuple[str, ...]]:
    """The names that a package imports when they are asked for, by their modules."""
    return getattr(import_module(name), "_MODULES", {})


def _stub(package: str) -> str:
    given = [(home, name) for home, names in lazy_names(package).items() for name in names]
    given.sort(key=lambda entry: (entry[0], not entry[1].isupper(), entry[1][0].islower(), entry[1].lower()))
    lines = [f"from {home} import {name} as {name}" for home, name in given]
    version = ["", "__version__: str"] if package == "jimbo" else []
    return "\n".join([*lines, *version, ""])


def _section(name: str) -> str:
    module = import_module(name)
    names = sorted(set(module.__all__) - {"__version__"}, key=lambda entry: (entry.lower(), entry))
    return "\n".join([f"## {name}", "", _first_sentence(module), "", *(_line(module, entry) for entry in names), ""])


def _line(module: ModuleType, name: str) -> str:
    thing = getattr(module, name)
    doc = _value(thing) if _is_value(thing) else _first_sentence(thing)
    text = f"- `{name}{_parameters(thing)}`{': ' if doc else ''}{doc}"
    return textwrap.fill(text, 120, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _is_value(thing: Any) -> bool:
    return not (callable(thing) or isinstance(thing, ModuleType)) or get_origin(thing) is not None


def _value(thing: Any) -> str:
    if get_origin(thing) is Literal:
        return f"one of {', '.join(f'`{word}`' for word in get_args(thing))}."
    text = repr(thing)
    return f"`{text}`." if len(text) <= _LONGEST else ""


def _first_sentence(thing: Any) -> str:
    doc = thing.__doc__ or ""
    if isinstance(thing, type) and doc.startswith(f"{thing.__name__}("):
        doc = ""  # made by dataclass
    if hasattr(thing, "__nb_signature__"):
        doc = thing.__nb_signature__[0][1] or ""
    paragraph = " ".join(inspect.cleandoc(doc).partition("\n\n")[0].split())
    return re.sub(r"``(.+?)``", r"`\1`", re.split(r"(?<=[.!?])\s", paragraph)[0])


def _parameters(thing: Any) -> str:
    """The parameters in brackets, without their types; empty for what nobody calls."""
    if isinstance(thing, type):
        start = thing.__init__  # type: ignore[misc]
        if issubclass(thing, enum.Enum | BaseException) or getattr(thing, "_is_protocol", False):
            return ""
        if hasattr(start, "__nb_signature__"):
            return _of_compiled(start, skip=1)
        if start is object.__init__ or type(thing).__module__.startswith("nanobind"):
            return ""
        return _joined(list(inspect.signature(start).parameters.values())[1:])
    if hasattr(thing, "__nb_signature__"):
        return _of_compiled(thing)
    return _joined(list(inspect.signature(thing).parameters.values())) if inspect.isroutine(thing) else ""


def _of_compiled(thing: Any, skip: int = 0) -> str:
    text, _, defaults = thing.__nb_signature__[0]
    known = [*(defaults or ())]
    namespace: dict[str, Any] = {}
    plain = re.sub(r"\\(\d+)", lambda found: f"_defaults[{found[1]}]", text)
    exec(f"from __future__ import annotations\n{plain}: ...", {"_defaults": known}, namespace)
    (made,) = (value for value in namespace.values() if inspect.isfunction(value))
    return _joined(list(inspect.signature(made).parameters.values())[skip:])


def _joined(parameters: list[inspect.Parameter]) -> str:
    parts: list[str] = []
    for place, parameter in enumerate(parameters):
        kind, before = parameter.kind, parameters[place - 1].kind if place else None
        if kind is kind.KEYWORD_ONLY and before not in (kind.KEYWORD_ONLY, kind.VAR_POSITIONAL):
            parts.append("*")
        if before is kind.POSITIONAL_ONLY and kind is not before:
            parts.append("/")
        stars = "*" if kind is kind.VAR_POSITIONAL else "**" if kind is kind.VAR_KEYWORD else ""
        parts.append(f"{stars}{parameter.name}{_default(parameter.default)}")
    if parameters and parameters[-1].kind is inspect.Parameter.POSITIONAL_ONLY:
        parts.append("/")
    return f"({', '.join(parts)})"


def _default(value: Any) -> str:
    if value is inspect.Parameter.empty:
        return ""
    text = repr(str(value)) if isinstance(value, enum.Enum) else repr(value)
    return f"={text}" if len(text) <= _LONGEST and "<" not in text else "=..."


if __name__ == "__main__":
    PAGE.write_text(markdown(), encoding="utf-8")
    for path, text in stubs().items():
        path.write_text(text, encoding="utf-8")
