"""An exact simulator of Balatro, with environments, a training pipeline, an assistant and a bridge to the game.

The names most used are here, and each is imported when it is asked for; docs/api.md lists them all.
"""

from __future__ import annotations

from typing import Any

from jimbo.lazy import lazily
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
_names, _get, __dir__ = lazily(__name__, _MODULES)
__all__ = ["__version__", *_names]

register_with_gymnasium()


def __getattr__(name: str) -> Any:
    if name == "__version__":  # takes longer to look up than all the rest of this import
        from importlib.metadata import version

        return version("jimbo-balatro")
    return _get(name)
