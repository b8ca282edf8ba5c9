"""An exact simulator of Balatro, with environments, a training pipeline, an assistant and a bridge to the game.

The names most used are here, and each is imported when it is asked for; docs/api.md lists them all.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from jimbo.registration import register_with_gymnasium

_MODULES = {
    "jimbo.engine": ("Action", "Batch", "PublicState", "Run", "candidates", "observe"),
    "jimbo.text": ("tell",),
    "jimbo.seeds": ("Search", "explore"),
    "jimbo.data": ("Samples", "read_record", "read_samples"),
    "jimbo.backends": ("RealBackend", "SimBackend"),
    "jimbo.env": ("RunEnv", "RunVectorEnv", "create_balatro_env"),
    "jimbo.agents": ("Agent", "Considered", "Decision", "agent_names", "make_agent"),
    "jimbo.rollout": ("Observer", "RolloutPlan", "Rollout", "roll_out"),
    "jimbo.models": ("load_policy",),
    "jimbo.eval": ("evaluate", "seed_set"),
}
"""``__init__.pyi`` holds these names for type checkers; ``tools/api_page.py`` writes it."""
_HOMES = {name: module for module, names in _MODULES.items() for name in names}

__all__ = ["__version__", *_HOMES]

register_with_gymnasium()


def __getattr__(name: str) -> Any:
    if name == "__version__":  # takes longer to look up than all the rest of this import
        from importlib.metadata import version

        return version("jimbo-balatro")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
