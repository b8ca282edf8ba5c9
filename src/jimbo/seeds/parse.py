"""Conditions from text.

::

    blueprint                        by name or key, in antes 1 to by_ante
    negative perkeo @ 1-3            a joker with an edition, in antes 1 to 3
    blueprint|brainstorm @ 2         one of several, in ante 2
    red seal steel king of hearts    a playing card
    12 hearts, 0-2 kings, 4 aces of spades     for the starting deck
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from jimbo.engine.catalog import EDITIONS, ENHANCEMENTS, SEALS, fact
from jimbo.seeds.conditions import (
    DECK_SIZE,
    RANKS,
    SUITS,
    CardCount,
    DeckHas,
    Has,
    Lacks,
    PlayingCard,
    Thing,
    listed,
)
from jimbo.seeds.never import SOUGHT

# --- Items by the names that people type ------------------------------------------------------------------------------

MAX_SUGGESTIONS = 3


def fold(text: str) -> str:
    """Lower case, without accents and punctuation, words one space apart: ``Mail-In Rebate`` is ``mail in rebate``."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return " ".join(re.sub(r"[^a-z0-9 ]", "", re.sub(r"[\s_-]", " ", plain)).split())


def _index() -> dict[str, tuple[str, ...]]:
    index: dict[str, tuple[str, ...]] = {}
    for item in SOUGHT.values():
        name = fold(item.name)
        for alias in {name, name.removeprefix("the "), fold(item.key)}:
            index[alias] = (*index.get(alias, ()), item.key)
    return index


_BY_NAME = _index()


def keys_named(text: str) -> tuple[str, ...]:
    """The keys of a name or key. Packs that differ only in their picture share a name, and nothing else does."""
    if found := _BY_NAME.get(fold(text)):
        return found
    try:
        return (fact(text).key,)
    except KeyError:
        return ()


def similar(text: str) -> list[str]:
    """Names close to what was typed, or keys if it looks like one."""
    folded = fold(text)
    close = difflib.get_close_matches(folded, _BY_NAME, n=MAX_SUGGESTIONS, cutoff=0.7)
    inside = [alias for alias in _BY_NAME if len(folded) > 2 and f" {folded} " in f" {alias} "]
    items = [fact(_BY_NAME[alias][0]) for alias in (*close, *inside)]
    return list(dict.fromkeys(item.key if "_" in text else item.name for item in items))[:MAX_SUGGESTIONS]


# --- Conditions -------------------------------------------------------------------------------------------------------

Antes = tuple[int, int] | None
Things = tuple[Thing | PlayingCard, ...]

_EDITION_WORDS = {
    **{fold(edition.name): key for key, edition in EDITIONS.items() if key != "e_base"},
    "holo": "e_holo",
    "poly": "e_polychrome",
}
_ENHANCEMENT_WORDS = {fold(enhancement.word): key for key, enhancement in ENHANCEMENTS.items()}
_SEAL_WORDS = {fold(seal.name).removesuffix(" seal"): key for key, seal in SEALS.items()}
_RANK_WORDS = {
    word: letter for letter, name in RANKS.items() for word in (letter.lower(), fold(name), f"{fold(name)}s")
}
_SUIT_WORDS = {word: letter for letter, name in SUITS.items() for word in (letter.lower(), fold(name), fold(name)[:-1])}
_CARD_WORDS: dict[str, tuple[str, str]] = {
    **{word: ("edition", key) for word, key in _EDITION_WORDS.items()},
    **{word: ("enhancement", key) for word, key in _ENHANCEMENT_WORDS.items()},
    **{word: ("rank", key) for word, key in _RANK_WORDS.items()},
    **{word: ("suit", key) for word, key in _SUIT_WORDS.items()},
    **{f"{word} seal": ("seal", key) for word, key in _SEAL_WORDS.items()},
}
"""What each word says about a playing card."""
_FILLERS = {"of", "card", "cards"}


def parse_has(text: str) -> Has:
    return Has(*_things_and_antes(text))


def parse_lacks(text: str) -> Lacks:
    return Lacks(*_things_and_antes(text))


def parse_deck(text: str) -> DeckHas:
    return DeckHas(tuple(_count(part) for part in _alternatives(text, text)))


def _things_and_antes(text: str) -> tuple[Things, Antes]:
    things, at, antes = text.partition("@")
    found = (_things(part) for part in _alternatives(things, text))
    return tuple(thing for part in found for thing in part), _antes(antes, text) if at else None


def _alternatives(things: str, text: str) -> list[str]:
    parts = [part.strip() for part in things.split("|")]
    if not all(parts):
        raise ValueError(f'Something is missing in "{text}". Write for example "blueprint|brainstorm @ 1-3".')
    return parts


def _antes(antes: str, text: str) -> tuple[int, int]:
    match = re.fullmatch(r"\s*(\d+)\s*(?:-\s*(\d+)\s*)?", antes)
    if "@" in antes:
        raise ValueError(f'"{text}" names antes twice. Name them once, at the end: "blueprint|brainstorm @ 1-3".')
    if not match:
        raise ValueError(f'No ante follows the @ of "{text}". Write one, such as @ 3, or a range, such as @ 1-3.')
    return int(match[1]), int(match[2] or match[1])


def _things(part: str) -> Things:
    """The things of one name: several for packs that differ only in their picture."""
    if keys := keys_named(part):
        return tuple(Thing(key) for key in keys)
    edition, _, name = part.partition(" ")
    if fold(edition) not in _EDITION_WORDS:
        return (_playing_card(part, similar(part)),)
    if not name.strip():
        raise ValueError(f'"{part}" is an edition. Say of what, such as "{part} blueprint".')
    if keys := keys_named(name):
        return tuple(Thing(key, _EDITION_WORDS[fold(edition)]) for key in keys)
    return (_playing_card(part, [f"{edition} {other}" for other in similar(name)]),)


def _playing_card(text: str, items: Sequence[str] = ()) -> PlayingCard:
    """``items`` are names close to the text, for the message that it is not a card either."""
    card = PlayingCard()
    for word in _card_words(text):
        if word in _FILLERS:
            continue
        if word not in _CARD_WORDS:
            raise ValueError(_unknown(text, word, items))
        kind, key = _CARD_WORDS[word]
        if getattr(card, kind) is not None:
            raise ValueError(f'"{text}" names two {kind}s. Write for example "red seal steel king of hearts".')
        card = replace(card, **{kind: key})
    return card


def _card_words(text: str) -> list[str]:
    """The words of a text, with ``red seal`` as one."""
    return re.findall(r"\w+ seal\b|\w+", fold(text))


def _unknown(text: str, word: str, items: Sequence[str]) -> str:
    close = list(items)
    if not close and word in _SEAL_WORDS:
        close = [fold(text).replace(word, f"{word} seal")]
    elif not close and (words := difflib.get_close_matches(word, _CARD_WORDS, n=1, cutoff=0.7)):
        close = [fold(text).replace(word, words[0])]
    hint = f"Did you mean {listed(close)}?" if close else 'Write for example "blueprint", "the soul" or "steel king".'
    return f'Nothing in the game is called "{text}". {hint}'


def _count(part: str) -> CardCount:
    match = re.fullmatch(r"(\d+)(?:-(\d+))?\s+(.+)", part)
    if not match:
        raise ValueError(f'"{part}" does not say how many cards of which kind. Write for example "12 hearts".')
    return CardCount(_playing_card(match[3]), int(match[1]), int(match[2] or DECK_SIZE))
