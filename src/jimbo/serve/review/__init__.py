"""Runs reviewed, without a screen: what each decision gave up, what was luck, and the better line with its reason."""

from jimbo.serve.review.document import review_document
from jimbo.serve.review.judging import Judge, PositionJudgement
from jimbo.serve.review.played import PlayedRun, RunPosition
from jimbo.serve.review.reading import NotARun, read_run
from jimbo.serve.review.review import Review, Reviewed, ReviewFailed, judgements, review_of, review_run
from jimbo.serve.review.telling import REVIEW_SCHEMA, Explained, explained, review_data

__all__ = [
    "REVIEW_SCHEMA",
    "Explained",
    "Judge",
    "NotARun",
    "PlayedRun",
    "PositionJudgement",
    "Review",
    "ReviewFailed",
    "Reviewed",
    "RunPosition",
    "explained",
    "judgements",
    "read_run",
    "review_data",
    "review_document",
    "review_of",
    "review_run",
]
