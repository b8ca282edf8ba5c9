"""The board editor: a typed position as widgets show it, what is changed in it, and what its cards score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from typing import Any

from jimbo.data.notation_items import CARD, UNITS, counters
from jimbo.data.notation_words import Word, key_of
from jimbo.data.position import NUMBERS, number_part, position_text, read_position
from jimbo.data.position_parts import LISTS, Piece, put_together, taken_apart
from jimbo.engine import PublicState
from jimbo.engine.catalog import (
    BLINDS,
    BOOSTERS,
    CONSUMABLES,
    DECKS,
    EDITIONS,
    ENHANCEMENTS,
    HANDS,
    JOKERS,
    SEALS,
    STAKES,
    TAGS,
    VOUCHERS,
)
from jimbo.seeds.starts import CHALLENGE_DECK
from jimbo.serve.assistant.scoring import QUANTILES, Scored, best_selection, better_orders, score_selection
from jimbo.serve.game import BadInput
from jimbo.serve.terminal.scoring import cards_of, chances, verdict
from jimbo.serve.web.board import Json, board, weigh
from jimbo.text import RANKS, SUIT_SYMBOLS, number_text
from jimbo.text.spellings import JOKER_WORDS

_JOKER_FLAGS = ("eternal", "rental", "pinned", "muted")
_CARD_FLAGS = ("muted", "played", "locked")
_PERISHABLE = "perishable"
_MOST_ITEMS = 200
_MOST_MARKS = 12


@cache
def catalog() -> Json:
    """What widgets offer: names as a position has them."""
    return {
        "cards": [
            [
                {"text": f"{rank}{suit.lower()}", "rank": rank, "suit": suit, "symbol": SUIT_SYMBOLS[suit]}
                for rank in RANKS
            ]
            for suit in ("S", "H", "C", "D")
        ],
        "jokers": _names(JOKERS),
        "consumables": _names(CONSUMABLES),
        "vouchers": _names(VOUCHERS),
        "tags": _names(TAGS),
        "packs": list(dict.fromkeys(_names(BOOSTERS))),
        "blinds": ["small", "big", *(fact.name for fact in BLINDS.values() if fact.boss)],
        "decks": [fact.name for key, fact in DECKS.items() if key != CHALLENGE_DECK],
        "stakes": _names(STAKES),
        "editions": _editions(),
        "enhancements": _enhancements(),
        "seals": _seals(),
        "joker_flags": list(_JOKER_FLAGS),
        "card_flags": list(_CARD_FLAGS),
        "perishable": [str(left) for left in range(6)],
        "numbers": list(NUMBERS),
    }


def _names(facts: Mapping[str, Any]) -> list[str]:
    return [fact.name for fact in facts.values()]


def _editions() -> list[str]:
    return [fact.name.lower() for key, fact in EDITIONS.items() if key != "e_base"]


def _enhancements() -> list[str]:
    return [fact.word.lower() for fact in ENHANCEMENTS.values()]


def _seals() -> list[str]:
    return [seal.name.lower() for seal in SEALS.values()]


# --- A position, as widgets show it -----------------------------------------------------------------------------------


def editor_view(text: str, cards: Sequence[int]) -> Json:
    """A position and what its chosen cards score; BadPosition for a text that is none."""
    state = read_position(text)
    typed = position_text(state)
    pieces = taken_apart(typed)
    held = {name: pieces.get(name, []) for name in LISTS}
    here = [place for place in dict.fromkeys(cards) if 0 <= place < len(state.hand)]
    return {
        "text": typed,
        "board": board(state, ""),
        **weigh(state, here),
        "chances": _chances(state, here),
        "widgets": {
            "hand": [_card_widget(one) for one in held["hand"] if isinstance(one, Piece)],
            "jokers": [_joker_widget(one) for one in held["jokers"] if isinstance(one, Piece)],
            **{
                name: [{"name": one.name, "others": list(one.marks)} for one in held[name] if isinstance(one, Piece)]
                for name in ("consumables", "vouchers", "tags", "shop", "packs", "for sale")
            },
            "levels": [{"hand": one.hand, "level": one.level} for one in reversed(state.hands)],
            "numbers": {name: number_part(value(state)) for name, value in NUMBERS.items()},
            "ante": str(state.ante),
            "blind": BLINDS[state.boss].name if state.on_deck == "boss" else str(state.on_deck),
            "deck": DECKS[state.deck].name,
            "stake": STAKES[state.stake].name,
        },
    }


def _joker_widget(one: Piece) -> Json:
    numbers, others, marks = [], [], list(one.marks)
    for counter in counters(key_of(JOKER_WORDS, JOKERS, Word(one.name, 0), "joker")):
        unit = UNITS.get(counter.kind)
        mark = next((mark for mark in marks if mark.startswith(f"{unit} ")), None)
        if mark is not None:
            marks.remove(mark)
            numbers.append({"unit": unit, "value": mark.removeprefix(f"{unit} ")})
    made: Json = {"name": one.name, "edition": "", "perishable": "", "flags": [], "numbers": numbers}
    for mark in marks:
        if mark in _editions():
            made["edition"] = mark
        elif mark in _JOKER_FLAGS:
            made["flags"].append(mark)
        elif mark.startswith(f"{_PERISHABLE} "):
            made["perishable"] = mark.removeprefix(f"{_PERISHABLE} ")
        else:
            others.append(mark)
    return {**made, "others": others}


def _card_widget(one: Piece) -> Json:
    found = CARD.fullmatch(one.name)
    assert found
    made: Json = {"name": one.name, "enhancement": "", "edition": "", "seal": "", "flags": [], "others": []}
    kinds = {"enhancement": _enhancements(), "edition": _editions(), "seal": _seals()}
    for mark in one.marks:
        kind = next((kind for kind, names in kinds.items() if mark in names), None)
        if kind:
            made[kind] = mark
        else:
            made["flags" if mark in _CARD_FLAGS else "others"].append(mark)
    return made


# --- What is changed --------------------------------------------------------------------------------------------------


def changed(text: str, change: Mapping[str, Any]) -> str:
    """The position with one part replaced; BadPosition where it cannot be."""
    pieces = taken_apart(position_text(read_position(text)))
    part, value = change.get("part"), change.get("value")
    if part == "levels":
        hand, level = change.get("hand"), value
        if hand not in HANDS or not isinstance(level, str):
            raise BadInput("Name a poker hand and its level.")
        old = [one for one in pieces.get(part, ()) if isinstance(one, Piece)]
        marks = next((one.marks for one in old if one.name.rpartition(" ")[0] == hand), ())
        rest = [one for one in old if one.name.rpartition(" ")[0] != hand]
        pieces[part] = [*rest, Piece(f"{hand} {level}", marks)]
    elif part in LISTS and isinstance(value, list) and len(value) <= _MOST_ITEMS:
        pieces[part] = [_piece(one) for one in value]
        if part == "hand" and not value:
            for name in ("hand", "needs", "scored", "gone"):  # those of a hand go with it
                pieces.pop(name, None)
        if part == "hand" and value:
            for name in ("shop", "packs", "for sale", "reroll"):
                pieces.pop(name, None)
    elif isinstance(part, str) and isinstance(value, str) and (part in NUMBERS or part in _SINGLE):
        pieces[part] = value
        for name in _FOLLOWS.get(part, ()):
            pieces.pop(name, None)
    else:
        raise BadInput("Say which part of the position changes, and what it holds then.")
    made = put_together({name: value for name, value in pieces.items() if value != ""})
    return position_text(read_position(made or "ante: 1"))


_SINGLE = ("blind", "ante", "deck", "stake")
_FOLLOWS = {"blind": ("needs", "boss", "round"), "ante": ("needs", "round"), "stake": ("needs",)}
"""What follows from another part, where nothing else is said."""


def _piece(told: Any) -> Piece:
    """An item that widgets sent, as they were shown it."""
    if not isinstance(told, dict) or not isinstance(told.get("name"), str):
        raise BadInput("An item has a name.")
    numbers = told.get("numbers", [])
    if not isinstance(numbers, list) or not all(isinstance(one, dict) for one in numbers):
        raise BadInput("Numbers of a joker have a unit and a value.")
    marks = [f"{one.get('unit')} {one.get('value')}" for one in numbers]
    marks += [str(told[name]) for name in ("enhancement", "edition", "seal") if told.get(name)]
    for name in ("flags", "others"):
        more = told.get(name, [])
        if not isinstance(more, list):
            raise BadInput("Marks are a list of words.")
        marks += map(str, more)
    marks += [f"{_PERISHABLE} {told[_PERISHABLE]}"] if told.get(_PERISHABLE) else []
    if len(marks) > _MOST_MARKS:
        raise BadInput(f"An item has at most {_MOST_MARKS} marks.")
    return Piece(told["name"], tuple(marks))


# --- What it scores ---------------------------------------------------------------------------------------------------


def _chances(state: PublicState, cards: Sequence[int]) -> Json | None:
    """Exact where no chance is in it, else the distribution; the best play and better orders."""
    with suppress(BadInput):
        best = best_selection(state)
        other = score_selection(state, best)
        made: Json = {"best": _play(state, other), "play": None, "is_best": sorted(best) == sorted(cards), "orders": []}
        with suppress(BadInput):
            scored = score_selection(state, cards)
            made["play"] = _play(state, scored)
            made["orders"] = [
                {**asdict(order), "expected": number_text(order.expected)} for order in better_orders(state, scored)
            ]
        return made
    return None


def _play(state: PublicState, scored: Scored) -> Json:
    return {
        "places": list(scored.action.cards),
        "cards": cards_of(state, scored),
        "hand": scored.score.hand,
        "mean": number_text(scored.mean),
        "verdict": verdict(state, scored).plain,
        "beats": scored.beats >= 0.5,
        "words": " ".join(text.plain for text in chances(scored)),
        "quantiles": [
            {"share": f"{100 * share:.0f} %", "value": value, "text": number_text(value)}
            for share, value in zip(QUANTILES, scored.quantiles, strict=True)
        ]
        if scored.worlds
        else [],
        "needed": scored.score.needed,
    }
