"""``seeds/balatro4j_facts`` and ``live_game_reports``: single facts about single seeds."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from conformance.corpus import CorpusFile
from conformance.names import NO_APOSTROPHE, Writer
from conformance.report import Case, each
from conformance.seeds import explore
from jimbo.engine.seed_tools import Conventions, source_queue

# None of these facts depends on the deck or the stake.
DECK, STAKE = "b_red", "stake_white"
GAME = Conventions()
TEXT = Writer(NO_APOSTROPHE, fronts_by_key=True)

UNKNOWN = "(a fact that this checker does not know)"


def _antes(seed: str, last_ante: int) -> list[Any]:
    return explore(seed, DECK, STAKE, last_ante, 0, GAME)


def check_balatro4j(file: CorpusFile) -> Iterator[Case]:
    for document in file.records():
        for fact in document["facts"]:
            seed, number = fact["seed"], fact["ante"]
            ante = _antes(seed, number)[number - 1]
            for name, expected in fact.items():
                if name not in ("seed", "ante"):
                    yield from _balatro4j_fact(f"{seed}.{name}", name, expected, ante)


def _balatro4j_fact(path: str, name: str, expected: Any, ante: Any) -> Iterator[Case]:
    if name == "tags":
        yield from each(path, expected, [tag["name"] for tag in ante["tags"]])
    elif name in ("voucher", "boss"):
        yield Case(path, expected, ante[name]["name"])
    elif name == "legendary_from_packs":
        # The list says what is among them, in no particular order, and may or may not name an edition.
        there = ante["legendaries"]
        for i, joker in enumerate(expected):
            named = [joker for card in there if joker in (card["name"], TEXT.card(card))]
            yield Case(f"{path}[{i}]", joker, named[0] if named else TEXT.cards(there))
    else:
        yield Case(path, expected, UNKNOWN)


def check_live_reports(file: CorpusFile) -> Iterator[Case]:
    for document in file.records():
        for report in document["reports"]:
            for seed, fact in report["facts"].items():
                yield from _live_fact(seed, fact)


def _live_fact(seed: str, fact: Any) -> Iterator[Case]:
    if isinstance(fact, dict):
        yield from _live_details(seed, fact)
        return
    bosses = [fact] if isinstance(fact, str) else fact
    yield from each(f"{seed}.bosses", bosses, [ante["boss"]["name"] for ante in _antes(seed, len(bosses))])


def _live_details(seed: str, fact: dict[str, Any]) -> Iterator[Case]:
    antes = _antes(seed, fact["ante"])
    for name, expected in fact.items():
        if name in LIVE_FACTS:
            yield Case(f"{seed}.{name}", expected, LIVE_FACTS[name](seed, fact, antes))
        elif name not in ("ante", "pack_index"):
            yield Case(f"{seed}.{name}", expected, UNKNOWN)


def _pack(fact: dict[str, Any], antes: list[Any]) -> Any:
    return antes[-1]["packs"][fact["pack_index"] - 1]


def _contains(_seed: str, fact: dict[str, Any], antes: list[Any]) -> str | list[str]:
    cards = TEXT.cards(_pack(fact, antes)["cards"])
    return fact["contains"] if fact["contains"] in cards else cards


def _judgement_first(seed: str, fact: dict[str, Any], _antes: list[Any]) -> str:
    return TEXT.card(json.loads(source_queue(seed, DECK, STAKE, fact["ante"], "judgement", 1, GAME))[0])


def _first_soul(_seed: str, _fact: dict[str, Any], antes: list[Any]) -> bool:
    """In this ante and in none before."""
    return bool(antes[-1]["legendaries"]) and not any(ante["legendaries"] for ante in antes[:-1])


LIVE_FACTS: dict[str, Callable[[str, dict[str, Any], list[Any]], Any]] = {
    "pack": lambda _seed, fact, antes: _pack(fact, antes)["name"],
    "contains": _contains,
    "judgement_first": _judgement_first,
    "soul": _first_soul,
}
"""How each kind of fact is looked up; antes go up to the one that the fact is about, and packs count from 1."""
