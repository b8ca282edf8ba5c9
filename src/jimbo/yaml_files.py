"""YAML that people write: settings and constants."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from jimbo.files import read_text, trouble


class _Once(yaml.SafeLoader):
    """YAML in which a name that appears twice is an error (by default the later one would win), and 1e-3 a number."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if key.value in seen:
                raise yaml.constructor.ConstructorError(None, None, f"{key.value} appears twice", key.start_mark)
            seen.add(key.value)
        return super().construct_mapping(node, deep)


_Once.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"[-+]?\d+(\.\d*)?[eE][-+]?\d+$"), list("-+0123456789")
)


def read_yaml(path: Path) -> Any:
    """What a file holds; ValueError says what is wrong with it."""
    try:
        return yaml.load(read_text(path), _Once)
    except (OSError, UnicodeError) as error:
        raise ValueError(f"config {path} cannot be read: {trouble(error)}") from None
    except yaml.YAMLError as error:
        raise ValueError(f"config {path}{_yaml_trouble(error)}") from None
    except RecursionError:
        raise ValueError(f"config {path} is not valid YAML: nested too deeply") from None
    except ValueError as error:  # a date or a number that cannot exist
        raise ValueError(f"config {path} is not valid YAML: {error}") from None


def _yaml_trouble(error: yaml.YAMLError) -> str:
    mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
    where = f", line {mark.line + 1}," if mark else ""
    return f"{where} is not valid YAML: {problem or str(error).splitlines()[0]}"
