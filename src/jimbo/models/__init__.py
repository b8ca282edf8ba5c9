"""Networks that play: what they are given, what they tell, and how they are kept. Only training needs torch."""

from jimbo.lazy import lazily

_MODULES = {
    "jimbo.models.checkpoint": ("SIZES", "NetworkConfig", "config_of"),
    "jimbo.models.inputs": ("input_names", "input_schema", "network_inputs"),
    "jimbo.models.outputs": ("BLINDS_AHEAD", "Outputs"),
    "jimbo.models.runtime": ("load_policy",),
}
__all__, __getattr__, __dir__ = lazily(__name__, _MODULES)
