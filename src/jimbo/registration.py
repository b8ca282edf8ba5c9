"""The names under which gymnasium knows the environments, from the moment that both are imported.

Gymnasium reads no entry points, and importing it takes ten times as long as ``import jimbo``. So where it is not there
yet, the names are registered as soon as somebody imports it.
"""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from typing import Any

RUN_ID = "jimbo/Run-v0"
CAMPAIGN_ID = "jimbo/Campaign-v0"


def register_envs() -> None:
    """Registers ``jimbo/Run-v0`` and ``jimbo/Campaign-v0``."""
    import gymnasium

    for name, single, vector in (
        (RUN_ID, "jimbo.env.run_env:RunEnv", "jimbo.env.vector_env:RunVectorEnv"),
        (CAMPAIGN_ID, "jimbo.env.campaign:CampaignEnv", "jimbo.env.campaign:CampaignVectorEnv"),
    ):
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point=single, vector_entry_point=vector)


def register_with_gymnasium() -> None:
    """Registers the environments now, or as soon as gymnasium is imported; ``import jimbo`` does it."""
    if sys.modules.get("gymnasium"):
        register_envs()
    else:
        sys.meta_path.insert(0, _AfterGymnasium())


class _AfterGymnasium:
    """A finder of modules that lets the others find gymnasium, and registers the environments once it is loaded."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name != "gymnasium":
            return None
        others = (finder for finder in sys.meta_path if finder is not self and hasattr(finder, "find_spec"))
        spec = next((found for finder in others if (found := finder.find_spec(name, path, target))), None)
        if spec and spec.loader:
            load = spec.loader.exec_module

            def load_and_register(module: Any) -> None:
                load(module)
                register_envs()

            spec.loader.exec_module = load_and_register  # type: ignore[method-assign]
        return spec
