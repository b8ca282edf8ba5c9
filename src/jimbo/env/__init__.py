"""Gymnasium environments over the compiled engine.

>>> import gymnasium, jimbo
>>> env = gymnasium.make("jimbo/Run-v0", deck="b_blue")
>>> observation, info = env.reset(seed=1)
>>> env = gymnasium.make_vec("jimbo/Run-v0", num_envs=256, threads=2)
"""

from jimbo.extras import require
from jimbo.lazy import lazily

require("gymnasium", "env")

_MODULES = {
    "jimbo.engine": ("DEFAULT_REWARDS",),
    "jimbo.env.balatro_wrapper": ("BalatroGymWrapper", "wrap_balatro_env"),
    "jimbo.env.campaign": ("CampaignEnv", "CampaignVectorEnv"),
    "jimbo.env.decisions": ("FlatOptionLayout", "OptionLayout"),
    "jimbo.env.factories": (
        "create_balatro_env",
        "create_campaign_env",
        "environment_errors",
        "make_vectorized_env",
        "validate_environment",
    ),
    "jimbo.env.flat": ("FlatLayout",),
    "jimbo.env.layouts": ("FieldLayout", "PackedLayout"),
    "jimbo.env.options": ("CampaignOptions", "EpisodeOptions", "RunOptions"),
    "jimbo.env.rewards": ("TERMS", "RewardTerm", "Transition"),
    "jimbo.env.rows": ("EnvSnapshot",),
    "jimbo.env.run_env": ("RunEnv",),
    "jimbo.env.vector_env": ("RunVectorEnv",),
    "jimbo.env.wrappers": ("ActionMaskWrapper", "CurriculumWrapper", "EnvironmentWrapper", "RewardScalingWrapper"),
    "jimbo.registration": ("CAMPAIGN_ID", "RUN_ID", "register_envs"),
}
__all__, __getattr__, __dir__ = lazily(__name__, _MODULES)
