"""Packages that only some uses need."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Sequence
from typing import Any


class MissingPackage(ImportError):
    """A package that is not installed; the sentence says which extra brings it."""


def require(module: str, extra: str) -> Any:
    """Imports a module; when its package is missing, the error says which extra of Jimbo brings it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] != module.split(".")[0]:
            raise
        raise _missing(module, extra) from error


def check_installed(modules: Sequence[str], extra: str) -> None:
    """Raises MissingPackage for the first that is missing, without importing anything: for long work that needs all."""
    for module in modules:
        if importlib.util.find_spec(module) is None:
            raise _missing(module, extra)


def _missing(module: str, extra: str) -> MissingPackage:
    package = module.split(".")[0]
    return MissingPackage(f'{package} is not installed: pip install ".[{extra}]" in a clone of Jimbo')
