"""``seeds/analyzer_*``, ``motely_*`` and ``erratic_*``: what seed tools say a seed holds, ante by ante."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from conformance.corpus import CorpusFile
from conformance.names import MAIL_IN, NO_APOSTROPHE, Writer, deck_key, stake_key
from conformance.report import Case, each
from jimbo.engine.seed_tools import Conventions, seed_report, starting_deck

# Habits of the tools, not of the game: nothing is bought, but a voucher once displayed counts as owned; the shop queue
# may repeat itself; cards behind a condition are in the pools.
ANALYZER = Conventions(
    cards_in_use_exclude=False,
    vouchers_count_as_owned=True,
    gated_cards_appear=True,
    short_perishable_list=True,
)
MOTELY = Conventions(
    cards_in_use_exclude=False,
    vouchers_count_as_owned=True,
    gated_cards_appear=True,
    soul_ends_polling=True,
)
ANALYZER_TEXT = Writer(NO_APOSTROPHE, fronts_by_key=True)
MOTELY_TEXT = Writer(MAIL_IN, fronts_by_key=False)


def check_analyzer(file: CorpusFile) -> Iterator[Case]:
    deck, stake = deck_key(file.named["deck"]), stake_key(file.named["stake"])
    for record in file.records():
        expected = record["antes"]
        queue = max(len(ante["s"]) for ante in expected)
        found = explore(record["seed"], deck, stake, len(expected), queue, ANALYZER)
        for i, (there, here) in enumerate(zip(expected, found, strict=True)):
            path = f"{record['seed']}.antes[{i}]"
            packs = [ANALYZER_TEXT.pack(pack) for pack in here["packs"]]
            yield from ante_cases(path, there["b"], there["v"], there["t"], here)
            yield from each(f"{path}.shop", there["s"], ANALYZER_TEXT.cards(here["shop"][: len(there["s"])]))
            yield from pack_cases(f"{path}.packs", there["p"], packs)


def check_motely(file: CorpusFile) -> Iterator[Case]:
    for record in file.records():
        seed, deck, stake = record["seed"], deck_key(record["deck"]), stake_key(record["stake"])
        expected = {ante["ante"]: ante for ante in record["antes"]}
        queue = max(len(ante["shop"]) for ante in record["antes"])
        found = explore(seed, deck, stake, max(expected), queue, MOTELY)
        for i, (number, there) in enumerate(expected.items()):
            here = found[number - 1]
            path = f"{seed}.antes[{i}]"
            yield from ante_cases(path, there["boss"], there["voucher"], there["tags"], here)
            yield from each(f"{path}.shop", there["shop"], MOTELY_TEXT.cards(here["shop"][: len(there["shop"])]))
            packs = [[pack["pack"], *pack["cards"]] for pack in there["packs"]]
            yield from pack_cases(f"{path}.packs", packs, [MOTELY_TEXT.pack(pack) for pack in here["packs"]])


def explore(seed: str, deck: str, stake: str, last_ante: int, queue: int, conventions: Conventions) -> list[Any]:
    """Antes 1 to ``last_ante`` as the engine reports them."""
    antes: list[Any] = json.loads(seed_report(seed, deck, stake, 1, last_ante, queue, conventions))["antes"]
    return antes


def ante_cases(path: str, boss: str, voucher: str, tags: list[str], found: Any) -> Iterator[Case]:
    yield Case(f"{path}.boss", boss, found["boss"]["name"])
    yield Case(f"{path}.voucher", voucher, found["voucher"]["name"])
    yield from each(f"{path}.tags", tags, [tag["name"] for tag in found["tags"]])


def pack_cases(path: str, expected: Sequence[Sequence[Any]], found: Sequence[Sequence[Any]]) -> Iterator[Case]:
    """Packs are lists of the name and the cards."""
    yield Case(f"{path}.length", len(expected), len(found))
    for i, (there, here) in enumerate(zip(expected, found, strict=False)):
        yield from each(f"{path}[{i}]", there, here)


def check_erratic(file: CorpusFile) -> Iterator[Case]:
    """Seeds whose hash for the Erratic Deck meets NaN: all cards are the last of the list, the Ten of Spades."""
    for record in file.records():
        for seed in record["seeds"]:
            yield from each(f"{seed}.deck", ["S_T"] * 52, starting_deck(seed, "b_erratic"))
