"""``seeds/blueprint_*``: a tool that also prints the queues behind every source of cards.

Its habits: nothing is bought, the shop queue may repeat itself, and

- a pack's own queue (``sources.arcanaPack`` and so on) starts after the packs of the ante's shops;
- the Celestial queue leaves out the poll for Black Hole;
- ``wheel`` is one use of The Wheel of Fortune after another from the start of the run, ``aura`` the same for Aura;
- where ``spoilers_substituted`` is set, Judgement, Wraith and The Soul are printed as the joker they would make next.

Not compared are its side queues (further tags such as ``tag_queue_after``, boss rerolls, vouchers from tags), which
forget what its main queues know.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from conformance.corpus import CorpusFile
from conformance.names import NO_APOSTROPHE, Card, Writer, deck_key, pack_names, stake_key
from conformance.report import Case, each
from conformance.seeds import ante_cases, explore, pack_cases
from jimbo.engine.catalog import BOOSTERS
from jimbo.engine.seed_tools import Conventions, Streams, pack_queue, source_queue, starting_deck

CONVENTIONS = Conventions(cards_in_use_exclude=False)
TEXT = Writer(NO_APOSTROPHE, fronts_by_key=True)
BLINDS = ("smallBlind", "bigBlind", "bossBlind")

SOURCES = {
    "riffRaff": "riff_raff",
    "uncommonTag": "uncommon_tag",
    "rareTag": "rare_tag",
    "topUpTag": "top_up_tag",
    "arcanaPack": "arcana_pack",
    "emperor": "emperor",
    "vagabond": "vagabond",
    "purpleSeal and 8 Ball": "purple_seal",
    "superposition": "superposition",
    "judgement": "judgement",
    "buffoonPack": "buffoon_pack",
    "wraith": "wraith",
    "highPriestess": "high_priestess",
    "celestialPack": "celestial_pack",
    "spectralPack": "spectral_pack",
    "seance": "seance",
    "sixthSense": "sixth_sense",
    "certificate": "certificate",
    "standardPack": "standard_pack",
}
# What a card would make: the engine's source, and the tool's list that draws from the same one.
SPOILERS = {"c_judgement": ("judgement", "judgement"), "c_wraith": ("wraith", "wraith"), "c_soul": ("soul", None)}


class Tool:
    """The tool's view of one seed."""

    def __init__(self, record: Any) -> None:
        self.seed: str = record["seed"]
        self._deck = deck_key(record["deck"])
        self._stake = stake_key(record["stake"])
        self._substitutes: bool = record["spoilers_substituted"]

    def antes(self, last: int, queue: int) -> list[Any]:
        return explore(self.seed, self._deck, self._stake, last, queue, CONVENTIONS)

    def source(self, ante: int, name: str, count: int) -> list[Card]:
        text = source_queue(self.seed, self._deck, self._stake, ante, name, count, CONVENTIONS)
        cards: list[Card] = json.loads(text)
        return cards

    def source_without_black_hole(self, ante: int, name: str, count: int) -> list[Card]:
        """A hit of the poll draws no planet, so dropping it leaves the queue of the planets alone."""
        for extra in range(count + 1):
            planets = [card for card in self.source(ante, name, count + extra) if card["key"] != "c_black_hole"]
            if len(planets) == count:
                break
        return planets

    def texts(self, cards: Sequence[Card], ante: int, printed: dict[str, int]) -> list[str]:
        """``printed`` says how many cards of which list were printed, and so drawn, before these."""
        return [self._text(card, ante, printed) for card in cards]

    def _text(self, card: Card, ante: int, printed: dict[str, int]) -> str:
        if self._substitutes and card["key"] in SPOILERS:
            source, same_list = SPOILERS[card["key"]]
            before = printed.get(same_list, 0) if same_list else 0
            return TEXT.card(self.source(ante, source, before + 1)[-1])
        return TEXT.card(card)

    def rounds(self, ante: int, count: int) -> list[list[str]]:
        """The draw order of the first rounds of an ante."""
        streams, created = Streams(self.seed), starting_deck(self.seed, self._deck)
        orders = [streams.shuffle(f"nr{ante}", len(created)) for _ in range(count)]
        return [[created[place] for place in reversed(order)] for order in orders]


def check(file: CorpusFile) -> Iterator[Case]:
    for record in file.records():
        tool = Tool(record)
        expected = {int(number): ante for number, ante in record["antes"].items()}
        queue = max(len(ante["shop"]) for ante in expected.values())
        found = tool.antes(max(expected), queue)
        for number, ante in expected.items():
            yield from _ante(tool, number, ante, found[number - 1])


def _ante(tool: Tool, number: int, there: Any, here: Any) -> Iterator[Case]:
    path = f"{tool.seed}.antes.{number}"
    yield from ante_cases(path, there["boss"], there["voucher"], there["tags"], here)
    yield from each(f"{path}.shop", there["shop"], tool.texts(here["shop"][: len(there["shop"])], number, {}))
    yield from _packs(tool, f"{path}.packs", number, there["packs"], here["packs"])
    yield from _sources(tool, f"{path}.sources", number, there["sources"])
    streams = Streams(tool.seed)
    yield from each(f"{path}.wheel", there["wheel"], [_wheel_of_fortune(streams) for _ in there["wheel"]])
    yield from each(f"{path}.aura", there["aura"], [_sure_edition(streams, "aura") for _ in there["aura"]])
    yield from _pack_queue(tool, f"{path}.pack_queue_after", number, there["pack_queue_after"], here["packs"])
    for name, order in zip(BLINDS, tool.rounds(number, len(there["decks"])), strict=False):
        yield from each(f"{path}.decks.{name}", there["decks"][name], order)


def _packs(tool: Tool, path: str, ante: int, there: Any, here: list[Any]) -> Iterator[Case]:
    """The tool lists a pack as kind, number of cards, picks, cards; those of each shop under the blind that follows."""
    found = []
    for pack in here:
        fact = BOOSTERS[pack["key"]]
        found.append([fact.kind, fact.cards, fact.picks, *tool.texts(pack["cards"], ante, {})])
    yield from pack_cases(path, [pack for blind in BLINDS for pack in there[blind]], found)


def _sources(tool: Tool, path: str, ante: int, there: dict[str, list[str]]) -> Iterator[Case]:
    printed: dict[str, int] = {}
    for name, expected in there.items():
        draw = tool.source_without_black_hole if name == "celestialPack" else tool.source
        cards = draw(ante, SOURCES[name], len(expected))
        yield from each(f"{path}.{name}", expected, tool.texts(cards, ante, printed))
        printed[name] = len(expected)


def _pack_queue(tool: Tool, path: str, ante: int, expected: list[str], shops: list[Any]) -> Iterator[Case]:
    # The first pack of a run is given and draws nothing.
    drawn = len(shops) - (ante == 1)
    queue = pack_queue(tool.seed, ante, drawn + len(expected))
    yield from each(path, expected, pack_names(queue[drawn:]))


def _wheel_of_fortune(streams: Streams) -> str:
    key = "wheel_of_fortune"
    if streams.random(key) >= 1 / 4:
        return "No Edition"
    streams.node(key)  # the choice of a joker
    return _sure_edition(streams, key)


def _sure_edition(streams: Streams, key: str) -> str:
    poll = streams.random(key)
    if poll > 0.85:
        return "Polychrome"
    return "Holographic" if poll > 0.5 else "Foil"
