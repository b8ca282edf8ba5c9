"""Compares the engine with recorded behaviour of the game: ``jimbo verify``.

A corpus is a folder of files in known layouts. ``registry`` says which module checks which file; each checker goes
through its file and yields cases, one for every value that can be right or wrong by itself.
"""

from jimbo.verify.corpus import CorpusError
from jimbo.verify.report import Case, Difference, FileResult, Report
from jimbo.verify.runner import verify_folder

__all__ = ["Case", "CorpusError", "Difference", "FileResult", "Report", "verify_folder"]
