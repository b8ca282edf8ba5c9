"""What happens in a run, in words, once for terminals, pages and reports. Everything is told from public states."""

from jimbo.text.actions import action_words
from jimbo.text.blinds import PHASES, blind_text, game_text, next_blind, place_name, tag_text
from jimbo.text.cards import (
    RANK_NAMES,
    RANKS,
    SUIT_NAMES,
    SUIT_SYMBOLS,
    card_name,
    card_short,
    front,
    full_deck,
    is_stone,
    rank_and_suit,
)
from jimbo.text.decisions import MEASURES, chance_text, value_text
from jimbo.text.events import SCORING, Told, describe_event, tell, tell_jokers, totals_text
from jimbo.text.jokers import joker_name, joker_now, stickers
from jimbo.text.numbers import counted, money_text, number_text, percent_text, points_text
from jimbo.text.offers import offer_name, offer_text
from jimbo.text.refusals import refusal_words

__all__ = [
    "MEASURES",
    "PHASES",
    "RANKS",
    "RANK_NAMES",
    "SCORING",
    "SUIT_NAMES",
    "SUIT_SYMBOLS",
    "Told",
    "action_words",
    "blind_text",
    "card_name",
    "card_short",
    "chance_text",
    "counted",
    "describe_event",
    "front",
    "full_deck",
    "game_text",
    "is_stone",
    "joker_name",
    "joker_now",
    "money_text",
    "next_blind",
    "number_text",
    "offer_name",
    "offer_text",
    "percent_text",
    "place_name",
    "points_text",
    "rank_and_suit",
    "refusal_words",
    "stickers",
    "tag_text",
    "tell",
    "tell_jokers",
    "totals_text",
    "value_text",
]
