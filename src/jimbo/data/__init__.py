"""Records of runs and their projections."""

from jimbo.data.decision import Considered, Decision, Measure
from jimbo.data.hashes import hash_of, public_hash, state_hashes
from jimbo.data.record import SCHEMA, BadRecord, Ending, Header, Record, Snapshot
from jimbo.data.record_files import RecordFile, RecordStopped, read_record
from jimbo.data.record_lines import action_data, decision_line, ending_line, header_line
from jimbo.data.versions import versions

__all__ = [
    "SCHEMA",
    "BadRecord",
    "Considered",
    "Decision",
    "Ending",
    "Header",
    "Measure",
    "Record",
    "RecordFile",
    "RecordStopped",
    "Snapshot",
    "action_data",
    "decision_line",
    "ending_line",
    "hash_of",
    "header_line",
    "public_hash",
    "read_record",
    "state_hashes",
    "versions",
]
