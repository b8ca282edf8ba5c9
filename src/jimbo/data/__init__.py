"""Records of runs and their projections."""

from jimbo.data.action_json import action_from_json, action_to_json
from jimbo.data.record import (
    SCHEMA,
    BadRecord,
    Considered,
    Decision,
    Ending,
    Header,
    Measure,
    Record,
    Snapshot,
    hash_of,
    public_hash,
    versions,
)
from jimbo.data.record_files import (
    RecordFile,
    RecordStopped,
    action_data,
    decision_line,
    ending_line,
    header_line,
    read_record,
)
from jimbo.data.results import RESULTS, GameResult, Outcome, Result, outcome_of, result_of
from jimbo.data.trace import check_trace, state_hashes, trace_lines, trace_of

__all__ = [
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
    "RecordFile",
    "RecordStopped",
    "Result",
    "Snapshot",
    "action_data",
    "action_from_json",
    "action_to_json",
    "check_trace",
    "decision_line",
    "ending_line",
    "hash_of",
    "header_line",
    "outcome_of",
    "public_hash",
    "read_record",
    "result_of",
    "state_hashes",
    "trace_lines",
    "trace_of",
    "versions",
]
