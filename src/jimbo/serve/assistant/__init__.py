"""The assistant without a screen: suggestions for any state, and a session in which they are accepted or refused."""

from jimbo.serve.assistant.advice import ADVICE_SCHEMA, Advice, Adviser, Suggestion, advice_data
from jimbo.serve.assistant.lesson import Comparison, Lesson
from jimbo.serve.assistant.prospects import Score
from jimbo.serve.assistant.session import LogLine, Session
from jimbo.serve.game import RunInPlay

__all__ = [
    "ADVICE_SCHEMA",
    "Advice",
    "Adviser",
    "Comparison",
    "Lesson",
    "LogLine",
    "RunInPlay",
    "Score",
    "Session",
    "Suggestion",
    "advice_data",
]
