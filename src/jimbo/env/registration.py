"""The names under which gymnasium knows the environments."""

from __future__ import annotations

import gymnasium

RUN_ID = "jimbo/Run-v0"


def register_envs() -> None:
    """Registers ``jimbo/Run-v0``; importing ``jimbo.env`` does it."""
    if RUN_ID not in gymnasium.registry:
        gymnasium.register(
            RUN_ID,
            entry_point="jimbo.env.run_env:RunEnv",
            vector_entry_point="jimbo.env.vector_env:RunVectorEnv",
        )
