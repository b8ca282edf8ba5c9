"""expert-v1: a solver for blinds, and a shop policy that buys what makes the next blinds easier."""

from jimbo.agents.expert_v1.agent import ExpertV1Agent
from jimbo.agents.expert_v1.config import ExpertConfig, load_config
from jimbo.agents.expert_v1.settings import ExpertV1Options

__all__ = ["ExpertConfig", "ExpertV1Agent", "ExpertV1Options", "load_config"]
