"""Records of runs and their projections."""

from jimbo.data.action_json import action_from_json, action_to_json
from jimbo.data.decision import Considered, Decision, Measure
from jimbo.data.hashes import hash_of, public_hash, state_hashes
from jimbo.data.record import SCHEMA, BadRecord, Ending, Header, Record, Snapshot
from jimbo.data.record_files import RecordFile, RecordStopped, read_record
from jimbo.data.record_lines import action_data, decision_line, ending_line, header_line
from jimbo.data.results import RESULTS, GameResult, Outcome, Result, outcome_of, result_of
from jimbo.data.trace import check_trace, trace_lines, trace_of
from jimbo.data.versions import versions

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
