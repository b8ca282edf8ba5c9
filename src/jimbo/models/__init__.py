"""Networks that play: what they are given, what they tell, and how they are kept. Only training needs torch."""

from jimbo.models.checkpoint import SIZES, NetworkConfig, config_of
from jimbo.models.inputs import input_names, input_schema, network_inputs
from jimbo.models.outputs import BLINDS_AHEAD, Outputs
from jimbo.models.runtime import load_policy

__all__ = [
    "BLINDS_AHEAD",
    "SIZES",
    "NetworkConfig",
    "Outputs",
    "config_of",
    "input_names",
    "input_schema",
    "load_policy",
    "network_inputs",
]
