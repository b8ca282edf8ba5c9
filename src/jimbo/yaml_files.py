"""YAML that people write: settings and constants."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from jimbo.files import read_text, reason

_NAMES = ("tag:yaml.org,2002:str", "tag:yaml.org,2002:int")
"""Kinds of names: whole numbers are steps of a schedule."""
_MERGE = "tag:yaml.org,2002:merge"
_MOST_VALUES = 100_000
_MOST_BYTES = 1 << 20


class _Once(yaml.SafeLoader):
    """YAML in which a name that appears twice is an error (by default the later one would win), and 1e-3 a number."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if key.tag == _MERGE:
                continue
            if not isinstance(key, yaml.ScalarNode):
                raise _wrong("a list or a mapping cannot be a name", key)
            if key.tag not in _NAMES:
                raise _wrong(f"the name {key.value or 'that is empty'} is not text: put it in quotes", key)
            if key.value in seen:
                raise _wrong(f"{key.value} appears twice", key)
            seen.add(key.value)
        return super().construct_mapping(node, deep)


def _wrong(what: str, node: yaml.Node) -> yaml.YAMLError:
    return yaml.constructor.ConstructorError(None, None, what, node.start_mark)


def _size(node: yaml.Node, known: dict[int, int]) -> int:
    """Return how many values a node stands for once every alias in it is written out; YAMLError for too many."""
    if id(node) not in known:
        known[id(node)] = _MOST_VALUES  # for an alias of a node within itself
        parts = node.value if isinstance(node, yaml.CollectionNode) else ()
        inner = (part for entry in parts for part in (entry if isinstance(entry, tuple) else (entry,)))
        known[id(node)] = 1 + sum(_size(part, known) for part in inner)
    if known[id(node)] >= _MOST_VALUES:
        raise _wrong("it stands for too many values", node)
    return known[id(node)]


_Once.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"[-+]?\d+(\.\d*)?[eE][-+]?\d+$"), list("-+0123456789")
)


def read_yaml(path: Path) -> Any:
    """What a file holds; ValueError says what is wrong with it."""
    try:
        text = read_text(path, _MOST_BYTES)
    except (OSError, UnicodeError) as error:
        raise ValueError(f"config {path} cannot be read: {reason(error)}") from None
    return yaml_in(text, f"config {path}")


def yaml_in(text: str, name: str) -> Any:
    """What a text holds; ValueError says what is wrong with it, by its name."""
    try:
        node = yaml.compose(text, _Once)
        if node is not None:
            _size(node, {})
        return yaml.load(text, _Once)
    except yaml.YAMLError as error:
        raise ValueError(f"{name}{_yaml_trouble(error)}") from None
    except RecursionError:
        raise ValueError(f"{name} is not valid YAML: nested too deeply") from None
    except ValueError as error:  # a date or a number that cannot exist
        raise ValueError(f"{name} is not valid YAML: {error}") from None


def _yaml_trouble(error: yaml.YAMLError) -> str:
    mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
    where = f", line {mark.line + 1}," if mark else ""
    return f"{where} is not valid YAML: {problem or str(error).splitlines()[0]}"
