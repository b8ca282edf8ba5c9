"""Compares the engine with recorded behaviour of the game: ``python -m conformance``.

A corpus is a folder of files in known layouts. ``registry`` says which module checks which file; each checker goes
through its file and yields cases, one for every value that can be right or wrong by itself.
"""

from conformance.corpus import CorpusError
from conformance.report import Case, Difference, FileResult, Report
from conformance.runner import verify_folder

__all__ = ["Case", "CorpusError", "Difference", "FileResult", "Report", "verify_folder"]
