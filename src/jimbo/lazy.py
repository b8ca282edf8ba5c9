"""Names of a package that are imported when they are asked for; its ``__init__.pyi``, which
``tools/api_page.py`` writes, tells type checkers of them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any


def lazily(
    package: str, modules: Mapping[str, Sequence[str]]
) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """``__all__``, ``__getattr__`` and ``__dir__`` of a package, from the names that each of its modules gives.

    What stands under the name of the package itself is one of its modules.
    """
    homes = {name: module for module, names in modules.items() for name in names}
    namespace = vars(sys.modules[package])

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = homes[name]
        value = import_module(f"{package}.{name}") if home == package else getattr(import_module(home), name)
        return namespace.setdefault(name, value)

    def names() -> list[str]:
        return sorted({*homes, *(name for name in namespace if name.startswith("__"))})

    return sorted(homes), get, names
