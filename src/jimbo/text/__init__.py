"""What happens in a run, in words: events, actions, jokers and numbers, once for terminals, pages and reports."""

from jimbo.text.actions import action_words
from jimbo.text.events import SCORING, Told, describe_event, tell, totals_text
from jimbo.text.jokers import joker_now
from jimbo.text.numbers import counted, money_text, number_text, percent_text, points_text

__all__ = [
    "SCORING",
    "Told",
    "action_words",
    "counted",
    "describe_event",
    "joker_now",
    "money_text",
    "number_text",
    "percent_text",
    "points_text",
    "tell",
    "totals_text",
]
