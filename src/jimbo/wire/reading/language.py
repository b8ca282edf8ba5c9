"""In which language the game's texts are, and what that keeps back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from jimbo.wire.gamestate import as_object, cards_of
from jimbo.wire.reading import marks
from jimbo.wire.reading.joker_text import is_unread
from jimbo.wire.tooltips import is_english

_WITH_SENTENCES = ("jokers", "consumables", "shop", "vouchers", "packs", "pack")


def in_english(state: Mapping[str, Any]) -> bool:
    """Whether most texts of a gamestate are; true where it has none, as in the menu."""
    told = [is_english(text) for text in _texts(state) if text]
    return 2 * sum(told) >= len(told)


def unread_jokers(state: Mapping[str, Any]) -> tuple[str, ...]:
    """Keys of the jokers that are owned whose texts are in another language and keep back what only they tell."""
    told = [(marks.known_key(card), marks.effect(card)) for card in cards_of(state, "jokers")]
    return tuple(dict.fromkeys(key for key, text in told if is_unread(key, text)))


def _texts(state: Mapping[str, Any]) -> Iterator[str]:
    for area in _WITH_SENTENCES:
        yield from (marks.effect(card) for card in cards_of(state, area))
    for blind in as_object(state.get("blinds")).values():
        yield from (str(as_object(blind).get(name) or "") for name in ("effect", "tag_effect"))
