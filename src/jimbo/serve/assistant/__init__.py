"""The assistant without a screen: suggestions for any state, and a session in which they are accepted or refused."""

from jimbo.serve.assistant.advice import ADVICE_SCHEMA, Advice, Adviser, Suggestion, advice_data
from jimbo.serve.assistant.lesson import Comparison, LessonLog
from jimbo.serve.assistant.prospects import Score
from jimbo.serve.assistant.scoring import Order, Scored, best_selection, better_orders, score_selection
from jimbo.serve.assistant.session import LogLine, Session
from jimbo.serve.game import RunInPlay

__all__ = [
    "ADVICE_SCHEMA",
    "Advice",
    "Adviser",
    "Comparison",
    "LessonLog",
    "LogLine",
    "Order",
    "RunInPlay",
    "Score",
    "Scored",
    "Session",
    "Suggestion",
    "advice_data",
    "best_selection",
    "better_orders",
    "score_selection",
]
