"""Gymnasium environments over the compiled engine.

>>> import gymnasium, jimbo
>>> env = gymnasium.make("jimbo/Run-v0", deck="b_blue")
>>> observation, info = env.reset(seed=1)
>>> env = gymnasium.make_vec("jimbo/Run-v0", num_envs=256, threads=2)
"""

from jimbo.extras import require

require("gymnasium", "env")

from jimbo.engine import DEFAULT_REWARDS  # noqa: E402
from jimbo.env.balatro_wrapper import BalatroGymWrapper, wrap_balatro_env  # noqa: E402
from jimbo.env.factories import (  # noqa: E402
    create_balatro_env,
    environment_errors,
    make_vectorized_env,
    validate_environment,
)
from jimbo.env.flat import FlatLayout  # noqa: E402
from jimbo.env.layouts import FieldLayout, PackedLayout  # noqa: E402
from jimbo.env.options import RunOptions  # noqa: E402
from jimbo.env.rewards import TERMS, RewardTerm, Transition  # noqa: E402
from jimbo.env.rows import EnvSnapshot  # noqa: E402
from jimbo.env.run_env import RunEnv  # noqa: E402
from jimbo.env.vector_env import RunVectorEnv  # noqa: E402
from jimbo.env.wrappers import (  # noqa: E402
    ActionMaskWrapper,
    CurriculumWrapper,
    EnvironmentWrapper,
    RewardScalingWrapper,
)
from jimbo.registration import RUN_ID, register_envs  # noqa: E402

__all__ = [
    "DEFAULT_REWARDS",
    "RUN_ID",
    "TERMS",
    "ActionMaskWrapper",
    "BalatroGymWrapper",
    "CurriculumWrapper",
    "EnvSnapshot",
    "EnvironmentWrapper",
    "FieldLayout",
    "FlatLayout",
    "PackedLayout",
    "RewardScalingWrapper",
    "RewardTerm",
    "RunEnv",
    "RunOptions",
    "RunVectorEnv",
    "Transition",
    "create_balatro_env",
    "environment_errors",
    "make_vectorized_env",
    "register_envs",
    "validate_environment",
    "wrap_balatro_env",
]
