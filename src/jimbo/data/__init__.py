"""Records of runs and their projections, and the decisions of many games as arrays."""

from jimbo.lazy import lazily

_MODULES = {
    "jimbo.data.action_json": ("action_from_json", "action_to_json"),
    "jimbo.data.game_files": ("LoadedGame", "read_game"),
    "jimbo.data.notation_words": ("BadPosition",),
    "jimbo.data.position": ("position_text", "read_position"),
    "jimbo.data.record": (
        "RESULTS",
        "SCHEMA",
        "BadRecord",
        "Considered",
        "Decision",
        "Ending",
        "GameResult",
        "Header",
        "Measure",
        "Outcome",
        "Record",
        "Result",
        "Route",
        "Snapshot",
        "hash_of",
        "outcome_of",
        "public_hash",
        "result_of",
        "versions",
    ),
    "jimbo.data.record_files": (
        "RecordFile",
        "RecordStopped",
        "action_data",
        "decision_line",
        "ending_line",
        "header_line",
        "read_record",
    ),
    "jimbo.data.samples": ("BadData", "Game", "Samples", "read_samples"),
    "jimbo.data.trace": ("check_trace", "state_hashes", "trace_lines", "trace_of"),
}
__all__, __getattr__, __dir__ = lazily(__name__, _MODULES)
