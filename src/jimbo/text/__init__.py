"""What happens in a run, in words, once for terminals, pages and reports. Everything is told from public states."""

from jimbo.lazy import lazily

_MODULES = {
    "jimbo.text.actions": ("action_words", "refusal_words"),
    "jimbo.text.blinds": ("PHASES", "blind_text", "game_text", "next_blind", "place_name", "tag_text"),
    "jimbo.text.cards": (
        "RANK_NAMES",
        "RANKS",
        "SUIT_NAMES",
        "SUIT_SYMBOLS",
        "card_name",
        "card_short",
        "front",
        "full_deck",
        "is_stone",
        "offer_name",
        "offer_text",
        "rank_and_suit",
    ),
    "jimbo.text.events": ("SCORING", "Told", "describe_event", "tell", "tell_jokers", "totals_text"),
    "jimbo.text.jokers": ("joker_name", "joker_now", "stickers"),
    "jimbo.text.numbers": (
        "MEASURES",
        "chance_text",
        "counted",
        "money_text",
        "number_text",
        "percent_text",
        "points_text",
        "value_text",
    ),
}
__all__, __getattr__, __dir__ = lazily(__name__, _MODULES)
