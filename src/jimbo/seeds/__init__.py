"""What a seed holds, ante by ante, and looking for seeds that hold wanted items.

>>> from jimbo.seeds import explore
>>> ante = explore("TESTSEED").antes[0]
>>> ante.boss.name, [card.name for card in ante.shop[:2]]
('The Head', ['Raised Fist', 'Pareidolia'])
"""

from jimbo.seeds.conditions import MAX_ANTE, CardCount, Condition, DeckHas, Has, Lacks, PlayingCard, Thing
from jimbo.seeds.exploration import ASSUMED, Ante, Card, Exploration, Item, Pack, SeedReport, explore, json_lines
from jimbo.seeds.never import SOUL, why_never
from jimbo.seeds.parse import parse_deck, parse_has, parse_lacks
from jimbo.seeds.search import Block, Hit, InDeck, Place, Search
from jimbo.seeds.starts import (
    CHALLENGE_DECK,
    FIRST_MADE_SEED,
    after,
    challenge_key,
    checked_seed,
    deck_and_challenge,
    deck_key,
    random_start,
    stake_key,
    typed_seed,
)

__all__ = [
    "ASSUMED",
    "CHALLENGE_DECK",
    "FIRST_MADE_SEED",
    "MAX_ANTE",
    "SOUL",
    "Ante",
    "Block",
    "Card",
    "CardCount",
    "Condition",
    "DeckHas",
    "Exploration",
    "Has",
    "Hit",
    "InDeck",
    "Item",
    "Lacks",
    "Pack",
    "Place",
    "PlayingCard",
    "Search",
    "SeedReport",
    "Thing",
    "after",
    "challenge_key",
    "checked_seed",
    "deck_and_challenge",
    "deck_key",
    "explore",
    "json_lines",
    "parse_deck",
    "parse_has",
    "parse_lacks",
    "random_start",
    "stake_key",
    "typed_seed",
    "why_never",
]
