"""Packages that only some uses need."""

from __future__ import annotations

import importlib
from typing import Any


def require(module: str, extra: str) -> Any:
    """Imports a module; when its package is missing, the error says which extra of Jimbo brings it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] != module.split(".")[0]:
            raise
        package = module.split(".")[0]
        raise ImportError(f'{package} is not installed: pip install ".[{extra}]" in a clone of Jimbo') from error
