"""What a seed holds, ante by ante, and looking for seeds that hold wanted items.

>>> from jimbo.seeds import explore
>>> ante = explore("TESTSEED").antes[0]
>>> ante.boss.name, [card.name for card in ante.shop[:2]]
('The Head', ['Raised Fist', 'Pareidolia'])
"""

from jimbo.lazy import lazily

_MODULES = {
    "jimbo.seeds.conditions": ("MAX_ANTE", "CardCount", "Condition", "DeckHas", "Has", "Lacks", "PlayingCard", "Thing"),
    "jimbo.seeds.exploration": (
        "ASSUMED",
        "Ante",
        "Card",
        "Exploration",
        "Item",
        "Pack",
        "SeedReport",
        "explore",
        "json_lines",
    ),
    "jimbo.seeds.never": ("SOUL", "why_never"),
    "jimbo.seeds.parse": ("parse_deck", "parse_has", "parse_lacks"),
    "jimbo.seeds.search": ("Block", "Hit", "InDeck", "Place", "Search"),
    "jimbo.seeds.starts": (
        "CHALLENGE_DECK",
        "FIRST_MADE_SEED",
        "after",
        "challenge_key",
        "checked_seed",
        "deck_and_challenge",
        "deck_key",
        "random_start",
        "stake_key",
        "typed_seed",
    ),
}
__all__, __getattr__, __dir__ = lazily(__name__, _MODULES)
