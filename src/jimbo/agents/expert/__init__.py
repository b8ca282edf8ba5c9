"""The expert: a solver for blinds, and a shop policy that buys what makes the next blinds easier."""

from jimbo.agents.expert.agent import ExpertAgent
from jimbo.agents.expert.config import ExpertConfig, load_config
from jimbo.agents.expert.settings import ExpertOptions

__all__ = ["ExpertAgent", "ExpertConfig", "ExpertOptions", "load_config"]
