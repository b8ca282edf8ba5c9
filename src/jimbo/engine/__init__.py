"""The compiled rules engine and its typed view; the only place that imports the extension ``_core``."""

from jimbo.engine import catalog
from jimbo.engine._core import Action, Event, IllegalAction, Preview, Run, action_kinds, build_info
from jimbo.engine.batch import Batch, BatchArrays
from jimbo.engine.observation import (
    Candidates,
    FieldSpec,
    action_dtype,
    batch_schema_hash,
    candidate_fields,
    candidates,
    observation_dtype,
    observation_fields,
    observe,
    reward_terms,
    stats_dtype,
    stats_fields,
    step_names,
    vocabulary,
)

__all__ = [
    "Action",
    "Batch",
    "BatchArrays",
    "Candidates",
    "Event",
    "FieldSpec",
    "IllegalAction",
    "Preview",
    "Run",
    "action_dtype",
    "action_kinds",
    "batch_schema_hash",
    "build_info",
    "candidate_fields",
    "candidates",
    "catalog",
    "observation_dtype",
    "observation_fields",
    "observe",
    "reward_terms",
    "stats_dtype",
    "stats_fields",
    "step_names",
    "vocabulary",
]
